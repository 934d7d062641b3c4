"""Critical density of square boards against their side, extrapolated: Figure 9.6."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from msdensity.files.tables import require_columns
from msdensity.stats.columns import EXTRAPOLATION_COLUMNS, FIT_COLUMNS
from msdensity.stats.hyperbola import (
    SMALLEST_SQUARE,
    ExtrapolationFit,
    fit_squares,
    hyperbola,
    squares,
    whole_range,
)
from msdensity.studies.plot import (
    EXACT,
    bars,
    hollow,
    legend_name,
    look,
    name_left_out,
    players_of,
    styled,
    whiten_exact,
)


def plot_squares(
    ax: Axes,
    fits: pd.DataFrame,
    extrapolation: Any,
    *,
    color: str = "C0",
    marker: str = "o",
    label: str | None = None,
    shift: float = 0,
) -> None:
    """Draw the critical density of one player's square boards against side q, extrapolated.

    fits: rows of fits_table of one player and topology; extrapolation: an ExtrapolationFit, which
    adds its 95 % band, or a row of extrapolation_table, or None. Bars are the bootstrap intervals
    (95 %); the curve is solid over the fitted sides and dashed beyond them; the horizontal line is
    c. Points of exact win rates are hollow. shift: moves the points sideways, but not the curve.
    """
    points = squares(fits)
    side = points["q"].to_numpy(float)
    ax.errorbar(
        side + shift,
        points["P"],
        yerr=bars(points),
        fmt=marker,
        color=color,
        elinewidth=0.8,
        label=label,
        zorder=3,
    )
    whiten_exact(ax, side + shift, points, color=color, marker=marker)
    if extrapolation is None or not np.isfinite(extrapolation.c):
        return
    a, b, c = (float(getattr(extrapolation, name)) for name in "abc")
    ends = (float(extrapolation.q_min), float(extrapolation.q_max))
    for start, stop, line in ((*ends, "-"), (ends[1], 2 * ends[1], "--")):
        q = np.linspace(start, stop, 201)
        ax.plot(q, hyperbola(q, a, b, c), line, color=color, zorder=2)
    if isinstance(extrapolation, ExtrapolationFit) and np.isfinite(extrapolation.c_se):
        q = np.linspace(ends[0], 2 * ends[1], 401)
        middle, error = extrapolation.predict(q), 1.96 * extrapolation.predict_error(q)
        ax.fill_between(q, middle - error, middle + error, color=color, alpha=0.15, linewidth=0)
    ax.axhline(c, color=color, linestyle=":", linewidth=1, zorder=1)


def plot_published(ax: Axes, published: pd.DataFrame) -> None:
    """Draw the printed P of square boards with the paper's curve, fitted to them again.

    published: PUBLISHED_COLUMNS.
    """
    chosen = published[(published["p"] == published["q"]) & (published["q"] >= SMALLEST_SQUARE)]
    side = chosen["q"].to_numpy(float)
    fit = fit_squares(side, chosen["P"])
    label = f"published: $c$ = {fit.c:.3f} ± {fit.c_se:.3f}"
    ax.plot(side, chosen["P"], "x", color="0.15", label=label, zorder=3)
    for start, stop, line in ((fit.q_min, fit.q_max, "-"), (fit.q_max, 2 * fit.q_max, "--")):
        q = np.linspace(start, stop, 201)
        ax.plot(q, fit.predict(q), line, color="0.15", linewidth=0.9, zorder=2)
    ax.axhline(fit.c, color="0.15", linestyle=":", linewidth=1, zorder=1)


@styled
def squares_figure(
    fits: pd.DataFrame, extrapolation: pd.DataFrame, published: pd.DataFrame | None = None
) -> Figure:
    """Return critical density against side of square boards, one colour per player and topology.

    fits: FIT_COLUMNS; extrapolation: EXTRAPOLATION_COLUMNS, of which the range of all boards is
    drawn; published: PUBLISHED_COLUMNS, drawn in black. The legend gives c and its error.
    """
    require_columns(fits, FIT_COLUMNS, "fits")
    require_columns(extrapolation, EXTRAPOLATION_COLUMNS, "extrapolation")
    figure = Figure(figsize=(5.6, 4.4))
    ax = figure.subplots()
    points = squares(fits)
    others = fits.loc[
        (fits["p"] != fits["q"]).fillna(False) | (fits["q"] < SMALLEST_SQUARE), "board"
    ]
    players = players_of(fits)
    row: Any
    ordered = whole_range(extrapolation).sort_values(["topology", "player"])
    beyond = len(players)
    for index, row in enumerate(ordered.itertuples(index=False)):
        own = points[(points["player"] == row.player) & (points["topology"] == row.topology)]
        if not len(own):
            continue
        name = legend_name(row.player, players)
        name += "" if row.topology == "square8" else f", {row.topology}"
        if np.isfinite(row.c):
            error = f" ± {row.c_se:.3f}" if np.isfinite(row.c_se) else ""
            name += f": $c$ = {row.c:.3f}{error}{_misfit(own, row)}"
        place = beyond
        if row.topology == "square8":
            place = players.index(row.player)
        else:
            beyond += 1
        # All between two sides, however many there are.
        shift = min(0.12, 0.6 / len(ordered)) * (index - (len(ordered) - 1) / 2)
        plot_squares(ax, own, row, label=name, shift=shift, **look(place))
    if published is not None:
        plot_published(ax, published)
    ax.set(xlabel="side $q$ of a $q$ × $q$ board", ylabel="critical density $P$")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    handles, _ = ax.get_legend_handles_labels()
    if (points["Q_sd"] == 0).any():
        handles.append(hollow(EXACT, "0.3"))
    if handles:
        figure.legend(handles=handles, loc="outside upper center")
    name_left_out(figure, fits["board"], [*points["board"], *others])
    return figure


def _misfit(points: pd.DataFrame, row: Any) -> str:
    """Return how far the worst point is from the curve, if chance does not explain it.

    Exact points have no error: what they are off is in P, and never chance.
    """
    away = (points["P"] - hyperbola(points["q"].astype(float), row.a, row.b, row.c)).abs()
    worst = float((away / points["Q_sd"])[points["Q_sd"] > 0].max())
    exact = float(away[points["Q_sd"] == 0].max())
    if worst > 3.29:
        if np.isfinite(exact):
            return f" (up to {worst:.0f} sd, exact {exact:.4f} off)"
        return f" (points up to {worst:.0f} sd off)"
    return f" (exact points up to {exact:.4f} off)" if np.isfinite(exact) else ""


FIGURES = {"figure_9_6": squares_figure}
"""The figures of this file by the names of their files."""
