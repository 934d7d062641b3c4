"""`msdensity difficulty`: what games on a board take, or the mines for a wanted win rate."""

from __future__ import annotations

import argparse
from typing import Any

from msdensity.cli.output import print_json, terminal
from msdensity.cli.parser import number_of_mines, whole_number
from msdensity.cli.setup import add_setup, level_mines, read_setup
from msdensity.errors import InputError, fraction
from msdensity.kernel.limits import check_threads

GAMES, ERROR = 1000, 1e-3

NOT_FOUND = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = (
        "Examples: msdensity difficulty expert; msdensity difficulty 16x30 --win-rate .5; "
        "msdensity difficulty 16x30 --win-rate .5 --rules pairs. With --mines it counts the games "
        "by the weakest rules that open the whole board from the first click: the cascade, single "
        "cells, pairs of cells, unit refutation (boards that pairs do not open), all numbers "
        "together, the number of mines too; else they take a guess. All rules play the same "
        "boards. With --win-rate it finds the number of mines at which so many games are won."
    )
    parser.add_argument(
        "--mines",
        type=number_of_mines,
        metavar="M",
        help="number of mines (default: those of the level, if the board is one)",
    )
    parser.add_argument(
        "--games", type=whole_number, help=f"games that are counted (default: {GAMES})"
    )
    parser.add_argument(
        "--win-rate",
        type=float,
        metavar="W",
        help="find the number of mines at which this share of the games, from .05 to .95, is won",
    )
    parser.add_argument(
        "--rules",
        metavar="NAME",
        help="with --win-rate: opened without a guess by zeros, single, pairs, unit, complete or"
        " count (the number of mines too), instead of won by a player",
    )
    parser.add_argument(
        "--error",
        type=float,
        help=f"with --win-rate: wanted standard error of the density (default: {ERROR})",
    )
    add_setup(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command; return its exit status."""
    wanted = "win_rate" if arguments.win_rate is not None else "mines"
    for name, other in (
        *(("games", "mines"), ("mines", "mines")),
        *(("rules", "win_rate"), ("error", "win_rate")),
    ):
        if (value := getattr(arguments, name)) is not None and other != wanted:
            reason = "beside win_rate" if wanted == "win_rate" else "without win_rate"
            raise InputError(f"{name}={value} must be left out {reason}")
    setup = read_setup(arguments)
    if wanted == "mines" or arguments.rules is not None:
        beside = "with mines" if wanted == "mines" else f"beside rules={arguments.rules}"
        if setup.player != "weighted" or arguments.option:
            given = arguments.option[0] if arguments.option else setup.player
            raise InputError(f"player={given} must be left out {beside}: the rules play")
    check_threads(arguments.threads, setup.board.shape, setup.board.topology)
    return _sweet_spot(arguments, setup) if wanted == "win_rate" else _classes(arguments, setup)


def _classes(arguments: argparse.Namespace, setup: Any) -> int:
    from msdensity.games.difficulty import opened_alone
    from msdensity.runs.class_shares import class_rows
    from msdensity.runs.difficulty import count_classes

    task = setup.task(level_mines(arguments))
    games = GAMES if arguments.games is None else arguments.games
    found = count_classes(task, games, arguments.threads, terminal())
    if arguments.json:
        facts = _facts(setup) | {"mines": task.mines, "games": found.games, **found.counts}
        rows = {row["hardest"]: row for row in class_rows(found.counts, found.games)}
        alone = opened_alone(found.counts)
        print_json(facts | {"classes": rows, "alone": alone, "task_id": task.task_id})
    else:
        print(found.report())
    return 0


def _sweet_spot(arguments: argparse.Namespace, setup: Any) -> int:
    from msdensity.runs.sweet_spot import check_rules, find_sweet_spot, solver
    from msdensity.stats.rho50.measurement import WINS

    outcome = WINS
    if arguments.rules is not None:
        rules = check_rules(arguments.rules)
        setup, outcome = solver(rules, setup.board, setup.rules, setup.seed)
    error = ERROR if arguments.error is None else fraction("error", arguments.error)
    spot = find_sweet_spot(
        setup, outcome, arguments.win_rate, error, threads=arguments.threads, log=terminal()
    )
    if arguments.json:
        ends = {
            f"{name}{part}": value
            for name, end in (("below", spot.below), ("above", spot.above))
            for part, value in zip(("", "_win_rate", "_win_rate_se"), end, strict=True)
        }
        print_json(
            _facts(setup)
            | {"player": setup.player, "options": dict(setup.task(1).options)}
            | {"outcome": outcome, "win_rate": spot.win_rate, "wanted_error": error}
            | {"density": spot.density, "error": spot.error}
            | {"mines": spot.mines, "mines_error": spot.mines_error, "closest": spot.closest}
            | {**ends, "games": spot.games, "no_fit": spot.fit.no_fit, "warnings": spot.notes}
        )
    else:
        print(spot.report())
    return NOT_FOUND if spot.fit.no_fit else 0


def _facts(setup: Any) -> dict[str, Any]:
    from msdensity.kernel.version import KERNEL_VERSION

    return {
        "board": setup.board.name,
        "topology": setup.board.topology,
        "first_click": setup.rules.first_click,
        "start": setup.rules.start,
        "seed": setup.seed,
        "kernel_version": KERNEL_VERSION,
    }
