"""The page of forced guesses: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.stats.law import SERIES
from msdensity.studies.page import Page, Tables, rows
from msdensity.studies.patterns.lines import ACROSS
from msdensity.studies.patterns.settings import Settings

SIGMAS = 3
"""A contrast of so many standard errors is one; chance exceeds this once in 370."""


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    orders, coefficients = tables["orders"], tables["coefficients"]
    slopes = tables["players_slopes"]
    return {
        "study": settings,
        "orders": orders,
        "layouts": int(orders["sets"].sum()),
        "coefficients": coefficients,
        "series": {term: _series(own) for term, own in coefficients.groupby("term", sort=False)},
        "off": list(rows(coefficients[coefficients["value"] != coefficients["law"]])),
        "differs": list(rows(coefficients[coefficients["tested_on"].str.startswith("differs")])),
        "tested": int((coefficients["tested_on"].str.len() > 0).sum()),
        "sigmas": SIGMAS,
        "across": ACROSS,
        "dips": _dips(tables["dips"]),
        "lines": tables["lines"],
        "lines_off": int((tables["lines"]["z"].abs() > SIGMAS).sum()),
        "with_lines": list(rows(tables["lines"][tables["lines"]["lines"] == 1])),
        **_lattices(tables["lattices"]),
        **_players(tables["player_orders"]),
        "slopes": slopes,
        "steep": list(rows(slopes[slopes["slope"] - slopes["law"] > SIGMAS * slopes["error"]])),
    }


def _lattices(table: pd.DataFrame) -> dict[str, Any]:
    """Return the lowest terms of every lattice as text, and which of them are not the law's."""
    terms = [_term(row.T, row.U, row.power) for row in rows(table)]
    law = (table["T"] == table["T_law"]) & (table["U"] == table["U_law"])
    return {
        "lattices": table.assign(term=terms),
        "lattices_off": list(rows(table[~law])),
        "lattices_by": table["by"].value_counts().to_dict(),
        "lattices_bulk": {
            row.topology: _term(row.T, row.U, row.power)
            for row in rows(table[(table["place"] == "bulk") & (table["by"] != "sums")])
        },
    }


def _term(T: str, U: str, power: int) -> str:
    """Return a term as text: (2 + u) ρ^5."""
    parts = [] if T == "0" else [T]
    if U != "0":
        parts.append("u" if U == "1" else f"{U} u")
    if len(parts) == 2:
        return f"({' + '.join(parts)}) ρ^{power}"
    return f"{'' if parts == ['1'] else parts[0] + ' '}ρ^{power}"


def _dips(table: pd.DataFrame) -> dict[str, Any]:
    """Return the contrasts; lines, others: at boards with lines, and beside none (control)."""
    known = table[table["contrast"].notna()]
    known = known.assign(
        z_law=(known["contrast"] - known["law_contrast"]) / known["contrast_error"],
        z_without=(known["contrast"] - known["contrast_without_lines"]) / known["contrast_error"],
    )
    lined = known["p"] % 3 == 2
    dip = known["z"] < -SIGMAS
    return {
        "table": known,
        "lines": list(rows(known[lined])),
        "dips": int(dip[lined].sum()),
        "no_dip": list(rows(known[lined & ~dip])),
        "others": int((~lined).sum()),
        "others_dip": list(rows(known[~lined & dip])),
        "rejected": int((known["z_without"].abs() > SIGMAS)[lined].sum()),
        "off": int((known["z_law"].abs() > SIGMAS)[lined].sum()),
    }


def _players(table: pd.DataFrame) -> dict[str, Any]:
    """Return for each player the lowest orders at which it guesses and loses, by place.

    lower: those that lose at a lower order than the law's of `weighted`; more: those that lose more
    at the same order; guessers: those that guess in a corner at a lower order than they lose.
    """
    found: list[dict[str, Any]] = []
    for (player, place), own in table.groupby(["player", "place"], sort=False):
        guesses, losses = own[own["guessed"] > 0], own[own["loss"] > 0]
        first = next(rows(losses), None)
        order = min(SERIES[str(place)])
        found.append(
            {
                "player": player,
                "place": place,
                "guesses": guesses["mines"].min() if len(guesses) else np.nan,
                "loses": first.mines if first else np.nan,
                "loss": first.loss if first else np.nan,
                "error": first.error if first else np.nan,
                "most": own["mines"].max(),
                "law_order": order,
                "law": float(SERIES[str(place)][order]),
            }
        )
    players = pd.DataFrame(found)
    same = players["loses"] == players["law_order"]
    more = players["loss"] - players["law"] > SIGMAS * players["error"]
    corner = players[players["place"] == "corner"]
    early = corner["guesses"] < np.minimum(corner["law_order"], corner["loses"].fillna(np.inf))
    return {
        "players": players,
        "lower": list(rows(players[players["loses"] < players["law_order"]])),
        "more": list(rows(players[same & more])),
        "guessers": corner.loc[early, "player"].tolist(),
        "bulk": players[(players["place"] == "bulk")],
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
