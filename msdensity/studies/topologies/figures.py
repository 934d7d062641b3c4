"""rho50 against the size of a board, its local exponents, the law at low density, cubic boards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from msdensity.kernel.names import WRAPPED, unwrapped
from msdensity.stats.lattice_law import SMALLEST_SIDE, lattice_exponent, lattice_rho50
from msdensity.studies.plot import HALF, LOG, look, require_rows, styled
from msdensity.studies.topologies.columns import EXPONENT_COLUMNS, HALF_COLUMNS, POINT_COLUMNS
from msdensity.studies.topologies.halves import bulk_power
from msdensity.studies.topologies.settings import CUBIC, axes_of

CELLS = "cells n"

_BAR = 8.0
"""The bar of slope -1/k goes from the largest board to one of so many times its cells."""

FLAT = tuple(WRAPPED)
"""Lattices of boards with two sides; each has its colour."""


@styled
def rho50_figure(halves: pd.DataFrame) -> Figure:
    """Return rho50 against the number of cells: boards with borders, and wrapped ones.

    halves: HALF_COLUMNS; 95 % bars. Lines: the leading terms of the law; short bars: the slope of
    large boards, -1/k.
    """
    flat = halves[~halves["topology"].isin(CUBIC)]
    require_rows(flat, "halves table", HALF_COLUMNS)
    figure = Figure(figsize=(7.4, 4.2))
    axes = figure.subplots(1, 2, sharex=True, sharey=True)
    ring = flat["topology"].str.startswith("torus")
    for ax, own, title in zip(
        axes, (flat[~ring], flat[ring]), ("boards with borders", "wrapped boards"), strict=True
    ):
        for topology, points in own.groupby("topology", sort=False):
            _halves(ax, str(topology), points)
        ax.set(xscale=LOG, yscale=LOG, xlabel=CELLS, title=title)
        _plain_ticks(ax)
    axes[0].set_ylabel(HALF)
    names = [name for name in FLAT if name in set(map(unwrapped, flat["topology"]))]
    handles = [
        Line2D([], [], label=f"{name} (k = {bulk_power(name)})", linestyle="", **_look(name))
        for name in names
    ]
    handles += [
        Line2D([], [], color="0.3", label="law, leading terms"),
        Line2D([], [], color="0.3", linewidth=2.5, label="slope −1/k"),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=4)
    return figure


def _look(topology: str) -> dict[str, Any]:
    return look(FLAT.index(unwrapped(topology)))


def _halves(ax: Axes, topology: str, points: pd.DataFrame) -> None:
    style = _look(topology) if topology not in CUBIC else look(CUBIC.index(topology))
    known = points.dropna(subset=["rho50_se"]).sort_values("cells")
    if not len(known):
        return
    error = 1.96 * known["rho50_se"]
    ax.errorbar(known["cells"], known["rho50"], error, linestyle="none", **style)
    axes, color = axes_of(topology), style["color"]
    first, last_side = known["side"].min(), 1.3 * known["side"].max()
    sides = np.geomspace(max(first, SMALLEST_SIDE), max(last_side, SMALLEST_SIDE), 30)
    law = [lattice_rho50((q,) * axes, topology, lines=False) for q in sides]
    ax.plot(sides**axes, law, color=color, linewidth=1)
    last = known.iloc[-1]
    n = float(last["cells"]) * np.array([1.6, 1.6 * _BAR])
    bar = 0.97 * float(last["rho50"]) * (n / float(last["cells"])) ** (-1 / bulk_power(topology))
    ax.plot(n, bar, color=color, linewidth=2.5, solid_capstyle="butt")


def _plain_ticks(ax: Axes) -> None:
    low, high = ax.get_ylim()
    ticks = [t for t in (0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4) if low < t < high]
    ax.set_yticks(ticks, [f"{t:g}" for t in ticks])
    ax.minorticks_off()


@styled
def exponents_figure(exponents: pd.DataFrame) -> Figure:
    """Return the local exponent of rho50 against the size, a panel for each lattice.

    exponents: EXPONENT_COLUMNS; 95 % bars, at the geometric mean of the two boards. Filled: boards
    with borders; hollow: wrapped; lines: the law; dotted: 1/k.
    """
    flat = exponents[~exponents["topology"].isin(CUBIC)]
    require_rows(flat, "exponents table", EXPONENT_COLUMNS)
    names = [name for name in FLAT if name in set(map(unwrapped, flat["topology"]))]
    figure, axes = _panels(len(names), 3, 2.1)
    for ax, name in zip(axes, names, strict=False):
        for topology, filled in ((name, True), (WRAPPED[name], False)):
            own = flat[flat["topology"] == topology].sort_values("side")
            if not len(own):
                continue
            cells = cells_of(own)
            style: dict[str, Any] = (
                {"color": "C0", "marker": "o"} if filled else {"color": "C1", "marker": "s"}
            )
            face = style["color"] if filled else "white"
            ax.errorbar(
                cells,
                own["exponent"],
                1.96 * own["exponent_se"],
                linestyle="none",
                markerfacecolor=face,
                **style,
            )
            sides = np.geomspace(max(own["side"].min(), SMALLEST_SIDE), own["side"].max(), 20)
            law = [lattice_exponent((q, q), topology, factor=2) for q in sides]
            ax.plot(2 * sides**2, law, color=style["color"], linewidth=1)
        ax.axhline(1 / bulk_power(name), color="0.4", linestyle=":")
        ax.set(xscale=LOG, title=f"{name}, 1/k = 1/{bulk_power(name)}", ylim=(0, None))
        ax.set_xlabel(CELLS)
        ax.set_xlim(0.5 * cells_of(flat).min(), 2 * cells_of(flat).max())
        ax.minorticks_off()
    for ax in axes[::3]:
        ax.set_ylabel("−d ln ρ₅₀ / d ln n")
    handles = [
        Line2D([], [], color="C0", marker="o", label="with borders"),
        Line2D([], [], color="C1", marker="s", markerfacecolor="white", label="wrapped"),
        Line2D([], [], color="0.4", linestyle=":", label="1/k"),
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=3)
    return figure


def cells_of(exponents: pd.DataFrame) -> NDArray[np.float64]:
    """Return the geometric mean of the cells of each two boards with two sides."""
    return (exponents["side"] * exponents["twice"]).to_numpy(float)


def _panels(count: int, columns: int, height: float) -> tuple[Figure, list[Axes]]:
    rows = -(-count // columns)
    figure = Figure(figsize=(7.4, height * rows + 0.4))
    axes = list(figure.subplots(rows, columns, squeeze=False).ravel())
    for ax in axes[count:]:
        ax.set_axis_off()
    return figure, axes


@styled
def law_figure(points: pd.DataFrame) -> Figure:
    """Return x / law against the density, a panel for each topology; x = -ln W.

    points: POINT_COLUMNS; 95 % bars. Dashed: with the next terms that are known, on each board.
    """
    require_rows(points, "points table", POINT_COLUMNS)
    names = points["topology"].unique().tolist()
    sides = sorted(points["side"].unique())
    figure, axes = _panels(len(names), 4, 1.9)
    for ax, topology in zip(axes, names, strict=False):
        for side, own in points[points["topology"] == topology].groupby("side"):
            style = look(sides.index(side))
            ax.errorbar(
                own["density"], own["ratio"], 1.96 * own["ratio_se"], linestyle="none", **style
            )
            following = own["law_next"] / own["law"]
            if not np.allclose(following, 1):
                ax.plot(own["density"], following, "--", color=style["color"], linewidth=1)
        ax.axhline(1, color="0.4", linewidth=0.8)
        ax.set_title(topology)
        low, high = ax.get_ylim()
        ax.set_ylim(min(low, 0.8), max(high, 1.2))
    for ax in axes[::4]:
        ax.set_ylabel("x / law")
    for ax in axes[max(len(names) - 4, 0) : len(names)]:
        ax.set_xlabel(r"mine density $\rho$")
    handles = [
        Line2D([], [], linestyle="", label=f"{side} × {side}", **look(i))
        for i, side in enumerate(sides)
    ]
    handles.append(Line2D([], [], color="0.3", linestyle="--", label="with known next terms"))
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    return figure


@styled
def cubic_figure(halves: pd.DataFrame) -> Figure:
    """Return rho50 of boards of cubes; a share beside a point: of games that are approximate.

    halves: HALF_COLUMNS; 95 % bars. Lines and bars as in `rho50_figure`.
    """
    figure = Figure(figsize=(5.2, 3.2))
    ax = figure.subplots()
    own = halves[halves["topology"].isin(CUBIC)]
    for topology, points in own.groupby("topology", sort=False):
        _halves(ax, str(topology), points)
        row: Any
        for row in points[points["approximate"] > 0].itertuples():
            text = f"  {100 * row.approximate:.0f} %"
            ax.annotate(text, (row.cells, row.rho50), va="center", fontsize=8)
    ax.set(xscale=LOG, yscale=LOG, xlabel=CELLS, ylabel=HALF)
    _plain_ticks(ax)
    handles = [
        Line2D([], [], label=f"{name} (k = {bulk_power(name)})", linestyle="", **look(i))
        for i, name in enumerate(CUBIC)
    ]
    handles.append(Line2D([], [], color="0.3", label="law, leading terms"))
    ax.legend(handles=handles)
    return figure


FIGURES = {
    "rho50": rho50_figure,
    "exponents": exponents_figure,
    "law": law_figure,
    "cubic": cubic_figure,
}
"""The study's figures by the names of their files."""
