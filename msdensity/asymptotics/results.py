"""From the games of the study to its numbers: rho50, P, and every test of what they do with q."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.asymptotics.columns import (
    ASPECT_COLUMNS,
    CRITICAL_COLUMNS,
    EXPONENT_COLUMNS,
    FIXED_COLUMNS,
    GLM_COLUMNS,
    GUESS_COLUMNS,
    MODEL_COLUMNS,
    PUBLISHED_TEST_COLUMNS,
    RHO50_COLUMNS,
    STRIP_COLUMNS,
)
from msdensity.asymptotics.exponent import local_exponent
from msdensity.asymptotics.fixed_density import fit_fixed_density
from msdensity.asymptotics.glm import LAW_COLUMNS, law_rows, scan_law
from msdensity.asymptotics.law import (
    expected_guesses,
    law_exponent,
    law_rho50,
    strip_one_rho50,
    strip_two_win_rate,
)
from msdensity.asymptotics.models import MODELS, compare_models
from msdensity.asymptotics.published import PublishedTest, predict_published
from msdensity.asymptotics.study import Curves, LowDensity, Study
from msdensity.correction import correct
from msdensity.errors import InputError
from msdensity.fits import fit_critical_density
from msdensity.rho50 import effective_counts, fit_rho50, fit_rho50_rates
from msdensity.tables import Column, check_table

LEAST_BOARDS = 5
"""AICc of three parameters needs as many."""

SERIES = (("corner", "square8"), ("zero", "square8"), ("zero", "torus8"))
"""Start rule and topology of the squares that are followed to large q."""

SMALL_SIDES = 10
"""The published extrapolation rests on squares up to this side."""

LARGE_SIDES = 64
"""It is tested on squares from this side on."""

EXPONENT_SIDES = 8
"""Below, odd and even sides differ by more than the fall."""

EXPONENT_STEP = 1.4
"""Sides less apart than this factor tell the exponent too badly."""

_BOARD = ("family", "rule", "board", "p", "q", "topology")
_HEAD = ("rule", "family", "p", "q")


def _checked(rows: list[dict[str, Any]], columns: dict[str, Column], name: str) -> pd.DataFrame:
    return check_table(pd.DataFrame(rows, columns=list(columns)), columns, name)


def rho50_table(games: pd.DataFrame, points: pd.DataFrame) -> pd.DataFrame:
    """Return rho50 of every board and start rule (RHO50_COLUMNS).

    games: GAMES_COLUMNS of the sweep; points: POINT_COLUMNS, whose windows the fits keep to.
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # of two points, without residuals
        rows = _rho50_rows(games, points)
    return _checked(rows, RHO50_COLUMNS, "rho50 table")


def _rho50_rows(games: pd.DataFrame, points: pd.DataFrame) -> list[dict[str, Any]]:
    windows = points.drop_duplicates(["board", "rule"]).set_index(["board", "rule"])
    rows: list[dict[str, Any]] = []
    for _, own in games.groupby(list(_HEAD), sort=False):
        curve = own.sort_values("mines")
        first: Any = curve.iloc[0]
        window: Any = windows.loc[(first["board"], first["rule"])]
        limits = (float(window["window_low"]), float(window["window_high"]))
        cells = int(first["p"]) * int(first["q"])
        plain = fit_rho50(curve["density"], curve["wins"], curve["games"], limits, cells=cells)
        inside = curve["density"].between(*limits)
        possible = curve.loc[inside, "reduced"].between(0, 1, inclusive="neither").all()
        best = plain
        if possible:
            best = fit_rho50_rates(
                curve["density"], curve["reduced"], curve["reduced_se"], limits, cells=cells
            )
        gain = (plain.error / best.error) ** 2 if best.error > 0 else np.nan
        rows.append(
            {name: first[name] for name in _BOARD}
            | {
                "points": best.points,
                "games": int(curve["games"].min()),
                "rho50": best.rho50,
                "error": best.error,
                "low": best.interval.low,
                "high": best.interval.high,
                "k": best.k,
                "k_error": best.k_error,
                "deviance": best.deviance,
                "df": best.df,
                "p_value": best.p_value,
                "plain": plain.rho50,
                "plain_error": plain.error,
                "plain_low": plain.interval.low,
                "plain_high": plain.interval.high,
                "plain_deviance": plain.deviance,
                "plain_p_value": plain.p_value,
                "gain": gain,
                "logit": best.logit.rho50,
                "logit_error": best.logit.error,
                "crossing": best.crossing.best,
                "law": _law(first),
                "note": "; ".join(best.warnings()),
            }
        )
    return rows


