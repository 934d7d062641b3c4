"""Positions, layouts and counts with exact answers; `data/positions.md` says what each field means.

The answers are fractions and integers computed by two methods independent of this package.
"""

import itertools
import json
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from msdensity import Game, analyse
from msdensity.games.analysis import analyse_states
from msdensity.kernel.state import MARKED
from places import DATA

Case = dict[str, Any]
CASES: list[Case] = json.loads((DATA / "positions.json").read_text(encoding="utf-8"))["cases"]
TOLERANCE = 1e-12
MANY_FLOATING = 400
"""With more floating cells than this, only the certain cells that touch a clue are listed."""

POSITION = {"consistent", "solutions", "mines_range", "mine_probability", "safe", "mined"}
GAME = {"view", "status", "numbers"}
COUNTS = {"layouts_by_rule", "one_click_layouts"}
CERTAIN = {"no_guess", "last_view", "rounds", "no_guess_without_mine_count"}
BEST_PLAY = {"optimal"}  # answers about best play, which is not what `analyse` gives


def topology(case: Case) -> str:
    return {"hex-odd-r": "hexagonal"}.get(name := case.get("topology", "square8"), name)


def cases_with(fields: set[str]) -> list[Any]:
    return [pytest.param(c, id=c["id"]) for c in CASES if fields & c["expected"].keys()]


POSITIONS = [
    pytest.param(case, reading, id=f"{case['id']}-{reading}")
    for case in CASES
    for reading in ("expected", "expected_ignoring_flags")
    if "solutions" in case.get(reading, ())
]


def test_every_field_of_every_case_is_checked() -> None:
    assert len(CASES) == 109
    assert len({case["id"] for case in CASES}) == 109
    for case in CASES:
        fields = set(case["expected"]) - BEST_PLAY
        assert fields
        assert fields <= POSITION | GAME | COUNTS | CERTAIN
        assert fields & POSITION in (set(), POSITION)
        assert case.get("expected_ignoring_flags", {}).keys() <= POSITION | BEST_PLAY


@pytest.mark.parametrize("case,reading", POSITIONS)
def test_position(case: Case, reading: str) -> None:
    expected = case[reading]
    trust = reading == "expected"
    result = analyse(case["grid"], case["mines"], topology(case), trust)
    listed = {(r, c): Fraction(p) for r, c, p in expected["mine_probability"]["cells"]}
    elsewhere = expected["mine_probability"]["elsewhere"]
    covered = {
        (r, c)
        for r, row in enumerate(case["grid"])
        for c, character in enumerate(row)
        if character == "." or (character == "F" and not trust)
    }

    assert result.exact
    assert result.consistent == expected["consistent"]
    assert bool(result.reason) != result.consistent
    assert result.configurations == int(expected["solutions"])
    bounds = expected["mines_range"]
    assert result.mines_range == (None if bounds is None else tuple(bounds))

    assert result.safety.shape == (case["rows"], case["cols"])
    if not result.consistent:
        assert np.isnan(result.safety).all()
        assert result.safe == result.mined == []
        return
    assert covered == set(map(tuple, np.argwhere(~np.isnan(result.safety)).tolist()))
    for cell in covered:
        mined = listed[cell] if cell in listed else Fraction(elsewhere)
        assert abs((1 - result.safety[cell]) - mined) <= TOLERANCE
    if elsewhere is None:
        assert covered == set(listed)
    floating = covered - set(listed)
    for cells, answer in ((result.safe, expected["safe"]), (result.mined, expected["mined"])):
        if len(floating) > MANY_FLOATING:
            cells = [cell for cell in cells if cell in listed]  # noqa: PLW2901
        assert cells == sorted(map(tuple, answer))


@pytest.mark.parametrize("case,reading", POSITIONS)
def test_position_without_its_total(case: Case, reading: str) -> None:
    """The range of totals and the certain cells by the clues alone."""
    expected = case[reading]
    trust = reading == "expected"
    result = analyse(case["grid"], None, topology(case), trust)
    bounds = expected["mines_range"]
    assert result.mines_range == (None if bounds is None else tuple(bounds))
    assert result.consistent == (bounds is not None)
    if expected["consistent"]:
        with_total = analyse(case["grid"], case["mines"], topology(case), trust)
        assert set(result.safe) <= set(with_total.safe)
        assert set(result.mined) <= set(with_total.mined)


