"""Boards, rules, tasks and players by name."""

from fuzz.mutations import HUGE, NUMBERS, WORDS
from fuzz.outcomes import REFUSED, answer, fuzzed
from hypothesis import strategies as st

from msdensity.games.boards import Board, Rules, most_mines
from msdensity.games.tasks import Task
from msdensity.kernel.names import FIRST_CLICKS, STARTS, TOPOLOGIES
from msdensity.players.registry import PLAYERS, label, resolve

ODD = st.sampled_from([*NUMBERS, *WORDS, None, True, 1.5, [], {}, (), b"x", {"a": []}]) | HUGE
SIDE = st.integers(0, 12).map(str) | st.sampled_from(NUMBERS)
BOARD = st.builds(
    lambda sides, topology: "x".join(sides) + topology,
    st.lists(SIDE, min_size=1, max_size=12),
    st.sampled_from(["", *(f"-{name}" for name in TOPOLOGIES), "-x", "-table-0123456789abcdef"]),
)


@fuzzed(text=BOARD | st.text(max_size=12) | ODD)
def test_any_name_of_a_board(text: object) -> None:
    found = answer("Board.parse", Board.parse, text)
    if found is not REFUSED:
        assert Board.parse(found.name) == found


@fuzzed(
    shape=st.lists(st.integers(-1, 5) | ODD, max_size=12) | ODD,
    topology=st.sampled_from(TOPOLOGIES) | st.text(max_size=5) | ODD,
)
def test_any_board(shape: object, topology: object) -> None:
    answer("Board", Board, shape, topology)


CLICK = st.sampled_from(FIRST_CLICKS) | st.integers(-1, 30).map(lambda c: f"cell:{c}") | ODD
CLICKS = CLICK | st.text(max_size=9) | st.sampled_from(NUMBERS).map(lambda x: f"cell:{x}")
START = st.sampled_from(STARTS) | ODD
PLAYER = st.sampled_from(sorted(PLAYERS)) | ODD
OPTIONS = st.just({}) | st.dictionaries(st.text(max_size=5) | st.just("ties"), ODD) | ODD


@fuzzed(first_click=CLICKS, start=START)
def test_any_rules(first_click: object, start: object) -> None:
    rules = answer("Rules", Rules, first_click, start)
    if rules is not REFUSED:
        most = answer("most_mines", most_mines, Board((3, 4)), rules)
        assert most is REFUSED or 0 < most <= 11


@fuzzed(name=PLAYER, options=OPTIONS)
def test_any_player(name: object, options: object) -> None:
    found = answer("resolve", resolve, name, options)
    if found is not REFUSED:
        assert resolve(name, found) == found
        assert label(name, found) == label(name, options)


@fuzzed(
    mines=st.integers(-1, 20) | ODD,
    player=PLAYER,
    options=OPTIONS,
    seed=st.integers(-1, 2**63) | ODD,
)
def test_any_task(mines: object, player: object, options: object, seed: object) -> None:
    task = answer("Task", Task, Board((3, 4)), mines, player, options, Rules(), seed)
    if task is not REFUSED:
        assert task == Task(Board((3, 4)), mines, player, options, Rules(), seed)
        assert len(task.task_id) == 32
