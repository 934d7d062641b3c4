"""Given layouts played by the exact player, and all sets of mines that hang together."""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.field import count_mines, mine
from msdensity.kernel.knowledge import begin, open_cell
from msdensity.kernel.state import FIRST, WON, open_table, open_workspace
from msdensity.players.weighted import play_game

KNOWN, MINE = 1, 2

FAR = -1
"""A first click on the first 0 from which more than half of the board opens up."""


@compiled
def opened(table, layout, first, most, seen, stack):
    """Return how many cells a first click opens, any number above `most` if more; 0 if no 0.

    seen, stack: (cells,), seen all 0 and left so.
    """
    for i in range(len(layout)):
        seen[layout[i]] = MINE
    count = 0
    if seen[first] != MINE:
        seen[first] = KNOWN
        stack[0] = first
        count = 1
    done = 0
    while done < count <= most:
        c = stack[done]
        done += 1
        zero = True
        for e in range(table.start[c], table.start[c + 1]):
            zero = zero and seen[table.neighbours[e]] != MINE
        if not zero:
            if c == first:
                break
            continue
        for e in range(table.start[c], table.start[c + 1]):
            d = table.neighbours[e]
            if seen[d] == 0:
                seen[d] = KNOWN
                stack[count] = d
                count += 1
    for i in range(count):
        seen[stack[i]] = 0
    for i in range(len(layout)):
        seen[layout[i]] = 0
    return count if count > 1 else 0


@compiled
def first_click(table, layout, first, seen, stack):
    """Return the cell to open first, -1 if there is none. seen, stack: as in `opened`."""
    cells = np.int64(len(seen))
    if first != FAR:
        for i in range(len(layout)):
            if layout[i] == first:
                return np.int64(-1)
        return np.int64(first)
    for c in range(cells):
        if opened(table, layout, c, cells // 2, seen, stack) > cells // 2:
            return np.int64(c)
    return np.int64(-1)


@compiled
def play_layout(table, ws, layout, first, seen, stack):
    """Play the layout with the cells `layout` mined; return (won, guesses), (-1, 0): no start."""
    c = first_click(table, layout, first, seen, stack)
    if c < 0:
        return -1, 0
    begin(table, ws, len(layout))
    for i in range(len(layout)):
        mine(table, ws, np.int64(layout[i]))
    count_mines(table, ws)
    open_cell(table, ws, c, FIRST, 1.0)
    play_game(table, ws)
    return np.int64(ws.game[0].status == WON), ws.game[0].guesses


@entry
def play_layouts(table_words, ws_words, layouts, first, ends):
    """Write (won, guesses) of each layout into `ends` (layouts, 2), -1 where there is no start.

    layouts: (layouts, mines), the mined cells of each; first: the cell of the first click, or FAR.
    """
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    seen = np.zeros(ws.game[0].cells, np.uint8)
    stack = np.empty(ws.game[0].cells, np.int32)
    for r in range(len(layouts)):
        ends[r, 0], ends[r, 1] = play_layout(table, ws, layouts[r], first, seen, stack)


@entry
def play_all(table_words, ws_words, free, mines, first):
    """Play all layouts with so many mines on the cells `free`, from the first click `first`.

    mines: at least 1, at most len(free). Returns (layouts, won, won without a guess); layouts
    without a start are left out.
    """
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    seen = np.zeros(ws.game[0].cells, np.uint8)
    stack = np.empty(ws.game[0].cells, np.int32)
    chosen = np.arange(mines)
    layout = np.empty(mines, np.int32)
    played = 0
    wins = 0
    certain = 0
    while True:
        for i in range(mines):
            layout[i] = free[chosen[i]]
        won, guesses = play_layout(table, ws, layout, first, seen, stack)
        if won >= 0:
            played += 1
            wins += won
            certain += won and guesses == 0
        i = mines - 1  # the next choice, the last place first
        while i >= 0 and chosen[i] == len(free) - mines + i:
            i -= 1
        if i < 0:
            return played, wins, certain
        chosen[i] += 1
        for j in range(i + 1, mines):
            chosen[j] = chosen[j - 1] + 1


@entry
def play_clusters(table_words, ws_words, near_start, near, root, mines, first, within, found):
    """Play all sets of mines that hang together and whose lowest cell is `root`.

    Cells hang together if one is in the other's list near[near_start[c] : near_start[c + 1]];
    Redelmeier's algorithm names each set once. Those that are not won without a guess are written
    into `found` (rows, mines + 2): the cells, whether it is won, guesses. With within > 0 nothing
    is played, and those are written whose first click shows 0 and opens at most as many cells.

    Returns (sets, sets to write); the latter may exceed the rows.
    """
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    cells = len(near_start) - 1
    marked = np.zeros(cells, np.uint8)
    seen = np.zeros(cells, np.uint8)
    stack = np.empty(cells, np.int32)
    untried = np.empty(cells, np.int32)
    begins = np.zeros(mines + 1, np.int64)
    ends = np.zeros(mines + 1, np.int64)
    layout = np.empty(mines, np.int32)
    untried[0] = root
    marked[root] = 1
    ends[0] = 1
    depth = 0
    sets = 0
    kept = 0
    while depth >= 0:
        if begins[depth] == ends[depth]:
            added = ends[depth - 1] if depth > 0 else 0
            for i in range(added, ends[depth]):
                marked[untried[i]] = 0
            depth -= 1
            continue
        c = untried[begins[depth]]
        begins[depth] += 1
        layout[depth] = c
        if depth + 1 < mines:
            end = ends[depth]
            for e in range(near_start[c], near_start[c + 1]):
                d = near[e]
                if d > root and not marked[d]:
                    marked[d] = 1
                    untried[end] = d
                    end += 1
            begins[depth + 1] = begins[depth]
            ends[depth + 1] = end
            depth += 1
            continue
        sets += 1
        won, guesses = 0, 0
        if within > 0:
            keep = 0 < opened(table, layout, first, within, seen, stack) <= within
        else:
            won, guesses = play_layout(table, ws, layout, first, seen, stack)
            keep = won != 1 or guesses > 0
        if keep:
            if kept < len(found):
                for i in range(mines):
                    found[kept, i] = layout[i]
                found[kept, mines] = won
                found[kept, mines + 1] = guesses
            kept += 1
    return sets, kept
