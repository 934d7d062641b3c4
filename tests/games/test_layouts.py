"""Counts of layouts against trying every layout with the rules of `Game`."""

import itertools
import math

import pytest

from games import layouts as counting
from games.layouts import layouts_by_rule, one_click_layouts, play_certain
from msdensity import Game

BOARDS = [((3, 3), "square8"), ((2, 5), "torus8"), ((3, 4), "knight"), ((1, 6), "square8")]


def layouts(shape, mines):
    cells = math.prod(shape)
    for mined in itertools.combinations(range(cells), mines):
        text = "".join("*" if c in mined else "-" for c in range(cells))
        yield [text[i : i + shape[1]] for i in range(0, cells, shape[1])]


def wins_at_once(layout, topology) -> bool:
    for cell in itertools.product(range(len(layout)), range(len(layout[0]))):
        game = Game(layout, topology)
        if game.open(*cell) and game.status == "won":
            return True
    return False


@pytest.mark.parametrize("shape,topology", BOARDS)
@pytest.mark.parametrize("most", [counting.MAX_LAYOUTS, 0])  # 0: by growing regions
def test_one_click_layouts_are_those_that_a_click_wins(shape, topology, most, monkeypatch) -> None:
    monkeypatch.setattr(counting, "MAX_LAYOUTS", most)
    seen = set()
    for mines in range(math.prod(shape) + 1):
        count = sum(wins_at_once(layout, topology) for layout in layouts(shape, mines))
        assert one_click_layouts(shape, mines, topology) == count
        seen.add(count)
    assert len(seen) > 2


@pytest.mark.parametrize("shape,topology", BOARDS)
def test_layouts_by_rule_are_those_that_the_rule_lets_through(shape, topology) -> None:
    for mines in range(math.prod(shape) + 1):
        for first in ((0, 0), (shape[0] - 1, shape[1] // 2)):
            safe = clear = total = 0
            for layout in layouts(shape, mines):
                total += 1
                symbol = Game(layout, topology).numbers()[first[0]][first[1]]
                safe += symbol != "*"
                clear += symbol == "0"
            assert layouts_by_rule(shape, mines, first, topology) == {
                "anywhere": total,
                "safe_cell": safe,
                "safe_neighbourhood": clear,
            }


def test_certain_play_stops_where_the_mine_count_is_needed() -> None:
    """Two mines: one beside the 1, the other in the cell that touches no number."""
    layout = ["-*-*"]
    with_count = play_certain(layout, (0, 0))
    assert (with_count.no_guess, with_count.rounds, with_count.view) == (False, 0, ["1..."])
    layout = ["-*-"]
    assert play_certain(layout, (0, 0)).no_guess
    assert play_certain(layout, (0, 0)).rounds == 1
    without = play_certain(layout, (0, 0), mine_count=False)
    assert (without.no_guess, without.view) == (False, ["1.."])


def test_certain_play_that_starts_on_a_mine_or_wins_at_once() -> None:
    assert play_certain(["*-"], (0, 0)) == counting.CertainPlay(False, 0, ["*."])
    assert play_certain(["*--"], (0, 2)) == counting.CertainPlay(True, 0, [".10"])
