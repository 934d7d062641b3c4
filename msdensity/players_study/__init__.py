"""The players of 000, 003 and 004: their published results, compared, and what they are worth.

The public names are loaded when first used: the workflow reads the study at every job, and needs
neither Numba nor scipy for that.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "BOARDS": "study",
    "COST_BOARD": "measures",
    "COST_COLUMNS": "measures",
    "CROSSING_COLUMNS": "density",
    "CURVE_COLUMNS": "curves",
    "DIFFERS": "verdicts",
    "FIGURES": "curves",
    "FORMULA_COLUMNS": "formulas",
    "KINDS": "losses",
    "MEASURE_COLUMNS": "measures",
    "POINT_COLUMNS": "curves",
    "QUESTIONS": "questions",
    "ROLES": "study",
    "SET": "study",
    "STUDY_COLUMNS": "verdicts",
    "Study": "study",
    "Variant": "study",
    "cost_table": "measures",
    "curves_table": "curves",
    "density_table": "density",
    "estimate": "sets",
    "formulas_table": "formulas",
    "guesses_at_all": "study",
    "kind_of_loss": "losses",
    "load_study": "study",
    "measures_table": "measures",
    "page": "html_page",
    "pairs_table": "questions",
    "play_curves": "density",
    "play_sets": "sets",
    "points_table": "curves",
    "read_csv": "files",
    "readings": "verdicts",
    "rho50": "density",
    "study_from": "study",
    "study_table": "verdicts",
    "trace_games": "losses",
    "write_csv": "files",
}
"""Public name -> the module that defines it."""

__all__ = sorted(_HOME)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
