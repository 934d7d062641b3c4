"""Critical density against the aspect ratio p/q: Figure 9.2."""

from __future__ import annotations

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from msdensity.players.registry import player_name
from msdensity.studies.paper.tables import LARGEST_SIDE, printed_boards
from msdensity.studies.plot import MARKERS, bars, players_of, require_rows, styled


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
            linewidth=0.9,
            elinewidth=0.8,
            label=f"$q$ = {side}",
        )


@styled
def aspect_figure(fits: pd.DataFrame) -> Figure:
    """Return P against p/q, a row of panels a player: all boards, and those with p > 2 enlarged.

    fits: FIT_COLUMNS. Source: Figure 9.2. Raises InputError without a row or column.
    """
    require_rows(fits, "fits", ("board", "p", "q", "player", "P", "Q_low", "Q_high"))
    players = players_of(fits)
    figure = Figure(figsize=(7.4, 2.6 * len(players) + 0.4))
    grid = figure.subplots(len(players), 2, squeeze=False, sharex="col", sharey="col")
    for (whole, detail), player in zip(grid, players, strict=True):
        own = fits[fits["player"] == player]
        plot_aspect(whole, own)
        plot_aspect(detail, own[(own["p"] > 2).fillna(False)])
        whole.set(title=player_name(player), ylabel="critical density $P$", xlim=(0, 1.04))
        detail.set(title=f"{player_name(player)}, $p$ > 2", xlim=(0.26, 1.03))
    for ax in grid[-1]:
        ax.set_xlabel("aspect ratio $p/q$")
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside right center")
    return figure


FIGURES = {"figure_9_2": aspect_figure}
"""The figures of this file by the names of their files."""
