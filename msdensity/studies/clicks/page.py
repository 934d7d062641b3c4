"""The page of first clicks: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from typing import Any

import pandas as pd

from msdensity.studies.clicks.settings import STARTS, Settings
from msdensity.studies.page import Tables, page_of, rows

ALARM = 0.001
"""A test of symmetry with a smaller p-value is called a contradiction."""

LISTED = 8
"""Best places of each map that the page lists."""


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    maps, luck = tables["maps"], tables["luck"]
    maps = maps.assign(
        board=maps["board"] + ", " + maps["mines"].astype(str),
        corner_best=(maps["best_row"] == 1) & (maps["best_column"] == 1),
    )
    orbits = tables["orbits"]
    orbits = orbits.assign(
        board=orbits["board"] + ", " + orbits["mines"].astype(str),
        place=orbits["row"].astype(str) + ", " + orbits["column"].astype(str),
    )
    groups = orbits.groupby(["board", "start"], sort=False)
    ranked = orbits.assign(order=groups.ngroup())
    ranked = ranked.sort_values(["order", "win_rate"], ascending=[True, False], kind="stable")
    best = ranked.groupby("order").head(LISTED)
    W, replays = luck["win_rate"], luck["replays"]
    return {
        "study": settings,
        "starts": {start: _start(maps[maps["start"] == start]) for start in STARTS},
        "maps": maps,
        "best": {start: best[best["start"] == start] for start in STARTS},
        "listed": LISTED,
        "alarm": ALARM,
        "contradicted": list(rows(maps[maps["symmetry_p"] < ALARM])),
        "tested": int(maps["symmetry_p"].notna().sum()),
        "luck": luck.assign(
            board=luck["board"] + ", " + luck["mines"].astype(str),
            same=luck["always"] + luck["never"],
            coins=W**replays + (1 - W) ** replays,
        ),
    }


def _start(maps: pd.DataFrame) -> dict[str, Any]:
    """Return what the page says of one start."""
    return {
        "maps": list(rows(maps)),
        "above": int((maps["above_corner"] > 0).sum()),
        "alone": int((maps["below_corner"] == maps["places"] - 1).sum()),
        "corner_best": int(maps["corner_best"].sum()),
    }


page = page_of("clicks", "clicks/page.md.j2", facts)
"""Return the page as HTML: see `page_of`; tables: TABLES of columns.py; settings: the study's."""
