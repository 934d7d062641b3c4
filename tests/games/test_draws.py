"""Exact win rates of players that draw, against a plain recursion with fractions."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from brute_force import neighbour_lists

import msdensity as md
from msdensity.games.exact import ExactWins, exact_wins

CAMPAIGN = pytest.mark.campaign
WHEEL = [[1, 2, 3, 4, 5, 6], *([0, 1 + (i - 1) % 6, 1 + (i + 1) % 6] for i in range(6))]
RANDOM, IMPROVED = {"ties": "random"}, {"guessing": "improved"}

Near = list[list[int]]
Layouts = frozenset[frozenset[int]]
View = frozenset[tuple[int, int]]
"""Opened cells and their numbers."""
Choice = Callable[[Near, Layouts, View], list[int]]
"""choice(near, layouts, view): the cells of which one is opened, all as likely."""


def board_of(name: str) -> md.Board:
    return md.Board.from_neighbours(WHEEL) if name == "wheel" else md.Board(name)


def safest(near: Near, layouts: Layouts, view: View) -> list[int]:
    """Those that are safe in most layouts; a certain cell is opened first, in any order."""
    covered = [c for c in range(len(near)) if c not in dict(view)]
    safe = {c: sum(c not in mined for mined in layouts) for c in covered}
    best = [c for c in covered if safe[c] == max(safe.values())]
    return best[:1] if safe[best[0]] == len(layouts) else best


def covered_cells(near: Near, layouts: Layouts, view: View) -> list[int]:
    """A free cell if the single-point rules find one, else all cells without a mark."""
    numbers, marked = dict(view), set()
    changed = True
    while changed:
        changed = False
        for x, number in numbers.items():
            unknown = {y for y in near[x] if y not in numbers} - marked
            left = number - len(marked & set(near[x]))
            if unknown and left == 0:
                return [max(unknown)]
            if unknown and left == len(unknown):
                marked |= unknown
                changed = True
    return [c for c in range(len(near)) if c not in numbers and c not in marked]


def placed_cells(near: Near, layouts: Layouts, view: View) -> list[int]:
    """Of those a corner, else an edge, else beside an opened cell, else any."""
    cells, opened = covered_cells(near, layouts, view), dict(view)
    degrees = [len(cells) for cells in near]
    kinds = {}
    for c in cells:
        inner = 2 if opened.keys() & set(near[c]) else 3
        outer = 0 if degrees[c] == min(degrees) else 1
        kinds[c] = inner if degrees[c] == max(degrees) else outer
    return [c for c in cells if kinds[c] == min(kinds.values())]


def drawn(near: Near, mines: int, first: int, kept: set[int], choice: Choice) -> Fraction:
    """Return how many layouts are won on the average: plain."""
    known: dict[View, Fraction] = {}

    def after(layouts: Layouts, view: View, c: int) -> Fraction:
        parts = defaultdict(list)
        for mined in layouts:
            if c not in mined:
                parts[len(mined & set(near[c]))].append(mined)
        values = (value(frozenset(p), view | {(c, number)}) for number, p in parts.items())
        return sum(values, Fraction(0))

    def value(layouts: Layouts, view: View) -> Fraction:
        if len(view) == len(near) - mines:
            return Fraction(1)
        if view not in known:
            cells = choice(near, layouts, view)
            known[view] = Fraction(sum(after(layouts, view, c) for c in cells)) / len(cells)
        return known[view]

    free = [c for c in range(len(near)) if c not in kept]
    every = frozenset(frozenset(mined) for mined in combinations(free, mines))
    return after(every, frozenset(), first)


PLAYERS: dict[str, tuple[str, dict[str, str], Choice]] = {
    "ties": ("weighted", RANDOM, safest),
    "single_point": ("single_point", {}, covered_cells),
    "double_set": ("double_set", {}, covered_cells),
    "improved": ("double_set", IMPROVED, placed_cells),
}


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(
    "names,start",
    [
        (("wheel",), "zero"),
        (("2x4",), "safe"),
        *(
            pytest.param(
                ("2x5", "3x3", "3x3-torus4", "3x4-hexagonal", "3x4-knight", "wheel"),
                start,
                marks=CAMPAIGN,
            )
            for start in ("safe", "zero", "unprotected")
        ),
    ],
)
def test_draws_have_the_expectation_of_a_plain_recursion(
    names: tuple[str, ...], start: str, player: str
) -> None:
    numbers = (2, 3) if len(names) == 1 else (2, 4)
    fractions = [compare_all_clicks(board_of(n), start, numbers, player) for n in names]
    assert any(fractions) or names == ("wheel",)


def compare_all_clicks(board: md.Board, start: str, numbers: tuple[int, ...], player: str) -> int:
    """Compare each first click, and their mean; return how many are no whole numbers.

    Symmetries of the board and cells that are equal in all layouts count.
    """
    near = neighbour_lists(board.shape, board.topology)
    name, options, choice = PLAYERS[player]
    fractions = 0
    for mines in numbers:
        rates = []
        for first in range(board.cells):
            kept = {first, *near[first]} if start == "zero" else {first}
            layouts = comb(board.cells - len(kept), mines)
            rules = md.Rules(f"cell:{first}", start)
            if not layouts:
                with pytest.raises(md.InputError, match=r"mines=|start=zero"):
                    exact_wins(md.Task(board, mines, name, options, rules))
                continue
            if start == "unprotected":
                layouts = comb(board.cells, mines)
            found = exact_wins(md.Task(board, mines, name, options, rules))
            assert found == ExactWins(layouts, drawn(near, mines, first, kept, choice))
            fractions += found.won.denominator > 1
            rates.append(found.win_rate)
        if len(rates) == board.cells:
            mean = md.exact_win_rate(board, mines, (name, options), "random", start)
            assert mean == sum(rates) / len(rates)
    return fractions


@pytest.mark.parametrize(
    "board,mines,rate",
    [("2x2x2x2-box", 1, Fraction(1, 15)), ("1x24-knight", 2, Fraction(1, 253))],
)
def test_layouts_that_nothing_tells_apart_take_no_search(board, mines, rate) -> None:
    """Every draw shows the same, so that one layout is won; there are 2^15 sets and more."""
    assert md.exact_win_rate(board, mines, ("weighted", RANDOM), budget=100) == rate


@pytest.mark.parametrize("name,mines", [("3x4", 4), ("2x5-torus8", 3)])
def test_the_plain_recursion_tells_the_players_apart(name: str, mines: int) -> None:
    rates = {md.exact_win_rate(name, mines, PLAYERS[p][:2]) for p in PLAYERS}
    assert len(rates) == 3  # single_point and double_set differ in their work alone
