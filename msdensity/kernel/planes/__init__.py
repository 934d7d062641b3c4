"""Boards in planes: one bit for each cell, and a rule for hundreds of cells at once.

On a board whose neighbours are the same few steps everywhere, a plane holds one fact about all
cells, such as which are opened. A tile is a part of it that fits into one vector, 16 rows of 32
cells. The module of each step:

=========================================  ========
tiles of a board                           tiles
numbers and neighbours of a whole tile     around
one cell: open, mark, guess                cells
single-cell rule, cascade (section 3)      single
pair rule                                  pairs
exposed cells, boxes, components           walk
all certain cells                          deduction
=========================================  ========

The other boards have a record for each cell (`msdensity.kernel.knowledge`); counting and safeties
are common to both.
"""
