"""A record of every file that a job makes: the code, settings and inputs that it comes from.

Records are kept apart from the results, in `provenance/` under the results' paths, so that equal
results have equal bytes whenever and wherever they are made.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import re
import shlex
import subprocess
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msdensity.errors import InputError, printable
from msdensity.files.atomic import atomic_write
from msdensity.files.own_code import own_files
from msdensity.files.text import read_text, read_yaml
from msdensity.kernel.compiler.sources import PACKAGE, source_hash
from msdensity.kernel.version import KERNEL_VERSION

FOLDER = "provenance"
"""Folder of the records, in the folder in which Snakemake runs."""

SCHEMA = 1
"""Version of the form of a record."""

PACKAGES = ("numpy", "scipy", "pandas", "statsmodels", "matplotlib", "numba", "joblib", "snakemake")
"""Packages whose versions are recorded, with Python's."""

SETTINGS = (".yaml", ".yml")
"""Endings of files of settings."""

_CODE = ("msdensity", "workflow", "Snakefile", "pyproject.toml")


def begin_record(
    *,
    rule: str,
    inputs: Iterable[str | os.PathLike[str]],
    params: Mapping[str, Any],
    config: Mapping[str, Any],
    configfile: str | None,
    folder: str | os.PathLike[str] = FOLDER,
) -> dict[str, Any]:
    """Return what is known of a job before it does anything, for `write_records` at its end.

    The job runs the code as it is now, whatever is committed or edited while it runs. Raises
    InputError for an input that has a record and was changed since it was made.

    inputs: paths as the workflow names them; params: of the rule, with the contents of files of
    settings, and `seed` if the job itself plays or draws by it; config: the whole configuration;
    configfile: its file (None: it is in no file).
    """
    hashes = _hashes(inputs)
    for path, digest in hashes.items():
        require_as_made(path, digest, folder)
    return {
        "rule": rule,
        "code": dict(code_version()),
        "kernel": {"version": KERNEL_VERSION, "sources": source_hash()},
        "seed": params.get("seed"),
        "config": dict(config),
        "configfile": configfile and named(configfile),
        "params": plain_params(params),
        "packages": package_versions(),
        "system": f"{platform.system()} {platform.machine()}",
        "inputs": hashes,
    }


def require_as_made(path: str, digest: str, folder: str | os.PathLike[str] = FOLDER) -> None:
    """Raise InputError for a file with another hash than the record of how it was made.

    A file without a record is one of the user's own. A job that makes a file again also writes its
    record again.
    """
    place = record_path(path, folder)
    if not os.path.isfile(place):
        return
    record = read_record(place)
    if record["sha256"] != digest:
        again = ["snakemake", "--cores", "16", "--force", path]
        if record["configfile"]:
            again[3:3] = ["--configfile", record["configfile"]]
        raise InputError(
            f"input {printable(path)} was changed since rule {printable(record['rule'])} made it:"
            f" make it again with `{printable(shlex.join(again))}`; if the change is wanted, delete"
            f" {printable(os.fspath(place))}, and the file counts as your own"
        )


def write_records(
    outputs: Iterable[str],
    begun: Mapping[str, Any],
    *,
    ledgers: Iterable[str | os.PathLike[str]] = (),
    cpu_seconds_before: float = 0.0,
    more_games: Iterable[int] = (),
    folder: str | os.PathLike[str] = FOLDER,
) -> None:
    """Write a record for each output of a job that is about to end.

    begun: by `begin_record`; ledgers: inputs that the job itself added to, as they are at its end;
    cpu_seconds_before: of earlier attempts that were interrupted; more_games: for a number of
    mines, where a table holds more than the configuration asks for. Raises OSError if nothing can
    be written, InputError if an output is gone.
    """
    code = begun["code"]
    shared = dict(begun) | {
        "schema": SCHEMA,
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
        "cpu_seconds": round(sum(os.times()[:2]) + cpu_seconds_before, 3),
        # If so, a module that is loaded late may be of either version.
        "code": code | {"edited_meanwhile": _sources() != code["sources"]},
        "inputs": dict(begun["inputs"]) | _hashes(ledgers),
        "own_files": own_files(),
        "more_games": sorted(set(more_games)),
    }
    for path in outputs:
        try:
            digest = sha256(path)
        except FileNotFoundError:
            raise InputError(
                f"{path} was removed while its job worked: does another run use the same folder?"
                " Run again when it has ended"
            ) from None
        with atomic_write(record_path(path, folder)) as file:
            record = {"file": path, "sha256": digest} | shared
            json.dump(record, file, indent=1, ensure_ascii=False)
            file.write("\n")


