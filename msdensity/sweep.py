"""Play what a ledger lacks."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import TextIO

from msdensity.errors import InputError
from msdensity.jobs import BACKENDS, MOST_GAMES, siblings
from msdensity.kernel.limits import MOST_THREADS, check_threads
from msdensity.ledger import (
    Contents,
    Ledger,
    Row,
    merge,
    note_cpu_seconds_elsewhere,
    read_ledger,
    require_same_run,
)
from msdensity.parallel import Batch, Play, play_all
from msdensity.progress import Progress
from msdensity.tasks import Task, integer


def missing(
    tasks: Iterable[Task], games: int, rows: Iterable[Row], first_game: int = 0
) -> list[Batch]:
    """Return the games of [first_game, games) that are not in the rows, as long as they adjoin."""
    there: dict[str, list[Row]] = {}
    for row in merge(rows):
        there.setdefault(row.task.task_id, []).append(row)
    gaps = []
    for task in tasks:
        start = first_game
        for row in there.get(task.task_id, []):
            gaps.append(Batch(task, start, min(row.counts.first_game, games) - start))
            start = max(start, row.counts.stop)
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

    def to_do(contents: Contents) -> list[Batch]:
        require_same_run(path, [*(row.task for row in contents.rows), *tasks])
        others = siblings(path)
        elsewhere = [row for other in others for row in read_ledger(other).rows]
        require_same_run(path, [*tasks, *(row.task for row in elsewhere)])
        try:
            return missing(tasks, games, [*contents.rows, *elsewhere], first_game)
        except InputError as error:
            names = ", ".join(map(str, [path, *others]))
            raise InputError(f"ledgers {names} together: {error}") from None

    # Without the lock first: a finished ledger needs no place to write.
    contents = read_ledger(path) if os.path.exists(path) else Contents()
    if not to_do(contents) and contents.canonical:
        progress.note("nothing to play: all games are there")
        return 0

    if play is None:
        from msdensity.players import play_batch

        play = play_batch
    with Ledger(path, range(first_game, games)) as ledger:
        # Only now, for no sibling gets any of these games from here on.
        gaps = to_do(ledger.contents)
        to_play = sum(gap.games for gap in gaps)
        progress.start(to_play)
        with contextlib.closing(play_all(cut(gaps, batch), play, threads, backend)) as played:
            for rows, seconds in played:
                ledger.append(rows)
                ledger.append_cpu_seconds(rows, seconds)
                if backend != "threading":
                    note_cpu_seconds_elsewhere(sum(seconds))
                if ledger.crowded:
                    ledger.put_in_order()
                progress.add(sum(row.counts.games for row in rows))
        ledger.compact()
    progress.finish()
    return to_play
