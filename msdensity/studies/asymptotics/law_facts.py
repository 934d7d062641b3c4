"""What the page of large boards says of the law: the test without a fit, and the regressions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import chi2, norm

from msdensity.studies.asymptotics.terms import POWER, REJECTED
from msdensity.studies.asymptotics.whole_law import ALL, LAWS
from msdensity.studies.page import rows

SIGMAS = 3
"""Numbers agree up to so many standard errors; chance exceeds this once in 370."""

SERIES_NAMES = {
    ("corner", "square8"): "corner",
    ("zero", "square8"): "zero",
    ("zero", "torus8"): "torus",
}

LAW_NAMES = {
    "complete": "complete",
    "leading": "leading terms alone",
    "no lines": "without lines",
    "shuffled": "sides shuffled",
}

DECLARED = ("plain", "next")
"""The regression whose joint test is the verdict on the law."""

SEEN = SIGMAS + float(norm.isf(1 - POWER))
"""A deviation of so many standard errors exceeds SIGMAS with a chance of POWER."""

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


def written(series: Mapping[int, Fraction]) -> str:
    """Return a sum of powers of the density in words, such as 3 ρ³ - 2 ρ⁴."""
    powers = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
    parts = [
        f"{'-' if value < 0 else '+'} {float(abs(value)):g} ρ{str(order).translate(powers)}"
        for order, value in sorted(series.items())
    ]
    return " ".join(parts).removeprefix("+ ")


def whole_law_facts(table: pd.DataFrame) -> dict[str, Any]:
    """Return the law without a fitted number: the declared tests, its controls, and where it fails.

    fails: of each series the lowest density at which plain counts reject the complete law.
    """
    table = table.assign(verdict=np.where(table["p_value"] < REJECTED, "rejected", "not rejected"))
    plain, reduced = (table[table["counts"] == counts] for counts in ("plain", "reduced"))
    every = plain[plain["rule"] == ALL].set_index("law")
    declared = next(rows(plain[(plain["rule"] == ALL) & (plain["law"] == "complete")]), None)
    names = SERIES_NAMES | {(ALL, ALL): "all together"}
    keys = zip(plain["rule"], plain["topology"], strict=True)
    plain = plain.assign(series=[names[key] for key in keys], law=plain["law"].map(LAW_NAMES))
    ways = ["rule", "topology", "density"]
    scan = plain[(plain["law"] == LAW_NAMES["complete"]) & (plain["rule"] != ALL)]
    other = reduced[reduced["law"] == "complete"][[*ways, "p_value", "excess", "excess_error"]]
    other = other.rename(columns={"p_value": "p_reduced"})
    scan = scan.merge(other, on=ways, suffixes=("", "_reduced"))
    wrong = scan[(scan["p_value"] < REJECTED) & (scan["density"] > 0)]
    controls = every[every.index.isin(LAWS[1:])]
    return {
        "declared": declared,
        "reduced": next(
            rows(reduced[(reduced["rule"] == ALL) & (reduced["law"] == "complete")]), None
        ),
        "table": plain[plain["declared"] == 1],
        "controls": f"{int((controls['p_value'] < REJECTED).sum())} are",
        "scan": scan,
        "fails": wrong.groupby(["rule", "topology"], sort=False).head(1),
    }


def conditional_facts(table: pd.DataFrame) -> dict[str, Any]:
    """Return -ln W by conditional play by series and density: chi2 against the law, and the gains.

    table: CONDITIONAL_COLUMNS; rows of too few losses are left out. paired: chi2 of the weights
    against the wins of the same games.
    """
    own = table[table["z"].notna() & (table["note"].fillna("") == "")]
    keys = zip(own["rule"], own["topology"], strict=True)
    own = own.assign(
        series=[SERIES_NAMES[key] for key in keys], near=own["density"].round(2).astype(float)
    )
    found = []
    for (series, density), group in own.groupby(["series", "near"], sort=False):
        square = float((group["z"] ** 2).sum())
        slope = group["law"] / group["minus_log_se"]
        information = float((slope**2).sum())
        excess = float((slope * group["z"]).sum()) / information
        found.append(
            {
                "series": series,
                "density": density,
                "boards": len(group),
                "chi2": square,
                "p_value": float(chi2.sf(square, len(group))),
                "excess": excess,
                "excess_error": information**-0.5,
                "gain": group["gain"].median(),
                "best_gain": group["best_gain"].median(),
            }
        )
    columns = ["series", "density", "boards", "chi2", "p_value", "excess", "excess_error"]
    summed = pd.DataFrame(found, columns=[*columns, "gain", "best_gain"])
    paired = own["paired_z"].dropna()
    low = own[own["near"] == own["near"].min()]
    return {
        "together": float((own["z"] ** 2).sum()),
        "rows": len(own),
        "together_p": float(chi2.sf((own["z"] ** 2).sum(), len(own))) if len(own) else np.nan,
        "lowest": low["near"].min(),
        "lowest_rows": len(low),
        "lowest_p": float(chi2.sf((low["z"] ** 2).sum(), len(low))) if len(low) else np.nan,
        "table": summed.sort_values(["series", "density"], kind="stable"),
        "fails": summed[summed["p_value"] < REJECTED].groupby("series", sort=False).head(1),
        "paired": float((paired**2).sum()),
        "paired_df": len(paired),
        "paired_p": float(chi2.sf((paired**2).sum(), len(paired))) if len(paired) else np.nan,
        "largest": float(paired.abs().max()) if len(paired) else np.nan,
    }


def regression_facts(glm: pd.DataFrame) -> dict[str, Any]:
    """Return the regressions with their joint tests, the declared one first."""
    parts = []
    for key, own in glm[glm["main"] == 1].groupby(["counts", "orders"], sort=False):
        seen = own.assign(term=own["term"].map(TERMS))
        seen["seen"] = SEEN * own["error"].where(own["law"].notna())
        parts.append({**own.iloc[0], "key": key, "table": seen, "verdict": _verdict(own.iloc[0])})
    parts.sort(key=lambda part: part["key"] != DECLARED)
    words = {"leading": "leading terms alone", "next": "with the next orders"}
    joint = pd.DataFrame(parts, columns=[*glm.columns, "verdict"])
    return {
        "regressions": parts,
        "joint": joint.assign(orders=joint["orders"].map(words)),
        "declared": next((part for part in parts if part["key"] == DECLARED), None),
        "by_density": _by_density(glm, parts),
    }


def _by_density(glm: pd.DataFrame, parts: list[dict[str, Any]]) -> pd.DataFrame:
    """Return the declared regression by the highest density that takes part."""
    own = glm[(glm["counts"] == DECLARED[0]) & (glm["orders"] == DECLARED[1])]
    sides = [part["smallest_side"] for part in parts if part["key"] == DECLARED]
    own = own[own["smallest_side"].isin(sides)].drop_duplicates("highest_density")
    return own[own["agreement"].notna()].sort_values("highest_density")


def _verdict(row: Any) -> str:
    """Return what a regression says of the law."""
    if row["agreement"] < REJECTED:
        return "law rejected"
    if row["p_value"] < REJECTED:
        return "regression rejected"
    return "law not rejected"
