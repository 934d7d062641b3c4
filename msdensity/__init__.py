"""How dense can a Minesweeper board be before it stops being winnable?

The public names are loaded when first used: `import msdensity` alone loads neither Numba nor
pandas nor matplotlib, so that looking at a fit in a notebook compiles nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "Analysis": "analysis",
    "B1_COLUMNS": "tables",
    "B2_COLUMNS": "tables",
    "Board": "tasks",
    "CORRECTED_COLUMNS": "tables",
    "Config": "config",
    "Counts": "counts",
    "EXTRAPOLATION_COLUMNS": "tables",
    "Estimate": "counts",
    "ExtrapolationFit": "scaling",
    "FIRST_CLICK_COLUMNS": "tables",
    "FIT_COLUMNS": "tables",
    "Game": "game",
    "INFERENCE_COLUMNS": "tables",
    "Inference": "inference",
    "InputError": "errors",
    "LogisticFit": "fits",
    "PLAYERS": "players.registry",
    "Page": "page",
    "ReducedRate": "rho50",
    "Rho50Fit": "rho50",
    "Rules": "tasks",
    "SERIES_COLUMNS": "tables",
    "STYLE": "figures",
    "SeriesFit": "series",
    "Task": "tasks",
    "WIN_RATE_COLUMNS": "tables",
    "analyse": "analysis",
    "extrapolation_table": "scaling",
    "fit_critical_density": "fits",
    "fit_law": "asymptotics",
    "fit_rho50": "rho50",
    "fit_rho50_rates": "rho50",
    "fit_series": "series",
    "fit_squares": "scaling",
    "fits_table": "fits",
    "infer": "inference",
    "infer_fast": "inference",
    "law_rho50": "asymptotics",
    "ledger_table": "ledger",
    "load_config": "config",
    "logistic": "fits",
    "minus_log_win_rate": "asymptotics",
    "play_game": "game",
    "plot_board": "figures",
    "plot_squares": "figures",
    "plot_win_rates": "figures",
    "probability_of_zero": "first_click",
    "read_table": "tables",
    "reduced_win_rate": "rho50",
    "save_figure": "figures",
    "series_table": "series",
    "squares_figure": "figures",
    "table_b1": "published",
    "table_b2": "published",
    "top_up": "sweep",
    "w_correction": "correction",
    "wilson": "counts",
    "win_rate_table": "tables",
    "win_rates_figure": "figures",
    "write_table": "tables",
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
