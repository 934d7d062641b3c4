"""The law of unavoidable guesses: -ln W of a large board, term by term, with no free parameter.

The smallest sets of mines that leave two layouts no click can tell apart cost half a game each:

- at a corner 3 mines, 6 ways each: 3 rho^3 for every corner not opened by the first click;
- along an edge 4 mines, 4 ways a cell: 2 L rho^4, L = 2 (p + q);
- in the bulk 6 mines, 2 ways a cell: n rho^6, n = p q;
- across a board with a side s = 2, 5, 8, ...: a whole line has two layouts of k = (s + 1) / 3
  mines, P(k, k) = rho^k (1 - rho)^k a line; around a torus with s = 3, 6, 9, ... every third cell
  can be mined in three ways, k = s / 3 mines each. They cost two thirds of a game where the other
  cells are free (or mined) and half of one else: 3 P(k, k) - P(k, 2 k) - P(2 k, k);
- and the first click, where it is safe but need not be a 0.

So on a large board n rho50^6 tends to ln 2: rho50 falls as n^(-1/6) and has no limit above 0, as
proved by Louf, arXiv 2506.01634, where each cell is a mine with the same probability, independently
of the others. The next orders are in SERIES, for the player `weighted`: the study `patterns` counts
them on boards of which it plays all layouts of few mines.

Start rules: `corner`, first click at a corner, safe (the paper's rule); `zero`, first click in the
interior, its neighbourhood clear; `zero_corner`, the same at a corner. A torus (`torus8`) has
neither corners nor edges, and its law is known for `zero` only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from msdensity.errors import InputError, number, shown

START_RULES = ("corner", "zero", "zero_corner")

TOPOLOGIES = ("square8", "torus8")

TERMS = ("start", "corner", "edge", "bulk", "lines")

NEXT_TERMS = ("start_next", "wall", "corner_wall", "corner_next", "edge_next", "bulk_next")

SERIES: Mapping[str, Mapping[int, Fraction]] = {
    "corner": {3: Fraction(3), 4: Fraction(-2), 5: Fraction(12), 6: Fraction(-189, 4)},
    "edge": {4: Fraction(2), 5: Fraction(-1), 6: Fraction(9, 2)},
    "bulk": {6: Fraction(1)},
    "corner start": {2: Fraction(3), 3: Fraction(10), 4: Fraction(63, 2)},
    "zero start": {5: Fraction(69)},
    "zero_corner start": {3: Fraction(4), 4: Fraction(29)},
}
"""What a corner, a cell of a side, a cell and a start add to -ln W: order -> coefficient of
rho^order. Other coefficients are 0 up to the order 6 (bulk: 7; zero start: 5; starts in a
corner: 4). A start on a 0 costs what it does because 4 mines can wall in the 0s that it opens, and
2 mines in a corner."""

COEFFICIENTS: Mapping[str, float] = {
    **dict(zip(TERMS, (1.0, 3.0, 2.0, 1.0, 1.0), strict=True)),
    **dict(zip(NEXT_TERMS, (4.0, 69.0, 4.0, -2.0, -1.0, 0.0), strict=True)),
}
"""Term -> the law's coefficient of it, by SERIES. S begins 3 rho^2 + 6 rho^3 + 5.5 rho^4, which
leaves 4 rho^3 + 26 rho^4 to `start_next`. A next term carries the orders after it (`law_terms`)."""

PROTECTED = {"corner": 1, "zero": 9, "zero_corner": 4}
"""Start rule -> cells that never hold a mine."""

CROSSED = {"corner": 1, "zero": 3, "zero_corner": 2}
"""Start rule -> lines of each direction that meet the cells that it protects: no difference."""

SMALLEST_SIDE = 3
"""On narrower boards every cell lies on an edge: strips have laws of their own."""

LARGEST_SIDE = 10**12
"""Beyond it the density with W = 1/2 gets lost in the rounding of the cells' number."""


def start_term(density: ArrayLike, start: str = "corner") -> NDArray[np.float64]:
    """Return -ln of the chance to survive the guess after the first click, of density's shape.

    density in [0, 1). For `corner` it is S(r) = -ln(1 - [1 - (1-r)^3] r / (r + (1-r)^4)), about
    3 r^2; 0 for the other start rules. Raises InputError out of range.
    """
    r = _density(density)
    if _start(start) != "corner":
        return np.zeros_like(r)
    return -np.log1p(-(1 - (1 - r) ** 3) * r / (r + (1 - r) ** 4))


def _start_of_fixed_mines(mines: NDArray[np.float64], free: float, start: str) -> Any:
    """Return S where that many mines lie on `free` cells, of the shape of mines."""
    if start != "corner":
        return np.zeros_like(mines)
    none = np.prod([np.maximum(free - mines - i, 0) / (free - i) for i in range(3)], axis=0)
    # Of the three neighbours one is a mine; the others lie among the rest.
    r = np.clip((mines - 1) / (free - 3), 0, 1)
    return -np.log1p(-(1 - none) * r / (r + (1 - r) ** 4))


