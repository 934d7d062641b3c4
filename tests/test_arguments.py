"""Every public call refuses a value of a wrong kind in one line, and raises nothing else."""

import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import msdensity as md

SIDES = np.arange(2.0, 12)
TASK = md.Task("3x3", 2)
GRID = ["...", "1..", "..."]
SETTINGS = {"study": "paper", "name": "x", "boards": ["2x3"], "games": 1}
TABLE = md.w_correction(
    pd.DataFrame(
        {
            "board": "3x3",
            **dict.fromkeys(("p", "q"), pd.array([3] * 8, dtype="Int64")),
            "topology": "square8",
            "player": "weighted",
            "first_click": "corner",
            "start": "safe",
            "seed": 0,
            "kernel_version": 2,
            "mines": range(1, 9),
            "density": np.arange(1, 9) / 9,
            "games": 30,
            "wins": [29, 25, 20, 14, 9, 4, 1, 0],
            "win_rate": np.array([29, 25, 20, 14, 9, 4, 1, 0]) / 30,
            "win_rate_low": 0.0,
            "win_rate_high": 1.0,
        }
    )
)
FIT = md.fit_critical_density(TABLE, replicates=0)
CURVE = {name: TABLE[name].to_numpy() for name in ("density", "win_rate_corrected")}
COUNTS = {name: TABLE[name].to_numpy() for name in ("wins", "games")}
BOOTSTRAP = {"replicates": 2, "rng": None}
AX = Figure().subplots()
MODEL = {"function": len, "start": len, "critical_density": len, "bounds": ([0], [1])}
SETUP = {"player": "weighted", "rules": None, "seed": 0, "threads": 1}
PLAYED = {"games": 2, "batch": 1000, "threads": 1, "log": None, "play": None}
ONE = {"player": "weighted", "options": {}, "rules": md.Rules(), "seed": 0}

MOMENTS = md.play_batch(TASK, 0, 100) | {"games": 100}

CALLS: dict[str, dict[str, Any]] = {
    "Board": {"shape": (3, 3), "topology": "square8"},
    "Rules": {"first_click": "corner", "start": "safe"},
    "Setup": {"board": "3x3", **ONE},
    "Task": {"board": "3x3", "mines": 2, **ONE},
    "play_batch": {"task": TASK, "first_game": 0, "games": 5},
    "play_game": {"task": TASK, "g": 0},
    "Game": {"layout": ["*-", "--"], "topology": "square8", "shape": None},
    "analyse": {"grid": GRID, "mines": 2, "topology": "square8", "trust_flags": True},
    "analyse_many": {
        **{"states": [[[0, 1], [0, 0]]], "numbers": [[[0, 1], [0, 0]]], "mines": 1},
        **{"topology": "square8", "shape": (2, 2)},
    },
    "best_moves": {
        **{"grid": ["1.", ".."], "mines": 1, "topology": "square8", "trust_flags": True},
        "shape": (2, 2),
    },
    "optimal_win_probability": {
        **{"board": "2x3", "mines": 2, "first_click": "best", "start": "safe", "budget": 100},
    },
    "exact_win_rate": {
        **{"board": "2x3", "mines": 2, "player": ("weighted", {"ties": "random"})},
        **{"first_click": "corner", "start": "safe", "budget": 100},
    },
    "explain": {
        **{"grid": ["1.", "11"], "cell": (0, 1), "mines": 1, "topology": "square8"},
        **{"trust_flags": True, "shape": (2, 2)},
    },
    "explain_impossible": {
        **{"grid": ["1..", "..1"], "mines": 0, "topology": "square8", "trust_flags": True},
        "shape": (2, 3),
    },
    "view": {"what": md.Game(["*-", "--"]), "hints": None},
    "infer": {"grid": GRID, "mines": 2, "global_constraint": True, "limit": 1000},
    "sweep": {
        **{"boards": "2x3", "games": 3, "players": "weighted", "rules": None, "seed": 0},
        **{"threads": 1, "folder": None},
    },
    "rho50": {"board": "2x3", "error": 0.2, "pilot_games": 100, **SETUP},
    "density": {
        "board": "5x5",
        "error": None,
        "player": "weighted",
        "seed": 0,
        "log": None,
        "rules": None,
    },
    "compare": {
        **{"players": ["weighted", "listing"], "board": "2x3", "mines": 2, "games": 2},
        **{"seed": 0, "rules": None},
    },
    "difficulty": {
        **{"board": "2x3", "mines": 2, "games": 3, "rules": None, "seed": 0, "threads": 1},
        "log": None,
    },
    "sweet_spot": {
        **{"board": "2x3", "win_rate": 0.4, "by": "weighted", "error": 0.2, "rules": None},
        **{"seed": 0, "threads": 1, "log": None},
    },
    "load_config": {"source": SETTINGS},
    "plan": {"settings": SETTINGS, "data": "data", "log": None},
    "top_up": {"tasks": [TASK], "ledger_path": "a.csv", "first_game": 0, **PLAYED},
    "play_table": {"ledgers": {"b.csv": [TASK]}, **PLAYED},
    "read_table": {"path": "table.csv", "columns": None},
    "write_table": {"path": "new.csv", "table": FIT.data, "columns": None},
    "verify": {"folder": "run", "rows": 1, "seed": 1, "records": "provenance", "log": None},
    "wilson": {"wins": [1], "games": [2], "confidence": 0.95},
    "w_correction": {"raw": TABLE},
    "fit_critical_density": {**CURVE, **COUNTS, **BOOTSTRAP},
    "fit_rho50": {
        **{"density": CURVE["density"], **COUNTS, "window": (0.1, 0.9), "cells": 9},
        **{"confidence": 0.95, "replicates": 2, "rng": np.random.default_rng(1)},
    },
    "reduced_win_rate": {"counts": MOMENTS, "coefficients": [0.1, 0, 0], "confidence": 0.95},
    "fit_squares": {"q": SIDES, "P": 0.2 + 0.5 / SIDES, "sigma": None},
    "fit_series": {"q": SIDES, "P": 0.2 + 0.5 / SIDES, "terms": 2, "sigma": None},
    "Model": {"name": "mine", "parameters": ("a",), **MODEL},
    "fit_model": {"model": "weibull", "density": TABLE, **BOOTSTRAP},
    "compare_models": {"curve": TABLE, "models": ("weibull",)},
    "law_rho50": {"q": 10, "start": "corner", "topology": "square8", "aspect": 1.0},
    "plot_win_rates": {"ax": AX, "table": TABLE, "fit": FIT, "color": "C0", "marker": "o"},
    "plot_board": {"ax": AX, "grid": GRID, "safety": None, "safe": (), "mined": (), "mark": ()},
}

