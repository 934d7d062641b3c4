"""Custom boards from a table of neighbours, a JSON file."""

import json
from pathlib import Path

from fuzz.mutations import mutated
from fuzz.outcomes import REFUSED, answer, fuzzed
from hypothesis import strategies as st

from msdensity.games.boards import Board

RING = json.dumps([[(c - 1) % 9, (c + 1) % 9] for c in range(9)]).encode()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)


def parse_bytes(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    found = answer("Board.parse (JSON file)", Board.parse, str(path))
    if found is not REFUSED:
        assert answer("Board.parse (JSON file)", Board.parse, str(path)) == found
        assert Board.parse(found.name) == found


@fuzzed(data=mutated([RING, b"[[1],[0]]", b"[[],[]]"]) | st.binary(max_size=40))
def test_any_bytes(tmp_path_factory, data: bytes) -> None:
    parse_bytes(tmp_path_factory.getbasetemp() / "own.json", data)


@fuzzed(values=JSON | st.lists(st.lists(st.integers(-1, 3), max_size=3), max_size=4))
def test_any_json(tmp_path_factory, values: object) -> None:
    parse_bytes(tmp_path_factory.getbasetemp() / "json.json", json.dumps(values).encode())
