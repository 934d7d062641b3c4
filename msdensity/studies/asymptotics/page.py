"""The page "Does the critical density converge?": the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.stats.rho50.control_variate import ALARM
from msdensity.studies.asymptotics.law import COEFFICIENTS, law_exponent, law_terms
from msdensity.studies.asymptotics.results import (
    LARGE_SIDES,
    SERIES,
    SMALL_SIDES,
    squares_of,
)
from msdensity.studies.asymptotics.settings import Settings
from msdensity.studies.page import Tables, page_of, pm, rows
from msdensity.studies.paper.tables import CLAIMED_LIMIT

SIGMAS = 3
"""Numbers agree up to so many standard errors; chance exceeds this once in 370."""

REJECTED = 0.01

SETTLED_SEED = 20250608
"""Seed of the games that were used to choose the terms of the regression."""

SERIES_NAMES = {
    ("corner", "square8"): "corner",
    ("zero", "square8"): "zero",
    ("zero", "torus8"): "torus",
}

FITTED = {
    "printed": "Table B.2 (another player)",
    "P": "P of our player",
    "rho50": "ρ50 of our player",
}

MODELS = {
    "hyperbola": "a/(q - b) + c",
    "power": "a q^-s",
    "law": "law",
    "scaled_law": "scale x law",
}

TERMS = {
    "start": "start, S(ρ)",
    "corner": "corner, ρ³ each",
    "edge": "edge, L ρ⁴",
    "bulk": "bulk, n ρ⁶",
    "start_next": "start, ρ³",
    "wall": "walled-in 0, ρ⁵",
    "corner_next": "corner, ρ⁴ each",
    "edge_next": "edge, L ρ⁵",
    "bulk_next": "bulk, n ρ⁷",
}


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return the facts of the template; a part without any board is None."""
    critical, safeties = tables["critical"], tables["safeties"]
    critical = critical.assign(sigma=(CLAIMED_LIMIT - critical["P"]) / critical["P_sd"])
    large = critical[(critical["q"] > SMALL_SIDES) & (critical["P_sd"] > 0)]
    plan = tables["plan"].assign(boards=1)
    spent = plan.groupby("games_of", sort=False)[["boards", "games", "cpu_seconds"]].sum()
    return {
        "study": settings,
        "claimed": CLAIMED_LIMIT,
        "small_sides": SMALL_SIDES,
        "sigmas": SIGMAS,
        "rejected": REJECTED,
        "alarm": ALARM,
        "settled_seed": SETTLED_SEED,
        "series_names": SERIES_NAMES,
        "model_names": MODELS,
        "below_claim": list(rows(large[large["sigma"] > SIGMAS])),
        "series": _series(tables["rho50"]),
        "safeties": safeties,
        "total": next(rows(safeties[safeties["games_of"] == "all"])),
        "plan": spent.reset_index(),
        "critical": critical,
        "published": _published(tables["published"]),
        "models": _models(tables["models"]),
        "exponents": _exponents(tables["exponents"]),
        **_terms(tables["glm"]),
        "fixed": _fixed(tables["fixed"], tables["low_density"]),
        "guesses": _guesses(tables["guesses"], settings.low_density.fixed),
        "aspect": _aspect(tables["aspect"]),
        "strips": _strips(tables["strips"]),
        "largest": _largest(tables["rho50"]),
    }


