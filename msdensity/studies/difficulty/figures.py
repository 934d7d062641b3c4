"""What games take, by mine density, and with how many mines a share of them is won."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from msdensity.games.boards import LEVELS
from msdensity.games.difficulty import CLASSES, ENDS
from msdensity.studies.difficulty.columns import CLASS_COLUMNS, SPOT_COLUMNS
from msdensity.studies.difficulty.results import spot_name
from msdensity.studies.plot import board_name, look, require_rows, styled

COLOURS = {
    "zeros": "#ffffff",
    "single": "#d6eaf5",
    "pairs": "#93c5e4",
    "unit": "#4c96c9",
    "complete": "#1d64a3",
    "count": "#0b2f5f",
    "won": "#f2c48d",
    "lost": "#d55e00",
}
"""The layers of the stacked shares: the darker the blue, the more a game takes without a guess."""

LAYERS = {
    **{name: f"{text}" for name, text in CLASSES.items() if name != "guess"},
    "won": "a guess, and won",
    "lost": "a guess, and lost",
}

DENSITY = r"mine density $\rho$"


@styled
def classes_figure(classes: pd.DataFrame) -> Figure:
    """Return the shares of the classes, stacked, by mine density; CLASS_COLUMNS.

    A column of panels for each board, a row for each start; dashed: the mines of a level.
    """
    require_rows(classes, "classes table", CLASS_COLUMNS)
    figure, axes = _panels(classes, sharey=True)
    levels = dict(LEVELS.values())
    key: Any
    for key, ax in axes.items():
        own = _of(classes, key).sort_values("density")
        shares = [_layer(own, name) / own["games"] for name in LAYERS]
        ax.stackplot(own["density"], *shares, colors=[COLOURS[name] for name in LAYERS])
        if (mines := levels.get(key[0])) in own["mines"].tolist():
            at = own.loc[own["mines"] == mines, "density"]
            ax.axvline(at.iloc[0], color="0.1", linestyle="--", linewidth=0.9)
        ax.set(ylim=(0, 1), xlim=(own["density"].min(), own["density"].max()))
        ax.margins(0)
    handles: list[Any] = [
        Patch(facecolor=COLOURS[name], edgecolor="0.6", linewidth=0.4, label=text)
        for name, text in LAYERS.items()
        if _layer(classes, name).sum()
    ]
    handles.append(Line2D([], [], color="0.1", linestyle="--", label="the level's own mines"))
    figure.legend(handles=handles, loc="outside upper center", ncols=_columns(figure))
    figure.supxlabel(DENSITY, fontsize=9)
    figure.supylabel("share of the games, by the hardest step", fontsize=9)
    return figure


def _layer(classes: pd.DataFrame, name: str) -> Any:
    if name in ("won", "lost"):
        return classes[[end for end in ENDS if end.startswith(name)]].sum(axis=1)
    return classes[name]


@styled
def spots_figure(spots: pd.DataFrame) -> Figure:
    """Return the wanted win rates against the mine densities where they are reached, with bars.

    spots: SPOT_COLUMNS; a column of panels for each board, a row for each start, a line for each
    set of rules or player.
    """
    require_rows(spots, "spots table", SPOT_COLUMNS)
    figure, axes = _panels(spots, sharey=True)
    names = list(dict.fromkeys(spots["by"]))
    for key, ax in axes.items():
        own = _of(spots, key)
        for i, by in enumerate(names):
            line = own[(own["by"] == by) & own["rho"].notna()].sort_values("win_rate")
            bars = 1.96 * line["rho_se"].to_numpy()
            ax.errorbar(line["rho"], line["win_rate"], xerr=bars, **look(i))
        ax.set(ylim=(0, 1), xlim=(0, 1.05 * np.nanmax([*spots["rho"], 0.01])))
        ax.axhline(0.5, color="0.8", linewidth=0.8, zorder=0)
    handles = [Line2D([], [], label=spot_name(by), **look(i)) for i, by in enumerate(names)]
    figure.legend(handles=handles, loc="outside upper center", ncols=_columns(figure))
    figure.supxlabel(DENSITY, fontsize=9)
    figure.supylabel("share of the games that are won", fontsize=9)
    return figure


def _of(table: pd.DataFrame, key: tuple[str, str, str]) -> pd.DataFrame:
    """Return the rows of a board and start."""
    return table[(table[["board", "first_click", "start"]] == list(key)).all(axis=1)]


def _panels(table: pd.DataFrame, **options: Any) -> tuple[Figure, dict[Any, Any]]:
    """Return a figure and the axes of each board and start (board, first click, start)."""
    boards = list(dict.fromkeys(table["board"]))
    starts = list(dict.fromkeys(zip(table["first_click"], table["start"], strict=True)))
    width = max(1.0 + 1.75 * len(boards), 6.0)
    figure = Figure(figsize=(width, 1.2 + 1.75 * len(starts)))
    grid = figure.subplots(len(starts), len(boards), squeeze=False, **options)
    axes = {}
    for row, start in zip(grid, starts, strict=True):
        for ax, board in zip(row, boards, strict=True):
            axes[(board, *start)] = ax
            ax.set_title(f"{board_name(board)}; {start[0]}, {start[1]}", fontsize=8)
            ax.locator_params(axis="x", nbins=4)
    return figure, axes


def _columns(figure: Figure) -> int:
    """Return the columns of a legend that fit above the panels."""
    return max(int(figure.get_figwidth() / 2), 2)


FIGURES = {"classes": classes_figure, "spots": spots_figure}
"""The study's figures by the names of their files."""
