"""The densities of square boards, side by side."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from msdensity.studies.densities.columns import DENSITY_COLUMNS
from msdensity.studies.densities.results import squares_of
from msdensity.studies.plot import LOG, MARKERS, require_rows, styled

NAMES = {
    "rho50": "half of the games won",
    "P": "critical density $P$",
    "no_guess": "half of the games won without a guess",
}
"""What each density is, in the order of the legend."""


@styled
def squares_figure(densities: pd.DataFrame) -> Figure:
    """Return the densities of q x q boards against q, with 95 % intervals.

    densities: DENSITY_COLUMNS.
    """
    require_rows(densities, "densities", DENSITY_COLUMNS)
    squares = squares_of(densities)
    figure = Figure(figsize=(5.6, 3.6))
    ax = figure.subplots()
    if not len(squares):
        ax.set_axis_off()
        ax.text(0.5, 0.5, "no square board was measured", ha="center")
        return figure
    for index, (name, text) in enumerate(NAMES.items()):
        own = squares[squares[name].notna()]
        ax.errorbar(
            # Apart on the logarithmic axis, because at small q one point hides the others.
            *(own["q"] * 1.02 ** (index - 1), own[name]),
            yerr=1.96 * own[f"{name}_se"],
            fmt=MARKERS[index],
            ms=3,
            color=f"C{index}",
            label=text,
        )
    ax.set_xscale(LOG)
    ticks = [q for q in (2, 3, 4, 6, 8, 10, 16, 24, 32, 48, 64, 128) if q <= squares["q"].max()]
    ax.set_xticks(ticks, [str(q) for q in ticks])
    ax.minorticks_off()
    ax.set(xlabel="side $q$ of a $q$ × $q$ board", ylabel="mine density", ylim=(0, None))
    ax.legend()
    return figure


FIGURES = {"squares": squares_figure}
"""The study's figures by the names of their files."""
