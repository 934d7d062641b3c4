"""What a study will cost before it runs: its games, timed by a few of them on this machine."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from msdensity.errors import check_path
from msdensity.files.text import read_csv
from msdensity.games.tasks import Task
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.jobs import by_first
from msdensity.runs.ledger import LedgerWarning, read_together, require_first_row
from msdensity.runs.progress import PROGRESS_SECONDS, duration
from msdensity.runs.records import read_record, record_path
from msdensity.runs.settings import Keys
from msdensity.runs.studies import load_any, module_of
from msdensity.runs.sweep import missing
from msdensity.runs.versions import BESIDE, begins_beside, is_own, own_ledger

Play = Callable[[Task, int, int], object]
"""play(task, first_game, games) plays games."""

PILOT_TASKS = 7
"""Numbers of mines played in the pilot of one board; the cost between them is interpolated."""

PILOT_SECONDS = 0.02
"""CPU seconds for each of them, without the compilation of the kernel."""

PILOT_FIRST_GAME = 10**12
"""Far beyond the games of any run, so that no game of the pilot is counted later."""


@dataclass(frozen=True)
class Workload:
    """Games [0, games) of some tasks: one part of a study on one board by one player.

    part: its name; tasks: at least one, rising in mines; ledgers: files that may hold some of the
    games; played: whether a table without a ledger holds them all; play: how the part plays (None:
    msdensity.games.play.play_batch); estimate: whether other games decide tasks or games, so that
    these are a guess; target: the target that alone plays the part (empty: the default one too).
    """

    part: str
    tasks: Sequence[Task]
    games: int
    ledgers: Sequence[Path] = ()
    played: bool = False
    play: Play | None = None
    estimate: bool = False
    target: str = ""


def one_by_one(task: Task, first_game: int, games: int) -> None:
    """Play each game by itself, as the parts do that keep the end of each."""
    from msdensity.games.play import play_batch

    for g in range(first_game, first_game + games):
        play_batch(task, g, 1)


def holds(table: Path, games: int) -> bool:
    """Whether a table is there and has rows of so many games, or no column `games`.

    A table whose record names another version of the kernel will be made again.
    """
    if not os.path.isfile(table):
        return False
    record = record_path(table)
    if os.path.isfile(record) and read_record(record)["kernel"]["version"] != KERNEL_VERSION:
        return False
    found = read_csv(table, f"table {table}")
    return "games" not in found or bool((found["games"] == games).any())


@dataclass(frozen=True)
class Cost:
    """What a part of a study still costs on one board by one player.

    games: still to be played; there: games of the target that are already played; cpu_seconds: of
    one core, as measured by a pilot on this machine; estimate, target: as in `Workload`.
    """

    part: str
    board: str
    player: str
    games: int
    there: int
    cpu_seconds: float
    estimate: bool = False
    target: str = ""

    @property
    def cpu_us(self) -> float:
        """CPU microseconds per game; NaN if no game is left to play."""
        return 1e6 * self.cpu_seconds / self.games if self.games else np.nan


@dataclass(frozen=True)
class Plan:
    """The costs of all parts, boards and players of a study, in its order."""

    costs: tuple[Cost, ...]

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds of all games to be played."""
        return sum(cost.cpu_seconds for cost in self.costs)

    @property
    def parts(self) -> dict[str, float]:
        """CPU seconds of each part."""
        seconds: dict[str, float] = {}
        for cost in self.costs:
            seconds[cost.part] = seconds.get(cost.part, 0.0) + cost.cpu_seconds
        return seconds

    def report(self) -> str:
        """Return the plan in words: the costliest boards, then the parts and the sum."""
        games = sum(cost.games for cost in self.costs)
        there = sum(cost.there for cost in self.costs)
        lines = [
            f"{'part':<18} {'board':>12} {'player':<28} {'games left':>13} {'played':>13}"
            f" {'us/game':>9} {'CPU s':>9}"
        ]
        ranked = sorted(self.costs, key=lambda cost: -cost.cpu_seconds)
        for cost in ranked[:_LISTED]:
            us = f"{cost.cpu_us:9.1f}" if cost.games else f"{'-':>9}"
            who = f"{cost.part:<18} {cost.board:>12} {cost.player:<28.28}"
            lines.append(f"{who} {cost.games:>13,} {cost.there:>13,} {us} {cost.cpu_seconds:>9.1f}")
        if len(ranked) > _LISTED:
            rest = sum(cost.cpu_seconds for cost in ranked[_LISTED:])
            lines.append(f"{f'{len(ranked) - _LISTED} more':<98} {rest:>9.1f}")
        if len(self.parts) > 1:
            each = (f"{part} {duration(seconds)}" for part, seconds in self.parts.items())
            lines.append(f"by part: {', '.join(each)}")
        total = duration(self.cpu_seconds)
        lines.append(f"{games:,} games to play, {there:,} already played: {total} of one core")
        for target in dict.fromkeys(c.target for c in self.costs if c.target and c.games):
            own = sum(cost.games for cost in self.costs if cost.target == target)
            lines.append(f"of these, {own:,} are played by `snakemake {target}` alone")
        if guessed := dict.fromkeys(c.part for c in self.costs if c.estimate and c.games):
            lines.append(
                f"estimates, because earlier games decide what they play: {', '.join(guessed)}"
            )
        wall = ", ".join(
            f"{duration(self.cpu_seconds / cores)} with {cores}" for cores in (2, 4, 16, 64)
        )
        lines.append(
            f"playing takes about {wall} cores; start, compilation, fits and figures come on top"
        )
        return "\n".join(lines)