def law_terms(
    shape: tuple[float, float],
    density: ArrayLike,
    start: str = "corner",
    topology: str = "square8",
    *,
    next_orders: bool = False,
    fixed_mines: bool = False,
) -> dict[str, NDArray[np.float64]]:
    """Return what each coefficient of the law multiplies, by name, each of the shape of density.

    shape: (p, q), both 3..10^12; density in [0, 1). Names: TERMS, and NEXT_TERMS with
    `next_orders`; those that a board does not have are 0 throughout. The sum of COEFFICIENTS times
    these is -ln W. `corner_next` is rho^4 - 6 rho^5 + 23.625 rho^6, `edge_next` rho^5 - 4.5 rho^6,
    `start_next` rho^3 + 6.5 rho^4 and `corner_wall` rho^3 + 7.25 rho^4, so that the law's
    coefficient makes the orders after it right.

    With `fixed_mines`, rho^k is replaced by the chance that k given cells are mines
    where exactly rho n mines lie on n cells but those that the start protects, which tends to it:
    it is less by k (k - 1) / (2 rho n) of itself; and so in S. Raises InputError out of range.
    """
    p, q = _sides(shape)
    r = _density(density)
    if not isinstance(topology, str) or topology not in TOPOLOGIES:
        raise InputError(f"topology={shown(topology)} must be one of {', '.join(TOPOLOGIES)}")
    _start(start)
    if topology == "torus8" and start != "zero":
        raise InputError(f"start={start!r} must be zero on a torus, which has no corner")
    n = p * q
    bounded = topology == "square8"
    length = 2 * (p + q) if bounded else 0
    corners = (4 if start == "zero" else 3) if bounded else 0
    free = n - PROTECTED[_start(start)]

    def power(k: int) -> NDArray[np.float64]:
        if not fixed_mines:
            return r**k
        factors = [np.maximum(r * n - i, 0) / (free - i) for i in range(k)]
        return np.asarray(np.prod(factors, axis=0))

    def across(k: int, free_of_mines: int) -> NDArray[np.float64]:
        """Return the chance that k given cells are mines and others none."""
        if not fixed_mines:
            return r**k * (1 - r) ** free_of_mines
        left = free - k
        spared = [np.maximum(left - (r * n - k) - i, 0) / (left - i) for i in range(free_of_mines)]
        return power(k) * np.prod(np.minimum(spared, 1), axis=0)

    terms = {
        "start": _start_of_fixed_mines(r * n, free, start) if fixed_mines else start_term(r, start),
        "corner": corners * power(3),
        "edge": length * power(4),
        "bulk": n * power(6),
        "lines": lines_across((p, q), across, CROSSED[start], wraps=not bounded),
    }
    if next_orders:
        terms |= {
            "start_next": (power(3) + 6.5 * power(4)) * (start == "corner"),
            "wall": power(5) * (start == "zero"),
            "corner_wall": (power(3) + 7.25 * power(4)) * (start == "zero_corner"),
            "corner_next": corners * (power(4) - 6 * power(5) + 23.625 * power(6)),
            "edge_next": length * (power(5) - 4.5 * power(6)),
            "bulk_next": n * power(7),
        }
    return terms


def lines_across(
    sides: Sequence[float],
    across: Callable[[int, int], NDArray[np.float64]],
    crossed: int,
    *,
    wraps: bool,
) -> NDArray[np.float64]:
    """Return what whole lines of a board with every diagonal neighbour cost, of across's shape.

    sides: whole numbers, of any number of axes; across: the chance that so many given cells are
    mines and so many others none; crossed: lines of each direction that meet the start; wraps:
    whether the lines are rings.
    """
    total = 0 * across(1, 0)
    for side in sides:
        count = max(math.prod(sides) / side - crossed, 0)
        if not wraps and side % 3 == 2:
            k = round((side + 1) / 3)
            total = total + count * across(k, k)
        elif wraps and side % 3 == 0:
            k = round(side / 3)
            total = total + count * (3 * across(k, k) - across(k, 2 * k) - across(2 * k, k))
    return total


def minus_log_win_rate(
    shape: tuple[float, float],
    density: ArrayLike,
    start: str = "corner",
    topology: str = "square8",
    *,
    next_orders: bool = True,
    fixed_mines: bool = False,
) -> NDArray[np.float64]:
    """Return -ln W by the law, of the shape of density; arguments and errors as `law_terms`."""
    terms = law_terms(
        shape, density, start, topology, next_orders=next_orders, fixed_mines=fixed_mines
    )
    return np.asarray(sum(COEFFICIENTS[name] * value for name, value in terms.items()))


