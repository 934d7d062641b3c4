"""Win rate against mine density: Figure 9.5, and all boards on one page."""

from __future__ import annotations

import math
from itertools import chain, cycle
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.colors import is_color_like
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from msdensity.errors import InputError, require_kind, shown
from msdensity.files.tables import require_columns
from msdensity.stats.columns import FIT_COLUMNS, MODEL_COLUMNS
from msdensity.stats.curve import check_curve
from msdensity.stats.exact_rates import is_exact
from msdensity.stats.fit import Fit
from msdensity.stats.model_tables import row_model
from msdensity.stats.rho50.fit_object import Rho50Fit
from msdensity.studies.plot import (
    MARKERS,
    board_name,
    hollow,
    legend_above,
    legend_name,
    look,
    name_left_out,
    our_style,
    players_of,
    require_axes,
    require_rows,
    styled,
)

_COLUMNS = 7

_BROKEN = ("--", "-.", ":")

_CORRECTED = "set to 0 by the $W$-correction"

_CROSSES = dict(zip(MARKERS, ("x", "+", "1", "2", "3", "4", "|"), strict=True))
"""The marker of exact win rates by that of a player: two that lie on each other are both seen."""

_PANEL = 1.15  # inches, the side of one panel: 63 boards fill a page

_DRAWN = (
    *("board", "p", "q", "player", "density"),
    *("win_rate", "win_rate_low", "win_rate_high", "correction_rule"),
)


_OF_RATES = ("win_rate_low", "win_rate_high", "correction_rule")


def plot_win_rates(
    ax: Axes, table: pd.DataFrame, fit: Any, *, color: str = "C0", marker: str = "o"
) -> None:
    """Draw the win rates of one board and player against mine density, with their fit.

    table: rows of one curve with the columns CORRECTED_COLUMNS; fit: of the curve, by
    `fit_critical_density`, `fit_model` or `fit_rho50`, or a row of fits_table, or None. Filled
    markers are the win rates fitted, with the 95 % interval of the raw ones; crosses are exact win
    rates; hollow markers are raw win rates that the W-correction set to 0. The vertical line is the
    critical density P, or rho50.
    """
    require_axes(ax)
    require_kind("table", table, pd.DataFrame, "a DataFrame")
    require_columns(table, ("density", "win_rate", *_OF_RATES), "the table of a curve")
    table = check_curve(table)
    known = isinstance(marker, str) and marker in Line2D.markers
    if not known or not is_color_like(color):
        raise InputError(f"color={shown(color)} and marker={shown(marker)} must be of matplotlib")
    exact = is_exact(table)
    counted = table[exact & (table["correction_rule"] == 0)]
    if len(counted):
        how = _exact_look(_CROSSES.get(marker, "x"))
        ax.plot(counted["density"], counted["win_rate"], color=color, zorder=3, **how)
    kept = table[~exact & (table["correction_rule"] == 0)]
    # A rounded rate can stick out of its interval by an ulp, which errorbar refuses.
    low = np.maximum(kept["win_rate"] - kept["win_rate_low"], 0)
    high = np.maximum(kept["win_rate_high"] - kept["win_rate"], 0)
    ax.errorbar(
        kept["density"],
        kept["win_rate"],
        yerr=[low, high],
        fmt=marker,
        color=color,
        elinewidth=0.8,
        zorder=3,
    )
    changed = table[table["correction_rule"] > 0]
    ax.plot(
        changed["density"],
        changed["win_rate"],
        marker,
        color=color,
        markerfacecolor="none",
        markeredgewidth=0.7,
        zorder=3,
    )
    if fit is not None:
        _plot_curve(ax, fit, color, "-")
        place = float(fit.rho50 if isinstance(fit, Rho50Fit) else fit.P)
        ax.axvline(place, color=color, linestyle=":", linewidth=1, zorder=1)


def _exact_look(cross: str = "x") -> dict[str, Any]:
    """Return how exact win rates are drawn."""
    size = 1.6 * rcParams["lines.markersize"]
    return {"marker": cross, "linestyle": "", "markersize": size, "markeredgewidth": 0.8}


def _exact_entry() -> Line2D:
    """Return the entry of a legend for exact win rates."""
    return Line2D([], [], label="crosses: exact, all layouts", color="0.3", **_exact_look())


def _plot_curve(ax: Axes, fit: Any, color: str, line: str) -> None:
    """Draw the curve of a fit or of a row of fits_table."""
    density = np.linspace(0, 1, 401)
    if isinstance(fit, Fit):
        rate = fit.predict(density)
    else:
        model, values = row_model(fit)
        rate = model.rates(density, values)
    ax.plot(density, rate, line, color=color, zorder=2)


