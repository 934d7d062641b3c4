"""Messages between numbers, against sums over all arrangements in fractions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from layers import HEARD, TOLD, components, lay_out, neighbours, solutions

from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.belief import LEAST
from msdensity.kernel.state import OPEN, Memory, make_workspace
from msdensity.kernel.topology import cached_table
from sizes import sizes

Box = tuple[int, ...]


def boxes_of(near: list[list[int]], state: np.ndarray, cells: list[int]) -> dict[Box, list[int]]:
    """Return the cells of each box, by its witnesses."""
    boxes: dict[Box, list[int]] = {}
    for c in cells:
        boxes.setdefault(tuple(w for w in near[c] if state[w] == OPEN), []).append(c)
    return boxes


Weights = list[Fraction]


def told(
    ws: Memory, boxes: dict[Box, list[int]], order: list[int], silent: tuple[int, ...] = ()
) -> dict[Box, Weights]:
    """Return the weights of the numbers of mines in each box after each witness has spoken once.

    silent: witnesses whose messages are left out of the result.
    """
    belief = {
        box: [Fraction(int(np.round(n))) for n in np.poly([-1] * len(cells))]
        for box, cells in boxes.items()
    }
    left = dict(belief)
    for w in order:
        mine = [box for box in boxes if w in box]
        heard = {box: [Fraction(0)] * len(belief[box]) for box in mine}
        for mines in product(*(range(len(belief[box])) for box in mine)):
            if sum(mines) == ws.cell["remaining"][w]:
                for box, n in zip(mine, mines, strict=True):
                    others = (
                        belief[other][m]
                        for other, m in zip(mine, mines, strict=True)
                        if other != box
                    )
                    heard[box][n] += np.prod(list(others), initial=Fraction(1))
        for box in mine:
            belief[box] = [a * b for a, b in zip(belief[box], heard[box], strict=True)]
            if w not in silent:
                left[box] = [a * b for a, b in zip(left[box], heard[box], strict=True)]
    return left


def kept(ws: Memory, cells: list[int]) -> np.ndarray:
    """Return the belief of the kernel about the box of these cells."""
    (at,) = {int(ws.inbox["belief"][c]) for c in cells}
    return ws.message[at : at + len(cells) + 1]


def test_messages_are_sums_over_the_arrangements_of_one_number() -> None:
    compared = loops = 0
    for ws, k, cells, _ in components(11, TOLD, opened=5):
        near = neighbours(["-" * 5] * 4)
        order = ws.witness["cell"][: ws.component["witnesses"][k]].tolist()
        boxes = boxes_of(near, ws.cell["state"], cells)
        for box, weights in told(ws, boxes, order).items():
            exact = np.array([float(each / max(weights)) for each in weights])
            found = kept(ws, boxes[box])
            assert found == pytest.approx(exact, rel=1e-12)
            assert ((found > 0) == (exact > 0)).all() and found[found > 0].min() >= LEAST
            compared += 1
        loops += len(order) > 2
        assert (ws.link["component"][cells] == k).all()  # given back to the component
    assert compared > 60 and loops > 10


def test_a_part_hears_the_numbers_outside_it_alone() -> None:
    near = neighbours(["-" * 5] * 4)
    compared = 0
    # the same boards twice, because a part takes the place of the list of witnesses
    for (ws, k, cells, _), (part, _, _, _) in zip(
        components(11, TOLD, opened=5), components(11, HEARD, opened=5), strict=True
    ):
        order = ws.witness["cell"][: ws.component["witnesses"][k]].tolist()
        sub = part.component[part.game["components"][0] - 1]
        inside = tuple(part.witness["cell"][: sub["witnesses"]].tolist())
        assert inside == tuple(order[:2])
        boxes = boxes_of(near, ws.cell["state"], cells)
        outside = told(ws, boxes, order, silent=inside)
        for t in range(sub["box"], sub["box_end"]):
            (box,) = (each for each, own in boxes.items() if part.box["cell"][t] in own)
            at = part.box["prior"][t]
            found = part.choose[at : at + len(boxes[box]) + 1]
            exact = np.array([float(each / max(outside[box])) for each in outside[box]])
            assert found / found.max() == pytest.approx(exact, rel=1e-12)
            compared += len(box) > len(set(box) & set(inside))
    assert compared > 20


@pytest.mark.parametrize(
    "rows", [["-+-+*"], ["*+-+-+*"], ["-+*+-+-+*"], ["*-*-*", "-+-+-", "--*--"]]
)
def test_beliefs_are_exact_at_the_end_of_a_chain(rows: list[str]) -> None:
    """Where no loop leads back, the last witness to speak has heard everything."""
    text, near = "".join(rows), neighbours(rows)
    ws, _ = lay_out(rows, TOLD, text.index("+"))
    cells = [c for c in range(len(text)) if text[c] != "+"]
    ways = solutions(ws, near, cells)
    last = len(rows[0]) - 1
    (own,) = (each for each in boxes_of(near, ws.cell["state"], cells).values() if last in each)
    belief = kept(ws, own)
    counts = ways[:, [cells.index(c) for c in own]].sum(axis=1)
    exact = np.bincount(counts, minlength=len(own) + 1) / len(ways)
    assert belief / belief.sum() == pytest.approx(exact, abs=1e-14)


def test_a_belief_in_a_loop_is_not_exact() -> None:
    """So the test of a chain can fail, and estimates are no proof."""
    off = 0.0
    for ws, _, cells, ways in components(12, TOLD, opened=6):
        near = neighbours(["-" * 5] * 4)
        for own in boxes_of(near, ws.cell["state"], cells).values():
            belief = kept(ws, own)
            mined = belief @ np.arange(len(belief)) / belief.sum() / len(own)
            off = max(off, abs(mined - ways[:, cells.index(own[0])].mean()))
            # what no message allows is never there
            assert (
                (belief > 0)[np.unique(ways[:, [cells.index(c) for c in own]].sum(axis=1))]
            ).all()
    assert off > 0.02


@pytest.mark.parametrize("games", sizes(40, 4000))
def test_no_mine_is_opened_as_certain(games: int) -> None:
    """`play_batch` raises RuntimeError if one is, or if weights vanish."""
    approximate = 0
    for name, mines, budget in (
        *(("5x5x5-torus", 12, 200), ("4x4x4-torus", 8, 2), ("5x5x5-cubic26", 19, 200)),
        *(("4x4x4x2-box", 10, 20), ("8x8", 14, 2)),
    ):
        board = Board.parse(name)
        workspace = make_workspace(cached_table(board.shape, board.topology))
        workspace.game["node_budget"] = budget
        sums = play_batch(Task(board, mines, seed=5), 0, games, workspace)
        assert sums["opened"] > games
        approximate += sums["approximate"]
    assert approximate > 2 * games
