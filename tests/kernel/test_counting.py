"""Weights of a component by its number of mines, and safeties: against fractions."""

from fractions import Fraction

import numpy as np
from layers import WEIGHED, components


def test_weights_count_the_solutions_by_mines_and_safeties_are_their_shares() -> None:
    for ws, k, cells, ways in components(5, WEIGHED, opened=4):
        component = ws.component[k]
        end = ws.node[component["end"]]
        # weights are C(s, v) / 2**s: powers of two, so that these are equal to the last bit
        weights = ws.poly[end["poly"] :][: end["terms"]] * 2.0 ** len(cells)
        by_mines = np.bincount(ways.sum(axis=1))
        assert component["low"] == np.flatnonzero(by_mines)[0]
        assert weights.tolist() == by_mines[component["low"] :].tolist()
        for box in ws.box[component["box"] : component["box_end"]]:
            column = ways[:, cells.index(int(box["cell"]))]
            share = Fraction(int((column == 0).sum()), len(ways))
            assert abs(box["safety"] - float(share)) < 1e-14
