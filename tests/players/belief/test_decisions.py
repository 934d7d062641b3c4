"""lbp and lbp_mc without rules of single numbers, and where they make their decisions."""

import numpy as np
import pytest

from msdensity.games.boards import Board, Rules
from msdensity.games.game import play_game
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.state import GUESS as BESIDE
from msdensity.kernel.state import make_workspace
from msdensity.kernel.topology import cached_table
from msdensity.players.belief.memory import GUESS, MARGINALIZATION, thread_memory
from msdensity.players.registry import identity, resolve
from sizes import sizes

START = Rules("corner", "first_zero_by_columns")
NEVER = {"singles": "never"}


def play(player: str, options: dict[str, str], board: str, mines: int, games: int):
    """Return the measures and how many decisions were made at each place of the tally."""
    task = Task(Board.parse(board), mines, player, options, START, seed=1)
    tally = thread_memory(cached_table(task.board.shape, task.board.topology)).tally
    before = tally.copy()
    return play_batch(task, 0, games), tally - before


@pytest.mark.parametrize("games", sizes(1000, 10_000))
@pytest.mark.parametrize("player", ["lbp", "lbp_mc"])
@pytest.mark.parametrize("board,mines", [("8x8", 10), ("13x15", 40), ("8x8-torus8", 12)])
def test_games_won_without_a_guess_need_no_rules_of_single_numbers(
    player, board, mines, games
) -> None:
    first, quick = play(player, {}, board, mines, games)
    never, slow = play(player, NEVER, board, mines, games)
    assert first["no_guess_wins"] == never["no_guess_wins"] > 0
    assert first["certain_single"] > 0 == never["certain_single"]
    assert slow[MARGINALIZATION] > 3 * quick[MARGINALIZATION]
    assert quick[GUESS] == first["guesses"] and slow[GUESS] == never["guesses"]
    less, _ = play(player, NEVER | {"iterations": "0"}, board, mines, games)
    assert less["no_guess_wins"] < never["no_guess_wins"]  # this test can fail


@pytest.mark.campaign
@pytest.mark.parametrize(
    "player,board,mines,won",
    [
        ("lbp", "8x8", 10, 5536),
        ("lbp", "13x15", 40, 1454),
        ("lbp", "16x30", 99, 724),
        ("lbp_mc", "8x8", 10, 5536),
        ("lbp_mc", "13x15", 40, 1461),
        ("lbp_mc", "16x30", 99, 728),
    ],
)
def test_another_program_wins_as_many_games_without_a_guess(player, board, mines, won) -> None:
    for options in ({}, NEVER):
        assert play(player, options, board, mines, 10_000)[0]["no_guess_wins"] == won


def test_iterations_are_counted_one_by_one() -> None:
    for iterations in (0, 1, 2, 3, 10):
        options = {"iterations": str(iterations)}
        sums, tally = play("lbp", options, "13x15", 40, 3000)
        used = np.flatnonzero(tally[1:GUESS]) + 1
        assert used.max(initial=0) == min(iterations, 3)  # 10: none is later than the third here
        assert tally[GUESS] == sums["guesses"]
    assert (play("lbp", {"potential": "hard"}, "8x8", 10, 200)[1][:2] > 0).tolist() == [False, True]


def test_cells_beside_a_0_are_opened_by_its_clique() -> None:
    task = Task(Board((6, 6)), 7, "lbp", NEVER, Rules("corner", "zero"), seed=3)
    opened = 0
    for g in range(30):
        played = play_game(task, g)
        numbers = played.game(0).numbers()
        seen = np.zeros((6, 6), bool)
        for move in played.moves:
            row, column = move.cell
            near = np.s_[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
            zero = np.array([[c == "0" for c in line] for line in numbers]) & seen
            opened += not move.guess and zero[near].any()
            assert not (move.guess and zero[near].any())
            seen[row, column] = True
    assert opened > 100


@pytest.mark.parametrize("player", ["lbp", "lbp_mc"])
def test_a_guess_is_beside_a_0_whose_clique_is_too_large(player) -> None:
    """A 0 with 80 neighbours has no clique. The kernel does not note that they are beside an opened
    cell, because its own rules open them at once: a player without these rules must do so."""
    task = Task(Board.parse("5x5x5x5-box"), 12, player, NEVER, Rules("centre", "zero"), seed=1)
    for g in range(5):
        sums, moves = recorded(task, g)
        first, guess = moves[0], moves[1]
        steps = [np.unravel_index(move["cell"], task.board.shape) for move in (first, guess)]
        assert sums["approximate"] == 1
        assert guess["reason"] == BESIDE and abs(np.subtract(*steps)).max() == 1


def recorded(task: Task, g: int):
    """Return the measures of a game and its moves."""
    workspace = make_workspace(cached_table(task.board.shape, task.board.topology), recording=True)
    sums = play_batch(task, g, 1, workspace)
    return sums, workspace.trace[: workspace.game[0]["trace"]]


def test_the_default_of_a_later_option_is_no_part_of_a_task() -> None:
    """Its games, their random choices and their ledgers are those from before the option."""
    for player in ("lbp", "lbp_mc"):
        assert "singles" not in identity(player, resolve(player, {}))
        task = Task("8x8", 10, player)
        assert task == Task("8x8", 10, player, {"singles": "first"})
        other = Task("8x8", 10, player, NEVER)
        assert other.task_id != task.task_id and other.player_key != task.player_key
        assert other.own_options["singles"] == "never" and other.label == f"{player}-singles_never"
    assert identity("weighted", {"ties": "ordered"}) == {"ties": "ordered"}
    listed = {"player": "lbp", "options": identity("lbp", resolve("lbp", {}))}["options"]
    assert set(listed) == {
        *("potential", "iterations", "semiring", "belief", "schedule", "guesses", "all_cells")
    }
