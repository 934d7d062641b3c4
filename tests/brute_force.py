"""All arrangements of a small position, one by one, in plain integers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np

from msdensity.kernel.state import (
    FIRST,
    FLOATING_GUESS,
    GUESS,
    MARKED,
    MINED,
    OPEN,
    UNKNOWN,
    Memory,
)
from msdensity.kernel.topology import cached_table


def neighbour_lists(shape: tuple[int, ...], topology: str = "square8") -> list[list[int]]:
    """Return the neighbours of each cell of a board."""
    table = cached_table(shape, topology)
    return [near.tolist() for near in np.split(table.neighbours, table.start[1:-1])]


@lru_cache(maxsize=256)
def selections(n: int, k: int) -> np.ndarray:
    """Return all ways to choose k of n cells, one row each: (C(n, k), n) of 0 and 1."""
    subsets = list(itertools.combinations(range(n), k))
    rows = np.zeros((len(subsets), n), np.int64)
    for row, mined in zip(rows, subsets, strict=True):
        row[list(mined)] = 1
    rows.flags.writeable = False
    return rows


def arrangements(
    neighbours: list[list[int]], states: np.ndarray, numbers: np.ndarray, mines: int
) -> np.ndarray:
    """Return all arrangements of a position, one row each: (count, unknown cells) of 0 and 1.

    `states` holds 0 unknown, 1 opened, 2 known to be mined.
    """
    unknown = np.flatnonzero(states == 0)
    left = mines - int((states == 2).sum())
    if not 0 <= left <= len(unknown):
        return np.zeros((0, len(unknown)), np.int64)
    rows = selections(len(unknown), left)
    for c in np.flatnonzero(states == 1):
        known = sum(states[d] == 2 for d in neighbours[c])
        near = [i for i, u in enumerate(unknown) if u in neighbours[c]]
        rows = rows[rows[:, near].sum(axis=1) + known == numbers[c]]
    return rows


def exact_safety(rows: np.ndarray) -> list[Fraction]:
    """Return the safety of each unknown cell as a fraction."""
    return [Fraction(len(rows) - int(column.sum()), len(rows)) for column in rows.T]


def random_position(
    rng: np.random.Generator, neighbours: list[list[int]], most_unknown: int
) -> tuple[np.ndarray, np.ndarray, int, np.ndarray]:
    """Return (states, numbers, mines, mined) of a random layout with some cells known.

    Opened cells have true numbers and marked ones are mined, so the position is consistent. The
    opened cells are a random set, which is harder for the player than a position of a game.
    """
    cells = len(neighbours)
    mines = int(rng.integers(0, cells + 1))
    mined = np.zeros(cells, bool)
    mined[rng.permutation(cells)[:mines]] = True
    states = np.where(mined, 2 * (rng.random(cells) < rng.random() * 0.5), 0).astype(np.uint8)
    states[~mined] = rng.random(int((~mined).sum())) < rng.random()
    unknown = np.flatnonzero(states == 0)
    surplus = rng.permutation(unknown)[: max(0, len(unknown) - most_unknown)]
    states[surplus] = np.where(mined[surplus], 2, 1)
    numbers = np.array([sum(mined[d] for d in near) for near in neighbours], np.int64)
    numbers[states != 1] = 0
    return states, numbers, mines, mined


def moves(workspace: Memory) -> Iterator[tuple[int, int, float, np.ndarray, np.ndarray]]:
    """Yield (cell, reason, safety, states, numbers) of each move of a recorded game, before it.

    Asserts that every move that is no guess is right.
    """
    mined = (workspace.cell["flags"] & MINED) > 0
    numbers = workspace.cell["number"].astype(np.int64)
    states = np.full(len(mined), UNKNOWN, np.uint8)
    for c, reason, safety in workspace.trace[: workspace.game[0]["trace"]].tolist():
        yield c, reason, safety, states, np.where(states == OPEN, numbers, 0)
        if reason not in (FIRST, GUESS, FLOATING_GUESS):
            assert mined[c] == (safety == 0.0)
        states[c] = MARKED if mined[c] else OPEN
