"""Local knowledge bases and their exploration (002, section 3)."""

import numpy as np

from msdensity.kernel.compiler.bits import lowest
from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.state import EXPOSED, OPEN, UNKNOWN
from msdensity.players.resolution.clauses import (
    NOBODY,
    ONE,
    add_clause,
    add_count,
    add_number,
    forget_clauses,
    saturate,
)
from msdensity.players.resolution.memory import MAX_CELLS, MAX_CLAUSES, MAX_NUMBERS, SILENT
from msdensity.players.resolution.units import (
    BOTH,
    ON,
    decide,
    knows_total,
    show_arrangements,
)

WIDTHS = (3, 2, 4, 64, 1)

NO_CLAUSES = 4
"""Index of the option `width` with which nothing is resolved."""

RADII = (4, 2)
"""Steps from a place to the numbers of its knowledge base, by the option `neighbourhood`."""

NEAR = 2

GROWING = 2

FIVE = 5
"""Forward chaining starts at every fifth row and column."""

CHAINING_LIMIT = np.int64(300)

REFUTATION_LIMIT = np.int64(600)

NO_LIMIT = np.int64(MAX_CLAUSES)


@compiled
def list_places(table, ws, wm):
    """List the cells that are 5 steps or more apart, the first ones on the board first.

    On a board with 8 neighbours a cell these are the cells whose coordinates are multiples of 5.
    """
    counters = wm.counters[0]
    for c in range(ws.game[0].cells):
        wm.variable[c] = -1
    for c in range(ws.game[0].cells):
        if wm.variable[c] < 0:
            wm.place[counters.places] = c
            counters.places += 1
            start_walk(ws, wm, c)
            for _ in range(FIVE - 1):
                step_walk(table, ws, wm)
            for i in range(counters.tail):
                wm.variable[wm.queue[i]] = 0


@compiled
def start_walk(ws, wm, place):
    """Begin a knowledge base around a cell, with no step taken."""
    counters = wm.counters[0]
    counters.walk += 1
    counters.head = 0
    counters.tail = 1
    counters.cells = 0
    counters.numbers = 0
    wm.queue[0] = place
    wm.walk[place] = counters.walk


@compiled
def step_walk(table, ws, wm):
    """Add the cells one step further; return whether there are any."""
    counters = wm.counters[0]
    end = counters.tail
    tail = end
    for i in range(counters.head, end):
        x = wm.queue[i]
        for e in range(table.start[x], table.start[x + 1]):
            y = table.neighbours[e]
            if wm.walk[y] != counters.walk:
                wm.walk[y] = counters.walk
                wm.queue[tail] = y
                tail += 1
    counters.head = end
    counters.tail = tail
    return tail > end


@compiled
def take_number(table, ws, wm, w):
    """Add an opened cell to the knowledge base, if it and its unknown cells have room."""
    counters = wm.counters[0]
    if counters.numbers == MAX_NUMBERS:
        return
    fresh = 0
    for e in range(table.start[w], table.start[w + 1]):
        c = table.neighbours[e]
        fresh += ws.cell[c].state == UNKNOWN and wm.named[c] != counters.walk
    if counters.cells + fresh > MAX_CELLS:
        return
    for e in range(table.start[w], table.start[w + 1]):
        c = table.neighbours[e]
        if ws.cell[c].state == UNKNOWN and wm.named[c] != counters.walk:
            wm.named[c] = counters.walk
            wm.variable[c] = np.int32(counters.cells)
            wm.cell[counters.cells] = c
            counters.cells += 1
    i = counters.numbers
    while i > 0 and wm.number[i - 1] > w:
        wm.number[i] = wm.number[i - 1]
        i -= 1
    wm.number[i] = np.int32(w)
    counters.numbers += 1


@compiled
def take_numbers(table, ws, wm, first):
    """Add the numbers among the cells that the walk reached, from the first-th on."""
    for i in range(first, wm.counters[0].tail):
        w = np.int64(wm.queue[i])
        if ws.cell[w].state == OPEN and ws.cell[w].unknown > 0:
            take_number(table, ws, wm, w)


@compiled
def walk_around(table, ws, wm, place, radius):
    """Read the knowledge base of all numbers within `radius` steps of a cell."""
    start_walk(ws, wm, place)
    for _ in range(radius):
        step_walk(table, ws, wm)
    take_numbers(table, ws, wm, 0)


