"""The layers of the kernel one by one: set up a board, open cells, stop after a layer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from brute_force import neighbour_lists

from msdensity.kernel.belief import hear, send_messages
from msdensity.kernel.compiler.jit import compiling, entry
from msdensity.kernel.compiler.rows import COLUMNS
from msdensity.kernel.counting import set_odds, weigh_backward, weigh_forward
from msdensity.kernel.deduction import apply_singles, deduce_locally
from msdensity.kernel.frontier import WHOLE, build_component
from msdensity.kernel.knowledge import begin, mark_mine, open_cell
from msdensity.kernel.mine_count import deduce_globally, restrict_components
from msdensity.kernel.parts import build_part
from msdensity.kernel.relaxation import estimate_safety
from msdensity.kernel.safety import count_components
from msdensity.kernel.state import (
    GUESS,
    MINED,
    OPEN,
    PART_ROOM,
    PLAYING,
    SINGLE,
    UNKNOWN,
    Memory,
    make_workspace,
    open_table,
    open_workspace,
)
from msdensity.kernel.states import count_component
from msdensity.kernel.topology import neighbour_table

OPENED, MARKED_AT, SINGLES, LOCAL, BUILT = range(5)
COUNTED, WEIGHED, RESTRICTED, GLOBAL, ESTIMATED, TOLD, HEARD = range(5, 12)
"""Where `lay_out` stops."""


@entry
def run_layers(table_words, ws_words, mined, opened, stop, cell):  # noqa: PLR0911
    """Open cells of a board one by one, run the layers up to `stop`; return its two results."""
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    game = ws.game[0]
    begin(table, ws, mined.sum())
    for c in range(game.cells):
        if mined[c]:
            ws.cell[c].flags |= np.uint8(MINED)
            for e in range(table.start[c], table.start[c + 1]):
                ws.cell[table.neighbours[e]].number += np.uint16(1)
    for i in range(len(opened)):
        open_cell(table, ws, opened[i], GUESS, 0.5)
    if stop == OPENED:
        return 0, 0
    if stop == MARKED_AT:
        mark_mine(table, ws, cell, SINGLE)
        return 0, 0
    if stop == SINGLES:
        apply_singles(table, ws)
        return 0, 0
    if stop == BUILT:
        return build_component(table, ws, cell, WHOLE), 0
    if stop in (COUNTED, WEIGHED, ESTIMATED, TOLD, HEARD):
        k = count_component(table, ws, cell)
        set_odds(ws, 1.0)
        game.poly = 0
        game.listed = 0
        if stop == WEIGHED:
            weigh_forward(ws, k)
            end = ws.node[ws.component[k].end]
            for j in range(end.terms):
                ws.back[end.poly + j] = 1.0
            weigh_backward(ws, k)
        if stop == ESTIMATED:
            estimate_safety(table, ws, k)
        if stop in (TOLD, HEARD):
            send_messages(table, ws, cell, k)
        if stop == HEARD:
            sub = build_part(table, ws, cell, np.int64(2), PART_ROOM)
            hear(table, ws, sub)
            return k, sub
        return k, 0
    deduce_locally(table, ws)
    if stop == LOCAL or game.status != PLAYING:
        return 0, 0
    _, low, high = count_components(table, ws)
    if stop == RESTRICTED:
        return restrict_components(ws, low, high)
    deduce_globally(table, ws, low, high)
    return low, high


def lay_out(
    rows: Sequence[str], stop: int, cell: int = -1, budget: int | None = None
) -> tuple[Memory, tuple[int, int]]:
    """Return the workspace after a layer, and the two numbers that the layer returned.

    rows: `*` mined, `-` safe, `+` safe and opened in the order of the cells; budget: states that a
    component may have.
    """
    table = neighbour_table((len(rows), len(rows[0])))
    text = np.array(list("".join(rows)))
    workspace = make_workspace(table)
    workspace.game["node_budget"] = budget or workspace.game["node_budget"]
    with compiling(run_layers):
        answers = run_layers(
            table.words, workspace.words, text == "*", np.flatnonzero(text == "+"), stop, cell
        )
    return workspace, answers


def neighbours(rows: Sequence[str]) -> list[list[int]]:
    """Return the neighbours of each cell of the board."""
    return neighbour_lists((len(rows), len(rows[0])))


def random_rows(rng: np.random.Generator, p: int, q: int, mines: int, opened: int) -> list[str]:
    """Return a layout with this number of mines and of opened safe cells."""
    cells = np.full(p * q, "-")
    order = rng.permutation(p * q)
    cells[order[:mines]] = "*"
    cells[order[mines : mines + opened]] = "+"
    return ["".join(row) for row in cells.reshape(p, q)]


def solutions(workspace: Memory, near: list[list[int]], cells: Sequence[int]) -> np.ndarray:
    """Return all ways to mine these covered cells that agree with the opened cells beside them.

    Each is a row of 0 and 1; all are tried.
    """
    rows = np.indices((2,) * len(cells)).reshape(len(cells), -1).T
    state = workspace.cell["state"]
    for w in np.flatnonzero(state == OPEN):
        beside = [i for i, c in enumerate(cells) if c in near[w]]
        if beside:
            rows = rows[rows[:, beside].sum(axis=1) == workspace.cell["remaining"][w]]
    return rows


def covered(workspace: Memory, near: list[list[int]], seed: int) -> list[int]:
    """Return the covered cells connected with opened cell `seed` through opened cells."""
    state = workspace.cell["state"]
    cells: list[int] = []
    waiting, met = [seed], {seed}
    while waiting:
        for c in near[waiting.pop()]:
            if state[c] == UNKNOWN and c not in cells:
                cells.append(c)
                fresh = {w for w in near[c] if state[w] == OPEN} - met
                met |= fresh
                waiting += fresh
    return sorted(cells)


def components(
    seed: int, stop: int, opened: int
) -> Iterator[tuple[Memory, int, list[int], np.ndarray]]:
    """Yield (workspace, component, its covered cells, their solutions) of random boards.

    Each contains the first opened cell with covered neighbours. Components of more than 13 cells
    are left out; more than 20 remain.
    """
    rng = np.random.default_rng(seed)
    compared = 0
    for _ in range(60):
        rows = random_rows(rng, 4, 5, mines=5, opened=opened)
        near = neighbours(rows)
        before = lay_out(rows, OPENED)[0].cell
        seeds = np.flatnonzero((before["state"] == OPEN) & (before["unknown"] > 0))
        if not len(seeds):
            continue
        ws, (k, _) = lay_out(rows, stop, int(seeds[0]))
        cells = covered(ws, near, int(seeds[0]))
        if len(cells) <= 13:
            yield ws, k, cells, solutions(ws, near, cells)
            compared += 1
    assert compared > 20


def cells_in(table: Memory, plane: np.ndarray) -> np.ndarray:
    """Return which cells are in a plane: array (cells,) of bool."""
    words = plane[table.place // COLUMNS]
    return (words >> (table.place % COLUMNS).astype(np.uint32)) % 2 == 1
