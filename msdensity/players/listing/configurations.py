"""Guesser.cs of Annex A.1 up to the safeties: groups, configurations, weights, scores.

Each departure from the text can be switched off; see `listing` for what that means.
"""

import numpy as np

from msdensity.kernel.compiler.jit import part, small
from msdensity.kernel.state import EXPOSED, OPEN, UNKNOWN
from msdensity.players.listing.hash_set import add, clear
from msdensity.players.listing.inference import ONE, infer, lowest
from msdensity.players.listing.memory import MOST_VARIABLES

NONE = np.int64(-(1 << 31))
"""No value yet."""

DEEPEST = np.int64(6)
"""Branches split down to this depth; one level further each is completed once."""

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
"""Places of the switches among the options; 0 is "on", as listed, 1 is "off", as in the text."""

OFF = np.int64(1)


@part
def read_position(table, ws, b):
    """Number the exposed cells and list the constraints of the boundary cells, each once.

    Return False where there are more exposed cells than the memory is made for.
    """
    bench = b.bench[0]
    if ws.game[0].exposed > MOST_VARIABLES or ws.game[0].exposed > len(b.cell):
        return False
    variables = 0
    for k in range(ws.game[0].cells):
        c = b.order[k]
        if ws.cell[c].state == UNKNOWN and ws.cell[c].flags & EXPOSED:
            b.variable[c] = variables
            b.cell[variables] = c
            variables += 1
    bench.variables = variables
    bench.words = max((variables + 63) >> 6, 1)
    words = bench.words
    clear(b)
    bench.items = 0
    for c in range(ws.game[0].cells):
        witness = ws.cell[c]
        if witness.state != OPEN or witness.unknown == 0:
            continue
        i = bench.items
        ids = 0
        for w in range(words):
            b.bits[i * words + w] = np.uint64(0)
        for e in range(table.start[c], table.start[c + 1]):
            d = table.neighbours[e]
            if ws.cell[d].state == UNKNOWN:
                v = b.variable[d]
                b.bits[i * words + (v >> 6)] |= ONE << np.uint64(v & 63)
                ids ^= d
        item = b.item[i]
        item.sum = np.int32(witness.remaining)
        item.ids = np.int32(ids)
        item.size = np.int32(witness.unknown)
        if add(b, i):
            bench.items += 1
    bench.base = bench.items
    for k in range(bench.base * words):
        b.base_bits[k] = b.bits[k]
    for i in range(bench.base):
        b.base_item[i] = b.item[i]
    return True


@part
def restore_position(b):
    """Make the set hold the constraints of the position, and nothing else."""
    bench = b.bench[0]
    for k in range(bench.base * bench.words):
        b.bits[k] = b.base_bits[k]
    clear(b)
    for i in range(bench.base):
        b.item[i] = b.base_item[i]
        add(b, i)
    bench.items = bench.base


@small
def has_variable(b, i, v):
    """Return whether variable v is in item i."""
    words = b.bench[0].words
    return (b.bits[i * words + (v >> 6)] >> np.uint64(v & 63)) & ONE != np.uint64(0)


@part
def find_groups(b):
    """GetPreliminaryGroups: components in breadth-first order from the first constraint.

    The constraints of the position must be items 0 .. base - 1. The variables of a group are
    listed as the constraints bring them. (GetFinalGroups, given no finer groups, changes nothing.)
    """
    bench = b.bench[0]
    words = bench.words
    for v in range(bench.variables):
        b.group[v] = -1
    for i in range(bench.base):
        b.waiting[i] = 1
    bench.groups = 0
    members = 0
    for seed in range(bench.base):
        if not b.waiting[seed]:
            continue
        b.waiting[seed] = 0
        b.queue[0] = seed
        head = 0
        tail = 1
        b.first_member[bench.groups] = members
        while head < tail:
            i = b.queue[head]
            head += 1
            for w in range(words):
                left = b.bits[i * words + w]
                while left != np.uint64(0):
                    v = 64 * w + lowest(b, left)
                    left &= left - ONE
                    if b.group[v] >= 0:
                        continue
                    b.group[v] = bench.groups
                    b.member[members] = v
                    members += 1
                    for j in range(bench.base):
                        if b.waiting[j] and has_variable(b, j, v):
                            b.waiting[j] = 0
                            b.queue[tail] = j
                            tail += 1
        bench.groups += 1
    b.first_member[bench.groups] = members


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
def weigh(b, mines, options):
    """Return the weight of a configuration with that many mines."""
    bench = b.bench[0]
    left = bench.mines_left - mines
    if options[CHOOSE_ONE] == OFF and (left < 0 or left > bench.floating_cells):
        return 0.0
    if not b.weighed[mines]:
        b.weighed[mines] = 1
        b.weight[mines] = choose(bench.floating_cells, left)
    return b.weight[mines]


