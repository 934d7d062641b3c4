"""The sub-command `plan`: what a configuration will cost before it runs."""

from __future__ import annotations

import argparse

from msdensity.runs.config import load_config
from msdensity.runs.plan import plan


def run(arguments: argparse.Namespace) -> int:
    """Print the plan of the configuration file."""
    print(plan(load_config(arguments.config), arguments.data).report())
    return 0
