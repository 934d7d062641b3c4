"""Counting layouts, and playing one without guesses: what generators of boards promise."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from msdensity.games.analysis import analyse_states
from msdensity.games.game import Game
from msdensity.kernel.state import MARKED
from msdensity.kernel.topology import Topology, board_table

MAX_LAYOUTS = 1_000_000
"""`one_click_layouts` looks at each layout where there are no more than these."""

MAX_REGIONS = 4_000_000
"""Otherwise it looks at regions that one click opens, and gives up beyond so many."""


def layouts_by_rule(
    shape: Sequence[int], mines: int, first: Sequence[int], topology: Topology = "square8"
) -> dict[str, int]:
    """Return how many layouts each first-click rule allows, exact.

    Keys: `anywhere` (the first click at cell `first` may hit a mine), `safe_cell` (it may not),
    `safe_neighbourhood` (nor may its neighbours hold one); the starts `unprotected`, `safe` and
    `zero`.
    """
    neighbours = _neighbours(shape, topology)
    cells = len(neighbours)
    near = len(neighbours[int(np.ravel_multi_index(tuple(first), tuple(shape)))])
    return {
        "anywhere": math.comb(cells, mines),
        "safe_cell": math.comb(cells - 1, mines),
        "safe_neighbourhood": math.comb(cells - 1 - near, mines),
    }


def one_click_layouts(shape: Sequence[int], mines: int, topology: Topology = "square8") -> int:
    """Return how many layouts of `mines` mines some first click wins at once, exact."""
    neighbours = _neighbours(shape, topology)
    cells = len(neighbours)
    if mines == cells:
        return 0  # no safe cell to click on
    if mines == cells - 1:
        return cells
    closed = [1 << c | sum(1 << d for d in near) for c, near in enumerate(neighbours)]
    if math.comb(cells, mines) <= MAX_LAYOUTS:
        return _look_at_layouts(closed, mines)
    return _grow_regions(closed, mines)


def _look_at_layouts(closed: list[int], mines: int) -> int:
    """Count layouts one by one; `closed` holds each cell with its neighbours, as bits."""
    cells = len(closed)
    everything = (1 << cells) - 1
    single = [1 << c for c in range(cells)]
    count = 0
    for mined_cells in itertools.combinations(range(cells), mines):
        beside = mined = 0
        for c in mined_cells:
            beside |= closed[c]
            mined |= single[c]
        zeros = everything & ~beside
        region = _flood(closed, zeros, zeros & -zeros)
        count += region == everything & ~mined
    return count


def _flood(closed: list[int], zeros: int, start: int) -> int:
    """Return what opening the cell of the bit `start` opens, if it is one of the `zeros`."""
    region, waiting, done = start, start & zeros, 0
    while waiting:
        bit = waiting & -waiting
        done |= bit
        region |= closed[bit.bit_length() - 1]
        waiting = region & zeros & ~done
    return region


def _grow_regions(closed: list[int], mines: int) -> int:
    """Count the sets of cells that one click opens and that leave `mines` cells.

    Such a set is the neighbourhood of a connected set of zeros, so adding to it the neighbourhood
    of one of its own cells gives another, and all are reached so from those of single cells.
    """
    wanted = len(closed) - mines
    found = {region for region in closed if region.bit_count() <= wanted}
    waiting = list(found)
    while waiting:
        region = waiting.pop()
        if region.bit_count() == wanted:
            continue
        rest = region
        while rest:
            bit = rest & -rest
            rest ^= bit
            larger = region | closed[bit.bit_length() - 1]
            if larger not in found and larger.bit_count() <= wanted:
                found.add(larger)
                waiting.append(larger)
        assert len(found) <= MAX_REGIONS, "too many to count"
    return sum(region.bit_count() == wanted for region in found)


@dataclass(frozen=True)
class CertainPlay:
    """How far certain moves alone lead.

    no_guess: whether they finish the game; rounds: how often all cells proved safe were opened,
    after the first click; view: where it stops, rows of text as `Game.view`.
    """

    no_guess: bool
    rounds: int
    view: list[str]


def play_certain(
    layout: Sequence[str],
    first: Sequence[int],
    topology: Topology = "square8",
    *,
    mine_count: bool = True,
) -> CertainPlay:
    """Open cell `first`, then round by round all cells that are proved safe, and nothing else.

    Proofs are complete: they use all numbers on view and, with `mine_count`, the number of mines.
    Where the first click hits a mine no round is played. layout and topology as in `Game`.
    """
    game = Game(layout, topology)
    game.open(*first)
    total = game.mines if mine_count else None
    rounds = 0
    proved = np.zeros(game.shape, bool)  # mines: marked, so that the rest falls into small parts
    while game.status == "playing":
        states, numbers = game.known()
        states[proved.ravel()] = MARKED
        found = analyse_states(game.shape, topology, states, numbers, total, count=False)
        assert found.exact
        if not found.safe:
            break
        for cell in found.safe:
            game.open(*cell)
        for cell in found.mined:
            proved[cell] = True
        rounds += 1
    return CertainPlay(game.status == "won", rounds, game.view())


def _neighbours(shape: Sequence[int], topology: Topology) -> list[list[int]]:
    table = board_table(shape, topology)
    return [part.tolist() for part in np.split(table.neighbours, table.start[1:-1])]
