"""The critical density of large boards: the law, its terms and its rivals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from msdensity.stats.hyperbola import fit_squares
from msdensity.stats.law import law_rho50, minus_log_win_rate
from msdensity.studies.asymptotics.results import SERIES, SMALL_SIDES, squares_of
from msdensity.studies.paper.tables import CLAIMED_LIMIT
from msdensity.studies.plot import HALF, LOG, look, styled

SHOWN_SIDES = (8, 16, 32, 64, 128, 256)

TERM_NAMES = {
    "start": "start: 1",
    "corner": r"corner: 3 $\rho^3$",
    "edge": r"edge: 2 $L\rho^4$",
    "bulk": r"bulk: 1 $n\rho^6$",
    "start_next": r"start, next: $\rho^3$",
    "wall": r"walled-in 0: $\rho^5$",
    "corner_next": r"corner, next: $\rho^4$",
    "edge_next": r"edge, next: $L\rho^5$",
    "bulk_next": r"bulk, next: $n\rho^7$",
}

_MAX_RELATIVE_ERROR = 0.3
"""A ratio known worse than this says nothing in the figure."""

_PANELS = 3
"""Panels in a row."""

_GREY: dict[str, Any] = {"color": "0.6", "linewidth": 0.8, "zorder": 0}


@styled
def growing_win_rates_figure(
    win_rates: pd.DataFrame, low_density: pd.DataFrame, curves: pd.DataFrame
) -> Figure:
    """Return W against the density of growing squares, with the law.

    GAMES_COLUMNS of every part of the study; the corner start is shown.
    """
    games = pd.concat([win_rates, low_density, curves], ignore_index=True)
    squares = games[(games["rule"] == "corner") & (games["p"] == games["q"])]
    sides = [q for q in SHOWN_SIDES if (squares["q"] == q).any()]
    figure = Figure(figsize=(5.2, 3.4))
    ax = figure.subplots()
    density = np.linspace(0.02, 0.32, 301)
    for index, q in enumerate(sides):
        own = squares[squares["q"] == q].sort_values("density")
        law = np.exp(-minus_log_win_rate((q, q), density))
        ax.plot(density, law, color=f"C{index % 7}", linewidth=0.9, zorder=1)
        points: dict[str, Any] = look(index % 7) | {"linestyle": "", "ms": 3}
        ax.plot(own["density"], own["win_rate"], label=f"{q} × {q}", **points)
    ax.axvline(CLAIMED_LIMIT, linestyle="--", **_GREY)
    ax.axhline(0.5, **_GREY)
    ax.set(xlabel=r"mine density $\rho$", ylabel="win rate $W$", xlim=(0.02, 0.32))
    ax.legend()
    return figure


@styled
def rho50_figure(rho50: pd.DataFrame) -> Figure:
    """Return rho50 against the side of squares, on logarithmic scales, with the law.

    rho50: RHO50_COLUMNS. The band is a / (q - b) + c fitted to the corner start up to q = 10, with
    equal weights as published, and its 95 % band, from the scatter of these boards.
    """
    figure = Figure(figsize=(5.2, 3.6))
    ax = figure.subplots()
    squares = rho50[rho50["p"] == rho50["q"]]
    largest = float(max(squares["q"].max(), 100))
    side = np.geomspace(8, 1.6 * largest, 60)
    for index, ((rule, topology), name) in enumerate(SERIES.items()):
        own = squares_of(rho50, rule, topology)
        if not len(own):
            continue
        law = [law_rho50(q, rule, topology) for q in side]
        ax.plot(side, law, color=f"C{index}", linewidth=0.9, zorder=1)
        points: dict[str, Any] = look(index) | {"linestyle": "", "label": name}
        ax.errorbar(own["q"], own["rho50"], yerr=1.96 * own["error"], zorder=2, **points)
    small = squares_of(rho50, "corner", "square8")
    small = small[small["q"] <= SMALL_SIDES]
    if len(small) > 3:
        _extrapolation(ax, small, side)
    ax.axhline(CLAIMED_LIMIT, linestyle="--", **_GREY)
    ax.set(xscale=LOG, yscale=LOG, xlabel="side $q$ of a $q$ × $q$ board", ylabel=HALF)
    ax.set_ylim(0.09, 0.4)
    ticks = (0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4)
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set_yticks([], minor=True)
    _plain_sides(ax, (4, 8, 16, 32, 64, 128, 256, 512))
    ax.legend()
    return figure


def _extrapolation(ax: Axes, small: pd.DataFrame, side: Any) -> None:
    # The errors of the points are far smaller than their scatter: odd and even sides differ.
    fit = fit_squares(small["q"], small["rho50"])
    if not (fit.converged and np.isfinite(fit.c_se)):
        return
    middle, spread = fit.predict(side), 1.96 * fit.predict_error(side)
    ax.fill_between(side, middle - spread, middle + spread, color="0.85", zorder=0, linewidth=0)
    label = f"$a/(q - b) + c$ fitted to $q \\leq {SMALL_SIDES}$"
    ax.plot(side, middle, color="0.4", linestyle=":", zorder=1, label=label)


@styled
def law_figure(low_density: pd.DataFrame) -> Figure:
    """Return -ln W over the law against the density, one panel per series.

    low_density: GAMES_COLUMNS; win rates with the control variate. The law is that
    of exactly m mines.
    """
    figure = Figure(figsize=(7.2, 2.9))
    axes = figure.subplots(1, len(SERIES), sharex=True, sharey=True)
    sides = sorted(low_density["q"].unique())
    for ax, ((rule, topology), name) in zip(axes, SERIES.items(), strict=True):
        own = low_density[(low_density["rule"] == rule) & (low_density["topology"] == topology)]
        own = own[(own["wins"] < own["games"]) & (own["wins"] > 0)]
        for index, q in enumerate(sides):
            rows = own[(own["p"] == q) & (own["q"] == q)].sort_values("density")
            if not len(rows):
                continue
            law = np.array(
                [
                    float(minus_log_win_rate((q, q), rho, rule, topology, fixed_mines=True))
                    for rho in rows["density"]
                ]
            )
            W = rows["reduced"].clip(1e-6, 1 - 1e-9)
            precise = rows["reduced_se"] / W / law < _MAX_RELATIVE_ERROR
            rows, W, law = rows[precise], W[precise], law[precise]
            # Side by side, because many share a density.
            shift = 0.0004 * (index - len(sides) / 2)
            ax.errorbar(
                rows["density"] + shift,
                -np.log(W) / law,
                yerr=1.96 * rows["reduced_se"] / W / law,
                color=f"C{index % 7}",
                marker="os^DvPX"[index % 7],
                linewidth=0.6,
                label=f"$q$ = {q}",
            )
        ax.axhline(1, **_GREY)
        ax.set(title=name, xlabel=r"mine density $\rho$", ylim=(0.5, 2))
    axes[0].set_ylabel(r"measured $-\ln W$ / the law's")
    handles: dict[Any, Any] = {}
    for ax in axes:
        drawn, names = ax.get_legend_handles_labels()
        handles |= dict(zip(names, drawn, strict=True))
    columns = min(5, len(handles))
    figure.legend(handles.values(), handles, loc="outside upper center", ncols=columns)
    return figure


@styled
def fixed_density_figure(low_density: pd.DataFrame, fixed: pd.DataFrame) -> Figure:
    """Return -ln W against the side at each fixed density, with the fit A + B q + C q^2.

    low_density: GAMES_COLUMNS; fixed: FIXED_COLUMNS.
    """
    densities = sorted(fixed["density"].unique())
    columns = min(max(len(densities), 2), _PANELS)
    lines = -(-len(densities) // columns) or 1
    figure = Figure(figsize=(2.4 * columns, 0.5 + 2.4 * lines))
    axes = figure.subplots(lines, columns, squeeze=False).ravel()
    for ax in axes[len(densities) :]:
        ax.remove()
    for ax, density in zip(axes, densities, strict=False):
        for index, ((rule, topology), name) in enumerate(SERIES.items()):
            here = (low_density["rule"] == rule) & (low_density["topology"] == topology)
            near = (
                np.abs(low_density["mines"] - density * low_density["p"] * low_density["q"]) <= 0.5
            )
            own = low_density[here & near & (low_density["p"] == low_density["q"])]
            own = own[own["wins"].between(1, own["games"] - 1)].sort_values("q")
            terms = fixed[
                (fixed["rule"] == rule)
                & (fixed["topology"] == topology)
                & (fixed["density"] == density)
            ]
            # A torus is fitted with and without a walled-in start: the first is drawn.
            terms = terms.drop_duplicates("term").set_index("term")["value"]
            W = own["reduced"].clip(1e-6, 1 - 1e-9)
            points: dict[str, Any] = look(index) | {"linestyle": "", "label": name}
            ax.errorbar(own["q"], -np.log(W), yerr=1.96 * own["reduced_se"] / W, **points)
            if len(own) and len(terms):
                q = np.geomspace(own["q"].min(), own["q"].max(), 50)
                curve = sum(terms.get(t, 0.0) * q**i for i, t in enumerate("ABC"))
                ax.plot(q, np.where(curve > 0, curve, np.nan), color=f"C{index}")
        ax.axhline(np.log(2), **_GREY)
        ax.set(xscale=LOG, yscale=LOG, xlabel="side $q$")
        ax.set_title(f"$\\rho$ = {density:g}")
        _plain_sides(ax, (16, 32, 64, 128, 256))
    for ax in axes[::columns]:
        ax.set_ylabel(r"$-\ln W$ ($W$: win rate)")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure


@styled
def coefficients_figure(glm: pd.DataFrame) -> Figure:
    """Return each coefficient of the law against the highest density of the regression.

    glm: GLM_COLUMNS; plain counts and the smallest side of the configuration.
    """
    own = glm[glm["counts"] == "plain"]
    smallest = own.loc[own["main"] == 1, "smallest_side"]
    side = smallest.iloc[0] if len(smallest) else own["smallest_side"].min()
    own = own[own["smallest_side"] == side]
    terms = [term for term in TERM_NAMES if (own["term"] == term).any()]
    figure = Figure(figsize=(7.2, 6.0))
    axes = figure.subplots(3, 3).ravel()
    for ax, term in zip(axes, terms, strict=False):
        for index, (orders, name) in enumerate(
            (("leading", "leading terms alone"), ("next", "with terms of the next order"))
        ):
            rows = own[(own["term"] == term) & (own["orders"] == orders)]
            points: dict[str, Any] = look(index) | {"linestyle": "", "label": name}
            ax.errorbar(
                rows["highest_density"] + 0.0006 * (2 * index - 1),
                rows["value"],
                yerr=1.96 * rows["error"],
                **points,
            )
        known = own[own["term"] == term]
        ax.axhline(float(known["law"].iloc[0]), **_GREY)
        # Fits of few games at low densities would make the others a line.
        precise = known[known["error"] <= 2 * known["error"].median()]
        ends = [
            *(precise["value"] - 2 * precise["error"]),
            *(precise["value"] + 2 * precise["error"]),
        ]
        ax.set_ylim(np.nanmin([*ends, *known["law"]]), np.nanmax([*ends, *known["law"]]))
        ax.set(title=TERM_NAMES[term])
    for ax in axes[len(terms) :]:
        ax.remove()
    for ax in axes[max(len(terms) - 3, 0) : len(terms)]:
        ax.set_xlabel(r"highest density $\rho$ used")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure


@styled
def strips_law_figure(strips: pd.DataFrame, strips_exact: pd.DataFrame) -> Figure:
    """Return rho50 of strips against their length, and W of few mines on 2 x q, beside the exact.

    strips: STRIP_COLUMNS; strips_exact: STRIP_EXACT_COLUMNS.
    """
    figure = Figure(figsize=(7.2, 2.9))
    left, right = figure.subplots(1, 2)
    for index, p in enumerate((1, 2, 3)):
        own = strips[strips["p"] == p].sort_values("q")
        points: dict[str, Any] = look(index) | {"linestyle": "", "label": f"{p} × $q$"}
        left.errorbar(own["q"], own["measured"], yerr=1.96 * own["error"], **points)
        exact = own[own["theory"].notna()]
        left.plot(exact["q"], exact["theory"], color=f"C{index}", linewidth=0.9)
    q = np.geomspace(4, max(float(strips["q"].max()), 20), 60)
    left.plot(q, 1 / (2 * q), color="C1", linewidth=0.9, linestyle=":")
    left.set(xscale=LOG, yscale=LOG, xlabel="length $q$", ylabel=HALF)
    _plain_sides(left, (4, 10, 40, 100, 400))
    left.legend()
    two = strips_exact[strips_exact["p"] == 2].sort_values("q")
    for index, m in enumerate((1, 2, 3)):
        own = two[two["mines"] == m]
        right.plot(own["q"], own["exact"], color=f"C{index}", linewidth=0.9)
        right.axhline(0.5**m, linestyle=":", **_GREY)
        played = own[own["games"] > 0]
        W, words = played["measured"], f"{m} mine" + "s" * (m > 1)
        ends = [W - played["low"], played["high"] - W]
        right.errorbar(played["q"], W, yerr=ends, linestyle="", **look(index), label=words)
    right.set(xscale=LOG, ylim=(0, 0.7), xlabel="length $q$", ylabel="win rate $W$ on 2 × $q$")
    _plain_sides(right, (4, 10, 40, 100, 400))
    right.legend()
    return figure


def _plain_sides(ax: Axes, sides: tuple[int, ...]) -> None:
    low, high = ax.get_xlim()
    shown = [side for side in sides if low <= side <= high]
    ax.set_xticks(shown, [str(side) for side in shown])
    ax.set_xticks([], minor=True)


FIGURES = {
    "win_rates": growing_win_rates_figure,
    "rho50": rho50_figure,
    "law": law_figure,
    "fixed_density": fixed_density_figure,
    "coefficients": coefficients_figure,
    "strips": strips_law_figure,
}
"""The figures of the study by the names of their files."""
