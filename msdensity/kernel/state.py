"""The workspace: all records of a game, one workspace for each thread.

The records are numpy structured arrays, reached through one pointer (see `compiler`). Nothing grows
during a game: sizes follow from the board, and the arenas of the counting have a fixed budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from msdensity.errors import InputError
from msdensity.kernel.compiler.directory import Directory, directory_words, opener
from msdensity.kernel.compiler.rows import ROWS
from msdensity.kernel.limits import MAX_NEIGHBOURS
from msdensity.kernel.measures import MEASURES
from msdensity.kernel.planes.tiles import PLANES_TABLE, is_planar, make_tiles, no_tiles
from msdensity.kernel.records import (
    box_t,
    cell_t,
    component_t,
    game_t,
    inbox_t,
    link_t,
    move_t,
    node_t,
    part_t,
    slot_t,
    stream_t,
    task_t,
    witness_t,
)

UNKNOWN, OPEN, MARKED = 0, 1, 2
"""States of a cell: in U, in S (opened), in M (known to be mined)."""

MINED, EXPOSED, TOUCHED, IN_PAIR, IN_FRONTIER = 1, 2, 4, 8, 16
"""Flags of a cell. MINED is hidden from the game: no rule and no player may read it, only `field`,
`knowledge.open_cell`, and code that shows a board to people."""

FIRST, SINGLE, PAIR, COMPONENT, GLOBAL, GUESS, FLOATING_GUESS = map(np.int64, range(7))
"""Reasons for a move: the first click, the rule that made the cell certain, or a guess.

Numpy integers, here and below: Numba compiles a function again for each Python integer that is
passed as a constant, but only once for numpy integers.
"""

REASONS = 7

MAX_OPTIONS = 16
"""Options of one player."""

LAYERS = ("deal", "open", "pairs", "frontier", "states", "weights", "safety", "choose")
"""Layers that `clock.tick` counts: dealing the board; single-cell rule, opening and marking; pair
rule; components and boxes; states of a component; weights by number of mines; all components under
the global mine count; the player's choice."""

DEAL, OPENING, PAIRS, FRONTIER, STATES, WEIGHTS, SAFETY, CHOOSE = map(np.int64, range(8))

LAST_TICK = np.int64(8)

COUNTS = (
    *("visits", "sweeps", "pair looks", "comparisons", "components", "witnesses", "boxes"),
    *("states", "edges", "weights", "positions", "safest cells"),
)
"""What `clock.tally` counts: visits of a tile by the single-cell rule, and how often it sweeps over
it; cells that the pair rule looks at, and pairs that it compares; components built, their
witnesses, boxes, states and edges; weights of states; positions for which safeties are computed,
and the exposed cells listed there."""

VISITS, SWEEPS, LOOKS, COMPARISONS, COMPONENTS, WITNESSES, BOXES = map(np.int64, range(7))
NODES, EDGES, TERMS, POSITIONS, LISTED = map(np.int64, range(7, 12))

PLAYING, WON, LOST, CONTRADICTION, NUMERIC, GIVEN_UP = range(6)
"""Status of a game. From CONTRADICTION on the run stops: two faults of the program, and a player
that gave up too many boards in a row."""

BOARD, PLAYER = 0, 1
"""Indices of the two random streams."""

NODE_BUDGET = np.int64(1 << 19)

LARGE = 1e50
"""Weights above this, or below its inverse, are scaled."""

LAYER_BUDGET = 1 << 15

TERM_BUDGET = 1 << 23
"""What one component may use: states in all, states at one box, weights in all."""

PART_WITNESSES = np.int64(12)
"""Of the first part of a component that is tried (see `parts`); in two dimensions it is small."""

PART_ROOM = np.int64(1 << 14)
"""States kept free for a part of a component that is too large to count (see `parts`)."""

TABLE = {
    "start": "i4",  # (cells + 1,): the neighbours of c are neighbours[start[c] : start[c + 1]]
    "neighbours": "i4",  # (sum of degrees,), ascending for each cell
    "by_degree": "i4",  # (cells,): cells by number of neighbours, then by index
    **PLANES_TABLE,
}
"""A board as the kernel sees it: only which cells are neighbours (compressed rows), and where each
has its bit if the board is played in planes."""

