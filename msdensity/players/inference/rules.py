"""All cells that one set of rules decides, without the number of mines.

`zeros`: the neighbours of an opened 0 are opened (the cascade of a click), and nothing else.
`single`: the single-cell rule (001, Propositions 2 and 3).
`pairs`: the single-cell rule and the pair rule (`kernel.deduction.apply_pair`).
`unit`: the single-cell rule, and unit refutation: a state of a cell is assumed, and the single-cell
    rule leads to a number that cannot be met (002, Algorithm 3 with unit clauses alone).
`complete`: every cell that has the same state in all arrangements of its component.

What a set of rules decides in the end does not depend on their order: a cell that is decided never
takes a deduction away. `zeros` decides no more than `single`, this no more than `pairs` and `unit`,
and these no more than `complete`; of `pairs` and `unit` none contains the other.
"""

import numpy as np

from msdensity.kernel.compiler.jit import by_board, compiled
from msdensity.kernel.deduction import apply_singles, deduce_locally
from msdensity.kernel.knowledge import open_cell
from msdensity.kernel.planes import deduction as planes
from msdensity.kernel.state import OPEN, PLAYING, SINGLE, TOUCHED, UNKNOWN
from msdensity.players.inference.units import deduce_by_units
from msdensity.players.resolution.player import apply_pairs

COMPLETE, UNIT, PAIRS, SINGLES, ZEROS = range(5)
"""The sets of rules, by their places among the choices of the option `rules`."""


@compiled
def deduce_by_zeros(table, ws):
    """Open the neighbours of opened cells that show 0, until there are no more."""
    game = ws.game[0]
    while game.taken < game.touched:
        w = ws.touched[game.taken & game.ring]
        game.taken += 1
        ws.cell[w].flags &= np.uint8(255 - TOUCHED)
        if ws.cell[w].state != OPEN or ws.cell[w].number > 0:
            continue
        for e in range(table.start[w], table.start[w + 1]):
            c = table.neighbours[e]
            if ws.cell[c].state == UNKNOWN:
                open_cell(table, ws, c, SINGLE, 1.0)
                if game.status != PLAYING:
                    return


@by_board
def deduce_by_singles(table, ws):
    """Decide cells until the single-cell rule decides no more."""
    apply_singles(table, ws)


@deduce_by_singles.in_planes
def deduce_by_singles_in_planes(board, ws):
    """Decide cells until the single-cell rule decides no more."""
    planes.apply_singles(board, ws)


@by_board
def deduce_by_pairs(table, ws):
    """Decide cells until the single-cell rule and the pair rule decide no more."""
    game = ws.game[0]
    while game.status == PLAYING:
        apply_singles(table, ws)
        if game.status != PLAYING or not apply_pairs(table, ws):
            return


@deduce_by_pairs.in_planes
def deduce_by_pairs_in_planes(board, ws):
    """Decide cells until the single-cell rule and the pair rule decide no more."""
    game = ws.game[0]
    while game.status == PLAYING:
        planes.apply_singles(board, ws)
        if game.status != PLAYING:
            return
        planes.find_changed(board, ws)
        decided = False
        while game.pairs > 0 and not decided:
            t = np.int64(ws.pairs[game.pairs - 1])
            decided = planes.apply_pairs(board, ws, t)
            if not decided:
                game.pairs -= 1
                ws.tile_waits[t] &= 255 - planes.PAIRED
        if not decided:
            return


@compiled
def deduce_by_counts(table, ws, rules):
    """Decide all cells that a set of rules decides for which the board may be in planes."""
    if rules == SINGLES:
        deduce_by_singles(table, ws)
    elif rules == PAIRS:
        deduce_by_pairs(table, ws)
    else:
        deduce_locally(table, ws)


@compiled
def deduce_by_rules(table, ws, wm, rules):
    """Decide all cells that a set of rules decides, on a board with cell records."""
    if rules == ZEROS:
        deduce_by_zeros(table, ws)
    elif rules == UNIT:
        deduce_by_units(table, ws, wm)
    else:
        deduce_by_counts(table, ws, rules)
