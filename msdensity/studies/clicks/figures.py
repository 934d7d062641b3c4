"""Maps of the first click, and how often a layout is won again."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from scipy import stats

from msdensity.stats.intervals import wilson
from msdensity.studies.clicks.columns import CELL_COLUMNS, LUCK_COLUMNS, ORBIT_COLUMNS
from msdensity.studies.plot import board_name, require_rows, styled

_COLUMNS = 3


@styled
def map_figure(cells: pd.DataFrame, orbits: pd.DataFrame, start: str) -> Figure:
    """Return the win rate of each first cell less that of the corner, a panel for each map.

    cells, orbits: CELL_COLUMNS and ORBIT_COLUMNS; start: `safe` or `zero`. A star marks the best
    place, and a dot those that chance does not tell from it.
    """
    cells, orbits = cells[cells["start"] == start], orbits[orbits["start"] == start]
    require_rows(cells, "cells", CELL_COLUMNS)
    require_rows(orbits, "orbits", ORBIT_COLUMNS)
    names = ["board", "mines", "orbit"]
    drawn = cells[[*names, "cell"]].merge(orbits.drop(columns=["row", "column"]), on=names)
    maps = [*drawn.sort_values("cell", kind="stable").groupby(names[:2], sort=False)]
    columns = min(len(maps), _COLUMNS)
    rows = -(-len(maps) // columns)
    figure = Figure(figsize=(2.2 * columns + 0.8, 2.7 * rows))
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    end = max(100 * drawn["difference"].abs().max(), 0.1)
    key: Any
    for ax, (key, own) in zip(axes, maps, strict=False):
        board, mines = key
        p, q = (int(side) for side in board.split("x"))
        image = ax.imshow(
            100 * own["difference"].to_numpy().reshape(p, q), cmap="RdBu", norm=Normalize(-end, end)
        )
        best = own["below_best"].to_numpy() == 0
        like = own["like_best"].to_numpy(bool) & ~best
        for marked, marker, size in ((best, "*", 22), (like, ".", 4)):
            row, column = np.divmod(np.flatnonzero(marked), q)
            ax.scatter(column, row, marker=marker, s=size, color="black", linewidths=0)
        ax.set(xticks=[], yticks=[], title=f"{board_name(board)}, {mines} mines")
    for ax in axes[len(maps) :]:
        ax.set_axis_off()
    figure.colorbar(
        image, ax=list(axes), label="win rate less the corner's (points of %)", shrink=0.8
    )
    return figure


@styled
def luck_figure(replays: pd.DataFrame, luck: pd.DataFrame) -> Figure:
    """Return how many replays of a layout are won, beside coins of the same mean.

    replays, luck: REPLAY_COLUMNS and LUCK_COLUMNS; 95 % intervals.
    """
    require_rows(luck, "luck", LUCK_COLUMNS)
    figure = Figure(figsize=(7.4, 2.6))
    axes = figure.subplots(1, len(luck), sharey=True, squeeze=False)[0]
    row: Any
    for ax, row in zip(axes, luck.itertuples(), strict=True):
        own = replays[(replays["board"] == row.board) & (replays["mines"] == row.mines)]
        share = own["layouts"] / row.layouts
        low, high = wilson(own["layouts"], row.layouts)
        error = np.maximum([share - low, high - share], 0)
        ax.bar(own["won"], share, yerr=error, color="C0", label="layouts")
        coins = stats.binom.pmf(own["won"], row.replays, row.win_rate)
        ax.plot(own["won"], coins, "o-", ms=3, color="C1", label="coins")
        ax.set(xlabel=f"wins in {row.replays} replays")
        ax.set_title(f"{board_name(row.board)}, {row.mines} mines")
    axes[0].set_ylabel("share of the layouts")
    axes[0].legend()
    return figure


FIGURES = {
    "safe": partial(map_figure, start="safe"),
    "zero": partial(map_figure, start="zero"),
    "luck": luck_figure,
}
"""The study's figures by the names of their files."""
