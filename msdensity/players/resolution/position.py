"""What the rules of `resolution` decide in positions from outside."""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.position import count_around, decide_around, set_position
from msdensity.kernel.state import MARKED, OPEN, UNKNOWN, open_table, open_workspace
from msdensity.players.resolution.memory import open_memory
from msdensity.players.resolution.player import search_cells
from msdensity.players.resolution.units import ON, decide


@compiled
def decide_difference(table, ws, wm, a, b):
    """Decide that the unknown cells of `a` alone are mined and those of `b` alone are free."""
    game = ws.game[0]
    game.stamp += 2
    for e in range(table.start[a], table.start[a + 1]):
        ws.link[table.neighbours[e]].stamp = np.int32(game.stamp - 1)
    for e in range(table.start[b], table.start[b + 1]):
        c = np.int64(table.neighbours[e])
        if ws.link[c].stamp == game.stamp - 1:
            ws.link[c].stamp = np.int32(game.stamp)
        elif ws.cell[c].state == UNKNOWN:
            decide(wm, c, 0)
    for e in range(table.start[a], table.start[a + 1]):
        c = np.int64(table.neighbours[e])
        if ws.link[c].stamp == game.stamp - 1 and ws.cell[c].state == UNKNOWN:
            decide(wm, c, 1)


@compiled
def compare_pairs(table, ws, wm):
    """List in `decided` the cells that some pair of numbers decides; the position stays as it is.

    The rule is that of `kernel.deduction.apply_pair`, without its moves.
    """
    game = ws.game[0]
    for a in range(game.cells):
        if ws.cell[a].state != OPEN or ws.cell[a].unknown == 0:
            continue
        game.stamp += 1
        count = 0
        for e in range(table.start[a], table.start[a + 1]):
            u = table.neighbours[e]
            if ws.cell[u].state != UNKNOWN:
                continue
            for f in range(table.start[u], table.start[u + 1]):
                b = table.neighbours[f]
                link = ws.link[b]
                if ws.cell[b].state != OPEN:
                    continue
                if link.stamp != game.stamp:
                    link.stamp = np.int32(game.stamp)
                    link.local = np.int32(0)
                    ws.list[count] = b
                    count += 1
                link.local += np.int32(1)
        for i in range(count):
            b = np.int64(ws.list[i])
            common = ws.link[b].local
            only_a = ws.cell[a].unknown - common
            same = only_a == 0 and ws.cell[b].unknown == common
            if not same and ws.cell[a].remaining - ws.cell[b].remaining == only_a:
                decide_difference(table, ws, wm, np.int64(a), b)


@entry
def settle_position(table_words, states, numbers):
    """Open and mark in `states` what single numbers decide; return how many cells that are.

    `states` (cells,) holds UNKNOWN, OPEN or MARKED, `numbers` (cells,) the number of every cell
    that is not mined: those of opened cells are used.
    """
    table = open_table(table_words)
    decided = 0
    before = -1
    while before != decided:
        before = decided
        for w in range(len(states)):
            if states[w] == OPEN:
                remaining, unknown = count_around(table, states, numbers, w)
                if unknown > 0 and (remaining == 0 or remaining == unknown):  # noqa: PLR1714
                    decide_around(table, states, w, np.uint8(OPEN if remaining == 0 else MARKED))
                    decided += unknown
    return decided


@entry
def resolve_positions(
    table_words, ws_words, memory_words, options, states, numbers, mines, verdict
):
    """Write the cells of n consistent positions that the rules of the options decide in one pass.

    options: of the player, each as an index among its choices. With `pair_rule` all pairs of
    numbers are compared, with `unit_refutation` all states of cells refuted, with a `width` all
    knowledge bases resolved; none of them sees what another decides, and single numbers are not
    applied. `states` (n, cells) holds UNKNOWN, OPEN or MARKED, `numbers` (n, cells) the clue of
    each opened cell; mines: on the board, used with the option `mine_count` alone. `verdict`
    (n, cells) gets 1 for a cell found to be mined, 0 for one found to be free, -1 elsewhere.
    """
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    wm = open_memory(memory_words)
    for i in range(len(states)):
        set_position(table, ws, states[i], numbers[i], mines)
        for k in range(len(options)):
            ws.option[k] = options[k]
        search_cells(table, ws, wm, False)
        if ws.option[4] == ON:
            compare_pairs(table, ws, wm)
        for c in range(verdict.shape[1]):
            verdict[i, c] = wm.verdict[c]
