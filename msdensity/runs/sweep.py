"""Play the games that ledgers lack, and make tables of their games."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple, TextIO

import pandas as pd

from msdensity.errors import InputError, check_path, integer, require_kind, shown
from msdensity.games.tasks import Task
from msdensity.kernel.limits import MAX_GAMES, MAX_THREADS, check_threads
from msdensity.kernel.measures import MEASURES
from msdensity.runs.counts import Counts
from msdensity.runs.jobs import siblings
from msdensity.runs.ledger import (
    Contents,
    Ledger,
    LedgerWarning,
    read_ledger,
    read_together,
    require_same_run,
)
from msdensity.runs.parallel import in_threads
from msdensity.runs.progress import Progress
from msdensity.runs.rows import Row
from msdensity.runs.versions import begins_beside, own_ledger
from msdensity.runs.win_rates import win_rate_table

ALL_PLAYED = "nothing to play: all games are already played"

Play = Callable[[Task, int, int], Mapping[str, int]]
"""play(task, first_game, games) -> value of each of MEASURES, the same on every call."""


class Batch(NamedTuple):
    """Games [first_game, first_game + games) of a task, still to be played."""

    task: Task
    first_game: int
    games: int


@dataclass(frozen=True)
class Played:
    """A table of win rates (WIN_RATE_COLUMNS), and what its record must say.

    ledgers: those it was read from; more_games: games for a number of mines, where the table has
    more than were asked for, so that a new run would make another table.
    """

    table: pd.DataFrame
    ledgers: tuple[Path, ...]
    more_games: frozenset[int]


def joined(parts: Sequence[Played]) -> Played:
    """Return several parts (at least one) joined into one."""
    return Played(
        pd.concat([part.table for part in parts], ignore_index=True),
        tuple(dict.fromkeys(path for part in parts for path in part.ledgers)),
        frozenset().union(*(part.more_games for part in parts)),
    )


def play_table(
    ledgers: Mapping[str, Sequence[Task]] | Mapping[Path, Sequence[Task]],
    games: int,
    *,
    batch: int = 1000,
    threads: int = 1,
    log: TextIO | None = None,
    play: Play | None = None,
) -> Played:
    """Play what ledgers lack of games [0, games) of their tasks; return the win rates of these.

    ledgers: for each path its tasks; the rest as in `top_up`, whose errors it raises. No game of
    another version of the kernel counts.
    """
    require_kind("ledgers", ledgers, Mapping, "a dictionary from paths to lists of Tasks")
    if not ledgers:
        raise InputError("ledgers={} must hold at least one path with its tasks")
    read: dict[Path, None] = {}
    rows: list[Row] = []
    for path, tasks in ledgers.items():
        top_up(tasks, games, path, batch=batch, threads=threads, log=log, play=play)
        own = own_ledger(path)
        together = [each for each in (own, *siblings(own)) if each.exists()]
        rows += read_together(together, tasks=tasks)[0]
        read |= dict.fromkeys(together)
    table = win_rate_table(rows, games, [task for tasks in ledgers.values() for task in tasks])
    more = frozenset(int(n) for n in table["games"] if n > games)
    return Played(table, tuple(read), more)


def play_unequal(
    ledger: Path,
    games: Mapping[Task, int],
    *,
    batch: int = 1000,
    threads: int = 1,
    log: TextIO | None = None,
) -> Played:
    """Play some tasks of one ledger, each with its own games, as `play_table` does."""
    parts = [
        play_table(
            {ledger: [task for task, n in games.items() if n == each]},
            each,
            batch=batch,
            threads=threads,
            log=log,
        )
        for each in dict.fromkeys(games.values())
    ]
    played = joined(parts)
    return replace(played, table=played.table.sort_values("mines", ignore_index=True))


def missing(
    tasks: Iterable[Task], games: int, rows: Iterable[Row], first_game: int = 0
) -> list[Batch]:
    """Return the games of [first_game, games) that no row holds, as long as they adjoin.

    rows: as `merge` returns them.
    """
    held: dict[str, list[Counts]] = {}
    for row in rows:
        held.setdefault(row.counts.task_id, []).append(row.counts)
    gaps = []
    for task in tasks:
        start = first_game
        for counts in held.get(task.task_id, []):
            gaps.append(Batch(task, start, min(counts.first_game, games) - start))
            start = max(start, counts.stop)
        gaps.append(Batch(task, start, games - start))
    return [gap for gap in gaps if gap.games > 0]


def cut(gaps: Iterable[Batch], size: int) -> Iterator[Batch]:
    """Yield the same games cut at the multiples of `size`."""
    for task, first, games in gaps:
        end = first + games
        inside = range((first // size + 1) * size, end, size)
        for a, b in pairwise(chain([first], inside, [end])):
            yield Batch(task, a, b - a)


def top_up(
    tasks: Sequence[Task],
    games: int,
    ledger_path: str | os.PathLike[str],
    *,
    batch: int = 1000,
    threads: int = 1,
    log: TextIO | None = None,
    play: Play | None = None,
    first_game: int = 0,
) -> int:
    """Play until the ledger holds games [0, games) of every task; return how many were played.

    tasks: of one board, player, start and seed, because a ledger holds one run; games: a total, at
    least 1, so a ledger that holds as many or more does not change; batch (games between two
    checkpoints) and threads: at least 1; log: where progress goes (None: standard error); play: the
    function that plays (None: msdensity.games.play.play_batch).

    If several jobs share a board, each tops up its own ledger, named by `jobs.ledger_path`, with
    the games from first_game on. Games in the ledgers of its siblings are not played again. Games
    in rows that do not count, because others overlap them, are; the log says how many.

    A ledger that another version of the kernel played stays as it is: a LedgerWarning says so, and
    the games go to the file beside it that `versions.own_ledger` names.

    The finished ledger does not depend on batch, threads or interruptions. A kill loses the games
    being played, and those that a thread finished in the tenth of a second before; Ctrl-C
    (KeyboardInterrupt) keeps all finished batches. Raises InputError for bad input, before any
    game, and where `Ledger` does; OSError if the disk is full.
    """
    check_path("ledger_path", ledger_path)
    if not isinstance(tasks, Iterable) or not all(isinstance(task, Task) for task in tasks):
        raise InputError(f"tasks={shown(tasks)} must be a list of Tasks")
    if play is not None and not callable(play):
        raise InputError(f"play={shown(play)} must be a function or None")
    tasks = list(dict.fromkeys(tasks))
    integer("games", games, 1, MAX_GAMES)
    integer("batch", batch, 1)
    integer("threads", threads, 1, MAX_THREADS)
    integer("first_game", first_game, 0, games - 1)
    if not tasks:
        raise InputError("tasks=[] must hold at least one task")
    beside, path = begins_beside(ledger_path), own_ledger(ledger_path)
    require_same_run(path, tasks)
    check_threads(threads, tasks[0].board.shape, tasks[0].board.topology)
    progress = Progress(
        path.stem, (games - first_game) * len(tasks), sys.stderr if log is None else log
    )

    if beside:
        # Also where no progress is shown; line 0, because Python would print any other line too.
        warnings.warn_explicit(beside, LedgerWarning, os.fspath(ledger_path), 0)
    # First without the lock, because a finished ledger may be in a folder that cannot be written.
    contents = read_ledger(path)
    rows, _ = _together(path, contents, tasks)
    if contents.canonical and not missing(tasks, games, rows, first_game):
        progress.note(ALL_PLAYED)
        return 0

    if play is None:
        from msdensity.games.play import play_batch

        play = play_batch
    player = play

    def row(batch: Batch) -> Row:
        values = player(*batch)
        measures = tuple(values[name] for name in MEASURES)
        task, first, size = batch
        return Row(task, Counts(task.task_id, first, size, measures))

    with Ledger(path) as ledger:
        rows, left = _together(path, ledger.contents, tasks)
        # Rows that siblings overlap are not merged, because longer rows overlap more often.
        compact = not left or not siblings(path)
        gaps = missing(tasks, games, rows, first_game)
        to_play = sum(gap.games for gap in gaps)
        if gaps:
            progress.start(to_play)
        else:
            progress.note(ALL_PLAYED)
        if again := _games_held(gaps, left):
            progress.note(f"{again:,} of them again, because their rows overlap with others")
        with contextlib.closing(in_threads(row, cut(gaps, batch), threads)) as played:
            for done in played:
                new = [each.result for each in done]
                ledger.append(new, [each.cpu_seconds for each in done])
                if compact and ledger.needs_compaction:
                    ledger.compact_in_place()
                progress.add(sum(row.counts.games for row in new))
        if compact:
            ledger.compact()
    if gaps:
        progress.finish()
    return to_play


def _together(
    path: Path, contents: Contents, tasks: Sequence[Task]
) -> tuple[Sequence[Row], Sequence[Row]]:
    """Return the rows of a ledger and its siblings that count, and those that are left out."""
    require_same_run(path, [*dict.fromkeys(row.task for row in contents.rows), *tasks])
    others = siblings(path)
    if others:
        return read_together([path, *others], tasks=tasks)
    return contents.rows, contents.left


def _games_held(gaps: Iterable[Batch], rows: Iterable[Row]) -> int:
    """Return how many games of the gaps the rows hold; both are sorted by first game."""
    starts: dict[Task, list[int]] = {}
    before: dict[Task, list[int]] = {}  # games that rows hold before each start
    stops: dict[Task, list[int]] = {}
    for row in rows:
        first, stop = row.counts.first_game, row.counts.stop
        own, sums, ends = (each.setdefault(row.task, []) for each in (starts, before, stops))
        if ends and first <= ends[-1]:
            ends[-1] = max(ends[-1], stop)
            continue
        sums.append(sums[-1] + ends[-1] - own[-1] if own else 0)
        own.append(first)
        ends.append(stop)

    def held_before(task: Task, game: int) -> int:
        i = bisect_right(starts[task], game) - 1
        return before[task][i] + min(game, stops[task][i]) - starts[task][i] if i >= 0 else 0

    return sum(
        held_before(task, first + games) - held_before(task, first)
        for task, first, games in gaps
        if task in starts
    )
