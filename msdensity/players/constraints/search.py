"""All solutions of a coupled subset, by backtracking (000, section 6.2; Studholme 2000).

The next variable is one with a single value left, else one in the most constraints (minimum
remaining values, ties by degree, then by number). After each assignment every constraint of the
variable is checked for what its other variables still allow (forward checking); after a
contradiction the last variable that has another value takes it (chronological backtracking).

A subset that needs more assignments than a limit (WORK_LIMIT) is counted by elimination instead:
the same numbers of solutions, found without listing them.
"""

import numpy as np

from msdensity.kernel.compiler.jit import part
from msdensity.kernel.counting import set_odds, weigh_backward, weigh_forward
from msdensity.kernel.state import OPEN, UNKNOWN
from msdensity.kernel.states import count_component
from msdensity.players.constraints.memory import MOST_SEARCHED
from msdensity.players.constraints.reduce import (
    has_bit,
    read_component,
    reduce_constraints,
    split_constraints,
)


@part
def add_subset(b, number):
    """Start the record of coupled subset `number` of the component read; return its index.

    Its cells are the next members; `order` then holds its variables.
    """
    bench = b.bench[0]
    s = bench.subsets
    bench.subsets += 1
    subset = b.subset[s]
    subset.first = np.int32(bench.members)
    subset.size = np.int32(0)
    subset.constraints = np.int32(0)
    subset.component = np.int32(-1)
    subset.known = np.int32(0)
    for i in range(bench.items):
        subset.constraints += np.int32(b.item[i].size > 0 and b.item[i].subset == number)
    for v in range(bench.variables):
        for i in range(bench.items):
            item = b.item[i]
            if item.size > 0 and item.subset == number and has_bit(b, i, v):
                b.order[subset.size] = v
                b.member[bench.members] = b.cell[v]
                bench.members += 1
                subset.size += np.int32(1)
                break
    return s


@part
def list_links(b, number, size):
    """List variables (by place in `order`) of the subset's constraints and the other way round.

    Returns the number of constraints. `trail` is free at this time and counts.
    """
    bench = b.bench[0]
    count = 0
    at = 0
    for i in range(bench.items):
        item = b.item[i]
        if item.size > 0 and item.subset == number:
            b.item_first[count] = at
            b.need[count] = item.sum
            b.left[count] = item.size
            for v in range(size):
                if has_bit(b, i, np.int64(b.order[v])):
                    b.item_variable[at] = v
                    at += 1
            count += 1
    b.item_first[count] = at
    at = 0
    for v in range(size):
        b.variable_first[v] = at
        for k in range(count):
            for e in range(b.item_first[k], b.item_first[k + 1]):
                if b.item_variable[e] == v:
                    b.variable_item[at] = k
                    at += 1
    b.variable_first[size] = at
    return count


@part
def by_degree(b, size):
    """Write the variables into `order`, those in most constraints first (stable)."""
    for i in range(size):
        b.order[i] = i
    for i in range(1, size):
        v = np.int64(b.order[i])
        degree = b.variable_first[v + 1] - b.variable_first[v]
        j = i
        while j > 0:
            u = np.int64(b.order[j - 1])
            if b.variable_first[u + 1] - b.variable_first[u] >= degree:
                break
            b.order[j] = u
            j -= 1
        b.order[j] = v


@part
def assign(b, v, value):
    """Give variable v a value; return whether all its constraints can still be met."""
    b.value[v] = value
    fits = True
    for e in range(b.variable_first[v], b.variable_first[v + 1]):
        k = b.variable_item[e]
        need = b.need[k] - value
        left = b.left[k] - 1
        b.need[k] = need
        b.left[k] = left
        fits &= (need >= 0) & (need <= left)
    return fits


@part
def take_back(b, v):
    """Undo the assignment of variable v."""
    value = np.int64(b.value[v])
    for e in range(b.variable_first[v], b.variable_first[v + 1]):
        k = b.variable_item[e]
        b.need[k] = b.need[k] + value
        b.left[k] = b.left[k] + 1
    b.value[v] = -1


@part
def next_variable(b, size, constraints):
    """Return (variable, value, branch): one with a single value left, else by degree; -1 if none.

    branch: whether the other value must be tried too.
    """
    for k in range(constraints):
        left = b.left[k]
        need = b.need[k]
        if left > 0 and (need in (0, left)):
            for e in range(b.item_first[k], b.item_first[k + 1]):
                v = np.int64(b.item_variable[e])
                if b.value[v] < 0:
                    return v, np.int64(need != 0), False
    for i in range(size):
        v = np.int64(b.order[i])
        if b.value[v] < 0:
            return v, np.int64(0), True
    return np.int64(-1), np.int64(0), False


