"""What the settings of any study will cost before it runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from msdensity.runs.plan import Plan, plan_of
from msdensity.runs.settings import Keys
from msdensity.studies.settings import load_any, module_of


def plan(
    settings: Keys | str | os.PathLike[str] | Mapping[str, Any], data: str | Path = "data"
) -> Plan:
    """Return what a study will cost, from a pilot of some games on this machine.

    settings: a Config or the settings of another study; or their YAML file, or the mapping in it,
    whose key `study` says of which study. data: the folder that holds {name}; games that are
    already played there are not played again. Writes nothing. Raises InputError for settings that
    are not allowed, and for a file in `data` that cannot be read.
    """
    known: Any = settings if isinstance(settings, Keys) else load_any(settings)
    workloads = import_module(f"{module_of(known.study)}.workloads").workloads
    return plan_of(workloads(known, Path(data) / known.name))
