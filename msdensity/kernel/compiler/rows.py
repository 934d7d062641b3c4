"""Sixteen rows of 32 cells in one vector, and the bit operations on them.

LLVM makes the widest instructions of the processor from it: one for AVX-512, two for AVX2, four for
SSE2. Whatever it makes, the bits are the same.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, register_model

from msdensity.kernel.compiler.directory import Items, item_pointer

ROWS, COLUMNS = 16, 32
"""Rows of a vector, and cells of a row: bit j of a row is its column j."""

WORD = ir.IntType(COLUMNS)
VECTOR = ir.VectorType(WORD, ROWS)


class Rows(types.Type):
    """The type of one vector of rows."""

    def __init__(self) -> None:
        super().__init__(name="Rows")


@register_model(Rows)
class RowsModel(PrimitiveModel):
    def __init__(self, manager: Any, kind: Rows) -> None:
        super().__init__(manager, kind, VECTOR)


rows_type = Rows()


def _add_operator(symbol: Any, build: str) -> None:
    @infer_global(symbol)
    class Of(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if all(isinstance(arg, Rows) for arg in args):
                return rows_type(*args)
            return None

    @lower_builtin(symbol, Rows, Rows)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, build)(*args)


for _name in ("and_", "or_", "xor"):
    _add_operator(getattr(operator, _name), _name)
    _add_operator(getattr(operator, f"i{_name.rstrip('_')}"), _name)


@infer_global(operator.invert)
class Inverted(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return rows_type(*args) if isinstance(args[0], Rows) else None


@lower_builtin(operator.invert, Rows)
def _invert(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(args[0])


def _constant(lanes: list[int]) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), lanes)


def _all_rows(builder: Any, word: Any) -> Any:
    """Return the vector that has this 64-bit number in each row."""
    word = builder.trunc(word, WORD)
    first = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), word, ir.Constant(WORD, 0))
    return builder.shuffle_vector(first, first, _constant([0] * ROWS))


def _pointer(context: Any, builder: Any, kind: Any, items: Any, at: Any) -> Any:
    if config.BOUNDSCHECK:
        last = builder.add(at, ir.Constant(at.type, ROWS - 1))
        item_pointer(context, builder, kind, items, types.int64, last)
    pointer = item_pointer(context, builder, kind, items, types.int64, at)
    return builder.bitcast(pointer, VECTOR.as_pointer())


def _is_plane(kind: Any) -> bool:
    return isinstance(kind, Items) and kind.dtype == types.uint32


@intrinsic
def get_rows(typing_context: Any, plane: Any, at: Any) -> Any:
    """Return the words at .. at + 15 of a plane."""
    if not _is_plane(plane):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_pointer(context, builder, sig.args[0], *args), align=4)

    return rows_type(plane, types.int64), generate


@intrinsic
def set_rows(typing_context: Any, plane: Any, at: Any, rows: Any) -> Any:
    """Write the words at .. at + 15 of a plane."""
    if not _is_plane(plane):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _pointer(context, builder, sig.args[0], args[0], args[1])
        builder.store(args[2], pointer, align=4)
        return context.get_dummy_value()

    return types.void(plane, types.int64, rows_type), generate


@intrinsic
def no_rows(typing_context: Any) -> Any:
    """Return a vector without any bit."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return ir.Constant(VECTOR, [0] * ROWS)

    return rows_type(), generate


@intrinsic
def first_row(typing_context: Any, word: Any) -> Any:
    """Return the vector whose first row is `word`, the others empty."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = builder.trunc(args[0], WORD)
        return builder.insert_element(ir.Constant(VECTOR, [0] * ROWS), word, ir.Constant(WORD, 0))

    return rows_type(types.int64), generate


@intrinsic
def each_row(typing_context: Any, word: Any) -> Any:
    """Return the vector with `word` in each row."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _all_rows(builder, args[0])

    return rows_type(types.int64), generate


@intrinsic
def east(typing_context: Any, rows: Any, columns: Any) -> Any:
    """Return the rows moved east: column j + columns gets what column j had."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.shl(args[0], _all_rows(builder, args[1]))

    return rows_type(rows, types.int64), generate


@intrinsic
def west(typing_context: Any, rows: Any, columns: Any) -> Any:
    """Return the rows moved west: column j gets what column j + columns had."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.lshr(args[0], _all_rows(builder, args[1]))

    return rows_type(rows, types.int64), generate


def _moved(name: str, lanes: list[int], what: str) -> Any:
    def move(typing_context: Any, rows: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.shuffle_vector(
                args[0], ir.Constant(VECTOR, [0] * ROWS), _constant(lanes)
            )

        return rows_type(rows), generate

    move.__name__ = name
    move.__doc__ = what
    return intrinsic(move)


south = _moved(
    "south", [ROWS, *range(ROWS - 1)], "Return the rows moved south; the first is empty."
)
north = _moved("north", [*range(1, ROWS), ROWS], "Return the rows moved north; the last is empty.")


@intrinsic
def any_bit(typing_context: Any, rows: Any) -> Any:
    """Return whether any bit is set."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        nonzero = builder.icmp_unsigned("!=", args[0], ir.Constant(VECTOR, [0] * ROWS))
        mask = builder.bitcast(nonzero, ir.IntType(ROWS))
        return builder.icmp_unsigned("!=", mask, ir.Constant(mask.type, 0))

    return types.boolean(rows), generate


@intrinsic
def bits_of(typing_context: Any, rows: Any) -> Any:
    """Return how many bits are set."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kinds = {f"llvm.ctpop.v{ROWS}i32": VECTOR, f"llvm.vector.reduce.add.v{ROWS}i32": WORD}
        count, add = (
            cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [VECTOR]), name)
            for name, kind in kinds.items()
        )
        total = builder.call(add, [builder.call(count, args)])
        return builder.zext(total, ir.IntType(64))

    return types.int64(rows), generate
