"""Unit refutation, the arrangements that spare clauses, and the number of mines (002)."""

import numpy as np
import pytest
from resolution_positions import positions, read, verdicts

from msdensity.games.analysis import analyse_states
from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.position import reduce_position
from msdensity.kernel.state import MARKED, OPEN, UNKNOWN
from msdensity.kernel.topology import board_table
from msdensity.players.resolution.memory import thread_memory
from sizes import sizes

UNITS = {"width": "none", "unit_refutation": "on"}
FREE, MINED, BOTH = 1, 2, 3


def test_single_numbers_refute_what_no_pair_of_numbers_decides() -> None:
    """With a free corner each 2 needs both of its other cells, which are four beside the 3."""
    board, states, numbers = read((".2.", "23.", "..."))
    alone = states.copy()
    table = board_table(board.shape, board.topology)
    assert reduce_position(table.words, alone, numbers) == -1
    assert (alone == states).all()
    assert verdicts(board, states, numbers, UNITS).tolist() == [1, *8 * [-1]]


@pytest.mark.parametrize(
    "name,mines,games",
    [
        *sizes(("8x8", 10, 8), ("8x8", 10, 100)),
        ("6x7-torus8", 8, 4),
        ("8x8-knight", 14, 3),
        *sizes(("10x10", 25, 2), ("10x10", 25, 40)),
    ],
)
def test_the_counters_come_back_and_arrangements_spare_no_certain_cell(
    name: str, mines: int, games: int
) -> None:
    board = Board.parse(name)
    table = board_table(board.shape, board.topology)
    memory = thread_memory(table)
    lacking = spared = 0
    for states, numbers, truth in positions(board, mines, games):
        units = verdicts(board, states, numbers, UNITS)
        for c in range(board.cells):
            near = table.neighbours[table.start[c] : table.start[c + 1]]
            around = memory.around[c]
            assert around["opened"] == (states[c] == OPEN)
            if around["opened"]:
                assert around["left"] == (states[near] == UNKNOWN).sum()
                assert around["need"] == numbers[c] - (states[near] == MARKED).sum()
        assert not memory.assumed.any() and memory.counters["trail"][0] == 0
        assert memory.counters["mines"][0] == -(states == MARKED).sum()
        clauses = verdicts(board, states, numbers, {})
        both = verdicts(board, states, numbers, {"unit_refutation": "on"})
        assert (both == np.maximum(units, clauses)).all()
        assert not memory.assumed.any()
        shown = memory.shown[memory.shown > 0], truth[memory.shown > 0]
        assert set(zip(*(a.tolist() for a in shown), strict=True)) <= {
            *((BOTH, -1), (FREE, 0), (MINED, 1), (FREE, -1), (MINED, -1))
        }
        lacking += np.isin(memory.shown, (FREE, MINED))[truth < 0].sum()
        spared += (memory.shown == BOTH).sum()
    assert lacking <= 0.01 * spared  # else the bound on contradictions is too low


@pytest.mark.parametrize("games", sizes(60, 2000))
def test_the_number_of_mines_decides_more_and_nothing_wrong(games: int) -> None:
    board, mines = Board.parse("6x6"), 8
    found = np.zeros(2, int)
    for states, numbers, truth in positions(board, mines, games):
        exact = analyse_states(board.shape, board.topology, states, numbers, mines)
        total = np.full(board.shape, -1)
        for cells, value in ((exact.safe, 0), (exact.mined, 1)):
            for cell in cells:
                total[cell] = value
        for i, kind in enumerate((UNITS, {})):
            verdict = verdicts(board, states, numbers, kind | {"mine_count": "on"}, mines)
            assert (verdict[verdict >= 0] == total.ravel()[verdict >= 0]).all()
            found[i] += ((verdict >= 0) & (truth < 0)).sum()
    assert (found > 0).all()


@pytest.mark.parametrize("games", sizes(300, 20_000))
def test_more_games_are_won_without_a_guess_if_the_number_of_mines_is_used(games: int) -> None:
    """No mine is opened as certain: the kernel raises if one is."""
    won = [
        play_batch(
            Task(Board.parse("8x8"), 10, player, options, Rules("corner", "safe"), seed=1), 0, games
        )["no_guess_wins"]
        for player, options in (
            ("resolution", {}),
            ("resolution", {"mine_count": "on"}),
            ("weighted", {}),
        )
    ]
    assert won[0] < won[1] <= won[2]
    assert won[2] - won[1] < 0.25 * (won[2] - won[0])
