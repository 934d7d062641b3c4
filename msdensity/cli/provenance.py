"""`msdensity provenance`: where a result comes from."""

from __future__ import annotations

import argparse

import yaml

from msdensity.cli.output import print_json
from msdensity.runs.records import find

CHANGED = 1


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command; return its exit status."""
    found = find(arguments.file, arguments.records)
    if arguments.config:
        print(yaml.safe_dump(found.record["config"], sort_keys=False, allow_unicode=True), end="")
    elif arguments.json:
        more = {
            "changed": found.changed,
            "input_states": dict(found.inputs),
            "seeds": found.seeds,
            "settings": dict(found.settings),
            "jobs_cpu_seconds": found.jobs,
            "games_cpu_seconds": found.games,
            "command": found.command(),
        }
        print_json({**found.record, **more})
    else:
        print(found.report())
    return CHANGED if found.changed else 0
