"""Constraint players: the boards of 000 and 004, solutions against brute force, sound moves."""

import itertools

import numpy as np
import pytest

from msdensity.games.analysis import analyse
from msdensity.games.boards import Board, Rules
from msdensity.games.game import Game, play_game
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.batch import thread_workspace
from msdensity.kernel.compiler.jit import entry
from msdensity.kernel.position import set_position
from msdensity.kernel.state import EXPOSED, OPEN, UNKNOWN, open_table, open_workspace
from msdensity.kernel.topology import neighbour_table
from msdensity.players.constraints.coupled import ALL
from msdensity.players.constraints.memory import WORK_LIMIT, open_memory, thread_memory
from msdensity.players.constraints.reduce import apply_reduction
from msdensity.players.constraints.search import solve_position, weigh_beliefs

FIGURE_5_5 = ("121", "...")
FIGURE_6_1 = ("1.", "1.", "1.")
TABLE_2 = ("1..", "...", "..2")
"""004: mined with probability 1/4 at A = (0, 1), 1/2 at B = (1, 1), 3/4 at C = (2, 1)."""


@entry
def reduce_position(table_words, ws_words, memory_words, states, numbers, mines):
    """Apply the reduction by subsets once to a position."""
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    set_position(table, ws, states, numbers, mines)
    apply_reduction(table, ws, open_memory(memory_words))


@entry
def weigh_position(table_words, ws_words, memory_words, states, numbers, mines, limit, belief):
    """Write the share of solutions in which each exposed cell is free; return if all are known."""
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    wm = open_memory(memory_words)
    set_position(table, ws, states, numbers, mines)
    solve_position(table, ws, wm, ALL, limit)
    for s in range(wm.counters[0].subsets):
        weigh_beliefs(table, ws, wm, s)
    for c in range(ws.game[0].cells):
        if ws.cell[c].flags & EXPOSED:
            belief[c] = wm.belief[c]
    return ws.game[0].approximate == 0


def arrays(rows: tuple[str, ...]):
    table = neighbour_table((len(rows), len(rows[0])))
    text = "".join(rows)
    states = np.array([UNKNOWN if c == "." else OPEN for c in text], np.uint8)
    numbers = np.array([0 if c == "." else int(c) for c in text], np.int64)
    workspace = thread_workspace(table)
    memory = thread_memory(table)
    return table, workspace, memory, states, numbers


def shares(rows: tuple[str, ...], limit: int = WORK_LIMIT) -> np.ndarray:
    table, workspace, memory, states, numbers = arrays(rows)
    belief = np.full(len(states), np.nan)
    mines = int((states == UNKNOWN).sum()) // 2
    known = weigh_position(
        table.words, workspace.words, memory.words, states, numbers, mines, limit, belief
    )
    assert known
    return belief.reshape(len(rows), -1)


def brute_shares(rows: tuple[str, ...]) -> np.ndarray:
    """Return the shares by trying every arrangement of mines on the exposed cells."""
    table, _, _, states, numbers = arrays(rows)
    near = [table.neighbours[table.start[c] : table.start[c + 1]] for c in range(len(states))]
    opened = np.flatnonzero(states == OPEN)
    exposed = [c for c in np.flatnonzero(states == UNKNOWN) if (states[near[c]] == OPEN).any()]
    solutions = []
    for mined in itertools.product((0, 1), repeat=len(exposed)):
        layout = np.zeros(len(states), int)
        layout[exposed] = mined
        if all(layout[near[w]].sum() == numbers[w] for w in opened):
            solutions.append(layout)
    belief = np.full(len(states), np.nan)
    belief[exposed] = 1 - np.mean(solutions, axis=0)[exposed]
    return belief.reshape(len(rows), -1)


def reduced(rows: tuple[str, ...], mines: int) -> list[str]:
    table, workspace, memory, states, numbers = arrays(rows)
    reduce_position(table.words, workspace.words, memory.words, states, numbers, mines)
    text = "".join("?oF"[s] for s in workspace.cell["state"])
    width = len(rows[0])
    return [text[i : i + width] for i in range(0, len(text), width)]


