"""Tables from tables: fits of the fronts, critical densities, and where half is opened or won."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from msdensity.files.tables import check_table
from msdensity.studies.percolation.columns import (
    FIT_COLUMNS,
    HALF_COLUMNS,
    LOSS_COLUMNS,
    THRESHOLD_COLUMNS,
)
from msdensity.studies.percolation.scaling import (
    CORRECTED,
    FIXED,
    FREE,
    MODELS,
    NU,
    Scaling,
    fit_losses,
    fit_scaling,
)
from msdensity.studies.percolation.settings import GUESSER

OWN, SHUFFLED = "own", "shuffled"
"""The sizes of the boards of a fit: as played, or those of other boards."""

FRONTS, DUALITY = "fronts", "duality"
"""How a critical density is found."""

SMALLEST_LOSS = 64
"""Side of the smallest boards whose loss of a crossing is fitted, if there are larger ones."""

LOSS_POWER = 1 + 1 / NU
"""mean(L) = rho_z + a L^-LOSS_POWER: at rho_z the 0s of a square cross with probability 1/2, so
that the term L^(-1/nu) is missing."""

KEYS = ["topology", "rules"]


def joined(fronts: pd.DataFrame, games: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the counts of all parts, and where half is opened or won."""
    return {"fronts": fronts, "games": games, "halves": halves_table(games)}


def fits_table(fronts: pd.DataFrame) -> pd.DataFrame:
    """Fit the fronts of each topology and set of rules in all ways; return FIT_COLUMNS.

    fronts: FRONT_COLUMNS. The smallest side is scanned; fits to too few counts are left out.
    """
    rows = []
    for (topology, rules), own in fronts.groupby(KEYS, sort=False):
        sides = sorted(own["side"].unique())
        for smallest in sides:
            used = own[own["side"] >= smallest]
            for model in MODELS:
                fit = fit_of(used, model)
                if fit is not None:
                    rows.append(_fit_row(topology, rules, OWN, smallest, used, fit))
        control = fit_of(shuffled(own), FIXED)
        if control is not None:
            rows.append(_fit_row(topology, rules, SHUFFLED, sides[0], own, control))
    return check_table(pd.DataFrame(rows, columns=[*FIT_COLUMNS]), FIT_COLUMNS, "fits")


def fit_of(fronts: pd.DataFrame, model: str) -> Scaling | None:
    """Fit a curve to the counts of a table with FRONT_COLUMNS; see `fit_scaling`."""
    rho, side, games, crossed = (
        fronts[name].to_numpy(float) for name in ("density", "side", "games", "crossed")
    )
    return fit_scaling(rho, side, games, crossed, model)


def shuffled(fronts: pd.DataFrame) -> pd.DataFrame:
    """Return the fronts with the sizes of others: the smallest boards get the largest side.

    If each got the next larger side, all sizes would still fall on one curve.
    """
    sides = sorted(fronts["side"].unique())
    return fronts.assign(side=fronts["side"].map(dict(zip(sides, sides[::-1], strict=True))))


def _fit_row(
    topology: Any, rules: Any, sizes: str, smallest: int, used: pd.DataFrame, fit: Scaling
) -> dict[str, Any]:
    values = {name: fit.parameter(name) for name in ("rho_c", "nu", "b")}
    crossing, crossing_se = fit.crossing
    return {
        "topology": topology,
        "rules": rules,
        "model": fit.model,
        "sizes": sizes,
        "smallest": int(smallest),
        "points": fit.points,
        "games": int(used["games"].sum()),
        **{name: value for name, (value, _) in values.items()},
        **{f"{name}_se": error for name, (_, error) in values.items()},
        **{f"c{i}": fit.parameter(f"c{i}")[0] for i in range(4)},
        "crossing": crossing,
        "crossing_se": crossing_se,
        "deviance": fit.deviance,
        "df": fit.df,
        "p_value": fit.p_value,
    }


def losses_table(zeros: pd.DataFrame) -> pd.DataFrame:
    """Return where square boards lose the crossing of their 0s; LOSS_COLUMNS.

    zeros: ZERO_COLUMNS.
    """
    rows = []
    side: Any
    for side, own in zeros.groupby("side"):
        density = own["mines"].to_numpy() / float(side) ** 2
        boards = int(own["boards"].sum())
        mean = float(np.average(density, weights=own["boards"]))
        offsets = density - mean
        variance, fourth = (
            float((own["boards"] * offsets**k).sum()) / max(boards - 1, 1) for k in (2, 4)
        )
        sd = np.sqrt(variance)
        rows.append(
            {
                "side": side,
                "boards": boards,
                "mean": mean,
                "mean_se": sd / np.sqrt(boards),
                "sd": sd,
                "sd_se": np.sqrt(max(fourth - variance**2, 0) / boards) / (2 * sd) if sd else 0.0,
            }
        )
    table = pd.DataFrame(rows)
    rho_z = loss_fit(table)[0][0]
    still = zeros[zeros["mines"] > rho_z * zeros["side"] ** 2].groupby("side")["boards"].sum()
    share = still.reindex(table["side"], fill_value=0).to_numpy() / table["boards"]
    table = table.assign(crossing=share, crossing_se=np.sqrt(share * (1 - share) / table["boards"]))
    return check_table(table, LOSS_COLUMNS, "losses")


