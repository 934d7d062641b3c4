"""A served page and a Chromium that looks at it."""

from collections.abc import Iterator
from typing import Any

import pytest

from chromium import LEDGER_TASK, browser, served
from msdensity.runs.sweep import top_up


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("ledgers")
    top_up([LEDGER_TASK], 40, folder / "single.csv")
    with served(folder) as url:
        yield url


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    with browser() as started:
        yield started