def win_rates_figure(
    win_rates: pd.DataFrame, fits: pd.DataFrame, models: pd.DataFrame | None = None
) -> Figure:
    """Return win rate against mine density with fits, one panel per board, one colour per player.

    win_rates: columns CORRECTED_COLUMNS; fits: FIT_COLUMNS; models: MODEL_COLUMNS, of which those
    beside the one in `fits` are drawn with broken lines. Grey: the points (0, 1) and (1, 0), which
    the fit adds. Boards 1 x q with q > 10 look all alike and are named as left out. Raises
    InputError without a row or column.
    """
    require_columns(win_rates, _DRAWN, "corrected win rates")
    require_columns(fits, FIT_COLUMNS, "fits")
    long_strip = (win_rates["p"] == 1).fillna(False) & (win_rates["q"] > 10).fillna(False)
    all_boards = win_rates["board"]
    win_rates = win_rates[~long_strip]
    require_rows(win_rates, "win_rates")
    others, lines = pd.DataFrame(columns=list(MODEL_COLUMNS)), {}
    if models is not None:
        require_columns(models, MODEL_COLUMNS, "models")
        names = list(dict.fromkeys([*fits["model"], *models["model"]]))
        lines = dict(zip(names, chain("-", cycle(_BROKEN)), strict=False))
        others = models[models["model"] != names[0]]
    boards = list(dict.fromkeys(win_rates["board"]))
    players = players_of(win_rates)
    columns = min(_COLUMNS, len(boards))
    rows = math.ceil(len(boards) / columns)
    with our_style({"lines.markersize": 1.6, "axes.titlesize": 8, "xtick.labelsize": 7}):
        # Room above for the legend, which a figure of one narrow panel needs in width too.
        width = max(columns * _PANEL, 4.6)
        figure = Figure(figsize=(width, rows * _PANEL + 0.7))
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        axes = list(grid.flat)
        for ax, board in zip(axes, boards, strict=False):
            ax.set_title(board_name(board))
            ax.plot((0, 1), (1, 0), "o", color="0.6", markerfacecolor="none", zorder=2.5)
            for index, player in enumerate(players):
                here = (win_rates["board"] == board) & (win_rates["player"] == player)
                fit = fits[(fits["board"] == board) & (fits["player"] == player)]
                row = next(fit.itertuples(), None)
                plot_win_rates(ax, win_rates[here], row, **look(index))
                here = (others["board"] == board) & (others["player"] == player)
                for other in others[here].itertuples():
                    _plot_curve(ax, other, f"C{index}", lines[str(other.model)])
            ax.set(xlim=(0, 1), ylim=(-0.05, 1.05), xticks=(0, 0.5, 1), yticks=(0, 0.5, 1))
            ax.set_xticklabels(("0", "0.5", "1"))  # short, not to touch those of the next panel
        for index, ax in enumerate(axes):
            if index >= len(boards):
                ax.remove()
            elif index + columns >= len(boards):  # nothing below it carries the numbers
                ax.tick_params(labelbottom=True)
        points = [hollow("points that the fit adds", "0.6")]
        if (win_rates["correction_rule"] > 0).any():
            points.insert(0, hollow(_CORRECTED, "0.3"))
        if is_exact(win_rates).any():
            points.insert(0, _exact_entry())
        legend_above(figure, players, lines, points)
        figure.supxlabel(r"mine density $\rho$", fontsize=9)
        name_left_out(figure, all_boards, boards)
        figure.supylabel("win rate $W$", fontsize=9)
    return figure


@styled
def win_rate_figure(win_rates: pd.DataFrame, fits: pd.DataFrame, board: str) -> Figure:
    """Return the win rates of one board with their fits, one colour per player (Figure 9.5).

    win_rates: columns CORRECTED_COLUMNS; fits: FIT_COLUMNS. The legend gives each Q with its
    standard deviation. Raises InputError if the board is not in the table.
    """
    require_columns(win_rates, _DRAWN, "corrected win rates")
    require_columns(fits, FIT_COLUMNS, "fits")
    here = win_rates[win_rates["board"] == board]
    if not len(here):
        raise InputError(f"board={board} must be one of {', '.join(win_rates['board'].unique())}")
    figure = Figure(figsize=(5.2, 3.6))
    ax = figure.subplots()
    handles = []
    players = players_of(win_rates)
    for index, player in enumerate(players):
        fit = fits[(fits["board"] == board) & (fits["player"] == player)]
        row: Any = next(fit.itertuples(), None)
        plot_win_rates(ax, here[here["player"] == player], row, **look(index))
        name = legend_name(player, players)
        if row is not None:
            spread = f" ± {row.Q_sd:.4f}" if row.Q_sd > 0 else ""
            if np.isfinite(row.Q):
                name += f": $Q$ = {row.Q:.4f}{spread}".replace("-", "\N{MINUS SIGN}")
        handles.append(Line2D([], [], label=name, **look(index)))
    if is_exact(here).any():
        handles.append(_exact_entry())
    if (here["correction_rule"] > 0).any():
        handles.append(hollow(_CORRECTED, "0.3"))
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.03, 1.05))
    ax.set(xlabel=r"mine density $\rho$", ylabel="win rate $W$")
    ax.legend(handles=handles, loc="upper center")
    return figure


def example_figure(win_rates: pd.DataFrame, fits: pd.DataFrame) -> Figure:
    """Return `win_rate_figure` of the board that the paper shows (Figure 9.5)."""
    return win_rate_figure(win_rates, fits, "2x10")


FIGURES = {"win_rates": win_rates_figure, "figure_9_5": example_figure}
"""The figures of this file by the names of their files."""
