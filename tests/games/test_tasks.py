import dataclasses
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.game import play_game
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.runs.compare import compare, wins

BOARD = Board((4, 5))


def test_a_board_has_the_name_it_is_parsed_from() -> None:
    for name in ("1x2", "10x10", "4x5-torus8", "6x6-hexagonal", "3x4x5-cubic26", "2x2x2x2-box"):
        assert Board.parse(name).name == name
    assert (BOARD.p, BOARD.q, BOARD.cells) == (4, 5, 20)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("0x3", "board='0x3' must have sides in 1"),
        ("3x0", "board='3x0' must have sides in 1"),
        ("3", "board='3' must be rows x columns"),
        ("axb", "board='axb'"),
        ("4x5 ", "board='4x5 '"),
        ("4x5\n", "board="),
        ("-4x5", "board='-4x5'"),
        ("4x5x6", "must have 2 sides for topology square8"),
        ("4x5-cubic6", "must have 3 sides"),
        ("4x5-moebius", "topology='moebius' must be one of square8"),
        ("99999x99999", "cells="),
        ("9" * 5000 + "x3", "must have sides in 1..2147483647"),
        ("x".join(["9" * 9] * 600) + "-box", "must have 1..9 sides"),
        ("1x" * 200 + "1-box", "must have 1..9 sides"),
        ("\uff13x3", "must be rows x columns"),
        (None, "board=None must be rows x columns"),
        pytest.param(10**5000, "board=(int too long to show) must be", id="long"),
    ],
)
def test_wrong_names_of_boards_are_refused_in_one_line(text: str, part: str) -> None:
    with pytest.raises(InputError) as caught:
        Board.parse(text)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_only_boards_that_equal_their_transpose_are_transposed() -> None:
    assert Board((5, 4)).canonical() == BOARD
    assert Board((5, 4), "torus4").canonical().shape == (4, 5)
    assert Board((5, 4), "hexagonal").canonical().shape == (5, 4)


def test_rows_and_columns_belong_to_two_sides() -> None:
    with pytest.raises(InputError, match="2 sides"):
        _ = Board((2, 3, 4), "cubic6").p


@pytest.mark.parametrize("mines", [0, -1, 81, 100, 2.0, True])
def test_mines_outside_the_board_are_refused(mines: int) -> None:
    with pytest.raises(InputError) as caught:
        Task(Board((9, 9)), mines)
    assert str(caught.value) == f"mines={mines} must be in 1..80 for a 9x9 board"


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"player": "psychic"}, "player='psychic' must be one of"),
        ({"options": {"ties": "none"}}, "ties='none'"),
        ({"options": {"tie": "random"}}, "option 'tie'"),
        ({"seed": -1}, "seed=-1 must be a whole number in 0"),
        ({"seed": 2**63}, "seed="),
        ({"board": Board((1, 1))}, "board 1x1 must have at least 2 cells"),
        ({"rules": Rules("cell:20")}, "first_click=cell:20 must be in cell:0..cell:19"),
    ],
)
def test_a_task_that_cannot_be_played_is_refused(changes: dict, part: str) -> None:
    with pytest.raises(InputError, match=part):
        dataclasses.replace(Task(BOARD, 3), **changes)


DIFFERENT = {
    "board": Task(Board((2, 10)), 3),
    "topology": Task(Board((4, 5), "torus8"), 3),
    "mines": Task(BOARD, 4),
    "seed": Task(BOARD, 3, seed=1),
    "options": Task(BOARD, 3, options={"ties": "random"}),
    "first_click": Task(BOARD, 3, rules=Rules(first_click="centre")),
    "start": Task(BOARD, 3, rules=Rules(start="zero")),
}


