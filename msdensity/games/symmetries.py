"""The symmetries of a board, from its neighbour table alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

MAX_SYMMETRIES = 64

MAX_STEPS = 100_000
"""Cells that are tried. A board with more symmetries, or a hard one, uses those that were met."""


def symmetries(near: Sequence[Sequence[int]], fixed: int | None = None) -> list[list[int]]:
    """Return permutations of the cells that keep all neighbours, the identity first.

    near: the neighbours of each cell; fixed: a cell that stays where it is. There may be more
    symmetries than are returned, at most MAX_SYMMETRIES.
    """
    sets = [frozenset(cells) for cells in near]
    order = _order(sets, fixed)
    images: list[list[int]] = []
    steps = 0
    image = [-1] * len(near)
    used = [False] * len(near)
    stack: list[Iterator[int]] = [iter(_choices(sets, order, 0, image, fixed))]
    while stack and len(images) < MAX_SYMMETRIES and steps < MAX_STEPS:
        c = order[len(stack) - 1]
        if image[c] >= 0:
            used[image[c]] = False
            image[c] = -1
        for d in stack[-1]:
            steps += 1
            if not used[d] and _fits(sets, order, len(stack) - 1, image, d):
                image[c] = d
                used[d] = True
                break
        if image[c] < 0:
            stack.pop()
        elif len(stack) == len(order):
            images.append(image.copy())
        else:
            stack.append(iter(_choices(sets, order, len(stack), image, fixed)))
    return images


def _order(sets: Sequence[frozenset[int]], fixed: int | None) -> list[int]:
    """Return the cells so that each comes after one of its neighbours, if it can."""
    order: list[int] = []
    for c in [*([] if fixed is None else [fixed]), *range(len(sets))]:
        waiting = [c]
        while waiting:
            d = waiting.pop(0)
            if d not in order:
                order.append(d)
                waiting += sorted(sets[d])
    return order


def _choices(
    sets: Sequence[frozenset[int]],
    order: Sequence[int],
    i: int,
    image: Sequence[int],
    fixed: int | None,
) -> list[int]:
    """Return the cells that cell order[i] may go to, itself first."""
    c = order[i]
    if c == fixed:
        return [c]
    return [c, *(d for d in range(len(sets)) if d not in (c, fixed))]


def _fits(
    sets: Sequence[frozenset[int]], order: Sequence[int], i: int, image: Sequence[int], d: int
) -> bool:
    """Return whether cell order[i] may go to d beside the cells that have gone before."""
    c = order[i]
    return len(sets[c]) == len(sets[d]) and all(
        (image[e] in sets[d]) == (e in sets[c]) for e in order[:i]
    )
