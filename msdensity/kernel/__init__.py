"""What runs at every click: Numba and numpy only, no files, no pandas, no configuration.

Where each step of paper 001 is, in the order of a game:

=================================================  ==============================================
board, neighbours K(a) (section 2)                 topology, own_table
random streams, mines under the first-click rule   rng, field
opening, cascade, marking: the sets S, M, U        knowledge
certain cells, single and in pairs (section 3)     deduction
exposed cells E, boxes, components                 frontier
all configurations of a component (4.1.1, 4.3.1)   states
their weights by number of mines (4.10)            counting
what the number of mines makes certain (3.9)       mine_count
safety P_S of every cell (4.10, 4.22)              safety, tilt
components too large to count                      relaxation
one game up to its next guess (section 6)          play
games first .. first + count - 1 of a task         batch
a position given from outside                      position, reduction
=================================================  ==============================================

The guess itself is the player's: `msdensity.players`. `state` documents the memory of a game,
`memory` how compiled code reaches it, `jit` how it is compiled and kept, `clock` how it is
profiled.
"""
