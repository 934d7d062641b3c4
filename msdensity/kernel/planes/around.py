"""What lies around every cell of a tile at once: sums of a plane over neighbours, and their union.

A sum of up to eight bits is held in four vectors, one for each binary digit. What is inside of the
tile and what is outside of it are summed apart, because only the inside changes while the
single-cell rule runs.
"""

from msdensity.kernel.compiler.jit import compiled, small
from msdensity.kernel.compiler.rows import (
    each_row,
    east,
    first_row,
    get_rows,
    no_rows,
    north,
    south,
    west,
)


@small
def most_of(a, b, c):
    """Return where at least two of three bits are set."""
    return (a & b) | (c & (a ^ b))


@small
def plus(a, b):
    """Return the four digits of a + b: numbers of four and of three digits."""
    a0, a1, a2, a3 = a
    b0, b1, b2 = b
    carry0 = a0 & b0
    carry1 = most_of(a1, b1, carry0)
    carry2 = most_of(a2, b2, carry1)
    return a0 ^ b0, a1 ^ b1 ^ carry0, a2 ^ b2 ^ carry1, a3 ^ carry2


@small
def minus(a, b):
    """Return the four digits of a - b, of 16 + a - b where b is more than a."""
    a0, a1, a2, a3 = a
    b0, b1, b2, b3 = b
    borrow0 = b0 & ~a0
    borrow1 = most_of(~a1, b1, borrow0)
    borrow2 = most_of(~a2, b2, borrow1)
    return a0 ^ b0, a1 ^ b1 ^ borrow0, a2 ^ b2 ^ borrow1, a3 ^ b3 ^ borrow2


@small
def unequal(a, b):
    """Return where two numbers of four digits differ."""
    a0, a1, a2, a3 = a
    b0, b1, b2, b3 = b
    return (a0 ^ b0) | (a1 ^ b1) | (a2 ^ b2) | (a3 ^ b3)


@small
def sum_inside(plane, slant_west, slant_east):
    """Return the four digits of the number of neighbours inside the tile that are in `plane`."""
    from_west = east(plane, 1)
    from_east = west(plane, 1)
    slant_a = from_west & slant_west
    slant_b = from_east & slant_east
    row0 = slant_a ^ plane ^ slant_b
    row1 = most_of(slant_a, plane, slant_b)
    own0 = from_west ^ from_east
    above0 = south(row0)
    above1 = south(row1)
    below0 = north(row0)
    below1 = north(row1)
    ones = above0 ^ below0 ^ own0
    carry = most_of(above0, below0, own0)
    own1 = from_west & from_east
    twos = above1 ^ below1 ^ own1
    fours = most_of(above1, below1, own1)
    over = twos & carry
    return ones, twos ^ carry, fours ^ over, fours & over


@small
def union_inside(plane, slant_west, slant_east):
    """Return the cells that have a neighbour in `plane` inside the tile; some are no cells."""
    from_west = east(plane, 1)
    from_east = west(plane, 1)
    row = plane | (from_west & slant_west) | (from_east & slant_east)
    return south(row) | north(row) | from_west | from_east


@small
def sides(board, at, plane):
    """Return the cells west and east of a tile as (beside, slanted, above, below), in its columns.

    beside: those in its rows; slanted: those of them that are diagonal neighbours; above, below:
    those in the row above its first and below its last one, as one word each.
    """
    tile = board.tile[at >> 4]
    gap = tile.west_width - 1
    edge = tile.width - 1
    from_west = west(get_rows(plane, tile.west), gap)
    from_east = east(get_rows(plane, tile.east) & each_row(1), edge)
    slanted = from_west & get_rows(board.slant_west, at)
    slanted |= from_east & get_rows(board.slant_east, at)
    above = (plane[tile.north_west] >> gap) & tile.slant_north
    above |= ((plane[tile.north_east] & 1) << edge) & tile.slant_north_east
    below = (plane[tile.south_west] >> gap) & tile.slant_south
    below |= ((plane[tile.south_east] & 1) << edge) & tile.slant_south_east
    return from_west | from_east, slanted, above, below


@small
def last_row(board, at, word):
    """Return the vector with `word` in the last row of the tile at word `at`, the others empty."""
    return each_row(word) & get_rows(board.last, at)


@compiled
def sum_outside(board, at, plane):
    """Return the three digits of the number of neighbours in `plane` outside the tile at `at`."""
    tile = board.tile[at >> 4]
    beside, slanted, above, below = sides(board, at, plane)
    before = south(slanted) | first_row(above)
    after = north(slanted) | last_row(board, at, below)
    side0 = before ^ after ^ beside
    side1 = most_of(before, after, beside)
    row0 = no_rows()
    row1 = no_rows()
    word = plane[tile.north]
    a = (word << 1) & tile.slant_north
    b = (word >> 1) & tile.slant_north_east
    row0 |= first_row(a ^ word ^ b)
    row1 |= first_row((a & word) | (b & (a ^ word)))
    word = plane[tile.south]
    a = (word << 1) & tile.slant_south
    b = (word >> 1) & tile.slant_south_east
    row0 |= last_row(board, at, a ^ word ^ b)
    row1 |= last_row(board, at, (a & word) | (b & (a ^ word)))
    carry = side0 & row0
    return side0 ^ row0, side1 ^ row1 ^ carry, most_of(side1, row1, carry)


@compiled
def union_outside(board, at, plane):
    """Return the cells of the tile at word `at` that have a neighbour in `plane` outside of it."""
    tile = board.tile[at >> 4]
    beside, slanted, above, below = sides(board, at, plane)
    word = plane[tile.north]
    above |= word | ((word << 1) & tile.slant_north) | ((word >> 1) & tile.slant_north_east)
    word = plane[tile.south]
    below |= word | ((word << 1) & tile.slant_south) | ((word >> 1) & tile.slant_south_east)
    return beside | south(slanted) | north(slanted) | first_row(above) | last_row(board, at, below)


@small
def union_around(board, at, plane):
    """Return the cells of the tile at word `at` that have a neighbour in `plane` anywhere."""
    inside = union_inside(
        get_rows(plane, at), get_rows(board.slant_west, at), get_rows(board.slant_east, at)
    )
    if board.tile[at >> 4].alone:
        return inside
    return inside | union_outside(board, at, plane)


@compiled
def sum_around(board, at, plane):
    """Return the four digits of the number of neighbours in `plane` of the tile at word `at`."""
    inside = sum_inside(
        get_rows(plane, at), get_rows(board.slant_west, at), get_rows(board.slant_east, at)
    )
    if board.tile[at >> 4].alone:
        return inside
    return plus(inside, sum_outside(board, at, plane))
