"""Rows of games: what a batch or a line of a ledger holds, and which of them count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from msdensity.errors import InputError
from msdensity.games.tasks import Task
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.counts import Counts
from msdensity.runs.cover import contradictions, cover


@dataclass(frozen=True)
class Row:
    """Some games of a task, as this or an earlier version of the kernel played them.

    counts.task_id is the task's under that version; place: the ledger and line that hold it.
    """

    task: Task
    counts: Counts
    kernel_version: int = KERNEL_VERSION
    place: tuple[str, int] = field(default=("", 0), compare=False)


def merge(rows: Iterable[Row]) -> list[Row]:
    """Return the rows that count, sorted by mines and first game, with adjacent ones added up.

    Equal rows count once; of rows that overlap, `runs.cover` chooses those that count. Raises
    InputError, which names the lines, if rows contradict each other.
    """
    return settle(rows)[0]


def settle(rows: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """Return the rows that count, as `merge`, and the others, which overlap with them."""
    merged: list[Row] = []
    left: list[Row] = []
    for own in by_task(rows):
        taken, others = _chosen(own)
        merged += join(taken)
        left += others
    return merged, left


def contradicting(rows: Iterable[Row]) -> list[tuple[Row, list[Row]]]:
    """Return each row that others of its task contradict, with these others: one is wrong."""
    pairs = []
    for own in by_task(rows):
        if overlap(own):  # rows that do not overlap close no circle
            counts = [row.counts for row in own]
            pairs += [(own[i], [own[j] for j in others]) for i, others in contradictions(counts)]
    return pairs


def by_task(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield the rows of each task, sorted by first game."""

    def rank(row: Row) -> tuple[int, str, int, int]:
        counts = row.counts
        return row.task.mines, counts.task_id, counts.first_game, counts.games

    ranked = sorted(rows, key=rank)
    for _, own in groupby(ranked, key=lambda row: row.counts.task_id):
        yield list(own)


def overlap(rows: list[Row]) -> bool:
    """Whether two of the rows of one task, which are sorted, hold the same game."""
    return any(b.counts.first_game < a.counts.stop for a, b in pairwise(rows))


def _chosen(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """Return the rows of one task that count, and those that are left out."""
    if not overlap(rows):
        return rows, []
    for row, others in contradicting(rows):
        raise InputError(contradiction(row, others))
    unequal: dict[Counts, Row] = {}
    for row in rows:
        unequal.setdefault(row.counts, row)
    own = list(unequal.values())
    taken = cover(list(unequal))
    left = sorted(set(range(len(own))) - set(taken))
    return [own[i] for i in taken], [own[i] for i in left]


def join(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of one task, sorted and without overlap, with adjacent ones added up.

    Rows whose sum needs more than 64 bits stay apart, because no ledger or table could hold it.
    """
    joined: list[Row] = []
    for row in rows:
        if joined and joined[-1].counts.stop == row.counts.first_game:
            counts = joined[-1].counts + row.counts
            if max(map(abs, counts.measures)) < 2**63:
                joined[-1] = replace(joined[-1], counts=counts)
                continue
        joined.append(row)
    return joined


def contradiction(row: Row, others: Sequence[Row]) -> str:
    """Return a sentence that names a row and those others that it contradicts."""
    more = f" and {len(others) - 3} more" if len(others) > 3 else ""
    advice = "`msdensity verify` replays them and says which line is wrong; delete that line"
    if row.kernel_version != KERNEL_VERSION:
        advice = f"the msdensity of kernel_version={row.kernel_version} says which line is wrong"
    return (
        f"board {row.task.board.name} with mines={row.task.mines}: {_named(row)} has other sums"
        f" than {', '.join(map(_named, others[:3]))}{more}, for the same games: {advice}"
    )


def _named(row: Row) -> str:
    ledger, line = row.place
    where = f"line {line} of ledger {ledger}" if line else "a row"
    return f"{where} (games {row.counts.first_game}..{row.counts.stop - 1})"
