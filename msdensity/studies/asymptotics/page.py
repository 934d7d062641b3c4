"""The page "Does the critical density converge?": the numbers that page.md.j2 puts into words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import chi2

from msdensity.stats.law import (
    COEFFICIENTS,
    law_exponent,
    law_terms,
)
from msdensity.stats.law import (
    SERIES as ORDERS,
)
from msdensity.stats.rho50.control_variate import ALARM
from msdensity.studies.asymptotics.law_facts import (
    SERIES_NAMES,
    SIGMAS,
    conditional_facts,
    regression_facts,
    whole_law_facts,
    written,
)
from msdensity.studies.asymptotics.results import (
    EXPONENT_SIDES,
    EXPONENT_STEP,
    LARGE_SIDES,
    RIVAL_SIDES,
    SERIES,
    SMALL_SIDES,
    squares_of,
)
from msdensity.studies.asymptotics.rival_curves import CURVES
from msdensity.studies.asymptotics.settings import PLAYER, RIVAL, Settings
from msdensity.studies.asymptotics.terms import POWER, REJECTED
from msdensity.studies.asymptotics.two_rows import MOST_MINES, win_polynomial
from msdensity.studies.asymptotics.walled import FIRST_GUESS, WALLS
from msdensity.studies.page import Page, Tables, rows
from msdensity.studies.paper.tables import CLAIMED_LIMIT

SETTLED_SEEDS = (20250608, 20260103, 20261128, 20270301)
"""Seeds of the games that were seen before the last choice of windows, terms and models."""

FITTED = {
    "printed": "P of Table B.2 (the paper's program)",
    "P": "P of weighted",
    "rho50": "ρ50 of weighted",
}

MODELS = {name: curve.formula for name, curve in CURVES.items()}

DECISIVE = 10
"""A model with so much more AICc has hardly any support (Burnham and Anderson, 2002)."""

COLLINEAR = 30
"""A condition number above this is called strong (Belsley, Kuh and Welsch, 1980)."""


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return the facts of the template; a part without any board is None."""
    critical, safeties = tables["critical"], tables["safeties"]
    critical = critical.assign(sigma=(CLAIMED_LIMIT - critical["P"]) / critical["P_sd"])
    known = critical[(critical["q"] > SMALL_SIDES) & (critical["P_sd"] > 0)]
    large, listing = (known[known["player"] == player] for player in (PLAYER, RIVAL))
    plan = tables["plan"].assign(boards=1)
    spent = plan.groupby("games_of", sort=False)[["boards", "games", "cpu_seconds"]].sum()
    return {
        "study": settings,
        "claimed": CLAIMED_LIMIT,
        "small_sides": SMALL_SIDES,
        "sigmas": SIGMAS,
        "rejected": REJECTED,
        "alarm": ALARM,
        "settled_seeds": SETTLED_SEEDS,
        "power": POWER,
        "collinear": COLLINEAR,
        "gain": tables["low_density"]["gain"].median(),
        "walls": WALLS,
        "first_guess": FIRST_GUESS,
        "walled_cost": COEFFICIENTS["wall"],
        "rival_sides": RIVAL_SIDES,
        "exponent_sides": EXPONENT_SIDES,
        "exponent_step": EXPONENT_STEP,
        "series_names": SERIES_NAMES,
        "model_names": MODELS,
        "decisive": DECISIVE,
        "orders": {place: written(series) for place, series in ORDERS.items()},
        "below_claim": list(rows(large[large["sigma"] > SIGMAS])),
        "listing": listing.iloc[:: max(1, len(listing) - 1)],
        "unsafe": next(rows(safeties[safeties["z"].abs() > SIGMAS]), None),
        "whole": whole_law_facts(tables["whole_law"]),
        "conditional": conditional_facts(tables["conditional"]),
        "series": _series(tables["rho50"]),
        "safeties": safeties,
        "total": next(rows(safeties[safeties["games_of"] == "all"])),
        "plan": spent.reset_index(),
        "critical": critical,
        "published": _published(tables["published"]),
        "models": _models(tables["models"]),
        "exponents": _exponents(tables["exponents"]),
        **regression_facts(tables["glm"]),
        "rises": _rises(tables["rises"], tables["models"]),
        "fixed": _fixed(tables["fixed"]),
        "guesses": _guesses(tables["guesses"], settings.low_density.fixed),
        "aspect": _aspect(tables["aspect"]),
        "strips": _strips(tables),
        "most_mines": MOST_MINES,
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
        "printed_most": printed["below_limit"].max(),
        "contradicted_at": printed.loc[printed["below_limit"] > SIGMAS, "q"].tolist(),
        "worst": list(rows(worst)),
    }


