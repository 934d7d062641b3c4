"""The best moves in a position with few layouts, and what every move is worth, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from msdensity.errors import InputError
from msdensity.games.analysis import analyse, solve_again
from msdensity.kernel.compiler.jit import compiling
from msdensity.kernel.topology import Topology
from msdensity.players.perfect.entries import list_position, values_of_lanes, write_layouts
from msdensity.players.perfect.memory import MAX_LANES, MINE, make_memory
from msdensity.players.perfect.search import GAVE_UP

MAX_CONFIGURATIONS = 10_000

BUDGET = 10_000_000
"""Sets of configurations that may be searched: minutes."""

MEMO = 1 << 20


@dataclass(frozen=True)
class BestMoves:
    """What best play is worth in one position; cells are (row, column), from 0 at the top left.

    win: the greatest chance to open every safe cell; the first move is not protected.
    moves: all first moves that reach it, those that merely cost nothing included; none if the
        position is won already.
    win_by_move: of each unknown cell, the chance to win if it is opened first.
    configurations: number of arrangements of mines that agree with the position, all as likely.
    """

    win: Fraction
    moves: list[tuple[int, ...]]
    win_by_move: dict[tuple[int, ...], Fraction]
    configurations: int

    def __str__(self) -> str:
        """Return the chance to win, and the best moves."""
        cells = " ".join(",".join(map(str, cell)) for cell in self.moves)
        return f"best play wins {self.win} = {float(self.win):.4f}\nbest moves: {cells or 'none'}"


def best_moves(
    grid: Sequence[str],
    mines: int,
    topology: Topology = "square8",
    trust_flags: bool = True,
    *,
    shape: Sequence[int] | None = None,
) -> BestMoves:
    """Return the exact value of every move in a position, and the best moves.

    The position is a state of the Markov decision process that document 000 (chapter 7) leaves to
    future work (see `players.perfect.search`). Cells that are equal in all configurations count
    once in the search.

    grid, mines, topology, trust_flags, shape: as in `analyse`; the total must be known.

    Raises InputError as `analyse`, and for a position that is impossible, has more than 10,000
    configurations, has more than 64 cells that differ or 14 numbers of one cell, or would need a
    longer search than 10 million sets.
    """
    if mines is None:
        raise InputError("mines=None must be a whole number: best play depends on the total")
    answer = analyse(grid, mines, topology, trust_flags, shape=shape)
    if not answer.consistent:
        raise InputError(f"grid is impossible: {answer.reason}")
    if not answer.exact:
        raise InputError("grid must have fewer unknown cells: it is too large for exact counting")
    number = answer.configurations or 0
    if number > MAX_CONFIGURATIONS:
        shown = str(number) if number < 10**12 else f"about 10^{len(str(number)) - 1}"
        raise InputError(
            f"grid has {shown} configurations, must have at most {MAX_CONFIGURATIONS:,}"
        )
    loaded = solve_again(answer)
    assert loaded is not None  # a total was given, and the answer is exact
    table, workspace = loaded
    unknown = int(workspace.game["unknown"][0])
    sides = answer.safety.shape
    if unknown == 0:
        return BestMoves(Fraction(1), [], {}, number)
    memory = make_memory(number, unknown, MEMO, lanes=MAX_LANES, cells=len(table.start) - 1)
    memory.search["budget"], memory.search["epoch"] = BUDGET, 1
    with compiling(list_position):
        listed = list_position(table.words, workspace.words, memory.words, number)
    if listed != number:
        raise RuntimeError(f"{number} configurations are counted, but {listed} are listed")
    with compiling(write_layouts):
        lanes = write_layouts(memory.words)
    if lanes < 0:
        raise InputError(
            f"grid must have at most {MAX_LANES} unknown cells that differ, and few numbers of each"
        )
    values = np.zeros(lanes, np.int64)
    with compiling(values_of_lanes):
        whole = values_of_lanes(memory.words, values)
    if whole == GAVE_UP:
        raise InputError(f"grid must be simpler: best play needs more than {BUDGET:,} sets")
    won = {}
    for c, lane in sorted(zip(memory.cell.tolist(), memory.lane.tolist(), strict=True)):
        cell = tuple(int(side) for side in np.unravel_index(c, sides))
        won[cell] = int(values[lane]) if lane >= 0 else int(whole) * (lane != MINE)
    return BestMoves(
        Fraction(int(whole), number),
        [cell for cell, count in won.items() if count == whole],
        {cell: Fraction(count, number) for cell, count in won.items()},
        number,
    )
