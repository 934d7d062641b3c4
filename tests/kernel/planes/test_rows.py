"""Vectors of rows against numpy: every operation on random words, and checked indices."""

import os
import subprocess
import sys

import numpy as np

from msdensity.kernel.compiler.bits import bits, lowest
from msdensity.kernel.compiler.directory import Directory, opener
from msdensity.kernel.compiler.jit import compiling, entry
from msdensity.kernel.compiler.rows import (
    COLUMNS,
    ROWS,
    any_bit,
    bits_of,
    each_row,
    east,
    first_row,
    get_rows,
    no_rows,
    north,
    set_rows,
    south,
    west,
)
from msdensity.kernel.state import Memory

FIELDS = {"a": "u4", "b": "u4", "out": "u4", "number": "i8"}

OPERATIONS = 15
"""Vectors that `operate` writes."""

open_vectors = opener(Directory("Vectors", FIELDS))


@entry
def operate(words, at, word, columns):
    """Write the result of each operation on the vectors at word `at` of a and b."""
    memory = open_vectors(words)
    a = get_rows(memory.a, at)
    b = get_rows(memory.b, at)
    in_and = a
    in_and &= b
    in_or = a
    in_or |= b
    in_xor = a
    in_xor ^= b
    out = memory.out
    set_rows(out, 0, a & b)
    set_rows(out, 16, a | b)
    set_rows(out, 32, a ^ b)
    set_rows(out, 48, ~a)
    set_rows(out, 64, in_and)
    set_rows(out, 80, in_or)
    set_rows(out, 96, in_xor)
    set_rows(out, 112, east(a, columns))
    set_rows(out, 128, west(a, columns))
    set_rows(out, 144, north(a))
    set_rows(out, 160, south(a))
    set_rows(out, 176, first_row(word))
    set_rows(out, 192, each_row(word))
    set_rows(out, 208, no_rows())
    set_rows(out, 224, a)
    memory.number[0] = any_bit(a)
    memory.number[1] = bits_of(a)
    memory.number[2] = any_bit(no_rows())
    memory.number[3] = bits(word)
    memory.number[4] = lowest(word)


def expected(a: np.ndarray, b: np.ndarray, word: int, columns: int) -> np.ndarray:
    """Return what `operate` must write, by numpy."""
    blank = np.zeros(1, np.uint32)
    low = np.uint32(word % (1 << 32))
    first = np.concatenate([[low], np.zeros(ROWS - 1, np.uint32)])
    east_of, west_of = a << np.uint32(columns), a >> np.uint32(columns)
    moved = [np.append(a[1:], blank), np.append(blank, a[:-1])]
    every, empty = np.full(ROWS, low), np.zeros(ROWS, np.uint32)
    three = [a & b, a | b, a ^ b]
    return np.concatenate(
        [*three, ~a, *three, east_of, west_of, *moved, first, every, empty, a]
    ).astype(np.uint32)


def vectors() -> Memory:
    """Return memory with room for two vectors at any word, and for all results."""
    sizes = {"a": 3 * ROWS, "b": 3 * ROWS, "out": OPERATIONS * ROWS, "number": 5}
    return Memory(FIELDS, {name: np.zeros(size, FIELDS[name]) for name, size in sizes.items()})


def test_every_operation_is_that_of_numpy() -> None:
    rng = np.random.default_rng(1)
    memory = vectors()
    for step in range(40 * COLUMNS):
        few = rng.integers(0, 2**32, 3 * ROWS, np.uint32) & rng.integers(
            0, 2**32, 3 * ROWS, np.uint32
        )
        memory.a[:] = [few, ~few, np.uint32(0)][step % 3]
        memory.b[:] = rng.integers(0, 2**32, 3 * ROWS, np.uint32)
        at, columns = int(rng.integers(0, 2 * ROWS + 1)), step % COLUMNS
        word = int(rng.integers(-(2**63), 2**63 - 1))
        if step % 6 == 2:  # one bit in all, at each place in turn
            memory.a[at + step % ROWS] = 1 << (step // 6 % COLUMNS)
        with compiling(operate):
            operate(memory.words, at, word, columns)
        a, b = memory.a[at : at + ROWS], memory.b[at : at + ROWS]
        assert (memory.out == expected(a, b, word, columns)).all()
        ones = sum(int(row).bit_count() for row in a)
        unsigned = word % 2**64
        lowest_one = (unsigned & -unsigned).bit_length() - 1
        assert memory.number.tolist() == [ones > 0, ones, 0, unsigned.bit_count(), lowest_one]
        assert not (memory.out == expected(b, a, word, columns)).all()  # the order matters


def test_a_vector_is_written_where_it_belongs_and_nowhere_else() -> None:
    memory = vectors()
    for at in range(2 * ROWS + 1):
        memory.a[:] = np.arange(1, 3 * ROWS + 1)
        memory.b[:] = 99
        with compiling(copy):
            copy(memory.words, at, at)
        inside = (np.arange(3 * ROWS) >= at) & (np.arange(3 * ROWS) < at + ROWS)
        assert (memory.b == np.where(inside, memory.a, 99)).all()


@entry
def copy(words, source, target):
    """Copy a vector from a to b."""
    memory = open_vectors(words)
    set_rows(memory.b, target, get_rows(memory.a, source))


CHECKED = """
import numba
import numpy as np
from msdensity.kernel.compiler.directory import Directory, opener
from msdensity.kernel.compiler.rows import get_rows, set_rows
from msdensity.kernel.state import Memory

FIELDS = {"a": "u4", "b": "u4"}
open_vectors = opener(Directory("Vectors", FIELDS))

@numba.njit(error_model="numpy")
def copy(words, source, target):
    memory = open_vectors(words)
    set_rows(memory.b, target, get_rows(memory.a, source))

memory = Memory(FIELDS, {"a": np.arange(48), "b": np.zeros(48)})
for source, target in ((0, 0), (32, 32), (33, 0), (0, 33), (-1, 0), (0, -1), (1 << 40, 0)):
    try:
        copy(memory.words, source, target)
        print("copied")
    except IndexError:
        print("refused")
"""


def test_an_index_past_the_end_raises_if_indices_are_checked() -> None:
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run(
        [sys.executable, "-c", CHECKED], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["copied"] * 2 + ["refused"] * 5
