"""Critical density of every board, p against q: Figure 9.1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle

from msdensity.studies.paper.tables import LARGEST_SIDE, printed_boards
from msdensity.studies.plot import legend_name, name_left_out, players_of, require_rows, styled

MAX_ERROR = 0.05
"""A standard deviation above this says that the fit does not determine P."""

_SCALE = Normalize(0.15, 0.4, clip=True)
"""Where all boards but the degenerate ones and short strips lie."""


def plot_map(ax: Axes, fits: pd.DataFrame) -> AxesImage:
    """Draw P of one player's boards p <= q <= 10 as colours, with its value and 95 % interval.

    fits: FIT_COLUMNS of one player. "exact" stands for the interval of exact win rates. Grey: no P
    of its own: † clipped to 0 or 1, ‡ with an error above MAX_ERROR. Returns the image, for a
    colour bar.
    """
    boards = printed_boards(fits)
    values = np.full((LARGEST_SIDE, LARGEST_SIDE), np.nan)
    row: Any
    for row in boards.dropna(subset="P").itertuples():
        degenerate, uncertain = row.P in (0, 1), row.Q_sd > MAX_ERROR
        text = f"{row.P:g}†" if degenerate else f"{row.P:.4f}".removeprefix("0")
        if not degenerate and np.isfinite(row.Q_sd):
            error = f"±{1.96 * row.Q_sd:.4f}".replace("±0", "±")
            text += f"\n{error if row.Q_sd > 0 else 'exact'}"
        color = "black"
        if not degenerate and not uncertain:
            values[row.p - 1, row.q - 1] = row.P
            color = "black" if _SCALE(row.P) > 0.45 else "white"
        text += "‡" if uncertain else ""
        ax.text(row.q, row.p, text, ha="center", va="center", fontsize=6.6, color=color)
        if color == "black" and np.isnan(values[row.p - 1, row.q - 1]):
            box = Rectangle((row.q - 0.5, row.p - 0.5), 1, 1, facecolor="0.92")
            ax.add_patch(box)
    ends = (0.5, LARGEST_SIDE + 0.5)
    image = ax.imshow(
        values, cmap="cividis", norm=_SCALE, origin="lower", extent=(*ends, *ends), aspect="equal"
    )
    ax.set(xticks=range(1, LARGEST_SIDE + 1), yticks=range(1, LARGEST_SIDE + 1))
    ax.set_ylabel("shorter side $p$")
    ax.tick_params(length=0)
    return image


@styled
def map_figure(fits: pd.DataFrame) -> Figure:
    """Return the critical densities of all boards p <= q <= 10, one panel per player (Figure 9.1).

    fits: FIT_COLUMNS. Raises InputError without a row or column.
    """
    require_rows(fits, "fits", ("board", "p", "q", "player", "P", "Q_sd"))
    players = players_of(fits)
    figure = Figure(figsize=(4.7 * len(players) + 0.7, 4.9))
    axes = figure.subplots(1, len(players), squeeze=False)[0]
    for ax, player in zip(axes, players, strict=True):
        own = fits[fits["player"] == player]
        image = plot_map(ax, own)
        ax.set_title(legend_name(player, players))
        ax.set_xlabel("longer side $q$")
    name_left_out(figure, fits["board"], printed_boards(fits)["board"])
    label = "critical density $P$ (†: clipped to 0 or 1; ‡: not determined)"
    figure.colorbar(image, ax=list(axes), label=label, extend="both", shrink=0.85)
    return figure


FIGURES = {"figure_9_1": map_figure}
"""The figures of this file by the names of their files."""
