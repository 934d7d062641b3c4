"""What the number of mines left excludes: against all arrangements of the whole board."""

import numpy as np
from brute_force import arrangements
from layers import GLOBAL, LOCAL, RESTRICTED, lay_out, neighbours, random_rows

from msdensity.kernel.state import EXPOSED, MARKED, OPEN, PLAYING, UNKNOWN
from msdensity.kernel.state import GLOBAL as BY_MINES


def possible(ws, rows: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return (unknown cells, all arrangements of mines on them) of a position."""
    text, near = "".join(rows), neighbours(rows)
    numbers = np.array([sum(text[d] == "*" for d in near[c]) for c in range(len(text))])
    state = ws.cell["state"]
    return np.flatnonzero(state == UNKNOWN), arrangements(near, state, numbers, text.count("*"))


def test_the_range_of_mines_in_floating_cells_is_that_of_all_arrangements() -> None:
    rng = np.random.default_rng(6)
    narrowed = 0
    for _ in range(150):
        rows = random_rows(rng, 3, 6, mines=int(rng.integers(1, 6)), opened=7)
        ws, (least, most) = lay_out(rows, RESTRICTED)
        if ws.game["status"][0] != PLAYING:
            continue
        unknown, ways = possible(ws, rows)
        floats = ws.cell["flags"][unknown] & EXPOSED == 0
        mines = ways[:, floats].sum(axis=1)
        assert (least, most) == (mines.min(), mines.max())
        narrowed += floats.any() and (least == floats.sum() or most == 0)
    assert narrowed > 3


def test_the_mine_count_decides_exactly_the_cells_that_are_certain() -> None:
    rng = np.random.default_rng(7)
    decided = 0
    for _ in range(150):
        rows = random_rows(rng, 4, 5, mines=int(rng.integers(1, 5)), opened=6)
        before, _ = lay_out(rows, LOCAL)
        if before.game["status"][0] != PLAYING:
            continue
        unknown, ways = possible(before, rows)
        always, never = ways.all(axis=0), ~ways.any(axis=0)
        ws, _ = lay_out(rows, GLOBAL)
        state = ws.cell["state"][unknown]
        assert never[state == OPEN].all() and always[state == MARKED].all()
        assert ws.reasons[BY_MINES] == (state != UNKNOWN).sum()
        if ws.game["status"][0] == PLAYING:  # else it stopped at the last safe cell
            # the next number decides the cells that no longer float
            fresh = ws.cell["flags"][unknown] & ~before.cell["flags"][unknown] & EXPOSED > 0
            assert (state != UNKNOWN)[(always | never) & ~fresh].all()
        decided += (state != UNKNOWN).any()
    assert decided > 10
