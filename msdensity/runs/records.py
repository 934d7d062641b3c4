"""Where a result comes from: a record of every file that a job makes, and how to make it again.

Records are kept apart from the results, in `provenance/` with the results' own paths, so that
equal results keep equal bytes whenever and wherever they are made.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import shlex
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msdensity.errors import InputError
from msdensity.files.atomic import atomic_write
from msdensity.files.text import read_text, read_yaml
from msdensity.kernel.compiler.sources import PACKAGE, source_hash
from msdensity.kernel.version import KERNEL_VERSION

FOLDER = "provenance"
"""Where records are, below the folder in which Snakemake runs."""

SCHEMA = 1
"""Version of the form of a record."""

PACKAGES = ("numpy", "scipy", "pandas", "statsmodels", "matplotlib", "numba", "joblib", "snakemake")
"""Packages whose versions are noted, beside Python's."""

_SETTINGS = (".yaml", ".yml")

_CODE = ("msdensity", "workflow", "Snakefile", "pyproject.toml")


@dataclass(frozen=True)
class Finding:
    """A record that was found, and what has become of what it names.

    file: the file asked for; record: what `write_records` wrote; changed: whether the file differs
    from the one recorded; inputs: for each input "unchanged", "changed" or "gone"; jobs: CPU
    seconds of the job and of all on record that its inputs come from; games: CPU seconds of all
    games in the ledgers among these, in whatever runs they were played; seeds: of the games and
    draws of these jobs; settings: of each file of settings that they took, beside the
    configuration, the same words as for inputs; config: that of the configuration's file, "gone"
    also where there never was one; more_games: for a number of mines, where tables hold more than
    were asked for, from an earlier run; whole: whether all that its inputs come from is on record.
    """

    file: Path
    record: Mapping[str, Any]
    changed: bool
    inputs: Mapping[str, str]
    jobs: float
    games: float
    seeds: tuple[int, ...]
    settings: Mapping[str, str]
    config: str
    more_games: tuple[int, ...] = ()
    whole: bool = True

    def command(self) -> str:
        """Return the command that makes the file again, in a checkout of the same commit."""
        where = self.record["configfile"]
        if self.config != "unchanged":
            where = "config.yaml"  # as `msdensity provenance FILE --config` prints it
        checkout = self.record["code"]["commit"]
        first = f"git checkout {checkout} && " if checkout else ""
        words = ["snakemake", "--cores", "16", "--configfile", where, "--force"]
        return first + shlex.join([*words, self.record["file"]])

    def report(self) -> str:
        """Return the record in words."""
        record, code, kernel = self.record, self.record["code"], self.record["kernel"]
        commit = code["commit"] or "of no known commit"
        if code["dirty"]:
            more = f" and {len(code['dirty']) - 3} more" if len(code["dirty"]) > 3 else ""
            commit += f" with changes ({', '.join(code['dirty'][:3])}{more})"
        if code.get("edited_meanwhile"):
            commit += ", EDITED while the job ran"
        packages = ", ".join(f"{name} {version}" for name, version in record["packages"].items())
        found, settings = (
            "\n               ".join(f"{path} ({state})" for path, state in files.items())
            for files in (self.inputs, self.settings)
        )
        config = "no file"
        if record["configfile"] is not None:
            config = f"{record['configfile']}, {self.config}"
        again = self.command()
        if self.config != "unchanged":
            again += "\n               (config.yaml: what this command prints with --config)"
        if self.more_games:
            again += (
                f"\n               (not to the same bytes: its tables hold up to"
                f" {max(self.more_games):,} games for a number of mines, from earlier runs, which"
                " is more than was asked for)"
            )
        lines = {
            "file": f"{self.file}, sha256 {record['sha256']}"
            + (": CHANGED since it was made" if self.changed else ", as it was made"),
            "made": f"{record['date']} by rule {record['rule']}",
            "CPU time": f"{record['cpu_seconds']:.1f} s; with all jobs on record that it was made"
            f" from {self.jobs:.1f} s; games of all runs {self.games:.1f} s",
            "code": f"msdensity {code['version']}, {commit}, sources {code['sources']}",
            "kernel": f"version {kernel['version']}, sources {kernel['sources']}",
            "seed": self._seeds(),
            "config": f"{record['config'].get('name')} ({config})",
            "settings": settings or "no other file",
            "packages": packages,
            "system": record["system"],
            "made from": found or "no other file",
            "make again": again,
        }
        return "\n".join(f"{name:>12}   {text}" for name, text in lines.items())

    def _seeds(self) -> str:
        seeds = ", ".join(map(str, self.seeds))
        if self.whole:
            return seeds or "none: nothing was played or drawn for it"
        asked = self.record["config"].get("seed")
        known = seeds or (f"{asked} in the configuration" if asked is not None else "")
        return "; ".join(filter(None, [known, "not all that it was made from is on record here"]))


