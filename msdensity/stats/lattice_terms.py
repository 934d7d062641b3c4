"""The terms of the law of unavoidable guesses on every topology (`lattice_law`), as data.

Each place of a board (a cell in the open, a cell of a side, a corner) adds (T + u U) rho^power to
-ln W. The study `patterns` finds all of these numbers by search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from msdensity.errors import InputError, shown
from msdensity.kernel import names


@dataclass(frozen=True)
class Term:
    """What the places of one kind add to -ln W: count (T + u U) rho^power.

    place: its name; sides: the axes at whose ends it lies, () in the open; degree: the neighbours
    of the corner cell, where only some corners count (None: all); is_next: whether a lower power
    of the same place comes before.
    """

    place: str
    sides: tuple[int, ...]
    power: int
    T: Fraction
    U: Fraction
    degree: int | None = None
    is_next: bool = False


def _term(
    place: str,
    sides: tuple[int, ...],
    power: int,
    T: float,
    U: float,
    degree: int | None = None,
    *,
    is_next: bool = False,
) -> Term:
    return Term(place, sides, power, Fraction(T), Fraction(U), degree, is_next)


def _everywhere(
    place: str, axes: int, ends: int, power: int, T: float, U: float, *, is_next: bool = False
) -> tuple[Term, ...]:
    """Return a term for each choice of `ends` out of so many axes."""
    return tuple(
        _term(place, sides, power, T, U, is_next=is_next)
        for sides in combinations(range(axes), ends)
    )


TERMS: Mapping[str, tuple[Term, ...]] = {
    "square8": (
        *_everywhere("bulk", 2, 0, 6, 1, 0),
        *_everywhere("edge", 2, 1, 4, 2, 0),
        *_everywhere("corner", 2, 2, 3, 3, 0),
    ),
    "square4": (
        *_everywhere("bulk", 2, 0, 5, 2, 1),
        *_everywhere("bulk", 2, 0, 6, 1, 2, is_next=True),
        *_everywhere("edge", 2, 1, 4, 2, 1),
        *_everywhere("corner", 2, 2, 3, 2, 1),
    ),
    "hexagonal": (
        _term("bulk", (), 7, 3, 1),
        _term("bulk", (), 8, 3, 3, is_next=True),
        _term("left and right side", (1,), 4, 0.5, 0.5),
        _term("left and right side", (1,), 5, 2.5, 1, is_next=True),
        _term("top and bottom side", (0,), 5, 3, 1),
        _term("corner of two neighbours", (0, 1), 3, 1, 1, degree=2),
        _term("corner of three neighbours", (0, 1), 3, 1, 0, degree=3),
    ),
    "triangle3": (
        _term("bulk", (), 4, 0, 1),
        _term("bulk", (), 5, 4.5, 0, is_next=True),
        _term("top and bottom side", (0,), 3, 0.5, 0.5),
        _term("left and right side", (1,), 3, 0.5, 1),
        _term("corner of one neighbour", (0, 1), 2, 1, 1, degree=1),
    ),
    "triangle12": (
        _term("bulk", (), 7, 1.5, 0),
        _term("top and bottom side", (0,), 4, 0.5, 0),
        _term("left and right side", (1,), 4, 1.5, 0),
        _term("corner of five neighbours", (0, 1), 2, 1, 0, degree=5),
    ),
    "knight": (
        *_everywhere("bulk", 2, 0, 9, 0, 1),
        *_everywhere("edge", 2, 1, 5, 0, 1),
        *_everywhere("edge", 2, 1, 7, 2, 0, is_next=True),
        *_everywhere("corner", 2, 2, 3, 0, 1),
    ),
    "cubic6": (
        *_everywhere("bulk", 3, 0, 7, 0, 1),
        *_everywhere("bulk", 3, 0, 9, 6, 0, is_next=True),
        *_everywhere("face", 3, 1, 6, 0, 1),
        *_everywhere("face", 3, 1, 7, 2, 0, is_next=True),
        *_everywhere("edge", 3, 2, 5, 0, 1),
        *_everywhere("edge", 3, 2, 6, 4, 0, is_next=True),
        *_everywhere("corner", 3, 3, 4, 0, 1),
        *_everywhere("corner", 3, 3, 5, 6, 0, is_next=True),
    ),
    "cubic26": (
        *_everywhere("bulk", 3, 0, 12, 1, 0),
        *_everywhere("face", 3, 1, 8, 3, 0),
        *_everywhere("edge", 3, 2, 5, 1, 0),
        *_everywhere("corner", 3, 3, 4, 3, 0),
    ),
}
"""The terms of each topology with borders. A wrapped one has those of the bulk alone.

The next terms of knight and cubic6 are the lowest order of T alone, numbers of pairs of layouts;
those of the others are sums over sets (`studies.patterns.next_orders`)."""

WRAPPED: Mapping[str, str] = {ring: plain for plain, ring in names.WRAPPED.items()}
"""Each topology whose opposite sides meet, and the one with borders."""

MOORE = ("square8", "cubic26")
"""Topologies with every diagonal neighbour, on which lines go across."""


def lattice_terms(topology: str) -> tuple[Term, ...]:
    """Return the terms of a topology: those of TERMS, of a wrapped one those of the bulk.

    Raises InputError for another name than those of TERMS and WRAPPED.
    """
    if isinstance(topology, str) and topology in TERMS:
        return TERMS[topology]
    if isinstance(topology, str) and topology in WRAPPED:
        return tuple(term for term in TERMS[WRAPPED[topology]] if not term.sides)
    known = ", ".join([*TERMS, *WRAPPED])
    raise InputError(f"topology={shown(topology)} must be one of {known}")


def leading_terms(topology: str) -> dict[str, Term]:
    """Return the term of lowest power of each place, by the name of the place.

    Places of one name, such as the four sides of a square lattice, are alike. Arguments and errors
    as `lattice_terms`.
    """
    terms = [term for term in lattice_terms(topology) if not term.is_next]
    return dict(reversed({t.place: t for t in reversed(terms)}.items()))
