"""The probability that the first click shows 0 (paper 001, section 5)."""

from __future__ import annotations

from math import comb

from msdensity.errors import InputError, integer


def probability_of_zero(cells: int, neighbours: int, mines: int, start: str = "safe") -> float:
    """Return the probability that the first cell shows 0.

    cells: pq; neighbours: |K(a)| of the first cell, 0..pq - 1; mines: 0..pq - 1. By Lemma 3 all
    mines stand outside the cell and its neighbours: C(pq - |K| - 1, m) of C(pq, m) layouts
    (start "unprotected"), or of C(pq - 1, m) where the first click is promised to be safe. Raises
    InputError out of these ranges.
    """
    integer("cells", cells, 1)
    integer("neighbours", neighbours, 0, cells - 1)
    integer("mines", mines, 0, cells - 1)
    if start not in ("safe", "unprotected"):
        raise InputError(f"start={start!r} must be safe or unprotected")
    return comb(cells - neighbours - 1, mines) / comb(cells - (start == "safe"), mines)
