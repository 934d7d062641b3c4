"""Why games are lost and what is missed: hand-made games, and players whose answer is known."""

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.game import Game, Move, PlayedGame
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.studies.published_players.losses import (
    KINDS,
    TRACE_COLUMNS,
    kind_of_loss,
    missed,
    trace_games,
)
from msdensity.studies.published_players.measures import ratio
from msdensity.studies.published_players.settings import CORNER


def lost(layout: list[str], *cells: tuple[int, int]) -> PlayedGame:
    """Return the game in which these cells are opened one by one."""
    mines = "".join(layout).count("*")
    task = Task(Board((len(layout), len(layout[0]))), mines)
    moves = [Move(cell, "open", "guess beside a number", 0.5) for cell in cells]
    return PlayedGame(task, 0, layout, moves, "lost")


@pytest.mark.parametrize(
    ("kind", "layout", "cells"),
    [
        ("first_guesses", ["---*", "----", "---*"], [(1, 2), (0, 3)]),
        ("late", ["---*", "----", "---*"], [(0, 0), (0, 3)]),
        ("disconnected", ["---*-", "---*-", "---*-"], [(0, 0), (0, 3)]),
        ("other", ["---*-----", "---------", "---*-----"], [(0, 0), (0, 3)]),
    ],
)
def test_each_kind_of_loss(kind, layout, cells) -> None:
    assert kind_of_loss(lost(layout, *cells)) == kind


def test_a_game_that_was_not_lost_has_no_kind() -> None:
    with pytest.raises(InputError, match="game 0 must be lost"):
        kind_of_loss(lost(["---*", "----", "---*"], (0, 0)))
    task = Task(Board((4, 4), "torus8"), 3)
    with pytest.raises(InputError, match="topology square8"):
        kind_of_loss(PlayedGame(task, 0, ["----"] * 4, [], "lost"))


def test_missed_cells_are_those_neither_opened_nor_marked() -> None:
    game = Game(["---*", "----", "---*"])
    game.open(0, 0)
    assert missed(game, 2) == (1, 2)  # the corners beside the two 1s are mined, between them safe
    game.flag(0, 3)
    assert missed(game, 2) == (1, 1)


def test_a_ratio_and_its_error_by_hand() -> None:
    value, error = ratio(np.array([1, 0, 1, 0]), np.array([1, 1, 1, 1]))
    assert value == 0.5
    assert error == pytest.approx(np.sqrt(1 / 3) / 2)  # sample standard deviation over root 4
    assert np.isnan(ratio(np.array([0, 0]), np.array([0, 0]))).all()


def test_exact_inference_guesses_only_where_it_must_and_others_do_not() -> None:
    column = TRACE_COLUMNS.index
    traces = {
        player: trace_games(Task(Board((7, 7)), 9, player, {}, CORNER, 5), 60)
        for player in ("weighted", "double_set", "cellular_automaton")
    }
    assert traces["weighted"][:, [column("needless"), column("missed_safe")]].sum() == 0
    assert traces["double_set"][:, column("needless")].sum() > 0  # negative control
    kinds = [column(kind) for kind in KINDS]
    for player in ("weighted", "double_set"):
        task = Task(Board((7, 7)), 9, player, {}, CORNER, 5)
        sums = play_batch(task, 0, 60)
        assert traces[player][:, kinds].sum() == 60 - sums["wins"]
        assert traces[player][:, column("guesses")].sum() == sums["guesses"]
    assert traces["cellular_automaton"][:, kinds].sum() == 0  # it stops instead
    assert traces["cellular_automaton"][:, column("guesses")].max() == 1