def _law(row: Any) -> float:
    p, q = sorted((int(row["p"]), int(row["q"])))
    if p == 1:
        return strip_one_rho50(q)
    if p <= 3:  # narrower than the law's boards
        return math.nan
    return law_rho50(p, str(row["rule"]), str(row["topology"]), aspect=q / p)


def critical_table(games: pd.DataFrame, plan: Curves, replicates: int) -> pd.DataFrame:
    """Return the published critical density P of every square (CRITICAL_COLUMNS).

    games: GAMES_COLUMNS of the whole curves; the points after the last m played are 0, as the
    W-correction makes them. replicates: of the bootstrap, at least 2; it depends on q alone.
    """
    rows = []
    for q, own in games.groupby("q"):
        side = int(str(q))
        curve = own.sort_values("mines")
        cells = side**2
        mines = np.array(plan.mines(side), np.int64)
        density = mines / cells
        won = np.zeros(len(mines), np.int64)
        played = np.zeros(len(mines), np.int64)
        place = np.searchsorted(mines, curve["mines"].to_numpy())
        won[place], played[place] = curve["wins"], curve["games"]
        rate = np.where(played > 0, won / np.maximum(played, 1), 0.0)
        fit = fit_critical_density(
            density,
            correct(density, rate)[0],
            wins=won,
            games=played,
            replicates=replicates,
            rng=np.random.default_rng([side, plan.steps]),
        )
        rows.append(
            {
                "q": side,
                "points": len(mines),
                "games": int(curve["games"].min()),
                "P": fit.P,
                "P_sd": fit.Q_sd,
                "k": fit.k,
                "note": "; ".join(fit.warnings()),
            }
        )
    return _checked(rows, CRITICAL_COLUMNS, "critical densities")


def law_counts(games: pd.DataFrame, counts: str) -> pd.DataFrame:
    """Return what `fit_law` takes, from GAMES_COLUMNS; counts: `plain` or `reduced`.

    Reduced win rates count as the games that would give them their errors; those that rest on too
    few losses stay plain.
    """
    if counts not in ("plain", "reduced"):
        raise InputError(f"counts={counts!r} must be plain or reduced")
    table = games.assign(start=games["rule"])[list(LAW_COLUMNS)].copy()
    if counts == "plain":
        return table
    usable = ((games["gain"] > 1) & games["reduced"].between(0, 1, inclusive="neither")).to_numpy()
    wins, played = effective_counts(
        games.loc[usable, "reduced"].to_numpy(), games.loc[usable, "reduced_se"].to_numpy()
    )
    table[["wins", "games"]] = table[["wins", "games"]].astype(float)
    table.loc[usable, "wins"] = wins
    table.loc[usable, "games"] = played
    return table


def glm_table(games: pd.DataFrame, plan: LowDensity) -> pd.DataFrame:
    """Return the coefficients of the law for every limit of density and side (GLM_COLUMNS).

    games: GAMES_COLUMNS of the low densities.
    """
    densities = sorted({*plan.densities, plan.highest})
    sides = sorted({*games[["p", "q"]].min(axis=1).unique().tolist(), plan.smallest})
    # At least three sizes, for the terms are told apart by how they grow.
    sides = [side for side in sides if side == plan.smallest or side <= sides[-3]]
    parts = []
    for counts in ("plain", "reduced"):
        table = law_counts(games, counts)
        for orders in ("next", "leading"):
            few = [rho for rho in densities if len(law_rows(table, rho, plan.smallest)) > 8]
            found = scan_law(
                table, few, sides, next_orders=orders == "next", fixed_mines=True
            ).assign(counts=counts, orders=orders)
            parts.append(found[found["value"].notna()])
    table = pd.concat(parts, ignore_index=True)
    main = (table["highest_density"] == plan.highest) & (table["smallest_side"] == plan.smallest)
    table["main"] = main.astype(int)
    return check_table(table[list(GLM_COLUMNS)], GLM_COLUMNS, "regressions")