@part
def keep(b, g, depth, options):
    """Weigh a complete configuration of group g, unless a value is negative."""
    row = depth * b.bench[0].variables
    mines = 0
    for k in range(b.first_member[g], b.first_member[g + 1]):
        value = b.assigned[row + b.member[k]]
        if value < 0:
            return
        if value == 1:
            mines += 1
    b.bench[0].found += 1
    if options[COMPONENT_WEIGHTS] == OFF:
        across = b.bench[0].variables + 1
        b.ways[g * across + mines] += 1.0
        for k in range(b.first_member[g], b.first_member[g + 1]):
            v = b.member[k]
            if b.assigned[row + v] == 0:
                b.safe_ways[v * across + mines] += 1.0
        return
    weight = weigh(b, mines, options)
    b.bench[0].denominator += weight
    for k in range(b.first_member[g], b.first_member[g + 1]):
        v = b.member[k]
        if b.assigned[row + v] == 0:
            b.safe[v] += weight


DONE, DEAD, OPEN_ENDED, SPENT = map(np.int64, range(4))

SAFE, MINED = np.int64(0), np.int64(1)
"""What became of a branch: all assigned, rejected, some unassigned, or the work exceeded."""


@part
def first_unassigned(b, g, depth):
    """Return the first variable of group g without a value, -1 if there is none."""
    row = depth * b.bench[0].variables
    for k in range(b.first_member[g], b.first_member[g + 1]):
        v = b.member[k]
        if b.assigned[row + v] == NONE:
            return v
    return np.int64(-1)


@part
def branch(b, g, depth, target, v, value):
    """Infer from the values at `depth` and "v has this value"; write the values at `target`."""
    bench = b.bench[0]
    words = bench.words
    restore_position(b)
    row = depth * bench.variables
    last = b.first_member[g + 1]
    for k in range(b.first_member[g], last + 1):
        u = v
        given = value
        if k < last:
            u = b.member[k]
            given = b.assigned[row + u]
            if given == NONE:
                continue
        i = bench.items
        for w in range(words):
            b.bits[i * words + w] = np.uint64(0)
        b.bits[i * words + (u >> 6)] = ONE << np.uint64(u & 63)
        item = b.item[i]
        item.sum = np.int32(given)
        item.ids = np.int32(b.cell[u])
        item.size = np.int32(1)
        if add(b, i):
            bench.items += 1
    if not infer(b):
        return SPENT
    row = target * bench.variables
    for k in range(b.first_member[g], last):
        b.assigned[row + b.member[k]] = NONE
    for k in range(bench.solutions):
        u = np.int64(b.solution[k].variable)
        if b.group[u] == g:
            b.assigned[row + u] = np.int64(b.solution[k].value)
    if bench.detect and bench.contradiction:
        return DEAD
    if first_unassigned(b, g, target) < 0:
        return DONE
    return OPEN_ENDED


@part
def complete(b, g, depth):
    """GetOneConfiguration: safe on the first unassigned variable, and on; mined if refuted.

    Return DONE with the values at `depth`, DEAD or SPENT.
    """
    while True:
        v = first_unassigned(b, g, depth)
        found = branch(b, g, depth, depth + 1, v, SAFE)
        if found == DEAD:
            found = branch(b, g, depth, depth + 1, v, MINED)
        if found in (SPENT, DEAD):
            return found
        variables = b.bench[0].variables
        for k in range(b.first_member[g], b.first_member[g + 1]):
            u = b.member[k]
            b.assigned[depth * variables + u] = b.assigned[(depth + 1) * variables + u]
        if found == DONE:
            return found


@part
def any_negative(b, g, depth):
    """Return whether some assigned value at this depth is negative."""
    row = depth * b.bench[0].variables
    for k in range(b.first_member[g], b.first_member[g + 1]):
        value = b.assigned[row + b.member[k]]
        if value != NONE and value < 0:
            return True
    return False


@part
def list_configurations(b, g, options):
    """GetGroupConfigurations of group g; return False where the work exceeds its limit.

    Depth-first: everything with the first unassigned variable safe, then everything with it mined.
    """
    bench = b.bench[0]
    limited = options[DEPTH] != OFF
    for k in range(b.first_member[g], b.first_member[g + 1]):
        b.assigned[b.member[k]] = NONE
    depth = np.int64(0)
    b.stage[0] = 0
    while depth >= 0:
        value = b.stage[depth]
        if value > 1:
            depth -= 1
            continue
        b.stage[depth] += 1
        v = first_unassigned(b, g, depth)
        found = branch(b, g, depth, depth + 1, v, value)
        if found == SPENT:
            return False
        if found == DEAD or any_negative(b, g, depth + 1):
            continue
        if found == OPEN_ENDED:
            if not limited or depth < DEEPEST:
                depth += 1
                b.stage[depth] = 0
                continue
            found = complete(b, g, depth + 1)
            if found == SPENT:
                return False
        if found == DONE:
            keep(b, g, depth + 1, options)
    return bench.work <= bench.limit


