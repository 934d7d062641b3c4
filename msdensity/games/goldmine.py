"""GoldMine: Minesweeper with gold, as document 004 (section 6) sketches it, and an exact player.

004 says that gold lies on the board besides mines, that it is denser, that a number counts it
twice, and that the aim is to dig as much gold as possible and not to be killed. The reading here:

- every cell holds a mine, gold or nothing; their numbers are fixed and known;
- a cell that is dug shows whether it held gold, and its number: the mines around it plus twice the
  gold around it, dug or not;
- digging gold scores one; digging a mine ends the game, and the score stays;
- the game ends too when all gold is dug; the first cell holds no mine.

A number says less than in Minesweeper: 2 may be one gold or two mines.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from msdensity.errors import integer
from msdensity.kernel.state import Memory
from msdensity.kernel.topology import Topology, board_table, neighbour_lists

NOTHING, MINE, GOLD = 0, 1, 2
"""What a cell holds; also what it adds to the numbers around it."""

Totals = tuple[int, int]
"""Mines and gold."""

Weights = dict[Totals, int]
"""Arrangements by mines and gold."""

State = tuple[tuple[int, int], ...]
"""What the dug cells that are not done with still need: (cell, need) each."""


@dataclass(frozen=True)
class Prospect:
    """What is known of the covered cells of a position.

    mine, gold: the exact probability that a covered cell holds a mine, and gold. arrangements: how
    many there are; 0 if the position is impossible, and then nothing else is known.
    """

    mine: dict[int, Fraction]
    gold: dict[int, Fraction]
    arrangements: int


@dataclass(frozen=True)
class _Box:
    """Covered cells with the same dug neighbours."""

    cells: tuple[int, ...]
    witnesses: tuple[int, ...]

    def choices(self) -> list[tuple[int, int, int]]:
        """Return (mines, gold, ways) of all contents."""
        size = len(self.cells)
        return [
            (mines, gold, math.comb(size, mines) * math.comb(size - mines, gold))
            for mines in range(size + 1)
            for gold in range(size - mines + 1)
        ]


def neighbours_of(shape: Sequence[int], topology: Topology = "square8") -> list[list[int]]:
    """Return the neighbours of each cell of a board."""
    table: Memory = board_table(shape, topology)
    return neighbour_lists(table)


def prospect(
    near: Sequence[Sequence[int]], dug: dict[int, Totals], mines: int, gold: int
) -> Prospect:
    """Return the exact probabilities of a position.

    near: the neighbours of each cell. dug: of each dug cell (held, number), held NOTHING or GOLD.
    mines, gold: on the whole board, dug gold included. Raises InputError for totals out of range.
    """
    cells = len(near)
    mines = integer("mines", mines, 0, cells)
    gold = integer("gold", gold, 0, cells - mines)
    left = (mines, gold - sum(held == GOLD for held, _ in dug.values()))
    needs = {
        w: number - sum(dug[d][0] for d in near[w] if d in dug) for w, (_, number) in dug.items()
    }
    boxes: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for c in range(cells):
        if c not in dug:
            boxes[tuple(w for w in near[c] if w in dug)].append(c)
    floating = boxes.pop((), [])
    if any(need for w, need in needs.items() if all(d in dug for d in near[w])):
        return Prospect({}, {}, 0)
    parts = [_Component(part, needs) for part in _components(boxes)]
    outside = _floating(len(floating), left)
    after = [outside]
    for part in reversed(parts):
        after.append(_times(after[-1], part.totals, left))
    total = after[-1].get(left, 0)
    if total == 0:
        return Prospect({}, {}, 0)
    shares: dict[int, tuple[int, int]] = {}
    before: Weights = {(0, 0): 1}
    for i, part in enumerate(parts):
        # of everything else, by what it leaves to this part
        rest = _times(before, after[len(parts) - 1 - i], left)
        shares |= part.shares({(left[0] - m, left[1] - g): w for (m, g), w in rest.items()})
        before = _times(before, part.totals, left)
    if floating:
        # before: the parts, by what they take from the floating cells
        in_mines = in_gold = 0
        for (m, g), ways in outside.items():
            weight = ways * before.get((left[0] - m, left[1] - g), 0)
            in_mines += weight * m
            in_gold += weight * g
        shares |= dict.fromkeys(floating, (in_mines, in_gold))
        sizes = dict.fromkeys(floating, len(floating))
    else:
        sizes = {}
    sizes |= {c: len(box.cells) for part in parts for box in part.boxes for c in box.cells}
    return Prospect(
        {c: Fraction(m, total * sizes[c]) for c, (m, _) in shares.items()},
        {c: Fraction(g, total * sizes[c]) for c, (_, g) in shares.items()},
        total,
    )


def _floating(cells: int, left: Totals) -> Weights:
    """Return the arrangements of cells beside no dug one, by mines and gold, up to those left."""
    return {
        (m, g): math.comb(cells, m) * math.comb(cells - m, g)
        for m in range(min(cells, left[0]) + 1)
        for g in range(min(cells - m, left[1]) + 1)
    }


def _times(a: Weights, b: Weights, left: Totals) -> Weights:
    """Return the arrangements of two parts together, up to the totals left."""
    product: Weights = defaultdict(int)
    for (m, g), ways in a.items():
        for (n, h), more in b.items():
            if m + n <= left[0] and g + h <= left[1]:
                product[m + n, g + h] += ways * more
    return dict(product)


def _components(boxes: dict[tuple[int, ...], list[int]]) -> list[list[_Box]]:
    """Return the boxes connected through dug cells, each next to an earlier one of its list."""
    left = dict(boxes)
    parts = []
    while left:
        witnesses = set(next(iter(left)))
        part = []
        while found := [key for key in left if witnesses & set(key)]:
            key = min(found, key=lambda k: len(set(k) - witnesses))
            witnesses |= set(key)
            part.append(_Box(tuple(left.pop(key)), key))
        parts.append(part)
    return parts


class _Component:
    """All contents of connected boxes: box after box, contents that leave the same needs as one."""

    def __init__(self, boxes: list[_Box], needs: dict[int, int]) -> None:
        self.boxes = boxes
        last = {w: i for i, box in enumerate(boxes) for w in box.witnesses}
        self.layers: list[dict[State, Weights]] = [{(): {(0, 0): 1}}]
        self.edges: list[list[tuple[State, State, int, int, int]]] = []
        for i, box in enumerate(boxes):
            onward: dict[State, Weights] = {}
            edges = []
            for state, weights in self.layers[-1].items():
                open_needs = dict(state)
                for mines, gold, ways in box.choices():
                    after = {
                        **open_needs,
                        **{
                            w: open_needs.get(w, needs[w]) - mines - 2 * gold for w in box.witnesses
                        },
                    }
                    ended = [w for w in box.witnesses if last[w] == i]
                    if min(after.values()) < 0 or any(after[w] for w in ended):
                        continue
                    key = tuple(sorted((w, n) for w, n in after.items() if last[w] > i))
                    edges.append((state, key, mines, gold, ways))
                    target = onward.setdefault(key, defaultdict(int))
                    for (m, g), weight in weights.items():
                        target[m + mines, g + gold] += weight * ways
            self.layers.append(onward)
            self.edges.append(edges)
        self.totals: Weights = dict(self.layers[-1].get((), {}))

    def shares(self, rest: Weights) -> dict[int, tuple[int, int]]:
        """Return for each cell the sums of the mines, and of the gold, in its box.

        rest: the arrangements of everything else, by the mines and gold of this component.
        """
        found: dict[int, tuple[int, int]] = {}
        back: dict[State, Weights] = {(): rest}
        for i in range(len(self.boxes) - 1, -1, -1):
            earlier: dict[State, Weights] = defaultdict(lambda: defaultdict(int))
            in_mines = in_gold = 0
            for state, key, mines, gold, ways in self.edges[i]:
                behind = back.get(key, {})
                for m, g in self.layers[i][state]:
                    weight = ways * behind.get((m + mines, g + gold), 0)
                    if weight:
                        earlier[state][m, g] += weight
                        in_mines += self.layers[i][state][m, g] * weight * mines
                        in_gold += self.layers[i][state][m, g] * weight * gold
            back = earlier
            found |= dict.fromkeys(self.boxes[i].cells, (in_mines, in_gold))
        return found


@dataclass(frozen=True)
class Dig:
    """A game: score (gold dug), digs, guesses among them, and whether the digger was killed."""

    score: int
    digs: int
    guesses: int
    killed: bool


def dig(near: Sequence[Sequence[int]], mines: int, gold: int, rng: np.random.Generator) -> Dig:
    """Deal a board and play it: cells that cannot hold a mine are dug; else the safest one.

    Equally safe cells: the one most likely to hold gold, then the first. Cell 0 is dug first.
    mines: 0..cells - 1; gold: 0..cells - mines. Raises InputError for others.
    """
    cells = len(near)
    mines = integer("mines", mines, 0, cells - 1)
    gold = integer("gold", gold, 0, cells - mines)
    held = np.full(cells, NOTHING)
    order = 1 + rng.permutation(cells - 1)
    held[order[:mines]] = MINE
    free = np.flatnonzero(held == NOTHING)
    held[rng.permutation(free)[:gold]] = GOLD
    dug: dict[int, Totals] = {}
    certain = [0]
    guesses = 0
    while True:
        for c in certain:
            if held[c] == MINE:
                return Dig(_score(dug), len(dug), guesses, True)
            dug[c] = (int(held[c]), int(held[near[c]].sum()))
            if _score(dug) == gold:
                return Dig(gold, len(dug), guesses, False)
        found = prospect(near, dug, mines, gold)
        certain = [c for c, chance in found.mine.items() if chance == 0]
        if not certain:
            certain = [min(found.mine, key=lambda c: (found.mine[c], -found.gold[c], c))]
            guesses += 1


def _score(dug: dict[int, Totals]) -> int:
    return sum(held == GOLD for held, _ in dug.values())
