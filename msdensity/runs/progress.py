"""Progress: one plain line every few seconds, which is readable in a log file too."""

from __future__ import annotations

import time
from typing import TextIO

from msdensity.errors import InputError, shown

PROGRESS_SECONDS = 3.0


class Progress:
    """Lines about `target` games of what is called `name`, written to `log` (None: nowhere)."""

    def __init__(self, name: str, target: int, log: TextIO | None) -> None:
        if log is not None and not hasattr(log, "write"):
            raise InputError(f"log={shown(log)} must be an open text file or None")
        self._name, self._target, self._log = name, target, log
        self._there = self._played = 0
        self._begin = self._last = time.monotonic()

    def note(self, text: str) -> None:
        if self._log is not None:
            print(f"{self._name}: {text}", file=self._log, flush=True)

    def start(self, to_play: int) -> None:
        self._there = self._target - to_play
        self._begin = self._last = time.monotonic()
        self.note(f"{to_play:,} of {self._target:,} games to play")

    def add(self, games: int) -> None:
        if not games:
            return
        self._played += games
        now = time.monotonic()
        if now - self._last >= PROGRESS_SECONDS:
            self._last = now
            done = self._there + self._played
            rate = self._played / (now - self._begin)
            self.note(
                f"{done:,}/{self._target:,} games  {100 * done / self._target:.1f} %"
                f"  {rate:,.0f} games/s  {(self._target - done) / rate:.1f} s left"
            )

    def finish(self) -> None:
        elapsed = max(time.monotonic() - self._begin, 1e-9)
        rate = self._played / elapsed
        self.note(f"{self._played:,} games played in {elapsed:.1f} s, {rate:,.0f} games/s")


def duration(seconds: float) -> str:
    """Return seconds in words, in the largest unit of which there are two."""
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"