@compiled
def name_of_base(table, ws, wm, seed):
    """Return a number, never 0, that names the knowledge base and what is done with it."""
    name = seed + ONE
    for k in range(wm.counters[0].numbers):
        w = np.int64(wm.number[k])
        name = (name ^ (w << 8 | np.int64(ws.cell[w].remaining))) * np.int64(0x1E3779B97F4A7C15)
        name ^= (name >> 29) & np.int64((1 << 35) - 1)
        for e in range(table.start[w], table.start[w + 1]):
            c = np.int64(table.neighbours[e])
            if ws.cell[c].state == UNKNOWN:
                name = (name ^ c) * np.int64(0x3F58476D1CE4E5B9)
                name ^= (name >> 31) & np.int64((1 << 33) - 1)
    return name | ONE


@compiled
def options_seed(ws):
    """Return a number that names the options that decide what follows from a knowledge base."""
    return (ws.option[0] * 4 + ws.option[1]) * 4 + ws.option[2]


@compiled
def clause_limit(ws):
    """Return how many clauses end forward chaining, by the options."""
    if WIDTHS[ws.option[0]] < MAX_CELLS and ws.option[1] != GROWING and ws.option[2] == ON:
        return NO_LIMIT
    return CHAINING_LIMIT


@compiled
def add_numbers(table, ws, wm, limit):
    """Write the clauses of the knowledge base; return False if they exceed the limit.

    A number with too many clauses is left out, but the area of 002 is then given up.
    """
    forget_clauses(wm)
    for k in range(wm.counters[0].numbers):
        w = np.int64(wm.number[k])
        fits = add_number(table, ws, wm, w, limit, ws.option[2] == ON)
        if not fits and ws.option[1] == GROWING:
            return False
    return True


@compiled
def take_units(wm):
    """Decide the cell of every clause with one literal; return whether there are any."""
    any_unit = False
    for i in range(wm.counters[0].clauses):
        literals = wm.pos[i] | wm.neg[i]
        if literals & (literals - ONE) == 0 and not wm.dead[i]:
            decide(wm, wm.cell[lowest(literals)], wm.pos[i] != 0)
            any_unit = True
    return any_unit


@compiled
def is_hopeless(ws, wm):
    """Return whether arrangements show that no cell of the knowledge base is certain."""
    hopeless = ws.option[6] == ON
    for i in range(wm.counters[0].cells):
        hopeless &= wm.shown[wm.cell[i]] == BOTH
    return hopeless


@compiled
def chain_base(table, ws, wm, limit):
    """Chain forward in the knowledge base that was read; return (found any, may grow)."""
    if is_hopeless(ws, wm):
        return False, True
    name = name_of_base(table, ws, wm, options_seed(ws))
    slot = (name >> 20) & np.int64(SILENT - 1)
    if wm.silent[slot] == name:
        return False, True
    if not add_numbers(table, ws, wm, limit):
        return False, False
    saturate(wm, WIDTHS[ws.option[0]], limit, ws.option[2] == ON)
    found = take_units(wm)
    if wm.counters[0].alive > limit:
        return found, False
    if not found:
        wm.silent[slot] = name
    return found, True


@compiled
def chain_growing(table, ws, wm, place):
    """Chain forward around a place, one step further each time that all is resolved."""
    counters = wm.counters[0]
    start_walk(ws, wm, place)
    take_numbers(table, ws, wm, 0)
    numbers = np.int64(0)
    found = False
    more = True
    while more and step_walk(table, ws, wm):
        take_numbers(table, ws, wm, counters.head)
        if counters.numbers > numbers:
            numbers = counters.numbers
            here, more = chain_base(table, ws, wm, clause_limit(ws))
            found |= here
    return found


@compiled
def is_refuted(table, ws, wm, c, mined):
    """Return whether the knowledge base and this state of cell c contradict each other."""
    if not add_numbers(table, ws, wm, REFUTATION_LIMIT):
        return False
    literal = ONE << np.int64(wm.variable[c])
    if mined:
        add_clause(wm, literal, NOBODY, ws.option[2] == ON)
    else:
        add_clause(wm, NOBODY, literal, ws.option[2] == ON)
    return saturate(wm, WIDTHS[ws.option[0]], REFUTATION_LIMIT, ws.option[2] == ON)