def _hashes(paths: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    names = sorted({os.fspath(path) for path in paths})
    return {name: sha256(name) for name in names if os.path.isfile(name)}


def record_path(path: str | os.PathLike[str], folder: str | os.PathLike[str] = FOLDER) -> Path:
    """Return the file of the record of a result, named by the result's path."""
    return Path(folder) / f"{os.fspath(path)}.json"


def sidecar(path: str | os.PathLike[str]) -> Path:
    """Return the file of the record beside a result, for a folder without other records."""
    return Path(f"{os.fspath(path)}.json")


def sha256(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file's bytes, 64 hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@functools.cache
def code_version() -> dict[str, Any]:
    """Return the package's version, the commit checked out, files changed since, a source hash.

    commit: None if the package is not in its own checkout; dirty: the changed files among those
    that make results.
    """
    from msdensity import __version__

    root = PACKAGE.parent
    commit = dirty = None
    # The package may only be installed inside the checkout of another project.
    if _git(root, "ls-files", "--error-unmatch", "msdensity/__init__.py") is not None:
        commit = _git(root, "rev-parse", "HEAD")
        dirty = _git(root, "status", "--porcelain", "--", *_CODE)
    return {
        "version": __version__,
        "commit": commit,
        "dirty": [line[3:] for line in (dirty or "").splitlines()],
        "sources": _sources(),
    }


def _sources() -> str:
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(PACKAGE.rglob("*.py")):
        name = source.relative_to(PACKAGE).as_posix()
        digest.update(name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()


@functools.cache
def package_versions() -> dict[str, str]:
    """Return the versions of Python and of those PACKAGES that are installed."""
    from importlib.metadata import PackageNotFoundError, version

    versions = {"Python": platform.python_version()}
    for name in PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions


def _git(root: Path, *arguments: str) -> str | None:
    """Return what git prints; None if there is no git or no repository, or if it fails."""
    # Of this checkout, whoever owns it (its code runs anyway), and of no other that GIT_DIR names.
    git = ["git", "--no-optional-locks", "-c", f"safe.directory={os.path.realpath(root)}"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    try:
        # Not strip(): a status line may begin with a space.
        run = subprocess.run(
            [*git, "-C", str(root), *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return run.stdout.rstrip("\n")


def named(path: str) -> str:
    """Return the path of a file of settings; its name alone if it is not below this folder.

    The way there would name the user, and leads nowhere on another machine.
    """
    below = os.path.relpath(path)
    return os.path.basename(path) if below.startswith("..") or os.path.isabs(below) else below


def plain_params(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return params as a record that is read again has them."""
    plain = {name: _plain(value) for name, value in params.items()}
    return json.loads(json.dumps(plain))


def _plain(value: Any) -> Any:
    """Return a parameter in a form that JSON can hold; a file of settings with its contents."""
    if isinstance(value, str) and value.endswith(SETTINGS) and os.path.isfile(value):
        return {named(value): read_yaml(value, f"settings {value}")}
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return str(value)
    return value


def read_record(place: Path) -> dict[str, Any]:
    """Return the record in a file; InputError if it cannot be read or has another form."""
    try:
        record = json.loads(read_text(place, "record"))
        if isinstance(record, dict):
            for key, empty in (("more_games", []), ("own_files", {})):
                record.setdefault(key, empty)  # records of earlier versions
        if _fits(record, _FORM) and record["schema"] == SCHEMA and _harmless(record):
            return record
    except (ValueError, RecursionError):
        pass
    raise InputError(f"record {place} cannot be read: make its file again")


def _harmless(record: Mapping[str, Any]) -> bool:
    """Whether the command made of the record has no options but its own."""
    commit, words = record["code"]["commit"], (record["file"], record["configfile"] or "")
    good = commit is None or re.fullmatch("[0-9a-f]{7,64}", commit)
    return bool(good) and not any(word.startswith("-") for word in words)


_FORM: dict[str, Any] = {
    "schema": int,
    "file": str,
    "sha256": str,
    "rule": str,
    "date": str,
    "cpu_seconds": (int, float),
    "code": {"version": str, "commit": (str, type(None)), "dirty": [str], "sources": str},
    "kernel": {"version": int, "sources": str},
    "seed": (int, type(None)),
    "config": dict,
    "configfile": (str, type(None)),
    "params": {None: object},
    "packages": {None: str},
    "system": str,
    "inputs": {None: str},
    "own_files": {None: str},
    "more_games": [int],
}
"""Keys of a record that are checked, each with its type; None stands for any key."""


def _fits(value: Any, form: Any) -> bool:
    if isinstance(form, list):
        return isinstance(value, list) and all(_fits(part, form[0]) for part in value)
    if not isinstance(form, dict):
        return isinstance(value, form)
    if not isinstance(value, dict):
        return False
    if None in form:
        return all(_fits(part, form[None]) for part in value.values())
    return all(key in value and _fits(value[key], part) for key, part in form.items())
