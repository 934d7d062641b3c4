"""The law as it stands, without a fitted number, against all win rates at low density together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import chi2

from msdensity.stats.law import COEFFICIENTS, NEXT_TERMS, law_terms
from msdensity.studies.asymptotics.columns import WHOLE_LAW_COLUMNS
from msdensity.studies.asymptotics.results import SERIES, checked
from msdensity.studies.asymptotics.settings import Settings
from msdensity.studies.asymptotics.terms import noncentrality

LAWS = ("complete", "leading", "no lines", "shuffled")
"""The law, and three that must fail: its leading terms, the law without lines across, and the law
of boards whose sides are shuffled among those of the same density."""

FEWEST_LOSSES = 5
"""With fewer expected losses a win rate is not normal enough for chi2."""

ALL = "all"


def whole_law_table(low_density: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return chi2 of the win rates against the laws of LAWS (WHOLE_LAW_COLUMNS).

    low_density: GAMES_COLUMNS. The complete law is tested up to every density that is played, the
    others up to the declared one. Rows of `all` join the series, each up to its declared density.
    """
    plan = settings.low_density
    table = low_density.assign(**_laws(low_density))
    losses = table["games"] * -np.expm1(-table["complete"])
    table = table[losses >= FEWEST_LOSSES]
    rows: list[dict[str, Any]] = []
    for law in LAWS:
        for counts in ("plain", "reduced"):
            declared = []
            for (rule, topology), own in _series(table):
                highest = plan.highest_of(topology)
                scanned = plan.densities if law == "complete" else ()
                for density in sorted({*scanned, highest}):
                    inside = own[_within(own, density)]
                    main = int(density == highest)
                    declared += [inside] if main else []
                    row = {"rule": rule, "topology": topology, "density": density, "declared": main}
                    rows.append(row | _test(inside, law, counts))
            every = pd.concat(declared) if declared else table[:0]
            row = {"rule": ALL, "topology": ALL, "density": np.nan, "declared": 1}
            rows.append(row | _test(every, law, counts))
    rows = [row for row in rows if row["rows"]]
    return checked(rows, WHOLE_LAW_COLUMNS, "tests of the whole law")


def _series(table: pd.DataFrame) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    for rule, topology in SERIES:
        yield (
            (rule, topology),
            table[(table["rule"] == rule) & (table["topology"] == topology)],
        )


def _within(table: pd.DataFrame, density: float) -> pd.Series:
    """Return which rows have at most the mines nearest to a density."""
    # 1e-9: half a mine may be an ulp more.
    return table["mines"] <= density * table["p"] * table["q"] + 0.5 + 1e-9


def _laws(table: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
    """Return -ln W of each of LAWS for every row."""
    found = pd.DataFrame(0.0, index=table.index, columns=list(LAWS))
    # The sides of other boards of about the same density, always the same ones.
    rng = np.random.default_rng(0)
    size = (table["p"] * table["q"]) ** 0.5
    shuffled = size.groupby([table["rule"], table["topology"], table["density"].round(2)])
    other = shuffled.transform(lambda own: rng.permutation(own.to_numpy()))
    row: Any
    for row, side in zip(table.itertuples(), other, strict=True):
        arguments = (row.density, row.rule, row.topology)
        terms = _terms((row.p, row.q), *arguments)
        found.loc[row.Index, "complete"] = sum(terms.values())
        found.loc[row.Index, "no lines"] = sum(terms.values()) - terms["lines"]
        leading = {name: value for name, value in terms.items() if name not in NEXT_TERMS}
        found.loc[row.Index, "leading"] = sum(leading.values())
        found.loc[row.Index, "shuffled"] = sum(_terms((side, side), *arguments).values())
    return {law: found[law].to_numpy() for law in LAWS}


def _terms(shape: tuple[float, float], *arguments: Any) -> dict[str, float]:
    terms = law_terms(shape, *arguments, next_orders=True, fixed_mines=True)
    return {name: COEFFICIENTS[name] * float(value) for name, value in terms.items()}


def _test(table: pd.DataFrame, law: str, counts: str) -> dict[str, Any]:
    """Return chi2 of the win rates, and the factor by which -ln W exceeds the law's."""
    value = table[law].to_numpy(float)
    W = np.exp(-value)
    if counts == "plain":
        measured, games = table["win_rate"].to_numpy(), table["games"].to_numpy()
        # A wrong law may say that no game is lost: at least half a game counts.
        error = np.sqrt(W * np.maximum(1 - W, 0.5 / games) / games)
    else:
        measured, error = table["reduced"].to_numpy(), table["reduced_se"].to_numpy()
    z = (measured - W) / error
    square, df = float(z @ z), len(z)
    # To first order: W of a law times 1 + f differs by -W value f.
    slope = -W * value / error
    information = float(slope @ slope)
    known = df > 0 and information > 0
    needed = noncentrality(df) if known else np.nan
    return {
        "law": law,
        "counts": counts,
        "rows": df,
        "chi2": square,
        "p_value": float(chi2.sf(square, df)) if df else np.nan,
        "excess": float(slope @ z) / information if known else np.nan,
        "excess_error": information**-0.5 if known else np.nan,
        "detectable": (needed / information) ** 0.5 if known else np.nan,
    }