_LISTED = 12


def plan(
    settings: Keys | str | os.PathLike[str] | Mapping[str, Any],
    data: str | Path = "data",
    log: TextIO | None = None,
) -> Plan:
    """Return what a study will cost, from a pilot of some games on this machine.

    settings: a Config or the settings of another study; or their YAML file, or the mapping in it,
    whose key `study` says of which study. data: the folder that holds {name}; games that are
    already played there are not played again; log: where progress goes (None: nowhere). Writes
    nothing else. Raises InputError for settings that are not allowed, and for a file in `data` that
    cannot be read or is of another run. A LedgerWarning says that ledgers of another version of the
    kernel do not count.
    """
    check_path("data", data)
    known: Any = settings if isinstance(settings, Keys) else load_any(settings)
    if beside := check_ledgers(known, data):
        warnings.warn_explicit(beside, LedgerWarning, os.fspath(data), 0)
    return plan_of(_of_study(known).workloads(known, Path(data) / known.name), log)


def check_ledgers(settings: Keys, data: str | Path = "data") -> str:
    """Raise InputError if a ledger in data/{name} is of another run than the settings ask for.

    Returns a sentence if the run will begin ledgers beside those of another version of the kernel,
    or "". It reads one row of each ledger: before a run, this costs less than a job that fails.
    """
    known: Any = settings
    folders: dict[Path, dict[str, list[Path]]] = {}
    beside: list[str] = []
    for path, task in _of_study(known).stored(known, Path(data) / known.name):
        if path.parent not in folders:
            folders[path.parent] = by_first(path.parent)
        for each in folders[path.parent].get(path.name, []):
            if is_own(each):
                require_first_row(each, task)
            elif not BESIDE.search(each.name):
                beside += filter(None, [begins_beside(each)])
    more = f" (the first of {len(beside):,} such ledgers)" if len(beside) > 1 else ""
    return beside[0] + more if beside else ""


def _of_study(settings: Any) -> Any:
    """Return what a study plays, by its name, as a step is: this floor knows no study."""
    return import_module(f"{module_of(settings.study)}.workloads")


def plan_of(workloads: Iterable[Workload], log: TextIO | None = None) -> Plan:
    """Return what workloads will cost, from a pilot of some games on this machine.

    Games in their ledgers are not played again. log: as in `plan`. Writes nothing else. Raises
    InputError for a ledger that cannot be read.
    """
    works, costs = list(workloads), []
    last = time.monotonic()
    for done, work in enumerate(works, 1):
        costs.append(_cost(work))
        if log is not None and time.monotonic() - last >= PROGRESS_SECONDS:
            last = time.monotonic()
            print(f"plan: {done} of {len(works)} boards timed", file=log, flush=True)
    return Plan(tuple(costs))


def _cost(work: Workload) -> Cost:
    task = work.tasks[0]
    total = work.games * len(work.tasks)
    left: dict[int, int] = dict.fromkeys((task.mines for task in work.tasks), 0)
    if not work.played:
        own = map(own_ledger, work.ledgers)
        rows, _ = read_together([path for path in own if os.path.exists(path)])
        for gap in missing(work.tasks, work.games, rows):
            left[gap.task.mines] += gap.games
    games = sum(left.values())
    seconds = _expected(work, left) if games else 0.0
    return Cost(
        work.part,
        task.board.name,
        task.label,
        games,
        total - games,
        seconds,
        work.estimate,
        work.target,
    )


def _expected(work: Workload, left: dict[int, int]) -> float:
    """Return the CPU seconds of the games left, from a pilot at some numbers of mines."""
    from msdensity.games.play import play_batch

    play, tasks = work.play or play_batch, work.tasks
    # Work that is done once must not count as the time of a game: compiling or loading machine
    # code, and making the tables of a board, which takes as long as 100 games.
    play(tasks[0], PILOT_FIRST_GAME, 1)
    picked = np.unique(np.linspace(0, len(tasks) - 1, PILOT_TASKS).round().astype(int))
    mines = [tasks[i].mines for i in picked]
    measured = [_seconds_a_game(tasks[i], play, work.games) for i in picked]
    every = np.interp(list(left), mines, measured)
    return float(every @ np.array(list(left.values()), float))


def _seconds_a_game(task: Task, play: Play, most: int) -> float:
    """Return the CPU seconds of one game, from as many as take PILOT_SECONDS, or about `most`."""
    played, batch, begin = 0, 1, time.thread_time()
    while True:
        play(task, PILOT_FIRST_GAME + played, batch)
        played += batch
        spent = time.thread_time() - begin
        if spent >= PILOT_SECONDS or played >= most:
            return spent / played
        batch = min(2 * batch, 1 + int(1.2 * played * (PILOT_SECONDS - spent) / max(spent, 1e-6)))
