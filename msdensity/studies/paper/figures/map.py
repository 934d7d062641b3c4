"""Critical density of every board, p against q: Figure 9.1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from msdensity.players.registry import player_name
from msdensity.studies.paper.tables import LARGEST_SIDE, printed_boards
from msdensity.studies.plot import players_of, require_rows, styled

_SCALE = Normalize(0.15, 0.4, clip=True)
"""Where all boards but the degenerate ones and short strips lie."""


def plot_map(ax: Axes, fits: pd.DataFrame) -> AxesImage:
    """Draw P of one player's boards p <= q <= 10 as colours, with its value and standard deviation.

    fits: FIT_COLUMNS of one player. A dagger marks boards whose P is clipped to 0 or 1. Returns
    the image, for a colour bar.
    """
    boards = printed_boards(fits)
    values = np.full((LARGEST_SIDE, LARGEST_SIDE), np.nan)
    row: Any
    for row in boards.dropna(subset="P").itertuples():
        values[row.p - 1, row.q - 1] = row.P
        pale = _SCALE(row.P) > 0.45
        degenerate = row.P in (0, 1)
        text = f"{row.P:g}†" if degenerate else f"{row.P:.4f}".removeprefix("0")
        if not degenerate and np.isfinite(row.Q_sd):
            text += f"\n±{row.Q_sd:.4f}".replace("±0", "±")
        color = "black" if pale else "white"
        ax.text(row.q, row.p, text, ha="center", va="center", fontsize=5.8, color=color)
    ends = (0.5, LARGEST_SIDE + 0.5)
    image = ax.imshow(
        values, cmap="cividis", norm=_SCALE, origin="lower", extent=(*ends, *ends), aspect="equal"
    )
    ax.set(xticks=range(1, LARGEST_SIDE + 1), yticks=range(1, LARGEST_SIDE + 1))
    ax.set(xlabel="longer side $q$", ylabel="shorter side $p$")
    ax.tick_params(length=0)
    return image


@styled
def map_figure(fits: pd.DataFrame) -> Figure:
    """Return the critical densities of all boards p <= q <= 10, one panel per player (Figure 9.1).

    fits: FIT_COLUMNS. Raises InputError without a row or column.
    """
    require_rows(fits, "fits", ("board", "p", "q", "player", "P", "Q_sd"))
    players = players_of(fits)
    figure = Figure(figsize=(4.3 * len(players) + 0.7, 4.5))
    axes = figure.subplots(1, len(players), squeeze=False)[0]
    for ax, player in zip(axes, players, strict=True):
        image = plot_map(ax, fits[fits["player"] == player])
        ax.set_title(player_name(player))
    label = "critical density $P$ († degenerate)"
    figure.colorbar(image, ax=list(axes), label=label, extend="both", shrink=0.85)
    return figure


FIGURES = {"figure_9_1": map_figure}
"""The figures of this file by the names of their files."""