def test_subset_reduction_solves_the_board_of_figure_6_1() -> None:
    rows = reduced(FIGURE_6_1, 1)
    assert rows[0][1] == "o" and rows[2][1] == "o"  # A = 0 and C = 0


def test_subset_reduction_finds_the_mines_beside_the_free_square_of_figure_5_5() -> None:
    assert reduced(FIGURE_5_5, 2)[1] in ("F?F", "FoF")
    assert shares(FIGURE_5_5)[1].tolist() == [0, 1, 0]  # the square below the 2 is free


def test_shares_of_solutions_are_those_of_table_2_in_004_and_ignore_the_mines_left() -> None:
    shares_found = shares(TABLE_2)
    assert [shares_found[0, 1], shares_found[1, 1], shares_found[2, 1]] == [0.75, 0.5, 0.25]
    exact = analyse(list(TABLE_2), 3).safety
    # by hand: two solutions with 2 mines leave one mine for 2 other cells, two with 3 leave none
    np.testing.assert_allclose([exact[0, 1], exact[1, 1]], [5 / 6, 2 / 6])


def views(count: int) -> list[tuple[str, ...]]:
    """Return positions of 4x4 boards in which some safe cells were opened."""
    positions = []
    rng = np.random.default_rng(12)
    for g in range(count):
        game = Game.deal(Task(Board((4, 4)), 4, seed=3), g)
        for _ in range(4):
            r, c = map(int, rng.integers(0, 4, 2))
            if game.layout[r][c] == "-":
                game.open(r, c)
        view = tuple(game.view())
        if game.status == "playing" and any(ch.isdigit() for row in view for ch in row):
            positions.append(view)
    return positions


@pytest.mark.parametrize("limit", [WORK_LIMIT, 0], ids=["search", "elimination"])
def test_solutions_agree_with_brute_force(limit: int) -> None:
    positions = views(120)
    assert len(positions) > 80
    for rows in positions:
        np.testing.assert_allclose(shares(rows, limit), brute_shares(rows), atol=1e-12)


def task(player: str, options: dict[str, str], board: str = "9x9", mines: int = 14) -> Task:
    return Task(Board.parse(board), mines, player, options, Rules("random", "safe"), seed=6)


def missed(player: str, options: dict[str, str], board: str = "9x9", mines: int = 14) -> int:
    """Return how many cells that the numbers make certain were left at guesses."""
    count = 0
    for g in range(40):
        played = play_game(task(player, options, board, mines), g)
        for index, move in enumerate(played.moves):
            if move.guess:
                view = [row.replace("F", ".") for row in played.game(index).view()]
                exact = analyse(view, None)
                count += len(exact.safe)
    return count


def test_equations_miss_certain_cells_and_all_solutions_do_not() -> None:
    assert missed("coupled_subsets", {}) == 0
    assert missed("connected_components", {}) == 0
    assert missed("csp_report", {"small": "all"}) == 0
    assert missed("equation", {}) > 0
    assert missed("limited_search", {}, "16x30", 85) > 0


def rate(player: str, board: str, mines: int, n: int) -> float:
    rules = Rules("random_corner", "safe")
    sums = play_batch(Task(Board.parse(board), mines, player, {}, rules, seed=9), 0, n)
    return sums["wins"] / n


@pytest.mark.statistical
def test_coupled_subsets_beat_connected_components_on_expert_boards() -> None:
    """32.90 against 25.96 % (Tables 6.1 and 6.2 of 000)."""
    n = 4000
    gain = rate("coupled_subsets", "16x30", 99, n) - rate("connected_components", "16x30", 99, n)
    sd = (2 * 0.25 / n) ** 0.5
    assert abs(gain - 0.0694) < 3.9 * sd  # false alarm 1e-4
    assert gain > 3.9 * sd  # no difference at all would fail
