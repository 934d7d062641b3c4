"""The sub-command `plan`: what a configuration will cost before it runs."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = "Example: msdensity plan workflow/config/paper.yaml"
    parser.add_argument("config", metavar="CONFIG", help="a YAML file, as for the workflow")
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        default="data",
        help="where games already played are found (data)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the plan of the configuration file."""
    from msdensity.runs.config import load_config
    from msdensity.runs.plan import plan

    print(plan(load_config(arguments.config), arguments.data).report())
    return 0
