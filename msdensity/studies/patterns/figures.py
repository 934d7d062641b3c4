"""The smallest sets of mines that force a guess, each as two boards with the same numbers."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from msdensity.studies.paper.figures.board import plot_board
from msdensity.studies.patterns.columns import PATTERN_COLUMNS
from msdensity.studies.plot import require_rows, styled

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


FIGURES = {"patterns": patterns_figure}
"""The study's figures by the names of their files."""