def fixed_table(games: pd.DataFrame, plan: LowDensity) -> pd.DataFrame:
    """Return -ln W = A + B q + C q^2 at every fixed density (FIXED_COLUMNS), on reduced counts."""
    counts = law_counts(games, "reduced").assign(mines=games["mines"])
    rows: list[dict[str, Any]] = []
    for rule, topology in SERIES:
        here = (
            (counts["start"] == rule)
            & (counts["topology"] == topology)
            & (counts["p"] == counts["q"])
        )
        for density in plan.fixed:
            own = counts[here & (np.abs(counts["mines"] - density * counts["q"] ** 2) <= 0.5)]
            terms = 3 if topology == "square8" else 1
            if len(own) <= terms:
                continue
            fit = fit_fixed_density(
                density,
                own["q"],
                own["mines"],
                own["wins"],
                own["games"],
                rule,
                topology,
                fixed_mines=True,
            )
            for i, term in list(enumerate("ABC"))[3 - terms :]:
                value, error = float(fit.values[i]), float(fit.errors[i])
                rows.append(
                    {
                        "rule": rule,
                        "topology": topology,
                        "density": density,
                        "boards": len(own),
                        "q_max": int(own["q"].max()),
                        "term": term,
                        "value": value,
                        "error": error,
                        "law": float(fit.law[i]),
                        "above_0": value / error,
                        "z": (value - float(fit.law[i])) / error,
                        "deviance": fit.deviance,
                        "df": fit.df,
                        "p_value": fit.p_value,
                    }
                )
    return _checked(rows, FIXED_COLUMNS, "fixed densities")


def guess_table(games: pd.DataFrame) -> pd.DataFrame:
    """Return games without a guess beside W^2, and guesses beside -2 ln W (GUESS_COLUMNS).

    games: GAMES_COLUMNS of the low densities; those of the zero start are used, for at the corner
    the first guess is no 50:50.
    """
    rows: list[dict[str, Any]] = []
    row: Any
    for row in games[games["rule"] == "zero"].itertuples():
        n, W = row.games, row.wins / row.games
        if W == 0:
            continue
        free, guesses = row.no_guess_wins / n, row.guesses / n
        # A game without a guess is a game won: the two shares go together.
        both = free - free * W
        variance = free * (1 - free) + 4 * W**3 * (1 - W) - 4 * W * both
        error = math.sqrt(max(variance, 0) / n)
        shape = (row.p, row.q)
        law = expected_guesses(shape, row.density, row.rule, row.topology)
        rows.append(
            {name: getattr(row, name) for name in (*_BOARD, "mines", "density", "games")}
            | {
                "no_guess": free,
                "win_squared": W**2,
                "difference_se": error,
                "no_guess_z": (free - W**2) / error if error > 0 else np.nan,
                "guesses": guesses,
                "guesses_se": math.sqrt(max(row.guesses_squared / n - guesses**2, 0) / n),
                "twice_log": -2 * math.log(W),
                "twice_log_se": 2 * math.sqrt((1 - W) / W / n),
                "law_guesses": float(law),
            }
        )
    return _checked(rows, GUESS_COLUMNS, "guesses")


def squares_of(rho50: pd.DataFrame, rule: str, topology: str) -> pd.DataFrame:
    """Return the squares of a series with a fit, by side."""
    chosen = rho50[
        (rho50["rule"] == rule)
        & (rho50["topology"] == topology)
        & (rho50["p"] == rho50["q"])
        & (rho50["p"] > 3)
        & rho50["rho50"].notna()
        & (rho50["error"] > 0)
    ]
    return chosen.sort_values("q")