@part
def backtrack(b, g, options):
    """Count the proper configurations of group g, each once; return False at the limit of work.

    The constraints of the position must be items 0 .. base - 1.
    """
    bench = b.bench[0]
    first = b.first_member[g]
    size = b.first_member[g + 1] - first
    for i in range(bench.base):
        b.missing[i] = np.int64(b.item[i].sum)
        b.left[i] = np.int64(b.item[i].size)
    k = 0
    b.stage[0] = 0
    while k >= 0:
        if k == size:
            keep(b, g, np.int64(0), options)
            k -= 1
            continue
        v = b.member[first + k]
        value = b.stage[k]
        if value > 0:  # take the value tried last back
            for i in range(bench.base):
                if has_variable(b, i, v):
                    b.missing[i] += value - 1
                    b.left[i] += 1
        if value > 1:
            k -= 1
            continue
        bench.work += 1
        if bench.work > bench.limit:
            return False
        b.stage[k] = value + 1
        b.assigned[v] = value
        possible = True
        for i in range(bench.base):
            if has_variable(b, i, v):
                b.missing[i] -= value
                b.left[i] -= 1
                if b.missing[i] < 0 or b.missing[i] > b.left[i]:
                    possible = False
        if possible:
            k += 1
            if k < size:
                b.stage[k] = 0
    return True


@part
def weigh_across(b, options):
    """Weigh configurations of all groups together: formula 4.10 with its global mine count.

    Reads `ways` and `safe_ways`; writes `safe` and the denominator.
    """
    bench = b.bench[0]
    across = bench.variables + 1
    b.bench[0].denominator = 0.0
    for g in range(bench.groups):
        for k in range(across):
            b.product[k] = 0.0
        b.product[0] = 1.0
        most = 0
        for h in range(bench.groups):
            if h == g:
                continue
            size = b.first_member[h + 1] - b.first_member[h]
            for k in range(most + size + 1):
                b.product[across + k] = 0.0
            for k in range(most + 1):
                for j in range(size + 1):
                    b.product[across + k + j] += b.product[k] * b.ways[h * across + j]
            most += size
            for k in range(most + 1):
                b.product[k] = b.product[across + k]
        size = b.first_member[g + 1] - b.first_member[g]
        total = 0.0
        for j in range(size + 1):
            outside = 0.0
            for k in range(most + 1):
                outside += b.product[k] * weigh(b, j + k, options)
            b.product[2 * across + j] = outside
            total += outside * b.ways[g * across + j]
        if g == 0:
            b.bench[0].denominator = total
        for m in range(b.first_member[g], b.first_member[g + 1]):
            v = b.member[m]
            safe = 0.0
            for j in range(size + 1):
                safe += b.product[2 * across + j] * b.safe_ways[v * across + j]
            b.safe[v] = safe / total * b.bench[0].denominator if total > 0.0 else 0.0


@part
def score_equally(ws, b):
    """Give every unknown cell the score 1 - (mines left) / |U|."""
    game = ws.game[0]
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN:
            b.score[c] = 1 - game.mines_left / game.unknown


@part
def score_cells(table, ws, b, options):
    """GetSafety: write the score of every unknown cell; return False to give the game up.

    That is at the limit of work, and where there is no configuration. The constraints of the
    position must be items 0 .. base - 1 of the set.
    """
    bench = b.bench[0]
    game = ws.game[0]
    bench.mines_left = game.mines_left
    bench.floating_cells = game.unknown - game.exposed
    if game.exposed == 0:
        score_equally(ws, b)
        return True
    across = bench.variables + 1
    for k in range(bench.variables + 1):
        b.weighed[k] = 0
    for v in range(bench.variables):
        b.safe[v] = 0.0
    bench.denominator = 0.0
    bench.found = 0
    find_groups(b)
    if options[COMPONENT_WEIGHTS] == OFF:
        for k in range(bench.variables * across):
            b.safe_ways[k] = 0.0
        for k in range(bench.groups * across):
            b.ways[k] = 0.0
    bench.detect = options[CONTRADICTION_FLAG] == OFF
    exact = options[CONTRADICTION_FLAG] == OFF and options[DEPTH] == OFF
    for g in range(bench.groups):
        if exact:
            if not backtrack(b, g, options):
                return False
        elif not list_configurations(b, g, options):
            return False
    if options[COMPONENT_WEIGHTS] == OFF:
        weigh_across(b, options)
    if bench.found == 0 or not bench.denominator < np.inf:
        return False
    if bench.denominator == 0.0:
        score_equally(ws, b)
        return True
    total = 0.0
    exposed = 0
    for c in range(game.cells):
        if ws.cell[c].state != UNKNOWN:
            continue
        b.score[c] = 0.0
        if ws.cell[c].flags & EXPOSED:
            b.score[c] = b.safe[b.variable[c]] / bench.denominator
            exposed += 1
        total += b.score[c]
    if bench.floating_cells > 0:
        counted = game.unknown
        if options[FLOATING_UNKNOWN] == OFF:
            counted = exposed
        expected = game.mines_left - counted + total
        floating = 1 - expected / bench.floating_cells
        for c in range(game.cells):
            if ws.cell[c].state == UNKNOWN and not ws.cell[c].flags & EXPOSED:
                b.score[c] = floating
    return True
