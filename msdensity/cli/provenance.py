"""`msdensity provenance`: where a result comes from."""

from __future__ import annotations

import argparse

import yaml

from msdensity.cli.output import add_json, print_json
from msdensity.runs.provenance import find

CHANGED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = (
        "Example: msdensity provenance figures/paper/figure_9_6.pdf. A renamed copy is recognised "
        "by its content. Exit status 1 if the file was changed since it was made, or a file that "
        "it comes from was edited before it was used."
    )
    parser.add_argument("file", metavar="FILE", help="a table, figure or page that Snakemake made")
    parser.add_argument(
        "--records",
        default="provenance",
        metavar="FOLDER",
        help="folder of the records (default: %(default)s)",
    )
    parser.add_argument(
        "--config", action="store_true", help="print the configuration it was made with, as YAML"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command; return its exit status."""
    finding = find(arguments.file, arguments.records)
    if arguments.config:
        print(yaml.safe_dump(finding.record["config"], sort_keys=False, allow_unicode=True), end="")
    elif arguments.json:
        more = {
            "changed": finding.changed,
            "input_states": dict(finding.inputs),
            "edited": finding.edited,
            "seeds": finding.seeds,
            "settings": dict(finding.settings),
            "own_file_states": dict(finding.own_files),
            "jobs_cpu_seconds": finding.jobs,
            "games_cpu_seconds": finding.games,
            "command": finding.command(),
        }
        print_json({**finding.record, **more})
    else:
        print(finding.report())
    return CHANGED if finding.changed or finding.edited else 0
