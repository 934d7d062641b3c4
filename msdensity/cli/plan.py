"""The sub-command `plan`: what a study will cost before it runs."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from msdensity.cli.output import add_json, print_json, terminal


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = (
        "Runs the code of own players and models that CONFIG names (module:function): read a file"
        " of somebody else before you plan or run it. Example: msdensity plan"
        " workflow/config/paper.yaml"
    )
    parser.add_argument(
        "config", metavar="CONFIG", help="a YAML file of any study, as for the workflow"
    )
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        default="data",
        help="folder of games already played (default: %(default)s)",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the plan of the file of settings."""
    from msdensity.runs.plan import plan

    planned = plan(arguments.config, arguments.data, terminal())
    if arguments.json:
        boards = [asdict(cost) for cost in planned.costs]
        print_json({"cpu_seconds": planned.cpu_seconds, "parts": planned.parts, "boards": boards})
    else:
        print(planned.report())
    return 0
