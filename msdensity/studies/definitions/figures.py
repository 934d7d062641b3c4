"""The curves of all definitions, their densities against the board, peaks and relations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, ScalarFormatter

from msdensity.files.tables import require_columns
from msdensity.studies.definitions.columns import (
    CRITICAL_COLUMNS,
    MEAN_COLUMNS,
    PEAK_COLUMNS,
    RELATION_COLUMNS,
)
from msdensity.studies.definitions.means import DEFINITIONS
from msdensity.studies.definitions.results import PLACES
from msdensity.studies.plot import LOG, look, require_rows, styled

DENSITY = r"mine density $\rho$"

PANELS = {
    "won": "games won, $W$",
    "inferred": "opened without a guess, $F$",
    "no_guess": "won without a guess, $P$",
    "opened": "opened before the end",
    "guesses": "guesses in a game",
    "cascade": "opened by the first click",
    "clicks": "clicks per safe cell",
}
"""Titles of the panels of measures; the last panel is exact."""

NAMES = {
    "won": "half won",
    "no_guess": "half won without a guess",
    "one_guess": "one guess",
    "ln2_guesses": "ln 2 guesses",
    "opened": "half opened before the end",
    "inferred": "half opened without a guess",
    "cascade": "half opened by the first click",
    "clicks": "half of the cells need a click",
}
"""The definitions as legends name them."""

FORCED = ("won", "no_guess", "one_guess", "ln2_guesses")
"""Definitions that forced guesses decide: drawn without gaps."""

COLOURS = 7
"""Colours that differ."""

KNOWN = 0.06
"""Relations that are known to this share are drawn."""

SIDES_OF_PEAKS = 3
"""So many of the largest sides are drawn with peaks."""

STARTS = {"zero": "first click on a 0 in the middle", "safe": "first click safe, at the corner"}


@styled
def curves_figure(means: pd.DataFrame, critical: pd.DataFrame) -> Figure:
    """Return a panel for each measure: its mean against the density, a line for each side.

    means, critical: MEAN_COLUMNS and CRITICAL_COLUMNS; start on a 0; 95 % bars; crosses: where the
    definitions are met.
    """
    require_rows(means, "means table", MEAN_COLUMNS)
    require_columns(critical, CRITICAL_COLUMNS, "critical table")
    figure = Figure(figsize=(7.4, 8.6))
    axes = figure.subplots(4, 2).ravel()
    own = means[(means["part"] == "games") & (means["start"] == "zero")]
    sides = sorted(own["side"].unique().tolist())
    for ax, (measure, title) in zip(axes, PANELS.items(), strict=False):
        _lines(ax, own[own["measure"] == measure], sides)
        for name, definition in DEFINITIONS.items():
            if definition.measure != measure:
                continue
            ax.axhline(definition.target, color="0.8", linewidth=0.8, zorder=0)
            met = critical[(critical["definition"] == name) & (critical["start"] == "zero")]
            ax.plot(met["density"], [definition.target] * len(met), "kx", ms=6, mew=1.2, zorder=5)
        ax.set(title=title, xlim=(0, own["density"].max()))
        ax.set_ylim(bottom=0)
    rho = np.linspace(0, own["density"].max(), 200)
    for (place, near), line in zip(PLACES.items(), ("-", "--", ":"), strict=True):
        axes[-1].plot(rho, (1 - rho) ** near, color="0.3", linestyle=line, label=place)
    axes[-1].axhline(0.5, color="0.8", linewidth=0.8, zorder=0)
    axes[-1].set(title="a safe first click shows 0 (exact)", xlim=axes[0].get_xlim())
    axes[-1].set_ylim(bottom=0)
    axes[-1].legend(title="first cell")
    for ax in axes[-2:]:
        ax.set_xlabel(DENSITY)
    axes[0].legend(title="board")
    return figure


def _lines(ax: Axes, means: pd.DataFrame, sides: list[int]) -> None:
    """Draw a line for each side."""
    for side, own in means.sort_values("density").groupby("side"):
        style = look(sides.index(int(str(side))))
        ax.errorbar(
            own["density"],
            own["mean"],
            1.96 * own["mean_se"],
            ms=2.5,
            elinewidth=0.8,
            label=f"{side} × {side}",
            **style,
        )


@styled
def limits_figure(critical: pd.DataFrame) -> Figure:
    """Return the density of each definition against the number of cells, a panel for each start.

    critical: CRITICAL_COLUMNS; both axes are logarithmic, so that a power of n is a straight line
    and what has a limit levels off; 95 % intervals.
    """
    require_rows(critical, "critical table", CRITICAL_COLUMNS)
    figure = Figure(figsize=(7.4, 4.4))
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    for ax, (start, title) in zip(axes, STARTS.items(), strict=True):
        for i, name in enumerate(DEFINITIONS):
            own = critical[(critical["definition"] == name) & (critical["start"] == start)]
            own = own.sort_values("side")
            error = np.stack([own["density"] - own["low"], own["high"] - own["density"]])
            ax.errorbar(
                own["side"] ** 2,
                own["density"],
                np.maximum(error, 0),
                label=NAMES[name],
                linestyle="-" if name in FORCED else "--",
                **(look(i) | ({"color": "0.5"} if i >= COLOURS else {})),
            )
        ax.set(title=title, xlabel="cells of the board, n", xscale=LOG, yscale=LOG)
        ticks = [0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4]
        low, high = critical["density"].min(), critical["density"].max()
        ax.set_yticks([t for t in ticks if 0.9 * low < t < 1.1 * high])
        ax.yaxis.set_major_formatter(ScalarFormatter())
        ax.yaxis.set_minor_formatter(NullFormatter())
    axes[0].set_ylabel("mine density at which it is met")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


def _peak_panel(ax: Axes, means: pd.DataFrame, peaks: pd.DataFrame, measure: str) -> None:
    own = means[
        (means["part"] == "games") & (means["start"] == "zero") & (means["measure"] == measure)
    ]
    sides = sorted(means["side"].unique())[-SIDES_OF_PEAKS:]
    side: Any
    for i, side in enumerate(sides):
        line = own[own["side"] == side].sort_values("density")
        style = look(i)
        unit = 1e3 if measure == "cpu" else 1.0
        ax.errorbar(
            line["density"],
            unit * line["mean"],
            1.96 * unit * line["mean_se"],
            ms=2.5,
            elinewidth=0.8,
            label=f"{side} × {side}",
            **style,
        )
        at = peaks[
            (peaks["measure"] == measure) & (peaks["start"] == "zero") & (peaks["side"] == side)
        ]
        ax.errorbar(
            at["density"],
            unit * at["value"],
            xerr=1.96 * at["density_se"],
            fmt="kx",
            ms=6,
            mew=1.2,
            zorder=5,
        )
    ax.set(xlabel=DENSITY)


@styled
def peaks_figure(means: pd.DataFrame, peaks: pd.DataFrame) -> Figure:
    """Return guesses, and cells decided by whole components, against the density.

    means, peaks: MEAN_COLUMNS and PEAK_COLUMNS; crosses: the peaks, with 95 % bars.
    """
    require_rows(means, "means table", MEAN_COLUMNS)
    require_columns(peaks, PEAK_COLUMNS, "peaks table")
    figure = Figure(figsize=(7.4, 3.0))
    axes = figure.subplots(1, 2)
    _peak_panel(axes[0], means, peaks, "guesses")
    _peak_panel(axes[1], means, peaks, "component")
    axes[0].set(title="guesses in a game")
    axes[1].set(title="cells decided by a whole component")
    axes[1].legend()
    for ax in axes:
        ax.set_ylim(bottom=0)
    return figure


@styled
def cost_figure(cost: pd.DataFrame, cost_peaks: pd.DataFrame) -> Figure:
    """Return the CPU time of a game against the density. cost, cost_peaks: as `peaks_figure`."""
    require_rows(cost, "cost table", MEAN_COLUMNS)
    figure = Figure(figsize=(5.2, 3.0))
    ax = figure.subplots()
    _peak_panel(ax, cost, cost_peaks, "cpu")
    ax.set(ylabel="CPU time of a game (ms)", yscale=LOG)
    ax.legend()
    return figure


@styled
def relations_figure(relations: pd.DataFrame) -> Figure:
    """Return ln P / ln W and guesses / 2(1 - W) against W, start on a 0. RELATION_COLUMNS."""
    require_columns(relations, RELATION_COLUMNS, "relations table")  # no row if games are few
    figure = Figure(figsize=(7.4, 3.0))
    axes = figure.subplots(1, 2, sharex=True)
    own = relations[relations["start"] == "zero"]
    own = own[own["power_se"] < KNOWN * own["power"]]
    panels = (("power", 2.0, r"$\ln P\,/\,\ln W$"), ("ratio", 1.0, r"guesses / $2(1 - W)$"))
    for ax, (name, expected, title) in zip(axes, panels, strict=True):
        for i, (side, line) in enumerate(own.sort_values("W").groupby("side")):
            error = 1.96 * line[f"{name}_se"]
            ax.errorbar(line["W"], line[name], error, ms=3, label=f"{side} × {side}", **look(i))
        ax.axhline(expected, color="0.5", linestyle="--", linewidth=1)
        ax.set(title=title, xlabel="games won, $W$", xlim=(0, 1))
    if axes[1].containers:
        axes[1].legend(loc="upper right")
    return figure


FIGURES = {
    "curves": curves_figure,
    "limits": limits_figure,
    "peaks": peaks_figure,
    "cost": cost_figure,
    "relations": relations_figure,
}
"""The study's figures by the names of their files."""
