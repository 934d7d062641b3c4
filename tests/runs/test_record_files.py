"""Records of where results come from, as found on a disk: whole, or one error."""

import json
from pathlib import Path
from typing import Any

import pytest

from msdensity.errors import InputError
from msdensity.runs.provenance import find
from msdensity.runs.records import begin_record, record_path, write_records


@pytest.fixture
def file(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = Path("table.csv")
    file.write_text("a\n1\n")
    facts: dict[str, Any] = {"rule": "fits", "inputs": [str(file)], "params": {"seed": 1}}
    write_records([str(file)], begin_record(configfile=None, config={"name": "x"}, **facts))
    return file


def change(file: Path, **changes: Any) -> None:
    path = record_path(file)
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_whole_record_is_found(file: Path) -> None:
    found = find(file)
    assert not found.changed and found.jobs > 0 and found.games == 0
    assert "made" in found.report()


@pytest.mark.parametrize(
    "changes",
    [
        {"rule": None},
        {"cpu_seconds": "1"},
        {"code": {}},
        {"code": []},
        {"kernel": {"version": 1}},
        {"packages": {"numpy": 1}},
        {"inputs": []},
        {"inputs": {"a": None}},
        {"config": []},
        {"configfile": 5},
        {"schema": 2},
        {"schema": [1]},
    ],
)
def test_a_record_of_another_form_is_one_error(file: Path, changes: dict) -> None:
    change(file, **changes)
    with pytest.raises(InputError, match="cannot be read: make its file again"):
        find(file)


@pytest.mark.parametrize("data", [b"", b"[", b"\xff", b"5", b"[" * 100_000, b"1" * 5000])
def test_bytes_that_are_no_record_are_one_error(file: Path, data: bytes) -> None:
    record_path(file).write_bytes(data)
    with pytest.raises(InputError, match="cannot be read: make its file again"):
        find(file)


def test_inputs_with_odd_names_and_long_chains_end(file: Path) -> None:
    change(file, inputs={"a\0b": "x", "a\0.csv": "x", "../" * 50 + "none": "x", ".": "x"})
    assert set(find(file).inputs.values()) == {"gone"}
    record = json.loads(record_path(file).read_text())
    same = record["sha256"]
    for i in range(1500):  # deeper than Python's own stack
        place = record_path(f"{i}.csv")
        place.write_text(json.dumps(record | {"date": str(i), "inputs": {f"{i + 1}.csv": same}}))
    change(file, inputs={"0.csv": same})
    assert find(file).jobs == pytest.approx(1501 * record["cpu_seconds"])
