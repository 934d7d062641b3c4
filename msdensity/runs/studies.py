"""The settings of any study: the key `study` of a file says of which."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from msdensity.files.text import read_yaml
from msdensity.runs.config import PAPER, STUDIES, load_config, study_of


def load_study(study: str, source: str | os.PathLike[str] | Mapping[str, Any]) -> Any:
    """Return the settings of a study (PAPER or one of STUDIES) in a YAML file or a mapping.

    Raises InputError for a key or a value that is not allowed, also for settings of another study.
    """
    if study == PAPER:
        return load_config(source)
    return import_module(f"{module_of(study)}.settings").load_settings(source)


def load_any(source: str | os.PathLike[str] | Mapping[str, Any]) -> Any:
    """Return the settings in a YAML file or a mapping, whose key `study` says of which study.

    Raises InputError as `load_study` does, and for an unknown study.
    """
    values: Any = source
    if isinstance(source, str | os.PathLike):
        values = read_yaml(source, f"config {os.fspath(source)}")
    return load_study(study_of(values) if isinstance(values, Mapping) else PAPER, source)


def module_of(study: str) -> str:
    """Return the package of a study (PAPER or one of STUDIES)."""
    return f"msdensity.studies.{STUDIES.get(study, study)}"
