"""The smallest sets of mines that force a guess, each as two boards with the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from msdensity.studies.page import rows
from msdensity.studies.paper.figures.board import plot_board
from msdensity.studies.patterns.columns import (
    DIP_COLUMNS,
    PATTERN_COLUMNS,
    PLAYER_SLOPE_COLUMNS,
)
from msdensity.studies.plot import LOG, board_name, legend_name, look, require_rows, styled

QUANTITIES = {
    "published P": "P, Table B.2",
    "P": "P of weighted",
    "rho50": r"$\rho_{50}$ of weighted",
}
"""Densities of `dips` as the figure names them."""

SIZE = 6
"""Rows and columns that are drawn of each board."""


def cells_of(text: str) -> set[tuple[int, int]]:
    """Return the cells of a text such as "0,1 2,3"."""
    return {(int(r), int(c)) for r, c in (place.split(",") for place in text.split())}


def board_of(first: str, flags: str, place: str) -> list[str]:
    """Return the rows of a board with mines on the cells of two texts, all others with numbers.

    Outside the board of an edge or a corner there are no cells, so that its sides are those of the
    drawing.
    """
    mines = cells_of(first) | cells_of(flags)
    last = [max(each) for each in zip(*mines, strict=True)]
    rows, columns = (max(SIZE, most + 2) for most in last)
    near = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    return [
        "".join(
            "*" if (r, c) in mines else str(sum((r + a, c + b) in mines for a, b in near))
            for c in range(columns)
        )
        for r in range(rows)
    ]


@styled
def patterns_figure(patterns: pd.DataFrame) -> Figure:
    """Return each pattern as its two layouts, a column each, the closed cells outlined.

    patterns: PATTERN_COLUMNS. Numbers of cells that both layouts open are the same.
    """
    require_rows(patterns, "patterns table", PATTERN_COLUMNS)
    figure = Figure(figsize=(1.7 * len(patterns), 4.0))
    axes = figure.subplots(2, len(patterns), squeeze=False)
    for column, row in zip(axes.T, patterns.itertuples(), strict=True):
        for ax, mines in zip(column, (row.first, row.second), strict=True):
            closed = cells_of(str(row.first)) | cells_of(str(row.second))
            plot_board(ax, board_of(str(mines), str(row.flags), str(row.place)), mark=closed)
            ax.set(xticks=[], yticks=[])
        column[0].set_title(f"{row.place}, {row.mines} mines", fontsize=9)
    return figure


@styled
def lines_figure(line_patterns: pd.DataFrame, dips: pd.DataFrame) -> Figure:
    """Return lines across a board as their two layouts, and densities of p x 10 against p.

    line_patterns: PATTERN_COLUMNS; dips: DIP_COLUMNS.
    """
    require_rows(line_patterns, "line patterns", PATTERN_COLUMNS)
    require_rows(dips, "dips table", DIP_COLUMNS)
    figure = Figure(figsize=(7.2, 3.6))
    halves = figure.subfigures(1, 2, width_ratios=(1, 1.5), squeeze=False)
    boards, graph = halves[0]
    axes = boards.subplots(len(line_patterns), 2, squeeze=False)
    for pair, row in zip(axes, rows(line_patterns), strict=True):
        closed = cells_of(row.first) | cells_of(row.second)
        for ax, mines in zip(pair, (row.first, row.second), strict=True):
            side = 1 + max(r for r, _ in closed)
            whole = board_of(mines, "", row.place)[: side + 1]
            plot_board(ax, whole[: max(side, 3)], mark=closed)
            ax.set(xticks=[], yticks=[])
        pair[0].set_title(row.place, fontsize=9)
    ax = graph.subplots()
    own = dips[dips["series"] == "p x 10"]
    for index, (quantity, name) in enumerate(QUANTITIES.items()):
        points: dict[str, Any] = look(index) | {"linestyle": "", "label": name}
        each = own[own["quantity"] == quantity].sort_values("p")
        ax.errorbar(each["p"], each["value"], yerr=1.96 * each["error"], **points)
    law = own[own["quantity"] == "rho50"].sort_values("p")
    ax.plot(law["p"], law["law"], color="0.3", label="law")
    ax.plot(law["p"], law["law_without_lines"], color="0.3", linestyle=":", label="without lines")
    ax.set(xlabel="p of p × 10 cells", ylabel=r"mine density $\rho$")
    ax.legend()
    return figure


@styled
def player_slopes_figure(players_slopes: pd.DataFrame) -> Figure:
    """Return -ln W of each player against the density, a panel for each board.

    players_slopes: PLAYER_SLOPE_COLUMNS.
    """
    require_rows(players_slopes, "players' slopes", PLAYER_SLOPE_COLUMNS)
    boards = list(dict.fromkeys(players_slopes["board"]))
    figure = Figure(figsize=(7.2, 3.2))
    axes = figure.subplots(1, len(boards), squeeze=False)[0]
    for ax, board in zip(axes, boards, strict=True):
        own = players_slopes[players_slopes["board"] == board]
        for index, (player, each) in enumerate(own.groupby("player", sort=False)):
            ends = each[["low", "x_low", "x_low_error"]].to_numpy().tolist()
            ends += each[["high", "x_high", "x_high_error"]].to_numpy()[-1:].tolist()
            density, x, error = np.transpose(ends)
            points: dict[str, Any] = look(index) | {"label": legend_name(str(player))}
            ax.errorbar(density, x, yerr=1.96 * error, linewidth=0.8, **points)
        ax.set(xscale=LOG, yscale=LOG, xlabel=r"mine density $\rho$", title=board_name(board))
        ticks = sorted({*own["low"].round(3), *own["high"].round(3)})
        ax.set_xticks(ticks, [f"{tick:.2g}" for tick in ticks])
        ax.set_xticks([], minor=True)
    axes[0].set_ylabel(r"$-\ln W$ ($W$: win rate)")
    axes[0].legend()
    return figure


FIGURES = {
    "patterns": patterns_figure,
    "lines": lines_figure,
    "player_slopes": player_slopes_figure,
}
"""The study's figures by the names of their files."""
