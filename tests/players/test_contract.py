"""What every player must do, whatever it chooses: one contract for all players and options."""

import numpy as np
import pytest

from msdensity.games.boards import Board, Rules
from msdensity.games.game import Game, play_game
from msdensity.games.play import kernel_player, play_batch
from msdensity.games.tasks import Task
from msdensity.players.registry import PLAYERS, label

PLAYS = [
    (name, options)
    for name, player in PLAYERS.items()
    for options in (
        {},
        *({key: v} for key, o in player.options.items() for v in o.choices if v != o.default),
    )
]
over_plays = pytest.mark.parametrize("player,options", PLAYS, ids=[label(*play) for play in PLAYS])


def task(player: str, options: dict[str, str], first_click: str = "random") -> Task:
    return Task(Board((8, 8)), 12, player, options, Rules(first_click), seed=6)


def cheaper(games: int, player: str) -> int:
    """Return `games`, or fewer if the player is slow."""
    return games // 10 if PLAYERS[player].cost > 5 else games


@over_plays
def test_certain_moves_are_sound(player: str, options: dict[str, str]) -> None:
    """The kernel raises if a mine is opened as certain; tests/kernel has the control."""
    sums = play_batch(task(player, options), 0, cheaper(3000, player))
    never = options == {"rules": "zeros"}  # with 12 mines no cascade opens all of this board
    assert (sums["wins"] == 0) == never
    assert sums["wins"] < cheaper(3000, player)
    certain = 0
    for g in range(20):
        played = play_game(task(player, options), g)
        for move in played.moves:
            if move.safety in (0, 1) and not move.guess:
                row, column = move.cell
                assert (played.layout[row][column] == "*") == (move.safety == 0)
                certain += 1
    assert certain > 50


@over_plays
def test_games_do_not_depend_on_batches(player: str, options: dict[str, str]) -> None:
    one_task, games = task(player, options), cheaper(1000, player)
    sums = play_batch(one_task, 0, games)
    cuts = [(games // 2, games - games // 2), (0, 1), (1, games // 2 - 1)]
    parts = [play_batch(one_task, first, count) for first, count in cuts]
    assert sums == {name: sum(part[name] for part in parts) for name in sums}
    assert sums != play_batch(one_task, games, games)


@pytest.mark.parametrize("player", PLAYERS)
def test_every_option_reaches_the_kernel(player: str) -> None:
    """On boards where it can matter, each value changes how games end or what is guessed."""
    games = cheaper(4000, player)
    plain = tuple(play_batch(Task(Board((8, 8)), 14, player, seed=5), 0, games).values())
    for key, option in PLAYERS[player].options.items():
        others = [value for value in option.choices if value != option.default]
        tasks = [Task(Board((8, 8)), 14, player, {key: value}, seed=5) for value in others]
        results = {plain, *(tuple(play_batch(t, 0, games).values()) for t in tasks)}
        assert len(results) == len(option.choices), key


@over_plays
def test_moves_and_measures_agree(player: str, options: dict[str, str]) -> None:
    """Every move is of a covered cell, and a replay by hand ends as counted."""
    for g in range(10):
        played = play_game(task(player, options), g)
        sums = play_batch(task(player, options), g, 1)
        game = played.game()
        cells = [move.cell for move in played.moves]
        assert len(set(cells)) == len(cells)
        assert game.status == played.status.replace("stuck", "playing")
        assert sums["wins"] == (game.status == "won")
        assert sums["guesses"] == len(played.guesses)
        assert sums["opened"] == sum(row.count(c) for row in game.view() for c in "012345678")


@pytest.mark.parametrize("player", PLAYERS)
def test_every_player_gets_the_boards_of_its_seed(player: str) -> None:
    met, others = 0, 0
    for g in range(30):
        if play_batch(task(player, {}, "centre"), g, 1)["redrawn"]:
            continue
        layout = play_game(task(player, {}, "centre"), g).layout
        met += layout == Game.deal(task("weighted", {}, "centre"), g).layout
        other = Task(Board((8, 8)), 12, "weighted", {}, Rules("centre"), seed=7)
        others += layout == Game.deal(other, g).layout
    assert met > 25
    assert others == 0


@pytest.mark.parametrize("start", ["safe", "zero", "unprotected"])
@pytest.mark.parametrize("player", PLAYERS)
def test_a_game_starts_by_the_rules(player: str, start: str) -> None:
    shown, lost = [], 0
    for g in range(40):
        played = play_game(Task(Board((8, 8)), 16, player, {}, Rules("cell:19", start), seed=3), g)
        first = played.moves[0]
        assert (first.cell, first.reason) == ((2, 3), "first click")
        assert first.safety == (0.75 if start == "unprotected" else 1)
        shown.append(played.game(1).view()[2][3])
        lost += shown[-1] == "*" and len(played.moves) == 1
    assert (set(shown) == {"0"}) == (start == "zero")
    assert lost == shown.count("*")
    assert (lost > 0) == (start == "unprotected")


def test_no_two_players_share_a_name_or_a_loop() -> None:
    """Machine code is linked by name: with a shared name, one would play the games of the other."""
    entries = {kernel_player(Task(Board((3, 3)), 1, name)).entry.py_func for name in PLAYERS}
    loops = [entry.__globals__[entry.__code__.co_names[0]].py_func for entry in entries]
    assert len({(loop.__module__, loop.__qualname__) for loop in loops}) == len(entries)
    assert len(entries) == len(PLAYERS) - 1  # `optimal` is `end_game` with another memory
    assert len({label(name, options) for name, options in PLAYS}) == len(PLAYS)


@pytest.mark.parametrize("player", PLAYERS)
def test_stated_safeties_are_shares(player: str) -> None:
    for g in range(10):
        for move in play_game(task(player, {}), g).moves:
            assert 0 <= move.safety <= 1
            if move.safeties is not None:
                assert move.safeties.shape == (8, 8)
                assert not np.isnan(move.safeties[move.cell])
