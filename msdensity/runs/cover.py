"""Which rows of a task count: no game twice, as many games as possible, and no contradiction.

Game g is the same game whoever plays it, so rows that overlap are redundant and never wrong. Which
rows count depends on the set of rows, never on their order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence

import numpy as np

from msdensity.runs.counts import Counts


def cover(rows: Sequence[Counts]) -> list[int]:
    """Return which rows count: those that share no game and hold the most games together.

    Of several such sets it takes the one whose first row starts lowest, then is longest; then the
    same for the second row, and so on. Returns positions in `rows`, rising in first game; of equal
    ranges the first counts. (Weighted interval scheduling: exact, n log n.)
    """
    order = sorted(range(len(rows)), key=lambda i: (rows[i].first_game, -rows[i].games))
    starts = [rows[i].first_game for i in order]
    after = [bisect_left(starts, rows[i].stop) for i in order]
    most = [0] * (len(order) + 1)  # games that the rows from this one on can hold
    for k in reversed(range(len(order))):
        most[k] = max(most[k + 1], rows[order[k]].games + most[after[k]])
    taken, k = [], 0
    while k < len(order):
        if rows[order[k]].games + most[after[k]] == most[k]:
            taken.append(order[k])
            k = after[k]
        else:
            k += 1
    return taken


def contradictions(rows: Sequence[Counts]) -> list[tuple[int, list[int]]]:
    """Return each row that others contradict, with those others: positions in `rows`.

    A row says by how much the sums over all earlier games grow between its two ends. All ways from
    one game to another through rows, forward or backward, must give the same growth: [0, 100) and
    [100, 200) the same as [0, 200). Starting with the shortest row, rows that close no circle build
    a forest; a row that closes a circle is compared with the way through the forest.
    """
    parent: dict[int, int] = {}
    grown: dict[int, np.ndarray] = {}  # the sums at a game less those at its parent
    beside: dict[int, list[tuple[int, int]]] = {}  # game -> (other end, row) in the forest
    wrong = []

    def root(game: int) -> int:
        """Return the root of a game's tree, and make it the game's parent."""
        way = []
        while parent[game] != game:
            way.append(game)
            game = parent[game]
        for each in reversed(way[:-1]):
            grown[each] = grown[each] + grown[parent[each]]
            parent[each] = game
        return game

    for i in sorted(range(len(rows)), key=lambda i: (rows[i].games, rows[i].first_game)):
        first, stop = rows[i].first_game, rows[i].stop
        sums = np.array(rows[i].measures, object)  # whole numbers of any size
        for game in (first, stop):
            if game not in parent:
                parent[game], grown[game], beside[game] = game, 0 * sums, []
        start, end = root(first), root(stop)
        if start != end:
            parent[end], grown[end] = start, grown[first] + sums - grown[stop]
            beside[first].append((stop, i))
            beside[stop].append((first, i))
        elif (grown[stop] - grown[first] != sums).any():
            wrong.append((i, _way(beside, first, stop)))
    return wrong


def _way(beside: dict[int, list[tuple[int, int]]], first: int, stop: int) -> list[int]:
    """Return the rows on the way between two games of one tree, by breadth-first search."""
    came: dict[int, tuple[int, int]] = {first: (first, -1)}
    open_ends = deque([first])
    while stop not in came:
        game = open_ends.popleft()
        for other, row in beside[game]:
            if other not in came:
                came[other] = game, row
                open_ends.append(other)
    way = []
    while stop != first:
        stop, row = came[stop]
        way.append(row)
    return way[::-1]
