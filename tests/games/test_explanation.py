"""Why a cell is certain: the numbers suffice, none is superfluous, by trying all arrangements."""

import itertools
import math
import re

import numpy as np
import pytest
from brute_force import neighbour_lists, random_position

from msdensity import InputError, analyse, explain
from msdensity.games.text import NUMBERS, write_rows
from sizes import sizes

SHAPES = [((3, 4), "square8"), ((4, 3), "torus8"), ((3, 4), "hexagonal"), ((2, 2, 3), "cubic26")]


def values(near, states, numbers, witnesses, mines, cell) -> set[int]:
    """Return what a cell can be (1 mined, 0 safe) if only these opened cells show their numbers."""
    unknown = np.flatnonzero(states == 0).tolist()
    met = set()
    for mined in itertools.product((0, 1), repeat=len(unknown)):
        layout = np.where(states == 2, 1, 0)
        layout[unknown] = mined
        if mines not in (None, layout.sum()):
            continue
        if all(layout[near[w]].sum() == numbers[w] for w in witnesses):
            met.add(int(layout[cell]))
    return met


@pytest.mark.parametrize("shape,topology", SHAPES)
@pytest.mark.parametrize("count", sizes(25, 300))
def test_the_numbers_suffice_and_none_is_superfluous(count, shape, topology) -> None:
    rng = np.random.default_rng(4)
    near = neighbour_lists(shape, topology)
    cells = math.prod(shape)
    seen = {"total": 0, "several": 0, "steps": 0}
    for number in range(count):
        states, numbers, mines, _ = random_position(rng, near, cells)
        if (states == 0).sum() > 9:
            continue
        given = mines if number % 2 else None
        symbols = (".", None, "F")
        text = [symbols[s] or NUMBERS[k] for s, k in zip(states, numbers, strict=True)]
        grid = write_rows(text, shape)
        answer = analyse(grid, given, topology, shape=shape)
        for place in answer.safe + answer.mined:
            why = explain(grid, place, given, topology, shape=shape)
            assert why.mined == (place in answer.mined)
            cell = int(np.ravel_multi_index(place, shape))
            total = given if why.total else None
            named = [int(np.ravel_multi_index(w, shape)) for w in why.numbers]
            assert values(near, states, numbers, named, total, cell) == {int(why.mined)}
            for w in named:
                fewer = [x for x in named if x != w]
                assert values(near, states, numbers, fewer, total, cell) == {0, 1}
            if why.total:
                opened = np.flatnonzero(states == 1)
                assert values(near, states, numbers, opened, None, cell) == {0, 1}
            seen["total"] += why.total
            seen["several"] += len(named) > 1
            seen["steps"] += bool(why.steps)
            if why.steps:  # every number takes part
                words = "\n".join(why.steps[1:])
                assert all(f"at {w}" in words for w in why.numbers)
    assert seen["steps"] > 0 and seen["several"] + seen["total"] > 0


def test_the_words_of_a_pair_of_numbers() -> None:
    """121 on an edge: the cell below the 2 is safe, those beside it are mined."""
    assert str(explain(["121", "..."], (1, 1), None)) == (
        "(1, 1) is safe: this follows from the 1 at (0, 0), the 2 at (0, 1) and the 1 at (0, 2), "
        "none of which can be left out.\n"
        "Suppose that (1, 1) is mined.\n"
        "By the 1 at (0, 0), (1, 0) is safe.\n"
        "By the 2 at (0, 1), (1, 2) is mined.\n"
        "Then the 1 at (0, 2) cannot be met: it has 2 mined and 0 unknown neighbours."
    )


def test_a_cell_may_follow_from_the_number_of_mines() -> None:
    why = explain(["1...", "...."], (0, 3), 1)
    assert (why.numbers, why.total, why.mined) == ([(0, 0)], True, False)
    assert "the 1 at (0, 0) and the number of mines, 1, none of which" in why.reason
    assert explain(["...."], (0, 2), 0).reason.endswith("follows from the number of mines, 0.")


@pytest.mark.parametrize(
    "cell,message",
    [
        ((0, 0), "cell=(0, 0) must be one that is certain"),
        ((1, 0), "cell=(1, 0) must be one that is certain"),
        ((2, 0), "cell=2 must be a whole number in 0..1"),
        ((1,), "cell=(1,) must have 2 coordinates"),
        ("ab", "cell='ab' must be 2 coordinates"),
    ],
)
def test_a_cell_that_is_not_certain_is_refused(cell, message) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        explain(["1..", "..."], cell, None)
