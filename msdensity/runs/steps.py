"""Steps of the workflow: functions of the package that its rules name, and their sources.

A step is named "MODULE:NAME" below the package, such as "stats.logistic:fits_table". The tables
that it takes and returns are checked against TABLES in the module `columns` of its room.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from msdensity.files.own_code import load_own_code
from msdensity.kernel.compiler.sources import PACKAGE
from msdensity.kernel.version import KERNEL_VERSION

Tables = Mapping[str, Any]
"""The columns of each table by its name."""

FOR_SNAKEMAKE = ("step", "sources", "depends", "seed", "kernel_version")
"""Params of a rule that decide when it runs again or are recorded; its function gets none."""

_TYPE_CHECKING = re.compile(r"^if TYPE_CHECKING:\n(?:(?: .*)?\n)+", re.MULTILINE)

_IMPORT = re.compile(
    r"^\s*(?:from (msdensity[\w.]*) import (\([^)]*\)|.*)|import (msdensity[\w.]*))", re.MULTILINE
)

_DATA = re.compile(r'"([\w./-]+\.(?:mplstyle|j2))"')
"""How a module names a data file that it reads, from its own folder or one above."""


def load(step: str) -> tuple[Any, Tables]:
    """Return the function that a step names, and the columns of the tables of its room."""
    module, _, name = step.partition(":")
    tables = import_module(f"msdensity.{_room(step)}.columns").TABLES
    return getattr(import_module(f"msdensity.{module}"), name), tables


def options(params: Any) -> dict[str, Any]:
    """Return the options that a rule passes to its step: its params except FOR_SNAKEMAKE.

    params: as Snakemake passes them to a script. `settings`, the path of a study's settings,
    becomes the settings.
    """
    values = dict(params.items())
    if "settings" in values:
        module = import_module(f"msdensity.{_room(params.step)}.settings")
        values["settings"] = module.load_settings(values["settings"])
    return {name: value for name, value in values.items() if name not in FOR_SNAKEMAKE}


def call(
    function: Callable[..., Any],
    tables: Tables,
    inputs: Any,
    options: Mapping[str, Any],
    offered: Mapping[str, Any],
) -> Any:
    """Return what the function of a step returns for its tables and options.

    inputs: by name (`items()`) the path of each table, or paths whose rows are joined; options:
    arguments that the function must take; offered: arguments that it may take. Raises TypeError for
    a table or an option that the function does not take.
    """
    from msdensity.files.tables import read_tables

    wanted = signature(function).parameters
    values = {name: value for name, value in offered.items() if name in wanted} | dict(options)
    paths_of = dict(inputs.items())
    if unknown := sorted({*values, *paths_of} - {*wanted}):
        raise TypeError(f"step {function.__name__} takes no {', '.join(unknown)}")
    for name, paths in paths_of.items():
        values[name] = read_tables([paths] if isinstance(paths, str) else list(paths), tables[name])
    return function(**values)


def write(made: Any, tables: Tables, outputs: Any) -> None:
    """Write what a step made: a table, or several by the names of the outputs, or JSON.

    outputs: the path of each table by its name (`items()`).
    """
    from msdensity.files.atomic import atomic_write
    from msdensity.files.tables import write_table

    for name, path in outputs.items():
        if path.endswith(".json"):
            with atomic_write(path) as file:
                json.dump(made, file, indent=1)
        else:
            write_table(path, made[name] if isinstance(made, dict) else made, tables[name])


@cache
def sources(step: str, package: Path = PACKAGE) -> tuple[Path, ...]:
    """Return the files of the package that a step depends on: what its module and columns import.

    Imports inside functions count, and so do the templates and the style that a module reads. The
    kernel and the players do not count, because KERNEL_VERSION and the golden games guard them.
    """
    module = step.partition(":")[0]
    open_ends = [*_files(module, package), *_files(f"{_room(step)}.columns", package)]
    files: set[Path] = set()
    while open_ends:
        path = open_ends.pop()
        if path not in files:
            files.add(path)
            open_ends += _imported(path, package)
    return tuple(sorted(files))


@cache
def sources_hash(step: str, package: Path = PACKAGE) -> str:
    """Return a hash of the contents of `sources` and KERNEL_VERSION, 16 hexadecimal digits."""
    digest = hashlib.blake2b(str(KERNEL_VERSION).encode(), digest_size=8)
    for path in sources(step, package):
        name = path.relative_to(package).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def models_hash(models: Iterable[str]) -> str:
    """Return hashes of the files that define models outside the package.

    models: names, see `msdensity.stats.models.load_model`. Empty if all are built in. A file that
    such a file imports does not count.
    """
    return " ".join(load_own_code("model", name).source for name in models if ":" in name)


def _room(step: str) -> str:
    """Return `stats`, or `studies.X` of the study X."""
    names = step.split(".")
    return ".".join(names[: 2 if names[0] == "studies" else 1])


@cache
def _imported(path: Path, package: Path) -> tuple[Path, ...]:
    """Return the files of the package that a file imports or reads."""
    if path.suffix != ".py":
        return ()
    text = _TYPE_CHECKING.sub("", path.read_text(encoding="utf-8"))
    names = set()
    for start, parts, whole in _IMPORT.findall(text):
        names |= {whole or start, *(f"{start}.{part}" for part in re.findall(r"\w+", parts))}
    own = [name.partition(".")[2] for name in names]
    folders = [folder for folder in path.parents if folder.is_relative_to(package)]
    data = [folder / name for name in _DATA.findall(text) for folder in folders]
    return tuple({f for name in own for f in _files(name, package)} | {*filter(Path.is_file, data)})


def _files(module: str, package: Path) -> list[Path]:
    """Return those files that exist of a module and of the packages around it."""
    names = module.split(".")
    if names[0] in ("kernel", "players"):
        return []
    places = [package.joinpath(*names[:depth], "__init__.py") for depth in range(len(names) + 1)]
    return [p for p in (*places, package.joinpath(*names).with_suffix(".py")) if os.path.isfile(p)]
