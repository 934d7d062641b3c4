"""Section 8.1 of paper 001: what the last cells of a crowded board leave to luck."""

from __future__ import annotations

import math

from msdensity.errors import InputError


def luck_as_printed(cells: int, mines: int) -> float:
    """Return the product that section 8.1 prints for winning by luck: 0 wherever cells > mines + 1.

    product over k = 1 .. pq - m - 1 of (pq - m - 1 - k) / (pq - k). Raises InputError unless
    1 <= mines < cells.
    """
    _check(cells, mines)
    guesses = cells - mines - 1
    return math.prod((guesses - k) / (cells - k) for k in range(1, guesses + 1))


def luck(cells: int, mines: int) -> float:
    """Return the chance to win by random guesses after a safe first click: 1 / C(pq - 1, m).

    The product of section 8.1 with pq - m - k in its numerator. Raises InputError unless
    1 <= mines < cells.
    """
    _check(cells, mines)
    return 1 / math.comb(cells - 1, mines)


def _check(cells: int, mines: int) -> None:
    if not 1 <= mines < cells:
        raise InputError(f"mines={mines} must be in 1..{cells - 1} for {cells} cells")
