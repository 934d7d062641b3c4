"""The order of the tests, and what Hypothesis may take."""

import pytest
from hypothesis import settings

# A first call may import or compile.
settings.register_profile("no_clock", deadline=None)
settings.load_profile("no_clock")

LONGEST = (
    "workflow",
    "faults",
    "players",
    "kernel",
)
"""Folders and files that start first: a long one that starts last keeps only one core busy."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        return min(
            (LONGEST.index(part) for part in item.path.parts if part in LONGEST),
            default=len(LONGEST),
        )

    items.sort(key=place)
