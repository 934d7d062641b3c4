"""Every fault is done to the program many times, and what came of it printed as a table."""

import pytest
from faulty import Tally, sweep

_TALLIES: dict[str, Tally] = {}


@pytest.fixture
def tally():
    """tally(fault) -> where the trials of a fault are counted."""

    def of(fault: str) -> Tally:
        return _TALLIES.setdefault(fault, Tally(fault))

    return of


@pytest.fixture(scope="session")
def whole(tmp_path_factory) -> bytes:
    """The ledger of an uninterrupted sweep."""
    path = tmp_path_factory.mktemp("whole") / "3x3.weighted.csv"
    sweep(path)
    return path.read_bytes()


def pytest_terminal_summary(terminalreporter) -> None:
    if not _TALLIES:
        return
    write = terminalreporter.write_line
    terminalreporter.section("faults")
    write(f"{'fault':<62} {'trials':>7} {'lost':>5} {'doubled':>8} {'false complete':>15}")
    for tally in _TALLIES.values():
        write(
            f"{tally.fault:<62} {tally.trials:>7} {tally.lost:>5} {tally.doubled:>8}"
            f" {tally.complete:>15}"
        )
