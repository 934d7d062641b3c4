"""The law on every topology: its counts of places, lambda, roots and limits."""

import math

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.kernel.topology import cached_table
from msdensity.stats.lattice_law import (
    expected_walled_in,
    lattice_exponent,
    lattice_law,
    lattice_rho50,
    place_count,
)
from msdensity.stats.lattice_terms import MOORE, TERMS, WRAPPED, lattice_terms
from msdensity.stats.law import COEFFICIENTS, law_terms, walled_in_cells
from msdensity.stats.law import TERMS as SQUARE_TERMS

BULK_POWERS = dict(zip(TERMS, (6, 5, 7, 4, 7, 9, 7, 12), strict=True))


@pytest.mark.parametrize("topology", TERMS)
def test_walled_in_cells_of_any_size_are_those_of_the_table(topology: str) -> None:
    for shape in ((12, 16), (13, 16), (12, 17), (13, 17)):
        sides = (*shape, 10) if topology.startswith("cubic") else shape
        degrees = np.diff(cached_table(sides, topology).start)
        exact = walled_in_cells(degrees, 0.3)
        assert expected_walled_in(sides, 0.3, topology) == pytest.approx(exact, rel=1e-12)
        for term in TERMS[topology]:
            if term.degree is not None:
                grid = degrees.reshape(sides)
                corners = grid[np.ix_([0, -1], [0, -1])]
                count = (corners == term.degree).sum()
                assert place_count(term, sides, topology) == count
                odd = {"triangle3": 0, "triangle12": 4}.get(topology, 2)
                assert count == {(12, 17): odd}.get(shape, 2)


def test_the_square_lattices_are_those_of_the_law_of_square_boards() -> None:
    for shape, topology in (((30, 44), "square8"), ((30, 33), "torus8")):
        terms = law_terms(shape, 0.11, "zero", topology)
        whole = sum(COEFFICIENTS[name] * float(terms[name]) for name in SQUARE_TERMS)
        assert lattice_law(shape, 0.11, topology) == pytest.approx(whole, rel=1e-12)
    # 8^3: lines of three mines along each axis, but for the nine that meet the start.
    lines = lattice_law((8, 8, 8), 0.08, "cubic26") - lattice_law(
        (8, 8, 8), 0.08, "cubic26", lines=False
    )
    assert lines == pytest.approx(3 * (64 - 9) * (0.08 * 0.92) ** 3)


def test_roots_computed_independently() -> None:
    """Half the games are won, by the leading terms, at these densities of 64 x 64 and 256 x 256."""
    known = {
        64: {"square8": 0.1769, "torus8": 0.2352, "square4": 0.1342, "torus4": 0.1460}
        | {"triangle12": 0.2097},
        256: {"square8": 0.1221, "torus8": 0.1482, "square4": 0.0799, "torus4": 0.0830}
        | {"triangle12": 0.1482},
    }
    for q, roots in known.items():
        for topology, root in roots.items():
            own = lattice_rho50((q, q), topology, lines=False)
            assert own == pytest.approx(root, abs=5.1e-5), topology
            assert lattice_law((q, q), own, topology, lines=False) == pytest.approx(math.log(2))
    assert lattice_rho50((64, 64), "knight") == pytest.approx(0.310, abs=5.1e-4)


@pytest.mark.parametrize("topology", TERMS)
def test_the_bulk_rules_large_boards(topology: str) -> None:
    axes = 3 if topology.startswith("cubic") else 2
    exponent = lattice_exponent((1e10,) * axes, topology)
    assert exponent == pytest.approx(1 / BULK_POWERS[topology], rel=0.03)
    assert exponent != pytest.approx(1 / (BULK_POWERS[topology] + 1), rel=0.03)


def test_wrapped_boards_have_the_bulk_alone() -> None:
    for wrapped, bounded in WRAPPED.items():
        assert lattice_terms(wrapped) == tuple(t for t in TERMS[bounded] if not t.sides)
        assert lattice_law((40, 40), 0.1, wrapped) < lattice_law((40, 40), 0.1, bounded)
    assert set(MOORE) <= set(TERMS)


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: lattice_law((20, 20), 0.1, "box"), "topology='box' must be one of square8, "),
        (lambda: lattice_law((5, 20), 0.1, "square4"), "must have sides in 6.."),
        (lambda: lattice_law((20, 20), 0.1, "cubic6"), "must have 3 sides"),
        (lambda: lattice_law((20, 20), 1.0, "square4"), "density=1 must be in"),
        (lambda: lattice_rho50((20, 20), "square4", win_rate=1.0), "win_rate=1.0 must be in"),
        (lambda: lattice_exponent((20, 20), "square4", factor=1.0), "factor=1.0 must be above 1"),
    ],
)
def test_wrong_input_is_refused(call, what: str) -> None:
    with pytest.raises(InputError, match=what):
        call()
