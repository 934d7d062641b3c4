"""Players that look at one opened cell at a time (000, chapter 5; 004, section 2.1).

An opened cell with effective label e (its number minus its marked neighbours; formula 2.1 of 000)
and u unknown neighbours decides them in two cases: e = 0, all are free (AFN); e = u, all are mined
(AMN). The players differ in when they look at a cell again, and in how they guess.

`cellular_automaton` (000, section 5.1; Adamatzky 1997). All cells change at once, step by step,
    until nothing changes. It cannot guess: a game ends solved or stuck. `rule`: "one" marks only if
    e = u = 1, as Adamatzky's transition function, "general" if e = u. (|Uncovered| in the text must
    mean the covered neighbours; otherwise the rule would mark only opened cells.)
`naive_single_point` (000, Algorithm 5.1). `again` says which cells are looked at again:
    "second_order" (the default, as the thesis measured PGMS): after a deduction at x all opened
    cells within two steps of x; S holds opened cells, and both cases apply at once. After a guess
    only the guessed cell is looked at, so it may miss what is certain elsewhere.
    "none": Algorithm 5.1 as printed. S holds safe cells; each is opened and looked at once.
    "neighbours": Pedersen's variant. S is a queue of moves, marks first; after a move at x, it
    looks at x and all its opened neighbours. (The text names only the neighbours; without x a first
    0 would decide nothing.)
    S is last in, first out, as in PGMS. Only "none" depends on it.
    `drawn` says where a guess is drawn from: "covered" (the default: "a covered square at random"),
    or "any": from all cells, as PGMS does; if an opened cell is drawn, it is looked at again to no
    effect, and the next is drawn.
`double_set` (000, Algorithm 5.2). Safe cells S and questionable cells Q. `guessing`: "random" (a
    covered cell at random) or "improved" (section 5.3.2: a random corner, else edge, else an inner
    cell beside an opened one, else any inner cell). A corner is a cell with the fewest neighbours
    on the board, an inner one has the most, an edge cell neither.
`single_point` (004, section 2.1). The whole board is examined until neither rule matches, then a
    cell is probed at random.

The first move is the first click of the rules. The safety of a guess is 1 - mines left / covered.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.knowledge import mark_mine, open_cell
from msdensity.kernel.play import game_loop
from msdensity.kernel.rng import below
from msdensity.kernel.state import (
    EXPOSED,
    FLOATING_GUESS,
    GUESS,
    MARKED,
    OPEN,
    PLAYER,
    PLAYING,
    SINGLE,
    UNKNOWN,
)

ONE, GENERAL = 0, 1

SECOND_ORDER, NOTHING, NEIGHBOURS = 0, 1, 2

COVERED, ANY = 0, 1

RANDOM, IMPROVED = 0, 1

OUT, IN = np.int32(0), np.int32(1)
"""What link.stamp says of a cell: whether it waits in the set S. New games begin with OUT."""


@compiled
def open_guess(table, ws, c):
    """Open cell c as a guess."""
    game = ws.game[0]
    reason = GUESS if ws.cell[c].flags & EXPOSED else FLOATING_GUESS
    game.guesses += 1
    return open_cell(table, ws, c, reason, 1.0 - game.mines_left / game.unknown)


@compiled
def random_cell(ws):
    """Return one of the covered, unmarked cells, all equally likely."""
    pick = below(ws.stream[PLAYER], ws.game[0].unknown)
    for c in range(ws.game[0].cells):
        if ws.cell[c].state == UNKNOWN:
            if pick == 0:
                return np.int64(c)
            pick -= 1
    return np.int64(-1)


@compiled
def place_class(table, c):
    """Return 0 for a corner, 1 for an edge, 2 for an inner cell, by number of neighbours."""
    first = np.int64(table.by_degree[0])
    last = np.int64(table.by_degree[len(table.by_degree) - 1])
    degree = table.start[c + 1] - table.start[c]
    if degree == table.start[last + 1] - table.start[last]:
        return 2
    return 0 if degree == table.start[first + 1] - table.start[first] else 1


@compiled
def placed_cell(table, ws):
    """Return a random corner, else edge, else inner cell beside an opened one, else inner cell."""
    best = 4
    tied = 0
    for c in range(ws.game[0].cells):
        if ws.cell[c].state == UNKNOWN:
            place = place_class(table, c)
            if place == 2 and not ws.cell[c].flags & EXPOSED:
                place = 3
            if place < best:
                best = place
                tied = 0
            tied += place == best
    pick = below(ws.stream[PLAYER], tied)
    for c in range(ws.game[0].cells):
        if ws.cell[c].state == UNKNOWN:
            place = place_class(table, c)
            if place == 2 and not ws.cell[c].flags & EXPOSED:
                place = 3
            if place == best:
                if pick == 0:
                    return np.int64(c)
                pick -= 1
    return np.int64(-1)


@compiled
def open_around(table, ws, x):
    """Open all unknown neighbours of x, which are free; return False if the game has ended."""
    for e in range(table.start[x], table.start[x + 1]):
        y = table.neighbours[e]
        if ws.cell[y].state == UNKNOWN:
            open_cell(table, ws, y, SINGLE, 1.0)
            if ws.game[0].status != PLAYING:
                return False
    return True


@compiled
def mark_around(table, ws, x):
    """Mark all unknown neighbours of x."""
    for e in range(table.start[x], table.start[x + 1]):
        y = table.neighbours[e]
        if ws.cell[y].state == UNKNOWN:
            mark_mine(table, ws, y, SINGLE)


@compiled
def automaton(table, ws):
    """Step all cells at once until the configuration is stationary (000, section 5.1)."""
    game = ws.game[0]
    rule = ws.option[0]
    changed = True
    while changed and game.status == PLAYING:
        free = 0
        mined = 0
        for y in range(game.cells):
            cell = ws.cell[y]
            if cell.state != OPEN or cell.unknown == 0:
                continue
            if cell.remaining == 0:
                ws.pairs[free] = y
                free += 1
            elif cell.remaining == cell.unknown and (rule == GENERAL or cell.unknown == 1):
                ws.seeds[mined] = y
                mined += 1
        changed = free + mined > 0
        for i in range(mined):
            mark_around(table, ws, ws.seeds[i])
        for i in range(free):
            if not open_around(table, ws, ws.pairs[i]):
                return


@compiled
def settle_once(table, ws, x):
    """Process the safe cells S, starting with x, each once (000, Algorithm 5.1)."""
    game = ws.game[0]
    waiting = ws.pairs
    waiting[0] = x
    ws.link[x].stamp = IN
    height = 1
    while height > 0:
        height -= 1
        x = waiting[height]
        ws.link[x].stamp = OUT
        cell = ws.cell[x]
        if cell.state == UNKNOWN:
            open_cell(table, ws, x, SINGLE, 1.0)
            if game.status != PLAYING:
                return
        if cell.remaining == 0:
            for e in range(table.start[x], table.start[x + 1]):
                y = table.neighbours[e]
                if ws.cell[y].state == UNKNOWN and ws.link[y].stamp == OUT:
                    ws.link[y].stamp = IN
                    waiting[height] = y
                    height += 1
        elif cell.remaining == cell.unknown:
            mark_around(table, ws, x)


@compiled
def settle_second_order(table, ws, x):
    """Process the opened cells S, starting with x; a deduction adds all within two steps of it."""
    waiting = ws.pairs
    waiting[0] = x
    ws.link[x].stamp = IN
    height = 1
    while height > 0:
        height -= 1
        x = waiting[height]
        ws.link[x].stamp = OUT
        cell = ws.cell[x]
        if cell.unknown == 0:
            continue
        if cell.remaining == 0:
            if not open_around(table, ws, x):
                return
        elif cell.remaining == cell.unknown:
            mark_around(table, ws, x)
        else:
            continue
        for e in range(table.start[x], table.start[x + 1]):
            y = table.neighbours[e]
            for f in range(table.start[y], table.start[y + 1]):
                z = table.neighbours[f]
                if ws.cell[z].state == OPEN and ws.link[z].stamp == OUT:
                    ws.link[z].stamp = IN
                    waiting[height] = z
                    height += 1


@compiled
def queue_moves(table, ws, y, marks, probes):
    """Queue the moves that an opened cell allows; return the heights of both stacks."""
    cell = ws.cell[y]
    if cell.state == OPEN and cell.unknown > 0:
        mined = cell.remaining == cell.unknown
        if cell.remaining == 0 or mined:
            for e in range(table.start[y], table.start[y + 1]):
                z = table.neighbours[e]
                if ws.cell[z].state == UNKNOWN and ws.link[z].stamp == OUT:
                    ws.link[z].stamp = IN
                    if mined:
                        ws.seeds[marks] = z
                        marks += 1
                    else:
                        ws.pairs[probes] = z
                        probes += 1
    return marks, probes


@compiled
def settle_moves(table, ws, x):
    """Make the queued moves, marks first; after each look at its cell and the cells around it."""
    game = ws.game[0]
    marks, probes = queue_moves(table, ws, x, 0, 0)
    while True:
        for e in range(table.start[x], table.start[x + 1]):
            marks, probes = queue_moves(table, ws, table.neighbours[e], marks, probes)
        if marks > 0:
            marks -= 1
            x = ws.seeds[marks]
            mark_mine(table, ws, x, SINGLE)
        elif probes > 0:
            probes -= 1
            x = ws.pairs[probes]
            if not open_cell(table, ws, x, SINGLE, 1.0) or game.status != PLAYING:
                return
            marks, probes = queue_moves(table, ws, x, marks, probes)
        else:
            return


@compiled
def naive(table, ws):
    """Make all certain moves after the first click, then guess and repeat until the game ends."""
    game = ws.game[0]
    again = ws.option[0]
    drawn = ws.option[1]
    x = game.cell
    while game.status == PLAYING:
        if again == NOTHING:
            settle_once(table, ws, x)
        elif again == SECOND_ORDER:
            settle_second_order(table, ws, x)
        else:
            settle_moves(table, ws, x)
        if game.status != PLAYING:
            return
        if drawn == COVERED:
            x = random_cell(ws)
        else:
            x = below(ws.stream[PLAYER], game.cells)
            while ws.cell[x].state == MARKED:
                x = below(ws.stream[PLAYER], game.cells)
        if ws.cell[x].state == UNKNOWN:
            open_guess(table, ws, x)


@compiled
def double_set(table, ws):
    """Alternate between probing S, marking from Q and probing from Q (000, Algorithm 5.2)."""
    game = ws.game[0]
    safe = ws.pairs
    questionable = ws.frontier
    safe[0] = np.int32(game.cell)
    height = 1
    waiting = 0
    while game.status == PLAYING:
        if height == 0:
            x = placed_cell(table, ws) if ws.option[0] == IMPROVED else random_cell(ws)
            if not open_guess(table, ws, x) or game.status != PLAYING:
                return
            safe[0] = np.int32(x)
            height = 1
        while height > 0:
            height -= 1
            x = np.int64(safe[height])
            if ws.cell[x].state == UNKNOWN:
                open_cell(table, ws, x, SINGLE, 1.0)
                if game.status != PLAYING:
                    return
            if ws.cell[x].remaining == 0:
                height = add_unmarked(table, ws, x, height)
            else:
                questionable[waiting] = np.int32(x)
                waiting += 1
        count = 0
        for i in range(waiting):
            q = questionable[i]
            if ws.cell[q].remaining == ws.cell[q].unknown:
                mark_around(table, ws, q)
            else:
                questionable[count] = np.int32(q)
                count += 1
        waiting = count
        count = 0
        for i in range(waiting):
            q = questionable[i]
            if ws.cell[q].remaining == 0:
                height = add_unmarked(table, ws, q, height)
            else:
                questionable[count] = np.int32(q)
                count += 1
        waiting = count


@compiled
def add_unmarked(table, ws, x, height):
    """Add the unmarked neighbours of x to S, each once; return the height of S."""
    for e in range(table.start[x], table.start[x + 1]):
        y = table.neighbours[e]
        if ws.cell[y].state == UNKNOWN and ws.link[y].stamp == OUT:
            ws.link[y].stamp = IN
            ws.pairs[height] = y
            height += 1
    return height


@compiled
def scan(table, ws):
    """Examine all cells for both rules; if neither applies anywhere, probe at random."""
    game = ws.game[0]
    while game.status == PLAYING:
        matched = False
        for y in range(game.cells):
            cell = ws.cell[y]
            if cell.state != OPEN or cell.unknown == 0:
                continue
            if cell.remaining == 0:
                matched = True
                if not open_around(table, ws, y):
                    return
            elif cell.remaining == cell.unknown:
                matched = True
                mark_around(table, ws, y)
        if not matched:
            open_guess(table, ws, random_cell(ws))


automaton_loop = game_loop(automaton)
naive_loop = game_loop(naive)
double_set_loop = game_loop(double_set)
scan_loop = game_loop(scan)


@entry
def play_automaton(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return automaton_loop(table, ws, memory, first_game, games)


@entry
def play_naive(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return naive_loop(table, ws, memory, first_game, games)


@entry
def play_double_set(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return double_set_loop(table, ws, memory, first_game, games)


@entry
def play_scan(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return scan_loop(table, ws, memory, first_game, games)