PLANES = (
    "mined",  # hidden from the game, as the flag MINED
    "number0",  # N(a) of each cell that is not mined: its four bits
    "number1",
    "number2",
    "number3",
    "opened",
    "marked",
    "unknown",
    "to_open",  # unknown cells that are known to be safe, or mined, by other rules than the
    "to_mark",  # single-cell rule: it opens and marks them
    "free",  # opened cells that need no mine: all unknown neighbours are safe
    "full",  # opened cells that need all their unknown neighbours
    "border",  # opened cells with unknown neighbours (the set B)
    "needed0",  # of each border cell: N(a) - |K_M(a)|, its three bits
    "needed1",
    "needed2",
    "recent",  # cells opened or marked since the border was last looked at
    "waiting",  # border cells that wait for the pair rule
    "unbuilt",  # border cells that wait for their component
    "exposure",  # at a guess: unknown cells beside opened ones (the set E)
)
"""One bit for each cell."""

WORKSPACE = {
    "task": task_t,
    "first_cell": "i4",
    "option": "i8",  # of the player, each as an index among its choices
    "sums": "i8",  # the measures of the games of this batch, see `measures`
    "game": game_t,
    "reasons": "i8",  # moves by reason
    "layers": "i8",  # cycles by layer, then the last reading
    "counts": "i8",  # see COUNTS
    "stream": stream_t,
    "cell": cell_t,
    "link": link_t,
    "order": "i4",  # the random order of the cells while mines are placed, else 0, 1, 2 ...
    "protected": "u1",  # cells without a mine by the rule of the start, while mines are placed
    "seeds": "i4",  # a witness of each component to rebuild
    # Witnesses whose counts changed, waiting for the next rule (in planes, the first two hold
    # tiles). The first rule takes the oldest first, so that a cascade on a large board spreads as a
    # front, which stays in the cache.
    "touched": "i4",
    "pairs": "i4",
    "frontier": "i4",
    "witness": witness_t,
    "part": part_t,
    "box_witness": "i4",
    "witness_box": "i4",
    "list": "i4",  # short-lived list of cells, boxes or components
    "members": "i4",  # the cells of one box
    "draft": box_t,
    "box": box_t,
    "node": node_t,
    "edge": "i4",
    "slot": slot_t,
    "poly": "f8",  # weights of the ways to reach a state
    "back": "f8",  # weights of the ways to go on from it, at the same places
    "reached": "u1",  # whether a state can be reached, at the same places
    "returned": "u1",
    "component": component_t,
    "live": "i4",
    "total": "f8",  # of each component: weights by its number of mines
    "prefix": "f8",  # products of these over the components before each one
    "after": "f8",  # weights of the components after it, floating cells included
    "outer": "f8",  # the next `after` while it is computed; in `mine_count` 1 for each possible sum
    "choose": "f8",  # C(s, v) / 2**s at s * choose_row + v; then those times messages of one part
    "power": "f8",  # odds of a mine to the power v
    "message": "f8",  # of each box: its belief, then the messages to it (see `belief`)
    "sender": "i4",  # cells of witnesses: who sent them
    "inbox": inbox_t,  # of a cell
    "terms": "f8",  # products of the polynomials of a witness's boxes
    "exposed": "i4",  # at a guess: the exposed cells
    "safety": "f8",  # at a guess: P_S of each exposed cell, by cell
    "trace": move_t,
    **dict.fromkeys(PLANES, "u4"),
    "tile_waits": "u1",  # whether a tile is in the queue, in `visited` and on the stack of pairs
    "visited": "i4",  # tiles changed since the border was last looked at
    "scratch": "u4",  # two vectors of rows
    "component_of": "i4",  # of a cell in planes: its component, -1 if not built
    "seen": "i4",  # visited in the walk with this number, in this game or an earlier one
    "local": "i4",  # of a witness: its index in the component being built
    "box_key": "i8",  # of a drafted box: its witnesses in the window of one of them
}
"""All memory of one thread; the arrays are named in the modules that use them."""

table_type = Directory("Table", TABLE)

planes_type = Directory("Planes", TABLE)
"""The same memory as `table_type`; functions have another version for it (`compiler.jit.by_board`).
"""

workspace_type = Directory("Workspace", WORKSPACE)

open_table = opener(table_type)

open_planes = opener(planes_type)

open_workspace = opener(workspace_type)


