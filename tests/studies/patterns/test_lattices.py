"""The smallest patterns of every lattice: two searches, whole boards, and a table of others."""

from fractions import Fraction
from math import comb

import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.layouts import FAR, count_wins, play_layouts
from msdensity.kernel.topology import cached_table
from msdensity.stats.lattice_terms import TERMS, Term, leading_terms
from msdensity.stats.law import SERIES
from msdensity.studies.patterns.ambiguous import ambiguous_sets, layouts_alike, losses
from msdensity.studies.patterns.boxes import box_differences
from msdensity.studies.patterns.differences import differences, kinds
from msdensity.studies.patterns.lattices import lattice_patterns, lattice_table
from msdensity.studies.patterns.losses import LINK
from msdensity.studies.patterns.next_orders import SUMMED, place_orders
from msdensity.studies.patterns.places import place_of, ringed
from msdensity.studies.patterns.settings import load_settings
from places import DATA

CORRECTED = {("triangle3", "left and right side")}
"""Where a table computed by others is wrong, see
`test_a_side_of_triangle3_loses_what_the_search_says`."""


def settings(**lattices: list[int]):
    return load_settings({"study": "patterns", "squares": [13, 15, 16], "lattices": lattices})


def test_the_terms_are_those_of_a_table_computed_by_others() -> None:
    """Its one wrong number is known; square8 is also that of the law of square boards."""
    known = pd.read_csv(DATA / "lattices/laws.csv").set_index(["topology", "place"])
    names = {"bulk": "bulk", "corner": "corner", "edge": "edge", "face": "face"}
    names |= {name: name for name in ("left and right side", "top and bottom side")}
    names |= {"corner of one neighbour": "the two corners with one neighbour"}
    names |= {"corner of five neighbours": "the two left corners"}
    off = set()
    for topology in TERMS:
        for place, term in leading_terms(topology).items():
            if place in names:
                row = known.loc[topology, names[place]]
                if (row["power"], Fraction(row["T"]), Fraction(row["U"])) != (
                    term.power,
                    term.T,
                    term.U,
                ):
                    off.add((topology, place))
        assert "bulk" in leading_terms(topology)
    assert off == CORRECTED
    both = [leading_terms("hexagonal")[f"corner of {n} neighbours"] for n in ("two", "three")]
    assert [2 * sum(getattr(t, kind) for t in both) for kind in "TU"] == [4, 2]
    for place, term in leading_terms("square8").items():
        assert min(SERIES[place]) == term.power and SERIES[place][term.power] == term.T


@pytest.mark.parametrize(
    ("topology", "sets_to"),
    [
        ("square4", [3, 2, 3]),
        ("triangle3", [4, 3, 3, 2]),
        *(
            pytest.param(topology, sets_to, marks=pytest.mark.campaign)
            for topology, sets_to in (
                ("square4", [4, 4, 3]),
                ("square8", [4, 4, 3]),
                ("hexagonal", [3, 4, 3, 3, 3]),
                ("triangle12", [2, 2, 2, 2]),
                ("knight", [1, 1, 1]),
            )
        ),
    ],
)
def test_both_searches_find_the_terms(topology: str, sets_to: list[int]) -> None:
    table = lattice_table(topology, settings(**{topology: sets_to}))
    after = [term for term in TERMS[topology] if term.is_next and topology in SUMMED]
    sums = table[table["by"] == "sums"]
    assert list(zip(sums["power"], sums["T"], sums["U"], strict=True)) == [
        (term.power, str(term.T), str(term.U)) for term in after
    ]
    table, law = table[table["by"] != "sums"], leading_terms(topology)
    assert list(table["place"]) == list(law)
    for row, tried in zip(table.itertuples(), sets_to, strict=True):
        term = law[row.place]
        assert (row.power, row.T, row.U) == (term.power, str(term.T), str(term.U))
        assert row.by == ("sets" if tried >= term.power else "differences")
        assert (row.ambiguous > 0) == (tried >= term.power) and row.sets > 0


def test_the_next_order_is_no_number_of_pairs() -> None:
    """square4 has (3 + 2 u) pairs of six mines, but its lowest order costs T two of them."""
    place = place_of("square4", leading_terms("square4")["bulk"], 12)
    assert kinds(differences(place.near, 6, place.roots))[6] == (3, 2)
    after = next(term for term in TERMS["square4"] if term.is_next)
    orders = place_orders("square4", after)
    assert orders == [(0, 0)] * 5 + [(2, 1), (1, 2)]


