"""Read files from outside as data only, within limits; anything else is one InputError."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import yaml

from msdensity.errors import InputError, printable, shown

if TYPE_CHECKING:
    import pandas as pd

MAX_YAML_BYTES = 200_000

MAX_VALUES = 50_000
"""Values in a file of settings; the values of an alias (`*name`) count each time."""

MAX_DEPTH = 50

MAX_BITS = 256
"""Of an integer: YAML takes any number of hexadecimal digits."""

MAX_TEXT_BYTES = 10**9

# What PyYAML raises if a value does not fit its tag, such as 2024-13-45 or !!bool x.
_YAML_ERRORS = (
    *(yaml.YAMLError, ValueError, TypeError, KeyError, IndexError, AttributeError),
    *(RecursionError, OverflowError),
)


def read_text(
    path: str | os.PathLike[str],
    what: str,
    max_bytes: int = MAX_TEXT_BYTES,
    *,
    stdin: bool = False,
) -> str:
    """Return the text (UTF-8) of a file; `what` names it in an InputError.

    max_bytes: its largest size; stdin: read standard input instead.
    """
    what = printable(what)
    try:
        if stdin:
            text = sys.stdin.read(max_bytes + 1)
            size = len(text)
        else:
            # A pipe in a folder may have no writer; that of a shell, /dev/fd/63, has one.
            if stat.S_ISFIFO(os.stat(path).st_mode) and not os.fspath(path).startswith("/dev/"):
                raise OSError(errno.EINVAL, "No regular file")
            with open(path, "rb") as file:
                data = file.read(max_bytes + 1)
            size = len(data)
            # A byte order mark, as some editors write it, is not part of the text.
            text = data.decode("utf-8-sig") if size <= max_bytes else ""
    except OSError as error:
        raise InputError(f"{what} must be a readable text file: {error.strerror}") from None
    except ValueError as error:  # not UTF-8; a path with a NUL character
        raise InputError(f"{what} must be a readable text file: {error}") from None
    if size > max_bytes:
        raise InputError(f"{what} must have at most {max_bytes:,} bytes")
    return text


def read_csv(path: str | os.PathLike[str], what: str, **options: Any) -> pd.DataFrame:
    """Return the table of a CSV file; options: of pandas.read_csv; `what` names it in errors."""
    import pandas as pd

    what = printable(what)
    text = read_text(path, what)
    try:
        table = pd.read_csv(io.StringIO(text), **options)
    except (ValueError, OverflowError) as error:  # pandas' own errors are ValueErrors
        reason = " ".join(str(error).split())
        raise InputError(f"{what} must be CSV: {reason}") from None
    # Pandas takes surplus columns for names of rows.
    if not isinstance(table.index, pd.RangeIndex):
        raise InputError(f"{what} must have as many columns in every row as names in the first")
    return table


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with a limit of depth: it is slow and recursive in deep files."""

    def fetch_flow_collection_start(self, token_class: Any) -> None:
        if self.flow_level >= MAX_DEPTH:
            raise yaml.YAMLError(f"brackets must be nested at most {MAX_DEPTH} deep")
        super().fetch_flow_collection_start(token_class)

    def add_indent(self, column: int) -> bool:
        if len(self.indents) > MAX_DEPTH:
            raise yaml.YAMLError(f"blocks must be nested at most {MAX_DEPTH} deep")
        return bool(super().add_indent(column))


def read_yaml(path: str | os.PathLike[str], what: str) -> Any:
    """Return the plain values in a YAML file of settings; `what` names it in an InputError."""
    what = printable(what)
    try:
        loader = _Loader(read_text(path, what, MAX_YAML_BYTES))
        node = loader.get_single_node()
        if node is None:
            return None
        # Count before values are made: a merge key (`<<`) copies the values of its alias.
        _count(node, {}, what)
        _check_meaning(node, what)
        values = loader.construct_document(node)
    except InputError:
        raise
    except _YAML_ERRORS as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"{what} must be YAML: {reason}") from None
    check_plain(values, what)
    return values


def check_plain(values: Any, what: str) -> None:
    """Raise InputError for more values, deeper nesting or longer integers than settings have."""
    left = [(values, 0)]
    seen = 0
    while left:
        value, depth = left.pop()
        seen += 1
        if seen > MAX_VALUES or depth > MAX_DEPTH:
            raise _too_much(what)
        if isinstance(value, int) and value.bit_length() > MAX_BITS:
            raise InputError(
                f"{what} holds an integer of {value.bit_length()} bits, must be at most {MAX_BITS}"
            )
        if isinstance(value, Mapping):
            left += [(part, depth + 1) for pair in value.items() for part in pair]
        elif isinstance(value, list | tuple | set | frozenset):
            left += [(part, depth + 1) for part in value]


def _count(node: yaml.Node, counted: dict[int, int], what: str) -> int:
    """Return the number of values of a node with its aliases; a node inside itself has too many."""
    key = id(node)
    if key not in counted:
        counted[key] = MAX_VALUES
        total = 1
        if not isinstance(node, yaml.ScalarNode):
            for part in node.value:
                pair = part if isinstance(part, tuple) else (part,)
                total += sum(_count(child, counted, what) for child in pair)
        counted[key] = total
    if counted[key] >= MAX_VALUES:
        raise _too_much(what)
    return counted[key]


_OTHER_BASES = re.compile(r"[-+]?(0[0-7_]+|[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?)")
"""Numbers that YAML 1.1 reads in base 8 or 60, which nobody means."""

_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


def _check_meaning(node: yaml.Node, what: str) -> None:
    """Raise InputError for a key given twice, and for a number that YAML reads as another one."""
    left, seen = [node], set()
    while left:
        node = left.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        where = f"{what}, line {node.start_mark.line + 1}"
        if isinstance(node, yaml.MappingNode):
            keys = set()
            for key, value in node.value:
                if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                    if key.value in keys:
                        line = f"{what}, line {key.start_mark.line + 1}"
                        raise InputError(f"{line}: key {shown(key.value)} must be given once")
                    keys.add(key.value)
                left += [key, value]
        elif isinstance(node, yaml.SequenceNode):
            left += node.value
        elif node.tag in _NUMBERS and _OTHER_BASES.fullmatch(node.value):
            raise InputError(
                f"{where}: {node.value} must be a decimal number without a 0 before it and without"
                " colons"
            )


def _too_much(what: str) -> InputError:
    return InputError(
        f"{what} must hold fewer than {MAX_VALUES:,} values, nested at most {MAX_DEPTH} deep"
    )
