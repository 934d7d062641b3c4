"""How dense can a Minesweeper board be before it stops being winnable?

The public names are loaded when first used: `import msdensity` alone loads neither Numba nor
pandas nor matplotlib, so that looking at a fit in a notebook compiles nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    # to play
    "Board": "games.boards",
    "Rules": "games.boards",
    "Setup": "games.tasks",
    "Task": "games.tasks",
    "PLAYERS": "players.registry",
    "play_batch": "games.play",
    "play_game": "games.game",
    "Game": "games.game",
    "analyse": "games.analysis",
    "analyse_many": "games.analysis",
    "optimal_win_probability": "games.optimal",
    "exact_win_rate": "games.exact",
    "best_moves": "games.best_moves",
    "explain": "games.explanation",
    "explain_impossible": "games.contradiction",
    "view": "viewer.widget",
    "infer": "studies.paper.text_inference",
    # many games
    "sweep": "runs.calls",
    "rho50": "runs.calls",
    "density": "studies.densities.known",
    "compare": "runs.compare",
    "difficulty": "runs.difficulty",
    "sweet_spot": "runs.sweet_spot",
    "load_config": "runs.config",
    "plan": "runs.plan",
    "top_up": "runs.sweep",
    "play_table": "runs.sweep",
    "read_table": "studies.tables",
    "write_table": "studies.tables",
    "verify": "runs.verify",
    # statistics
    "wilson": "stats.intervals",
    "with_exact": "runs.exact_rates",
    "w_correction": "stats.correction",
    "fit_critical_density": "stats.logistic",
    "fit_rho50": "stats.rho50.fit",
    "fit_squares": "stats.hyperbola",
    "fit_series": "stats.series",
    "Fit": "stats.fit",
    "Model": "stats.models",
    "fit_model": "stats.model_tables",
    "compare_models": "stats.model_tables",
    "reduced_win_rate": "stats.rho50.control_variate",
    "law_rho50": "stats.law",
    # figures
    "STYLE": "studies.plot",
    "plot_win_rates": "studies.paper.figures.win_rates",
    "plot_board": "studies.paper.figures.board",
    "save_figure": "studies.plot",
    # always
    "InputError": "errors",
}
"""Public name -> the module that defines it."""

_OLD = {
    **dict.fromkeys(("Analysis",), "games.analysis"),
    **dict.fromkeys(("Config",), "runs.config"),
    **dict.fromkeys(("Counts",), "runs.counts"),
    **dict.fromkeys(("Estimate",), "stats.intervals"),
    **dict.fromkeys(
        (*("B1_COLUMNS", "B2_COLUMNS", "FIRST_CLICK_COLUMNS", "INFERENCE_COLUMNS"),),
        "studies.paper.columns",
    ),
    **dict.fromkeys(
        (
            *("CORRECTED_COLUMNS", "EXTRAPOLATION_COLUMNS", "FIT_COLUMNS", "SERIES_COLUMNS"),
            "WIN_RATE_COLUMNS",
        ),
        "stats.columns",
    ),
    **dict.fromkeys(("ExtrapolationFit", "extrapolation_table"), "stats.hyperbola"),
    **dict.fromkeys(("Inference", "infer_fast"), "studies.paper.text_inference"),
    **dict.fromkeys(("LogisticFit", "fits_table", "logistic"), "stats.logistic"),
    **dict.fromkeys(("ReducedRate",), "stats.rho50.control_variate"),
    **dict.fromkeys(("Rho50Fit",), "stats.rho50.fit_object"),
    **dict.fromkeys(("fit_rho50_rates",), "stats.rho50.fit"),
    **dict.fromkeys(("SeriesFit", "series_table"), "stats.series"),
    **dict.fromkeys(("fit_law",), "studies.asymptotics.terms"),
    **dict.fromkeys(("ledger_table", "win_rate_table"), "runs.win_rates"),
    **dict.fromkeys(("minus_log_win_rate",), "stats.law"),
    **dict.fromkeys(("plot_squares", "squares_figure"), "studies.paper.figures.squares"),
    **dict.fromkeys(("win_rates_figure",), "studies.paper.figures.win_rates"),
    **dict.fromkeys(("probability_of_zero",), "studies.paper.first_click"),
    **dict.fromkeys(("table_b1", "table_b2"), "studies.paper.tables"),
}
"""Names of version 0.1.0 -> their modules; they go in the next release."""

__all__ = sorted([*_HOME, "__version__"])  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version  # takes 40 ms: only if asked

        try:
            return version("msdensity")
        except PackageNotFoundError:  # run from a folder, not installed
            return "unknown"
    home = _HOME.get(name) or _OLD.get(name)
    if home is None:
        raise AttributeError(f"module 'msdensity' has no attribute {name!r}")
    value = getattr(import_module(f"msdensity.{home}"), name)
    if name in _OLD:
        import warnings

        text = f"msdensity.{name} goes in the next release: import it from msdensity.{home}"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        return value
    globals()[name] = value  # the next look-up is direct
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