@pytest.mark.campaign
@pytest.mark.parametrize(("place", "sides", "most"), [("bulk", (), 7), ("edge", (0,), 5)])
def test_the_orders_of_square8_are_those_counted_by_play(place, sides, most) -> None:
    term = Term(place, sides, most, Fraction(0), Fraction(0))
    expected = [(SERIES[place].get(k, 0), 0) for k in range(most + 1)]
    assert place_orders("square8", term) == expected


def test_a_link_of_two_steps_misses_the_diagonal_pair() -> None:
    """A closed free cell can join two groups of mines three steps apart."""
    place = place_of("square4", leading_terms("square4")["corner"], LINK * 2)
    assert ambiguous_sets(place, 3).T == 2 > ambiguous_sets(place, 3, link=2).T


@pytest.mark.campaign
def test_the_room_around_a_place_changes_nothing() -> None:
    for topology in ("hexagonal", "triangle3", "triangle12", "square8"):
        for term in leading_terms(topology).values():
            if term.power < 6:
                found = []
                for reach in (12, 15):
                    place = place_of(topology, term, reach)
                    found.append(kinds(differences(place.near, term.power, place.roots)))
                assert (
                    found[0]
                    == found[1]
                    == {term.power: (term.T * place.alike, term.U * place.alike)}
                )


# Boards so wide that no mines of a set cut them in two.
WHOLE = [
    # topology, shape, which are rings, mines, places with their counts
    ("triangle3", (10, 10), "", 2, {"corner of one neighbour": 2}),
    ("triangle12", (10, 12), "", 2, {"corner of five neighbours": 2}),
]
DEEP = [
    ("triangle3", (8, 14), "columns", 3, {"top and bottom side": 28}),
    (
        *("hexagonal", (10, 10), "", 3),
        {"corner of two neighbours": 2, "corner of three neighbours": 2},
    ),
    ("square4", (9, 9), "", 3, {"corner": 4}),
    ("knight", (9, 9), "", 3, {"corner": 4}),
    ("square4", (7, 9), "rows", 4, {"edge": 14}),
]


def check_whole(topology: str, shape: tuple[int, int], rings: str, m: int, places: dict) -> None:
    """Compare with every layout of m mines on the board, played one by one.

    With the mine count, only layouts of equally many mines count (T). With one more cell, which has
    no neighbours and may hold a mine, it does not tell m mines from m - 1: what the cells of the
    board can be known to hold is won, and T and U say how many of the layouts alike are lost.
    """
    near = ringed(
        topology, shape, tuple(i for i, name in enumerate(("rows", "columns")) if name not in rings)
    )
    law = leading_terms(topology)
    board = Board.from_neighbours(near)
    known = count_wins(board, range(len(near)), m, FAR)
    assert known.layouts - known.won == sum(n * law[place].T for place, n in places.items())
    counts = count_wins(Board.from_neighbours([*near, []]), range(len(near) + 1), m, FAR)
    lost = counts.layouts - counts.won
    assert counts.layouts > 0.9 * (comb(len(near), m) + comb(len(near), m - 1))  # have a start
    assert lost == sum(n * (law[place].T + law[place].U) for place, n in places.items())


@pytest.mark.parametrize(("topology", "shape", "rings", "mines", "places"), WHOLE)
def test_whole_boards_lose_what_the_law_says(topology, shape, rings, mines, places) -> None:
    check_whole(topology, shape, rings, mines, places)


@pytest.mark.campaign
@pytest.mark.parametrize(("topology", "shape", "rings", "mines", "places"), DEEP)
def test_larger_whole_boards_lose_what_the_law_says(topology, shape, rings, mines, places) -> None:
    check_whole(topology, shape, rings, mines, places)