class Memory:
    """Arrays by name and the directory through which compiled code finds them."""

    def __init__(self, fields: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        self.arrays = {
            name: _aligned(np.ascontiguousarray(arrays[name], dtype=dtype))
            for name, dtype in fields.items()
        }
        self.words = directory_words(self.arrays)

    def __getattr__(self, name: str) -> np.ndarray:
        try:
            return self.__dict__["arrays"][name]
        except KeyError:
            raise AttributeError(name) from None


LINE = 64
"""Bytes of a cache line and of the longest vector."""


def _aligned(array: np.ndarray) -> np.ndarray:
    """Return the array, if it is a plane in memory that begins with a line of the cache."""
    if array.dtype != np.uint32:
        return array
    spare = np.zeros(array.nbytes + LINE, np.uint8)
    begin = -spare.ctypes.data % LINE
    plane = spare[begin : begin + array.nbytes].view(np.uint32)
    plane[:] = array
    return plane


def make_table(
    start: np.ndarray, neighbours: np.ndarray, shape: Sequence[int] = (), topology: str = ""
) -> Memory:
    """Return the table of a board from its compressed neighbour rows.

    shape, topology: of a board that may be played in planes.

    Raises InputError where a cell has more than MAX_NEIGHBOURS neighbours.
    """
    degree = np.diff(start)
    if degree.max(initial=0) > MAX_NEIGHBOURS:
        raise InputError(
            f"neighbours={degree.max()} of cell {degree.argmax()} must be in 0..{MAX_NEIGHBOURS}"
        )
    by_degree = np.lexsort((np.arange(len(degree)), degree))
    tiles = make_tiles(shape, topology) if is_planar(shape, topology) else no_tiles()
    rows = {"start": start, "neighbours": neighbours, "by_degree": by_degree}
    return Memory(TABLE, rows | tiles)


def make_workspace(table: Memory, recording: bool = False) -> Memory:
    """Return the memory to play on `table`; only pages that are used cost anything.

    Raises InputError if the system refuses to reserve that much.
    """
    n, pairs, words = len(table.start) - 1, len(table.neighbours), len(table.valid)
    row = int(np.diff(table.start).max(initial=0)) + 2
    choose = np.zeros((row, row))
    choose[:, 0] = 1.0
    for size in range(1, row):
        choose[size, 1:] = choose[size - 1, :-1] + choose[size - 1, 1:]
    choose *= 0.5 ** np.arange(row)[:, None]  # exact; cancels, because box sizes are fixed
    game = np.zeros(1, game_t)
    game["cells"] = n
    game["choose_row"] = row
    ring = (1 << (n + row).bit_length()) - 1  # each witness waits once; a click looks `row` ahead
    game["ring"] = ring
    game["trace"] = 0 if recording else -1
    game["node_budget"] = NODE_BUDGET
    game["most_odds"] = LARGE ** (1.0 / row)
    nodes = max(int(NODE_BUDGET), 4 * n) + 2 * LAYER_BUDGET
    terms = max(TERM_BUDGET, 16 * n)
    sizes = {
        "task": 1,
        "first_cell": n,
        "option": MAX_OPTIONS,
        "sums": len(MEASURES),
        "reasons": REASONS,
        "layers": len(LAYERS) + 1,
        "counts": len(COUNTS),
        "stream": 2,
        "cell": n,
        "link": n,
        "protected": n,
        "members": row,
        "seeds": n,
        "touched": ring + 1,
        "pairs": n + 1,
        "frontier": n + 1,
        "witness": n + 1,
        "part": row,
        "box_witness": pairs + 1,
        "witness_box": pairs + 1,
        "list": n + 1,
        "draft": n + 1,
        "box": max(1 << 14, 2 * n) + n + 1,
        "node": nodes,
        "edge": 4 * nodes,
        "slot": 4 * LAYER_BUDGET,
        "poly": terms,
        "back": terms,
        "reached": terms,
        "returned": terms,
        "component": n + pairs + 16,
        "live": n + 1,
        "total": 4 * n + 64,
        "prefix": max(1 << 16, 64 * n),
        "after": 2 * (n + 64),
        "outer": 2 * (n + 64),
        "power": row,
        "message": 2 * (pairs + n),
        "sender": pairs + 1,
        "inbox": n,
        "terms": 2 * row * row,
        "exposed": n,
        "safety": n,
        "trace": n + 2 if recording else 1,
        **dict.fromkeys(PLANES, words),
        "tile_waits": len(table.tile),
        "visited": len(table.tiles),
        "scratch": 2 * ROWS,
        "component_of": n if words else 0,
        "seen": n if words else 0,
        "local": n if words else 0,
        "box_key": n + 1 if words else 0,
    }
    try:
        arrays = {name: np.zeros(size, WORKSPACE[name]) for name, size in sizes.items()}
    except MemoryError as error:
        raise InputError(
            f"cells={n} must be fewer: the memory of a thread cannot be reserved: {error}"
        ) from None
    arrays |= {
        "game": game,
        "choose": np.append(choose, np.zeros(2 * min(n, int(PART_WITNESSES) * row))),
        "order": np.arange(n),
    }
    return Memory(WORKSPACE, arrays)
