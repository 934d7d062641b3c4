"""The players LBP and LBP-MC of "Graphical Models for Minesweeper" (004, section 4).

Single-number rules come first: they change nothing of what is found, and save most of the time.
Then the unknown cells beside opened numbers are variables, and each number with unknown neighbours
is the centre of a clique (`cliques`); `lbp_mc` merges cliques to at most K cells. A clique's
configurations are those of potential 1 (`configurations`). A cell that is free, or mined, in all
configurations of a clique is certain ("marginalization"). If there is none, cliques with common
cells send each other messages (`links`, `messages`), up to `iterations` times, and after each one
all cells that have become certain are opened and marked. If there is still none, the player opens
the cell of the highest belief, one at random of equals, among cells beside opened ones; a random
unknown cell if no cell is beside an opened one. A belief is the mean of the marginals of the
cell's cliques.

What the text leaves open is read so that the published numbers fit: messages over all common cells
(messages over single cells never make a cell certain after marginalization, against Figure 5);
numbers of a clique in the 3x3 windows of its centres, as in Table 5; all messages from those of the
iteration before; K cells are allowed. Which marginal, which neighbour is merged and K (8 to 12) do
not matter to the published numbers. With potentials of 0 and 1 and no prior, max-product is the
boolean semiring: every cell that is not certain has belief 1/2.

With `singles: never` no rule comes before the cliques, as in the text. They find the same cells,
one decision after another; `tally` of the memory counts where each is made (Figure 5).

Moves are counted as `certain_single` by single numbers, `certain_pair` by marginalization,
`certain_component` by messages, `certain_global` in the clique of all cells. `approximate` counts
games with a guess at which cliques or links did not fit in memory; on boards with eight neighbours
there are none.

`prior: density` and `guesses: anywhere` are not in 004; they show what its players lack. With
`all_cells: on`, its remedy for the mine count (section 6), all other cliques are merged into that
of all unknown cells, so that beliefs are exact there. `lbp` has no prior, since a number fixes the
mines of its clique.

Not built: the 3x3 potentials (4.1.2) are not sound, since a number at the rim of a window is forced
to find its mines inside. Of section 6: labels for the nine numbers of a free cell would make the
same cells certain before a guess, and only serve to look beyond one; a junction tree of the cliques
is exact inference, which `weighted` has; cliques that are kept from move to move would be faster
and play the same games; probabilities as potentials are `prior: density`.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.deduction import apply_singles
from msdensity.kernel.knowledge import mark_mine, open_cell
from msdensity.kernel.play import game_loop
from msdensity.kernel.rng import below
from msdensity.kernel.state import (
    COMPONENT,
    EXPOSED,
    GLOBAL,
    OPEN,
    PAIR,
    PLAYER,
    PLAYING,
    UNKNOWN,
)
from msdensity.players.belief.cliques import join_all, make_cliques, merge_cliques
from msdensity.players.belief.configurations import list_configurations
from msdensity.players.belief.links import link_cliques
from msdensity.players.belief.memory import GUESS, ROOM, open_memory
from msdensity.players.belief.messages import is_decided, iterate, set_prior, weigh_cells
from msdensity.players.constraints.coupled import guess_cell
from msdensity.players.single_point import open_guess, random_cell

ANYWHERE = 1
"""A choice of the option `guesses`."""

TIE = 1e-9
"""Beliefs as close as this are equal: cells alike get their sums in different orders."""

NEVER = 1
"""A choice of the option `singles`."""

ITERATIONS = (3, 0, 1, 2, 10, 50)

CLIQUE_SIZES = (12, 8, 9, 10, 11, 16, 20)


@compiled
def read_options(ws, wm, merges):
    """Read the options of the player, in the order of the registry."""
    settings = wm.settings[0]
    settings.potential = ws.option[0]
    settings.iterations = ITERATIONS[ws.option[1]]
    settings.semiring = ws.option[2]
    settings.belief = ws.option[3]
    settings.schedule = ws.option[4]
    settings.guesses = ws.option[5]
    settings.all_cells = ws.option[6]
    settings.prior = 0
    settings.clique_size = 0
    settings.merge = 0
    settings.singles = ws.option[7]
    if merges:
        settings.prior = ws.option[7]
        settings.clique_size = CLIQUE_SIZES[ws.option[8]]
        settings.merge = ws.option[9]
        settings.singles = ws.option[10]


@compiled
def begin_position(table, ws, wm):
    """Make the cliques of a position and list their configurations."""
    counters = wm.counters[0]
    counters.left_out = 0
    counters.configurations = 0
    make_cliques(table, ws, wm)
    if not join_all(ws, wm) and wm.settings[0].clique_size > 0:
        merge_cliques(table, ws, wm)
    for a in range(counters.cliques):
        list_configurations(table, ws, wm, a)
    set_prior(ws, wm)


@compiled
def apply_certain(table, ws, wm, reason):
    """Open and mark all cells that are certain in a clique."""
    for a in range(wm.counters[0].cliques):
        clique = wm.clique[a]
        if clique.count == 0:
            continue
        for i in range(clique.size):
            c = np.int64(wm.member[a * ROOM + i])
            if ws.cell[c].state != UNKNOWN:
                continue
            if not (clique.ever >> i) & 1:
                open_cell(table, ws, c, reason, 1.0)
                if ws.game[0].status != PLAYING:
                    return
            elif (clique.always >> i) & 1:
                mark_mine(table, ws, c, reason)


@compiled
def decide(table, ws, wm):
    """Decide the cells that are certain at once, or after an iteration; return if there are any.

    Counts the decision in `tally`, also if it is to guess.
    """
    begin_position(table, ws, wm)
    reason = GLOBAL if wm.counters[0].joined else PAIR
    for iteration in range(wm.settings[0].iterations + 1):
        if iteration == 1:
            link_cliques(table, ws, wm)
        if iteration > 0:
            reason = COMPONENT
            iterate(wm)
        if is_decided(wm):
            wm.tally[iteration] += 1
            apply_certain(table, ws, wm, reason)
            return True
    wm.tally[GUESS] += 1
    return False


@compiled
def best_cell(ws, wm, anywhere):
    """Return one of the cells of the highest belief at random; anywhere: also floating cells."""
    best = -1.0
    count = 0
    for c in range(ws.game[0].cells):
        if ws.cell[c].state == UNKNOWN and (anywhere or ws.cell[c].flags & EXPOSED):
            best = max(best, wm.belief[c])
            ws.list[count] = c
            count += 1
    tied = 0
    for i in range(count):
        c = ws.list[i]
        if wm.belief[c] >= best - TIE:
            ws.list[tied] = c
            tied += 1
    return np.int64(ws.list[below(ws.stream[PLAYER], tied)])


@compiled
def guess(table, ws, wm):
    """Open the cell of the highest belief; a random one if no cell has a belief."""
    exposed = weigh_cells(table, ws, wm)
    ws.game[0].approximate += wm.counters[0].left_out > 0
    joined = wm.counters[0].joined > 0
    anywhere = joined or wm.settings[0].guesses == ANYWHERE
    if exposed == 0 and not joined:
        open_guess(table, ws, random_cell(ws))
        return
    c = best_cell(ws, wm, anywhere)
    guess_cell(table, ws, c, wm.belief[c])


@compiled
def expose_zeros(table, ws):
    """Note which unknown cells are beside an opened 0: the single-number rule needs no such note.

    A guess is beside a 0 only if its clique is too large to be listed.
    """
    for w in range(ws.game[0].cells):
        cell = ws.cell[w]
        if cell.state != OPEN or cell.number > 0 or cell.unknown == 0:
            continue
        for e in range(table.start[w], table.start[w + 1]):
            near = ws.cell[table.neighbours[e]]
            if near.state == UNKNOWN and not near.flags & EXPOSED:
                near.flags |= np.uint8(EXPOSED)
                ws.game[0].exposed += 1


@compiled
def play_on(table, ws, wm):
    """Play from after the first click to the end."""
    game = ws.game[0]
    while game.status == PLAYING:
        if wm.settings[0].singles == NEVER:
            expose_zeros(table, ws)
        else:
            apply_singles(table, ws)
        if game.status == PLAYING and not decide(table, ws, wm):
            guess(table, ws, wm)


@compiled
def play_plain(table, ws, wm):
    """Play a game of `lbp`."""
    read_options(ws, wm, False)
    play_on(table, ws, wm)


@compiled
def play_merged(table, ws, wm):
    """Play a game of `lbp_mc`."""
    read_options(ws, wm, True)
    play_on(table, ws, wm)


plain_loop = game_loop(play_plain, open_memory)
merged_loop = game_loop(play_merged, open_memory)


@entry
def play_lbp(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return plain_loop(table, ws, memory, first_game, games)


@entry
def play_lbp_mc(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return merged_loop(table, ws, memory, first_game, games)
