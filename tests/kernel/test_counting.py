"""Weights of a component by its number of mines, and safeties: against fractions."""

from fractions import Fraction

import numpy as np
from layers import OPENED, WEIGHED, covered, lay_out, neighbours, random_rows, solutions

from msdensity.kernel.state import OPEN


def test_weights_count_the_solutions_by_mines_and_safeties_are_their_shares() -> None:
    rng = np.random.default_rng(5)
    compared = 0
    for _ in range(60):
        rows = random_rows(rng, 4, 5, mines=5, opened=4)
        near = neighbours(rows)
        before = lay_out(rows, OPENED)[0].cell
        seeds = np.flatnonzero((before["state"] == OPEN) & (before["unknown"] > 0))
        if not len(seeds):
            continue
        ws, (k, _) = lay_out(rows, WEIGHED, int(seeds[0]))
        cells = covered(ws, near, int(seeds[0]))
        if len(cells) > 13:
            continue
        found = solutions(ws, near, cells)
        component = ws.component[k]
        end = ws.node[component["end"]]
        # weights are C(s, v) / 2**s: powers of two, so that these are equal to the last bit
        weights = ws.poly[end["poly"] :][: end["terms"]] * 2.0 ** len(cells)
        by_mines = np.bincount(found.sum(axis=1))
        assert component["low"] == np.flatnonzero(by_mines)[0]
        assert weights.tolist() == by_mines[component["low"] :].tolist()
        for box in ws.box[component["box"] : component["box_end"]]:
            column = found[:, cells.index(int(box["cell"]))]
            share = Fraction(int((column == 0).sum()), len(found))
            assert abs(box["safety"] - float(share)) < 1e-14
        compared += 1
    assert compared > 20