def test_everything_that_changes_an_outcome_changes_the_task_id(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ids = {task.task_id for task in DIFFERENT.values()} | {Task(BOARD, 3).task_id}
    assert len(ids) == len(DIFFERENT) + 1
    assert all(len(name) == 32 and int(name, 16) >= 0 for name in ids)
    monkeypatch.setattr("msdensity.games.tasks.KERNEL_VERSION", 10**6)
    assert Task(BOARD, 3).task_id not in ids


@pytest.mark.parametrize("name", DIFFERENT)
def test_every_player_and_start_gets_the_same_boards(name: str) -> None:
    task, other = Task(BOARD, 3), DIFFERENT[name]
    assert (task.board_key == other.board_key) == (name in ("options", "first_click", "start"))
    assert (task.player_key == other.player_key) == (name in ("first_click", "start"))
    assert 0 <= other.board_key < 2**64
    assert 0 <= other.player_key < 2**64


def test_an_explicit_default_equals_an_omitted_one() -> None:
    task, same = Task(BOARD, 3), Task(BOARD, 3, options={"ties": "ordered"})
    assert task == same
    assert hash(task) == hash(same)
    assert task.task_id == same.task_id
    assert task != DIFFERENT["options"]
    assert DIFFERENT["options"].label == "weighted-ties_random"


def test_a_task_survives_pickling_to_another_process() -> None:
    task = DIFFERENT["options"]
    same = pickle.loads(pickle.dumps(task))
    assert (same, same.task_id) == (task, task.task_id)


def test_density_is_mines_over_cells() -> None:
    assert Task(BOARD, 5).density == 0.25


@pytest.mark.parametrize(
    "words,call,values",
    [
        ("shape=|p=|board=", Board, [5, None, "33", (), ((1,), 2), (10**30, 2), (1.5, 2)]),
        ("topology=", lambda name: Board((3, 3), name), [None, 5, [], {}, b"torus8"]),
        (
            "first_click=.* must be one of",
            Rules,
            [None, 5, [], "middle", "cell:", "cell:-1", "cell:01", "cell:\uff13"],
        ),
        ("first_click=", Rules, ["cell:" + "9" * 5000]),
        ("start='x' must be one of", lambda name: Rules("corner", name), ["x"]),
        ("player=", lambda name: Task(BOARD, 3, name), [None, [], {}, 5]),
        (
            "option|ties",
            lambda options: Task(BOARD, 3, "weighted", options),
            [None, [], "ties", {5: []}, {"ties": []}, {"ties": {}}],
        ),
        ("mines=.*too long to show", lambda mines: Task(BOARD, mines), [10**5000]),
        ("seed=.*too long", lambda seed: Task(BOARD, 3, seed=seed), [10**5000, -(10**5000)]),
    ],
)
def test_values_of_a_wrong_type_are_named(words: str, call: Callable, values: list) -> None:
    for value in values:
        with pytest.raises(InputError, match=words):
            call(value)


def test_a_wrong_board_or_wrong_rules_are_one_clear_error() -> None:
    board = Board((3, 4))
    assert Task("3x4", 3) == Task(board, 3)
    for other in (None, 8, (3, 4)):
        with pytest.raises(InputError, match=r"board=.* must be a Board"):
            Task(other, 10)
    with pytest.raises(InputError, match="rules='zero' must be a Rules"):
        Task(board, 3, rules="zero")
    for neighbours in (None, 5, [5], [[1.9], [0]], [["1"], ["0"]], [[float("inf")]]):
        with pytest.raises(InputError, match=r"neighbours=|topology must be"):
            Board.from_neighbours(neighbours)


def test_integers_of_numpy_are_allowed() -> None:
    sides = np.array([3, 4])
    task = Task(Board(tuple(sides)), np.int64(3), seed=np.uint8(7))
    same = Task(Board((3, 4)), 3, seed=7)
    assert (task, task.task_id) == (same, same.task_id)
    assert {type(x) for x in (*task.board.shape, task.mines, task.seed)} == {int}
    for wrong in (np.bool_(True), np.float64(3)):
        with pytest.raises(InputError, match="mines="):
            Task(Board((3, 4)), wrong)


@pytest.mark.parametrize(
    "first, games, field",
    [
        *((*batch, "first_game") for batch in ((-1, 5), ("0", 1), (2**63 - 1, 5), (2**63, 1))),
        *((0, games, "games") for games in (-5, 1.5, True)),
    ],
)
def test_batches_outside_the_range_of_games_are_refused(first, games, field) -> None:
    with pytest.raises(InputError, match=f"^{field}="):
        play_batch(Task(Board((3, 4)), 3), first, games)


def test_players_to_compare_and_games_to_play_are_checked() -> None:
    for players in (None, "weighted", [("weighted",), "double_set"], ["weighted"]):
        with pytest.raises(InputError, match=r"players?[=: ]"):
            compare(players, Board((3, 4)), 3, 5)
    two = [("weighted", {}), ("double_set", {})]
    for rules in (5, [Rules()]):
        with pytest.raises(InputError, match="rules="):
            compare(two, Board((3, 4)), 3, 5, rules=rules)
    with pytest.raises(InputError, match="task='x' must be a Task"):
        play_game("x", 0)
    with pytest.raises(InputError, match="games=-3"):
        wins(Task(Board((3, 4)), 3), -3)


@pytest.mark.parametrize("place", ["centre", "random_corner", "random_edge", "random_interior"])
def test_a_custom_board_has_no_places_that_need_rows(place):
    ring = Board.from_neighbours([[(c - 1) % 9, (c + 1) % 9] for c in range(9)])
    with pytest.raises(InputError, match=f"first_click={place} must be corner"):
        Task(ring, 2, rules=Rules(place))
    for known in ("corner", "random", "cell:4"):
        assert Task(ring, 2, rules=Rules(known)).rules.first_click == known
    assert Task(Board("3x3"), 2, rules=Rules("centre"))
