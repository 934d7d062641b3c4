"""Boxes and components: cells grouped by the set of their witnesses."""

import numpy as np
from layers import BUILT, OPENED, covered, lay_out, neighbours, random_rows

from msdensity.kernel.state import OPEN, UNKNOWN


def test_a_component_groups_its_cells_by_their_witnesses() -> None:
    rng = np.random.default_rng(3)
    sizes = set()
    for _ in range(80):
        rows = random_rows(rng, 5, 5, mines=6, opened=5)
        near = neighbours(rows)
        before = lay_out(rows, OPENED)[0]
        opened = np.flatnonzero(before.cell["state"] == OPEN)
        seeds = [w for w in opened if before.cell["unknown"][w]]
        if not seeds:
            continue
        ws, (k, _) = lay_out(rows, BUILT, seeds[0])
        cells = covered(ws, near, seeds[0])
        groups: dict[frozenset[int], list[int]] = {}
        for c in cells:
            witnesses = frozenset(w for w in near[c] if w in opened)
            groups.setdefault(witnesses, []).append(c)
        component = ws.component[k]
        boxes = ws.box[component["box"] : component["box_end"]]
        assert sorted(map(tuple, groups.values())) == sorted(
            tuple(c for c in cells if ws.link["box"][c] == box["name"]) for box in boxes
        )
        assert [box["size"] for box in boxes] == [
            (ws.link["box"][cells] == box["name"]).sum() for box in boxes
        ]
        assert (ws.link["component"][cells] == k).all()
        assert component["witnesses"] == len(frozenset().union(*groups))
        sizes.add(len(boxes))
    assert len(sizes) > 5


def test_cells_without_a_witness_float() -> None:
    ws, (k, _) = lay_out(["+*----"], BUILT, 0)
    inside = np.flatnonzero(ws.link["component"] == k)
    assert inside.tolist() == [0, 1]  # the witness and its one unknown cell
    assert (ws.cell["state"] == UNKNOWN).sum() == 5
