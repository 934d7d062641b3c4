"""User code named "module:function", from the working directory or an installed package."""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from msdensity.errors import InputError, OwnFileError, printable, shown

_NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*", re.ASCII)


class OwnCode(NamedTuple):
    """The object of a name, and a hash of its file (12 hexadecimal digits)."""

    value: Any
    source: str


def names_own_code(name: object) -> bool:
    """Return whether a value is a name of the form "module:function"."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


_files: dict[str, str] = {}


def own_files() -> dict[str, str]:
    """Return the SHA-256 of each file that this process loaded, as it was then, by its path."""
    return dict(_files)


@cache
def load_own_code(field: str, name: str) -> OwnCode:
    """Return the object called "module:function"; a process loads it once.

    The working directory comes first. The hash is of the module's file only, not of what it
    imports. Raises InputError, which names the field, for a name of another form or one that cannot
    be imported.
    """
    if not names_own_code(name):
        raise InputError(f"{field}={shown(name)} must be module:function")
    module_name, _, function = name.partition(":")
    sys.path.insert(0, "")
    try:
        module = importlib.import_module(module_name)
    except Exception as error:  # whatever the user's module raises
        cause = printable(f"{type(error).__name__}: {error}")
        if isinstance(error, ModuleNotFoundError):
            cause += printable(
                f": looked in the working folder, {os.getcwd()}, and in Python's, but not beside a"
                " configuration: put the file into the working folder"
            )
        raise OwnFileError(f"{field}={name}: cannot import {module_name}: {cause}") from error
    finally:
        sys.path.remove("")
    path = getattr(module, "__file__", None)
    if path is None:
        raise InputError(f"{field}={name} must be in a file, {module_name} has none")
    if not hasattr(module, function):
        raise OwnFileError(f"{field}={name}: {path} has no {function}")
    code = Path(path).read_bytes()
    _files[_short(path)] = hashlib.sha256(code).hexdigest()
    source = hashlib.blake2b(code, digest_size=6).hexdigest()
    return OwnCode(getattr(module, function), source)


def _short(path: str) -> str:
    """Return a path below the working directory as it is called from there."""
    near = os.path.relpath(path)
    return path if near.startswith("..") else near
