"""What a configuration will cost before it runs."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from msdensity.games.tasks import Task
from msdensity.runs.config import Config, load_config
from msdensity.runs.jobs import ledgers
from msdensity.runs.ledger import read_together
from msdensity.runs.sweep import missing

PILOT_TASKS = 7
"""Numbers of mines played in the pilot of one board; the cost between them is interpolated."""

PILOT_SECONDS = 0.02
"""CPU seconds for each of them, without the compilation of the kernel."""

PILOT_FIRST_GAME = 10**12
"""Far beyond the games of any run, so that no game of the pilot is counted later."""


@dataclass(frozen=True)
class Cost:
    """What one board and player still cost.

    games: still to be played; there: games of the target that the ledger already has; cpu_seconds:
    of one core, as measured by a pilot on this machine.
    """

    board: str
    player: str
    games: int
    there: int
    cpu_seconds: float

    @property
    def cpu_us(self) -> float:
        """CPU microseconds per game; NaN if no game is left to play."""
        return 1e6 * self.cpu_seconds / self.games if self.games else np.nan


@dataclass(frozen=True)
class Plan:
    """The costs of all boards and players of a configuration, in its order."""

    config: Config
    costs: tuple[Cost, ...]

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds of all games to be played."""
        return sum(cost.cpu_seconds for cost in self.costs)

    def report(self) -> str:
        """Return the plan in words: the costliest boards, then the sum."""
        games = sum(cost.games for cost in self.costs)
        there = sum(cost.there for cost in self.costs)
        lines = [f"{'board':>12} {'player':<28} {'games left':>14} {'us/game':>9} {'CPU s':>10}"]
        ranked = sorted(self.costs, key=lambda cost: -cost.cpu_seconds)
        for cost in ranked[:_LISTED]:
            us = f"{cost.cpu_us:9.1f}" if cost.games else f"{'-':>9}"
            who = f"{cost.board:>12} {cost.player:<28}"
            lines.append(f"{who} {cost.games:>14,} {us} {cost.cpu_seconds:>10.1f}")
        if len(ranked) > _LISTED:
            rest = sum(cost.cpu_seconds for cost in ranked[_LISTED:])
            lines.append(f"{len(ranked) - _LISTED:>12} more {'':<51} {rest:>10.1f}")
        total = _duration(self.cpu_seconds)
        lines.append(f"{games:,} games to play, {there:,} already played: {total} of one core")
        wall = ", ".join(
            f"{_duration(self.cpu_seconds / cores)} with {cores}" for cores in (2, 4, 16, 64)
        )
        lines.append(
            f"playing takes about {wall} cores; start, compilation, fits and figures come on top"
        )
        return "\n".join(lines)


_LISTED = 12


def plan(
    config: Config | str | os.PathLike[str] | Mapping[str, Any], data: str | Path = "data"
) -> Plan:
    """Return what a configuration will cost, from a pilot of some games on this machine.

    config: a Config, or what `load_config` takes. data: the folder that holds {name}/ledger; games
    in its ledgers are not played again. Writes nothing. Raises InputError for a ledger that cannot
    be read.
    """
    from msdensity.games.play import play_batch

    config = config if isinstance(config, Config) else load_config(config)
    costs = []
    for board, name in zip(config.boards, config.board_names, strict=True):
        for player in config.labels:
            tasks = config.tasks_to_play(board, player)
            paths = ledgers(Path(data) / config.name / "ledger", name, player)
            rows, _ = read_together(paths)
            left: dict[int, int] = dict.fromkeys((task.mines for task in tasks), 0)
            for gap in missing(tasks, config.games, rows):
                left[gap.task.mines] += gap.games
            games = sum(left.values())
            seconds = 0.0
            if games:
                # Work that is done once must not count as the time of a game: compiling or loading
                # machine code, and making the tables of a board, which takes as long as 100 games.
                play_batch(tasks[0], PILOT_FIRST_GAME, 1)
                seconds = _expected(tasks, left)
            costs.append(Cost(name, player, games, config.games * len(tasks) - games, seconds))
    return Plan(config, tuple(costs))


def _expected(tasks: Sequence[Task], left: dict[int, int]) -> float:
    """Return the CPU seconds of the games left, from a pilot at some numbers of mines."""
    picked = np.unique(np.linspace(0, len(tasks) - 1, PILOT_TASKS).round().astype(int))
    mines = [tasks[i].mines for i in picked]
    measured = [_seconds_a_game(tasks[i]) for i in picked]
    every = np.interp(list(left), mines, measured)
    return float(every @ np.array(list(left.values()), float))


def _seconds_a_game(task: Task) -> float:
    """Return the CPU seconds of one game, from as many as take PILOT_SECONDS."""
    from msdensity.games.play import play_batch

    played, batch, begin = 0, 1, time.thread_time()
    while True:
        play_batch(task, PILOT_FIRST_GAME + played, batch)
        played += batch
        spent = time.thread_time() - begin
        if spent >= PILOT_SECONDS:
            return spent / played
        batch = min(2 * batch, 1 + int(1.2 * played * (PILOT_SECONDS - spent) / max(spent, 1e-6)))


def _duration(seconds: float) -> str:
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"
