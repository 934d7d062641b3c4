"""The shares of the classes at the levels, and the tables of all boards."""

from __future__ import annotations

from typing import Any

import pandas as pd

from msdensity.files.tables import check_table
from msdensity.games.boards import LEVELS
from msdensity.games.difficulty import CLASSES, COUNTS
from msdensity.runs.class_shares import class_rows
from msdensity.studies.difficulty.columns import SHARE_COLUMNS
from msdensity.studies.page import rows


def joined(classes: pd.DataFrame, spots: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the tables of all boards, and the shares at the levels; TABLES.

    classes, spots: CLASS_COLUMNS and SPOT_COLUMNS.
    """
    return {"classes": classes, "shares": shares_table(classes), "spots": spots}


def shares_table(classes: pd.DataFrame) -> pd.DataFrame:
    """Return the classes of each level with its own mines (SHARE_COLUMNS).

    classes: CLASS_COLUMNS.
    """
    made: list[dict[str, Any]] = []
    for level, (board, mines) in LEVELS.items():
        for row in rows(classes[(classes["board"] == board) & (classes["mines"] == mines)]):
            head = {"level": level, "board": board, "mines": mines}
            head |= {"first_click": row.first_click, "start": row.start}
            counts = {name: int(getattr(row, name)) for name in COUNTS}
            made += [head | own for own in class_rows(counts, int(row.games))]
    table = pd.DataFrame(made, columns=[*SHARE_COLUMNS])
    return check_table(table, SHARE_COLUMNS, "shares")


def spot_name(by: str) -> str:
    """Return a set of rules, or a player, in words."""
    if by not in CLASSES:
        return f"player {by}"
    return f"{CLASSES[by]}{' too' if by == 'count' else ''}, no guess"
