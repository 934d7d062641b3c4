"""What a record says of a file that Snakemake has no note of."""

import errno
import os

import pytest

from msdensity.runs import stale
from msdensity.runs.records import begin_record, write_records


class Job:
    """A job of Snakemake, as far as its inputs matter."""

    def __init__(self, *paths: str) -> None:
        self.input = paths


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch) -> None:
    """A table made from an input and a ledger, with its record."""
    monkeypatch.chdir(tmp_path)
    os.mkdir("ledger")
    for name in ("table.csv", "input.csv", "ledger/3x3.csv"):
        with open(name, "w") as file:
            file.write(name)
    begun = begin_record(
        rule="r",
        inputs=["input.csv"],
        params={"ledgers": "ledger", "games": 3},
        config={},
        configfile=None,
    )
    write_records(["table.csv"], begun, ledgers=["ledger/3x3.csv"])


def test_a_record_counts_for_the_bytes_that_it_names() -> None:
    record = stale._record("table.csv")
    assert record is not None and record["params"]["games"] == 3
    with open("table.csv", "a") as file:
        file.write("more")
    assert stale._record("table.csv") is None
    assert stale._record("input.csv") is None


def test_inputs_count_by_name_and_bytes_but_not_the_ledgers_of_the_job() -> None:
    record = stale._record("table.csv")
    assert not stale._inputs_changed(Job("input.csv"), record)
    assert stale._inputs_changed(Job(), record)
    assert stale._inputs_changed(Job("input.csv", "table.csv"), record)
    with open("input.csv", "a") as file:
        file.write("more")
    assert stale._inputs_changed(Job("input.csv"), record)


def test_a_file_that_cannot_be_read_is_left_to_the_job(monkeypatch) -> None:
    record = stale._record("table.csv")

    def refuse(path: str) -> str:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    monkeypatch.setattr(stale, "sha256", refuse)  # root may read every file
    assert stale._record("table.csv") is None
    assert stale._inputs_changed(Job("input.csv"), record)


def test_settings_count_by_name_only() -> None:
    params = {"settings": {"a.yaml": {"games": 3}}, "games": 3}
    assert stale._said(params) == {"settings=['a.yaml']", "games=3"}
