"""Beliefs as 004 defines them, in plain Python and exact fractions: slow and short."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

Near = list[list[int]]
Message = dict[tuple[int, ...], Fraction]


class Clique(NamedTuple):
    """Unknown cells in order, the centres, and the ways to mine the cells that have potential 1."""

    cells: tuple[int, ...]
    centres: tuple[int, ...]
    configurations: tuple[tuple[int, ...], ...] = ()


def opened_with_unknown(near: Near, states: np.ndarray) -> list[int]:
    return [w for w in np.flatnonzero(states == 1).tolist() if any(states[near[w]] == 0)]


def configurations(
    near: Near, states: np.ndarray, numbers: np.ndarray, clique: Clique, correct: bool
) -> Clique:
    """Return the clique with its configurations (4.1.1, or 4.1.3 if `correct`)."""
    known = opened_with_unknown(near, states)
    window = set(clique.centres)
    if correct:
        window |= {w for k in clique.centres for w in near[k] if w in known}
    listed = []
    for values in itertools.product((0, 1), repeat=len(clique.cells)):
        mined = {c for c, value in zip(clique.cells, values, strict=True) if value}
        agrees = True
        for w in window:
            mines = sum(d in mined or states[d] == 2 for d in near[w])
            outside = sum(states[d] == 0 and d not in clique.cells for d in near[w])
            agrees &= mines <= numbers[w] <= mines + outside
        if agrees:
            listed.append(values)
    return clique._replace(configurations=tuple(listed))


def hard_cliques(near: Near, states: np.ndarray) -> list[Clique]:
    return [
        Clique(tuple(d for d in near[w] if states[d] == 0), (w,))
        for w in opened_with_unknown(near, states)
    ]


def merged(cliques: list[Clique], most: int, largest_overlap: bool) -> list[Clique]:
    """Merge cliques as section 4.1.4 says; `most` cells are allowed."""
    left: dict[int, Clique] = dict(enumerate(cliques))
    available = set(left)
    while available:
        a = min(available, key=lambda k: (-len(left[k].cells), k))
        common = {b: len({*left[a].cells} & {*left[b].cells}) for b in left if b != a}
        fits = [
            b
            for b, count in common.items()
            if count and len(left[a].cells) + len(left[b].cells) - count <= most
        ]
        if not fits:
            available.remove(a)
            continue
        b = min(fits, key=lambda k: (-common[k] if largest_overlap else 0, k))
        more = tuple(c for c in left[b].cells if c not in left[a].cells)
        left[a] = Clique(left[a].cells + more, left[a].centres + left[b].centres)
        del left[b]
        available.discard(b)
    return list(left.values())


def edges(cliques: list[Clique]) -> list[tuple[int, int]]:
    """Return the pairs of cliques with common cells, in both directions."""
    pairs = itertools.permutations(range(len(cliques)), 2)
    return [(a, b) for a, b in pairs if {*cliques[a].cells} & {*cliques[b].cells}]


def has_loop(cliques: list[Clique]) -> bool:
    """Return whether the graph of cliques has a loop."""
    root = list(range(len(cliques)))
    for a, b in edges(cliques):
        if a < b:
            if root[a] == root[b]:
                return True
            root = [root[a] if r == root[b] else r for r in root]
    return False


def marginals(
    cliques: list[Clique], iterations: int, odds: Fraction = Fraction(1), boolean: bool = False
) -> list[dict[int, Fraction]]:
    """Return for each clique the share of its weight in which each of its cells is free.

    After `iterations` of messages by flooding. boolean: the share of the two values that have any
    weight.
    """
    links = edges(cliques)
    common = {
        (a, b): [c for c in cliques[a].cells if c in cliques[b].cells and a != b] for a, b in links
    }

    def restrict(a: int, values: tuple[int, ...], cells: list[int]) -> tuple[int, ...]:
        return tuple(values[cliques[a].cells.index(c)] for c in cells)

    messages: dict[tuple[int, int], Message] = {}

    def weight(a: int, values: tuple[int, ...], without: int = -1) -> Fraction:
        product = odds ** sum(values)
        for c, to in links:
            if to == a and c != without and messages:
                key = restrict(a, values, common[min(c, a), max(c, a)])
                product *= messages[c, a].get(key, Fraction(0))
        return product

    for _ in range(iterations):
        sent: dict[tuple[int, int], Message] = {}
        for a, b in links:
            message: Message = {}
            for values in cliques[a].configurations:
                key = restrict(a, values, common[min(a, b), max(a, b)])
                message[key] = message.get(key, Fraction(0)) + weight(a, values, b)
            sent[a, b] = message
        messages = sent
    result = []
    for a, clique in enumerate(cliques):
        weights = {values: weight(a, values) for values in clique.configurations}
        beliefs = {}
        for i, c in enumerate(clique.cells):
            free = sum((w for values, w in weights.items() if not values[i]), Fraction(0))
            mined = sum((w for values, w in weights.items() if values[i]), Fraction(0))
            beliefs[c] = free / (free + mined)
            if boolean:
                beliefs[c] = Fraction(int(free > 0), int(free > 0) + int(mined > 0))
        result.append(beliefs)
    return result


def beliefs(
    per_clique: list[dict[int, Fraction]],
    choose: Callable[[list[Fraction]], Fraction] = lambda each: sum(each, Fraction(0)) / len(each),
) -> dict[int, Fraction]:
    """Return the belief in each cell that is in a clique; 0 or 1 if any clique is certain."""
    cells: dict[int, list[Fraction]] = {}
    for clique in per_clique:
        for c, value in clique.items():
            cells.setdefault(c, []).append(value)
    result = {}
    for c, each in cells.items():
        certain = [value for value in each if value in (0, 1)]
        result[c] = certain[0] if certain else choose(each)
    return result
