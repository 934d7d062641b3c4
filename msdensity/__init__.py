"""How dense can a Minesweeper board be before it stops being winnable?

The public names are loaded when first used: `import msdensity` alone loads neither Numba nor
pandas nor matplotlib, so that looking at a fit in a notebook compiles nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "Analysis": "games.analysis",
    "B1_COLUMNS": "studies.paper.columns",
    "B2_COLUMNS": "studies.paper.columns",
    "Board": "games.boards",
    "CORRECTED_COLUMNS": "stats.columns",
    "Config": "runs.config",
    "Counts": "runs.counts",
    "EXTRAPOLATION_COLUMNS": "stats.columns",
    "Estimate": "stats.intervals",
    "ExtrapolationFit": "stats.hyperbola",
    "FIRST_CLICK_COLUMNS": "studies.paper.columns",
    "FIT_COLUMNS": "stats.columns",
    "Fit": "stats.fit",
    "Game": "games.game",
    "INFERENCE_COLUMNS": "studies.paper.columns",
    "Inference": "studies.paper.text_inference",
    "InputError": "errors",
    "LogisticFit": "stats.logistic",
    "MODEL_COLUMNS": "stats.columns",
    "Model": "stats.models",
    "ModelFit": "stats.model_fit",
    "PLAYERS": "players.registry",
    "ReducedRate": "stats.rho50.control_variate",
    "Rho50Fit": "stats.rho50.fit_object",
    "Rules": "games.boards",
    "SERIES_COLUMNS": "stats.columns",
    "STYLE": "studies.plot",
    "SeriesFit": "stats.series",
    "Task": "games.tasks",
    "WIN_RATE_COLUMNS": "stats.columns",
    "analyse": "games.analysis",
    "compare_models": "stats.model_tables",
    "extrapolation_table": "stats.hyperbola",
    "fit_critical_density": "stats.logistic",
    "fit_law": "studies.asymptotics.terms",
    "fit_model": "stats.model_tables",
    "fit_rho50": "stats.rho50.fit",
    "fit_rho50_rates": "stats.rho50.fit",
    "fit_series": "stats.series",
    "fit_squares": "stats.hyperbola",
    "fits_table": "stats.logistic",
    "infer": "studies.paper.text_inference",
    "infer_fast": "studies.paper.text_inference",
    "law_rho50": "studies.asymptotics.law",
    "ledger_table": "runs.win_rates",
    "load_config": "runs.config",
    "load_model": "stats.models",
    "logistic": "stats.logistic",
    "minus_log_win_rate": "studies.asymptotics.law",
    "play_game": "games.game",
    "play_table": "runs.sweep",
    "plot_board": "studies.paper.figures.board",
    "plot_squares": "studies.paper.figures.squares",
    "plot_win_rates": "studies.paper.figures.win_rates",
    "probability_of_zero": "studies.paper.first_click",
    "read_table": "files.tables",
    "reduced_win_rate": "stats.rho50.control_variate",
    "save_figure": "studies.plot",
    "series_table": "stats.series",
    "squares_figure": "studies.paper.figures.squares",
    "table_b1": "studies.paper.tables",
    "table_b2": "studies.paper.tables",
    "top_up": "runs.sweep",
    "w_correction": "stats.correction",
    "wilson": "stats.intervals",
    "win_rate_table": "runs.win_rates",
    "win_rates_figure": "studies.paper.figures.win_rates",
    "write_table": "files.tables",
}
"""Public name -> the module that defines it."""

__all__ = sorted([*_HOME, "__version__"])  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version  # takes 40 ms: only if asked

        try:
            return version("msdensity")
        except PackageNotFoundError:  # run from a folder, not installed
            return "unknown"
    if name not in _HOME:
        raise AttributeError(f"module 'msdensity' has no attribute {name!r}")
    value = getattr(import_module(f"msdensity.{_HOME[name]}"), name)
    globals()[name] = value  # the next look-up is direct
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
