"""What opens and what is won, the fronts, their collapse, and the other topologies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy import special

from msdensity.files.tables import require_columns
from msdensity.games.front import RULES
from msdensity.stats.intervals import wilson
from msdensity.studies.percolation.columns import (
    FIT_COLUMNS,
    FRONT_COLUMNS,
    GAME_COLUMNS,
    THRESHOLD_COLUMNS,
)
from msdensity.studies.percolation.results import FRONTS, KEYS, OWN, measured
from msdensity.studies.percolation.scaling import CORRECTED, FIXED, NU
from msdensity.studies.percolation.settings import GUESSER
from msdensity.studies.plot import look, require_rows, styled

NAMES = {
    "zeros": "cascade of 0s",
    "single": "single cells",
    "pairs": "pairs of cells",
    "unit": "unit refutation",
    "complete": "complete",
}
"""The sets of rules as the figures and the page name them."""

DENSITY = r"mine density $\rho$"

SQUARE = "square8"


@styled
def games_figure(games: pd.DataFrame, thresholds: pd.DataFrame) -> Figure:
    """Return F of complete deduction and W of the player that guesses, a line for each side.

    games, thresholds: GAME_COLUMNS and THRESHOLD_COLUMNS; 95 % bars.
    """
    require_rows(games, "games table", GAME_COLUMNS)
    figure = Figure(figsize=(7.4, 3.2))
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    table = measured(games)
    panels = (("complete", "F", "opened without a guess, F"), (GUESSER, "W", "games won, W"))
    for ax, (rules, measure, title) in zip(axes, panels, strict=True):
        own = table[table["rules"] == rules].sort_values("density")
        for i, (side, line) in enumerate(own.groupby("side")):
            error = 1.96 * line[f"{measure}_se"]
            ax.errorbar(
                line["density"], line[measure], error, ms=3, label=f"{side} × {side}", **look(i)
            )
        for row in _thresholds(thresholds, SQUARE, "complete"):
            ax.axvline(row.rho_c, color="0.5", linestyle="--", linewidth=1)
        ax.axhline(0.5, color="0.8", linewidth=0.8, zorder=0)
        ax.set(title=title, xlabel=DENSITY)
    axes[0].set_ylabel("mean share")
    axes[1].legend()
    return figure


@styled
def rules_figure(games: pd.DataFrame, thresholds: pd.DataFrame) -> Figure:
    """Return F of each set of rules on the largest board, with their critical densities as lines.

    games, thresholds: GAME_COLUMNS and THRESHOLD_COLUMNS; 95 % bars.
    """
    require_rows(games, "games table", GAME_COLUMNS)
    figure = Figure(figsize=(5.2, 3.2))
    ax = figure.subplots()
    table = measured(games)
    side = table["side"].max()
    for i, rules in enumerate(RULES):
        own = table[(table["rules"] == rules) & (table["side"] == side)].sort_values("density")
        error = 1.96 * own["F_se"]
        ax.errorbar(own["density"], own["F"], error, ms=3, label=NAMES[rules], **look(i))
        for row in _thresholds(thresholds, SQUARE, rules):
            ax.axvline(row.rho_c, color=look(i)["color"], linestyle="--", linewidth=1)
    ax.set(xlabel=DENSITY, ylabel=f"opened without a guess, F ({side} × {side})")
    ax.legend()
    return figure


@styled
def fronts_figure(fronts: pd.DataFrame, fits: pd.DataFrame) -> Figure:
    """Return R against the density, a panel for each set of rules, with the fitted curves.

    fronts, fits: FRONT_COLUMNS and FIT_COLUMNS; 95 % intervals.
    """
    return _panels(fronts[fronts["topology"] == SQUARE], fits, collapsed=False)


@styled
def collapse_figure(fronts: pd.DataFrame, fits: pd.DataFrame) -> Figure:
    """Return R against (rho - rho_c) L^(3/4), a panel for each set of rules.

    fronts, fits: FRONT_COLUMNS and FIT_COLUMNS; 95 % intervals. Points of all sides fall on the
    curve of large boards if there is a transition like that of ordinary percolation.
    """
    return _panels(fronts[fronts["topology"] == SQUARE], fits, collapsed=True)


@styled
def topologies_figure(fronts: pd.DataFrame, fits: pd.DataFrame) -> Figure:
    """Return R of complete deduction against (rho - rho_c) L^(3/4), a panel for each topology."""
    return _panels(fronts[fronts["rules"] == "complete"], fits, collapsed=True)


def _panels(fronts: pd.DataFrame, fits: pd.DataFrame, *, collapsed: bool) -> Figure:
    require_rows(fronts, "fronts table", FRONT_COLUMNS)
    require_columns(fits, FIT_COLUMNS, "fits table")
    groups = [*fronts.groupby(KEYS, sort=False)]
    columns = min(len(groups), 3)
    rows = -(-len(groups) // columns)
    figure = Figure(figsize=(2.6 * columns, 2.4 * rows + 0.3))
    axes = figure.subplots(rows, columns, sharey=True, squeeze=False).ravel()
    key: Any
    for ax, (key, own) in zip(axes, groups, strict=False):
        topology, rules = key
        _panel(ax, own, best_fit(fits, topology, rules), collapsed)
        one = fronts["topology"].nunique() == 1
        ax.set(title=NAMES[rules] if one else topology)
        ax.set_xlabel(r"$(\rho - \rho_c)\,L^{3/4}$" if collapsed else DENSITY)
    for ax in axes[len(groups) :]:
        ax.set_axis_off()
    for ax in axes[::columns]:
        ax.set_ylabel("boards crossed, R")
    if axes[0].containers:  # no point has a place if no curve could be fitted
        axes[0].legend(title="L")
    return figure


def best_fit(fits: pd.DataFrame, topology: str, rules: str) -> Any:
    """Return the row of the fit that gives rho_c, or None: with b / L if there is one."""
    own = fits[(fits["topology"] == topology) & (fits["rules"] == rules) & (fits["sizes"] == OWN)]
    own = own[own["smallest"] == own["smallest"].min()]
    for model in (CORRECTED, FIXED):
        for row in own[own["model"] == model].itertuples():
            return row
    return None


def _panel(ax: Axes, fronts: pd.DataFrame, fit: Any, collapsed: bool) -> None:
    side: Any
    for i, (side, own) in enumerate(fronts.sort_values("density").groupby("side")):
        scale = float(side) ** (1 / NU)
        share = own["crossed"] / own["games"]
        low, high = wilson(own["crossed"], own["games"])
        error = np.maximum(np.stack([share - low, high - share]), 0)
        if collapsed and fit is None:
            continue
        x = (own["density"] - fit.rho_c) * scale if collapsed else own["density"]
        style = look(i)
        ax.errorbar(x, share, error, linestyle="none", ms=3, label=str(side), **style)
        if fit is None:
            continue
        rho = np.linspace(own["density"].min(), own["density"].max(), 200)
        u = (rho - fit.rho_c) * scale
        curve = np.polynomial.polynomial.polyval(u, [fit.c0, fit.c1, fit.c2, fit.c3])
        if not collapsed:
            curve += fit.b / float(side)
            ax.plot(rho, special.expit(curve), color=style["color"], linewidth=1)
        elif i == 0:
            ax.plot(u, special.expit(curve), color="0.3", linewidth=1)


def _thresholds(thresholds: pd.DataFrame, topology: str, rules: str) -> Any:
    require_rows(thresholds, "thresholds table", THRESHOLD_COLUMNS)
    own = thresholds[(thresholds["topology"] == topology) & (thresholds["rules"] == rules)]
    return own[own["method"] == FRONTS].itertuples()


FIGURES = {
    "games": games_figure,
    "rules": rules_figure,
    "fronts": fronts_figure,
    "collapse": collapse_figure,
    "topologies": topologies_figure,
}
"""The study's figures by the names of their files."""
