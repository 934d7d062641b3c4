"""Parts of a component: if the part is all of it, an estimate is a sum over its solutions."""

import pytest
from layers import ESTIMATED, components

from msdensity.kernel.state import PART_WITNESSES


def test_the_estimate_of_a_small_component_is_the_share_of_its_solutions() -> None:
    compared = 0
    for ws, k, cells, ways in components(8, ESTIMATED, opened=5):
        if ws.component["witnesses"][k] > PART_WITNESSES:
            continue
        assert ws.exposed[: ws.game["listed"][0]].tolist() == cells
        assert ws.safety[cells] == pytest.approx(1 - ways.mean(axis=0), abs=1e-14)
        assert (ws.link["component"][cells] == k).all()  # given back to the component
        compared += 1
    assert compared > 20