def models_table(rho50: pd.DataFrame) -> pd.DataFrame:
    """Return the comparison of models by series and smallest side (MODEL_COLUMNS)."""
    rows: list[dict[str, Any]] = []
    for rule, topology in SERIES:
        own = squares_of(rho50, rule, topology)
        q, value, error = (own[name].to_numpy(float) for name in ("q", "rho50", "error"))
        least = 0.0
        for smallest in q[: max(len(q) - LEAST_BOARDS + 1, 0)]:
            if smallest < 1.2 * least:  # a scan, not every side
                continue
            least = smallest
            used = q >= smallest
            fits = compare_models(q[used], value[used], error[used], rule, topology)
            for fit in fits:
                errors = np.sqrt(np.diag(fit.covariance)) if len(fit.values) else np.empty(0)
                parameters = zip(MODELS[fit.name], fit.values, errors, strict=True)
                limit = fit.name == "hyperbola"
                rows.append(
                    {
                        "rule": rule,
                        "topology": topology,
                        "q_min": int(smallest),
                        "n": int(used.sum()),
                        "model": fit.name,
                        "chi2": fit.sum_of_squares,
                        "df": fit.df,
                        "p_value": fit.p_value,
                        "aicc": fit.aicc,
                        "delta_aicc": fit.aicc - fits[0].aicc,
                        "left_out_rms": fit.left_out_rms,
                        "left_out_z": float(np.sqrt(np.mean(fit.left_out_z**2))),
                        "limit": float(fit.values[2]) if limit else np.nan,
                        "limit_error": float(errors[2]) if limit else np.nan,
                        "parameters": ", ".join(
                            f"{name} = {v:.5g} ± {e:.2g}" for name, v, e in parameters
                        ),
                    }
                )
    return _checked(rows, MODEL_COLUMNS, "models")


def exponents_table(rho50: pd.DataFrame) -> pd.DataFrame:
    """Return the local exponent by series (EXPONENT_COLUMNS), sides at least 1.4-fold apart."""
    rows: list[dict[str, Any]] = []
    for rule, topology in SERIES:
        own = squares_of(rho50, rule, topology)
        own = own[own["q"] >= EXPONENT_SIDES]
        taken: list[int] = []
        last = 0.0
        # From the largest down, so that it is always among them.
        for place in range(len(own) - 1, -1, -1):
            side = float(own["q"].iloc[place])
            if not taken or side * EXPONENT_STEP <= last:
                taken.append(place)
                last = side
        own = own.iloc[taken[::-1]]
        if len(own) < 2:
            continue
        row: Any
        for row in local_exponent(own["q"], own["rho50"], own["error"]).itertuples():
            law = law_exponent(row.q, rule, topology)
            rows.append(
                {
                    "rule": rule,
                    "topology": topology,
                    "q_low": int(row.q_low),
                    "q_high": int(row.q_high),
                    "q": row.q,
                    "exponent": row.exponent,
                    "error": row.error,
                    "law": law,
                    "z": (row.exponent - law) / row.error,
                }
            )
    return _checked(rows, EXPONENT_COLUMNS, "exponents")


def published_table(
    rho50: pd.DataFrame, critical: pd.DataFrame, printed: pd.DataFrame
) -> pd.DataFrame:
    """Return the published curve put to the test (PUBLISHED_TEST_COLUMNS).

    rho50, critical: RHO50_COLUMNS, CRITICAL_COLUMNS; printed: PUBLISHED_COLUMNS, Table B.2. Our P
    is tested on our P and our rho50 on our rho50, one player throughout; Table B.2 comes from
    another player, so that its prediction of our P compares players too.
    """
    squares = squares_of(rho50, "corner", "square8")
    found = critical[critical["P"].notna() & (critical["P_sd"] > 0)].sort_values("q")
    diagonal = printed[(printed["p"] == printed["q"]) & printed["q"].between(3, SMALL_SIDES)]
    diagonal = diagonal.sort_values("q")
    kinds: dict[str, tuple[str, NDArray[np.float64], NDArray[np.float64], NDArray[Any] | None]]
    P = (found["q"].to_numpy(float), found["P"].to_numpy(float), found["P_sd"].to_numpy(float))
    half = tuple(squares[name].to_numpy(float) for name in ("q", "rho50", "error"))
    kinds = {
        "printed": (
            "P",
            diagonal["q"].to_numpy(float),
            diagonal["P"].to_numpy(float),
            None,
        ),
        "P": ("P", *(values[P[0] <= SMALL_SIDES] for values in P)),  # type: ignore[dict-item]
        "rho50": ("rho50", *(values[half[0] <= SMALL_SIDES] for values in half)),  # type: ignore[dict-item]
    }
    rows: list[dict[str, Any]] = []
    for fitted, (quantity, q, value, error) in kinds.items():
        large, measured, spread = P if quantity == "P" else half
        tested = large >= LARGE_SIDES
        if len(q) < 4 or not tested.any():
            continue
        for weights, sigma in (("equal", None), ("errors", error)):
            if weights == "errors" and sigma is None:
                continue
            with np.errstate(all="ignore"):
                test = predict_published(
                    q, value, sigma, large[tested], measured[tested], spread[tested]
                )
            rows += _test_rows(test, fitted, weights, quantity)
    return _checked(rows, PUBLISHED_TEST_COLUMNS, "test of the published curve")