@pytest.mark.parametrize("case", cases_with(GAME))
def test_layout(case: Case) -> None:
    expected = case["expected"]
    game = Game(case["layout"], topology(case))
    assert game.mines == case["mines"]
    for action, *cell in case.get("actions", ()):
        game.act(action, *cell)
    if "numbers" in expected:
        assert game.numbers() == expected["numbers"]
    if "view" in expected:
        assert game.view() == expected["view"]
        assert game.status == expected["status"]
        again = game.replay(game.actions)
        assert (again.view(), again.status) == (game.view(), game.status)


@pytest.mark.parametrize("case", cases_with(COUNTS))
def test_counts_of_layouts(case: Case) -> None:
    expected, shape, mines = case["expected"], (case["rows"], case["cols"]), case["mines"]
    if "one_click_layouts" in expected:
        won = sum(one_click_wins(layout) for layout in layouts(shape, mines))
        assert won == int(expected["one_click_layouts"])
    if "layouts_by_rule" in expected:
        first = tuple(case["first_click"])
        counts = {rule: int(n) for rule, n in expected["layouts_by_rule"].items()}
        untouched = [["."] * shape[1] for _ in range(shape[0])]
        analysis = analyse(["".join(row) for row in untouched], mines)
        assert analysis.configurations == counts["anywhere"] == math.comb(math.prod(shape), mines)
        assert analysis.safety[first] == pytest.approx(counts["safe_cell"] / counts["anywhere"])
        untouched[first[0]][first[1]] = "0"
        analysis = analyse(["".join(row) for row in untouched], mines)
        assert (analysis.configurations or 0) == counts["safe_neighbourhood"]


def layouts(shape: tuple[int, int], mines: int) -> Iterator[list[str]]:
    """Yield every layout of a board."""
    cells = math.prod(shape)
    for mined in itertools.combinations(range(cells), mines):
        text = "".join("*" if c in mined else "-" for c in range(cells))
        yield [text[i : i + shape[1]] for i in range(0, cells, shape[1])]


def one_click_wins(layout: list[str]) -> bool:
    """Return whether some first click wins: on any 0, or without zeros on any safe cell."""
    game = Game(layout)
    numbers = "".join(game.numbers())
    cell = numbers.find("0")
    if cell < 0:
        cell = next(c for c, number in enumerate(numbers) if number != "*")
    game.open(*divmod(cell, len(layout[0])))
    return game.status == "won"


def play_certain(case: Case, mine_count: bool) -> tuple[bool, int, list[str]]:
    """Return (won, rounds, view) after the first cell and then only cells that are proved safe.

    Each round opens all cells that are proved safe, with or without the number of mines.
    """
    game = Game(case["layout"], topology(case))
    game.open(*case["first_click"])
    rounds, mined = 0, np.zeros(game.shape, bool)
    while game.status == "playing":
        states, numbers = game.known()
        states[mined.ravel()] = MARKED  # this splits the rest into small parts
        total = game.mines if mine_count else None
        result = analyse_states(game.shape, topology(case), states, numbers, total)
        assert result.exact
        if not result.safe:
            break
        for cell in result.safe:
            game.open(*cell)
        for cell in result.mined:
            mined[cell] = True
        rounds += 1
    return game.status == "won", rounds, game.view()


@pytest.mark.parametrize("case", cases_with(CERTAIN))
def test_play_with_certain_moves_only(case: Case) -> None:
    expected = case["expected"]
    played = (expected["no_guess"], expected["rounds"], expected["last_view"])
    assert play_certain(case, mine_count=True) == played
    assert play_certain(case, mine_count=False)[0] == expected["no_guess_without_mine_count"]


def test_certain_play_stops_where_the_mine_count_is_needed() -> None:
    """Two mines: one beside the 1, the other in the cell that touches no number."""
    first = {"first_click": (0, 0), "layout": ["-*-*"]}
    assert play_certain(first, mine_count=True) == (False, 0, ["1..."])
    first["layout"] = ["-*-"]
    assert play_certain(first, mine_count=True)[:2] == (True, 1)
    assert play_certain(first, mine_count=False) == (False, 0, ["1.."])
    first["layout"] = ["*-"]
    assert play_certain(first, mine_count=True) == (False, 0, ["*."])