def begin_record(
    *,
    rule: str,
    inputs: Iterable[str | os.PathLike[str]],
    params: Mapping[str, Any],
    config: Mapping[str, Any],
    configfile: str | None,
) -> dict[str, Any]:
    """Return what is known of a job before it does anything, for `write_records` at its end.

    What runs is the code that stands there now, whatever is committed or edited meanwhile.

    inputs: paths as the workflow names them; params: of the rule, with what files of settings hold;
    `seed` among them, if the job itself plays or draws by it; config: the whole configuration, and
    configfile where it stands (None: in no file).
    """
    return {
        "rule": rule,
        "code": dict(code_version()),
        "kernel": {"version": KERNEL_VERSION, "sources": source_hash()},
        "seed": params.get("seed"),
        "config": dict(config),
        "configfile": configfile,
        "params": {name: _plain(value) for name, value in params.items()},
        "packages": package_versions(),
        "system": f"{platform.system()} {platform.machine()}",
        "inputs": _hashes(inputs),
    }


def write_records(
    outputs: Iterable[str],
    begun: Mapping[str, Any],
    *,
    ledgers: Iterable[str | os.PathLike[str]] = (),
    cpu_seconds_elsewhere: float = 0.0,
    more_games: Iterable[int] = (),
    folder: str | os.PathLike[str] = FOLDER,
) -> None:
    """Write a record for each output of a job that is about to end.

    begun: by `begin_record`; ledgers: inputs that the job itself added to, as they are at its end;
    cpu_seconds_elsewhere: of other processes that played for this one; more_games: for a number of
    mines, where a table holds more than were asked for. Raises OSError if nothing can be written.
    """
    code = begun["code"]
    shared = dict(begun) | {
        "schema": SCHEMA,
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
        "cpu_seconds": round(sum(os.times()[:2]) + cpu_seconds_elsewhere, 3),
        # A module that is loaded late may then be of either version.
        "code": code | {"edited_meanwhile": _sources() != code["sources"]},
        "inputs": dict(begun["inputs"]) | _hashes(ledgers),
        "more_games": sorted(set(more_games)),
    }
    for path in outputs:
        with atomic_write(record_path(path, folder)) as file:
            record = {"file": path, "sha256": sha256(path)} | shared
            json.dump(record, file, indent=1, ensure_ascii=False)
            file.write("\n")


