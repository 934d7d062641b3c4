"""The exact win rates of a sweep's small boards."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import pandas as pd

from msdensity.games.boards import Rules, most_mines, named_board
from msdensity.games.exact import why_not_exact
from msdensity.games.tasks import Task
from msdensity.runs.exact_rates import exact_table


def count_exactly(
    boards: Sequence[str],
    players: Sequence[tuple[str, Mapping[str, str]]],
    first_click: str,
    start: str,
) -> pd.DataFrame:
    """Return the exact win rates of every number of mines on boards (EXACT_COLUMNS).

    boards: their names; players: names with options. Curves that cannot be counted are left out;
    stderr names the first of each player with the reason.
    """
    rules = Rules(first_click, start)
    tasks: list[Task] = []
    for name, options in players:
        reasons: list[str] = []
        for board in map(named_board, boards):
            own = [
                Task(board, mines, name, options, rules)
                for mines in range(1, most_mines(board, rules) + 1)
            ]
            reason = next(filter(None, map(why_not_exact, own)), "")
            tasks += [] if reason else own
            reasons += filter(None, [reason])
        if reasons:
            print(f"not counted: {len(reasons)} boards: {reasons[0]}", file=sys.stderr)
    return exact_table(tasks)
