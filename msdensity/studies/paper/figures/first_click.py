"""What the first cell is worth: chance of a 0 and win rate by place (section 5)."""

from __future__ import annotations

import textwrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from msdensity.stats.testing import holm
from msdensity.studies.paper.first_zero import probability_of_zero
from msdensity.studies.plot import look, require_rows, styled

_NAMES = {
    "corner": "corner",
    "random_edge": "edge",
    "random_interior": "inside",
    "centre": "centre",
}

_DRAWN = (
    *("board", "mines", "density", "neighbours", "first_click"),
    *("zeros", "zero_games", "zero_low", "zero_high", "difference", "difference_se"),
)


@styled
def first_click_figure(first_click: pd.DataFrame) -> Figure:
    """Return the chance of a 0 and the win rate less that of the corner, one column per board.

    first_click: FIRST_CLICK_COLUMNS. Above: lines are the formula, markers dealt games; all bars
    are 95 % intervals, below from games on the same boards. A line of text says how many bars may
    miss 0 by chance. Raises InputError without a row or column.
    """
    require_rows(first_click, "first-click table", _DRAWN)
    boards = sorted(
        first_click["board"].unique(), key=lambda name: [int(n) for n in name.split("x")]
    )
    # One narrow panel has no room for the legend in one row.
    figure = Figure(figsize=(2.5 * len(boards) + 0.4, 4.6 if len(boards) > 1 else 4.9))
    grid = figure.subplots(2, len(boards), squeeze=False, sharex="col", sharey="row")
    for (zero, gain), board in zip(grid.T, boards, strict=True):
        here = first_click[first_click["board"] == board]
        zero.set_title(board.replace("x", " × ", 1))
        for index, (place, name) in enumerate(_NAMES.items()):
            rows = here[here["first_click"] == place].sort_values("mines")
            # Apart by a fraction of the distance between numbers of mines.
            step = np.ptp(rows["mines"]) / max(len(rows) - 1, 1) if len(rows) else 0
            x = rows["mines"] + 0.02 * step * (index - 1.5)
            share = rows["zeros"] / rows["zero_games"]
            ends = [share - rows["zero_low"], rows["zero_high"] - share]
            marks = {**look(index), "elinewidth": 0.8, "linestyle": ""}
            zero.errorbar(x, share, yerr=np.maximum(ends, 0), label=name, **marks)
            if len(rows):  # the formula between the numbers of mines too, not the chords
                cells = round(float(rows["mines"].iloc[0] / rows["density"].iloc[0]))
                near = int(rows["neighbours"].iloc[0])
                every = range(int(rows["mines"].min()), int(rows["mines"].max()) + 1)
                chance = [probability_of_zero(cells, near, m) for m in every]
                zero.plot(every, chance, color=f"C{index}", linewidth=0.9)
            if place != "corner":
                bars = 1.96 * rows["difference_se"]
                gain.errorbar(x, rows["difference"], yerr=bars, **marks)
        gain.axhline(0, color="C0", linewidth=0.9)
        gain.set(xlabel="number of mines $m$", xticks=sorted(set(here["mines"])))
        gain.margins(x=0.12)
    grid[0, 0].set_ylabel("probability of a 0")
    grid[1, 0].set_ylabel("win rate \N{MINUS SIGN} that of a corner")
    said = textwrap.fill(_said(first_click), int(15 * figure.get_figwidth()))
    figure.supxlabel(said, fontsize=8)
    figure.legend(
        *grid[0, 0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=4 if len(boards) > 1 else 2,
    )
    return figure


def _said(first_click: pd.DataFrame) -> str:
    """Return how many differences there are, how many are sure, and what the pairs are worth."""
    compared = first_click.dropna(subset="difference")
    count = len(compared)
    text = f"{count} differences: {0.05 * count:.2g} bars miss 0 by chance if there are none."
    if "p_value" not in compared or not count:  # a table of version 0.1.0
        return text
    sure = int((holm(compared["p_value"]) < 0.05).sum())
    low, high = compared["error_ratio"].min(), compared["error_ratio"].max()
    text += f" {sure} are sure together (McNemar, Holm, 5 %)."
    return f"{text} Errors are {low:.2f} to {high:.2f} of those on separate boards."


FIGURES = {"first_click": first_click_figure}
"""The figures of this file by the names of their files."""