def _hashes(paths: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    names = sorted({os.fspath(path) for path in paths})
    return {name: sha256(name) for name in names if os.path.isfile(name)}


def find(path: str | os.PathLike[str], folder: str | os.PathLike[str] = FOLDER) -> Finding:
    """Return what is on record of a file: under its path, under its content, or beside it.

    Raises InputError if there is no such file, no record of it, or one that cannot be read.
    """
    file = Path(path)
    if not os.path.isfile(file):
        raise InputError(f"file={os.fspath(path)} must be a table, figure or page that was made")
    from msdensity.runs.ledger import cpu_seconds

    digest = sha256(file)
    place = record_path(_relative(file), folder)
    record = _read(place) if os.path.isfile(place) else None
    if record is None or record["sha256"] != digest:
        # It may have been copied elsewhere, under another name.
        record = _by_content(digest, Path(folder)) or record
    if record is None and os.path.isfile(sidecar(file)):
        beside = _read(sidecar(file))
        record = beside if beside["sha256"] == digest else None
    if record is None:
        raise InputError(
            f"file={os.fspath(path)} has no record in {os.fspath(folder)}/: run this where"
            " Snakemake made it, for a file that it made"
        )
    states = {name: _state(name, was) for name, was in record["inputs"].items()}
    before = _all_before(record, Path(folder))
    jobs = {(r["rule"], r["date"], r["cpu_seconds"]): r["cpu_seconds"] for r in before}
    names_of_all = {name for each in before for name in each["inputs"] if name.endswith(".csv")}
    games = sum(map(cpu_seconds, names_of_all))
    seeds = tuple(sorted({each["seed"] for each in before} - {None}))
    settings = {
        name: _state_of_settings(name, was)
        for each in before
        for name, was in _settings(each).items()
    }
    return Finding(
        file,
        record,
        changed=record["sha256"] != digest,
        inputs=states,
        jobs=sum(jobs.values()),
        games=games,
        seeds=seeds,
        settings=settings,
        config=_state_of_settings(record["configfile"] or "", record["config"]),
        whole=_is_whole(before),
        more_games=tuple(sorted({n for each in before for n in each["more_games"]})),
    )


def record_path(path: str | os.PathLike[str], folder: str | os.PathLike[str] = FOLDER) -> Path:
    """Return where the record of a result is kept, named by the result's path."""
    return Path(folder) / f"{os.fspath(path)}.json"


def sidecar(path: str | os.PathLike[str]) -> Path:
    """Return where the record of a file stands that went to a place without other records."""
    return Path(f"{os.fspath(path)}.json")


def sha256(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file's bytes, 64 hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@functools.cache
def code_version() -> dict[str, Any]:
    """Return the package's version, the commit checked out, files changed since, a source hash.

    commit: None where the package does not stand in a checkout of its own; dirty: the changed
    files among those that make results.
    """
    from msdensity import __version__

    root = PACKAGE.parent
    commit = dirty = None
    # The checkout may be somebody else's, in which the package is only installed.
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
    """Return the versions of Python and of PACKAGES, of those that are installed."""
    from importlib.metadata import PackageNotFoundError, version

    found = {"Python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _git(root: Path, *arguments: str) -> str | None:
    """Return what git printed, None if there is no git, no repository, or it fails."""
    try:
        # Not strip(): a status line may begin with a space.
        run = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(root), *arguments],
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return run.stdout.rstrip("\n")


def _plain(value: Any) -> Any:
    """Return a parameter as JSON can hold it; a file of settings with what it holds."""
    if isinstance(value, str) and value.endswith(_SETTINGS) and os.path.isfile(value):
        return {value: read_yaml(value, f"settings {value}")}
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return str(value)
    return value


def _settings(record: dict[str, Any]) -> dict[str, Any]:
    """Return what the files of settings held that a job took as parameters (see `_plain`)."""
    found = {}
    for value in record["params"].values():
        if isinstance(value, dict) and len(value) == 1:
            (name,) = value
            if name.endswith(_SETTINGS):
                found[name] = value[name]
    return found


def _relative(file: Path) -> str:
    try:
        return file.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return file.name


def _read(place: Path) -> dict[str, Any]:
    try:
        record = json.loads(read_text(place, "record"))
        if isinstance(record, dict):
            record.setdefault("more_games", [])  # records of earlier versions
        whole = _fits(record, _FORM) and record["schema"] == SCHEMA
    except (ValueError, RecursionError):
        whole = False
    if not whole:
        raise InputError(f"record {place} cannot be read: make its file again")
    return record


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
    "more_games": [int],
}
"""Keys of a record that are looked at, each with its type; None stands for any key."""


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


def _by_content(digest: str, folder: Path) -> dict[str, Any] | None:
    if not os.path.isdir(folder):
        return None
    for place in sorted(folder.rglob("*.json")):
        if os.path.isfile(place) and digest.encode() in place.read_bytes():
            record = _read(place)
            if record["sha256"] == digest:
                return record
    return None


def _state(path: str, was: str) -> str:
    if not os.path.isfile(path):
        return "gone"
    return "unchanged" if sha256(path) == was else "changed"


def _state_of_settings(path: str, was: Any) -> str:
    if not os.path.isfile(path):
        return "gone"
    try:
        there = json.loads(json.dumps(read_yaml(path, f"settings {path}")))
    except (InputError, TypeError):
        return "changed"
    return "unchanged" if there == was else "changed"


def _is_whole(records: list[dict[str, Any]]) -> bool:
    """Whether for all that was made there is a record: all inputs but sources and what is given."""
    known = {(each["file"], each["sha256"]) for each in records}
    return all(
        (path, was) in known
        or not path.startswith(("data/", "figures/"))
        or path.startswith("data/published/")
        or "/ledger/" in path
        or "/first_click/" in path
        for each in records
        for path, was in each["inputs"].items()
    )


def _all_before(record: dict[str, Any], folder: Path) -> list[dict[str, Any]]:
    """Return the record and those of all files that it comes from, each file once.

    Where a file was made again since, its earlier record is gone, and so is what led to it.
    """
    found = {record["file"]: record}
    open_ends = [record]
    while open_ends:
        for path, was in open_ends.pop()["inputs"].items():
            place = record_path(path, folder)
            if path not in found and os.path.isfile(place):
                record = _read(place)
                # Else that of a later file, of which nothing here was made.
                if record["sha256"] == was:
                    found[path] = record
                    open_ends.append(record)
    return list(found.values())