NO_CALLS = {"Fit", "InputError", "PLAYERS", "STYLE", "__version__"}
UNUSED = {("Model", "name"), ("density", "log"), ("plan", "log")}
"""Arguments that these calls do not look at, or that take anything."""

OTHER_TESTS = {"save_figure"}

WRONG = (
    *(None, "x", b"x", "a\0", 5, 2.5, -1, True, math.nan, 1j, 10**400, [], ["x"], [[1], [2, 3]]),
    *({}, object(), len, pd.NaT, TABLE.astype(str), TABLE["wins"], TABLE.iloc[:0]),
)


def test_every_public_name_is_called_here():
    assert set(md.__all__) == {*CALLS, *NO_CALLS, *OTHER_TESTS}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with what the calls read: a ledger and a table."""
    monkeypatch.chdir(tmp_path)
    md.top_up([TASK], 2, "run/ledger/3x3.csv")
    md.write_table("table.csv", md.sweep("2x3", games=2))


def refused(call: Callable[..., Any], arguments: Mapping[str, Any]) -> bool:
    """Return whether a call raises InputError, which is one line; it may raise nothing else."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(**arguments)
        except md.InputError as error:
            assert "\n" not in str(error) and len(str(error)) < 500
            return True
    return False


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_kind_of_argument_is_one_line(name, folder):
    call, good = getattr(md, name), dict(CALLS[name])
    if name == "write_table":
        good["table"] = md.read_table("table.csv")
    assert not refused(call, good)
    for argument in good:
        outcomes = [refused(call, good | {argument: wrong}) for wrong in WRONG]
        assert sum(outcomes) > len(WRONG) / 3 or (name, argument) in UNUSED, argument


@pytest.mark.parametrize("wrong", WRONG)
def test_only_a_figure_is_saved_and_only_to_a_path(wrong, folder):
    with pytest.raises(md.InputError):
        md.save_figure(wrong, "a.png")
    with pytest.raises(md.InputError):
        md.save_figure(Figure(), wrong)


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        ("wilson", {"confidence": "a"}, r"confidence='a' must be in \(0, 1\)"),
        ("wilson", {"wins": "x"}, "wins='x' must be numbers"),
        ("fit_critical_density", {"replicates": 2.5}, "replicates=2.5 must be a whole number"),
        ("fit_critical_density", {"rng": 5}, "rng=5 must be a numpy Generator"),
        ("fit_series", {"terms": "x"}, "terms='x' must be a whole number in 1..10"),
        ("fit_series", {"q": ["2", "3"]}, r"q=\['2', '3'\] must be numbers"),
        ("play_batch", {"task": "3x3"}, "task='3x3' must be a Task"),
        ("top_up", {"tasks": TASK}, r"tasks=Task\(.*must be a list of Tasks"),
        ("sweep", {"folder": 5}, "folder=5 must be a path"),
    ],
)
def test_the_line_names_the_argument_the_value_and_what_is_allowed(call, arguments, message):
    with pytest.raises(md.InputError, match=message):
        getattr(md, call)(**CALLS[call] | arguments)


def test_a_table_of_texts_and_one_that_contradicts_itself_are_refused():
    for change, message in (
        ({"wins": "x"}, "column 'wins' must be int64"),
        ({"density": 0.3}, "row 1: density=0.3 must be mines / cells of the board"),
        ({"win_rate_corrected": 0.2}, "must be win_rate, or 0 by rule 1 or 2"),
        ({"board": "3x4"}, "row 1: board='3x4' must be p x q"),
        ({"wins": 31}, "row 1: wins=31 must be at most games"),
    ):
        for call in (md.fit_critical_density, lambda table: md.fit_model("weibull", table)):
            with pytest.raises(md.InputError, match=f"the table of a curve: .*{message}"):
                call(TABLE.assign(**change))
