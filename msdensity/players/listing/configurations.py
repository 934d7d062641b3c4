"""Guesser.cs of Annex A.1 up to the safeties: configurations, weights, scores.

Each difference from the text can be switched off; see `player`.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, small
from msdensity.kernel.state import EXPOSED, UNKNOWN
from msdensity.players.listing.hash_set import add
from msdensity.players.listing.inference import ONE, infer
from msdensity.players.listing.position import find_groups, has_variable, restore_position

NONE = np.int64(-(1 << 31))
"""No value yet."""

DEEPEST = np.int64(6)
"""Branches split down to this depth; below it each is completed once."""

(
    MINE_COUNT,
    CONTRADICTION_FLAG,
    DEPTH,
    COMPONENT_WEIGHTS,
    CHOOSE_ONE,
    FLOATING_UNKNOWN,
    EXTRA_GUESS,
    EXACT_TIES,
) = map(np.int64, range(8))
"""Indices of the switches among the options; 0 is "on", as listed, 1 is "off", as in the text."""

OFF = np.int64(1)


@small
def choose(n, k):
    """Utility.Choose of the listing: C(n, k), but 1 where k < 0 or k > n."""
    k = min(k, n - k)
    result = 1.0
    for i in range(1, k + 1):
        result *= n - k + i
        result /= i
    return result


@small
def weigh(wm, mines, options):
    """Return the weight of a configuration with that many mines."""
    counters = wm.counters[0]
    left = counters.mines_left - mines
    if options[CHOOSE_ONE] == OFF and (left < 0 or left > counters.floating_cells):
        return 0.0
    if not wm.weighed[mines]:
        wm.weighed[mines] = 1
        wm.weight[mines] = choose(counters.floating_cells, left)
    return wm.weight[mines]


@compiled
def keep(wm, g, depth, options):
    """Weigh a complete configuration of group g, unless a value is negative."""
    row = depth * wm.counters[0].variables
    mines = 0
    for k in range(wm.first_member[g], wm.first_member[g + 1]):
        value = wm.assigned[row + wm.member[k]]
        if value < 0:
            return
        if value == 1:
            mines += 1
    wm.counters[0].found += 1
    if options[COMPONENT_WEIGHTS] == OFF:
        across = wm.counters[0].variables + 1
        wm.ways[g * across + mines] += 1.0
        for k in range(wm.first_member[g], wm.first_member[g + 1]):
            v = wm.member[k]
            if wm.assigned[row + v] == 0:
                wm.safe_ways[v * across + mines] += 1.0
        return
    weight = weigh(wm, mines, options)
    wm.counters[0].denominator += weight
    for k in range(wm.first_member[g], wm.first_member[g + 1]):
        v = wm.member[k]
        if wm.assigned[row + v] == 0:
            wm.safe[v] += weight


DONE, DEAD, OPEN_ENDED, SPENT = map(np.int64, range(4))

SAFE, MINED = np.int64(0), np.int64(1)
"""The result of a branch: all assigned, rejected, some unassigned, or too much work."""


@compiled
def first_unassigned(wm, g, depth):
    """Return the first variable of group g without a value, -1 if there is none."""
    row = depth * wm.counters[0].variables
    for k in range(wm.first_member[g], wm.first_member[g + 1]):
        v = wm.member[k]
        if wm.assigned[row + v] == NONE:
            return v
    return np.int64(-1)


@compiled
def branch(wm, g, depth, target, v, value):
    """Infer from the values at `depth` and "v has this value"; write the values at `target`."""
    counters = wm.counters[0]
    words = counters.words
    restore_position(wm)
    row = depth * counters.variables
    last = wm.first_member[g + 1]
    for k in range(wm.first_member[g], last + 1):
        u = v
        known = value
        if k < last:
            u = wm.member[k]
            known = wm.assigned[row + u]
            if known == NONE:
                continue
        i = counters.items
        for w in range(words):
            wm.bits[i * words + w] = np.uint64(0)
        wm.bits[i * words + (u >> 6)] = ONE << np.uint64(u & 63)
        item = wm.item[i]
        item.sum = np.int32(known)
        item.ids = np.int32(wm.cell[u])
        item.size = np.int32(1)
        if add(wm, i):
            counters.items += 1
    if not infer(wm):
        return SPENT
    row = target * counters.variables
    for k in range(wm.first_member[g], last):
        wm.assigned[row + wm.member[k]] = NONE
    for k in range(counters.solutions):
        u = np.int64(wm.solution[k].variable)
        if wm.group[u] == g:
            wm.assigned[row + u] = np.int64(wm.solution[k].value)
    if counters.detect and counters.contradiction:
        return DEAD
    if first_unassigned(wm, g, target) < 0:
        return DONE
    return OPEN_ENDED


@compiled
def complete(wm, g, depth):
    """GetOneConfiguration: make the first unassigned variable safe, or mined if refuted; repeat.

    Return DONE with the values at `depth`, DEAD or SPENT.
    """
    while True:
        v = first_unassigned(wm, g, depth)
        result = branch(wm, g, depth, depth + 1, v, SAFE)
        if result == DEAD:
            result = branch(wm, g, depth, depth + 1, v, MINED)
        if result in (SPENT, DEAD):
            return result
        variables = wm.counters[0].variables
        for k in range(wm.first_member[g], wm.first_member[g + 1]):
            u = wm.member[k]
            wm.assigned[depth * variables + u] = wm.assigned[(depth + 1) * variables + u]
        if result == DONE:
            return result


@compiled
def any_negative(wm, g, depth):
    """Return whether some assigned value at this depth is negative."""
    row = depth * wm.counters[0].variables
    for k in range(wm.first_member[g], wm.first_member[g + 1]):
        value = wm.assigned[row + wm.member[k]]
        if value != NONE and value < 0:
            return True
    return False


@compiled
def list_configurations(wm, g, options):
    """GetGroupConfigurations of group g; return False if the work exceeds its limit.

    Depth-first: first all with the first unassigned variable safe, then all with it mined.
    """
    counters = wm.counters[0]
    limited = options[DEPTH] != OFF
    for k in range(wm.first_member[g], wm.first_member[g + 1]):
        wm.assigned[wm.member[k]] = NONE
    depth = np.int64(0)
    wm.stage[0] = 0
    while depth >= 0:
        value = wm.stage[depth]
        if value > 1:
            depth -= 1
            continue
        wm.stage[depth] += 1
        v = first_unassigned(wm, g, depth)
        result = branch(wm, g, depth, depth + 1, v, value)
        if result == SPENT:
            return False
        if result == DEAD or any_negative(wm, g, depth + 1):
            continue
        if result == OPEN_ENDED:
            if not limited or depth < DEEPEST:
                depth += 1
                wm.stage[depth] = 0
                continue
            result = complete(wm, g, depth + 1)
            if result == SPENT:
                return False
        if result == DONE:
            keep(wm, g, depth + 1, options)
    return counters.work <= counters.limit


@compiled
def backtrack(wm, g, options):
    """Count the proper configurations of group g, each once; return False if it is too much work.

    The constraints of the position must be items 0 .. base - 1.
    """
    counters = wm.counters[0]
    first = wm.first_member[g]
    size = wm.first_member[g + 1] - first
    for i in range(counters.base):
        wm.missing[i] = np.int64(wm.item[i].sum)
        wm.left[i] = np.int64(wm.item[i].size)
    k = 0
    wm.stage[0] = 0
    while k >= 0:
        if k == size:
            keep(wm, g, np.int64(0), options)
            k -= 1
            continue
        v = wm.member[first + k]
        value = wm.stage[k]
        if value > 0:  # undo the last value
            for i in range(counters.base):
                if has_variable(wm, i, v):
                    wm.missing[i] += value - 1
                    wm.left[i] += 1
        if value > 1:
            k -= 1
            continue
        counters.work += 1
        if counters.work > counters.limit:
            return False
        wm.stage[k] = value + 1
        wm.assigned[v] = value
        possible = True
        for i in range(counters.base):
            if has_variable(wm, i, v):
                wm.missing[i] -= value
                wm.left[i] -= 1
                if wm.missing[i] < 0 or wm.missing[i] > wm.left[i]:
                    possible = False
        if possible:
            k += 1
            if k < size:
                wm.stage[k] = 0
    return True


@compiled
def weigh_across(wm, options):
    """Weigh configurations of all groups together: formula 4.10 with its global mine count.

    Reads `ways` and `safe_ways`; writes `safe` and the denominator.
    """
    counters = wm.counters[0]
    across = counters.variables + 1
    wm.counters[0].denominator = 0.0
    for g in range(counters.groups):
        for k in range(across):
            wm.product[k] = 0.0
        wm.product[0] = 1.0
        most = 0
        for h in range(counters.groups):
            if h == g:
                continue
            size = wm.first_member[h + 1] - wm.first_member[h]
            for k in range(most + size + 1):
                wm.product[across + k] = 0.0
            for k in range(most + 1):
                for j in range(size + 1):
                    wm.product[across + k + j] += wm.product[k] * wm.ways[h * across + j]
            most += size
            for k in range(most + 1):
                wm.product[k] = wm.product[across + k]
        size = wm.first_member[g + 1] - wm.first_member[g]
        total = 0.0
        for j in range(size + 1):
            outside = 0.0
            for k in range(most + 1):
                outside += wm.product[k] * weigh(wm, j + k, options)
            wm.product[2 * across + j] = outside
            total += outside * wm.ways[g * across + j]
        if g == 0:
            wm.counters[0].denominator = total
        for m in range(wm.first_member[g], wm.first_member[g + 1]):
            v = wm.member[m]
            safe = 0.0
            for j in range(size + 1):
                safe += wm.product[2 * across + j] * wm.safe_ways[v * across + j]
            wm.safe[v] = safe / total * wm.counters[0].denominator if total > 0.0 else 0.0


@compiled
def score_equally(ws, wm):
    """Give every unknown cell the score 1 - (mines left) / |U|."""
    game = ws.game[0]
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN:
            wm.score[c] = 1 - game.mines_left / game.unknown


@compiled
def score_cells(table, ws, wm):
    """GetSafety: write the score of every unknown cell; return False to give the game up.

    It gives up if the work exceeds its limit or there is no configuration. The constraints of the
    position must be items 0 .. base - 1 of the set.
    """
    counters = wm.counters[0]
    game = ws.game[0]
    options = ws.option
    counters.mines_left = game.mines_left
    counters.floating_cells = game.unknown - game.exposed
    if game.exposed == 0:
        score_equally(ws, wm)
        return True
    across = counters.variables + 1
    for k in range(counters.variables + 1):
        wm.weighed[k] = 0
    for v in range(counters.variables):
        wm.safe[v] = 0.0
    counters.denominator = 0.0
    counters.found = 0
    find_groups(wm)
    if options[COMPONENT_WEIGHTS] == OFF:
        for k in range(counters.variables * across):
            wm.safe_ways[k] = 0.0
        for k in range(counters.groups * across):
            wm.ways[k] = 0.0
    counters.detect = options[CONTRADICTION_FLAG] == OFF
    exact = options[CONTRADICTION_FLAG] == OFF and options[DEPTH] == OFF
    for g in range(counters.groups):
        if exact:
            if not backtrack(wm, g, options):
                return False
        elif not list_configurations(wm, g, options):
            return False
    if options[COMPONENT_WEIGHTS] == OFF:
        weigh_across(wm, options)
    if counters.found == 0 or not counters.denominator < np.inf:
        return False
    if counters.denominator == 0.0:
        score_equally(ws, wm)
        return True
    total = 0.0
    exposed = 0
    for c in range(game.cells):
        if ws.cell[c].state != UNKNOWN:
            continue
        wm.score[c] = 0.0
        if ws.cell[c].flags & EXPOSED:
            wm.score[c] = wm.safe[wm.variable[c]] / counters.denominator
            exposed += 1
        total += wm.score[c]
    if counters.floating_cells > 0:
        counted = game.unknown
        if options[FLOATING_UNKNOWN] == OFF:
            counted = exposed
        expected = game.mines_left - counted + total
        floating = 1 - expected / counters.floating_cells
        for c in range(game.cells):
            if ws.cell[c].state == UNKNOWN and not ws.cell[c].flags & EXPOSED:
                wm.score[c] = floating
    return True
