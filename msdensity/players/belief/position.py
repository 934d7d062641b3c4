"""The beliefs of the players of 004 in a position from outside."""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.position import set_position
from msdensity.kernel.state import UNKNOWN, open_table, open_workspace
from msdensity.players.belief.links import link_cliques
from msdensity.players.belief.memory import ROOM, open_memory
from msdensity.players.belief.messages import iterate, weigh_cells
from msdensity.players.belief.player import begin_position, read_options

STILL = 1e-3
"""Beliefs have converged if an iteration moves none by as much."""


@compiled
def largest_move(table, ws, wm):
    """Write all beliefs; return the most that one has moved since the last call."""
    weigh_cells(table, ws, wm)
    most = 0.0
    for c in range(ws.game[0].cells):
        if ws.cell[c].state == UNKNOWN:
            most = max(most, abs(wm.belief[c] - wm.earlier[c]))
            wm.earlier[c] = wm.belief[c]
    return most


@entry
def believe_position(
    table_words, ws_words, memory_words, states, numbers, mines, merges, iterations, belief
):
    """Write the belief of each unknown cell that it is free into `belief` (cells,); NaN elsewhere.

    `states` and `numbers` (cells,): as in `kernel.position.analyse_positions`. The options are
    those of `lbp_mc` (merges true) or of `lbp` in `ws.option`, except that there are `iterations`
    of messages even if cells are certain before. No cell is opened or marked. Certain cells have
    belief 1 or 0 exactly. A floating cell has the share of free cells among all unknown cells.

    Returns (converged, left_out): the first iteration that moved no belief by 0.001 or more, -1 if
    none did; how many cliques and links did not fit, or cannot be met. Returns (-1, -1) where a
    number cannot be met by its own neighbours.
    """
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    wm = open_memory(memory_words)
    belief[:] = np.nan
    if set_position(table, ws, states, numbers, mines) >= 0:
        return -1, -1
    read_options(ws, wm, merges)
    begin_position(table, ws, wm)
    link_cliques(table, ws, wm)
    largest_move(table, ws, wm)
    converged = -1
    for iteration in range(iterations):
        iterate(wm)
        if largest_move(table, ws, wm) < STILL and converged < 0:
            converged = iteration + 1
    for c in range(len(belief)):
        if states[c] == UNKNOWN:
            belief[c] = wm.belief[c]
    for a in range(wm.counters[0].cliques):
        clique = wm.clique[a]
        for i in range(clique.size if clique.count > 0 else 0):
            c = wm.member[a * ROOM + i]
            if not (clique.ever >> i) & 1:
                belief[c] = 1.0
            elif (clique.always >> i) & 1:
                belief[c] = 0.0
    return converged, wm.counters[0].left_out
