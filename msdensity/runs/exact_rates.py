"""Exact win rates of tasks, as a table, and in a table of games that were played."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from msdensity.errors import InputError, integer
from msdensity.files.tables import check_table, require_columns
from msdensity.games.boards import Rules, named_board
from msdensity.games.exact import exact_wins, why_not_exact
from msdensity.games.tasks import Player, Task, named_player
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.stats.columns import EXACT_COLUMNS
from msdensity.stats.exact_rates import join_exact

CELLS = 16
"""By default larger boards have no exact win rates: all numbers of mines of one of 16 cells take
less than a second, and each cell more doubles the layouts."""

MOST_CELLS = 36


def exact_table(tasks: Iterable[Task]) -> pd.DataFrame:
    """Return the exact win rates of tasks (EXACT_COLUMNS), in their order, each once.

    The seed does not matter. Tasks whose layouts cannot be counted are left out: see
    `msdensity.games.exact.why_not_exact`.
    """
    rows: dict[tuple[object, ...], dict[str, object]] = {}
    for task in tasks:
        board, rules = task.board, task.rules
        head = {
            "board": board.name,
            "topology": board.topology,
            "player": task.label,
            "first_click": rules.first_click,
            "start": rules.start,
            "kernel_version": KERNEL_VERSION,
            "mines": task.mines,
        }
        key = tuple(head.values())
        if key not in rows and not why_not_exact(task):
            wins = exact_wins(task)
            counted = {"layouts": wins.layouts, "won": str(wins.won)}
            rate = {"density": task.density, "win_rate": float(wins.win_rate)}
            rows[key] = head | counted | rate
    table = pd.DataFrame([*rows.values()], columns=list(EXACT_COLUMNS))
    return check_table(table, EXACT_COLUMNS, "exact win rates")


def with_exact(
    win_rates: pd.DataFrame, player: Player = "weighted", cells: int = CELLS
) -> pd.DataFrame:
    """Return a table of win rates with exact ones where a player's can be counted.

    win_rates: of `sweep`, `play_table` or a file; player: whose rows get them, a name, or a name
    and options; cells: the most cells of a board that gets them, 1..36; beyond 20 a board takes
    seconds to minutes. A row with an exact win rate has it as a fraction in the column `exact`, and
    as win_rate without an interval; its wins and games stay. Fits then use it without an error.
    Raises InputError for values out of range, and as `msdensity.stats.exact_rates.join_exact`.
    """
    integer("cells", cells, 1, MOST_CELLS)
    name, options = named_player(player)
    label = Task("1x2", 1, name, options).label  # type: ignore[arg-type]
    needed = ("board", "player", "first_click", "start", "kernel_version", "mines")
    require_columns(win_rates, needed, "the table of win rates")
    own = win_rates[win_rates["player"] == label]
    tasks = []
    for row in own[list(needed)].drop_duplicates().itertuples(index=False):
        board = named_board(row.board)
        if board.cells <= cells and row.kernel_version == KERNEL_VERSION:
            rules = Rules(row.first_click, row.start)
            tasks.append(Task(board, row.mines, name, options, rules))
    if not tasks:
        return win_rates
    if why := why_not_exact(tasks[0]):
        raise InputError(why)
    return join_exact(win_rates, exact_table(tasks))
