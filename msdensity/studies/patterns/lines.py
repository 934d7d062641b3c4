"""Lines across a board: their layouts, the dip that they make in the published table, and play.

A side s = 2, 5, 8, ... lets a whole line across have two layouts of (s + 1) / 3 mines that no other
cell tells apart (`stats.law`), so boards with such a side are harder than those beside them.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from msdensity.files.tables import check_table, read_table
from msdensity.games.boards import Board
from msdensity.stats.columns import DENSITY_COLUMNS
from msdensity.stats.law import COEFFICIENTS, law_terms
from msdensity.stats.logistic import fit_critical_density
from msdensity.studies.page import rows
from msdensity.studies.patterns.columns import DIP_COLUMNS, LINE_COLUMNS, PATTERN_COLUMNS

SHIPPED = Path(__file__).parents[1] / "densities" / "densities.csv"
"""No input of a rule: a rule of another study makes it, which plays for hours."""

LINE_SIDES = (5, 8)
"""Sides of which the layouts of a line are drawn."""

PRINTED_GAMES = 1000
"""Games for each number of mines behind Table B.2 (001, section 9)."""

ACROSS = 10
"""The other side of the boards p x 10; the table has no longer one."""

REPLICATES = 60
"""Of the bootstrap that says how far P of so many games is off."""


def line_board(board: Board) -> bool:
    """Return whether a line across the board, or around the torus, has several layouts."""
    rest = 0 if board.topology == "torus8" else 2
    return any(side % 3 == rest for side in (board.p, board.q))


def line_layouts(side: int) -> tuple[list[int], list[int]]:
    """Return the two layouts of a line, by places along it. side: 2 more than a multiple of 3."""
    first = list(range(0, side, 3))
    return first, [place + 1 for place in first]


def line_patterns() -> pd.DataFrame:
    """Return the lines of LINE_SIDES as rows of PATTERN_COLUMNS, across the board from its top."""
    found = []
    for side in LINE_SIDES:
        first, second = (
            " ".join(f"{place},{2}" for place in layout) for layout in line_layouts(side)
        )
        found.append((f"{side} x q", (side + 1) // 3, first, second, ""))
    return pd.DataFrame(found, columns=list(PATTERN_COLUMNS))


def law_minus_log(
    shape: tuple[int, int],
    density: float,
    start: str = "corner",
    topology: str = "square8",
    *,
    lines: bool = True,
    fixed_mines: bool = False,
) -> float:
    """Return -ln W by the law with its next orders, with or without lines across the board."""
    terms = law_terms(shape, density, start, topology, next_orders=True, fixed_mines=fixed_mines)
    kept = {name: value for name, value in terms.items() if lines or name != "lines"}
    return float(sum(COEFFICIENTS[name] * value for name, value in kept.items()))


def law_half(shape: tuple[int, int], *, lines: bool) -> float:
    """Return rho50 of the law from a safe corner, with or without lines across the board."""

    def excess(density: float) -> float:
        return law_minus_log(shape, density, lines=lines) - math.log(2)

    return float(brentq(excess, 1e-6, 0.9, xtol=1e-14))


def printed_error(rho50: float, k: float, cells: int) -> float:
    """Return the standard error of P fitted to PRINTED_GAMES for each number of mines.

    By the bootstrap of the published fit where W = 2^-((rho / rho50)^k).
    """
    mines = np.arange(1, cells)
    density = mines / cells
    wins = np.round(PRINTED_GAMES * 0.5 ** ((density / rho50) ** k)).astype(int)
    fit = fit_critical_density(
        density,
        wins / PRINTED_GAMES,
        wins=wins,
        games=np.full(len(mines), PRINTED_GAMES),
        replicates=REPLICATES,
        rng=np.random.default_rng(cells),
    )
    return float(fit.results()["Q_sd"])


def shipped_dip_table(printed: pd.DataFrame) -> pd.DataFrame:
    """Return `dip_table` of the densities that the package ships. printed: p, q, P of Table B.2."""
    return dip_table(read_table(SHIPPED, DENSITY_COLUMNS), printed)


def dip_table(densities: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Return each board beside the mean of its neighbours (DIP_COLUMNS).

    densities: DENSITY_COLUMNS; printed: p, q, P of Table B.2. The boards are p x 10 and squares.
    The contrast is the density at p less the mean of those at p - 1 and p + 1.
    """
    known = {(row.p, row.q): row for row in rows(densities)}
    printed_P = {(row.p, row.q): row.P for row in rows(printed)}
    found: list[dict[str, Any]] = []
    for series in ("p x 10", "squares"):
        shapes = [(p, ACROSS if series == "p x 10" else p) for p in range(4, ACROSS + 1)]
        shapes = [shape for shape in shapes if shape in known]
        errors = {
            shape: printed_error(known[shape].rho50, known[shape].k, shape[0] * shape[1])
            for shape in shapes
            if shape in printed_P
        }
        for quantity in ("published P", "P", "rho50"):
            values: dict[int, tuple[float, float]] = {}
            for shape in shapes:
                own = known[shape]
                if quantity == "published P":
                    if shape not in printed_P:
                        continue
                    values[shape[0]] = printed_P[shape], errors[shape]
                else:
                    values[shape[0]] = getattr(own, quantity), getattr(own, f"{quantity}_se")
            laws = {
                lines: {shape[0]: law_half(shape, lines=lines) for shape in shapes}
                for lines in (True, False)
            }
            for p, (value, error) in values.items():
                row: dict[str, Any] = {"series": series, "quantity": quantity, "p": p}
                row |= {"value": value, "error": error}
                row |= {"law": laws[True][p], "law_without_lines": laws[False][p]}
                near = [values.get(p - 1), values.get(p + 1)]
                row |= dict.fromkeys(("contrast", "contrast_error", "z"), np.nan)
                row |= dict.fromkeys(("law_contrast", "contrast_without_lines"), np.nan)
                if near[0] and near[1]:
                    sides = (p - 1, p + 1)
                    contrast = value - (near[0][0] + near[1][0]) / 2
                    spread = math.hypot(error, near[0][1] / 2, near[1][1] / 2)
                    row |= {"contrast": contrast, "contrast_error": spread, "z": contrast / spread}
                    for name, lines in (("law_contrast", True), ("contrast_without_lines", False)):
                        row[name] = laws[lines][p] - sum(laws[lines][s] for s in sides) / 2
                found.append(row)
    return check_table(pd.DataFrame(found, columns=list(DIP_COLUMNS)), DIP_COLUMNS, "dips")


def lines_table(line_games: pd.DataFrame) -> pd.DataFrame:
    """Return -ln W of boards with and without lines beside the law (LINE_COLUMNS).

    line_games: WIN_RATE_COLUMNS of the settings' line boards. The law is that of exactly m mines.
    """
    found = []
    for row in rows(line_games):
        board = Board.parse(row.board)
        start = "zero" if row.start == "zero" else "corner"
        x = -math.log(row.wins / row.games)
        error = math.sqrt(max(1 / row.wins - 1 / row.games, 1 / row.games**2))
        laws = [
            law_minus_log(
                (board.p, board.q),
                row.density,
                start,
                board.topology,
                lines=lines,
                fixed_mines=True,
            )
            for lines in (True, False)
        ]
        found.append(
            {
                "board": row.board,
                "mines": row.mines,
                "games": row.games,
                "lines": int(line_board(board)),
                "x": x,
                "error": error,
                "law": laws[0],
                "law_without_lines": laws[1],
                "z": (x - laws[0]) / error,
                "z_without_lines": (x - laws[1]) / error,
            }
        )
    return check_table(pd.DataFrame(found), LINE_COLUMNS, "lines")
