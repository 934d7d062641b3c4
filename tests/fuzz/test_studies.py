"""The settings of the studies."""

from functools import partial
from typing import Any

import pytest
import yaml
from fuzz.mutations import YAML, mutated
from fuzz.outcomes import REFUSED, answer, fuzzed
from hypothesis import strategies as st

from msdensity.runs.config import STUDIES
from msdensity.runs.studies import load_any, load_study
from places import ROOT

FOLDER = ROOT / "workflow" / "config"
LOAD = {study: partial(load_study, study) for study in STUDIES}


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
    # The file itself says of which study it is.
    any_study = answer("load_any", load_any, path)
    assert found is REFUSED or any_study == found


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

    values = changed(SMALL[name])
    answer(f"load_settings ({name})", LOAD[name], values)
    answer("load_any", load_any, values)
