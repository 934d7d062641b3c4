"""The settings of the studies."""

from pathlib import Path

import pytest
from fuzz.mutations import YAML, mutated
from fuzz.outcomes import REFUSED, answer, fuzzed
from hypothesis import strategies as st

from msdensity.studies.asymptotics.settings import load_study as asymptotics_load
from msdensity.studies.asymptotics.settings import study_from as asymptotics_from
from msdensity.studies.published_players.settings import load_study as players_load
from msdensity.studies.published_players.settings import study_from as players_from
from msdensity.studies.reproduction.settings import load_study as reproduction_load
from places import ROOT

FOLDER = ROOT / "workflow" / "config"
LOAD = {
    "asymptotics": asymptotics_load,
    "players": players_load,
    "reproduction": reproduction_load,
}


def load_bytes(name: str, path: Path, data: bytes) -> None:
    path.write_bytes(data)
    reader = f"load_study ({name})"
    found = answer(reader, LOAD[name], path)
    assert found is REFUSED or answer(reader, LOAD[name], path) == found


@pytest.mark.parametrize("name", LOAD)
@fuzzed(data=st.data())
def test_damaged_files(tmp_path_factory, name: str, data: st.DataObject) -> None:
    text = (FOLDER / f"{name}.yaml").read_bytes()
    few = text.replace(b"[1, 10]", b"[1, 2]").replace(b"[11, 50]", b"[11, 12]")  # soon read
    path = tmp_path_factory.getbasetemp() / f"{name}.yaml"
    load_bytes(name, path, data.draw(mutated([text, *[few] * 19], YAML)))


@pytest.mark.parametrize("name", LOAD)
@fuzzed(data=st.binary(max_size=100))
def test_any_bytes(tmp_path_factory, name: str, data: bytes) -> None:
    load_bytes(name, tmp_path_factory.getbasetemp() / f"{name}.any.yaml", data)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@pytest.mark.parametrize("name,study_from", [("players", players_from), ("asym", asymptotics_from)])
@fuzzed(values=ANY)
def test_any_values(name: str, study_from, values: object) -> None:
    answer(f"study_from ({name})", study_from, values)
