"""The page of topologies: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import chi2

from msdensity.kernel.names import WRAPPED
from msdensity.stats.rho50.measurement import MAX_APPROXIMATE
from msdensity.stats.testing import DIFFERS, LEVEL
from msdensity.studies.page import Page, Tables, rows
from msdensity.studies.topologies.halves import bulk_power
from msdensity.studies.topologies.law import LAWS, LINE
from msdensity.studies.topologies.limits import CORRECTED, HYPERBOLA, POWER
from msdensity.studies.topologies.settings import CUBIC, Settings

MODELS = (POWER, HYPERBOLA, CORRECTED)
"""The curves of rho50 in the page's table. POWER_LIMIT is left out: where its limit would be below
0 it is POWER, and the verdict counts it."""

FALL_COLUMNS = [
    *("topology", "k", "small", "large", "first", "first_se", "last", "last_se"),
    *("z", "steps", "down", "up", "falls"),
]

WORDS = {
    "leading": "leading terms",
    "next": "and known next terms",
    "never": "all, u = 0",
    "always": "all, u = 1",
    LINE: "line, 2 free",
}
"""The models of the law as the page names them."""


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    halves, exponents, limits = (tables[name] for name in ("halves", "exponents", "limits"))
    tests, points, rises = (tables[name] for name in ("tests", "points", "rises"))
    exact = halves[halves["approximate"] <= MAX_APPROXIMATE]
    flat = exact[~exact["topology"].isin(CUBIC)]
    falls = _falls(flat)
    verdicts = _verdicts(falls, limits, rises, exponents)
    drifts = _drifts(limits)
    may_end = set(verdicts.loc[verdicts["limits_rejected"] == 0].get("topology", []))
    open_drifts = drifts[drifts["topology"].isin(may_end)]
    leading = tests[tests["model"] == "leading"]
    line = tests[tests["model"] == LINE]
    whole = _whole(tests)
    rivals = tests[tests["model"].isin(["never", "always"]) & tests["topology"].isin(whole)]
    cubic = halves[halves["topology"].isin(CUBIC)]
    return {
        "study": settings,
        "level": LEVEL,
        "differs": DIFFERS,
        "falls": falls,
        "topologies": len(falls),
        "falling": int(falls["falls"].sum()),
        "least_z": falls["z"].min() if len(falls) else np.nan,
        "level_off": list(rows(falls[falls["falls"] == 0])),
        "usual": next(rows(falls[falls["topology"] == "square8"]), None),
        "largest": int(flat["side"].max()),
        "verdicts": verdicts,
        "few": sorted({*falls["topology"]} - {*verdicts.get("topology", [])}),
        "excluded": list(rows(verdicts[verdicts["limits_rejected"] == 1])),
        "open": list(rows(verdicts[verdicts["limits_rejected"] == 0])),
        "open_risen": int(((verdicts["limits_rejected"] == 0) & (verdicts["below"] == 1)).sum()),
        "open_drifts": len(open_drifts),
        "open_lower": int((open_drifts["z"] > 0).sum()),
        "risen": list(rows(verdicts[verdicts["below"] == 1])),
        "powers": _powers(),
        "halves": halves,
        "exponents": exponents.assign(
            z=(exponents["exponent"] - exponents["law"]) / exponents["exponent_se"]
        ),
        "last": _last(exponents),
        "close": [row for row in _last(exponents) if abs(row.z) <= DIFFERS],
        "apart": [row for row in _last(exponents) if abs(row.z) > DIFFERS],
        "together_z": _together([row.z for row in _last(exponents)]),
        "passes": whole,
        "passes_together": _joint(tests, whole),
        "windows": _windows(limits),
        "drifts": drifts,
        "tests": tests.assign(model=tests["model"].map(WORDS)),
        "laws": len(leading),
        "agree": list(rows(leading[leading["p_value"] >= LEVEL])),
        "disagree": list(rows(leading[leading["p_value"] < LEVEL])),
        "next_agree": _agree(tests, "next"),
        "next_disagree": _agree(tests, "next", no=True),
        "right_intercept": list(rows(line[_near_one(line)])),
        "wrong_intercept": list(rows(line[~_near_one(line)])),
        "rivals": len(rivals),
        "rivals_rejected": int((rivals["p_value"] < LEVEL).sum()),
        "rivals_left": _rivals_left(rivals),
        "points": points,
        "planned": sorted({x for own in settings.law.values() for x in own.minus_log}),
        "rises": rises,
        "rising": int((rises["z"] > DIFFERS).sum()),
        "cubic": list(rows(_falls(cubic[cubic["approximate"] <= MAX_APPROXIMATE]))),
        "approximate": list(rows(halves[halves["approximate"] > MAX_APPROXIMATE])),
        "most_approximate": 100 * MAX_APPROXIMATE,
        "models": len(LAWS) + 1,
        "games": int(halves["games"].sum()),
        "law_games": int(points["games"].sum()),
    }


def _falls(halves: pd.DataFrame) -> pd.DataFrame:
    """Return for each topology where half is won on its smallest and its largest board."""
    made = []
    for topology, own in halves.dropna(subset=["rho50_se"]).groupby("topology", sort=False):
        ordered = list(rows(own.sort_values("cells")))
        first, last = ordered[0], ordered[-1]
        steps = [_z(a, b) for a, b in pairwise(ordered)]
        z = _z(first, last) if steps else np.nan
        made.append(
            {
                "topology": topology,
                "k": bulk_power(str(topology)),
                "small": first.board.partition("-")[0],
                "large": last.board.partition("-")[0],
                "first": first.rho50,
                "first_se": first.rho50_se,
                "last": last.rho50,
                "last_se": last.rho50_se,
                "z": z,
                "steps": len(steps),
                "down": sum(each > DIFFERS for each in steps),
                "up": sum(each < -DIFFERS for each in steps),
                "falls": int(z > DIFFERS),
            }
        )
    return pd.DataFrame(made, columns=FALL_COLUMNS)


def _z(small: Any, large: Any) -> float:
    """Return by how many standard errors rho50 of the larger board is below."""
    return float((small.rho50 - large.rho50) / np.hypot(small.rho50_se, large.rho50_se))


def _verdicts(
    falls: pd.DataFrame, limits: pd.DataFrame, rises: pd.DataFrame, exponents: pd.DataFrame
) -> pd.DataFrame:
    """Return for each topology what the fits say of a limit, and what low densities say."""
    made = []
    for row in rows(falls):
        own = _first_good(limits[limits["topology"] == row.topology])
        with_limit, without = own[own["has_limit"] == 1], own[own["has_limit"] == 0]
        if not len(with_limit):
            continue
        best = next(rows(with_limit.sort_values(["p_value", "chi2"], ascending=[False, True])))
        plain = next(rows(without.sort_values(["p_value", "chi2"], ascending=[False, True])))
        rise = rises[(rises["topology"] == row.topology) & (rises["z"] > DIFFERS)]
        low: Any = next(rows(rise.sort_values("density")), None)
        made.append(
            {
                "topology": row.topology,
                "k": row.k,
                "smallest": best.smallest,
                "limits_rejected": int(best.p_value < LEVEL),
                "plain_rejected": int(plain.p_value < LEVEL),
                "model": best.model,
                "limit": best.limit,
                "limit_se": best.limit_se,
                "chi2": best.chi2,
                "df": best.df,
                "p_value": best.p_value,
                "plain": plain.model,
                "plain_chi2": plain.chi2,
                "plain_df": plain.df,
                "plain_p": plain.p_value,
                "density": low.density if low else np.nan,
                "x_small": low.x_small if low else np.nan,
                "x_large": low.x_large if low else np.nan,
                "small": low.small if low else 0,
                "large": low.large if low else 0,
                "rise_z": low.z if low else np.nan,
                "below": int(bool(low) and low.density < best.limit),
            }
        )
    table = pd.DataFrame(made)
    return table if len(table) else pd.DataFrame(columns=["limits_rejected", "below"])


def _first_good(limits: pd.DataFrame) -> pd.DataFrame:
    """Return the fits to the most boards among which a curve is not rejected, else to the fewest.

    With a limit or without: both kinds are judged on the same boards.
    """
    chosen = limits
    for _, own in limits.groupby("smallest"):
        if own["has_limit"].nunique() < 2:
            break
        chosen = own
        if (own["p_value"] >= LEVEL).any():
            break
    return chosen


def _windows(limits: pd.DataFrame) -> pd.DataFrame:
    """Return for each topology and smallest board what each curve says, one row."""
    keys = ["topology", "smallest"]
    made = limits[[*keys, "largest", "points"]].drop_duplicates(keys, keep="last")
    for number, model in enumerate(MODELS):
        own = limits[limits["model"] == model].assign(fit=_fit_text)
        own = own[[*keys, "limit", "limit_se", "fit"]]
        names = {name: f"{name}{number}" for name in ("limit", "limit_se", "fit")}
        made = made.merge(own.rename(columns=names), on=keys, how="left")
    return made.fillna({f"fit{number}": "" for number in range(len(MODELS))})


def _fit_text(limits: pd.DataFrame) -> pd.Series:
    rejected = (limits["p_value"] < LEVEL).map({True: ", rejected", False: ""})
    shown = [f"{c:.1f} ({d})" for c, d in zip(limits["chi2"], limits["df"], strict=True)]
    return pd.Series(shown, index=limits.index) + rejected


def _drifts(limits: pd.DataFrame) -> pd.DataFrame:
    """Return how far the limit of HYPERBOLA falls if the smallest boards are left out.

    z by Hausman's test: the variance of the difference is that of the later fit less that of the
    earlier one, which holds its boards too.
    """
    made = []
    own = limits[limits["model"] == HYPERBOLA]
    for topology, each in own.groupby("topology", sort=False):
        first, last = (each.sort_values("smallest").iloc[i] for i in (0, -1))
        spread = last["limit_se"] ** 2 - first["limit_se"] ** 2
        if spread > 0:
            z = (first["limit"] - last["limit"]) / np.sqrt(spread)
            made.append(
                {"topology": topology, "first": first["limit"], "last": last["limit"], "z": z}
            )
    return pd.DataFrame(made, columns=["topology", "first", "last", "z"])


def _powers() -> dict[int, list[str]]:
    """Return the topologies by k, the lowest first."""
    powers: dict[int, list[str]] = {}
    for name in sorted([*WRAPPED, *CUBIC], key=lambda name: (bulk_power(name), name)):
        powers.setdefault(bulk_power(name), []).append(name)
    return powers


def _last(exponents: pd.DataFrame) -> list[Any]:
    """Return the exponent of the largest boards of each topology, and z to the law."""
    last = exponents.sort_values("side").groupby("topology", sort=False).tail(1)
    z = (last["exponent"] - last["law"]) / last["exponent_se"]
    return list(rows(last.assign(z=z)))


def _whole(tests: pd.DataFrame) -> list[str]:
    """Return the topologies on which all known terms pass: with the next ones where there are."""
    known = tests[tests["model"].isin(["leading", "next"])]
    last = known.groupby("topology", sort=False).tail(1)
    return last.loc[last["p_value"] >= LEVEL, "topology"].tolist()


def _together(z: list[float]) -> float:
    """Return z of the mean of several, each a standard normal number if nothing differs."""
    return float(np.sum(z) / np.sqrt(len(z))) if z else np.nan


def _joint(tests: pd.DataFrame, topologies: list[str]) -> dict[str, float]:
    """Return chi-square of all known terms on several topologies together."""
    known = tests[tests["model"].isin(["leading", "next"]) & tests["topology"].isin(topologies)]
    last = known.groupby("topology", sort=False).tail(1)
    square, df = float(last["chi2"].sum()), int(last["df"].sum())
    return {"chi2": square, "df": df, "p_value": float(chi2.sf(square, max(df, 1)))}


def _rivals_left(rivals: pd.DataFrame) -> list[Any]:
    """Return the models with another u that are not rejected, named as the page names them."""
    left = rivals[rivals["p_value"] >= LEVEL]
    return list(rows(left.assign(model=left["model"].map(WORDS))))


def _agree(tests: pd.DataFrame, model: str, no: bool = False) -> list[Any]:
    own = tests[tests["model"] == model]
    return list(rows(own[(own["p_value"] < LEVEL) == no]))


def _near_one(line: pd.DataFrame) -> Any:
    """Whether the intercept of x / law is 1 within DIFFERS standard errors."""
    return (line["intercept"] - 1).abs() <= DIFFERS * line["intercept_se"]


page = Page("topologies", "topologies/page.md.j2", "topologies/finding.md.j2", facts)
"""The page: see `Page`."""
