"""Positions as rows of text, by function and from a file."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from fuzz.mutations import HUGE, NUMBERS, WORDS, mutated
from fuzz.outcomes import REFUSED, answer, fuzzed
from hypothesis import strategies as st

from msdensity.cli import analyse as command
from msdensity.games.analysis import Analysis, analyse
from msdensity.games.game import Game
from msdensity.kernel.names import TOPOLOGIES

ROWS = st.one_of(
    st.lists(st.text(".F0123", min_size=3, max_size=3), min_size=1, max_size=4),
    st.lists(st.text(".F01239az*x \0\u0663\u2028", max_size=4), max_size=4),
    st.lists(st.text(max_size=5), max_size=3),
    st.lists(st.none() | st.integers() | st.binary(max_size=2) | st.text(".1", max_size=2)),
    st.text(max_size=5) | st.none() | st.integers(),
)
MINES = st.one_of(
    st.none() | st.integers(-2, 20),
    HUGE,
    st.sampled_from([10**30, 1.0, float("nan"), True, "3", [], np.int64(2)]),
)
TOPOLOGY = st.one_of(
    st.just("square8"),
    st.sampled_from([*TOPOLOGIES, "hex-odd-r", "", "table-0123456789abcdef", *WORDS]),
    st.none() | st.integers() | st.lists(st.lists(st.integers(-1, 12), max_size=3), max_size=9),
    st.lists(st.none() | st.text(max_size=2) | st.lists(st.floats(), max_size=2), max_size=3),
)
SHAPE = st.one_of(
    st.none(),
    st.none() | st.lists(st.integers(-1, 4), max_size=4),
    st.tuples(HUGE, st.just(3)),
    st.sampled_from([[10**30, 3], [1] * 60 + [3], "3x3", ["a"], 5, [float("nan")], [[1], 3]]),
)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    analyse([".1.", "...", "..."], 2)
    analyse([".1."], None)


def same(one: Analysis, two: Analysis) -> bool:
    return np.array_equal(one.safety, two.safety, equal_nan=True) and one.safe == two.safe


@fuzzed(rows=ROWS, mines=MINES, topology=TOPOLOGY, trust=st.booleans(), shape=SHAPE)
def test_any_grid(rows, mines, topology, trust: bool, shape) -> None:
    arguments = (rows, mines, topology, trust)
    found = answer("analyse", analyse, *arguments, shape=shape)
    if found is not REFUSED:
        assert same(found, answer("analyse", analyse, *arguments, shape=shape))


@fuzzed(layout=ROWS, topology=TOPOLOGY, shape=SHAPE, cells=st.lists(MINES, max_size=3))
def test_any_layout(layout, topology, shape, cells) -> None:
    game = answer("Game", Game, layout, topology, shape=shape)
    if game is not REFUSED:
        answer("Game.act", game.act, "open", *cells)
        assert len(game.view()) >= 1


LINES = [b".2F\n...\n", b"1.F\n...\n..2\n"]


@fuzzed(
    data=mutated(LINES) | st.binary(max_size=30),
    mines=st.none() | st.integers(-1, 9),
    shape=st.none() | st.sampled_from(["2x3", "3x1x3", *NUMBERS, *WORDS, "1x" * 70 + "3"]),
)
def test_any_file(tmp_path_factory, data: bytes, mines: int | None, shape: str | None) -> None:
    path = tmp_path_factory.getbasetemp() / "grid.txt"
    path.write_bytes(data)
    rest = {"topology": "square8", "ignore_flags": False, "json": True}
    arguments = SimpleNamespace(file=str(path), mines=mines, shape=shape, **rest)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.print", lambda *a, **k: None)
        answer("msdensity analyse (file)", command.run, arguments)


@fuzzed(sides=st.lists(st.integers(1, 3), min_size=1, max_size=4), data=st.data())
def test_rows_are_read_as_they_are_written(sides: list[int], data: st.DataObject) -> None:
    from msdensity.games.text import read_rows, write_rows

    cells = int(np.prod(sides))
    text = data.draw(st.text("*-", min_size=cells, max_size=cells))
    assert read_rows("rows", write_rows(text, sides), "*-", sides) == (text, tuple(sides))
    assert all(len(a) == len(b) for a, b in pairwise(write_rows(text, sides)))
