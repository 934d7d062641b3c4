"""Starts walled in by mines: every way in which 4 mines do it, and what the first guess costs."""

from collections import Counter

import numpy as np
import pytest

import msdensity as md
from msdensity.errors import InputError
from msdensity.studies.asymptotics.walled import (
    FIRST_GUESS,
    OPENED,
    RING,
    WALLS,
    walled_in,
    walls,
)
from sizes import sizes

SIDE = 15
"""Side of a window around the start; a flood of 0s that meets its edge is not walled in."""

WINDOW = (1 << SIDE**2) - 1
LEFT = sum(1 << SIDE * row for row in range(SIDE))
EDGE = LEFT | LEFT << SIDE - 1 | (1 << SIDE) - 1 | (1 << SIDE) - 1 << SIDE * (SIDE - 1)


def spread(cells: int) -> int:
    """Return cells, one bit each, and all their neighbours."""
    wide = cells | (cells & ~LEFT) >> 1 | (cells & ~(LEFT << SIDE - 1)) << 1
    return (wide | wide << SIDE | wide >> SIDE) & WINDOW


def bit(row: int, column: int) -> int:
    return 1 << (row + SIDE // 2) * SIDE + column + SIDE // 2


def flood(bordered: int) -> tuple[int, int]:
    """Return the 0s that a click at the centre opens, and a way out of them, 0 without one.

    bordered: the cells at or beside a mine. The way is a chain of 0s from the centre to the edge.
    """
    steps = [bit(0, 0)]
    while not steps[-1] & EDGE:
        steps.append(spread(steps[-1]) & ~bordered)
        if steps[-1] == steps[-2]:
            return steps[-1], 0
    way = last = steps[-1] & EDGE & -(steps[-1] & EDGE)
    for step in reversed(steps):
        last = spread(last) & step
        last &= -last
        way |= last
    return steps[-1], way


def closed_starts(mines: int, reach: int) -> dict[frozenset[tuple[int, int]], int]:
    """Return the sets of at most that many mines that wall in the start -> its 0s.

    reach: the largest distance of a mine from the first click.
    """
    near = range(-reach, reach + 1)
    places = [(r, c) for r in near for c in near if max(abs(r), abs(c)) > 1]
    borders = {place: spread(bit(*place)) for place in places}
    closed: dict[frozenset[tuple[int, int]], int] = {}
    waiting, seen = [frozenset[tuple[int, int]]()], set()
    while waiting:
        chosen = waiting.pop()
        zeros, way = flood(sum_of(borders[place] for place in chosen))
        if not way:
            closed[chosen] = zeros
        elif len(chosen) < mines:
            # Some mine must border a cell of the way.
            more = {chosen | {place} for place in places if borders[place] & way} - seen
            seen |= more
            waiting += more
    return closed


def sum_of(masks) -> int:
    total = 0
    for mask in masks:
        total |= mask
    return total


def position(mines: frozenset[tuple[int, int]], zeros: int) -> list[str]:
    """Return what the player sees after the first click, in the middle of 31 x 31."""
    opened = spread(zeros)

    def symbol(r: int, c: int) -> str:
        if max(abs(r), abs(c)) > SIDE // 2 or not opened & bit(r, c):
            return "."
        return str(sum(max(abs(r - a), abs(c - b)) == 1 for a, b in mines))

    return ["".join(symbol(r, c) for c in range(-15, 16)) for r in range(-15, 16)]


@pytest.mark.parametrize(("reach", "all_ways", "all_cost"), sizes((2, {1: 45}, 17), (5, WALLS, 55)))
def test_the_first_guess_of_a_walled_in_start(reach, all_ways, all_cost):
    """By the analysis of positions with one mine more, of which every risk is a fraction.

    Each risk counts by that of a cell far away; if the player guessed there, the cost would be 99.
    """
    assert not closed_starts(3, reach)
    ways, cost = Counter(), 0.0
    for mines, zeros in closed_starts(4, reach).items():
        start = md.analyse(position(mines, zeros), 5)
        if not start.safe:
            ways[zeros.bit_count()] += 1
            cost += (1 - np.nanmax(start.safety)) / (1 - start.safety[0, 0])
    assert ways == all_ways and cost == pytest.approx(all_cost, abs=1e-6)
    assert FIRST_GUESS == 55 and sum(WALLS.values()) == 99


def test_the_chance_of_a_single_0_walled_in():
    rng = np.random.default_rng(20250305)
    # 12 mines on the 27 cells of 6 x 6 that the start leaves, of which 16 lie around it.
    mined = rng.random((20_000, 27)).argsort(axis=1) < 12
    near = np.array([[max(abs(r - a), abs(c - b)) == 1 for r, c in RING] for a, b in OPENED])
    hits = (mined[:, :16] @ near.T.astype(int) > 0).all(axis=1).mean()
    exact = walled_in(36, 12)
    spread_of_hits = 4.4 * np.sqrt(exact * (1 - exact) / 20_000)  # a false alarm of 1e-5
    assert abs(hits - exact) < spread_of_hits < abs(hits - walled_in(36, 11))
    assert walls()[:5].tolist() == [0, 0, 0, 0, 47]
    assert walled_in(10**6, 1000) == pytest.approx(47e-12, rel=0.02)
    assert walled_in(36, 3) == 0 and walled_in(36, 27) == pytest.approx(1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: walled_in(24, 3), "cells=24 must be at least 25"),
        (lambda: walled_in(25, 17), r"mines=17 must be in 1\.\.16"),
    ],
)
def test_wrong_input_is_named(call, words):
    with pytest.raises(InputError, match=words):
        call()