def _models(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rivals by series; main: those of the declared sides, the lowest AICc first."""
    parts = []
    for key, own in table.groupby(["rule", "topology"], sort=False):
        best = own.loc[own.groupby("q_min")["delta_aicc"].idxmin()]
        held = best[best["p_value"] > REJECTED]
        main = own[own["q_min"] == _declared(own["q_min"])].sort_values("delta_aicc")
        few = own[own["q_min"].isin(doubling(own["q_min"].tolist()))]
        named = main.assign(
            name=main["model"].map(MODELS),
            above=(CLAIMED_LIMIT - main["limit"]) / main["limit_error"],
            over_0=main["limit"] / main["limit_error"],
        )
        ends = named["limit"].notna()
        limited, free = named[ends & (named["limit"] > 0)], named[~ends & named["aicc"].notna()]
        gap = free["aicc"].min() - limited["aicc"].min()
        parts.append(
            {
                "start": SERIES[key],  # type: ignore[index]
                "table": main.assign(model=main["model"].map(MODELS)),
                "main": list(rows(named)),
                "limit": next(rows(named[named["model"] == "hyperbola"]), None),
                "limits": list(
                    rows(
                        few[
                            (few["model"] == "hyperbola")
                            & few["limit"].notna()
                            & (few["q_min"] != main["q_min"].min())
                        ]
                    )
                ),
                "held": next(rows(held), None),
                "with_limit": list(rows(named[ends])),
                "best_limit": next(rows(limited), None),
                "best_none": next(rows(free), None),
                "gap": gap,
            }
        )
    return parts


def _declared(q_min: pd.Series) -> int:
    """Return the declared smallest side, or without it the largest below it, or the smallest."""
    below = q_min[q_min <= RIVAL_SIDES]
    return int(below.max() if len(below) else q_min.min())


def doubling(sides: list[int]) -> list[int]:
    """Return the smallest side, each that is at least twice the one before, and the largest."""
    kept = [min(sides)]
    for side in sorted(sides):
        if side >= 2 * kept[-1]:
            kept.append(side)
    return [*kept, max(sides)]


def _exponents(table: pd.DataFrame) -> dict[str, Any] | None:
    """Return the exponents; whole: of each series the largest |z|, and what all say together."""
    if not len(table):
        return None
    whole = []
    for key, own in table.groupby(["rule", "topology"], sort=False):
        worst = own.iloc[int(own["z"].abs().to_numpy().argmax())]
        trend = worst["trend"] / worst["trend_error"]
        whole.append({**worst, "start": SERIES[key], "trend_z": trend})  # type: ignore[index]
    law = {side: law_exponent(side) for side in (64, 512, 100_000)}
    return {"table": _with_series(table), "law": law, "whole": whole}


def _with_series(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the name of the series of each row."""
    keys = zip(table["rule"], table["topology"], strict=True)
    return table.assign(series=[SERIES_NAMES[key] for key in keys])


def _rises(table: pd.DataFrame, models: pd.DataFrame) -> dict[str, Any]:
    """Return -ln W on small and large squares; low: at densities below every fitted limit."""
    limits = models[models["limit"] > 0].sort_values("limit")  # of every range
    lowest = limits["limit"].min() if len(limits) else CLAIMED_LIMIT
    low = table[table["density"] < min(lowest, CLAIMED_LIMIT)]
    return {
        "table": _with_series(table),
        "sure": int((table["z"] > SIGMAS).sum()),
        "lowest": next(rows(limits), None),
        "low": list(rows(low.sort_values("z"))),
        "low_sure": int((low["z"] > SIGMAS).sum()),
        "highest": low["high"].max(),
        "halves": low["half"].agg(["min", "max"]).tolist(),
    }


def _fixed(table: pd.DataFrame) -> dict[str, Any]:
    """Return C of the fits at one density; torus: with and without the walled-in start."""
    power = table["density"] ** table["term"].map({"A": 5, "B": 4, "C": 6})
    table = table.assign(scaled=table["value"] / power, scaled_error=table["error"] / power)
    bulk = table[table["term"] == "C"].drop_duplicates(["rule", "topology", "density"])
    surest = bulk.sort_values("above_0", ascending=False, kind="stable")
    own = table[table["topology"] == "torus8"]
    fits = own.drop_duplicates(["model", "density"]).groupby("model")[["deviance", "df"]].sum()
    joint = {row.Index: float(chi2.sf(row.deviance, row.df)) for row in rows(fits) if row.df > 0}
    square = table[table["topology"] != "torus8"].drop_duplicates(["rule", "density"])
    sums = square.groupby("rule", sort=False)[["deviance", "df"]].sum()
    all_squares = {row.Index: float(chi2.sf(row.deviance, row.df)) for row in rows(sums)}
    torus = _torus(own)
    return {
        "table": _with_series(bulk[bulk["topology"] != "torus8"]),
        "bulk": list(rows(surest)),
        "sure": int((bulk["above_0"] > SIGMAS).sum()),
        "edges": int((table["term"] == "B").sum()),
        "edges_sure": int(((table["term"] == "B") & (table["above_0"] > SIGMAS)).sum()),
        "torus": torus,
        "joint": joint,
        "joint_squares": all_squares,
        "off": int((torus["z"].abs() > SIGMAS).sum()),
    }


def _torus(own: pd.DataFrame) -> pd.DataFrame:
    """Return the fits of the torus with A, a density a row, beside C of those without (alone)."""
    by = own.set_index(["density"])[["term", "model", "scaled", "scaled_error", "z", "p_value"]]
    with_start = by["model"].str.startswith("A")
    start = by[with_start & (by["term"] == "A")][["scaled", "scaled_error"]]
    start.columns = pd.Index(["A", "A_error"])
    bulk = by[with_start & (by["term"] == "C")][["scaled", "scaled_error", "z", "p_value"]]
    bulk.columns = pd.Index(["C", "C_error", "z", "p_value"])
    alone = by[~with_start][["scaled", "scaled_error", "p_value"]]
    alone.columns = pd.Index(["alone", "alone_error", "p_alone"])
    boards = own.groupby("density")["boards"].first()
    return pd.concat(
        [start, bulk, alone.loc[start.index], boards.loc[start.index]], axis=1
    ).reset_index()


def _guesses(table: pd.DataFrame, densities: tuple[float, ...]) -> dict[str, Any] | None:
    """Return the largest boards of some densities; ends: the ratio at the lowest and highest.

    torus: guesses beyond the law's for each walled-in start, where known to a tenth, worst first.
    """
    if not len(table):
        return None
    table = table.assign(ratio=table["no_guess"] / table["win_squared"])
    away = np.abs(np.subtract.outer(table["density"].to_numpy(), densities))
    near = table.assign(fixed=away.argmin(axis=1))[away.min(axis=1) < 0.003]
    near = near.sort_values("q").groupby(["topology", "fixed"]).tail(1)
    lowest = table[table["density"] <= table["density"].min() + 0.005]
    ends = {"lowest": lowest, "highest": table.nlargest(len(lowest), "density")}
    torus = table[table["topology"] == "torus8"]
    extra = torus["guesses"] - torus["law_guesses"]
    torus = torus.assign(each=extra / torus["walled"], over=torus["guesses"] / torus["law_guesses"])
    known = torus[torus["guesses_se"] < 0.1 * extra].sort_values("over", ascending=False)
    return {"table": near.sort_values(["topology", "fixed"]), "ends": ends, "torus": known}


def _aspect(table: pd.DataFrame) -> dict[str, Any] | None:
    """Return the pairs of boards; how many differ, and how many agree with the law."""
    if not len(table):
        return None
    apart, agree = table["z_equal"].abs() > SIGMAS, table["z_law"].abs() <= SIGMAS
    return {"table": table, "apart": int(apart.sum()), "agree": int(agree.sum())}


def _strips(tables: Tables) -> dict[str, Any]:
    """Return strips beside what is exact; exact: what all win rates of 1 x q and 2 x q say."""
    table = tables["strips"].assign(over=tables["strips"]["measured"] / tables["strips"]["theory"])
    known = tables["strips_exact"][tables["strips_exact"]["z"].notna()]
    exact = []
    for p, own in known.groupby("p"):
        square = float((own["z"] ** 2).sum())
        worst = next(rows(own.loc[[own["z"].abs().idxmax()]]))
        p_value = float(chi2.sf(square, len(own)))
        exact.append({"p": p, "chi2": square, "df": len(own), "p_value": p_value, "worst": worst})
    compared = table[table["measured"].notna() & table["theory"].notna()].sort_values("over")
    published = tables["strips_published"]
    two = published[published["p"] == 2].dropna(subset=["published", "P"])
    return {
        "table": table[table["measured"].notna()],
        "exact": exact,
        "compared": [(p, list(rows(own))) for p, own in compared.groupby("p")],
        "win_rates": tables["strips_exact"][tables["strips_exact"]["p"] == 2],
        "published": published,
        "zeros": int((two["P"] == 0).sum()),
        "both_zero": int(((two["P"] == 0) & (two["published"] == 0)).sum()),
        "polynomials": [(m, polynomial_text(win_polynomial(m))) for m in (1, 2, 3)],
    }


def polynomial_text(coefficients: Sequence[Fraction]) -> str:
    """Return a polynomial in q as text, from the coefficients of 1, q, ...: (q^2 - 6)/2."""
    common = math.lcm(*(c.denominator for c in coefficients))
    text = ""
    for power, coefficient in reversed(list(enumerate(coefficients))):
        whole = int(coefficient * common)
        if whole:
            size = "" if abs(whole) == 1 and power else str(abs(whole))
            power_text = {0: "", 1: "q"}.get(power, f"q^{power}")
            sign = "\N{MINUS SIGN}" if whole < 0 else "+"
            text += f" {sign} {' '.join(filter(None, [size, power_text]))}"
    text = text.removeprefix(" + ")
    return text if common == 1 else f"({text})/{common}"


def _largest(rho50: pd.DataFrame) -> dict[str, Any] | None:
    """Return the largest square of the corner start and what the law says of -ln W there."""
    squares = squares_of(rho50, "corner", "square8")
    if not len(squares):
        return None
    side, density = int(squares["q"].iloc[-1]), squares["rho50"].iloc[-1]
    parts = law_terms((side, side), density)
    terms = {name: COEFFICIENTS[name] * float(parts[name]) for name in ("edge", "bulk")}
    return {"q": side, **terms}


page = Page("asymptotics", "asymptotics/page.md.j2", "asymptotics/finding.md.j2", facts)
"""The page: see `Page`."""
