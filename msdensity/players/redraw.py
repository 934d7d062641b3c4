"""A layout drawn uniformly from all that agree with what is known and have one cell safe.

The numbers of mines of all components and of the floating cells are drawn jointly, then the boxes
of each component backward through its states, then their cells. The weights are those that give
the safeties (`counting.weigh_forward`), so every layout is as likely as the safeties say; which
layouts are possible is decided by states and edges, which are integers.
"""

import numpy as np

from msdensity.kernel.compiler.jit import by_board, compiled, small
from msdensity.kernel.counting import weigh_forward
from msdensity.kernel.field import count_mines, mine
from msdensity.kernel.knowledge import is_floating, list_box
from msdensity.kernel.rng import below, next_bits
from msdensity.kernel.safety import WIDE, WIDE_COMPONENT, multiply_on, set_totals
from msdensity.kernel.state import BOARD, MINED, NUMERIC, UNKNOWN

UNIT = 2.0**-53

NOTHING = np.int64(-1)


@by_board
def forget_layout(table, ws):
    """Take the mines out of the unknown cells, and forget all numbers."""
    for c in range(ws.game[0].cells):
        cell = ws.cell[c]
        cell.number = np.uint16(0)
        if cell.state == UNKNOWN:
            cell.flags &= np.uint8(~MINED & 255)


@forget_layout.in_planes
def forget_mined(board, ws):
    """Take the mines out of the unknown cells; `count_mines` writes every number anew."""
    for word in range(len(ws.mined)):
        ws.mined[word] &= ~ws.unknown[word]


@small
def share_of(stream, total):
    """Return a random number in [0, total)."""
    return np.float64(next_bits(stream) >> np.uint64(11)) * UNIT * total


@compiled
def draw(stream, weights, begin, end):
    """Return an index of weights[begin:end], in proportion to the weights; -1 if all are 0."""
    total = 0.0
    for i in range(begin, end):
        total += weights[i]
    left = share_of(stream, total)
    last = NOTHING
    for i in range(begin, end):
        if weights[i] > 0.0:
            last = np.int64(i)
            left -= weights[i]
            if left < 0.0:
                break
    return last


@compiled
def can_redraw(ws):
    """Return whether a layout can be drawn in this position, whose safeties are exact.

    That depends on sizes alone: the totals need no tilt (`safety.WIDE`), one component fits into
    the arena of weights a second time, and all products of components fit into theirs.
    """
    game = ws.game[0]
    width = np.int64(0)
    widest = np.int64(0)
    for i in range(game.live):
        component = ws.component[ws.live[i]]
        own = np.int64(component.high - component.low)
        width += own
        widest = max(widest, own)
    return (
        width <= WIDE
        and widest <= WIDE_COMPONENT
        and 2 * game.poly < len(ws.poly)
        and (game.live + 1) * (width + 1) < len(ws.prefix)
    )


@compiled
def box_of(table, ws, c):
    """Return (k, t): the component and the box of an exposed cell."""
    for i in range(ws.game[0].live):
        k = np.int64(ws.live[i])
        for t in range(ws.component[k].box, ws.component[k].box_end):
            for j in range(list_box(table, ws, k, t)):
                if ws.members[j] == c:
                    return k, np.int64(t)
    return NOTHING, NOTHING


@compiled
def redraw(table, ws, c, floats):
    """Draw the layout anew, with cell c safe; `floats`: whether c is a floating cell.

    Call it after `weigh_safety`, where `can_redraw`. The random numbers are those of the stream of
    boards, which nothing else needs after the start.
    """
    game = ws.game[0]
    t = NOTHING
    if not floats:  # one cell of its box fewer can be mined
        k, t = box_of(table, ws, c)
        ws.box[t].prior -= game.choose_row
        if not weigh_forward(ws, k):
            game.status = NUMERIC
            return
    forget_layout(table, ws)
    floating = game.unknown - game.exposed - np.int64(floats)
    mines = draw_numbers(ws, floating)
    floating_mines = game.mines_left - mines
    i = game.live - 1
    while mines >= 0 and i >= 0:
        mines = draw_component(table, ws, np.int64(ws.list[i]), mines, c)
        i -= 1
    if mines != 0:
        game.status = NUMERIC
        return
    if t >= 0:
        ws.box[t].prior += game.choose_row
    draw_floating(table, ws, floating, floating_mines, c)
    count_mines(table, ws)


