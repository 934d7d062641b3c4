"""All solutions of a coupled subset, by backtracking (000, section 6.2; Studholme 2000).

The next variable is one with a single value left, else one in the most constraints (minimum
remaining values, ties by degree, then by number). After each assignment, forward checking looks
whether the other variables of each of its constraints can still meet it. After a contradiction, the
last variable that has another value takes it (chronological backtracking).

A subset that needs more assignments than a limit (WORK_LIMIT) is counted by elimination instead,
which gives the same numbers of solutions without a list of them.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.counting import set_odds, weigh_backward, weigh_forward
from msdensity.kernel.state import OPEN, UNKNOWN
from msdensity.kernel.states import count_component
from msdensity.players.constraints.memory import MAX_SEARCHED
from msdensity.players.constraints.reduce import (
    has_bit,
    read_component,
    reduce_constraints,
    split_constraints,
)


@compiled
def add_subset(wm, number):
    """Start the record of coupled subset `number` of the component read; return its index.

    Its cells are the next members; `order` then holds its variables.
    """
    counters = wm.counters[0]
    s = counters.subsets
    counters.subsets += 1
    subset = wm.subset[s]
    subset.first = np.int32(counters.members)
    subset.size = np.int32(0)
    subset.constraints = np.int32(0)
    subset.component = np.int32(-1)
    subset.known = np.int32(0)
    for i in range(counters.items):
        subset.constraints += np.int32(wm.item[i].size > 0 and wm.item[i].subset == number)
    for v in range(counters.variables):
        for i in range(counters.items):
            item = wm.item[i]
            if item.size > 0 and item.subset == number and has_bit(wm, i, v):
                wm.order[subset.size] = v
                wm.member[counters.members] = wm.cell[v]
                counters.members += 1
                subset.size += np.int32(1)
                break
    return s


@compiled
def list_links(wm, number, size):
    """List the variables (indices of `order`) of each constraint of the subset, and the reverse.

    Returns the number of constraints. `trail` is not in use yet and holds counts.
    """
    counters = wm.counters[0]
    count = 0
    at = 0
    for i in range(counters.items):
        item = wm.item[i]
        if item.size > 0 and item.subset == number:
            wm.item_first[count] = at
            wm.need[count] = item.sum
            wm.left[count] = item.size
            for v in range(size):
                if has_bit(wm, i, np.int64(wm.order[v])):
                    wm.item_variable[at] = v
                    at += 1
            count += 1
    wm.item_first[count] = at
    at = 0
    for v in range(size):
        wm.variable_first[v] = at
        for k in range(count):
            for e in range(wm.item_first[k], wm.item_first[k + 1]):
                if wm.item_variable[e] == v:
                    wm.variable_item[at] = k
                    at += 1
    wm.variable_first[size] = at
    return count


@compiled
def by_degree(wm, size):
    """Write the variables into `order`, those in most constraints first (stable)."""
    for i in range(size):
        wm.order[i] = i
    for i in range(1, size):
        v = np.int64(wm.order[i])
        degree = wm.variable_first[v + 1] - wm.variable_first[v]
        j = i
        while j > 0:
            u = np.int64(wm.order[j - 1])
            if wm.variable_first[u + 1] - wm.variable_first[u] >= degree:
                break
            wm.order[j] = u
            j -= 1
        wm.order[j] = v


@compiled
def assign(wm, v, value):
    """Give variable v a value; return whether all its constraints can still be met."""
    wm.value[v] = value
    fits = True
    for e in range(wm.variable_first[v], wm.variable_first[v + 1]):
        k = wm.variable_item[e]
        need = wm.need[k] - value
        left = wm.left[k] - 1
        wm.need[k] = need
        wm.left[k] = left
        fits &= (need >= 0) & (need <= left)
    return fits


@compiled
def take_back(wm, v):
    """Undo the assignment of variable v."""
    value = np.int64(wm.value[v])
    for e in range(wm.variable_first[v], wm.variable_first[v + 1]):
        k = wm.variable_item[e]
        wm.need[k] = wm.need[k] + value
        wm.left[k] = wm.left[k] + 1
    wm.value[v] = -1


@compiled
def next_variable(wm, size, constraints):
    """Return (variable, value, branch): one with a single value left, else by degree; -1 if none.

    branch: whether the other value must be tried too.
    """
    for k in range(constraints):
        left = wm.left[k]
        need = wm.need[k]
        if left > 0 and (need in (0, left)):
            for e in range(wm.item_first[k], wm.item_first[k + 1]):
                v = np.int64(wm.item_variable[e])
                if wm.value[v] < 0:
                    return v, np.int64(need != 0), False
    for i in range(size):
        v = np.int64(wm.order[i])
        if wm.value[v] < 0:
            return v, np.int64(0), True
    return np.int64(-1), np.int64(0), False


@compiled
def search_subset(wm, s, number, limit):
    """Count the solutions of a subset by number of mines; False if it takes more than `limit`."""
    counters = wm.counters[0]
    subset = wm.subset[s]
    size = np.int64(subset.size)
    if size > MAX_SEARCHED:
        return False
    constraints = list_links(wm, number, size)
    by_degree(wm, size)
    row = size + 1
    subset.ways = np.int32(counters.ways)
    subset.cell_ways = np.int32(counters.cell_ways)
    ways = counters.ways
    cell_ways = counters.cell_ways
    for m in range(row):
        wm.ways[ways + m] = 0.0
    for i in range(size * row):
        wm.cell_ways[cell_ways + i] = 0.0
    for v in range(size):
        wm.value[v] = -1
    depth = 0
    mines = 0
    work = 0
    low = size
    high = np.int64(-1)
    while True:
        v, value, branch = next_variable(wm, size, constraints)
        if v >= 0:
            wm.trail[depth] = v
            wm.branch[depth] = branch
            depth += 1
            mines += value
            work += 1
            if work > limit:
                return False
            if assign(wm, v, value):
                continue
        else:
            low = min(low, mines)
            high = max(high, mines)
            wm.ways[ways + mines] = wm.ways[ways + mines] + 1.0
            for i in range(size):
                if wm.value[i] == 1:
                    at = cell_ways + i * row + mines
                    wm.cell_ways[at] = wm.cell_ways[at] + 1.0
        while depth > 0:
            v = np.int64(wm.trail[depth - 1])
            mines -= np.int64(wm.value[v])
            take_back(wm, v)
            if wm.branch[depth - 1]:
                wm.branch[depth - 1] = 0
                mines += 1
                work += 1
                if assign(wm, v, 1):
                    break
                continue
            depth -= 1
        if depth == 0:
            break
    subset.low = np.int32(low)
    subset.high = np.int32(high)
    subset.known = np.int32(1)
    counters.ways += row
    counters.cell_ways += size * row
    return True


@compiled
def eliminate_component(table, ws, wm, seed):
    """Count the solutions of the whole component around an opened cell by elimination."""
    counters = wm.counters[0]
    s = counters.subsets
    counters.subsets += 1
    subset = wm.subset[s]
    subset.first = np.int32(counters.members)
    subset.size = np.int32(counters.variables)
    subset.constraints = np.int32(counters.witnesses)
    subset.known = np.int32(0)
    for v in range(counters.variables):
        wm.member[counters.members] = wm.cell[v]
        counters.members += 1
    k = count_component(table, ws, seed)
    component = ws.component[k]
    subset.component = np.int32(k)
    subset.epoch = component.epoch
    if component.over or component.end < 0:
        return
    set_odds(ws, 1.0)
    if weigh_forward(ws, k):
        subset.low = component.low
        subset.high = component.high
        subset.known = np.int32(1)


@compiled
def solve_position(table, ws, wm, largest, limit):
    """Find the solutions of every coupled subset of the position, by search up to `limit`.

    Subsets of more than `largest` variables, and those that cannot be counted, stay unknown.
    """
    game = ws.game[0]
    counters = wm.counters[0]
    counters.subsets = 0
    counters.members = 0
    counters.ways = 0
    counters.cell_ways = 0
    game.poly = 0
    game.stamp += 1
    stamp = np.int32(game.stamp)
    for w in range(game.cells):
        # counting by elimination leaves a later stamp on the components it walks
        if ws.cell[w].state != OPEN or ws.cell[w].unknown == 0 or ws.link[w].stamp >= stamp:
            continue
        subsets, members, ways, cell_ways = (
            counters.subsets,
            counters.members,
            counters.ways,
            counters.cell_ways,
        )
        eliminate = not read_component(table, ws, wm, w, stamp)
        if not eliminate:
            reduce_constraints(wm)
            for number in range(split_constraints(wm)):
                s = add_subset(wm, number)
                if wm.subset[s].size > largest:
                    continue
                if not search_subset(wm, s, number, limit):
                    eliminate = True
                    break
        if eliminate:
            counters.subsets = subsets
            counters.members = members
            counters.ways = ways
            counters.cell_ways = cell_ways
            eliminate_component(table, ws, wm, w)


@compiled
def keep_solutions(wm, s, low, high):
    """Drop the solutions of a subset with fewer than `low` or more than `high` mines."""
    subset = wm.subset[s]
    subset.low = np.int32(max(np.int64(subset.low), low))
    subset.high = np.int32(min(np.int64(subset.high), high))


@compiled
def weigh_beliefs(table, ws, wm, s):
    """Set `belief` of the subset's cells to the share of solutions in which each is free.

    Returns the mean number of mines of the solutions. All solutions have the same weight. Cells of
    a subset that is not known get 1 - max c/|S| over their opened neighbours (004, section 2.2).
    """
    subset = wm.subset[s]
    first = np.int64(subset.first)
    size = np.int64(subset.size)
    known = subset.known == 1
    if known and subset.component < 0:
        total = 0.0
        for m in range(subset.low, subset.high + 1):
            total += wm.ways[subset.ways + m]
        expected = 0.0
        for i in range(size):
            mined = 0.0
            for m in range(subset.low, subset.high + 1):
                mined += wm.cell_ways[subset.cell_ways + i * (size + 1) + m]
            wm.belief[wm.member[first + i]] = (total - mined) / total
            expected += mined / total
        return expected
    if known:
        known = subset.epoch == ws.game[0].epoch and weigh_eliminated(table, ws, wm, s)
    expected = 0.0
    for i in range(size):
        c = np.int64(wm.member[first + i])
        if not known:
            wm.belief[c] = 1.0 - largest_share(table, ws, c)
        expected += 1.0 - wm.belief[c]
    if not known:
        subset.known = np.int32(0)
        ws.game[0].approximate += 1
    return expected


@compiled
def weigh_eliminated(table, ws, wm, s):
    """Set `belief` from the count by elimination; return whether it succeeded."""
    subset = wm.subset[s]
    k = np.int64(subset.component)
    component = ws.component[k]
    at = np.int64(ws.node[component.end].poly)
    for j in range(component.high - component.low + 1):
        m = component.low + j
        ws.back[at + j] = 1.0 if subset.low <= m <= subset.high else 0.0
    if not weigh_backward(ws, k):
        return False
    for t in range(component.box, component.box_end):
        box = ws.box[t]
        w = box.witness
        for e in range(table.start[w], table.start[w + 1]):
            c = table.neighbours[e]
            link = ws.link[c]
            if ws.cell[c].state == UNKNOWN and link.component == k and link.box == box.name:
                wm.belief[c] = box.safety
    return True


@compiled
def largest_share(table, ws, c):
    """Return the largest share of mines, c/|S|, over the opened neighbours of the cell."""
    share = 0.0
    for e in range(table.start[c], table.start[c + 1]):
        w = table.neighbours[e]
        cell = ws.cell[w]
        if cell.state == OPEN:
            share = max(share, cell.remaining / cell.unknown)
    return share
