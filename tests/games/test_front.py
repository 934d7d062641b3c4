"""Fronts of deduction against plain rules, and crossings of 0s against a direct search."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from plain_rules import closure
from scipy import ndimage

from msdensity.errors import InputError
from msdensity.games.boards import Rules
from msdensity.games.front import (
    RULES,
    front_task,
    play_fronts,
    sides,
    zero_losses,
)
from msdensity.games.play import kernel_task
from msdensity.kernel import batch
from msdensity.kernel.deal import deal
from msdensity.kernel.names import WRAPPED
from msdensity.kernel.topology import cached_table
from msdensity.players.inference.zeros import lose_crossing

DENSITY = {
    "square8": 0.24,
    "square4": 0.21,
    "hexagonal": 0.24,
    "triangle3": 0.18,
    "triangle12": 0.27,
    "knight": 0.37,
}


def test_a_front_is_on_a_wrapped_board_of_even_sides() -> None:
    assert front_task("hexagonal", 8, 9, "single", 1).board.name == "8x24-torus_hexagonal"
    with pytest.raises(InputError, match="side=9 must be even"):
        front_task("square8", 9, 9, "single", 1)
    with pytest.raises(InputError, match="topology='torus8' must be one of"):
        front_task("torus8", 8, 9, "single", 1)


@pytest.mark.parametrize("rules", ["zeros", "single", "pairs", "unit"])
@pytest.mark.parametrize("topology", WRAPPED)
def test_a_front_opens_what_plain_rules_open(topology: str, rules: str) -> None:
    side, boards = 8, 3
    mines = round(DENSITY[topology] * (0.4 if rules == "zeros" else 1) * 3 * side * side)
    task = replace(front_task(topology, side, mines, rules, 5), rules=Rules(start="unprotected"))
    table = cached_table(task.board.shape, task.board.topology)
    near = [own.tolist() for own in np.split(table.neighbours, table.start[1:-1])]
    known, goal = sides(topology, side)
    opened = []
    for g in range(boards):
        mined, _ = deal(kernel_task(task), g)
        opened.append(closure(near, np.flatnonzero(mined).tolist(), known.tolist(), rules))
    played = play_fronts(topology, side, mines, rules, 5, first=0, boards=boards)
    assert played.crossed == sum(bool(own & set(goal.tolist())) for own in opened)
    assert played.opened == sum(map(len, opened))
    assert played.opened_squared == sum(len(own) ** 2 for own in opened)
    other = play_fronts(topology, side, mines, rules, 6, first=0, boards=boards)
    assert other != played  # negative control


@pytest.mark.parametrize("rules", ["single", "pairs", "complete"])
@pytest.mark.parametrize("topology", ["square8", "square4"])
def test_boards_in_planes_are_the_same(
    topology: str, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fronts() -> object:
        mines = round(1.2 * DENSITY[topology] * 3 * 16 * 16)
        return play_fronts(topology, 16, mines, rules, 8, first=3, boards=40)

    in_planes = fronts()
    prepare = batch.prepare

    def with_records(*arguments: object) -> object:
        table, workspace = prepare(*arguments)  # type: ignore[arg-type]
        monkeypatch.setitem(table.arrays, "tiles", table.tiles[:0])
        return table, workspace

    monkeypatch.setattr(batch, "prepare", with_records)
    assert fronts() == in_planes


def test_boards_add_up_and_rules_are_ordered() -> None:
    def crossed(rules: str, first: int, boards: int) -> tuple[int, int]:
        own = play_fronts("square8", 32, 660, rules, 2, first=first, boards=boards)
        return own.crossed, own.opened

    parts = np.add(crossed("complete", 0, 30), crossed("complete", 30, 70))
    assert tuple(parts) == crossed("complete", 0, 100)
    opened = {rules: crossed(rules, 0, 100)[1] for rules in RULES}
    for weaker, stronger in itertools.pairwise(["zeros", "single", "pairs", "complete"]):
        assert opened[weaker] < opened[stronger]
    assert opened["single"] < opened["unit"] < opened["complete"]


EIGHT = np.ones((3, 3), int)


def crosses(cells: np.ndarray, structure: np.ndarray | None) -> bool:
    """Return whether the cells lead from the first row to the last one."""
    names, _ = ndimage.label(cells, structure)
    return bool(set(names[0]) & set(names[-1]) - {0})


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 3), (3, 3), (3, 4), (4, 3)])
def test_either_the_zeros_cross_or_the_covered_cells_do(shape: tuple[int, int]) -> None:
    """Every layout of small boards; the layout comes first in the order, so a loss within it says
    that its 0s do not cross."""
    cells = int(np.prod(shape))
    for layout in range(1, 1 << cells):
        mined = np.array([layout >> c & 1 for c in range(cells)])
        covered = ndimage.binary_dilation(mined.reshape(shape), EIGHT)
        order = np.concatenate([np.flatnonzero(mined), np.flatnonzero(1 - mined)])
        lost = lose_crossing(*shape, order) <= mined.sum()
        assert lost == crosses(covered, None)
        assert lost != crosses(~covered.T, EIGHT)


def test_mines_come_in_random_order() -> None:
    lost = zero_losses(32, 1, first=0, boards=3000)
    assert (zero_losses(32, 1, first=1000, boards=10) == lost[1000:1010]).all()
    assert len(set(lost)) > 50
    # Another program: .099575(129) on 20,000 boards with standard deviation .0183; 1e-6.
    error = np.hypot(0.000129, 0.0183 / np.sqrt(len(lost)))
    assert abs(lost.mean() / 1024 - 0.099575) < 4.9 * error
    assert abs(lost.mean() / 1024 - 0.0971) > 4.9 * error  # that of 64 rows


def test_wrong_fronts_are_refused() -> None:
    for topology, side in (("square8", 9), ("square8", 4), ("cubic6", 8), ("torus8", 8)):
        with pytest.raises(InputError, match="must be"):
            play_fronts(topology, side, 20, "single", 1, first=0, boards=1)
    with pytest.raises(InputError, match="rules"):
        play_fronts("square8", 8, 20, "double", 1, first=0, boards=1)