@compiled
def refute_base(table, ws, wm, c):
    """Try both states of cell c (Algorithm 3); return (decided it, may grow)."""
    if wm.named[c] != wm.counters[0].walk:
        return False, True
    for mined in range(2):
        if is_refuted(table, ws, wm, c, mined):
            decide(wm, c, 1 - mined)
            return True, False
    return False, wm.counters[0].alive <= REFUTATION_LIMIT


@compiled
def refute(table, ws, wm, c):
    """Look for a contradiction around exposed cell c; return whether it was decided."""
    counters = wm.counters[0]
    if ws.option[1] != GROWING:
        walk_around(table, ws, wm, c, RADII[ws.option[1]])
        return refute_base(table, ws, wm, c)[0]
    start_walk(ws, wm, c)
    numbers = np.int64(0)
    while step_walk(table, ws, wm):
        take_numbers(table, ws, wm, counters.head)
        if counters.numbers == numbers:
            continue
        numbers = counters.numbers
        found, more = refute_base(table, ws, wm, c)
        if found or not more:
            return found
    return False


@compiled
def chain_everywhere(table, ws, wm, radius, at_once):
    """Chain forward around each place; stop at the first that decides a cell if `at_once`."""
    counters = wm.counters[0]
    if ws.option[1] == GROWING:
        if counters.places == 0:
            list_places(table, ws, wm)
        for i in range(counters.places):
            if chain_growing(table, ws, wm, np.int64(wm.place[i])) and at_once:
                return
        return
    for w in range(ws.game[0].cells):
        if ws.cell[w].state == OPEN and ws.cell[w].unknown > 0:
            walk_around(table, ws, wm, w, radius)
            if chain_base(table, ws, wm, clause_limit(ws))[0] and at_once:
                return


@compiled
def chain_total(table, ws, wm):
    """Chain forward in the knowledge base of all numbers and the mines left."""
    counters = wm.counters[0]
    start_walk(ws, wm, np.int64(0))
    for w in range(ws.game[0].cells):
        if ws.cell[w].state == OPEN and ws.cell[w].unknown > 0:
            take_number(table, ws, wm, np.int64(w))
    cells = np.empty(MAX_CELLS, np.int64)
    n = np.int64(0)
    for c in range(ws.game[0].cells):
        if ws.cell[c].state == UNKNOWN:
            if wm.named[c] != counters.walk:  # a floating cell
                wm.variable[c] = np.int32(counters.cells)
                wm.cell[counters.cells] = np.int32(c)
                counters.cells += 1
            cells[n] = wm.variable[c]
            n += 1
    limit = clause_limit(ws)
    subsumption = ws.option[2] == ON
    fits = add_numbers(table, ws, wm, limit)
    if fits and add_count(wm, cells, n, ws.game[0].mines_left, limit, subsumption):
        saturate(wm, WIDTHS[ws.option[0]], limit, subsumption)
        take_units(wm)


@compiled
def search(table, ws, wm, at_once):
    """List in `decided` the cells that resolution decides; the position stays as it is.

    at_once: stop at the first place that decides a cell. Otherwise all places are searched.
    """
    counters = wm.counters[0]
    if ws.option[0] == NO_CLAUSES:
        return
    if ws.option[6] == ON and not show_arrangements(table, ws, wm):
        if knows_total(ws):
            chain_total(table, ws, wm)
        return
    if ws.option[1] != GROWING and at_once and RADII[ws.option[1]] > NEAR:
        chain_everywhere(table, ws, wm, NEAR, at_once)
        if counters.decided > 0:
            return
    chain_everywhere(table, ws, wm, RADII[ws.option[1] % GROWING], at_once)
    if ws.option[3] == ON and not (at_once and counters.decided > 0):
        for c in range(ws.game[0].cells):
            exposed = ws.cell[c].state == UNKNOWN and ws.cell[c].flags & EXPOSED
            if exposed and wm.verdict[c] < 0 and refute(table, ws, wm, np.int64(c)) and at_once:
                return
    if knows_total(ws) and not (at_once and counters.decided > 0):
        chain_total(table, ws, wm)
