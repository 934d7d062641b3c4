"""The smallest sets of mines that force a guess, each as two boards with the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from msdensity.games.boards import Board
from msdensity.kernel.topology import outlines
from msdensity.studies.page import rows
from msdensity.studies.paper.figures.board import plot_board
from msdensity.studies.patterns.columns import (
    DIP_COLUMNS,
    LATTICE_PATTERN_COLUMNS,
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


AROUND = 1.6
"""How far from a pattern cells are drawn, in widths of a cell."""


def _draw_pattern(ax: Axes, row: Any) -> None:
    """Draw a pattern and the cells around it; row: of LATTICE_PATTERN_COLUMNS."""
    board = Board.parse(row.board)
    lines = outlines(board.shape, row.topology)
    labels: dict[int, str] = {}
    # Both layouts in one: all cells of one letter are mined, or all of the other.
    for text, label in ((row.first, "a"), (row.second, "b"), (row.flags, "\N{HEAVY ASTERISK}")):
        labels |= {r * board.q + c: label for r, c in cells_of(text)}
    own = list(labels)
    x, y = lines.x, lines.y
    close = (x > x[own].min() - AROUND) & (x < x[own].max() + AROUND)
    close &= (y > y[own].min() - AROUND) & (y < y[own].max() + AROUND)
    faces = {"a": "#F0B98C", "b": "#9CC7E4", "\N{HEAVY ASTERISK}": "0.88"}
    for c in np.flatnonzero(close).tolist():
        corners = lines.polygons[lines.kind[c]] + (x[c], y[c])
        label = labels.get(c, "")
        face = faces.get(label, "white")
        ax.add_patch(Polygon(corners, facecolor=face, edgecolor="0.45", linewidth=0.6))
        ax.text(x[c], y[c], label, ha="center", va="center", fontsize=6)
    ax.set(xlim=(x[close].min() - 1, x[close].max() + 1), aspect="equal")
    ax.set(ylim=(y[close].max() + 1, y[close].min() - 1))
    # A thick line is a side of the board.
    for side, at, low, high in (
        ("h", 0.0, x[close].min() - 1, x[close].max() + 1),
        ("v", 0.0, y[close].min() - 1, y[close].max() + 1),
        ("v", lines.width, y[close].min() - 1, y[close].max() + 1),
    ):
        if side == "h" and y[close].min() < 1:
            ax.plot([max(low, 0), min(high, lines.width)], [at, at], color="black", linewidth=2)
        elif side == "v" and np.abs(x[close] - at).min() < 1:
            ax.plot([at, at], [max(low, 0), high], color="black", linewidth=2)
    ax.axis("off")


@styled
def lattices_figure(lattice_patterns: pd.DataFrame) -> Figure:
    """Return the smallest patterns of each lattice in a row, both layouts in one drawing.

    lattice_patterns: LATTICE_PATTERN_COLUMNS.
    """
    require_rows(lattice_patterns, "lattice patterns", LATTICE_PATTERN_COLUMNS)
    groups = [(str(name), own) for name, own in lattice_patterns.groupby("topology", sort=False)]
    most = max(len(own) for _, own in groups)
    figure = Figure(figsize=(1.35 * most + 0.6, 1.6 * len(groups)))
    axes = figure.subplots(len(groups), most, squeeze=False)
    for line, (topology, own) in zip(axes, groups, strict=True):
        for ax in line[len(own) :]:
            ax.axis("off")
        for ax, row in zip(line, rows(own), strict=False):
            _draw_pattern(ax, row)
            ax.set_title(f"{row.place}\n{row.mines} mines, {row.kind}", fontsize=6)
        line[0].text(
            -0.1, 0.5, topology, transform=line[0].transAxes, rotation=90, va="center", ha="right"
        )
    return figure


FIGURES = {
    "patterns": patterns_figure,
    "lines": lines_figure,
    "player_slopes": player_slopes_figure,
    "lattices": lattices_figure,
}
"""The study's figures by the names of their files."""
