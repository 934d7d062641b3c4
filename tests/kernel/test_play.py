"""The loop over games, with a player that never moves."""

import pytest

from msdensity.kernel.batch import KernelTask, Player, play, prepare
from msdensity.kernel.compiler.jit import compiled, compiling, entry
from msdensity.kernel.deal import deal
from msdensity.kernel.play import game_loop, start_game
from msdensity.kernel.state import GIVEN_UP, MINED, open_table, open_workspace


@compiled
def give_up_from_game_3(table, ws):
    """Do nothing; with option 1 give game 3 and later ones up."""
    if ws.option[0] == 1 and ws.game[0].number >= 3:
        ws.game[0].status = GIVEN_UP


loop = game_loop(give_up_from_game_3)


@entry
def play_games(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return loop(table, ws, memory, first_game, games)


@entry
def deal_again(table_words, ws_words, number, redraws):
    """Begin a game as after some boards were given up."""
    start_game(open_table(table_words), open_workspace(ws_words), number, redraws)


TASK = KernelTask((3, 3), "square8", 2, "corner", "safe", (11, 12))


def test_the_loop_plays_each_game_once_after_its_first_click() -> None:
    sums = play(Player(play_games), TASK, 0, 500)
    assert (sums["opened"], sums["wins"]) == (500, 0)
    assert sums["guesses"] == sums["mines_marked"] == 0
    alone = KernelTask((1, 2), "square8", 1, "corner", "safe", (11, 12))
    assert play(Player(play_games), alone, 0, 40)["no_guess_wins"] == 40


def test_a_fault_stops_the_loop() -> None:
    task = KernelTask(*(getattr(TASK, name) for name in list(vars(TASK))[:-1]), options=(1,))
    assert play(Player(play_games), task, 0, 3)["opened"] == 3
    with pytest.raises(RuntimeError, match="given up"):
        play(Player(play_games), task, 0, 4)


def test_each_redraw_of_a_game_is_another_board() -> None:
    task = KernelTask((6, 6), "square8", 10, "corner", "safe", (11, 12))
    table, workspace = prepare(task)
    boards = {}
    for number, redraws in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1)):
        with compiling(deal_again):
            deal_again(table.words, workspace.words, number, redraws)
        boards[number, redraws] = ((workspace.cell["flags"] & MINED) > 0).tobytes()
    assert boards[0, 0] == deal(task, 0)[0].tobytes()
    assert len(set(boards.values())) == 5