def law_rho50(
    q: float, start: str = "corner", topology: str = "square8", *, aspect: float = 1.0
) -> float:
    """Return the density in (0, 1) at which the law gives W = 1/2 on a board of q x (aspect q).

    q: side, 3..10^12; aspect: at least 1. Raises InputError out of range.
    """
    q, aspect = number("q", q), number("aspect", aspect)
    if not aspect >= 1:
        raise InputError(f"aspect={aspect} must be at least 1")
    shape = _sides((q, aspect * q))

    def excess(density: float) -> float:
        return float(minus_log_win_rate(shape, density, start, topology)) - float(np.log(2))

    return float(brentq(excess, 1e-9, 0.9, xtol=1e-14))


def law_exponent(q: float, start: str = "corner", topology: str = "square8") -> float:
    """Return -d ln rho50 / d ln q of the law at side q (at least 3.1): 1/3 for q to infinity.

    Lines across a board, which some sides have and others not, are left out.
    """
    step = 1e-3
    ends = [law_rho50(q * np.exp(s), start, topology) for s in (-step / 2, step / 2)]
    return float(np.log(ends[0] / ends[1]) / step)


def expected_guesses(
    shape: tuple[float, float],
    density: ArrayLike,
    start: str = "zero",
    topology: str = "square8",
) -> NDArray[np.float64]:
    """Return the mean number of unavoidable guesses, all evens, of the shape of density.

    Each costs half a game, so that this is twice the leading law without its start: with a zero
    start in the interior 24 rho^3 + 4 L rho^4 + 2 n rho^6. Lines around a torus have a few more.
    Arguments and errors as `law_terms`.
    """
    terms = law_terms(shape, density, start, topology)
    return np.asarray(sum(2 * COEFFICIENTS[name] * terms[name] for name in TERMS[1:]))


def walled_in_cells(degrees: ArrayLike, density: float) -> float:
    """Return the expected number of cells all of whose neighbours are mines, sum of rho^degree.

    degrees: neighbours of each cell, at least 0; density: in [0, 1). Raises InputError out of
    range.
    """
    r = float(_density(density))
    each = np.asarray(degrees, float)
    if each.size and not (each >= 0).all():
        raise InputError(f"degrees={each[~(each >= 0)][0]:g} must be at least 0")
    return float((r**each).sum())


def walled_in_share(expected: ArrayLike) -> NDArray[np.float64]:
    """Return u = 1 - (1 - exp(-x)) / x, of the shape of `expected` (x): x/2 at 0, and 1 at last.

    What a pattern costs whose two layouts have unequal numbers of mines, such as a mine with mines
    all around it: the mine count settles it where it is alone. Among K other walled-in cells, all
    free, K Poisson with mean x, it is lost with the chance K / (K + 1). With bulk coefficients T of
    equal and U of unequal patterns, -ln W holds n (T + u U) rho^k: on `torus4` (2 + u) rho^5.
    expected: at least 0, see `walled_in_cells`. Raises InputError out of range.
    """
    x = np.asarray(expected, float)
    if not (x >= 0).all():
        raise InputError(f"expected={x[~(x >= 0)][0]:g} must be at least 0")
    small = x < 1e-4  # there the difference loses its digits
    safe = np.where(small, 1.0, x)
    return np.where(small, x / 2 - x**2 / 6, 1 + np.expm1(-safe) / safe)


def strip_one_rho50(q: int) -> float:
    """Return rho50 of the 1 x q board to leading order: (1 + sqrt(1 + 4 q ln 2)) / (2 q).

    q: at least 3. There -ln W = (m - 1) rho: behind every mine but the last lies a cell that must
    be guessed, and it is a mine with probability rho; `line.line_rho50` is exact. Raises InputError
    out of range.
    """
    _strip(q)
    return float((1 + np.sqrt(1 + 4 * q * np.log(2))) / (2 * q))


def strip_two_win_rate(q: int) -> float:
    """Return W of one mine on the 2 x q board, first click at a corner, exactly: q / (2q - 1).

    q: at least 3. The mine shares its column with a cell that no number tells from it, unless it is
    the other cell of the first column. Raises InputError out of range.
    """
    _strip(q)
    return q / (2 * q - 1)


def _strip(q: int) -> None:
    if not q >= SMALLEST_SIDE:
        raise InputError(f"q={q} must be at least {SMALLEST_SIDE}")


def _density(density: ArrayLike) -> NDArray[np.float64]:
    r = np.asarray(density, float)
    wrong = ~((r >= 0) & (r < 1))
    if wrong.any():
        raise InputError(f"density={r[wrong][0]:g} must be in [0, 1)")
    return r


def _start(start: str) -> str:
    if not isinstance(start, str) or start not in START_RULES:
        raise InputError(f"start={shown(start)} must be one of {', '.join(START_RULES)}")
    return start


def _sides(shape: tuple[float, float]) -> tuple[float, float]:
    p, q = shape
    for name, side in (("p", p), ("q", q)):
        if not SMALLEST_SIDE <= side <= LARGEST_SIDE:
            raise InputError(
                f"{name}={side} must be in {SMALLEST_SIDE}..{LARGEST_SIDE} for the law"
            )
    return p, q
