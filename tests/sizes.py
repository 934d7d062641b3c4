"""Sizes of a test: a small one in every run, and a large one in the campaigns."""

from typing import Any

import pytest


def sizes(small: Any, large: Any) -> list[Any]:
    """Return two values of a parameter, or tuples of several; `large` is a campaign."""
    values = large if isinstance(large, tuple) else (large,)
    return [small, pytest.param(*values, marks=pytest.mark.campaign)]
