"""What a player wins of all layouts if it draws the cells that it opens at random: a fraction."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt, prod

import numpy as np
from numpy.typing import NDArray

from msdensity.errors import InputError
from msdensity.games.game_tree import near_bits
from msdensity.games.symmetries import symmetries
from msdensity.games.tasks import Task

MEMO = 1 << 22
"""Sets that are kept in memory at a time, for the largest boards: 220 MB."""

PLAYERS = {
    "weighted-ties_random": "SAFEST",
    "single_point": "COVERED",
    "double_set": "COVERED",
    "double_set-guessing_improved": "PLACED",
}
"""By label the players whose draws can be counted, and how they draw (players/exact/memory.py):
what they know follows from the opened cells, however they came to be opened."""

BUDGET = 100_000_000
"""Sets that one first click may search."""


def expected_wins(
    task: Task, first: int, words: NDArray[np.int64], budget: int = BUDGET
) -> Fraction:
    """Return how many layouts of a task are won from the first click `first`, on the average.

    words: all layouts that can be dealt without a mine on that cell, of at most 64 cells, see
    `list_layouts`. The value is found modulo as many primes as its denominator needs, and follows
    from the remainders (Chinese remainder theorem). Raises InputError if more sets than `budget`
    are to be searched.
    """
    from msdensity.kernel.compiler.jit import compiling
    from msdensity.kernel.topology import cached_table, neighbour_lists
    from msdensity.players.exact import memory as kinds
    from msdensity.players.exact.draws import value_of_draws
    from msdensity.players.exact.memory import RESIDUES, make_memory, set_primes

    table = cached_table(task.board.shape, task.board.topology)
    # From all covered cells nearly every set of cells may come to be opened; of few layouts, nearly
    # every set of them may be left.
    covered = PLAYERS[task.label] == "COVERED"
    few = 1 << len(words) if len(words) < MEMO.bit_length() else 0
    sets = 16 << task.board.cells if covered else max(few, 8 * len(words))
    memo = min(MEMO, 1 << sets.bit_length())
    factors = [n for n in range(2, task.board.cells + 1) if _is_prime(n)]
    near = neighbour_lists(table)
    images = symmetries(near, first)
    rule = getattr(kinds, PLAYERS[task.label])
    memory = make_memory(words, near_bits(near), images, factors, memo, rule)
    primes, product, won = _primes(), 1, 0
    while True:
        used = [next(primes) for _ in range(RESIDUES)]
        set_primes(memory, used, budget)
        with compiling(value_of_draws):
            done = value_of_draws(memory.words, np.int64(first))
        if not done:
            raise InputError(f"budget={budget} must be larger: the search is not done")
        denominator = prod(f**e for f, e in zip(factors, memory.value_power.tolist(), strict=True))
        for p, residue in zip(used, memory.residue.tolist(), strict=True):
            won += product * ((residue * denominator - won) * pow(product, -1, p) % p)
            product *= p
        if product > len(words) * denominator:
            return Fraction(won, denominator)


def _primes() -> Iterator[int]:
    """Yield the primes of 31 bits, the largest first."""
    return (n for n in range(2**31 - 1, 2**30, -1) if _is_prime(n))


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % k for k in range(2, isqrt(n) + 1))
