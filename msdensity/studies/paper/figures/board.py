"""A position on the page: Figures 3.1 and 3.2 (inference), 4.1 and 4.2 (safeties)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from operator import index

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from msdensity.errors import InputError, shown
from msdensity.studies.paper.tables import FIGURE_3_1, FIGURE_4_1
from msdensity.studies.paper.text_inference import infer
from msdensity.studies.plot import require_axes, styled

_NUMBERS = ("0.65", "#0072B2", "#00735C", "#A63F00", "#3B3B8F", "#7A1F3D", "#00626B", "0", "0.3")
"""Dark enough to be read on white, and no meaning lies in the colour."""

_COVERED = "0.82"

_CELL = 0.5  # inches


def _cells(name: str, cells: object) -> list[tuple[int, int]]:
    """Return cells as pairs (row, column); InputError for anything else."""
    try:
        return [(index(row), index(column)) for row, column in cells]  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise InputError(f"{name}={shown(cells)} must be pairs (row, column)") from None


def plot_board(
    ax: Axes,
    grid: Sequence[str],
    *,
    safety: ArrayLike | None = None,
    safe: Collection[tuple[int, int]] = (),
    mined: Collection[tuple[int, int]] = (),
    mark: Collection[tuple[int, int]] = (),
) -> None:
    """Draw a position; cells are (row, column), from 0 at the top left.

    grid: one string a row: `.` covered, `F` flagged, a digit opened, `*` a mine. safety: array
    (rows, columns), P_S in 0..1 or NaN, written into covered cells as a percentage on a colour
    scale. safe, mined: covered cells known to be so, drawn with a tick or a flag. mark: cells to
    outline. Raises InputError if rows differ in length or safety in shape.
    """
    require_axes(ax)
    rows = list(grid) if isinstance(grid, Iterable) and not isinstance(grid, str) else []
    rows = rows if all(isinstance(row, str) for row in rows) else []
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise InputError("grid must be a list of strings of one length, one for each row")
    height, width = len(rows), len(rows[0])
    try:
        values = None if safety is None else np.asarray(safety, float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"safety={shown(safety)} must be numbers, in rows of one length") from None
    if values is not None and values.shape != (height, width):
        raise InputError(f"safety has shape {values.shape}, must be {(height, width)}")
    places = [_cells(n, given) for n, given in (("safe", safe), ("mined", mined), ("mark", mark))]
    safe, mined, mark = places
    scale = matplotlib.colormaps["cividis"]
    for r, row in enumerate(rows):
        for c, symbol in enumerate(row):
            face, text, color, weight = "white", symbol, "black", "bold"
            if symbol == ".":
                face, text = _COVERED, ""
                if values is not None and np.isfinite(values[r, c]):
                    face = scale(values[r, c])
                    text, weight = f"{100 * values[r, c]:.0f}", "normal"
                    color = "black" if values[r, c] > 0.5 else "white"
                if (r, c) in safe:
                    text, color = "\N{CHECK MARK}", "#00735C"
            if symbol == "F" or (r, c) in mined:
                face, text, color = _COVERED, "\N{BLACK FLAG}", "#A63F00"
            elif symbol == "*":
                text = "\N{HEAVY ASTERISK}"
            elif symbol.isdigit():
                text, color = symbol.replace("0", ""), _NUMBERS[int(symbol)]
            ax.add_patch(Rectangle((c, r), 1, 1, facecolor=face, edgecolor="0.45", linewidth=0.7))
            ax.text(
                c + 0.5,
                r + 0.5,
                text,
                ha="center",
                va="center_baseline",
                color=color,
                weight=weight,
                fontsize=11,
            )
    for r, c in mark:
        box = Rectangle((c + 0.06, r + 0.06), 0.88, 0.88, fill=False, edgecolor="#D55E00", lw=2)
        ax.add_patch(box)
    ax.set(xlim=(-0.03, width + 0.03), ylim=(height + 0.03, -0.03), aspect="equal")
    ax.set(xticks=np.arange(width) + 0.5, yticks=np.arange(height) + 0.5)
    ax.set_xticklabels(map(str, range(width)))
    ax.set_yticklabels(map(str, range(height)))
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)


def _pair(grid: Sequence[str]) -> tuple[Figure, Axes, Axes]:
    """Return a figure with room for the position twice."""
    width, height = len(grid[0]), len(grid)
    figure = Figure(figsize=(2 * _CELL * width + 1.6, _CELL * height + 1.15))
    first, second = figure.subplots(1, 2)
    for ax in (first, second):
        ax.set(xlabel="$x$")
    first.set_ylabel("$y$", rotation=0, labelpad=10, va="center")
    return figure, first, second


@styled
def board_figure(grid: Sequence[str], mines: int) -> Figure:
    """Return a position before and after the text's inference (Figures 3.1 and 3.2).

    grid, mines: see `text_inference.derive_constraints`; InputError as there.
    """
    inference = infer(grid, mines)
    figure, before, after = _pair(grid)
    plot_board(before, grid)
    plot_board(after, grid, safe=inference.safe, mined=inference.mined)
    before.set_title(f"{mines} mines")
    after.set_title("inferred: \N{CHECK MARK} safe, \N{BLACK FLAG} mined")
    return figure


@styled
def safety_figure(grid: Sequence[str], mines: int, safety: ArrayLike) -> Figure:
    """Return a position and the safety of its cells, the safest outlined (Figures 4.1 and 4.2).

    grid, safety: see `plot_board`; InputError as there.
    """
    values = np.asarray(safety, float)
    figure, before, after = _pair(grid)
    plot_board(before, grid)
    safest = np.argwhere(values >= np.nanmax(values) - 1e-9)
    plot_board(after, grid, safety=values, mark=[(int(r), int(c)) for r, c in safest])
    before.set_title(f"{mines} mines")
    after.set_title("safety $P_S$ (%)")
    return figure


def inference_position_figure() -> Figure:
    """Return the position of Figure 3.1 and what the text's inference finds."""
    return board_figure(*FIGURE_3_1)


def safety_position_figure() -> Figure:
    """Return a position like that of Figure 4.1 with its safeties."""
    from msdensity.games.analysis import analyse

    return safety_figure(*FIGURE_4_1, analyse(*FIGURE_4_1).safety)


FIGURES = {"figure_3_1": inference_position_figure, "figure_4_1": safety_position_figure}
"""The figures of this file by the names of their files."""
