"""Where half of the games are won on every board, and how fast that density falls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.files.tables import check_table
from msdensity.games.boards import Board
from msdensity.kernel.measures import MEASURES
from msdensity.stats.lattice_law import SMALLEST_SIDE, lattice_rho50, lattice_terms
from msdensity.stats.rho50.measurement import MAX_APPROXIMATE, fit_counts
from msdensity.studies.topologies.columns import EXPONENT_COLUMNS, HALF_COLUMNS
from msdensity.studies.topologies.limits import limit_table
from msdensity.studies.topologies.settings import LATTICES, Settings, axes_of


def half_tables(games: pd.DataFrame, settings: Settings) -> dict[str, pd.DataFrame]:
    """Return the tables `halves`, `exponents` and `limits`. games: GAME_COLUMNS of all boards.

    Boards with more than a share of MAX_APPROXIMATE approximate games are in the first one only.
    """
    halves = half_table(games)
    exact = halves[halves["approximate"] <= MAX_APPROXIMATE]
    limits = limit_table(exact, settings.fits_from)
    return {"halves": halves, "exponents": exponent_table(exact), "limits": limits}


def half_table(games: pd.DataFrame) -> pd.DataFrame:
    """Return where half of the games are won (HALF_COLUMNS), by topology and size.

    games: GAME_COLUMNS.
    """
    rows = [_half(str(board), own) for board, own in games.groupby("board", sort=False)]
    table = pd.DataFrame(rows, columns=list(HALF_COLUMNS))
    order = table["topology"].map(LATTICES.index)
    table = table.assign(order=order).sort_values(["order", "cells"], ignore_index=True)
    return check_table(table[list(HALF_COLUMNS)], HALF_COLUMNS, "halves")


def _half(name: str, games: pd.DataFrame) -> dict[str, Any]:
    board, ordered = Board.parse(name), games.sort_values("mines")
    counts = {
        int(row["mines"]): {each: int(row[each]) for each in ("games", *MEASURES)}
        for row in ordered.to_dict("records")
    }
    first: Any = ordered.iloc[0]
    measured = fit_counts(counts, board.cells, (first["low"], first["high"]))
    share = measured.approximate / ordered["games"].sum()
    # The control variate takes the stated safeties as exact.
    fit = measured.plain if share > MAX_APPROXIMATE else measured.best
    laws = {"law": np.nan, "law_next": np.nan}
    if min(board.shape) >= SMALLEST_SIDE:
        laws = {
            name: lattice_rho50(board.shape, board.topology, next_orders=name == "law_next")
            for name in laws
        }
    return {
        "board": board.name,
        "topology": board.topology,
        "side": board.shape[0],
        "cells": board.cells,
        "games": int(ordered["games"].sum()),
        "rho50": fit.rho50,
        "rho50_se": np.nan if fit.no_fit else fit.error,
        "rho50_low": fit.interval.low,
        "rho50_high": fit.interval.high,
        "steepness": fit.k,
        "deviance": fit.deviance,
        "df": max(fit.points - 1 - fit.degree, 0),
        "approximate": share,
        **laws,
        "note": "; ".join([*fit.notes, *[fit.no_fit] * bool(fit.no_fit)]),
    }


def exponent_table(halves: pd.DataFrame) -> pd.DataFrame:
    """Return the local exponents between boards of one side and of twice it (EXPONENT_COLUMNS).

    halves: HALF_COLUMNS.
    """
    rows = []
    for topology, own in halves.dropna(subset=["rho50_se"]).groupby("topology", sort=False):
        by_side = own.set_index("side")
        power = bulk_power(str(topology))
        for side in by_side.index:
            if 2 * side not in by_side.index:
                continue
            small, large = by_side.loc[side], by_side.loc[2 * side]
            step = np.log(large["cells"] / small["cells"])
            relative = [row["rho50_se"] / row["rho50"] for row in (small, large)]
            rows.append(
                {
                    "topology": topology,
                    "side": side,
                    "twice": 2 * side,
                    "exponent": np.log(small["rho50"] / large["rho50"]) / step,
                    "exponent_se": np.hypot(*relative) / step,
                    "law": np.log(small["law"] / large["law"]) / step,
                    "limit": 1 / power,
                }
            )
    table = pd.DataFrame(rows, columns=list(EXPONENT_COLUMNS))
    return check_table(table, EXPONENT_COLUMNS, "exponents")


def bulk_power(topology: str) -> int:
    """Return k, the fewest mines of an unavoidable guess far from all sides."""
    return min(term.power for term in lattice_terms(topology) if not term.sides)


def boards_of(topology: str, sides: str = "q") -> str:
    """Return the shape of the boards of a topology in words, such as q × q."""
    return " × ".join([sides] * axes_of(topology))
