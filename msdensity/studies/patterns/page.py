"""The page of forced guesses: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from typing import Any

import pandas as pd

from msdensity.studies.page import Tables, page_of, rows
from msdensity.studies.patterns.settings import Settings

FIRST = {"corner": 3, "edge": 4, "bulk": 6, "zero start": 5, "corner start": 2}
"""Term -> its lowest order."""


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    orders, coefficients = tables["orders"], tables["coefficients"]
    first = coefficients.groupby("term")["order"].min()
    return {
        "study": settings,
        "orders": orders,
        "layouts": int(orders["sets"].sum()),
        "coefficients": coefficients,
        "series": {term: _series(own) for term, own in coefficients.groupby("term", sort=False)},
        "off": list(rows(coefficients[coefficients["value"] != coefficients["law"]])),
        "differs": list(rows(coefficients[coefficients["tested_on"].str.startswith("differs")])),
        "tested": int((coefficients["tested_on"].str.len() > 0).sum()),
        "first": all(first.get(term, order) == order for term, order in FIRST.items()),
        "patterns": tables["patterns"],
        "guesses": _guesses(orders),
    }


def _series(own: pd.DataFrame) -> str:
    """Return a series as text: 3 ρ^3 - 2 ρ^4."""
    text = " + ".join(f"{row.coefficient} ρ^{row.order}" for row in rows(own.sort_values("order")))
    return text.replace("+ -", "\N{MINUS SIGN} ").replace("-", "\N{MINUS SIGN}")


def _guesses(orders: pd.DataFrame) -> list[Any]:
    """Return the lowest order of each board without a start, with its guesses and losses."""
    alone = orders[(orders["start"] == "none") & (orders["loss"] != "0")]
    return list(rows(alone.drop_duplicates("board")))


page = page_of("patterns", "patterns/page.md.j2", facts)
"""Return the page as HTML: see `page_of`; tables: TABLES of columns.py; settings: the study's."""
