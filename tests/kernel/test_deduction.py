"""Certain moves by the numbers alone: each rule by hand, then all of them by brute force."""

import numpy as np
from layers import LOCAL, OPENED, SINGLES, lay_out, neighbours, random_rows, solutions

from msdensity.kernel.state import COMPONENT, EXPOSED, MARKED, OPEN, PAIR, PLAYING, UNKNOWN


def shown(rows: list[str], stop: int) -> str:
    return "".join("?oF"[state] for state in lay_out(rows, stop)[0].cell["state"])


def test_a_single_number_decides_its_neighbours() -> None:
    assert shown(["+*-"], SINGLES) == "oF?"  # 1 of 1
    assert shown(["+--*"], SINGLES) == "ooo?"  # a 0 opens its neighbours
    assert shown(["+-", "*-"], SINGLES) == "o???"  # 1 of 3


def test_a_pair_of_numbers_decides_what_only_one_of_them_sees() -> None:
    rows = ["+++", "*-*"]  # 1 2 1: the outer cells are mined, the one between is free
    assert shown(rows, SINGLES) == "ooo???"
    assert shown(rows, LOCAL).startswith("oooFo")  # it ends at the last safe cell


def test_local_rules_decide_exactly_the_cells_certain_by_the_numbers() -> None:
    rng = np.random.default_rng(2)
    by_pair = by_component = 0
    for _ in range(150):
        rows = random_rows(rng, 4, 4, mines=4, opened=int(rng.integers(2, 8)))
        text, near = "".join(rows), neighbours(rows)
        ws, _ = lay_out(rows, LOCAL)
        state = ws.cell["state"]
        assert all(text[c] == "*" for c in np.flatnonzero(state == MARKED))
        exposed = [c for c in range(16) if state[c] == UNKNOWN and ws.cell["flags"][c] & EXPOSED]
        if exposed and ws.game["status"][0] == PLAYING:
            left = solutions(ws, near, exposed)
            assert all(0 < column.sum() < len(left) for column in left.T)  # complete
        by_pair += ws.reasons[PAIR]
        by_component += ws.reasons[COMPONENT]
        before = lay_out(rows, OPENED)[0].cell["state"]
        assert (state[before == OPEN] == OPEN).all()
    assert by_pair > 50
    assert by_component > 5