@compiled
def draw_numbers(ws, floating):
    """Draw how many mines lie in all components together; return it, -1 if the sums vanish.

    ws.list has the components, each with the product of those before it (`multiply_on`). floating:
    the floating cells that may be mined; f of them are mined in C(floating, f) ways.
    """
    game = ws.game[0]
    for i in range(game.live):
        ws.list[i] = ws.live[i]
    set_totals(ws, game.live, 1.0)
    ws.prefix[0] = 1.0
    here, low, terms = multiply_on(ws, 0, game.live, np.int64(0), np.int64(0), np.int64(1), False)
    if here < 0:
        return NOTHING
    first = max(0, game.mines_left - floating - low)
    last = min(terms - 1, game.mines_left - low)
    if first > last:
        return NOTHING
    odds = ws.power[1]
    mode = game.mines_left - low - np.int64((floating + 1) * odds / (1.0 + odds))
    mode = min(max(mode, first), last)
    after = ws.after
    after[mode] = 1.0
    for g in range(mode, last):  # one more mine in the components, one less floating
        mines = game.mines_left - low - g
        after[g + 1] = after[g] * (mines / ((floating - mines + 1) * odds))
    for g in range(mode, first, -1):
        mines = game.mines_left - low - g
        after[g - 1] = after[g] * ((floating - mines) * odds / (mines + 1))
    for g in range(first, last + 1):
        after[g] *= ws.prefix[here + g]
    g = draw(ws.stream[BOARD], after, first, last + 1)
    return g + low if g >= 0 else NOTHING


@compiled
def draw_component(table, ws, k, mines, spared):
    """Draw component k, where it and those before it have so many mines; return those before it.

    -1 if the sums vanish. spared: a cell that stays safe.
    """
    component = ws.component[k]
    low = np.int64(component.low)
    rest = mines - low - component.prefix_low
    own = np.int64(component.high) - low
    first = max(0, rest - component.prefix_terms + 1)
    last = min(own, rest)
    weights = ws.after
    for j in range(first, last + 1):
        weights[j] = ws.total[component.weights + j] * ws.prefix[component.prefix + rest - j]
    j = draw(ws.stream[BOARD], weights, first, last + 1)
    if j < 0:
        return NOTHING
    left = low + j
    reached = np.int64(component.end)
    for t in range(component.box_end - 1, component.box - 1, -1):
        reached, mined = draw_box(ws, t, reached, left)
        if mined < 0:
            return NOTHING
        left -= mined
        mine_box(table, ws, k, t, mined, spared)
    return mines - low - j


@compiled
def draw_box(ws, t, reached, mines):
    """Return (node, mines in box t), drawn from all ways into a node with so many mines so far."""
    box = ws.box[t]
    total = 0.0
    left = 0.0
    node = NOTHING
    mined = NOTHING
    for look in range(2):  # the sum of the weights, then a place in it
        if look == 1:
            left = share_of(ws.stream[BOARD], total)
        for u in range(box.node, box.node_end):
            each = ws.node[u]
            if not each.live:
                continue
            for i in range(each.edges):
                if ws.edge[each.edge + i] != reached:
                    continue
                v = np.int64(each.least) + i
                before = mines - v - each.low
                if before < 0 or before >= each.terms:
                    continue
                weight = ws.choose[box.prior + v] * ws.power[v] * ws.poly[each.poly + before]
                if look == 0:
                    total += weight
                elif weight > 0.0:
                    node = np.int64(u)
                    mined = v
                    left -= weight
                    if left < 0.0:
                        return node, mined
    return node, mined


@compiled
def mine_box(table, ws, k, t, mines, spared):
    """Mine so many cells of box t of component k, all choices without `spared` equally likely."""
    count = list_box(table, ws, k, t)
    cells = np.int64(0)
    for j in range(count):
        if ws.members[j] != spared:
            ws.members[cells] = ws.members[j]
            cells += 1
    for j in range(cells):
        if mines > 0 and below(ws.stream[BOARD], cells - j) < mines:
            mine(table, ws, np.int64(ws.members[j]))
            mines -= 1


@compiled
def draw_floating(table, ws, cells, mines, spared):
    """Mine so many of the floating cells, all choices without `spared` equally likely."""
    for c in range(ws.game[0].cells):
        if mines == 0:
            return
        if is_floating(table, ws, c) and c != spared:
            if below(ws.stream[BOARD], cells) < mines:
                mine(table, ws, np.int64(c))
                mines -= 1
            cells -= 1
