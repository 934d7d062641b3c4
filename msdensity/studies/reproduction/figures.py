"""The published numbers of paper 001 beside ours: what agrees, and what each fault costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from msdensity.players.registry import player_name
from msdensity.studies.paper.figures.squares import squares_figure
from msdensity.studies.paper.figures.strips import limits_figure, strips_figure
from msdensity.studies.paper.figures.win_rates import plot_win_rates
from msdensity.studies.plot import SYMLOG, look, players_of, styled

DEGENERATE = ("1x3", "2x2", "2x4", "2x10")
"""Boards whose curves show why P is 0 or 1 there; 2x4 is between the two."""


@styled
def runs_figure(runs: pd.DataFrame) -> Figure:
    """Return the published P less that of each player, in standard deviations, by board.

    runs: RUN_COLUMNS of `msdensity.reproduction`; boards with 0 < P < 1, 2x4 apart. The band holds
    99.9 % of what one run of the player would give.
    """
    inner = runs[runs["inner"] == 1]
    boards = list(dict.fromkeys(inner["board"]))
    figure = Figure(figsize=(7.2, 3.4))
    ax = figure.subplots()
    ax.axhspan(-3.29, 3.29, color="0.9", zorder=0)
    ax.axhline(0, color="0.6", linewidth=0.8, zorder=1)
    for index, player in enumerate(players_of(inner)):
        own = inner[inner["player"] == player].set_index("board")["z"].reindex(boards)
        total = float((own**2).sum())
        label = f"{player_name(player)}: $\\chi^2$ = {total:.0f} on {own.notna().sum()} boards"
        # Lines would say that boards beside each other belong together.
        style_of = look(index) | {"linestyle": ""}
        ax.plot(range(len(boards)), own, ms=3.5, label=label, zorder=2, **style_of)
    ax.set_xticks(range(len(boards)), [b.replace("x", " × ") for b in boards], rotation=90)
    ax.tick_params(axis="x", labelsize=6.5)
    ax.set_yscale(SYMLOG, linthresh=5)
    ticks = (-50, -20, -10, -5, -3, 0, 3, 5)
    ax.set_yticks(ticks, [str(t).replace("-", "\N{MINUS SIGN}") for t in ticks])
    ax.minorticks_off()
    ax.set(
        ylabel="(published $P$ \N{MINUS SIGN} ours) / sd of one run", xlim=(-0.8, len(boards) - 0.2)
    )
    figure.legend(loc="outside upper center", ncols=2)
    return figure


@styled
def ablation_figure(ablation: pd.DataFrame) -> Figure:
    """Return what each fault costs, in win rate and in P, with 95 % intervals.

    ablation: ABLATION_COLUMNS. Filled: fixed in the listing; hollow: alone in the text's player.
    """
    faults = list(dict.fromkeys(ablation["fault"]))
    spots = ablation[ablation["mines"].notna()]
    limits = ablation[ablation["mines"].isna()]
    names: Any = [*spots.groupby(["board", "mines"], sort=False).groups, *limits["board"].unique()]
    panels = [
        (f"$P$, {name}", limits[limits["board"] == name])
        if isinstance(name, str)
        else (
            f"$W$, {name[0]}, {name[1]:g} mines",
            spots[(spots["board"] == name[0]) & (spots["mines"] == name[1])],
        )
        for name in names
    ]
    figure = Figure(figsize=(2.1 * len(panels) + 1.4, 3.2))
    axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for ax, (title, own) in zip(axes, panels, strict=True):
        for shift, where, filled in ((-0.13, "mended", True), (0.13, "alone", False)):
            rows = own[own["where"] == where].set_index("fault").reindex(faults)
            ax.errorbar(
                rows["cost"],
                np.arange(len(faults)) + shift,
                xerr=1.96 * rows["cost_se"],
                fmt="o" if filled else "s",
                color="C0" if filled else "C1",
                markerfacecolor="C0" if filled else "white",
                elinewidth=0.8,
                label={
                    "mended": "the fault is fixed in the listing",
                    "alone": "the only fault of the text's player",
                }[where],
            )
        ax.axvline(0, color="0.6", linewidth=0.8, zorder=0)
        ax.set(title=title.replace("x", " × "), xlabel="cost of the fault")
        ax.locator_params(axis="x", nbins=4)
    axes[0].set_yticks(range(len(faults)), [fault.replace("_", " ") for fault in faults])
    axes[0].invert_yaxis()
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure


@styled
def degenerate_figure(
    win_rates: pd.DataFrame, fits: pd.DataFrame, player: str = "listing"
) -> Figure:
    """Return the win rates and fits of DEGENERATE boards of one player, a panel each.

    win_rates: CORRECTED_COLUMNS; fits: FIT_COLUMNS.
    """
    figure = Figure(figsize=(7.2, 2.2))
    axes = figure.subplots(1, len(DEGENERATE), sharey=True)
    for ax, board in zip(axes, DEGENERATE, strict=True):
        here = (win_rates["board"] == board) & (win_rates["player"] == player)
        own = fits[(fits["board"] == board) & (fits["player"] == player)]
        row: Any = next(own.itertuples(), None)
        plot_win_rates(ax, win_rates[here], row)
        ax.plot([0, 1], [1, 0], "x", color="0.15", ms=4, zorder=4)
        title = board.replace("x", " × ")
        if row is not None and np.isfinite(row.Q):
            title += f": $Q$ = {row.Q:.2f}".replace("-", "\N{MINUS SIGN}")
        ax.set(
            title=title.replace("x", " × "),
            xlabel=r"mine density $\rho$",
            xlim=(-0.03, 1.03),
            ylim=(-0.05, 1.05),
        )
        ax.set_xticks((0, 0.5, 1), ("0", "0.5", "1"))
    axes[0].set_ylabel("win rate $W$")
    return figure


def reproduced_squares_figure(
    fits: pd.DataFrame, extrapolation: pd.DataFrame, published: pd.DataFrame
) -> Figure:
    """Return `squares_figure` with the extrapolations of our players alone."""
    return squares_figure(fits, extrapolation[extrapolation["player"] != "published"], published)


def reproduced_limits_figure(series: pd.DataFrame) -> Figure:
    """Return `limits_figure` of our players from the smallest q on.

    The nine published boards alone swing far out of the picture; the table of the page has them.
    """
    own = series[series["player"] != "published"]
    return limits_figure(own[own["q_min"] == own["q_min"].min()])


FIGURES = {
    "table_b2": runs_figure,
    "ablation": ablation_figure,
    "degenerate": degenerate_figure,
    "squares": reproduced_squares_figure,
    "strips": strips_figure,
    "limits": reproduced_limits_figure,
}
"""The figures of the study by the names of their files."""