def test_a_side_of_triangle3_loses_what_the_search_says() -> None:
    """Two cells of the left side, walled in by two mines: both free, or one of them a mine.

    Where the mine count tells nothing, the free layout is likeliest, so one of the two cells is
    opened, and its number tells the other: one of the two layouts with three mines is won. Counted
    as two pairs of layouts both would be lost, and U of the side would be 3/2 and not 1.
    """
    place = place_of("triangle3", leading_terms("triangle3")["left and right side"], 6)
    near = place.near
    step = len(near)
    pair = next(
        (a, b) for a in place.roots for b in near[a] if len(near[a]) == len(near[b]) == 2 and b > a
    )
    walls = {d for c in pair for d in near[c]} - {*pair}
    first, second = (frozenset({c, *walls}) for c in pair)
    alike = layouts_alike(near, first, step - 1)
    assert set(alike) == {first, second, frozenset(walls)}
    assert losses(near, alike) == (Fraction(1, 2), 0)
    # Elsewhere there are other closed cells, walled in by three mines each, which are free.
    others = [place.grid[1] * layer + 4 for layer in (6, 10, 14)]
    assert [len(near[c]) for c in others] == [3, 3, 3]
    more = frozenset().union(*(near[c] for c in others))
    board = Board.from_neighbours(near)
    ends = play_layouts(board, [sorted(first | more), sorted(second | more)])
    assert ends[:, 0].sum() == 1 and ends[:, 1].sum() > 0
    # A cell of the side that is walled in and mined is lost.
    alone = frozenset({pair[0], *near[pair[0]]})
    assert play_layouts(board, [sorted(alone | more)])[0, 0] == 0
    assert play_layouts(board, [sorted(alone)])[0, 0] == 1
    # The control: one cell walled in by three mines, which is lost as U says.
    bulk = place_of("triangle3", leading_terms("triangle3")["bulk"], 9)
    c = bulk.roots[0]
    alike = layouts_alike(bulk.near, frozenset({c, *bulk.near[c]}), len(bulk.near) - 1)
    assert losses(bulk.near, alike) == (0, 1) and len(alike) == 2


@pytest.mark.parametrize(
    "name",
    [
        "corner",
        *(pytest.param(n, marks=pytest.mark.campaign) for n in ("bulk", "face", "edge")),
    ],
)
def test_differences_in_boxes_are_those_of_cubic26(name: str) -> None:
    term = leading_terms("cubic26")[name]
    found = box_differences(place_of("cubic26", term, 1), len(term.sides))
    assert kinds(found) == {term.power: (term.T, term.U)}
    # Each has the same sums around every cell that is neither in it nor a flag.
    near = place_of("cubic26", term, 1).near
    for each in found:
        closed = each.first | each.second | each.flags
        for c, own in enumerate(near):
            same = len(each.first & {*own}) == len(each.second & {*own})
            assert same or c in closed


@pytest.mark.campaign
def test_all_sets_of_five_mines_on_square4() -> None:
    """55,584 sets hang together; 5 are ambiguous: T is 2 and U is 1."""
    place = place_of("square4", leading_terms("square4")["bulk"], LINK * 4)
    own = ambiguous_sets(place, 5)
    assert (own.sets, len(own.found), own.T, own.U) == (55_584, 5, 2, 1)


def test_patterns_are_drawn_where_the_place_is() -> None:
    table = lattice_patterns(settings(square4=[0] * 3, triangle3=[0] * 4, cubic6=[0] * 4))
    assert set(table["topology"]) == {"square4", "triangle3"}
    for row in table.itertuples():
        board = Board.parse(row.board)
        near = cached_table(board.shape, board.topology)
        cells = {
            name: {r * board.q + c for r, c in (map(int, x.split(",")) for x in text.split())}
            for name, text in (("a", row.first), ("b", row.second), ("flags", row.flags))
        }
        assert (len(cells["a"]) == len(cells["b"])) == (row.kind == "T")
        assert row.mines == max(len(cells["a"]), len(cells["b"])) + len(cells["flags"])
        for c in range(board.cells):
            around = set(near.neighbours[near.start[c] : near.start[c + 1]].tolist())
            same = len(around & cells["a"]) == len(around & cells["b"])
            assert same or c in set().union(*cells.values())


def test_wrong_topologies_and_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="topology='knight' must be one of square4"):
        lattice_table("knight", settings(square4=[0, 0, 0]))
    with pytest.raises(InputError, match="square4 must have 3 numbers, one for each of bulk, edge"):
        settings(square4=[1])
    with pytest.raises(InputError, match="must be one of square8, square4, "):
        settings(box=[1])
