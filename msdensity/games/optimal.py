"""Perfect play: the exact chance to win a small board, or a position with few layouts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from msdensity.errors import InputError, integer
from msdensity.games.boards import Board, Rules, most_mines, named_board, require_places
from msdensity.games.game_tree import list_layouts, near_bits
from msdensity.games.symmetries import symmetries
from msdensity.kernel.names import FIRST_ZEROS

if TYPE_CHECKING:
    from msdensity.kernel.state import Memory

MAX_LAYOUTS = 6_000_000
"""Of one first click: enough for every number of mines on 25 cells."""

MAX_CELLS = 64

MEMO = 1 << 22
"""Sets that are kept in memory at a time, for the largest boards: 160 MB."""

BUDGET = 20_000_000
"""Sets that one first click may search: more than any number of mines on 5x5 needs."""


def optimal_win_probability(
    board: Board | str,
    mines: int,
    first_click: str = "corner",
    start: str = "safe",
    *,
    budget: int = BUDGET,
) -> Fraction:
    """Return the exact chance that the best of all players wins, as a fraction.

    This solves the Markov decision process that document 000 (chapter 7) leaves to future work:
    the state is the set of layouts that agree with what is seen, and a move is a cell to open. The
    value of a set of layouts does not depend on how it came about, and a cell that is safe in all
    of them is opened at no cost (see `players.perfect.search`). All counts are integers.

    board: at most 64 cells, of any topology or neighbour table.
    mines: 0 up to the most that the rules allow.
    first_click: a rule of `Rules` (a random one gives the mean), "cell:<index>", or "best": the
        first click that wins most often.
    start: "safe", "zero" or "unprotected", as in `Rules`.
    budget: sets of layouts that may be searched for one first click, at least 1. A million take
        20 to 300 seconds. The memory does not depend on it: up to a gigabyte on 25 cells.

    Raises InputError for values out of range, for more than 6 million layouts (no board of 25 cells
    has as many), and if the search would need more sets than `budget`.
    """
    from msdensity.kernel.topology import cached_table, first_cells, neighbour_lists

    board = named_board(board)
    budget = integer("budget", budget, 1, 2**62)
    best = isinstance(first_click, str) and first_click == "best"
    rules = Rules("corner" if best else first_click, start)
    if start in FIRST_ZEROS:
        raise InputError(f"start={start} must be safe, zero or unprotected")
    require_places(board, rules)
    if board.cells > MAX_CELLS:
        raise InputError(f"cells={board.cells} of board {board.name} must be in 1..{MAX_CELLS}")
    near = neighbour_lists(cached_table(board.shape, board.topology))
    if best:
        most = board.cells - 1
        if start == "zero":
            most -= min(map(len, near))
        cells = list(range(board.cells))
    else:
        most = most_mines(board, rules)
        cells = first_cells(board.shape, first_click).tolist()
    if most < 0:
        raise InputError(f"start={start} protects all cells of board {board.name}")
    mines = integer("mines", mines, 0, most)
    cells = [c for c in cells if _fits(near, c, start, mines)]
    images = symmetries(near)
    values: dict[int, Fraction] = {}
    for c in cells:
        orbit = min(image[c] for image in images)
        if orbit not in values:
            least = max(values.values()) if best and values else Fraction(0)
            values[orbit] = _value(near, mines, orbit, start, least, budget)
    if best:
        return max(values.values())
    return sum((values[min(image[c] for image in images)] for c in cells), Fraction(0)) / len(cells)


def _fits(near: Sequence[Sequence[int]], c: int, start: str, mines: int) -> bool:
    """Return whether a game with so many mines can start at cell c."""
    protected = 1 + len(near[c]) if start == "zero" else 1
    return mines <= len(near) - protected


def _value(
    near: list[list[int]], mines: int, first: int, start: str, least: Fraction, budget: int
) -> Fraction:
    """Return the chance to win after a first click, or, if it is below `least`, any less."""
    cells = len(near)
    kept = {first, *near[first]} if start == "zero" else {first}
    free = [c for c in range(cells) if c not in kept]
    count = math.comb(len(free), mines)
    if count > MAX_LAYOUTS:
        raise InputError(
            f"mines={mines} on {cells} cells has {count:,} layouts, must have at most"
            f" {MAX_LAYOUTS:,}"
        )
    total = math.comb(cells, mines) if start == "unprotected" else count
    won = _won(near, list_layouts(np.array(free), mines), first, math.ceil(least * total), budget)
    return Fraction(won, total)


def _won(near: list[list[int]], layouts: np.ndarray, first: int, need: int, budget: int) -> int:
    """Return how many of the layouts best play wins after its first click."""
    from msdensity.kernel.compiler.jit import compiling
    from msdensity.players.perfect.entries import value_of_layouts, write_layouts
    from msdensity.players.perfect.memory import make_memory
    from msdensity.players.perfect.search import GAVE_UP

    cells = len(near)
    images = symmetries(near, first)
    memo = min(MEMO, 1 << (4 * len(layouts)).bit_length())
    memory = make_memory(len(layouts), cells, memo, images=len(images))
    memory.layout[:] = layouts
    memory.near[:] = near_bits(near)
    memory.search["budget"], memory.search["epoch"] = budget, 1
    with compiling(write_layouts):
        # 15 numbers of a cell would take more than MAX_LAYOUTS.
        write_layouts(memory.words)
    name_images(memory, images)
    with compiling(value_of_layouts):
        won = value_of_layouts(memory.words, need)
    if won == GAVE_UP:
        raise InputError(f"budget={budget} must be larger: the search is not done")
    return int(won)


def name_images(memory: Memory, images: list[list[int]]) -> None:
    """Give equal names to what the symmetries map onto each other."""
    lanes, bits = int(memory.search["lanes"][0]), 16
    names = memory.name[: len(images) * lanes * bits * 2].reshape(len(images), lanes, bits, 2)
    for g, image in enumerate(images):
        for c, lane in enumerate(memory.lane.tolist()):
            if lane >= 0 and g > 0:
                names[g, lane] = names[0, memory.lane[image[c]]]
