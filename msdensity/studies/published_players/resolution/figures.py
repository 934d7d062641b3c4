"""How hard positions are: the smallest method that decides a cell, by density."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from msdensity.studies.plot import board_name, require_rows, styled
from msdensity.studies.published_players.resolution.methods import LEVELS

_SHADES = (*(f"C{i}" for i in range(7)), "0.55", "0.85")
"""A colour of each of LEVELS: grey from where the clues say no more."""


@styled
def levels_figure(resolution_levels: pd.DataFrame) -> Figure:
    """Return the shares of LEVELS, stacked by density, in one panel for each board.

    resolution_levels: LEVEL_COLUMNS. Raises InputError without a row.
    """
    require_rows(resolution_levels, "levels table")
    boards = resolution_levels["board"].unique()
    figure = Figure(figsize=(7.2, 3.6))
    panels = figure.subplots(1, len(boards), sharey=True, squeeze=False)[0]
    for ax, board in zip(panels, boards, strict=True):
        own = resolution_levels[resolution_levels["board"] == board]
        cells = np.prod([int(side) for side in str(board).split("-")[0].split("x")])
        mines = sorted(own["mines"].unique())
        below = np.zeros(len(mines))
        for level, shade in zip(LEVELS, _SHADES, strict=True):
            heights = own[own["level"] == level].set_index("mines")["percent"].loc[mines]
            values = np.nan_to_num(heights.to_numpy())
            ax.bar(range(len(mines)), values, bottom=below, color=shade, label=level, width=0.8)
            below = below + values
        ax.set_xticks(range(len(mines)), [f"{m / cells:.2f}" for m in mines])
        ax.set(title=board_name(str(board)), xlabel=r"mine density $\rho$")
    panels[0].set(ylabel="positions (%)", ylim=(0, 100))
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=5)
    return figure
