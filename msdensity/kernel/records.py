"""The records of a game: what the kernel keeps of a cell, a witness, a box, a state, a component.

They are numpy structured arrays; `state` lists the arrays of a workspace.
"""

import numpy as np

cell_t = np.dtype(
    [
        ("number", "u2"),  # mined neighbours, N(a); read only once the cell is opened
        ("state", "u1"),
        ("flags", "u1"),
        ("remaining", "i2"),  # opened: N(a) - |K_M(a)|; not opened: -|K_M(a)|
        ("unknown", "i2"),  # |K_U(a)|
    ]
)
"""What every click touches; a witness is an opened cell with unknown neighbours (the set B)."""

link_t = np.dtype(
    [
        ("witnesses", "u8"),  # of an exposed cell: hash of the set of its witnesses
        ("component", "i4"),  # of an exposed cell or a witness: its component, -1 if not built
        ("box", "i4"),  # of an exposed cell: name of its box within the component
        ("stamp", "i4"),  # visited in the walk with this number
        ("local", "i4"),  # of a witness: its index in the component being built, or a count
    ]
)
"""What only the frontier and the pair rule touch."""

witness_t = np.dtype(
    [
        ("cell", "i4"),
        ("remaining", "i4"),
        ("left", "i4"),  # unknown cells in boxes not yet eliminated
        ("boxes_left", "i4"),
        ("first", "i4"),  # its boxes are witness_box[first : first + boxes]
        ("boxes", "i4"),
        ("opened", "i4"),  # whether the elimination order has reached it
        ("shift", "i4"),  # where its remaining count stands in a node's key, -1 if not open
        ("width", "i4"),
    ]
)
"""A witness of the component being built."""

box_t = np.dtype(
    [
        ("cell", "i4"),  # one of its cells
        ("witness", "i4"),  # one of its witnesses (a cell index)
        ("name", "i4"),  # `box` in the links of its cells
        ("size", "i4"),
        ("first", "i4"),  # while building: its witnesses are box_witness[first : first + n]
        ("witnesses", "i4"),
        ("node", "i4"),  # nodes[node : node_end] are the states before this box is decided
        ("node_end", "i4"),
        ("least", "i4"),  # fewest and most mines in the box over all configurations
        ("most", "i4"),
        ("safety", "f8"),  # P_S of each of its cells
        ("members", "i8"),  # in planes: its cells in the window of its witness
        ("prior", "i8"),  # the weight of v mines in it is choose[prior + v] * power[v]
    ]
)
"""Exposed cells with the same witnesses; a component's boxes are in elimination order."""

node_t = np.dtype(
    [
        ("key", "i8"),  # remaining counts of the open witnesses, packed
        ("edge", "i4"),  # targets are edges[edge : edge + edges]
        ("least", "i4"),  # mines in the box along the first edge; one more along each next
        ("edges", "i4"),
        ("live", "i4"),  # 1 if the end can be reached
        ("poly", "i4"),  # weights by number of mines so far: poly[poly : poly + terms]
        ("low", "i4"),  # the fewest and most mines so far: those of the first and last term
        ("high", "i4"),
        ("terms", "i4"),  # high - low + 1 where weights are wanted
    ]
)
"""A state of the elimination: what the open witnesses still need."""

component_t = np.dtype(
    [
        ("alive", "i4"),
        ("place", "i4"),  # position in the list of live components
        ("seed", "i4"),  # one of its witnesses, to rebuild it
        ("epoch", "i4"),  # its boxes and nodes are in the arena of this epoch
        ("box", "i4"),  # boxes[box : box_end], in elimination order
        ("box_end", "i4"),
        ("end", "i4"),  # the node after the last box
        ("over", "i4"),  # 1 if it exceeded the budget: not counted exactly
        ("witnesses", "i4"),
        ("low", "i4"),  # fewest and most mines over its configurations
        ("high", "i4"),
        ("weights", "i4"),  # weights by number of mines: total[weights : weights + high - low + 1]
        ("prefix", "i4"),  # product of the components before it: prefix[prefix:], from prefix_low
        ("prefix_low", "i4"),
        ("prefix_terms", "i4"),
        ("restricted", "i4"),  # 1 if the global mine count excludes some of its possible numbers
        ("gaps", "i4"),  # 1 if some number between low and high has no configuration
    ]
)
"""Exposed cells connected through their witnesses."""

task_t = np.dtype(
    [
        ("mines", "i8"),
        ("start_rule", "i8"),  # an index of names.STARTS
        ("first_cells", "i8"),  # the first click is one of first_cell[:first_cells]
        ("board_key", "u8"),  # keys of the two random streams
        ("player_key", "u8"),
    ]
)
"""One record: what is played. `batch` writes it before the games of a batch."""

game_t = np.dtype(
    [
        ("number", "i8"),  # which game of the task this is
        ("cells", "i8"),
        ("choose_row", "i8"),
        ("status", "i8"),
        ("unknown", "i8"),  # |U|
        ("exposed", "i8"),  # |E|
        ("safe", "i8"),  # cells that are not mined, n - m
        ("safe_left", "i8"),
        ("mines_left", "i8"),  # m - |M|
        ("ring", "i8"),  # the queue `touched`: its length less 1, a power of two less 1
        ("taken", "i8"),  # how many have been taken from it
        ("touched", "i8"),  # how many have been added to it
        ("pairs", "i8"),  # heights of the two stacks of witnesses, or of tiles and witnesses
        ("frontier", "i8"),
        ("stamp", "i8"),
        ("hash_stamp", "i8"),
        ("components", "i8"),  # component records used, live or not
        ("live", "i8"),
        ("epoch", "i8"),
        ("boxes", "i8"),  # heights of the arenas
        ("nodes", "i8"),
        ("edges", "i8"),
        ("poly", "i8"),
        ("floating_next", "i8"),  # floating cells are at or after this index of the static order
        ("shared_mines", "i8"),  # mines left for floating cells and components counted exactly
        ("listed", "i8"),  # exposed cells listed with their safeties
        ("floating_safety", "f8"),
        ("guesses", "i8"),
        ("z0", "f8"),  # Z_0, Z_1, Z_2 of this game so far (see `measures`)
        ("z1", "f8"),
        ("z2", "f8"),
        ("approximate", "i8"),  # positions of this game that exceeded the budget
        ("trace", "i8"),  # moves recorded, -1 if not recording
        ("most_odds", "f8"),  # of a mine, see `counting.set_odds`
        ("node_budget", "i8"),  # states that one component may use, at most NODE_BUDGET
        ("part_witnesses", "i8"),  # witnesses of the next part from which to deduce cells
        ("cell", "i8"),  # where the last move was
        ("visited", "i8"),  # height of the list of tiles
        ("walk", "i8"),  # number of the last walk in planes; never begins again
    ]
)
"""One record: the state of the game."""

move_t = np.dtype([("cell", "i4"), ("reason", "i4"), ("safety", "f8")])
"""A recorded move; marking a mine has safety 0, a certain or first cell 1."""

part_t = np.dtype([("shift", "i8"), ("mask", "i8"), ("left", "i8")])
"""A witness of the box being decided: where its remaining count stands in a key, and the unknown
cells that it has in later boxes."""

inbox_t = np.dtype([("belief", "i4"), ("sender", "i4"), ("senders", "i4")])
"""The messages to the box of a cell (see `belief`): where its belief is, its first witness in
`sender`, and how many they are. The messages follow the belief, all of the same length."""

slot_t = np.dtype([("key", "i8"), ("node", "i4"), ("stamp", "i4")])

stream_t = np.dtype([("state", "u8"), ("gamma", "u8")])
