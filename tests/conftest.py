"""The order of the tests."""

import pytest

LONGEST = (
    "workflow",
    "faults",
    "players",
    "kernel",
)
"""Folders and files that go first: one that starts last would keep one core busy alone."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        return min(
            (LONGEST.index(part) for part in item.path.parts if part in LONGEST),
            default=len(LONGEST),
        )

    items.sort(key=place)
