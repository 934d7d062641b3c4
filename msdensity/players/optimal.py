"""The working memory of the player `optimal`, which plays the games of `end_game` with it."""

import math

from msdensity.kernel.compiler.threads import per_thread
from msdensity.kernel.state import Memory
from msdensity.players import end_game
from msdensity.players.perfect.memory import make_memory

MAX_CELLS = 20
"""On a larger board the games are those of `end_game`."""

MEMO = 1 << 18

KNOWN = 1 << 16


def make(table: Memory) -> Memory:
    """Return the working memory for a board: room for all layouts with one cell safe."""
    cells = len(table.start) - 1
    if cells > MAX_CELLS:
        return end_game.make(table)
    layouts = math.comb(cells - 1, (cells - 1) // 2)
    return make_memory(max(layouts, end_game.MAX_LAYOUTS), cells, MEMO, cells=cells, known=KNOWN)


thread_memory = per_thread(make)
"""Return this thread's working memory for a table; the last one is kept."""
