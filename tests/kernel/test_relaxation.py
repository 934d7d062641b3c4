"""Parts of a component: where the part is the whole, an estimate is a sum over its solutions."""

import numpy as np
import pytest
from layers import ESTIMATED, OPENED, covered, lay_out, neighbours, random_rows, solutions

from msdensity.kernel.relaxation import PART_WITNESSES
from msdensity.kernel.state import OPEN


def test_the_estimate_of_a_small_component_is_the_share_of_its_solutions() -> None:
    rng = np.random.default_rng(8)
    compared = 0
    for _ in range(60):
        rows = random_rows(rng, 4, 5, mines=5, opened=5)
        near = neighbours(rows)
        before = lay_out(rows, OPENED)[0].cell
        seeds = np.flatnonzero((before["state"] == OPEN) & (before["unknown"] > 0))
        if not len(seeds):
            continue
        ws, (k, _) = lay_out(rows, ESTIMATED, int(seeds[0]))
        cells = covered(ws, near, int(seeds[0]))
        if len(cells) > 13 or ws.component["witnesses"][k] > PART_WITNESSES:
            continue
        found = solutions(ws, near, cells)
        assert ws.exposed[: ws.game["listed"][0]].tolist() == cells
        assert ws.safety[cells] == pytest.approx(1 - found.mean(axis=0), abs=1e-14)
        assert (ws.link["component"][cells] == k).all()  # given back to the component
        compared += 1
    assert compared > 20
