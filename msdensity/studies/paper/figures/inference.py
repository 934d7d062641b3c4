"""How many certain cells the text's inference misses."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from msdensity.studies.plot import look, require_rows, styled

_DRAWN = ("board", "density", "missed_share", "missed_share_se", "missed_local", "certain")


@styled
def inference_figure(inference: pd.DataFrame) -> Figure:
    """Return the share of certain cells that are missed against mine density, one line per board.

    inference: INFERENCE_COLUMNS; bars are two standard errors. Dotted: without the global
    constraint. Raises InputError without a row or column.
    """
    require_rows(inference, "inference table", _DRAWN)
    figure = Figure(figsize=(5.2, 3.4))
    ax = figure.subplots()
    for index, (board, rows) in enumerate(inference.groupby("board", sort=False)):
        name = str(board).replace("x", " × ", 1)
        ax.errorbar(
            rows["density"],
            100 * rows["missed_share"],
            yerr=200 * rows["missed_share_se"],
            label=name,
            elinewidth=0.8,
            **look(index),
        )
        local = 100 * rows["missed_local"] / rows["certain"]
        marks = {**look(index), "linestyle": ":", "markerfacecolor": "white"}
        ax.plot(rows["density"], local, label=f"{name}, without the global constraint", **marks)
    ax.set(xlabel=r"mine density $\rho$", ylabel="certain cells missed (%)")
    ax.set_ylim(bottom=-0.4)  # markers at 0 are whole
    figure.legend(loc="outside upper center", ncols=2)
    return figure


FIGURES = {"inference": inference_figure}
"""The figures of this file by the names of their files."""
