"""Counts of the smallest forced guesses are those of their definition, and so are the means."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from brute_force import neighbour_lists

from msdensity.games.boards import Board, Rules
from msdensity.games.play import kernel_task, play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.deal import deal
from msdensity.kernel.measures import Z_SCALE
from msdensity.kernel.topology import cached_table, first_cells
from msdensity.players.forced import thread_memory

BOARDS = (
    ("5x6", 7, Rules("corner", "safe")),
    ("4x4", 5, Rules("centre", "safe")),
    ("9x40", 90, Rules("corner", "safe")),
    ("33x35", 280, Rules("centre", "zero")),
    ("6x7", 18, Rules("corner", "zero")),
    ("7x8-torus8", 26, Rules("corner", "safe")),
    ("7x34-torus8", 60, Rules("centre", "zero")),
    ("8x8", 20, Rules("cell:3", "unprotected")),
)


def hidden(near: list[set[int]], one: set[int], other: set[int]) -> set[int]:
    """Return the cells outside that see another number of mines if `one` is mined, not `other`."""
    around = set().union(*(near[c] for c in one | other)) - one - other
    return {c for c in around if len(near[c] & one) != len(near[c] & other)}


def sets_of(near: list[set[int]]) -> list[tuple[frozenset[int], frozenset[int]]]:
    """Return (mined, safe) of the smallest forced guesses, by their definition on any graph.

    Two layouts of a pair with at most 3 hiding mines, and of four cells that are all neighbours,
    two of them mined, with at most 4: where the pairs of cells are opposite corners of a square.
    """
    sets = set()
    for a in range(len(near)):
        for b in near[a]:
            outer = hidden(near, {a}, {b})
            if len(outer) <= 3 and len(near[a] & near[b]) >= 2:
                sets.add((frozenset({a} | outer), frozenset({b})))
        for b, c, d in itertools.permutations(sorted(near[a]), 3):
            square = b < c and {b, c} <= near[d] and c in near[b]
            if square and near[a] & near[d] == {b, c} and near[b] & near[c] == {a, d}:
                outer = hidden(near, {a, d}, {b, c})
                sets.add((frozenset({a, d} | outer), frozenset({b, c})))
    return [(mined, safe) for mined, safe in sets]


@pytest.mark.parametrize(("name", "mines", "rules"), BOARDS, ids=str)
def test_counts_and_their_means_are_those_of_the_definition(
    name: str, mines: int, rules: Rules
) -> None:
    board = Board.parse(name)
    near = [set(each) for each in neighbour_lists(board.shape, board.topology)]
    first = int(first_cells(board.shape, rules.first_click)[0])
    protected = {"safe": {first}, "zero": {first} | near[first], "unprotected": set()}[rules.start]
    sets = [each for each in sets_of(near) if not protected & (each[0] | each[1])]
    free = board.cells - len(protected)
    mean = Fraction(0)
    for mined, safe in sets:
        chance = Fraction(1)
        for i in range(len(mined)):
            chance *= Fraction(max(mines - i, 0), free - i)
        for i in range(len(safe)):
            chance *= Fraction(free - mines - i, free - len(mined) - i)
        mean += chance
    task = Task(board, mines, "conditional", {}, rules, 5)
    met = set()
    for g in range(60):
        layout = set(np.flatnonzero(deal(kernel_task(task), g)[0]).tolist())
        count = sum(mined <= layout and not safe & layout for mined, safe in sets)
        z1 = play_batch(task, g, 1)["z1"] / Z_SCALE
        assert z1 == pytest.approx(count - float(mean), abs=2 / Z_SCALE)
        met.add(count)
    means = thread_memory(cached_table(board.shape, board.topology)).means[0]
    assert means["sets"] == pytest.approx(float(mean), rel=1e-12)
    assert len(met) > 1
    if rules.start == "safe":
        d = len(near[first])
        no_mine = Fraction(1)
        for i in range(d):
            no_mine *= Fraction(free - mines - i, free - i)
        assert means["numbered"] == pytest.approx(1 - float(no_mine), rel=1e-12)


@pytest.mark.parametrize(
    "task",
    [
        Task(Board.parse("7x7-hexagonal"), 9, "conditional"),
        Task(Board.parse("6x6-torus8"), 6, "conditional"),
        Task(Board.parse("3x9"), 5, "conditional"),
        Task(Board.parse("8x8"), 9, "conditional", {}, Rules("random")),
    ],
    ids=lambda task: task.board.name,
)
def test_other_boards_and_starts_have_no_sets(task: Task) -> None:
    assert play_batch(task, 0, 50)["z1"] == 0
