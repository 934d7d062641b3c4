"""A player that goes on from a position of its own game plays that game to its end."""

import numpy as np
import pytest

from msdensity.games.game import play_game
from msdensity.games.play import kernel_player, kernel_task
from msdensity.games.tasks import Task
from msdensity.kernel.deal import continue_position
from msdensity.kernel.state import FLOATING_GUESS, GUESS, LOST, OPEN, WON


@pytest.mark.parametrize("board", ["8x8", "6x7-hexagonal", "3x4x4-cubic26"])
def test_the_same_guesses_follow(board: str) -> None:
    guessed = 0
    for g in range(12):
        task = Task(board, 10, seed=3)
        played = play_game(task, g)
        mined = np.array([cell == "*" for cell in "".join(played.layout)])
        starts = [i for i, move in enumerate(played.moves) if move.guess]
        for at in starts[:3]:
            states, numbers = played.game(at).known()
            opened = np.flatnonzero(states == OPEN)
            workspace = continue_position(kernel_player(task), kernel_task(task), mined, opened)
            trace = workspace.trace[: workspace.game[0]["trace"]]
            assert trace["cell"][: len(opened)].tolist() == opened.tolist()
            shown = workspace.cell["number"][opened].tolist()
            assert shown == numbers[opened].tolist()
            guesses = trace["cell"][np.isin(trace["reason"], [GUESS, FLOATING_GUESS])].tolist()
            wanted = [played.moves[i].cell for i in starts if i >= at]
            assert guesses == [int(np.ravel_multi_index(c, task.board.shape)) for c in wanted]
            assert workspace.game[0]["status"] == {"won": WON, "lost": LOST}[played.status]
            guessed += len(guesses)
    assert guessed > 10
