"""The order of the tests."""

import pytest

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
