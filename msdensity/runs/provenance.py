"""Where a result comes from: its record, and the records of everything that it was made from."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from msdensity.errors import InputError, printable
from msdensity.files.text import read_yaml
from msdensity.runs.records import FOLDER, SETTINGS, read_record, record_path, sha256, sidecar

_NEW_LINE = "\n               "
"""A new line of the report, below the text of the line before."""


@dataclass(frozen=True)
class Finding:
    """The record of a file, and whether the files that it names are still the same.

    file: the file asked for; record: what `write_records` wrote; changed: whether the file differs
    from the recorded one; before: the record and those of all files that it comes from; folder: of
    the records.
    """

    file: Path
    record: Mapping[str, Any]
    changed: bool
    before: tuple[Mapping[str, Any], ...]
    folder: str | os.PathLike[str] = FOLDER

    @cached_property
    def inputs(self) -> dict[str, str]:
        """For each input "unchanged", "changed" or "gone"."""
        return {name: _state(name, was) for name, was in self.record["inputs"].items()}

    @cached_property
    def edited(self) -> tuple[str, ...]:
        """The files, of all that it comes from, that were changed after a rule had made them.

        Later jobs used them as they are now.
        """
        used = {each for record in self.before for each in record["inputs"].items()}
        return tuple(
            name
            for name, was in sorted(used)
            if os.path.isfile(place := record_path(name, self.folder))
            and _state(name, was) == "unchanged"
            and read_record(place)["sha256"] != was
        )

    @cached_property
    def own_files(self) -> dict[str, str]:
        """The same for each file of the user's own players and models that the jobs loaded."""
        return {
            name: _state(name, was)
            for record in reversed(self.before)
            for name, was in record["own_files"].items()
        }

    @cached_property
    def settings(self) -> dict[str, str]:
        """The same for each file of settings that the jobs took as a parameter."""
        return {
            name: _state_of_settings(name, was)
            for record in self.before
            for value in record["params"].values()
            if isinstance(value, dict) and len(value) == 1
            for name, was in value.items()
            if name.endswith(SETTINGS)
        }

    @cached_property
    def config(self) -> str:
        """The same for the file of the configuration; also "gone" if there never was one."""
        return _state_of_settings(self.record["configfile"] or "", self.record["config"])

    @cached_property
    def jobs(self) -> float:
        """CPU seconds of the job and of all recorded jobs that its inputs come from."""
        jobs = {(r["rule"], r["date"], r["cpu_seconds"]): r["cpu_seconds"] for r in self.before}
        return sum(jobs.values())

    @cached_property
    def games(self) -> float:
        """CPU seconds of all games in the ledgers among the inputs, whichever run played them."""
        from msdensity.runs.cpu_notes import cpu_seconds

        inputs = {name for record in self.before for name in record["inputs"]}
        return sum(cpu_seconds(name) for name in inputs if name.endswith(".csv"))

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds of the games and draws of these jobs."""
        return tuple(sorted({record["seed"] for record in self.before} - {None}))

    @property
    def more_games(self) -> tuple[int, ...]:
        """Games for a number of mines, where tables hold more than the configuration asks for."""
        return tuple(sorted({n for record in self.before for n in record["more_games"]}))

    @property
    def whole(self) -> bool:
        """Whether each input has a record, or is a file that no job writes at its end."""
        known = {(record["file"], record["sha256"]) for record in self.before}
        return all(
            (path, was) in known
            or not path.startswith(("data/", "figures/"))
            or path.startswith("data/published/")
            or {"ledger", "first_click"} & {*Path(path).parts[1:-1]}
            for record in self.before
            for path, was in record["inputs"].items()
        )

    def command(self) -> str:
        """Return the command that makes the file again, in a checkout of the same commit."""
        # config.yaml: as `msdensity provenance FILE --config` prints it
        config = self.record["configfile"] if self.config == "unchanged" else "config.yaml"
        checkout = self.record["code"]["commit"]
        first = f"git checkout {checkout} && " if checkout else ""
        words = ["snakemake", "--cores", "16", "--configfile", config, "--force"]
        return first + shlex.join([*words, self.record["file"]])

    def report(self) -> str:
        """Return the record in words."""
        record = _printable(self.record)
        code, kernel = record["code"], record["kernel"]
        commit = f"commit {code['commit']}" if code["commit"] else "no known commit"
        if code["dirty"]:
            more = f" and {len(code['dirty']) - 3} more" if len(code["dirty"]) > 3 else ""
            commit += f" with changes ({', '.join(code['dirty'][:3])}{more})"
        if code.get("edited_meanwhile"):
            commit += ", EDITED while the job ran"
        packages = ", ".join(f"{name} {version}" for name, version in record["packages"].items())
        edited = f"{_NEW_LINE}".join(
            f"{printable(path)} was EDITED before it was used: its record has other bytes"
            for path in self.edited
        )
        inputs, settings, own = (
            _NEW_LINE.join(f"{printable(path)} ({state})" for path, state in files.items())
            for files in (self.inputs, self.settings, self.own_files)
        )
        made_of, config = record["config"], "no file"
        if record["configfile"] is not None:
            config = f"{record['configfile']}, {self.config}"
        again = printable(self.command())
        if self.config != "unchanged":
            again += f"{_NEW_LINE}(config.yaml: what this command prints with --config)"
        if self.more_games:
            again += (
                f"{_NEW_LINE}(not with the same bytes: its tables hold up to"
                f" {max(self.more_games):,} games for a number of mines, from earlier runs; the"
                " configuration asks for fewer)"
            )
        lines = {
            "file": f"{printable(str(self.file))}, sha256 {record['sha256']}"
            + (": CHANGED since it was made" if self.changed else ", as it was made"),
            "made": f"{record['date']} by rule {record['rule']}",
            "CPU time": f"{record['cpu_seconds']:.1f} s; with all recorded jobs before it"
            f" {self.jobs:.1f} s; games of all runs {self.games:.1f} s",
            "code": f"msdensity {code['version']}, {commit}, sources {code['sources']}",
            "kernel": f"version {kernel['version']}, sources {kernel['sources']}",
            "seed": self._seeds(),
            "config": f"{made_of.get('name', made_of.get('study'))} ({config})",
            "settings": settings or "no other file",
            "own code": own or "none",
            "packages": packages,
            "system": record["system"],
            "made from": inputs or "no other file",
            **({"but": edited} if edited else {}),
            "make again": again,
        }
        return "\n".join(f"{name:>12}   {text}" for name, text in lines.items())

    def _seeds(self) -> str:
        seeds = ", ".join(map(str, self.seeds))
        if self.whole:
            return seeds or "none: nothing was played or drawn for it"
        asked = self.record["config"].get("seed")
        known = seeds or (f"{asked} in the configuration" if asked is not None else "")
        return "; ".join(
            filter(None, [known, "some files that it was made from have no record here"])
        )


def find(path: str | os.PathLike[str], folder: str | os.PathLike[str] = FOLDER) -> Finding:
    """Return the record of a file, which is looked up by its path, by its content, or beside it.

    Raises InputError if there is no such file, no record of it, or a record that cannot be read.
    """
    file = Path(path)
    if not os.path.isfile(file):
        raise InputError(f"file={os.fspath(path)} must be an existing table, figure or page")
    digest = sha256(file)
    place = record_path(_relative(file), folder)
    record = read_record(place) if os.path.isfile(place) else None
    if record is None:
        # The file may be a copy under another name.
        record = _by_content(digest, Path(folder))
    if record is None and os.path.isfile(sidecar(file)):
        beside = read_record(sidecar(file))
        record = beside if beside["sha256"] == digest else None
    if record is None:
        raise InputError(
            f"file={os.fspath(path)} has no record in {os.fspath(folder)}/: it must be a result as"
            " Snakemake made it, and this must run in the folder where Snakemake ran. Ledgers and"
            " inputs have no record; `msdensity verify` checks ledgers"
        )
    return Finding(file, record, record["sha256"] != digest, _all_before(record, folder), folder)


def _relative(file: Path) -> str:
    try:
        return file.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return file.name


def _by_content(digest: str, folder: Path) -> dict[str, Any] | None:
    if not os.path.isdir(folder):
        return None
    for place in sorted(folder.rglob("*.json")):
        if os.path.isfile(place) and digest.encode() in place.read_bytes():
            record = read_record(place)
            if record["sha256"] == digest:
                return record
    return None


def _all_before(
    record: dict[str, Any], folder: str | os.PathLike[str]
) -> tuple[dict[str, Any], ...]:
    """Return the record and those of all files that it comes from, each file once.

    If a file was made again since, its earlier record and all records before that are gone.
    """
    records = {record["file"]: record}
    open_ends = [record]
    while open_ends:
        for path, was in open_ends.pop()["inputs"].items():
            place = record_path(path, folder)
            if path not in records and os.path.isfile(place):
                earlier = read_record(place)
                if earlier["sha256"] == was:  # else it is the record of a later file
                    records[path] = earlier
                    open_ends.append(earlier)
    return tuple(records.values())


def _printable(value: Any) -> Any:
    """Return a part of a record without control characters, which a terminal would obey."""
    if isinstance(value, Mapping):
        return {printable(str(name)): _printable(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_printable(part) for part in value]
    return printable(value) if isinstance(value, str) else value


def _state(path: str, was: str) -> str:
    if not os.path.isfile(path):
        return "gone"
    return "unchanged" if sha256(path) == was else "changed"


def _state_of_settings(path: str, was: Any) -> str:
    if not os.path.isfile(path):
        return "gone"
    try:
        now = json.loads(json.dumps(read_yaml(path, f"settings {path}")))
    except (InputError, TypeError):
        return "changed"
    return "unchanged" if now == was else "changed"
