"""The smallest sets of mines that force a guess on every topology, from the neighbour table alone.

Two searches: all differences of two layouts with at most so many mines (`differences`), and all
sets of mines that hang together (`ambiguous`). The second assumes less: it opens what can be known
to be safe and lists the layouts of the rest, which may be more than two. Where it reaches the
power, its coefficients stand; else it says up to how many mines there is nothing. The orders after
the lowest are sums over sets (`next_orders`).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import count

import pandas as pd

from msdensity.errors import InputError, shown
from msdensity.files.tables import check_table
from msdensity.stats.lattice_terms import TERMS, Term, leading_terms
from msdensity.studies.patterns.ambiguous import ambiguous_sets
from msdensity.studies.patterns.boxes import box_differences
from msdensity.studies.patterns.columns import LATTICE_COLUMNS, LATTICE_PATTERN_COLUMNS
from msdensity.studies.patterns.differences import Difference, differences, kinds
from msdensity.studies.patterns.losses import LINK
from msdensity.studies.patterns.next_orders import SUMMED, place_orders
from msdensity.studies.patterns.places import Place, place_of
from msdensity.studies.patterns.settings import Settings

ROOM = {"cubic6": 5, "cubic26": 4}
"""Steps that a difference may reach on a lattice with three axes, and elsewhere 12: more than any
of the smallest ones."""

IN_BOXES = {"cubic26": 3}
"""Topologies whose differences are looked for in boxes beyond so many mines."""


def smallest(topology: str, term: Term) -> tuple[Place, list[Difference], int]:
    """Return the differences of fewest mines at a place, and up to how many all were looked for."""
    place = place_of(topology, term, ROOM.get(topology, 12))
    for most in count(1):
        if most > IN_BOXES.get(topology, most):
            return place, box_differences(place, len(term.sides)), most - 1
        found = differences(place.near, most, place.roots)
        if found:
            return place, found, most
    raise AssertionError


def lattice_table(topology: str, settings: Settings) -> pd.DataFrame:
    """Return the lowest terms of a topology, a row for each place, and next ones (LATTICE_COLUMNS).

    Raises InputError for a topology that is not among those of the settings.
    """
    if topology not in settings.lattices:
        known = ", ".join(settings.lattices)
        raise InputError(f"topology={shown(topology)} must be one of {known}")
    rows = []
    terms = leading_terms(topology).values()
    for term, sets_to in zip(terms, settings.lattices[topology], strict=True):
        place, found, to = smallest(topology, term)
        power = found[0].mines
        T, U = (Fraction(own, place.alike) for own in kinds(found)[power])
        by = "differences" if to == power else "boxes"
        tried = [
            ambiguous_sets(place_of(topology, term, LINK * (k - 1)), k)
            for k in range(1, sets_to + 1)
        ]
        for mines, own in enumerate(tried, 1):
            if own.found:
                power, T, U, by = mines, own.T, own.U, "sets"
                break
        found_by = (power, str(T), str(U), str(term.T), str(term.U), by, to, sets_to)
        sets, ambiguous = sum(own.sets for own in tried), sum(len(own.found) for own in tried)
        rows.append((topology, term.place, _places(topology, term), *found_by, sets, ambiguous))
    for term in TERMS[topology]:
        if term.is_next and topology in SUMMED:
            T, U = place_orders(topology, term)[term.power]
            found_by = (term.power, str(T), str(U), str(term.T), str(term.U), "sums", 0, 0)
            rows.append((topology, term.place, _places(topology, term), *found_by, 0, 0))
    table = pd.DataFrame(rows, columns=list(LATTICE_COLUMNS))
    return check_table(table, LATTICE_COLUMNS, "lattices table")


def _places(topology: str, term: Term) -> str:
    """Return how many places of a kind there are, in words."""
    if topology.startswith("cubic"):
        return ("N^3", "6 N^2", "12 N", "8")[len(term.sides)]
    if term.degree is not None:
        return "2 (p, q even)" if topology.startswith("triangle") else "2"
    alone = sum(term.place == each.place and not each.is_next for each in TERMS[topology]) == 1
    one = {(): "p q", (0,): "2 q", (1,): "2 p", (0, 1): "4"}[term.sides]
    return one if alone else "2 (p + q)"


def joined_lattices(lattices: pd.DataFrame) -> pd.DataFrame:
    """Return the terms of all topologies: each already holds the rows of its jobs."""
    return lattices


def lattice_patterns(settings: Settings) -> pd.DataFrame:
    """Return a pattern of each kind at each place (LATTICE_PATTERN_COLUMNS).

    Lattices with three axes, which cannot be drawn, are left out.
    """
    rows = []
    for topology in settings.lattices:
        if topology.startswith("cubic"):
            continue
        for term in leading_terms(topology).values():
            place, found, _ = smallest(topology, term)
            drawn: dict[str, Difference] = {}
            for each in found:
                drawn.setdefault("T" if len(each.first) == len(each.second) else "U", each)
            for kind, each in sorted(drawn.items()):
                texts = [
                    " ".join(f"{r},{c}" for r, c in place.moved(cells))
                    for cells in (each.first, each.second, each.flags)
                ]
                rows.append((topology, place.board.name, term.place, each.mines, kind, *texts))
    return pd.DataFrame(rows, columns=list(LATTICE_PATTERN_COLUMNS))
