"""Exact win rates of tasks, as a table, and in a table of games that were played."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from msdensity.errors import InputError, integer
from msdensity.files.tables import check_table
from msdensity.games.boards import Rules, named_board
from msdensity.games.exact import exact_wins
from msdensity.games.tasks import Player, Task, named_player
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.stats.columns import EXACT_COLUMNS
from msdensity.stats.exact_rates import check_rates, join_exact

_SETUP = ["board", "topology", "first_click", "start", "mines"]


def exact_table(tasks: Iterable[Task]) -> pd.DataFrame:
    """Return the exact win rates of tasks (EXACT_COLUMNS), in their order.

    The seed does not matter. Raises InputError where a task cannot be counted, as `exact_wins`.
    """
    rows = []
    for task in tasks:
        wins = exact_wins(task)
        rows.append(
            {
                "board": task.board.name,
                "topology": task.board.topology,
                "player": task.label,
                "first_click": task.rules.first_click,
                "start": task.rules.start,
                "kernel_version": KERNEL_VERSION,
                "mines": task.mines,
                "density": task.density,
                "layouts": wins.layouts,
                "won": str(wins.won),
                "win_rate": float(wins.win_rate),
            }
        )
    table = pd.DataFrame(rows, columns=list(EXACT_COLUMNS))
    return check_table(table, EXACT_COLUMNS, "exact win rates")


def with_exact(
    win_rates: pd.DataFrame, player: Player = "weighted", cells: int = 20
) -> pd.DataFrame:
    """Return a table of win rates with exact ones where a player's can be counted.

    win_rates: of `sweep`, `play_table` or a file; player: whose rows get them, a name, or a name
    and options; cells: the most cells of a board that gets them, 1..36: one of 20 cells takes
    seconds, one of 25 up to minutes; a larger one is refused if a number of mines has more than 6
    million layouts. A row with an exact win rate has it as a fraction in the
    column `exact`, and as win_rate without an interval; its wins and games stay. Fits then use it
    without an error. Raises InputError for values out of range, for a player that cannot be
    counted (see `msdensity.games.exact`), and as `msdensity.stats.exact_rates.join_exact`.
    """
    integer("cells", cells, 1, 36)
    name, options = named_player(player)
    label = Task("1x2", 1, name, options).label  # type: ignore[arg-type]
    known = check_rates(win_rates)
    own = known[(known["player"] == label) & (known["kernel_version"] == KERNEL_VERSION)]
    curves: Any = own[_SETUP].drop_duplicates().itertuples(index=False)
    tasks = []
    for row in curves:
        board = named_board(row.board)
        if board.topology != row.topology:
            raise InputError(
                f"the table of win rates: topology={row.topology} of board {row.board} must be"
                f" {board.topology}"
            )
        if board.cells <= cells:
            rules = Rules(row.first_click, row.start)
            tasks.append(Task(board, row.mines, name, options, rules))
    return join_exact(win_rates, exact_table(tasks))
