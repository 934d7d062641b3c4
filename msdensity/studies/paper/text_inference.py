"""The inference of paper 001 as its text describes it: subtraction of subset constraints.

Algorithms 3.1 to 3.5 one by one, to be read and looked into; `infer_fast` gives the same cells on
large boards. The player `weighted` does not use this module: its inference is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from msdensity.errors import InputError, integer, require_kind

Cell = tuple[int, int]
"""(row, column), from 0 at the top left; the paper writes (column, row)."""


class Constraint(NamedTuple):
    """`sum` of the `cells` are mined (Definition 20)."""

    sum: int
    cells: frozenset[Cell]


@dataclass(frozen=True)
class Inference:
    """What was inferred: unknown cells found safe and mined, sorted; all constraints at the end.

    rounds: passes of the loop of Algorithm 3.5. complete: False if the number of constraints
    reached the limit; then the cells found are right but may not be all that the algorithm finds.
    """

    safe: tuple[Cell, ...]
    mined: tuple[Cell, ...]
    constraints: frozenset[Constraint]
    rounds: int
    complete: bool


def derive_constraints(
    grid: Sequence[str], mines: int, global_constraint: bool = True
) -> set[Constraint]:
    """Return the optimised local constraints and the global one (Algorithm 3.1).

    grid: one string a row, `.` unknown, a digit for an opened cell, `F` a known mine; mines: the
    total m, 0..pq. Raises InputError for a malformed grid.
    """
    rows = list(grid) if isinstance(grid, Iterable) and not isinstance(grid, str) else []
    if not all(isinstance(row, str) for row in rows):
        raise InputError("grid must be a list of rows, each a string")
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise InputError("grid must be rows of one length, at least one cell")
    strange = sorted(set("".join(rows)) - set(".F012345678"))
    if strange:
        raise InputError(f"grid holds {strange[0]!r}; allowed are '.', 'F' and 0..8")
    cells = [(r, c) for r in range(len(rows)) for c in range(len(rows[0]))]
    mines = integer("mines", mines, 0, len(cells))
    unknown = frozenset((r, c) for r, c in cells if rows[r][c] == ".")
    known_mines = {(r, c) for r, c in cells if rows[r][c] == "F"}
    found = set()
    for r, c in cells:
        near = {(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} - {(r, c)}
        if rows[r][c] not in ".F" and near & unknown:
            left = int(rows[r][c]) - len(near & known_mines)
            found.add(Constraint(left, frozenset(near & unknown)))  # Definition 18
    if global_constraint and unknown:
        found.add(Constraint(mines - len(known_mines), unknown))  # Definition 19
    return found


def solve_trivials(constraints: Iterable[Constraint]) -> set[Constraint]:
    """Return a solved constraint for each cell of those with sum 0 or |X| (Algorithm 3.2)."""
    solved = set()
    for total, cells in constraints:
        if total == 0 or total == len(cells):
            solved |= {Constraint(int(total != 0), frozenset({cell})) for cell in cells}
    return solved


def construct_constraints(constraints: Iterable[Constraint]) -> set[Constraint]:
    """Return the difference of every pair of which one holds the other (Algorithm 3.3)."""
    pairs = list(constraints)
    return {
        Constraint(whole.sum - part.sum, whole.cells - part.cells)  # Definition 24
        for whole in pairs
        for part in pairs
        if part.cells < whole.cells
    }


def assign_solved_cells(constraints: Iterable[Constraint]) -> tuple[set[Cell], set[Cell]]:
    """Return the cells solved to be safe and to be mined (Algorithm 3.4)."""
    solved = [(total, cell) for total, cells in constraints if len(cells) == 1 for cell in cells]
    return {cell for total, cell in solved if total == 0}, {c for total, c in solved if total == 1}


def infer(
    grid: Sequence[str], mines: int, *, global_constraint: bool = True, limit: int = 20_000
) -> Inference:
    """Return what the text's inference finds in a position (Algorithm 3.5).

    grid, mines: see `derive_constraints`. With the global constraint the number of constraints can
    grow exponentially with the boundary, for U less any disjoint boundary constraints is one: the
    loop stops where there are more than `limit`. Raises InputError for a malformed grid, and where
    two constraints turn out to contradict each other.
    """
    require_kind("global_constraint", global_constraint, bool, "True or False")
    limit = integer("limit", limit, 0)
    constraints = derive_constraints(grid, mines, global_constraint)
    _require_possible(constraints)
    old: set[Constraint] = set()
    rounds = 0
    while constraints != old and len(constraints) <= limit:
        old = set(constraints)
        constraints |= solve_trivials(constraints)
        constraints |= construct_constraints(constraints)
        _require_possible(constraints)
        rounds += 1
    constraints |= solve_trivials(constraints)
    safe, mined = assign_solved_cells(constraints)
    return Inference(
        tuple(sorted(safe)),
        tuple(sorted(mined)),
        frozenset(constraints),
        rounds,
        len(constraints) <= limit,
    )


def _require_possible(constraints: Iterable[Constraint]) -> None:
    for total, cells in constraints:
        if not 0 <= total <= len(cells):
            raise InputError(
                f"grid contradicts itself: {len(cells)} of its cells would hold {total} mines"
            )


def infer_fast(
    grid: Sequence[str], mines: int, *, global_constraint: bool = True, limit: int = 1_000
) -> Inference:
    """Return the cells that `infer` finds, with solved cells substituted as soon as they are.

    A constraint less its solved cells takes part in the same differences as the whole one, so that
    the cells found are the same; `constraints` holds what is left of them. Beyond `limit`
    constraints left the answer is not complete. Raises InputError as `infer`.
    """
    local = derive_constraints(grid, mines, global_constraint=False)
    everything = derive_constraints(grid, mines)
    numbers = {cell: i for i, cell in enumerate(sorted({c for x in everything for c in x.cells}))}
    system = _System()
    for part in local:
        system.add(sum(1 << numbers[cell] for cell in part.cells), part.sum)
    complete = system.close(limit)
    if global_constraint and complete:
        for part in everything - local:
            system.add(sum(1 << numbers[cell] for cell in part.cells), part.sum)
        complete = system.close(limit)
    cells = list(numbers)
    left = {
        Constraint(total, frozenset(c for i, c in enumerate(cells) if mask >> i & 1))
        for mask, total in system.sums.items()
    }
    safe = tuple(cells[i] for i in sorted(system.solved) if not system.solved[i])
    mined = tuple(cells[i] for i in sorted(system.solved) if system.solved[i])
    return Inference(safe, mined, frozenset(left), system.rounds, complete)


class _System:
    """True constraints on unsolved cells, as bit masks of cells -> sum, closed under difference."""

    def __init__(self) -> None:
        self.sums: dict[int, int] = {}
        self.solved: dict[int, int] = {}
        self.rounds = 0
        self._new: set[int] = set()
        self._known = 0
        self._mined = 0

    def add(self, mask: int, total: int) -> None:
        """Add a constraint, less its solved cells; a trivial one solves its cells instead."""
        total -= (mask & self._mined).bit_count()
        mask &= ~self._known
        size = mask.bit_count()
        if not 0 <= total <= size or self.sums.get(mask, total) != total:
            raise InputError(
                f"grid contradicts itself: {size} of its cells would hold {total} mines"
            )
        if not mask or mask in self.sums:
            return
        if 0 < total < size:
            self.sums[mask] = total
            self._new.add(mask)
            return
        while mask:
            low = mask & -mask
            mask ^= low
            self.solved[low.bit_length() - 1] = int(total > 0)
            self._known |= low
            self._mined |= low if total > 0 else 0

    def close(self, limit: int) -> bool:
        """Add differences until there is no new one; return False on reaching the limit."""
        self._substitute()
        while self._new:
            self.rounds += 1
            new, self._new = sorted(self._new), set()
            for mask in new:
                for other in list(self.sums):
                    both = mask & other
                    if both == other and mask != other:
                        self.add(mask ^ other, self.sums[mask] - self.sums[other])
                    elif both == mask and mask != other:
                        self.add(mask ^ other, self.sums[other] - self.sums[mask])
                if len(self.sums) > limit:
                    self._substitute()
                    return False
            self._substitute()
        return True

    def _substitute(self) -> None:
        """Take solved cells out of all constraints, until that solves no more."""
        while any(mask & self._known for mask in self.sums):
            for mask in [mask for mask in self.sums if mask & self._known]:
                total = self.sums.pop(mask)
                self._new.discard(mask)
                self.add(mask, total)
