"""The exact number of arrangements of a position."""

from __future__ import annotations

import math

from msdensity.kernel.state import Memory

Polynomial = list[int]
"""Coefficients from the lowest power on."""


def count_configurations(workspace: Memory) -> int:
    """Return the number of arrangements of the position just analysed, as an exact integer.

    It uses the states of the kernel with Python's integers as weights (formula 4.8).
    """
    game = workspace.game[0]
    free, mines = int(game["unknown"] - game["exposed"]), int(game["mines_left"])
    factors: list[Polynomial] = []
    least = 0
    for k in workspace.live[: game["live"]]:
        low, ways = _component_ways(workspace, int(k))
        least += low
        factors.append(ways)
    while len(factors) > 1:  # in pairs of similar size: large factors meet only at the end
        odd = factors[-1:] if len(factors) % 2 else []
        pairs = zip(factors[0::2], factors[1::2], strict=False)
        factors = [_multiply(a, b) for a, b in pairs] + odd
    ways = factors[0] if factors else [1]
    total = 0
    first = max(0, mines - free - least)  # the first j that leaves at most `free` mines to float
    floating = mines - least - first
    choose = math.comb(free, floating) if floating >= 0 else 0
    for weight in ways[first : first + floating + 1]:
        total += weight * choose
        choose = choose * floating // (free - floating + 1)
        floating -= 1
    return total


def _component_ways(workspace: Memory, k: int) -> tuple[int, Polynomial]:
    """Return (low, ways): how many configurations component k has with low, low + 1, ... mines."""
    component = workspace.component[k]
    ways: dict[int, dict[int, int]] = {}
    for t in range(component["box"], component["box_end"]):
        box = workspace.box[t]
        size = int(box["size"])
        if t == component["box"]:
            ways = {int(box["node"]): {0: 1}}
        onward: dict[int, dict[int, int]] = {}
        for u, polynomial in ways.items():
            node = workspace.node[u]
            edge, edges = int(node["edge"]), int(node["edges"])
            for i, reached in enumerate(workspace.edge[edge : edge + edges].tolist()):
                if not workspace.node[reached]["live"]:
                    continue
                v = int(node["least"]) + i
                choices = math.comb(size, v)
                target = onward.setdefault(reached, {})
                for j, weight in polynomial.items():
                    target[j + v] = target.get(j + v, 0) + choices * weight
        ways = onward
    total = ways[int(component["end"])]
    low, high = min(total), max(total)
    return low, [total.get(j, 0) for j in range(low, high + 1)]


def _multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    """Return the product of two polynomials with coefficients >= 0.

    Kronecker's substitution: each is written as one integer, with its coefficients so far apart
    that those of the product do not overlap; Python multiplies the integers.
    """
    width = (sum(a) * sum(b)).bit_length() // 8 + 1
    packed = [
        int.from_bytes(b"".join(weight.to_bytes(width, "little") for weight in factor), "little")
        for factor in (a, b)
    ]
    terms = len(a) + len(b) - 1
    product = (packed[0] * packed[1]).to_bytes(terms * width, "little")
    return [
        int.from_bytes(product[begin : begin + width], "little")
        for begin in range(0, terms * width, width)
    ]
