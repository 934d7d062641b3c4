"""Configurations: bytes of a file, and mappings."""

from fuzz.mutations import HUGE, NUMBERS, WORDS, YAML, mutated
from fuzz.outcomes import REFUSED, answer, fuzzed
from hypothesis import strategies as st

from msdensity.files.text import read_yaml
from msdensity.runs.config import Config, load_config
from places import ROOT

FILES = sorted((ROOT / "workflow" / "config").glob("*.yaml"))
TEXTS = [path.read_bytes() for path in FILES]
SMALL = b"name: a\ngames: 3\nboards: [2x3, {p: [1, 2], q: [1, 3]}]\nplayers: [{player: weighted}]\n"


@fuzzed(data=mutated([*TEXTS, *[SMALL] * 10], YAML) | st.binary(max_size=200))
def test_any_bytes(tmp_path_factory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    path.write_bytes(data)
    found = answer("load_config (file)", load_config, path)
    if found is not REFUSED:
        assert isinstance(found, Config) and 1 <= len(found.boards) <= 10_000
        assert answer("load_config (file)", load_config, path) == found


ATOMS = st.one_of(
    st.sampled_from([*NUMBERS, *WORDS]),
    st.none() | st.booleans() | st.integers() | st.floats() | st.binary(max_size=3) | st.dates(),
    HUGE,
    st.sampled_from([2**63, 10**30, 1000.0, "2x3", [1, 2], "weighted"]),
)
VALUES = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(st.sampled_from(["p", "q", "player", "mines", "3x3", 5]), inner)
    ),
    max_leaves=6,
)
KEYS = (
    *("name", "seed", "games", "boards", "players", "first_click", "start", "batch", "bootstrap"),
    *("first_click_study", "inference_study", "games_per_job", "backend", "studies", "x", 5, None),
)


@fuzzed(
    changes=st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=3),
    small=st.booleans(),
)
def test_any_mapping(changes: dict, small: bool) -> None:
    given = {"name": "a", **({"boards": ["2x3"]} if small else {}), **changes}
    found = answer("load_config (mapping)", load_config, given)
    assert found is REFUSED or isinstance(found, Config)


@fuzzed(source=ATOMS)
def test_what_is_neither_a_path_nor_a_mapping(source: object) -> None:
    answer("load_config (source)", load_config, source)


@fuzzed(data=mutated(TEXTS, YAML) | st.binary(max_size=200))
def test_any_yaml_is_plain_data(tmp_path_factory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "plain.yaml"
    path.write_bytes(data)
    found = answer("read_yaml", read_yaml, path, "file")
    kinds = {type(None), bool, int, float, str, bytes, list, dict, set, tuple}
    left = [] if found is REFUSED else [found]
    while left:
        value = left.pop()
        assert type(value) in kinds or type(value).__module__ == "datetime"
        if isinstance(value, dict):
            left += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple | set):
            left += value
