"""Records of where a result comes from."""

import json
from pathlib import Path

import pytest
from fuzz.mutations import mutated
from fuzz.outcomes import REFUSED, answer, fuzzed
from hypothesis import strategies as st

from msdensity.runs.provenance import find
from msdensity.runs.records import begin_record, record_path, write_records


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Path, Path, bytes]:
    folder = tmp_path_factory.mktemp("made")
    file = folder / "table.csv"
    file.write_text("a\n1\n")
    facts = {"rule": "fits", "inputs": [str(file)], "params": {"seed": 1}, "config": {"name": "x"}}
    records = folder / "records"
    write_records([str(file)], begin_record(configfile=None, **facts), folder=records)
    text = record_path(str(file), records).read_bytes()
    records.mkdir()
    return file, records, text


@fuzzed(data=st.data())
def test_damaged_records(made, data: st.DataObject) -> None:
    file, records, text = made
    place = record_path(file.name, records)
    record = json.loads(text)
    key = data.draw(st.sampled_from([None, *sorted(record)]))
    if key is None:
        place.write_bytes(data.draw(mutated([text]) | st.binary(max_size=50)))
    else:
        record[key] = data.draw(ANY)
        place.write_text(json.dumps(record))
    found = answer("provenance.find", find, file, records)
    if found is not REFUSED:
        assert found.report() and found.command()


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
