"""Which results a run makes again if Snakemake's own notes on them are gone: their records decide.

Snakemake keeps its notes in `.snakemake`. Without them it compares only the times of files, and a
table of fewer games than the configuration asks for would count as complete.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import chain
from typing import Any

from msdensity.errors import InputError
from msdensity.runs.records import named, plain_params, read_record, record_path, sha256

_FILES = ("settings", "file")
"""Params that name a file of settings."""


def ask_records(workflow: Any) -> None:
    """Let the record of a file count where Snakemake has no note of how it was made.

    workflow: Snakemake's, while it reads the Snakefile. A file without a note is made again if it
    has no record either, or if its bytes, params or inputs are others than the record says.
    """
    plain = type(workflow)

    class Workflow(plain):  # type: ignore[misc, valid-type]
        @property
        def persistence(self) -> Any:
            notes = super().persistence
            if notes is not None and not hasattr(notes, "without_note"):
                notes.__class__ = _with_records(type(notes))
            return notes

    workflow.__class__ = Workflow


def _with_records(plain: Any) -> Any:
    """Return a class of Snakemake's notes that answers by a record where there is no note."""

    class Notes(plain):
        def has_metadata(self, job: Any) -> bool:
            return True  # otherwise Snakemake would not ask what changed

        def params_changed(self, job: Any, file: Any = None) -> Any:
            change = super().params_changed(job, file)
            paths = list(self.without_note(job, file))
            now = _now(job) if paths else set()
            for path in paths:
                record = _record(path)
                was = {"no record"} if record is None else _said(record["params"])
                if was != now:
                    change |= type(change)(was - now, now - was, {path})
            return change

        def input_changed(self, job: Any, file: Any = None) -> Any:
            change = super().input_changed(job, file)
            others = (p for p in self.without_note(job, file) if _inputs_changed(job, _record(p)))
            return chain(change, others) if file is None else change or any(others)

        def without_note(self, job: Any, file: Any) -> Iterator[Any]:
            for path in job.output if file is None else [file]:
                if not self.metadata(path) and os.path.isfile(path):
                    yield path

    return Notes


def _record(path: str) -> dict[str, Any] | None:
    """Return the record of a file; None if there is none that says how these bytes were made."""
    place = record_path(path)
    try:
        record = read_record(place) if os.path.isfile(place) else None
        return record if record and record["sha256"] == sha256(path) else None
    except (InputError, OSError):  # the job will write a new one
        return None


def _now(job: Any) -> set[str]:
    """Return what `_said` would return if the job were done now."""
    params = dict(job.params.items())
    names = {name: [named(params[name])] for name in _FILES if name in params}
    return _said(plain_params(params | names))


def _said(params: dict[str, Any]) -> set[str]:
    """Return each param as text; of a file of settings its name, as in Snakemake's own notes.

    What is in such a file counts only as far as other params say so.
    """
    return {f"{name}={[*value] if name in _FILES else value}" for name, value in params.items()}


def _inputs_changed(job: Any, record: dict[str, Any] | None) -> bool:
    if record is None:  # its params are unknown too
        return False
    # A job adds to its ledgers itself.
    own = f"{record['params'].get('ledgers')}/"
    before = {name: was for name, was in record["inputs"].items() if not name.startswith(own)}
    try:
        return before != {str(path): sha256(path) for path in job.input if os.path.isfile(path)}
    except OSError:  # the job will say so
        return True