def _series(rho50: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the squares of each series that were played, by side."""
    parts = []
    for key in SERIES:
        own = squares_of(rho50, *key)
        if len(own):
            squares = list(rows(own))
            large = own[own["q"] >= LARGE_SIDES]
            parts.append(
                {
                    "start": SERIES[key],
                    "table": own,
                    "first": squares[0],
                    "last": squares[-1],
                    "large_from": large["q"].min() if len(large) else None,
                    "law_off": (large["rho50"] / large["law"] - 1).abs().max(),
                    "rejected": own.loc[own["p_value"] < REJECTED, "q"].tolist(),
                }
            )
    return parts


def _published(table: pd.DataFrame) -> dict[str, Any] | None:
    """Return the tests of the hyperbola; worst: of each fit to our own boards, by |z|."""
    if not len(table):
        return None
    printed = table[table["fitted"] == "printed"]
    named = table.assign(fitted=table["fitted"].map(FITTED), misses=table["z"].abs() > SIGMAS)
    ours = named[table["z"].notna() & (table["fitted"] != "printed")]
    worst = ours.loc[ours["z"].abs().groupby([ours["fitted"], ours["weights"]]).idxmax()]
    return {
        "table": named,
        "printed": next(rows(printed), None),
        "contradicted_at": printed.loc[printed["below_limit"] > 1.96, "q"].tolist(),
        "worst": list(rows(worst)),
    }


def _models(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rivals by series; limits: c of the hyperbola; held: the first not rejected."""
    parts = []
    for key, own in table.groupby(["rule", "topology"], sort=False):
        best = own.loc[own.groupby("q_min")["delta_aicc"].idxmin()]
        held = best[best["p_value"] > REJECTED]
        few = own[own["q_min"].isin(doubling(own["q_min"].tolist()))]
        parts.append(
            {
                "start": SERIES[key],  # type: ignore[index]
                "table": few.assign(model=few["model"].map(MODELS)),
                "limits": list(rows(own[(own["model"] == "hyperbola") & own["limit"].notna()])),
                "best": list(rows(best))[-1],
                "held": next(rows(held), None),
            }
        )
    return parts


def doubling(sides: list[int]) -> list[int]:
    """Return the smallest side, each that is at least twice the one before, and the largest."""
    kept = [min(sides)]
    for side in sorted(sides):
        if side >= 2 * kept[-1]:
            kept.append(side)
    return [*kept, max(sides)]


def _exponents(table: pd.DataFrame) -> dict[str, Any] | None:
    """Return the exponents; changes: from the first to the last, in standard errors."""
    if not len(table):
        return None
    changes = []
    for key, own in table.groupby(["rule", "topology"], sort=False):
        if len(own) > 1:
            first, *_, last = rows(own)
            sigma = (last.exponent - first.exponent) / np.hypot(first.error, last.error)
            start = SERIES[key]  # type: ignore[index]
            changes.append({"start": start, "first": first, "last": last, "sigma": sigma})
    law = {side: law_exponent(side) for side in (64, 512, 100_000)}
    return {"table": _with_series(table), "law": law, "changes": changes}


def _with_series(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the name of the series of each row."""
    keys = zip(table["rule"], table["topology"], strict=True)
    return table.assign(series=[SERIES_NAMES[key] for key in keys])


def _terms(glm: pd.DataFrame) -> dict[str, Any]:
    """Return the regressions, of them those that test the law, and the scan of its terms."""
    main = {}
    for (counts, orders), own in glm[glm["main"] == 1].groupby(["counts", "orders"], sort=False):
        both = own.set_index("term").reindex(["edge", "bulk"]).dropna(subset="counts")
        main[orders, counts] = {
            **own.iloc[0],
            "table": own.assign(term=own["term"].map(TERMS)),
            "edge_and_bulk": list(rows(both)),
            "agree": bool((both["z"].abs() < SIGMAS).all()),
        }
    tested = [
        main.get(key) for key in (("next", "plain"), ("next", "reduced"), ("leading", "plain"))
    ]
    scan = glm[(glm["counts"] == "plain") & glm["term"].isin(["edge", "bulk"])]
    scan = scan.assign(text=[pm(row.value, row.error, ".3f") for row in rows(scan)])
    keys = ["orders", "smallest_side", "highest_density", "p_value"]
    wide = scan.pivot_table(index=keys, columns="term", values="text", aggfunc="first")
    return {
        "regressions": list(main.values()),
        "tested": [one for one in tested if one and len(one["edge_and_bulk"]) == 2],
        "scan": wide.reset_index(),
    }


def _fixed(table: pd.DataFrame, low_density: pd.DataFrame) -> dict[str, Any]:
    """Return the fits at one density; squares: at the highest density below the claimed limit."""
    bulk = table[table["term"] == "C"].sort_values("above_0", ascending=False, kind="stable")
    corner = (low_density["rule"] == "corner") & (low_density["p"] == low_density["q"])
    below = low_density[corner & (low_density["density"] < CLAIMED_LIMIT)]
    density = below["density"].round(2).max()
    return {
        "table": _with_series(table),
        "bulk": list(rows(bulk)),
        "sure": int((bulk["above_0"] > SIGMAS).sum()),
        "density": density,
        "squares": list(rows(below[(below["density"] - density).abs() < 0.005].sort_values("q"))),
    }


def _guesses(table: pd.DataFrame, densities: tuple[float, ...]) -> dict[str, Any] | None:
    """Return the table near some densities; ends: the ratio at the lowest and highest of all."""
    if not len(table):
        return None
    table = table.assign(ratio=table["no_guess"] / table["win_squared"])
    near = np.abs(np.subtract.outer(table["density"].to_numpy(), densities)).min(axis=1) < 0.003
    lowest = table[table["density"] <= table["density"].min() + 0.005]
    ends = {"lowest": lowest, "highest": table.nlargest(len(lowest), "density")}
    return {"table": table[near], "ends": ends}


def _aspect(table: pd.DataFrame) -> dict[str, Any] | None:
    """Return the pairs of boards; how many differ, and how many agree with the law."""
    if not len(table):
        return None
    apart, agree = table["z_equal"].abs() > SIGMAS, table["z_law"].abs() <= SIGMAS
    return {"table": table, "apart": int(apart.sum()), "agree": int(agree.sum())}


def _strips(table: pd.DataFrame) -> dict[str, Any]:
    """Return strips beside theory; single: W(1) by falling |z|; line: rho50 of 1 x q by length."""
    table = table.assign(over=table["measured"] / table["theory"])
    single = table[(table["quantity"] == "W(1)") & table["z"].notna()]
    line = table[(table["p"] == 1) & (table["quantity"] == "rho50") & table["over"].notna()]
    return {
        "table": table,
        "single": list(rows(single.sort_values("z", key=abs, ascending=False, kind="stable"))),
        "agree": bool((single["z"].abs() < SIGMAS).all()),
        "line": list(rows(line.sort_values("q"))),
    }


def _largest(rho50: pd.DataFrame) -> dict[str, Any] | None:
    """Return the largest square of the corner start and what the law says of -ln W there."""
    squares = squares_of(rho50, "corner", "square8")
    if not len(squares):
        return None
    side, density = int(squares["q"].iloc[-1]), squares["rho50"].iloc[-1]
    parts = law_terms((side, side), density)
    terms = {name: COEFFICIENTS[name] * float(parts[name]) for name in ("edge", "bulk")}
    return {"q": side, **terms}


page = page_of("asymptotics", "asymptotics/page.md.j2", facts)
"""Return the page as HTML; see `page_of`."""
