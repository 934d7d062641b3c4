"""No player opens a mine that it holds to be certainly safe: 10,000 games of each."""

import pytest

from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.players.registry import PLAYERS
from msdensity.studies.published_players.settings import CORNER


@pytest.mark.parametrize("player", PLAYERS)
def test_certain_moves_are_sound(player) -> None:
    """The kernel raises where a mine is opened as certain; its own tests have the control."""
    task = Task(Board((6, 6)), 7, player, {}, CORNER, 77)
    sums = play_batch(task, 0, 10_000)
    assert 0 < sums["wins"] < 10_000
