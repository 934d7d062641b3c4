"""Positions beyond the budget of exact counting: sound, the same in any batch, and counted."""

import resource
import time

import numpy as np
import pytest
from brute_force import moves

from msdensity.games.analysis import analyse_table
from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.state import (
    COMPONENT,
    FLOATING_GUESS,
    GUESS,
    OPEN,
    PART_WITNESSES,
    UNKNOWN,
    Memory,
    make_workspace,
)
from msdensity.kernel.topology import cached_table
from sizes import sizes

HARD = [("5x5x5-cubic26", 19, 100), ("8x8x8-cubic26", 51, 100), ("5x5x5-torus", 12, 30)]
"""Boards with 26 neighbours at mine densities .15 and .10, and games."""


def workspace_for(board: Board, budget: int | None = None, recording: bool = False) -> Memory:
    """Return a workspace with this budget of states for a component."""
    workspace = make_workspace(cached_table(board.shape, board.topology), recording)
    if budget is not None:
        workspace.game[0]["node_budget"] = budget
    return workspace


@pytest.mark.parametrize("name,mines,games", HARD)
def test_hard_boards_take_bounded_time_and_memory(name: str, mines: int, games: int) -> None:
    task = Task(Board.parse(name), mines, "weighted", {}, seed=1)
    workspace = workspace_for(task.board)
    play_batch(task, 0, 0, workspace)
    size = sum(array.nbytes for array in workspace.arrays.values())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    approximate = wins = 0
    seconds = []
    for g in range(games):
        start = time.thread_time()
        sums = play_batch(task, g, 1, workspace)
        seconds.append(time.thread_time() - start)
        approximate += sums["approximate"]
        wins += sums["wins"]
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    print(
        f"{name}/{mines}: {approximate} of {games} games with an approximate position, {wins} won,"
        f" slowest {max(seconds):.2f} s, mean {np.mean(seconds):.3f} s, workspace {size >> 20} MiB"
    )
    assert size < 400 << 20
    assert grown < size  # nothing is allocated beside the workspace
    assert max(seconds) < 20
    assert 0 < approximate < games  # the budget is reached, and not by every game
    assert wins > 0


@pytest.mark.parametrize(
    "name,mines,budget",
    [
        *(("8x8", 12, 2), ("9x9-hexagonal", 16, 2), ("5x5x5-cubic26", 19, 2)),
        *(("9x9-torus8", 14, 2), ("17x12-square4", 30, 2), ("20x20-torus4", 60, 2)),
        *(("17x33", 85, 2), ("4x4x4-torus", 6, 2)),
        pytest.param("5x5x5-cubic26", 19, 40, marks=pytest.mark.campaign),
    ],
)
def test_games_over_the_budget_do_not_depend_on_batches_and_win_about_as_often(
    name: str, mines: int, budget: int
) -> None:
    task = Task(Board.parse(name), mines, "weighted", {}, seed=2)
    together = play_batch(task, 0, 80, workspace_for(task.board, budget))
    used = workspace_for(task.board, budget)
    parts = [play_batch(task, first, n, used) for first, n in ((50, 30), (0, 1), (1, 49))]
    assert together == {key: sum(part[key] for part in parts) for key in together}
    exact = play_batch(task, 0, 80, workspace_for(task.board))
    assert together["approximate"] > 25 > exact["approximate"]
    assert 0.7 * exact["wins"] < together["wins"] < exact["wins"] / 0.7


@pytest.mark.parametrize(
    "name,mines,budget",
    [
        ("8x8", 14, 2),
        ("9x9-hexagonal", 18, 2),
        ("12x12", 30, 2),
        *(("9x9-torus8", 14, 2), ("17x12-square4", 40, 2), ("9x34-hexagonal", 60, 2)),
        *(("5x5x5-cubic26", 19, 2), ("4x4x4-torus", 8, 2)),
        pytest.param("5x5x5-cubic26", 19, 40, marks=pytest.mark.campaign),
    ],
)
@pytest.mark.parametrize("games", sizes(5, 25))
def test_cells_decided_over_the_budget_are_certain_by_exact_counting(
    name: str, mines: int, budget: int, games: int
) -> None:
    """Compare every move of a game over the budget with exact counting of the same position.

    If a component fits into one part, no certain cell in it may be missed.
    """
    board = Board.parse(name)
    table = cached_table(board.shape, board.topology)
    task = Task(board, mines, "weighted", {}, seed=3)
    workspace = workspace_for(board, budget, recording=True)
    compared = by_part = complete = 0
    for g in range(games):
        play_batch(task, g, 1, workspace)
        approximate = bool(workspace.game[0]["approximate"])
        for c, reason, safety, states, seen in moves(workspace):
            if reason == COMPONENT:
                exact = analyse_table(table, (board.cells,), states, seen, None)
                if exact.exact:
                    assert (c,) in (exact.mined if safety == 0.0 else exact.safe)
                    by_part += approximate
            elif reason in (GUESS, FLOATING_GUESS):
                near = [
                    states[table.neighbours[table.start[w] : table.start[w + 1]]]
                    for w in np.flatnonzero(states == OPEN)
                ]
                witnesses = sum(bool((around == UNKNOWN).any()) for around in near)
                exact = analyse_table(table, (board.cells,), states, seen, None)
                # a game that met too large parts searches near the size of the last one
                searched = workspace.game[0]["part_witnesses"] == PART_WITNESSES
                if exact.exact and witnesses <= PART_WITNESSES and searched:
                    assert not exact.safe and not exact.mined
                    complete += approximate
                compared += 1
    assert compared > 0.8 * games
    assert by_part + complete > 0.2 * games  # the code for large components took part


def test_no_game_in_two_dimensions_up_to_density_030_is_approximate() -> None:
    square = ["8x8", "16x16", "16x30", "40x40", "3x60"]
    others = ["torus8", "square4", "torus4", "hexagonal", "triangle12", "knight"]
    boards = [*square, "12x12-triangle3", *(f"16x16-{topology}" for topology in others)]
    games = 0
    approximate = {}
    for name in boards:
        board = Board.parse(name)
        for density in (0.10, 0.15, 0.20, 0.25, 0.30):
            task = Task(board, round(density * board.cells), "weighted", {}, seed=4)
            sums = play_batch(task, 0, 170)
            games += 170
            if sums["approximate"]:
                approximate[name, density] = sums["approximate"]
    assert games >= 10_000
    assert approximate == {}
