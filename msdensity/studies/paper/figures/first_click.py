"""What the first cell is worth: chance of a 0 and win rate by place (section 5)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from msdensity.studies.paper.first_click import probability_of_zero
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
    are 95 % intervals. Raises InputError without a row or column.
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
    figure.legend(
        *grid[0, 0].get_legend_handles_labels(),
        loc="outside upper center",
        ncols=4 if len(boards) > 1 else 2,
    )
    return figure


FIGURES = {"first_click": first_click_figure}
"""The figures of this file by the names of their files."""
