"""What a set of rules opens from known cells: plain Python, slow, on small boards."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

Near = Sequence[Sequence[int]]


class Board:
    """What is known of a board whose mines are given."""

    def __init__(self, near: Near, mines: Iterable[int], known: Iterable[int]) -> None:
        self.near, self.mines = near, set(mines)
        self.opened = {c for c in known if c not in self.mines}
        self.marked = {c for c in known if c in self.mines}

    def unknown(self, w: int) -> set[int]:
        return set(self.near[w]) - self.opened - self.marked

    def missing(self, w: int) -> int:
        return sum(d in self.mines for d in self.near[w]) - len(self.marked & set(self.near[w]))

    def numbers(self) -> list[tuple[set[int], int]]:
        """Return the unknown cells of each opened cell that has some, and the mines among them."""
        return [(self.unknown(w), self.missing(w)) for w in sorted(self.opened) if self.unknown(w)]

    def decide(self, cells: Iterable[int], mined: bool) -> bool:
        """Open or mark the cells; return whether there are any."""
        cells = set(cells)
        assert all((c in self.mines) == mined for c in cells)
        (self.marked if mined else self.opened).update(cells)
        return bool(cells)


def zeros(board: Board) -> bool:
    spread = {
        d
        for w in board.opened
        if not board.mines & set(board.near[w])
        for d in board.near[w]
        if d not in board.opened
    }
    return board.decide(spread, False)


def single(board: Board) -> bool:
    for cells, mines in board.numbers():
        if mines in (0, len(cells)):
            return board.decide(cells, mines > 0)
    return False


def pairs(board: Board) -> bool:
    if single(board):
        return True
    for (a, in_a), (b, in_b) in itertools.permutations(board.numbers(), 2):
        if a & b and a != b and in_a - in_b == len(a - b):
            return board.decide(a - b, True) | board.decide(b - a, False)
    return False


def refuted(numbers: list[tuple[set[int], int]], cell: int, mined: bool) -> bool:
    """Return whether single numbers lead from a state of a cell to one that cannot be met."""
    state = {cell: mined}
    changed = True
    while changed:
        changed = False
        for cells, mines in numbers:
            left = {c for c in cells if c not in state}
            need = mines - sum(state[c] for c in cells if c in state)
            if not 0 <= need <= len(left):
                return True
            if left and need in (0, len(left)):
                state |= dict.fromkeys(left, need > 0)
                changed = True
    return False


def unit(board: Board) -> bool:
    if single(board):
        return True
    numbers = board.numbers()
    for c in sorted(set().union(*(cells for cells, _ in numbers))):
        for mined in (False, True):
            if refuted(numbers, c, mined):
                return board.decide([c], not mined)
    return False


def complete(board: Board) -> bool:
    if pairs(board):
        return True
    numbers = board.numbers()
    cells = sorted(set().union(*(cells for cells, _ in numbers)))
    place = {c: 1 << i for i, c in enumerate(cells)}
    masks = [(sum(place[c] for c in own), mines) for own, mines in numbers]
    always, ever = (1 << len(cells)) - 1, 0
    for layout in range(1 << len(cells)):
        if all((layout & mask).bit_count() == mines for mask, mines in masks):
            always &= layout
            ever |= layout
    free = [c for c in cells if not ever & place[c]]
    return board.decide(free, False) | board.decide([c for c in cells if always & place[c]], True)


STEPS = {"zeros": zeros, "single": single, "pairs": pairs, "unit": unit, "complete": complete}


def closure(near: Near, mines: Iterable[int], known: Iterable[int], rules: str) -> set[int]:
    """Return the opened cells in the end, if the cells `known` are known from the start."""
    board = Board(near, mines, known)
    while STEPS[rules](board):
        pass
    return board.opened
