"""Play what a ledger lacks."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import TextIO

from msdensity.errors import InputError, integer
from msdensity.games.tasks import Task
from msdensity.kernel.limits import MOST_GAMES, MOST_THREADS, check_threads
from msdensity.runs.jobs import BACKENDS, siblings
from msdensity.runs.ledger import (
    Contents,
    Ledger,
    Row,
    note_cpu_seconds_elsewhere,
    read_ledger,
    require_same_run,
)
from msdensity.runs.parallel import Batch, Play, play_all
from msdensity.runs.progress import Progress

Spans = dict[str, list[tuple[int, int]]]
"""By task_id: ranges [first, stop) of games, rising, no two of them adjoining."""


def add_spans(there: Spans, rows: Iterable[Row], first_game: int, games: int) -> None:
    """Add what rows hold of the games [first_game, games); InputError for games held twice."""
    for row in rows:
        first, stop = row.counts.first_game, row.counts.stop
        if stop <= first_game or first >= games:
            continue
        joined: list[tuple[int, int]] = []
        for a, b in sorted([*there.get(row.task.task_id, []), (first, stop)]):
            if joined and a < joined[-1][1]:
                raise InputError(
                    f"board {row.task.board.name} with mines={row.task.mines}: games {a} to"
                    f" {min(b, joined[-1][1]) - 1} are there twice; delete one of the rows"
                )
            if joined and a == joined[-1][1]:
                joined[-1] = (joined[-1][0], b)
            else:
                joined.append((a, b))
        there[row.task.task_id] = joined


def missing(tasks: Iterable[Task], games: int, there: Spans, first_game: int = 0) -> list[Batch]:
    """Return the games of [first_game, games) that are not there, as long as they adjoin."""
    gaps = []
    for task in tasks:
        start = first_game
        for first, stop in there.get(task.task_id, []):
            gaps.append(Batch(task, start, min(first, games) - start))
            start = max(start, stop)
        gaps.append(Batch(task, start, games - start))
    return [gap for gap in gaps if gap.games > 0]


def spans(rows: Iterable[Row], first_game: int = 0, games: int = MOST_GAMES) -> Spans:
    """Return the games that rows hold of [first_game, games); InputError for games held twice."""
    there: Spans = {}
    add_spans(there, rows, first_game, games)
    return there


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
    ledger_path: str | Path,
    *,
    batch: int = 1000,
    threads: int = 1,
    log: TextIO | None = None,
    backend: str = "threading",
    play: Play | None = None,
    first_game: int = 0,
) -> int:
    """Play until the ledger holds games [0, games) of every task; return how many were played.

    tasks: of one board, player, start and seed, as a ledger holds one run; games: a total, at
    least 1, so a ledger that holds as many or more stays untouched to the last byte; batch (games
    between two checkpoints) and threads: at least 1; log: where progress goes (None: standard
    error); backend: one of BACKENDS; play: what plays (None: msdensity.players.play_batch).

    Where several jobs share a board, each tops up a ledger of its own, named by `jobs.ledger_path`,
    with the games from first_game on. What its siblings hold is not played again.

    The finished ledger does not depend on batch, threads, backend or interruptions. A kill loses
    what is being played, and what a thread finished in the tenth of a second before; Ctrl-C
    (KeyboardInterrupt) keeps all finished batches. Raises InputError for bad input, before any
    game, for a sibling that is being written with the same games, and for what `Ledger` raises it;
    OSError if the disk is full.
    """
    tasks = list(dict.fromkeys(tasks))
    integer("games", games, 1, MOST_GAMES)
    integer("batch", batch, 1)
    integer("threads", threads, 1, MOST_THREADS)
    integer("first_game", first_game, 0, games - 1)
    if backend not in BACKENDS:
        raise InputError(f"backend={backend!r} must be one of {', '.join(BACKENDS)}")
    if not tasks:
        raise InputError("tasks=[] must hold at least one task")
    path = Path(ledger_path)
    require_same_run(path, tasks)
    check_threads(threads, tasks[0].board.shape, tasks[0].board.topology)
    progress = Progress(path.stem, (games - first_game) * len(tasks), log or sys.stderr)

    # Without the lock first: a finished ledger needs no place to write.
    contents = read_ledger(path) if os.path.exists(path) else Contents()
    require_same_run(path, [*(row.task for row in contents.rows), *tasks])
    own = spans(contents.rows, first_game, games)
    if contents.canonical and not missing(tasks, games, own, first_game):
        progress.note("nothing to play: all games are there")
        return 0

    if play is None:
        from msdensity.games.play import play_batch

        play = play_batch
    with Ledger(path, range(first_game, games)) as ledger:
        require_same_run(path, [*(row.task for row in ledger.contents.rows), *tasks])
        there = spans(ledger.contents.rows, first_game, games)
        # Only now, for no sibling gets any of these games from here on; one at a time, for there
        # may be hundreds.
        for sibling in siblings(path):
            # What it holds is not played again, and no more; others may be at work on it.
            rows = read_ledger(sibling, on_record=False).rows
            require_same_run(sibling, [*(row.task for row in rows), *tasks])
            try:
                add_spans(there, rows, first_game, games)
            except InputError as error:
                raise InputError(f"ledger {sibling}, beside its siblings: {error}") from None
        gaps = missing(tasks, games, there, first_game)
        to_play = sum(gap.games for gap in gaps)
        if gaps:
            progress.start(to_play)
        else:
            progress.note("nothing to play: all games are there")
        with contextlib.closing(play_all(cut(gaps, batch), play, threads, backend)) as played:
            for new, seconds in played:
                ledger.append(new)
                ledger.append_cpu_seconds(new, seconds)
                if backend != "threading":
                    note_cpu_seconds_elsewhere(sum(seconds))
                if ledger.crowded:
                    ledger.put_in_order()
                progress.add(sum(row.counts.games for row in new))
        ledger.compact()
    if gaps:
        progress.finish()
    return to_play
