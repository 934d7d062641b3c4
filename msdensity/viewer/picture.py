"""What a page has been sent of a board, so that only changes follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from msdensity.games.analysis import Analysis
from msdensity.kernel.topology import outlines

SAFE, MINED = 2.0, -1.0
"""Hints of certain cells, which no safety can be: a certain cell is never a rounded safety."""

_DIGITS = 5


def outline_facts(shape: Sequence[int], topology: str) -> dict[str, Any]:
    """Return `outlines` of a board as the page takes them."""
    lines = outlines(shape, topology)
    return {
        "x": lines.x.round(_DIGITS).tolist(),
        "y": lines.y.round(_DIGITS).tolist(),
        "kinds": lines.kind.tolist(),
        "polygons": [polygon.round(_DIGITS).ravel().tolist() for polygon in lines.polygons],
        "width": lines.width,
        "height": lines.height,
        "wraps": lines.wraps,
    }


def hints_of(answer: Analysis | None, cells: int) -> NDArray[np.float64]:
    """Return the hint of every cell: its safety, SAFE, MINED, or NaN where there is none."""
    if answer is None or not answer.consistent:
        return np.full(cells, np.nan)
    hints: NDArray[np.float64] = answer.safety.copy()
    for value, places in ((SAFE, answer.safe), (MINED, answer.mined)):
        if places:
            hints[tuple(np.array(places).T)] = value
    return hints.ravel()


class Picture:
    """The symbols and hints of a board as the page has them now.

    symbols: one byte a cell, as `Game.view` writes them, and `m` a mine shown after the end, `x` a
    wrong flag. hints: as `hints_of`.
    """

    def __init__(self, cells: int) -> None:
        self._symbols = np.full(cells, ord(" "), np.uint8)
        self._hints = np.full(cells, np.nan)

    def changes(
        self, symbols: NDArray[np.uint8], hints: NDArray[np.float64]
    ) -> dict[str, list[Any]]:
        """Return what is different now; the page then has it.

        `cells` with their `symbols`; `hinted` cells, and which of `values` each has (null: none).
        """
        cells = np.flatnonzero(symbols != self._symbols)
        other = (hints != self._hints) & ~(np.isnan(hints) & np.isnan(self._hints))
        hinted = np.flatnonzero(other)
        values, which = np.unique(hints[hinted], return_inverse=True)
        self._symbols, self._hints = symbols.copy(), hints.copy()
        return {
            "cells": cells.tolist(),
            "symbols": [symbols[cells].tobytes().decode("ascii")],
            "hinted": hinted.tolist(),
            "values": [None if np.isnan(value) else value for value in values.tolist()],
            "which": which.tolist(),
        }
