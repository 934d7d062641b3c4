"""The names of geometries and start rules that the kernel knows (pure Python: no Numba)."""

import re
from collections.abc import Sequence

from msdensity.errors import InputError

TOPOLOGIES = (
    "square8",
    "square4",
    "torus8",
    "torus4",
    "hexagonal",
    "triangle3",
    "triangle12",
    "knight",
    "cubic6",
    "cubic26",
    "box",
    "torus",
    "torus_hexagonal",
    "torus_triangle3",
    "torus_triangle12",
    "torus_knight",
)
"""`box` and `torus` are n-dimensional with every diagonal neighbour, without and with wrapping."""

WRAPPED = {
    "square8": "torus8",
    "square4": "torus4",
    "hexagonal": "torus_hexagonal",
    "triangle3": "torus_triangle3",
    "triangle12": "torus_triangle12",
    "knight": "torus_knight",
}
"""Topologies with two sides and borders, and the same whose rows and columns are rings."""

EVEN_SIDES = {"torus_hexagonal": 1, "torus_triangle3": 2, "torus_triangle12": 2}
"""How many of the sides must be even, rows first: else the cells do not fit together."""

OWN_TABLE = re.compile("table-[0-9a-f]{16}")
"""Names of custom neighbour tables: they hold a hash of the table."""

TRANSPOSABLE = ("square8", "square4", "torus8", "torus4")
"""Topologies in which a p x q board and its transpose are the same board."""

FIRST_CLICKS = ("corner", "centre", "random", "random_corner", "random_edge", "random_interior")
"""Where the game starts; `cell:<index>` names one cell."""

PLACES = ("centre", "random_corner", "random_edge", "random_interior")
"""Those of FIRST_CLICKS that need rows and columns, which a custom board lacks."""

FIRST_ZEROS = ("first_zero", "first_zero_by_columns")
"""Starts at the first cell that shows 0 in the board as written, by rows or by columns.

They are two rules and not one with an option, because every ledger, table and configuration has a
field for the name of a rule and none for its options.
"""

STARTS = ("safe", "zero", "unprotected", *FIRST_ZEROS)
"""What the start promises: a safe cell, a cell whose neighbourhood is clear, nothing, or a hint."""


def topology_of(board: str) -> str:
    """Return the topology in the name of a board: "4x5-torus8" -> "torus8", "4x5" -> "square8"."""
    return board.partition("-")[2] or "square8"


def unwrapped(topology: str) -> str:
    """Return the topology with borders of one in WRAPPED; any other as it is."""
    return {ring: plain for plain, ring in WRAPPED.items()}.get(topology, topology)


def require_fit(shape: Sequence[int], topology: str) -> None:
    """Raise InputError if a wrapped board has an odd side that must be even."""
    count = EVEN_SIDES.get(topology, 0)
    if any(side % 2 for side in shape[:count]):
        wanted = "an even number of rows" if count == 1 else "even sides"
        sides = "x".join(map(str, shape))
        raise InputError(f"board={sides}-{topology} must have {wanted}, so that its cells fit")
