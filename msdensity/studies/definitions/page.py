"""The page of definitions: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from msdensity.stats.rho50.fit_object import REJECTED
from msdensity.stats.testing import DIFFERS, LEVEL
from msdensity.studies.definitions.means import DEFINITIONS, PEAKED
from msdensity.studies.definitions.results import LIMIT, NONE
from msdensity.studies.definitions.settings import Settings
from msdensity.studies.page import Page, Tables, pm, rows


class Words(NamedTuple):
    """A definition in words: what is met, its limit on boards without end as argued, and why."""

    met: str
    limit: str
    why: str


WORDS = {
    "won": Words("half of the games are won", "0", "forced guesses: a few mines, anywhere"),
    "no_guess": Words("half of the games are won without a guess", "0", "the same forced guesses"),
    "one_guess": Words("a game has 1 guess on average", "0", "the same forced guesses"),
    "ln2_guesses": Words("a game has ln 2 guesses on average", "0", "the same forced guesses"),
    "opened": Words(
        "half of the safe cells are opened before the end",
        "from that without a guess to that of inference",
        "above the density of inference each start stays small, and wrong guesses end the game",
    ),
    "inferred": Words(
        "half of the safe cells are opened without a guess",
        "above 0, below that of inference",
        "up to the density of inference deduction spreads over any board",
    ),
    "cascade": Words(
        "half of the safe cells are opened by the first click",
        "above 0, below that of the cascade",
        "up to the density of the cascade 0s that touch cross any board",
    ),
    "clicks": Words(
        "half of the safe cells need a click of their own",
        "above 0",
        "the mines within a few cells decide it, on any board; no transition",
    ),
}
"""Each definition: `limit` and `why` are arguments, not measurements."""

SPREADING = ("opened", "inferred", "cascade")
"""Definitions that ask how far a player gets."""

FORCED = ("won", "no_guess", "one_guess", "ln2_guesses")
"""Definitions that a few forced guesses decide."""

STARTS = {"zero": "on a 0 in the middle", "safe": "safe, at the corner"}

MIDDLE = (0.2, 0.9)
"""Win rates between which the relations are judged."""


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    found = {
        (start, name): _definition(tables, start, name) for start in STARTS for name in DEFINITIONS
    }
    own = {name: found["zero", name] for name in DEFINITIONS}
    peaks = tables["peaks"]
    zero_peaks = peaks[peaks["start"] == "zero"]
    return {
        "study": settings,
        "level": LEVEL,
        "differs": DIFFERS,
        "rejects": REJECTED,
        "words": WORDS,
        "own": own,
        "corner": {name: found["safe", name] for name in DEFINITIONS},
        "tables_of": {
            text: pd.DataFrame([found[start, name]["row"] for name in DEFINITIONS])
            for start, text in STARTS.items()
        },
        "argued": pd.DataFrame(
            [{"definition": w.met, "limit": w.limit, "why": w.why} for w in WORDS.values()]
        ),
        "falling": [own[name] for name in FORCED if own[name]["falls"]],
        "forced": [own[name] for name in FORCED if own[name]["exponent"]],
        "spreading": {name: own[name] for name in SPREADING if own[name]["last"]},
        "compared": [own[name] for name in (*FORCED, *SPREADING) if own[name]["before"]],
        "fits": tables["limits"].assign(
            met=tables["limits"]["definition"].map({n: w.met for n, w in WORDS.items()}),
            start=tables["limits"]["start"].map(STARTS),
            model=tables["limits"]["model"].map({NONE: "a q^−b", LIMIT: "c + a q^−b"}),
        ),
        "critical": _wide(tables["critical"]),
        "rejected": int((tables["critical"]["p_value"] < REJECTED).sum()),
        "judged": int(tables["critical"]["p_value"].notna().sum()),
        "no_guess": _relation(tables["relations"], "power", 2.0),
        "guesses": _relation(tables["relations"], "ratio", 1.0),
        "middle": MIDDLE,
        "peaks": {
            name: list(rows(zero_peaks[zero_peaks["measure"] == name].sort_values("side")))
            for name in PEAKED
        },
        "peak_table": _peak_table(peaks),
        "last_peaks": _last_peaks(peaks, settings),
        "cost_peaks": list(rows(tables["cost_peaks"])),
        "first_cells": _first_cells(tables["first_cells"]),
        "sides": sorted(tables["games"]["side"].unique().tolist()),
        "games": int(tables["games"]["games"].sum()),
    }


def _definition(tables: Tables, start: str, name: str) -> dict[str, Any]:
    """Return what is known of a definition from one start; `row`: of the table of the page."""

    def of(table: str) -> pd.DataFrame:
        own = tables[table]
        return own[(own["definition"] == name) & (own["start"] == start)]

    met = list(rows(of("critical").sort_values("side")))
    steps = list(rows(of("steps").sort_values("side")))
    fits = of("limits").sort_values("smallest")
    limit, plain = (_widest(fits[fits["model"] == model]) for model in (LIMIT, NONE))
    last = steps[-1] if steps else None
    falls = last is not None and last.exponent > DIFFERS * last.exponent_se
    levels = (
        limit is not None
        and limit.p_value >= REJECTED
        and limit.gain_p < LEVEL
        and limit.limit > DIFFERS * limit.limit_se
    )
    values = {f"at_{row.side}": pm(row.density, row.density_se) for row in met}
    row = {"definition": WORDS[name].met} | {
        "smallest": values.get(f"at_{met[0].side}", "") if met else "",
        "largest": values.get(f"at_{met[-1].side}", "") if met else "",
        "exponent": pm(last.exponent, last.exponent_se) if last else "",
        "seen": _seen(last, falls, levels),
        "limit": pm(limit.limit, limit.limit_se) if levels and limit else "",
    }
    return {
        "name": name,
        "words": WORDS[name],
        "first": met[0] if met else None,
        "last": met[-1] if met else None,
        "exponent": last,
        "before": steps[-2] if len(steps) > 1 else None,
        "faster": _change(met),
        "falls": falls,
        "levels": levels,
        "limit": limit,
        "plain": plain,
        "row": row,
    }


def _widest(fits: pd.DataFrame) -> Any:
    """Return the fit to the most boards that is not rejected, or to all if each is; None of none.

    fits: LIMIT_COLUMNS of one definition, start and model, by the smallest side.
    """
    good = fits[fits["p_value"] >= REJECTED]
    return next(rows(good if len(good) else fits), None)


def _change(met: list[Any]) -> float:
    """Return how many errors the last exponent is above the one before; NaN without both.

    met: rows of CRITICAL_COLUMNS, by side. The density between the two belongs to both.
    """
    if len(met) < 3:
        return np.nan
    last = met[-3:]
    spread = [row.density_se / row.density for row in last]
    first, second = np.diff(np.log([row.side**2 for row in last]))
    slopes = -np.diff(np.log([row.density for row in last])) / (first, second)
    parts = (spread[0] / first, spread[1] * (1 / first + 1 / second), spread[2] / second)
    return float((slopes[1] - slopes[0]) / np.linalg.norm(parts))


def _seen(last: Any, falls: bool, levels: bool) -> str:
    if last is None:
        return ""
    if levels:
        return "levels off"
    return "still falls" if falls else "no fall seen"


def _wide(critical: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each definition and start: the density on each board."""
    made = []
    name: Any
    start: Any
    for (name, start), own in critical.groupby(["definition", "start"], sort=False):
        row = {"met": WORDS[name].met, "start": STARTS[start]}
        for each in rows(own):
            row[f"{each.side} × {each.side}"] = pm(each.density, each.density_se)
        made.append(row)
    sides = [f"{side} × {side}" for side in sorted(critical["side"].unique())]
    return pd.DataFrame(made).reindex(columns=["met", "start", *sides]).fillna("")


