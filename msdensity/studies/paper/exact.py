"""The exact win rates of a sweep's small boards."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import pandas as pd

from msdensity.errors import InputError
from msdensity.games.boards import Rules, most_mines, named_board
from msdensity.games.tasks import Task
from msdensity.runs.exact_rates import exact_table


def count_exactly(
    boards: Sequence[str],
    players: Sequence[tuple[str, Mapping[str, str]]],
    first_click: str,
    start: str,
) -> pd.DataFrame:
    """Return the exact win rates of every number of mines on boards (EXACT_COLUMNS).

    boards: their names; players: names with options. A curve that cannot be counted is left out;
    stderr says why.
    """
    rules = Rules(first_click, start)
    tables = []
    for board in map(named_board, boards):
        for name, options in players:
            tasks = [
                Task(board, mines, name, options, rules)
                for mines in range(1, most_mines(board, rules) + 1)
            ]
            try:
                tables.append(exact_table(tasks))
            except InputError as error:
                print(f"not counted: {board.name} by {tasks[0].label}: {error}", file=sys.stderr)
    return pd.concat(tables, ignore_index=True) if tables else exact_table([])
