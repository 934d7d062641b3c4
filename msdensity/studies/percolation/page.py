"""The page of percolation: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from msdensity.games.front import RULES
from msdensity.stats.testing import DIFFERS, LEVEL
from msdensity.studies.page import Page, Tables, rows
from msdensity.studies.percolation.opened import ORDINARY, SMALLEST, Power, opened_power, site_power
from msdensity.studies.percolation.results import DUALITY, FRONTS, OWN, loss_fit
from msdensity.studies.percolation.scaling import CORRECTED, FIXED, FREE, NU
from msdensity.studies.percolation.settings import GUESSER, Settings
from msdensity.studies.percolation.sites import SITE_DENSITY

QUOTED, QUOTED_ERROR = 0.2035, 0.002
"""The critical density of a percolation model that paper 001 quotes (Qing, You and Liu)."""

WORDS = {
    "zeros": "the cascade of 0s alone",
    "single": "single cells",
    "pairs": "single cells and pairs of them",
    "unit": "single cells and unit refutation",
    "complete": "everything that the numbers say",
}
"""The sets of rules, as sentences name them."""

MODELS = {FIXED: "ν = 4/3", FREE: "ν free", CORRECTED: "ν = 4/3, b/L"}

SQUARE = "square8"


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    thresholds, fits = tables["thresholds"], tables["fits"]
    fronts = thresholds[thresholds["method"] == FRONTS]
    square = fronts[fronts["topology"] == SQUARE].set_index("rules", drop=False)
    # The 0s alone have two measurements: that by duality is the better one.
    duality = next(rows(thresholds[thresholds["method"] == DUALITY]))
    best = {rules: _best(square, rules, duality) for rules in RULES}
    own = fits[fits["sizes"] == OWN]
    return {
        "study": settings,
        "level": LEVEL,
        "words": WORDS,
        "best": {rules: row for rules, row in best.items() if row is not None},
        "complete": best["complete"],
        "single": best["single"],
        "quoted": QUOTED,
        "quoted_error": QUOTED_ERROR,
        "quoted_z": {rules: _z(row, QUOTED, QUOTED_ERROR) for rules, row in best.items() if row},
        "quoted_is": _quoted_is(best),
        "differs": DIFFERS,
        "ordered": _ordered(best),
        "steps": _steps(square),
        "thresholds": thresholds.assign(
            rules=thresholds["rules"].map(WORDS),
            df=thresholds["df"].astype(str),
        ),
        "others": list(rows(fronts[(fronts["topology"] != SQUARE)])),
        "rejected": list(rows(fronts[fronts["p_value"] < LEVEL])),
        "fronts": list(rows(fronts)),
        "shuffled": list(rows(fronts[fronts["shuffled_p"].notna()])),
        "survived": int((fronts["shuffled_p"] >= LEVEL).sum()),
        "nu_joint": _nu_joint(own),
        "nu_off": list(rows(fronts[((fronts["nu"] - NU) / fronts["nu_se"]).abs() > DIFFERS])),
        "boards": int(tables["fronts"]["games"].sum()),
        "scan": own.assign(rules=own["rules"].map(WORDS), model=own["model"].map(MODELS)),
        "losses": tables["losses"],
        "duality": duality,
        "sd_power": _sd_power(tables["losses"]),
        "loss_a": loss_fit(tables["losses"])[0][1],
        "sites": tables["sites"],
        "site_density": SITE_DENSITY,
        "site": _site(tables["sites"], best["complete"]),
        "site_power": site_power(tables["sites"]),
        "powers": _powers(tables["fronts"], best["complete"]),
        "ordinary_power": ORDINARY,
        "halves": _halves(tables["halves"]),
        "won": _ends(tables["halves"], GUESSER),
        "falls": _falls(_ends(tables["halves"], GUESSER)),
        "opened": _ends(tables["halves"], "complete"),
        "sides": sorted(tables["games"]["side"].unique().tolist()),
        "guesser": GUESSER,
    }


def _best(square: pd.DataFrame, rules: str, duality: Any) -> Any:
    if rules == "zeros":
        return duality
    own = square[square["rules"] == rules]
    return next(rows(own)) if len(own) else None


def _z(row: Any, value: float, error: float) -> float:
    """Return how many standard errors a critical density is from another value."""
    return float((row.rho_c - value) / np.hypot(row.error, error))


def _quoted_is(best: dict[str, Any]) -> list[str]:
    """Return the sets of rules whose critical density may be the quoted one."""
    return [r for r, row in best.items() if row and abs(_z(row, QUOTED, QUOTED_ERROR)) <= DIFFERS]


def _powers(fronts: pd.DataFrame, complete: Any) -> dict[int, Power]:
    """Return the power by which the opened share falls, from each of three smallest sides on."""
    own = fronts[(fronts["topology"] == SQUARE) & (fronts["rules"] == "complete")]
    found = {}
    for smallest in (SMALLEST, 2 * SMALLEST, 4 * SMALLEST):
        power = opened_power(own, complete.rho_c, complete.error, smallest) if complete else None
        if power is not None:
            found[smallest] = power
    return found


def _falls(ends: list[Any]) -> bool:
    """Whether the second of two densities is below the first one, beyond chance."""
    if len(ends) < 2:
        return False
    first, last = ends
    error = np.hypot(first.density_se, last.density_se)
    return bool(first.density - last.density > DIFFERS * error)


def _ordered(best: dict[str, Any]) -> bool:
    """Whether a stronger set of rules has a higher critical density, in the order of RULES."""
    known = [row.rho_c for row in best.values() if row is not None]
    return known == sorted(known)


def _steps(square: pd.DataFrame) -> list[dict[str, Any]]:
    """Return how far each set of rules is above the one before, by the fits without b / L.

    What small boards do to these is much the same for all rules.
    """
    value, error = square["fixed"].to_dict(), square["fixed_se"].to_dict()
    known = [rules for rules in RULES if rules in value]
    return [
        {
            "rules": rules,
            "before": before,
            "step": value[rules] - value[before],
            "error": np.hypot(error[rules], error[before]),
        }
        for before, rules in pairwise(known)
    ]


def _nu_joint(fits: pd.DataFrame) -> list[dict[str, float]]:
    """Return chi-square of all freely fitted nu against that of ordinary percolation.

    fits: FIT_COLUMNS. A row for each smallest side; without the 0s alone, which have another
    measurement.
    """
    made = []
    free = fits[(fits["model"] == FREE) & (fits["rules"] != "zeros")]
    smallest: Any
    for smallest, own in free.groupby("smallest"):
        square = float((((own["nu"] - NU) / own["nu_se"]) ** 2).sum())
        p_value = float(stats.chi2.sf(square, len(own)))
        made.append(
            {"smallest": int(smallest), "fits": len(own), "chi2": square, "p_value": p_value}
        )
    return made


def _site(sites: pd.DataFrame, complete: Any) -> dict[str, float]:
    """Return the share of all boards of sites that are crossed, its error, and z of `complete`."""
    games, crossed = int(sites["games"].sum()), int(sites["crossed"].sum())
    share = crossed / games
    error = np.sqrt(share * (1 - share) / games)
    z = (complete.crossing - share) / np.hypot(complete.crossing_se, error) if complete else np.nan
    return {"share": share, "error": float(error), "z": float(z)}


def _sd_power(losses: pd.DataFrame) -> tuple[float, float]:
    """Return the power of L by which the width of the loss falls, and its standard error."""
    used = losses[losses["sd"] > 0]
    if len(used) < 2:
        return np.nan, np.nan
    x, y = np.log(used["side"].to_numpy(float)), np.log(used["sd"].to_numpy(float))
    weights = (used["sd"] / used["sd_se"]).to_numpy(float) ** 2
    x = x - np.average(x, weights=weights)
    spread = float((weights * x**2).sum())
    return float((weights * x * y).sum()) / spread, spread**-0.5


def _halves(halves: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each side: where half is won, and half opened by each set of rules."""
    wide = halves.pivot_table(index="side", columns="rules", values=["density", "density_se"])
    names = [GUESSER, *RULES]
    table = pd.DataFrame({"side": wide.index})
    for rules in names:
        for kind in ("density", "density_se"):
            known = (kind, rules) in wide.columns
            table[f"{rules}{kind[7:]}"] = wide[kind, rules].to_numpy() if known else np.nan
    return table


def _ends(halves: pd.DataFrame, rules: str) -> list[Any]:
    """Return the rows of the smallest and of the largest board, or fewer."""
    own = halves[halves["rules"] == rules].sort_values("side")
    return list(rows(own.iloc[[0, -1]])) if len(own) > 1 else []


page = Page("percolation", "percolation/page.md.j2", "percolation/finding.md.j2", facts)
"""The page: see `Page`."""
