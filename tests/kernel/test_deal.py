"""A board without a player: its mines and its first click."""

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.kernel.batch import KernelTask
from msdensity.kernel.deal import deal
from msdensity.kernel.topology import first_cells


@pytest.mark.parametrize("first_click", ["corner", "cell:5", "random_interior"])
def test_mines_and_first_click_are_those_of_the_task(first_click: str) -> None:
    task = KernelTask((4, 5), "square8", 19, first_click, "safe", (7, 8))
    for number in range(20):
        mined, first = deal(task, number)
        assert first in first_cells((4, 5), first_click)
        assert np.flatnonzero(~mined).tolist() == [first]  # the only cell left


def test_a_game_has_one_board_and_others_have_others() -> None:
    task = KernelTask((6, 6), "square8", 10, "corner", "safe", (7, 8))
    boards = {deal(task, number)[0].tobytes() for number in (0, 1, 2**62, 0)}
    assert len(boards) == 3
    with pytest.raises(InputError, match="mines=36"):
        deal(KernelTask((6, 6), "square8", 36, "corner", "safe", (7, 8)), 0)
