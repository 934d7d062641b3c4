"""Critical density against the aspect ratio p/q: Figure 9.2."""

from __future__ import annotations

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from msdensity.studies.paper.tables import LARGEST_SIDE, printed_boards
from msdensity.studies.plot import (
    MARKERS,
    bars,
    legend_name,
    name_left_out,
    players_of,
    require_rows,
    styled,
)


def plot_aspect(ax: Axes, fits: pd.DataFrame) -> None:
    """Draw P of one player's boards against p/q, one line for each q from 2 to 10.

    fits: FIT_COLUMNS of one player; bars are bootstrap intervals (95 %).
    """
    boards = printed_boards(fits).sort_values(["q", "p"])
    colors = matplotlib.colormaps["cividis"]
    for side in map(int, boards["q"].drop_duplicates()):
        points = boards[boards["q"] == side]
        ax.errorbar(
            (points["p"] / points["q"]).astype(float),
            points["P"],
            yerr=bars(points),
            color=colors((LARGEST_SIDE - side) / (LARGEST_SIDE - 1)),
            marker=MARKERS[side % len(MARKERS)],
            ms=4.5,
            linewidth=0.9,
            elinewidth=0.8,
            label=f"$q$ = {side}",
        )


@styled
def aspect_figure(fits: pd.DataFrame) -> Figure:
    """Return P against p/q of boards with p > 2, one panel a player.

    fits: FIT_COLUMNS. Boards with p <= 2, whose P runs from 0 to 1, are named as left out. Source:
    Figure 9.2. Raises InputError without a row or column.
    """
    require_rows(fits, "fits", ("board", "p", "q", "player", "P", "Q_low", "Q_high"))
    players = players_of(fits)
    figure = Figure(figsize=(3.5 * len(players) + 0.9, 3.6))
    axes = figure.subplots(1, len(players), squeeze=False, sharey=True)[0]
    for ax, player in zip(axes, players, strict=True):
        own = fits[fits["player"] == player]
        wide = own[(own["p"] > 2).fillna(False)]
        plot_aspect(ax, wide)
        label = "aspect ratio $p/q$ of boards with $p$ > 2"
        ax.set(title=legend_name(player, players), xlabel=label, xlim=(0.26, 1.03))
    axes[0].set_ylabel("critical density $P$")
    narrow = fits[(fits["p"] <= 2).fillna(False)]
    name_left_out(figure, fits["board"], [*printed_boards(fits)["board"], *narrow["board"]])
    handles = max((ax.get_legend_handles_labels() for ax in axes), key=lambda both: len(both[0]))
    figure.legend(*handles, loc="outside right center")
    return figure


FIGURES = {"figure_9_2": aspect_figure}
"""The figures of this file by the names of their files."""
