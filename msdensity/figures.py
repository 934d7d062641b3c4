"""The figures: plot_* draw on given axes, *_figure compose a page, save_figure writes it."""

from __future__ import annotations

import io
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from msdensity.errors import InputError
from msdensity.files import atomic_write
from msdensity.fits import PARAMETERS, logistic
from msdensity.scaling import ExtrapolationFit, hyperbola, squares

STYLE = Path(__file__).with_name("paper.mplstyle")

_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_COLUMNS = 6
_PANEL = 1.9  # inches, the side of one panel


def plot_win_rates(
    ax: Axes, table: pd.DataFrame, fit: Any, *, color: str = "C0", marker: str = "o"
) -> None:
    """Draw the win rates of one board and player against mine density, with their fit.

    table: rows of one curve with the columns CORRECTED_COLUMNS; fit: anything with attributes b,
    L, k, Q, P (a LogisticFit or a row of fits_table), or None. Filled markers are the win rates
    fitted, with the 95 % interval of the raw ones; hollow markers are raw win rates that the
    W-correction set to 0. The vertical line is the critical density P.
    """
    kept = table[table["correction_rule"] == 0]
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
        density = np.linspace(0, 1, 401)
        parameters = {name: float(getattr(fit, name)) for name in PARAMETERS}
        ax.plot(density, logistic(density, **parameters), color=color, zorder=2)
        ax.axvline(float(fit.P), color=color, linestyle=":", linewidth=1, zorder=1)


def win_rates_figure(win_rates: pd.DataFrame, fits: pd.DataFrame) -> Figure:
    """Return win rate against mine density with fits, one panel a board, one colour a player.

    win_rates: columns CORRECTED_COLUMNS; fits: FIT_COLUMNS. Raises InputError without a row.
    """
    if not len(win_rates):
        raise InputError("win_rates has 0 rows, must have at least 1 to draw")
    boards = list(dict.fromkeys(win_rates["board"]))
    players = list(dict.fromkeys(win_rates["player"]))
    columns = min(_COLUMNS, len(boards))
    rows = math.ceil(len(boards) / columns)
    with style.context([STYLE, {"lines.markersize": 2.2}]):
        # Room above for the legend, which a figure of one narrow panel needs in width too.
        width = max(columns * _PANEL, 3.6)
        figure = Figure(figsize=(width, rows * _PANEL + 0.5))
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        axes = list(grid.flat)
        for ax, board in zip(axes, boards, strict=False):
            ax.set_title(board.replace("x", " × ", 1))
            for index, player in enumerate(players):
                here = (win_rates["board"] == board) & (win_rates["player"] == player)
                fit = fits[(fits["board"] == board) & (fits["player"] == player)]
                row = next(fit.itertuples(), None)
                marker = _MARKERS[index % len(_MARKERS)]
                plot_win_rates(ax, win_rates[here], row, color=f"C{index}", marker=marker)
            ax.set(xlim=(0, 1), ylim=(-0.05, 1.05), xticks=(0, 0.5, 1), yticks=(0, 0.5, 1))
            ax.set_xticklabels(("0", "0.5", "1"))  # short, not to touch those of the next panel
        for index, ax in enumerate(axes):
            if index >= len(boards):
                ax.remove()
            elif index + columns >= len(boards):  # nothing below it carries the numbers
                ax.tick_params(labelbottom=True)
        _legend(figure, players)
        figure.supxlabel("mine density", fontsize=9)
        figure.supylabel("win rate", fontsize=9)
    return figure


def _legend(figure: Figure, players: list[str]) -> None:
    """Name the players above the panels."""
    handles = [
        Line2D([], [], color=f"C{i}", marker=_MARKERS[i % len(_MARKERS)], label=player)
        for i, player in enumerate(players)
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=min(len(players), 3))


def plot_squares(
    ax: Axes,
    fits: pd.DataFrame,
    extrapolation: Any,
    *,
    color: str = "C0",
    marker: str = "o",
    label: str | None = None,
) -> None:
    """Draw the critical density of one player's square boards against side q, extrapolated.

    fits: rows of fits_table of one player and topology; extrapolation: an ExtrapolationFit, which
    adds a band of one standard error, or a row of extrapolation_table, or None. Bars are the
    bootstrap intervals (95 %); the curve is solid over the fitted sides and dashed beyond them;
    the horizontal line is c.
    """
    points = squares(fits)
    low = np.maximum(points["P"] - np.clip(points["Q_low"], 0, 1), 0)
    high = np.maximum(np.clip(points["Q_high"], 0, 1) - points["P"], 0)
    side = points["q"].to_numpy(float)
    ax.errorbar(
        side,
        points["P"],
        yerr=np.nan_to_num([low, high]),
        fmt=marker,
        color=color,
        elinewidth=0.8,
        label=label,
        zorder=3,
    )
    if extrapolation is None or not np.isfinite(extrapolation.c):
        return
    a, b, c = (float(getattr(extrapolation, name)) for name in "abc")
    ends = (float(extrapolation.q_min), float(extrapolation.q_max))
    for start, stop, line in ((*ends, "-"), (ends[1], 2 * ends[1], "--")):
        q = np.linspace(start, stop, 201)
        ax.plot(q, hyperbola(q, a, b, c), line, color=color, zorder=2)
    if isinstance(extrapolation, ExtrapolationFit) and np.isfinite(extrapolation.c_se):
        q = np.linspace(ends[0], 2 * ends[1], 401)
        middle, error = extrapolation.predict(q), extrapolation.predict_error(q)
        ax.fill_between(q, middle - error, middle + error, color=color, alpha=0.15, linewidth=0)
    ax.axhline(c, color=color, linestyle=":", linewidth=1, zorder=1)


def squares_figure(fits: pd.DataFrame, extrapolation: pd.DataFrame) -> Figure:
    """Return critical density against side of square boards, one colour a player and topology.

    fits: FIT_COLUMNS; extrapolation: EXTRAPOLATION_COLUMNS. The legend gives c and its error.
    """
    with style.context(STYLE):
        figure = Figure(figsize=(5.2, 3.6))
        ax = figure.subplots()
        points = squares(fits)
        row: Any
        for index, row in enumerate(extrapolation.itertuples(index=False)):
            here = (points["player"] == row.player) & (points["topology"] == row.topology)
            name = row.player if row.topology == "square8" else f"{row.player}, {row.topology}"
            if np.isfinite(row.c):
                error = f" ± {row.c_se:.3f}" if np.isfinite(row.c_se) else ""
                name += f": c = {row.c:.3f}{error}"
            marker = _MARKERS[index % len(_MARKERS)]
            plot_squares(ax, points[here], row, color=f"C{index}", marker=marker, label=name)
        ax.set(xlabel="side q of a q × q board", ylabel="critical density P")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        if len(extrapolation):
            ax.legend(loc="upper right")
    return figure


def save_figure(figure: Figure, *paths: str | os.PathLike[str]) -> None:
    """Write `figure` to every path (.pdf or .png); the same figure gives the same bytes.

    Each file appears whole or not at all. Raises InputError for another ending.
    """
    metadata = {".pdf": {"CreationDate": None}, ".png": {"Software": None}}
    for path in map(Path, paths):
        if path.suffix not in metadata:
            raise InputError(f"figure path {path} must end in .pdf or .png")
    for path in map(Path, paths):
        data = io.BytesIO()
        with style.context(STYLE):
            figure.savefig(data, format=path.suffix[1:], metadata=metadata[path.suffix])
        with atomic_write(path) as file:
            file.buffer.write(data.getvalue())