def loss_fit(losses: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64], float, int]:
    """Return (rho_z, a), their errors, the deviance and its degrees of freedom.

    losses: `side`, `mean` and `mean_se` of LOSS_COLUMNS; of a single side rho_z is its mean.
    """
    used = losses[losses["side"] >= SMALLEST_LOSS]
    used = used if len(used) > 1 else losses
    side, mean, error = (used[name].to_numpy(float) for name in ("side", "mean", "mean_se"))
    if len(used) < 2:
        return np.array([mean[0], 0.0]), np.array([error[0], 0.0]), 0.0, 0
    values, errors, deviance = fit_losses(side, mean, error, LOSS_POWER)
    return values, errors, deviance, len(used) - 2


def thresholds_table(
    fits: pd.DataFrame, fronts: pd.DataFrame, losses: pd.DataFrame
) -> pd.DataFrame:
    """Return the critical densities; THRESHOLD_COLUMNS.

    fits, fronts, losses: FIT_COLUMNS, FRONT_COLUMNS and LOSS_COLUMNS. The value is that of the fit
    with nu = 4/3 and b / L to all sides, if there are three; else of the one without b / L. Its
    error has a second part: how far the fit without b / L is from it; so has that of R at rho_c.
    """
    rows = [_by_duality(losses)]
    for (topology, rules), own in fronts.groupby(KEYS, sort=False):
        chosen = fits[(fits[KEYS] == [topology, rules]).all(axis=1)]
        whole = chosen[(chosen["sizes"] == OWN) & (chosen["smallest"] == own["side"].min())]
        by_model = {row.model: row for row in whole.itertuples()}
        if FIXED not in by_model:
            continue
        fixed: Any = by_model[FIXED]
        best: Any = by_model.get(CORRECTED, fixed)
        free: Any = by_model.get(FREE)
        control = chosen.loc[chosen["sizes"] == SHUFFLED, "p_value"]
        rows.append(
            {
                "topology": topology,
                "rules": rules,
                "method": FRONTS,
                "sides": " ".join(map(str, sorted(own["side"].unique()))),
                "games": int(own["games"].sum()),
                "rho_c": best.rho_c,
                "error": float(np.hypot(best.rho_c_se, best.rho_c - fixed.rho_c)),
                "fixed": fixed.rho_c,
                "fixed_se": fixed.rho_c_se,
                "nu": free.nu if free else np.nan,
                "nu_se": free.nu_se if free else np.nan,
                "crossing": best.crossing,
                "crossing_se": float(np.hypot(best.crossing_se, best.crossing - fixed.crossing)),
                "deviance": best.deviance,
                "df": best.df,
                "p_value": best.p_value,
                "shuffled_p": control.iloc[0] if len(control) else np.nan,
                "over": own["over"].sum() / own["games"].sum(),
            }
        )
    table = pd.DataFrame(rows, columns=[*THRESHOLD_COLUMNS])
    return check_table(table, THRESHOLD_COLUMNS, "thresholds")


def _by_duality(losses: pd.DataFrame) -> dict[str, Any]:
    """Return the critical density of 0s, found by adding mines to square boards."""
    values, errors, deviance, df = loss_fit(losses)
    return {
        "topology": "square8",
        "rules": "zeros",
        "method": DUALITY,
        "sides": " ".join(map(str, losses["side"])),
        "games": int(losses["boards"].sum()),
        "rho_c": values[0],
        "error": errors[0],
        "deviance": deviance,
        "df": df,
        "p_value": float(stats.chi2.sf(deviance, df)) if df else np.nan,
        "over": 0.0,
    }


def halves_table(games: pd.DataFrame) -> pd.DataFrame:
    """Return where half of the games are won, or half of the safe cells opened; HALF_COLUMNS.

    games: GAME_COLUMNS. Boards on which no two neighbouring densities lie on both sides of one half
    are left out.
    """
    rows = []
    table = measured(games).sort_values("density", kind="stable")
    for (rules, side), own in table.groupby(["rules", "side"]):
        measure = "W" if rules == GUESSER else "F"
        density, y, error = (own[name].to_numpy() for name in ("density", measure, f"{measure}_se"))
        crossing = np.flatnonzero((y[:-1] >= 0.5) & (y[1:] < 0.5))
        if len(crossing):
            i = int(crossing[-1])
            step, fall = density[i + 1] - density[i], y[i] - y[i + 1]
            share = (y[i] - 0.5) / fall
            se = step / fall * np.hypot((1 - share) * error[i], share * error[i + 1])
            rows.append((rules, side, measure, density[i] + share * step, se))
    return check_table(pd.DataFrame(rows, columns=[*HALF_COLUMNS]), HALF_COLUMNS, "halves")


def measured(games: pd.DataFrame) -> pd.DataFrame:
    """Return the games with F, the mean share of the safe cells that are opened, W, and errors."""
    safe = games["side"] ** 2 - games["mines"]
    count = games["games"]
    F, W = games["opened"] / count / safe, games["wins"] / count
    variance = (games["opened_squared"] / count / safe**2 - F**2).clip(lower=0)
    errors = {"F_se": np.sqrt(variance / (count - 1)), "W_se": np.sqrt(W * (1 - W) / count)}
    return games.assign(F=F, W=W, **errors)
