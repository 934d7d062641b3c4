"""Every fault is tried many times, and a table of the outcomes is printed."""

from collections import Counter
from dataclasses import asdict

import pytest
from faulty import Tally, sweep


@pytest.fixture
def tally(record_property):
    """tally(fault) -> where a test counts the trials of a fault."""
    tallies: dict[str, Tally] = {}
    yield lambda fault: tallies.setdefault(fault, Tally(fault))
    for each in tallies.values():  # a worker of pytest sends it to the process that prints
        record_property("tally", asdict(each))


@pytest.fixture(scope="session")
def whole(tmp_path_factory) -> bytes:
    """The ledger of an uninterrupted sweep."""
    path = tmp_path_factory.mktemp("whole") / "3x3.weighted.csv"
    sweep(path)
    return path.read_bytes()


def pytest_terminal_summary(terminalreporter) -> None:
    faults: dict[str, Counter] = {}
    for report in terminalreporter.stats.get("", []):
        for name, counts in report.user_properties:
            if name == "tally" and report.when == "teardown":
                faults.setdefault(counts.pop("fault"), Counter()).update(counts)
    if not faults:
        return
    write = terminalreporter.write_line
    terminalreporter.section("faults")
    write(f"{'fault':<62} {'trials':>7} {'lost':>5} {'doubled':>8} {'false complete':>15}")
    for fault, n in sorted(faults.items()):
        write(f"{fault:<62} {n['trials']:>7} {n['lost']:>5} {n['doubled']:>8} {n['complete']:>15}")
