"""Classes of layouts that a player cannot tell apart so far, split by the game of one of them.

A layout is a word with one bit for each mined cell. The player's moves follow from what it sees, so
all layouts of a class go through the same cells as the game of any of them, until they show another
number, which makes a new class, or a mine goes off, which ends their games.
"""

import numpy as np

from msdensity.kernel.compiler.bits import bits
from msdensity.kernel.compiler.jit import compiled, entry, small
from msdensity.kernel.state import GIVEN_UP, WON

ONE = np.int64(1)

CONFUSED = np.int64(-1)
"""In place of a number of classes: two layouts were won by one game."""


@entry
def list_words(free, mines, words):
    """Write all layouts with so many mines on the cells `free`, (layouts,), one after another."""
    chosen = np.arange(mines)
    for r in range(len(words)):
        word = np.int64(0)
        for i in range(mines):
            word |= ONE << free[chosen[i]]
        words[r] = word
        i = mines - 1  # the next choice, the last place first
        while i >= 0 and chosen[i] == len(free) - mines + i:
            i -= 1
        if i < 0:
            return
        chosen[i] += 1
        for j in range(i + 1, mines):
            chosen[j] = chosen[j - 1] + 1


@small
def part_of(word, near, c, v, last):
    """Return the part, see `part_by_number`, of a layout."""
    if word >> c & 1:
        return np.int64(last)
    number = bits(word & near[c])
    return np.int64(0) if number == v else 1 + number


@compiled
def part_by_number(words, spare, near, begin, end, c, v, ends):
    """Put the layouts words[begin:end] in the order of what cell c shows: v first, a mine last.

    ends: place i gets the end of part i; the parts are the number v, the numbers from 0 on (v has
    none here), and a mine. v is -1 if the mine is what counts.
    """
    last = len(ends) - 1
    for i in range(last + 1):
        ends[i] = 0
    for r in range(begin, end):
        ends[part_of(words[r], near, c, v, last)] += 1
    at = begin
    for i in range(last + 1):
        size = ends[i]
        ends[i] = at
        at += size
    for r in range(begin, end):
        word = words[r]
        part = part_of(word, near, c, v, last)
        spare[ends[part]] = word
        ends[part] += 1
    for r in range(begin, end):
        words[r] = spare[r]


@entry
def split_classes(words, spare, near, classes, count, games, opened, statuses, ends_of_games):
    """Take the last `games` of the classes and split them by the games of their first layouts.

    words: (layouts,), put in another order; spare: (layouts,); near: (cells,), the neighbours of
    each cell as bits. classes: (layouts, 3): begin and end in `words`, and how many of the cells
    that its layouts open are the same; the new classes take the place of those that were split.
    opened: (games, moves), the cells in the order in which a game opened them, then -1; statuses:
    (games,). Adds to ends_of_games, (2,): layouts won and given up.

    Returns how many classes there are now, CONFUSED if a game won two layouts.
    """
    most = np.int64(0)
    for c in range(len(near)):
        most = max(most, bits(near[c]))
    ends = np.zeros(most + 3, np.int64)
    taken = classes[count - games : count].copy()
    count -= games
    for i in range(games):
        begin = np.int64(taken[i, 0])
        end = np.int64(taken[i, 1])
        played = words[begin]
        for k in range(taken[i, 2], opened.shape[1]):
            c = np.int64(opened[i, k])
            if c < 0 or begin == end:
                break
            mined = played >> c & 1
            v = np.int64(-1) if mined else bits(played & near[c])
            same = True
            for r in range(begin, end):
                word = words[r]
                same = same and word >> c & 1 == mined and (mined or bits(word & near[c]) == v)
                if not same:
                    break
            if same:
                continue
            part_by_number(words, spare, near, begin, end, c, v, ends)
            for part in range(1, len(ends) - 1):
                if ends[part] > ends[part - 1]:
                    classes[count, 0] = ends[part - 1]
                    classes[count, 1] = ends[part]
                    classes[count, 2] = k + 1
                    count += 1
            end = ends[0]  # of a game that ends at a mine, nothing is left
        if statuses[i] == GIVEN_UP:
            ends_of_games[1] += end - begin
        elif statuses[i] == WON:
            if end - begin != 1:
                return CONFUSED
            ends_of_games[0] += 1
    return count