def _relation(relations: pd.DataFrame, name: str, expected: float) -> dict[str, Any]:
    """Return the range of a ratio at middle win rates, and whether all are as expected."""
    low, high = MIDDLE
    own = relations[(relations["start"] == "zero") & relations["W"].between(low, high)]
    if not len(own):
        return {"rows": 0}
    z = (own[name] - expected) / own[f"{name}_se"]
    chi2 = float((z**2).sum())
    return {
        "rows": len(own),
        "low": float(own[name].min()),
        "high": float(own[name].max()),
        "chi2": chi2,
        "p_value": float(stats.chi2.sf(chi2, len(own))),
        "by_side": [(side, *_mean(each, name)) for side, each in own.groupby("side")],
    }


def _mean(own: pd.DataFrame, name: str) -> tuple[float, float]:
    """Return the weighted mean of a ratio and its error, larger if the values scatter more."""
    weights = own[f"{name}_se"].to_numpy() ** -2
    mean = float(np.average(own[name], weights=weights))
    scatter = float((weights * (own[name] - mean) ** 2).sum()) / max(len(own) - 1, 1)
    return mean, float(np.sqrt(max(scatter, 1) / weights.sum()))


def _peak_table(peaks: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each side: the density and the height of each peak from each start."""
    made: dict[int, dict[str, Any]] = {}
    for row in rows(peaks):
        own = made.setdefault(row.side, {"side": row.side})
        own[f"{row.measure}_{row.start}"] = (
            f"{pm(row.density, row.density_se)} ({row.value:.3g}; p = {row.p_value:.2g})"
        )
    names = ["side", *(f"{measure}_{start}" for start in STARTS for measure in PEAKED)]
    return pd.DataFrame([made[side] for side in sorted(made)]).reindex(columns=names).fillna("")


def _last_peaks(peaks: pd.DataFrame, settings: Settings) -> list[tuple[str, str, Any, float]]:
    """Return the peaks of guesses and work on the largest board beside the density of inference.

    Each with its measure and start in words, its row, and how many errors it is above that density.
    """
    known, made = settings.inference, []
    words = {"guesses": "guesses", "component": "cells by component"}
    for (start, text), measure in product(STARTS.items(), PEAKED):
        own = peaks[(peaks["measure"] == measure) & (peaks["start"] == start)]
        for row in rows(own.sort_values("side").tail(1)):
            z = (row.density - known.density) / np.hypot(row.density_se, known.error)
            made.append((words[measure], text, row, float(z)))
    return made


def _first_cells(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each place: the density on the smallest board and on one without end."""
    made = []
    for (place, near), own in table.groupby(["place", "neighbours"], sort=False):
        sized = own[own["side"].notna()].sort_values("side")
        made.append(
            {
                "place": place,
                "neighbours": near,
                "smallest": sized["density"].iloc[0],
                "limit": own.loc[own["side"].isna(), "density"].iloc[0],
            }
        )
    return pd.DataFrame(made)


page = Page("definitions", "definitions/page.md.j2", "definitions/finding.md.j2", facts)
"""The page: see `Page`."""
