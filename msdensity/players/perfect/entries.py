"""What Python calls: the rows of layouts, the value of a set, and the value of each move."""

import numpy as np

from msdensity.kernel.compiler.jit import entry
from msdensity.kernel.state import open_table, open_workspace
from msdensity.players.perfect.listing import list_layouts
from msdensity.players.perfect.memory import open_memory
from msdensity.players.perfect.moves import value_of_lane
from msdensity.players.perfect.rows import write_rows
from msdensity.players.perfect.search import GAVE_UP, set_root, value

ZERO = np.int64(0)


@entry
def list_position(table_words, ws_words, words, most):
    """List the layouts of the position that the workspace holds, see `list_layouts`."""
    return list_layouts(open_table(table_words), open_workspace(ws_words), open_memory(words), most)


@entry
def write_layouts(words):
    """Write the rows of the layouts, see `write_rows`."""
    return write_rows(open_memory(words))


@entry
def value_of_layouts(words, need):
    """Return `value` of the set of all layouts."""
    wm = open_memory(words)
    set_root(wm, ZERO, wm.search[0].layouts)
    return value(wm, need)


@entry
def values_of_lanes(words, values):
    """Write into `values` how many layouts are won after each lane is opened; return `value`."""
    wm = open_memory(words)
    layouts = wm.search[0].layouts
    set_root(wm, ZERO, layouts)
    whole = value(wm, ZERO)
    for lane in range(len(values)):
        set_root(wm, ZERO, layouts)
        values[lane] = value_of_lane(wm, np.int64(lane), layouts, ZERO)
        if values[lane] == GAVE_UP:
            return GAVE_UP
    return whole
