"""`pytest tests/fuzz --fuzz-examples 100000`: as many inputs for every reader."""

import resource
from collections.abc import Iterator

import pytest
from fuzz import outcomes

GIGABYTES = 4
"""Memory beyond that of the process: no reader may ask for so much, whatever the input."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz-examples", type=int, help="inputs for every reader")


def pytest_configure(config: pytest.Config) -> None:
    asked = config.getoption("fuzz_examples", None)
    if asked:
        outcomes.examples = asked


@pytest.fixture(autouse=True)
def little_memory() -> Iterator[None]:
    """Make an excessive allocation an error here, instead of exhausting the machine."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + GIGABYTES * 10**9, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if outcomes.examples < outcomes.LARGE or not outcomes.counts:
        return
    terminalreporter.section("inputs by reader")
    for reader, found in sorted(outcomes.counts.items()):
        kinds = ", ".join(f"{number:,} {kind}" for kind, number in found.most_common())
        terminalreporter.line(f"{reader:32} {sum(found.values()):>9,} inputs: {kinds}")
