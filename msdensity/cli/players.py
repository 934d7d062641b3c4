"""`msdensity players`: the players, their sources and options."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from msdensity.cli.output import add_json, print_json
from msdensity.players.registry import PLAYERS

add_arguments = add_json


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command; return its exit status."""
    if arguments.json:
        print_json({name: asdict(player) for name, player in PLAYERS.items()})
        return 0
    for player in PLAYERS.values():
        print(f"{player.name}: {player.summary}")
        print(f"    source: {player.source}")
        for name, option in player.options.items():
            allowed = " | ".join(option.choices)
            print(f"    {name}={allowed} (default {option.default}): {option.help}")
    return 0