@part
def search_subset(b, s, number, limit):
    """Count all solutions of a subset by number of mines; False if that takes more than `limit`."""
    bench = b.bench[0]
    subset = b.subset[s]
    size = np.int64(subset.size)
    if size > MOST_SEARCHED:
        return False
    constraints = list_links(b, number, size)
    by_degree(b, size)
    row = size + 1
    subset.ways = np.int32(bench.ways)
    subset.cell_ways = np.int32(bench.cell_ways)
    ways = bench.ways
    cell_ways = bench.cell_ways
    for m in range(row):
        b.ways[ways + m] = 0.0
    for i in range(size * row):
        b.cell_ways[cell_ways + i] = 0.0
    for v in range(size):
        b.value[v] = -1
    depth = 0
    mines = 0
    work = 0
    low = size
    high = np.int64(-1)
    while True:
        v, value, branch = next_variable(b, size, constraints)
        if v >= 0:
            b.trail[depth] = v
            b.branch[depth] = branch
            depth += 1
            mines += value
            work += 1
            if work > limit:
                return False
            if assign(b, v, value):
                continue
        else:
            low = min(low, mines)
            high = max(high, mines)
            b.ways[ways + mines] = b.ways[ways + mines] + 1.0
            for i in range(size):
                if b.value[i] == 1:
                    at = cell_ways + i * row + mines
                    b.cell_ways[at] = b.cell_ways[at] + 1.0
        while depth > 0:
            v = np.int64(b.trail[depth - 1])
            mines -= np.int64(b.value[v])
            take_back(b, v)
            if b.branch[depth - 1]:
                b.branch[depth - 1] = 0
                mines += 1
                work += 1
                if assign(b, v, 1):
                    break
                continue
            depth -= 1
        if depth == 0:
            break
    subset.low = np.int32(low)
    subset.high = np.int32(high)
    subset.known = np.int32(1)
    bench.ways += row
    bench.cell_ways += size * row
    return True


@part
def eliminate_component(table, ws, b, seed):
    """Count the solutions of the whole component around an opened cell by elimination."""
    bench = b.bench[0]
    s = bench.subsets
    bench.subsets += 1
    subset = b.subset[s]
    subset.first = np.int32(bench.members)
    subset.size = np.int32(bench.variables)
    subset.constraints = np.int32(bench.witnesses)
    subset.known = np.int32(0)
    for v in range(bench.variables):
        b.member[bench.members] = b.cell[v]
        bench.members += 1
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


@part
def solve_position(table, ws, b, largest, limit):
    """Find the solutions of every coupled subset of the position, by search up to `limit`.

    Subsets of more than `largest` variables, and those that cannot be counted, stay unknown.
    """
    game = ws.game[0]
    bench = b.bench[0]
    bench.subsets = 0
    bench.members = 0
    bench.ways = 0
    bench.cell_ways = 0
    game.poly = 0
    game.stamp += 1
    stamp = np.int32(game.stamp)
    for w in range(game.cells):
        # counting by elimination leaves a later stamp on the components it walks
        if ws.cell[w].state != OPEN or ws.cell[w].unknown == 0 or ws.link[w].stamp >= stamp:
            continue
        subsets, members, ways, cell_ways = (
            bench.subsets,
            bench.members,
            bench.ways,
            bench.cell_ways,
        )
        whole = not read_component(table, ws, b, w, stamp)
        if not whole:
            reduce_constraints(b)
            for number in range(split_constraints(b)):
                s = add_subset(b, number)
                if b.subset[s].size > largest:
                    continue
                if not search_subset(b, s, number, limit):
                    whole = True
                    break
        if whole:
            bench.subsets = subsets
            bench.members = members
            bench.ways = ways
            bench.cell_ways = cell_ways
            eliminate_component(table, ws, b, w)


@part
def keep_solutions(b, s, low, high):
    """Drop the solutions of a subset with fewer than `low` or more than `high` mines."""
    subset = b.subset[s]
    subset.low = np.int32(max(np.int64(subset.low), low))
    subset.high = np.int32(min(np.int64(subset.high), high))


@part
def weigh_beliefs(table, ws, b, s):
    """Set `belief` of the subset's cells to the share of solutions in which each is free.

    Returns the mean number of mines of the solutions. Each solution counts the same. Cells of a
    subset that is not known get 1 - max c/|S| over their opened neighbours (004, section 2.2).
    """
    subset = b.subset[s]
    first = np.int64(subset.first)
    size = np.int64(subset.size)
    known = subset.known == 1
    if known and subset.component < 0:
        total = 0.0
        for m in range(subset.low, subset.high + 1):
            total += b.ways[subset.ways + m]
        expected = 0.0
        for i in range(size):
            mined = 0.0
            for m in range(subset.low, subset.high + 1):
                mined += b.cell_ways[subset.cell_ways + i * (size + 1) + m]
            b.belief[b.member[first + i]] = (total - mined) / total
            expected += mined / total
        return expected
    if known:
        known = subset.epoch == ws.game[0].epoch and weigh_eliminated(table, ws, b, s)
    expected = 0.0
    for i in range(size):
        c = np.int64(b.member[first + i])
        if not known:
            b.belief[c] = 1.0 - largest_share(table, ws, c)
        expected += 1.0 - b.belief[c]
    if not known:
        subset.known = np.int32(0)
        ws.game[0].approximate += 1
    return expected


@part
def weigh_eliminated(table, ws, b, s):
    """Set `belief` from the count by elimination; return whether that went well."""
    subset = b.subset[s]
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
                b.belief[c] = box.safety
    return True


@part
def largest_share(table, ws, c):
    """Return the largest share of mines, c/|S|, that an opened neighbour of the cell states."""
    share = 0.0
    for e in range(table.start[c], table.start[c + 1]):
        w = table.neighbours[e]
        cell = ws.cell[w]
        if cell.state == OPEN:
            share = max(share, cell.remaining / cell.unknown)
    return share
