"""The players of 000, 003 and 004: win rates, the density of half the games won, and its cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from msdensity.errors import InputError
from msdensity.players.registry import player_name
from msdensity.studies.plot import HALF, LOG, MARKERS, bars, look, require_rows, styled
from msdensity.studies.published_players.figure_5 import FIGURES as CURVES
from msdensity.studies.published_players.resolution.figures import levels_figure
from msdensity.studies.published_players.settings import COST_BOARD

_AXES = {
    "5.3": r"mine density $\rho$ on 9 × 9",
    "5.4": r"board size (cells), mine density $\rho \approx 0.16$",
}


def plot_points(
    ax: Axes,
    points: pd.DataFrame,
    fits: pd.DataFrame,
    figure: str,
    printed: pd.DataFrame | None = None,
) -> None:
    """Draw win % against x of one figure of 000, one colour per player, with its fitted curves.

    points: POINT_COLUMNS; fits: CURVE_COLUMNS; printed: x and win_percent of printed numbers, drawn
    as crosses. Raises InputError for an unknown figure.
    """
    if figure not in CURVES:
        raise InputError(f"figure={figure!r} must be one of {', '.join(CURVES)}")
    curve, names, _ = CURVES[figure]
    own = points[points["figure"] == figure]
    for index, (player, rows) in enumerate(own.groupby("player", sort=False)):
        ends = [
            rows["win_percent"] - rows["win_percent_low"],
            rows["win_percent_high"] - rows["win_percent"],
        ]
        name = player_name(str(player))
        marks = {**look(index), "elinewidth": 0.8, "linestyle": ""}
        ax.errorbar(rows["x"], rows["win_percent"], yerr=np.maximum(ends, 0), label=name, **marks)
        fit = fits[(fits["figure"] == figure) & (fits["player"] == player)]
        values = fit.set_index("parameter")["value"]
        if len(values):
            x = np.linspace(rows["x"].min(), rows["x"].max(), 301)
            ax.plot(x, curve(x, *values[list(names)]), color=f"C{index}", linewidth=0.9)
    if printed is not None and len(printed):
        ax.plot(printed["x"], printed["win_percent"], "kx", markersize=7, label="printed number")
    ax.set(xlabel=_AXES[figure], ylabel="games won (%)")


@styled
def single_point_figure(
    points: pd.DataFrame, point_fits: pd.DataFrame, published: pd.DataFrame
) -> Figure:
    """Return Figures 5.3 and 5.4 of 000 with our points; published: the printed tables."""
    printed = published[
        published["table"].isin(["000 5.1", "000 5.2"]) & (published["measure"] == "win_percent")
    ]
    at = {
        "5.3": printed[printed["board"] == "9x9"].assign(x=10 / 81),
        "5.4": printed[printed["board"] == "16x16"].assign(x=256),
    }
    figure = Figure(figsize=(6.6, 3.2))
    for ax, name in zip(figure.subplots(1, 2), CURVES, strict=True):
        shown = at[name].rename(columns={"value": "win_percent"})
        plot_points(ax, points, point_fits, name, shown)
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure


@styled
def density_figure(curves: pd.DataFrame, density: pd.DataFrame) -> Figure:
    """Return win rates on the largest square board and rho50 of all, a colour and mark a player.

    curves: CORRECTED_COLUMNS; density: as `density.density_table`; bars are 95 %. Raises
    InputError without a row.
    """
    require_rows(density, "density table")
    figure = Figure(figsize=(7.2, 4.2))
    win, half = figure.subplots(1, 2)
    largest = curves[curves["q"] == curves["q"].max()]
    for index, player in enumerate(density["player"].unique()):
        own = largest[largest["player"] == player].sort_values("mines")
        line = _look(index)
        win.plot(
            own["density"],
            own["win_rate"],
            markevery=(index % 7, 7),
            label=player_name(player),
            **line,
        )
        rows = density[density["player"] == player].sort_values("q")
        half.errorbar(rows["q"], rows["rho50"], yerr=_ends(rows), elinewidth=0.8, **line)
    win.axhline(0.5, color="0.6", linewidth=0.6)
    side = int(largest["q"].iloc[0])
    win.set(xlabel=rf"mine density $\rho$ on {side} × {side}", ylabel="win rate $W$", xlim=(0, 0.5))
    half.set(xlabel="side $q$ of a $q$ × $q$ board", ylabel=HALF)
    half.xaxis.set_major_locator(MaxNLocator(integer=True))
    figure.legend(loc="outside upper center", ncols=4)
    return figure


@styled
def cost_figure(
    density: pd.DataFrame,
    cost: pd.DataFrame,
    board: str = COST_BOARD[0],
    mines: int = COST_BOARD[1],
) -> Figure:
    """Return rho50 (filled) and P (hollow) on the largest square board against CPU us per game.

    density: as `density.density_table`; cost: COST_COLUMNS, timed on `board` with `mines`.
    Raises InputError without a row of either.
    """
    require_rows(density, "density table")
    timed = cost[(cost["board"] == board) & (cost["mines"] == mines)].set_index("player")["cpu_us"]
    if not len(timed):
        raise InputError(f"board={board}/{mines} must be one of those in the cost table")
    largest = density[density["q"] == density["q"].max()]
    figure = Figure(figsize=(6.0, 4.0))
    ax = figure.subplots()
    for index, player in enumerate(density["player"].unique()):
        rows = largest[largest["player"] == player]
        if player not in timed.index or not len(rows):
            continue
        at = [timed[player]]
        marks = {**_look(index), "linestyle": "", "elinewidth": 0.8}
        label = player_name(player)
        ax.errorbar(at, rows["rho50"], yerr=_ends(rows), label=label, **marks)
        hollow = {**marks, "markerfacecolor": "white"}
        ax.errorbar(at, rows["P"], yerr=bars(rows), **hollow)
    ax.set_xscale(LOG)
    ax.set(xlabel=f"CPU time of a game (µs), {board.replace('x', ' × ', 1)} with {mines} mines")
    name = str(largest["board"].iloc[0]).replace("x", " × ", 1)
    ax.set_ylabel(rf"$\rho_{{50}}$ (filled) and $P$ (hollow), {name}")
    figure.legend(loc="outside upper center", ncols=4)
    return figure


def _look(index: int) -> dict[str, Any]:
    """Return the look of a player: there are more players than colours, but no look comes twice."""
    again = index // len(MARKERS)
    marker = MARKERS[(index + 3 * again) % len(MARKERS)]
    line = "--" if again else "-"
    return {**look(index), "marker": marker, "linestyle": line, "linewidth": 0.9}


def _ends(rows: pd.DataFrame) -> Any:
    ends = [rows["rho50"] - rows["rho50_low"], rows["rho50_high"] - rows["rho50"]]
    return np.maximum(np.nan_to_num(ends), 0)


FIGURES = {
    "single_point": single_point_figure,
    "density": density_figure,
    "cost": cost_figure,
    "difficulty": levels_figure,
}
"""The figures of the study by the names of their files."""
