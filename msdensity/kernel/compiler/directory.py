"""How compiled code reaches its memory: one pointer for the whole workspace.

At every call, Numba passes an array as seven words and counts references to it. The kernel calls
functions at every click, so it passes a single pointer to a directory of (address, length)
instead; `ws.cell[c].state` then costs what it costs in C. Python keeps the arrays alive. With
NUMBA_BOUNDSCHECK=1 every index is checked, as for arrays; negative indices are not supported.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.core.datamodel.models import OpaqueModel, StructModel
from numba.core.imputils import lower_builtin, lower_getattr_generic
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
)
from numba.extending import intrinsic, register_model
from numba.np.numpy_support import from_dtype


class Items(types.Type):
    """The type of one array of a directory: an address and a length."""

    def __init__(self, dtype: types.Type) -> None:
        self.dtype = dtype
        super().__init__(name=f"Items({dtype})")


@register_model(Items)
class ItemsModel(StructModel):
    def __init__(self, manager: Any, kind: Items) -> None:
        super().__init__(manager, kind, [("data", types.voidptr), ("length", types.int64)])


class Directory(types.Type):
    """The type of a pointer to (address, length) pairs, one for each named array."""

    def __init__(self, name: str, fields: dict[str, Any]) -> None:
        self.fields = {
            field: (place, Items(from_dtype(np.dtype(dtype))))
            for place, (field, dtype) in enumerate(fields.items())
        }
        self.kind = name
        super().__init__(name=f"Directory({name})")


@register_model(Directory)
class DirectoryModel(OpaqueModel):
    pass


@infer_getattr
class DirectoryAttribute(AttributeTemplate):
    key = Directory

    def generic_resolve(self, directory: Directory, name: str) -> types.Type | None:
        return directory.fields[name][1] if name in directory.fields else None


@lower_getattr_generic(Directory)
def _get_items(context: Any, builder: Any, kind: Directory, value: Any, name: str) -> Any:
    place, items_type = kind.fields[name]
    word = ir.IntType(64)
    words = builder.bitcast(value, word.as_pointer())
    items = cgutils.create_struct_proxy(items_type)(context, builder)
    address, length = (
        builder.load(builder.gep(words, [ir.Constant(word, 2 * place + k)])) for k in range(2)
    )
    # Compiled code never writes a directory, so LLVM need not load it again after other stores.
    unchanged = builder.module.add_metadata([])
    address.set_metadata("invariant.load", unchanged)
    length.set_metadata("invariant.load", unchanged)
    items.data = builder.inttoptr(address, cgutils.voidptr_t)
    items.length = length
    return items._getvalue()


def item_pointer(context: Any, builder: Any, kind: Items, value: Any, index_type: Any, index: Any):
    items = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    index = context.cast(builder, index, index_type, types.int64)
    if config.BOUNDSCHECK:
        cgutils.do_boundscheck(context, builder, index, items.length)
        negative = builder.icmp_signed("<", index, ir.Constant(index.type, 0))
        with builder.if_then(negative, likely=False):
            context.call_conv.return_user_exc(builder, IndexError, ("negative index",))
    if isinstance(kind.dtype, types.Record):
        size = kind.dtype.size
        offset = builder.mul(index, ir.Constant(index.type, size))
        return builder.gep(items.data, [offset])
    pointer = builder.bitcast(items.data, context.get_data_type(kind.dtype).as_pointer())
    return builder.gep(pointer, [index])


@infer_global(operator.getitem)
class ItemsGet(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        items, index = args
        if isinstance(items, Items) and isinstance(index, types.Integer):
            # one integer type for all indices, so that each function is compiled once
            narrow = isinstance(items.dtype, types.Integer) and items.dtype.bitwidth < 64
            return (types.int64 if narrow else items.dtype)(items, types.int64)
        return None


@lower_builtin(operator.getitem, Items, types.Integer)
def _get_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer = item_pointer(context, builder, sig.args[0], args[0], sig.args[1], args[1])
    if isinstance(sig.return_type, types.Record):
        return builder.bitcast(pointer, context.get_value_type(sig.return_type))
    stored = sig.args[0].dtype
    return context.cast(
        builder, context.unpack_value(builder, stored, pointer), stored, sig.return_type
    )


@infer_global(operator.setitem)
class ItemsSet(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        items, index, value = args
        if isinstance(items, Items) and isinstance(index, types.Integer):
            stored = items.dtype if isinstance(items.dtype, types.Record) else value
            return types.void(items, types.int64, stored)
        return None


@lower_builtin(operator.setitem, Items, types.Integer, types.Any)
def _set_item(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    items_type, index_type, value_type = sig.args
    pointer = item_pointer(context, builder, items_type, args[0], index_type, args[1])
    if isinstance(items_type.dtype, types.Record):
        size = ir.Constant(ir.IntType(64), items_type.dtype.size)
        cgutils.raw_memcpy(
            builder, pointer, builder.bitcast(args[2], pointer.type), size, itemsize=1
        )
    else:
        value = context.cast(builder, args[2], value_type, items_type.dtype)
        context.pack_value(builder, items_type.dtype, value, pointer)
    return context.get_dummy_value()


@infer_global(len)
class ItemsLength(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return types.int64(*args) if len(args) == 1 and isinstance(args[0], Items) else None


@lower_builtin(len, Items)
def _length(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]).length


def opener(directory: Directory) -> Any:
    """Return the function that turns the words of a directory into the compiled view of it."""

    def open_directory(typing_context: Any, words: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            array = context.make_array(sig.args[0])(context, builder, value=args[0])
            return builder.bitcast(array.data, cgutils.voidptr_t)

        return directory(words), generate

    open_directory.__name__ = f"open_{directory.kind}"
    return intrinsic(open_directory)


def directory_words(arrays: dict[str, np.ndarray]) -> np.ndarray:
    """Return the directory of these arrays (in this order): address and length of each."""
    words = [word for a in arrays.values() for word in (a.ctypes.data, len(a))]
    return np.array(words, dtype=np.int64)
