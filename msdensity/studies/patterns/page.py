"""The page of forced guesses: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from typing import Any

import pandas as pd

from msdensity.studies.page import Page, Tables, rows
from msdensity.studies.patterns.settings import Settings


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    orders, coefficients = tables["orders"], tables["coefficients"]
    return {
        "study": settings,
        "orders": orders,
        "layouts": int(orders["sets"].sum()),
        "coefficients": coefficients,
        "series": {term: _series(own) for term, own in coefficients.groupby("term", sort=False)},
        "off": list(rows(coefficients[coefficients["value"] != coefficients["law"]])),
        "differs": list(rows(coefficients[coefficients["tested_on"].str.startswith("differs")])),
        "tested": int((coefficients["tested_on"].str.len() > 0).sum()),
    }


def _series(own: pd.DataFrame) -> str:
    """Return a series as text: 3 ρ^3 - 2 ρ^4."""
    text = ""
    for row in rows(own.sort_values("order")):
        size = str(row.coefficient).removeprefix("-")
        sign = "\N{MINUS SIGN}" if row.value < 0 else "+" if text else ""
        text += f" {sign} {'' if size == '1' else size + ' '}ρ^{row.order}"
    return text.strip()


page = Page("patterns", "patterns/page.md.j2", "patterns/finding.md.j2", facts)
"""The page: see `Page`."""
