"""`msdensity exact`: the exact win rates of a player on a small board."""

from __future__ import annotations

import argparse
from typing import Any

from msdensity.cli.output import print_json
from msdensity.cli.parser import number_of_mines, whole_number
from msdensity.cli.setup import add_setup, read_setup
from msdensity.errors import InputError, integer
from msdensity.games.boards import most_mines
from msdensity.kernel.names import FIRST_ZEROS

WIDTH = 14
"""Characters of a win rate in the table."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = (
        "Example: msdensity exact 4x4 --optimal. All layouts are played, so that no row has an "
        "error: at most 6 million for each number of mines, as on 25 cells. A player must not draw "
        "at random, but `weighted` with --option ties=random is counted too, as a mean over its "
        "draws."
    )
    parser.add_argument(
        "--mines",
        type=number_of_mines,
        metavar="M",
        help="number of mines (default: every one, from 1 on)",
    )
    parser.add_argument(
        "--optimal",
        action="store_true",
        help="add the win rate of the best of all players, for which boards of up to 20 cells take"
        " seconds; see docs/explanation/best_play.md",
    )
    parser.add_argument(
        "--budget",
        type=whole_number,
        help="sets of layouts that one first click may search, where ties are drawn or with"
        " --optimal; a million take 3 seconds to 5 minutes",
    )
    add_setup(parser, plays=False)


def run(arguments: argparse.Namespace) -> int:
    """Print the win rates; return the exit status."""
    from msdensity.games.exact import why_not_exact

    setup = read_setup(arguments)
    if arguments.optimal and setup.rules.start in FIRST_ZEROS:
        raise InputError(
            f"start={setup.rules.start} must be safe, zero or unprotected with --optimal"
        )
    most = most_mines(setup.board, setup.rules)
    given = range(1, most + 1) if arguments.mines is None else [arguments.mines]
    tasks = [setup.task(m) for m in given]
    for m in given:
        integer("mines", m, 1, most)
    if arguments.budget is not None:
        integer("budget", arguments.budget, 1, 2**62)
    for why in filter(None, map(why_not_exact, tasks)):
        raise InputError(why)
    if arguments.json:
        facts: dict[str, Any] = {"board": setup.board.name, "player": setup.player}
        facts |= {"options": dict(tasks[0].options)}
        facts |= {"first_click": setup.rules.first_click, "start": setup.rules.start}
        print_json(facts | {"rows": [_row(task, arguments) for task in tasks]})
        return 0
    columns = ["win rate", *(["best"] if arguments.optimal else [])]
    for i, task in enumerate(tasks):
        row = _row(task, arguments)
        if i == 0:  # a budget that is too small has no header
            head = (f"{name:<{WIDTH}}" for name in columns)
            print("mines", *head, "win rate as a fraction", sep="  ")
        rates = [row[key] for key in ("win_rate", "best_win_rate") if key in row]
        decimals = (f"{rate:<{WIDTH}.{WIDTH - 2}f}" for rate in rates)
        print(f"{task.mines:>5}", *decimals, row["fraction"], sep="  ", flush=True)
    return 0


def _row(task: Any, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what is known of one number of mines; fractions are text."""
    from msdensity.games.exact import exact_wins
    from msdensity.games.optimal import optimal_win_probability

    budget = {} if arguments.budget is None else {"budget": arguments.budget}
    found = exact_wins(task, **budget)
    row = {
        "mines": task.mines,
        "layouts": found.layouts,
        "won": str(found.won),
        "win_rate": float(found.win_rate),
        "fraction": str(found.win_rate),
    }
    if arguments.optimal:
        rules = (task.rules.first_click, task.rules.start)
        best = optimal_win_probability(task.board, task.mines, *rules, **budget)
        row |= {"best_win_rate": float(best), "best_fraction": str(best)}
    return row
