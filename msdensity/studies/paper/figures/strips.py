"""Critical density of 1 x q boards and its series in 1/q: Figures 9.3 and 9.4."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from msdensity.errors import InputError
from msdensity.files.tables import require_columns
from msdensity.stats.columns import SERIES_COLUMNS
from msdensity.stats.series import fit_series, strips
from msdensity.studies.plot import (
    EXACT,
    LOG,
    bars,
    hollow,
    legend_name,
    look,
    players_of,
    require_rows,
    styled,
    whiten_exact,
)

DRAWN_TERMS = (2, 5, 10)

_LINES = ("--", "-.", "-")


def plot_strips(ax: Axes, fits: pd.DataFrame, *, color: str = "C0", marker: str = "o") -> None:
    """Draw P of one player's 1 x q boards against q with fits of 2, 5 and 10 terms of the series.

    fits: FIT_COLUMNS of one player; bars are bootstrap intervals (95 %). A number of terms that
    the boards cannot determine is not drawn. The fits are drawn at whole q, joined by lines. Exact
    points are hollow.
    """
    points = strips(fits)
    side = points["q"].to_numpy(float)
    how: dict[str, Any] = {"fmt": marker, "ms": 2.4, "color": color, "elinewidth": 0.8}
    ax.errorbar(side, points["P"], yerr=bars(points), label="our boards", **how)
    whiten_exact(ax, side, points, color=color, marker=marker, size=2.4)
    q = np.arange(side.min(), side.max() + 1)  # between whole q, 10 terms swing without bounds
    for terms, line in zip(DRAWN_TERMS, _LINES, strict=True):
        if terms < len(side):
            try:
                curve = fit_series(side, points["P"], terms).predict(q)
            except InputError:  # sides too nearly equal for so many terms
                break
            label = f"{terms} terms"
            ax.plot(q, curve, line, color="0.25", linewidth=0.9, label=label, zorder=3)


@styled
def strips_figure(fits: pd.DataFrame, published: pd.DataFrame | None = None) -> Figure:
    """Return P of 1 x q boards against q, one panel per player (Figure 9.3).

    fits: FIT_COLUMNS; published: PUBLISHED_COLUMNS. Raises InputError without a 1 x q board.
    """
    require_columns(fits, ("p", "q", "player", "P", "Q_sd", "Q_low", "Q_high"), "fits")
    chosen = strips(fits)
    players = players_of(chosen)
    if not players:
        raise InputError("fits has no board 1 x q, must have at least 1 to draw")
    figure = Figure(figsize=(3.7 * len(players), 3.4))
    axes = figure.subplots(1, len(players), squeeze=False, sharey=True)[0]
    for index, (ax, player) in enumerate(zip(axes, players, strict=True)):
        plot_strips(ax, chosen[chosen["player"] == player], **look(index))
        if published is not None:
            printed = published[published["p"] == 1]
            label = "published"
            ax.plot(printed["q"], printed["P"], "x", color="0.15", label=label, zorder=4)
        ax.set(title=legend_name(player, players), xlabel="length $q$ of a 1 × $q$ board")
        # Long boards, where the series is tested, have a P of a tenth of that of short ones.
        ax.set_yscale(LOG)
        lowest = float(chosen["P"].min())
        ticks = [t for t in (0.05, 0.1, 0.2, 0.5, 1) if t >= lowest / 2]
        ax.set(ylim=(lowest / 1.3, 1.15), yticks=ticks)
        ax.set_yticklabels([f"{t:g}" for t in ticks])
        ax.minorticks_off()
        handles, _ = ax.get_legend_handles_labels()
        if (chosen.loc[chosen["player"] == player, "Q_sd"] == 0).any():
            handles.append(hollow(EXACT, "0.3"))
        ax.legend(handles=handles, loc="upper right")
    axes[0].set_ylabel("critical density $P$")
    return figure


def plot_limits(
    ax: Axes,
    series: pd.DataFrame,
    *,
    shift: float = 0.0,
    color: str = "C0",
    marker: str = "o",
    hollow: bool = False,
    label: str | None = None,
) -> None:
    """Draw a0 of one player and range of q against the number of terms, with 95 % intervals.

    series: rows of `series_table`; shift: to the right, in terms, to part what would overlap.
    """
    limits = series[series["n"] == 0].sort_values("terms")
    ax.errorbar(
        limits["terms"] + shift,
        limits["a"],
        yerr=1.96 * limits["a_se"],
        color=color,
        marker=marker,
        markerfacecolor="white" if hollow else color,
        linestyle=":" if hollow else "-",
        linewidth=0.8,
        elinewidth=0.8,
        label=label,
    )


@styled
def limits_figure(series: pd.DataFrame) -> Figure:
    """Return a0 against the number of terms of the series, for each player and range (Figure 9.4).

    series: SERIES_COLUMNS. Raises InputError without a row or column.
    """
    require_rows(series, "series")
    require_columns(series, SERIES_COLUMNS, "series")
    groups: Any = list(series.groupby(["player", "q_min", "q_max"]))
    players = players_of(series)
    figure = Figure(figsize=(6.0, 3.8))
    ax = figure.subplots()
    for place, ((player, low, high), rows) in enumerate(groups):
        plot_limits(
            ax,
            rows,
            shift=0.12 * (place - (len(groups) - 1) / 2),
            hollow=low > series["q_min"].min(),
            label=f"{legend_name(player, players)}, $q$ = {low}..{high}",
            **look(players.index(player)),
        )
    ax.axhline(0, color="0.5", linewidth=0.8, zorder=0)
    most = int(series["terms"].max())
    ax.set(
        xticks=range(1, most + 1),
        xlabel="number of terms $k$ of the series",
        ylabel="limit $a_0$ of the series",
    )
    figure.legend(loc="outside upper center", ncols=2)
    return figure


FIGURES = {"figure_9_3": strips_figure, "figure_9_4": limits_figure}
"""The figures of this file by the names of their files."""
