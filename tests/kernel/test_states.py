"""The states of a component: fewest and most mines of each box over all its configurations."""

import numpy as np
from layers import COUNTED, components, lay_out


def paths(ws, node: int, end: int) -> int:
    """Return the number of ways to put mines into boxes from a state on."""
    if node == end:
        return 1
    first, count = ws.node["edge"][node], ws.node["edges"][node]
    targets = ws.edge[first : first + count]
    return sum(paths(ws, t, end) for t in targets if ws.node["live"][t])


def test_states_hold_exactly_the_configurations_of_the_boxes() -> None:
    for ws, k, cells, ways in components(4, COUNTED, opened=5):
        component = ws.component[k]
        boxes = ws.box[component["box"] : component["box_end"]]
        held = np.array(
            [ways[:, ws.link["box"][cells] == box["name"]].sum(axis=1) for box in boxes]
        )
        assert boxes["least"].tolist() == held.min(axis=1).tolist()
        assert boxes["most"].tolist() == held.max(axis=1).tolist()
        root = boxes["node"][0]
        assert paths(ws, root, component["end"]) == len(np.unique(held, axis=1).T)


def test_a_component_beyond_the_budget_is_marked_over() -> None:
    for budget, over in ((1, 1), (100, 0)):
        ws, (k, _) = lay_out(["+++", "*-*"], COUNTED, 0, budget=budget)
        assert ws.component["over"][k] == over
