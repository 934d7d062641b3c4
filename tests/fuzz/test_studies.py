"""The settings of the studies."""

from typing import Any

import pytest
import yaml
from fuzz.mutations import YAML, mutated
from fuzz.outcomes import REFUSED, answer, fuzzed
from hypothesis import strategies as st

from msdensity.studies.asymptotics.settings import load_settings as asymptotics
from msdensity.studies.densities.settings import load_settings as densities
from msdensity.studies.published_players.settings import load_settings as players
from msdensity.studies.reproduction.settings import load_settings as reproduction
from places import ROOT

FOLDER = ROOT / "workflow" / "config"
LOAD = {
    "asymptotics": asymptotics,
    "densities": densities,
    "players": players,
    "reproduction": reproduction,
}


@pytest.mark.parametrize("name", LOAD)
@fuzzed(data=st.data())
def test_any_bytes(tmp_path_factory, name: str, data: st.DataObject) -> None:
    text = (FOLDER / f"{name}.yaml").read_bytes()
    few = text.replace(b"[1, 10]", b"[1, 2]").replace(b"[11, 50]", b"[11, 12]")  # soon read
    path = tmp_path_factory.getbasetemp() / f"{name}.yaml"
    path.write_bytes(data.draw(mutated([text, *[few] * 19], YAML) | st.binary(max_size=100)))
    reader = f"load_settings ({name})"
    found = answer(reader, LOAD[name], path)
    assert found is REFUSED or answer(reader, LOAD[name], path) == found


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
SMALL = {
    name: yaml.safe_load((FOLDER / f"smoke_{name}.yaml").read_text(encoding="utf-8"))
    for name in LOAD
}


@pytest.mark.parametrize("name", LOAD)
@fuzzed(data=st.data())
def test_any_value_in_any_place(name: str, data: st.DataObject) -> None:
    def changed(values: Any) -> Any:
        """Return the values with one of them, wherever, changed to another."""
        keys = list(values) if isinstance(values, dict) else range(len(values))
        if not keys or data.draw(st.integers(0, 3)) == 0:
            return data.draw(ANY)
        key = data.draw(st.sampled_from(keys))
        inner = values[key]
        deeper = changed(inner) if isinstance(inner, dict | list) else data.draw(ANY)
        copy = values.copy()
        copy[key] = deeper
        return copy

    answer(f"load_settings ({name})", LOAD[name], changed(SMALL[name]))
