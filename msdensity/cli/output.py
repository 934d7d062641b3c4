"""One JSON object on standard output, as every sub-command prints it."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping
from typing import Any, TextIO


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add --json."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def terminal() -> TextIO | None:
    """Return standard error where a person watches it, for lines of progress; else None."""
    return sys.stderr if sys.stderr.isatty() else None


def print_json(facts: Mapping[str, Any]) -> None:
    """Print the facts in one line; a number that is not finite, which JSON lacks, as null."""
    print(json.dumps(_finite(facts), allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return value
