"""What runs at every click: Numba and numpy only, no pandas, no configuration.

A witness is a boundary cell (the set B); a box holds the exposed cells with the same witnesses;
boxes connected through witnesses form a component; a state is what its open witnesses still need.
The module of each step of paper 001, in the order of a game:

=================================================  ==============================================
board, neighbours K(a) (section 2)                 topology
random streams, mines under the first-click rule   rng, field
opening, cascade, marking: the sets S, M, U        knowledge
certain cells, single and in pairs (section 3)     deduction
exposed cells E, boxes, components                 frontier
all configurations of a component (4.1.1, 4.3.1)   states
their weights by number of mines (formula 4.10)    counting
cells certain by the number of mines (3.1.1)       mine_count
safety P_S (formulas 4.10 and 4.22)                safety
components too large to count                      parts, belief, relaxation
one game up to its next guess (section 6)          play
games first .. first + count - 1 of a task         batch
a position from outside                            position
a board shown to people                            deal
names, measures and version, without Numba         names, measures, version
=================================================  ==============================================

`msdensity.kernel.planes` has other versions of the second to the fifth of these steps, one bit for
each cell, for boards whose neighbours are the same few steps everywhere.

The player makes the guess: `msdensity.players`. `state` describes the memory of a game, `compiler`
how the code is compiled and cached, `clock` how it is profiled, docs/explanation/speed.md what a
game costs and why.
"""
