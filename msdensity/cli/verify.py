"""`msdensity verify`: recorded games played again."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from msdensity.verify import verify

DIFFERS = 1


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command; return its exit status."""
    found = verify(arguments.data, arguments.rows, arguments.seed)
    print(json.dumps(asdict(found)) if arguments.json else found.report())
    return 0 if found.right else DIFFERS
