"""Numbers that contradict each other, against brute force over all arrangements of mines."""

import itertools

import numpy as np
import pytest
from brute_force import neighbour_lists

from msdensity.errors import InputError
from msdensity.games.analysis import analyse
from msdensity.games.contradiction import explain_impossible
from msdensity.games.game import Game


def possible(rows: list[str], numbers: set[tuple[int, int]], mines: int | None) -> bool:
    """Return whether some arrangement meets these numbers; the other opened cells are safe."""
    shape = (len(rows), len(rows[0]))
    near = neighbour_lists(shape, "square8")
    text = "".join(rows)
    free = [c for c, x in enumerate(text) if x == "."]
    flags = {c for c, x in enumerate(text) if x == "F"}
    for chosen in itertools.product([False, True], repeat=len(free)):
        mined = flags | {c for c, mine in zip(free, chosen, strict=True) if mine}
        met = all(len(mined & set(near[i * shape[1] + j])) == int(rows[i][j]) for i, j in numbers)
        if met and mines in (None, len(mined)):
            return True
    return False


def wrong_positions(count: int) -> list[tuple[list[str], int | None]]:
    """Return impossible positions: a number or the total of a real one is changed."""
    rng = np.random.default_rng(20)
    positions = []
    while len(positions) < count:
        mined = rng.random((4, 4)) < 0.25
        game = Game(["".join("*" if m else "-" for m in row) for row in mined])
        for c in rng.permutation(16)[:9].tolist():
            if not mined.ravel()[c]:
                game.open(c // 4, c % 4)
        rows = game.view()
        opened = [(i, j) for i in range(4) for j in range(4) if rows[i][j].isdigit()]
        mines: int | None = int(mined.sum())
        if len(positions) % 2:
            mines = min(mines + int(rng.integers(1, 4)), 16)
        elif opened:
            i, j = opened[rng.integers(len(opened))]
            rows[i] = rows[i][:j] + str(int(rng.integers(0, 9))) + rows[i][j + 1 :]
            mines = None if len(positions) % 4 else mines
        if not analyse(rows, mines).consistent:
            positions.append((rows, mines))
    return positions


def test_the_numbers_contradict_each_other_and_none_can_be_left_out() -> None:
    totals = 0
    for rows, mines in wrong_positions(60):
        found = explain_impossible(rows, mines)
        numbers, total = set(found.numbers), mines if found.total else None
        assert not possible(rows, numbers, total)
        for number in numbers:
            assert possible(rows, numbers - {number}, total), (rows, mines, number)
        if found.total:
            assert possible(rows, numbers, None)
            totals += 1
        for i, j in numbers:
            assert f"the {rows[i][j]} at ({i}, {j})" in found.reason.lower()
    assert 10 < totals < 60


def test_the_reason_is_in_words() -> None:
    assert str(explain_impossible(["9.", ".."], None)) == (
        "The 9 at (0, 0) cannot be met: it has 0 flagged and 3 unknown neighbours."
    )
    both = explain_impossible(["1.3", "..."], None)
    assert both.numbers == [(0, 0), (0, 2)] or len(both.numbers) == 1
    total = explain_impossible(["1..1"], 1)
    assert total.total and total.numbers == [(0, 0), (0, 3)]
    assert "the number of mines, 1 contradict each other" in total.reason


def test_a_possible_position_and_a_wrong_grid_are_refused() -> None:
    with pytest.raises(InputError, match="grid must be impossible"):
        explain_impossible(["1.", ".."], 1)
    with pytest.raises(InputError, match="grid"):
        explain_impossible(["?"], 1)