def _test_rows(
    test: PublishedTest, fitted: str, weights: str, quantity: str
) -> list[dict[str, Any]]:
    fit = test.fit
    names = ("a", "a_se", "b", "b_se", "c", "c_se", "q_min", "q_max")
    head = {name: getattr(fit, name) for name in names}
    head |= {"fitted": fitted, "weights": weights, "quantity": quantity}
    with np.errstate(all="ignore"):
        z, below = test.z, test.below_limit
    return [
        head
        | {
            "q": int(test.q[i]),
            "predicted": test.predicted[i],
            "predicted_error": test.predicted_error[i],
            "measured": test.measured[i],
            "measured_error": test.measured_error[i],
            "z": z[i],
            "below_limit": below[i],
        }
        for i in range(len(test.q))
    ]


def aspect_table(rho50: pd.DataFrame) -> pd.DataFrame:
    """Return rho50 of q x 2q boards over that of q x q (ASPECT_COLUMNS)."""
    rows: list[dict[str, Any]] = []
    row: Any
    for row in rho50[rho50["family"] == "doubles"].itertuples():
        own = squares_of(rho50, row.rule, "square8")
        own = own[own["q"] == row.p]
        if not len(own) or not row.error > 0:
            continue
        square, error = float(own["rho50"].iloc[0]), float(own["error"].iloc[0])
        ratio = row.rho50 / square
        spread = ratio * math.hypot(row.error / row.rho50, error / square)
        law = law_rho50(row.p, row.rule, aspect=2) / law_rho50(row.p, row.rule)
        rows.append(
            {
                "rule": row.rule,
                "q": row.p,
                "square": square,
                "square_error": error,
                "double": row.rho50,
                "double_error": row.error,
                "ratio": ratio,
                "ratio_error": spread,
                "law_ratio": law,
                "z_equal": (ratio - 1) / spread,
                "z_law": (ratio - law) / spread,
            }
        )
    return _checked(rows, ASPECT_COLUMNS, "aspect ratios")


def strips_table(rho50: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return rho50 of strips, and W of one mine on 2 x q, beside theory (STRIP_COLUMNS).

    games: GAMES_COLUMNS of the sweep. W is the plain one, whose error is binomial.
    """
    rows: list[dict[str, Any]] = []

    def add(row: Any, quantity: str, measured: float, error: float, theory: float) -> None:
        rows.append(
            {
                "p": row.p,
                "q": row.q,
                "quantity": quantity,
                "measured": measured,
                "error": error,
                "theory": theory,
                "z": (measured - theory) / error if error > 0 else np.nan,
            }
        )

    row: Any
    for row in rho50[rho50["family"] == "strips"].itertuples():
        add(row, "rho50", row.rho50, row.error, row.law if row.p == 1 else np.nan)
    single = games[(games["family"] == "strips") & (games["p"] == 2) & (games["mines"] == 1)]
    for row in single.itertuples():
        theory = strip_two_win_rate(int(row.q))
        error = math.sqrt(theory * (1 - theory) / row.games)
        add(row, "W(1)", row.wins / row.games, error, theory)
    return _checked(rows, STRIP_COLUMNS, "strips")


def results(
    study: Study,
    points: pd.DataFrame,
    games: pd.DataFrame,
    low_density: pd.DataFrame,
    curves: pd.DataFrame,
    printed: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """Return every table of results by name (RESULT_COLUMNS).

    points: POINT_COLUMNS; games, low_density, curves: GAMES_COLUMNS of the three parts of the
    study; printed: Table B.2 of paper 001.
    """
    rho50 = rho50_table(games, points)
    critical = critical_table(curves, study.curves, study.replicates)
    return {
        "rho50": rho50,
        "critical": critical,
        "glm": glm_table(low_density, study.low_density),
        "fixed": fixed_table(low_density, study.low_density),
        "guesses": guess_table(low_density),
        "models": models_table(rho50),
        "exponents": exponents_table(rho50),
        "published": published_table(rho50, critical, printed),
        "aspect": aspect_table(rho50),
        "strips": strips_table(rho50, games),
    }
