"""What one run of the paper's size gives, and how far the published P are from it (Table B.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from msdensity.errors import InputError
from msdensity.files.tables import Column, check_table
from msdensity.games.boards import Board
from msdensity.stats.correction import correct
from msdensity.stats.logistic import fit_critical_density

RUN_GAMES = 1000
"""Games for each m in one run (paper 001, section 8.2)."""

LEAST_POOL = 4 * RUN_GAMES
"""Games for each m from which a pool tells the mean well enough; tests may use less."""

UNSTABLE = "2x4"
"""Its P is 0 in some runs and not in others, so a run has no one spread; left out of chi-square."""

RUN_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "p": Column("int64", low=1),
    "q": Column("int64", low=1),
    "P_published": Column("float64", low=0, high=1),
    "player": Column("str"),
    "games": Column("int64", low=1),
    "P": Column("float64", low=0, high=1),
    "P_sd": Column("float64", low=0),
    "P_mean_sd": Column("float64", low=0),
    "z": Column("float64", missing=True),
    "inner": Column("int64", low=0, high=1),
    "same": Column("float64", low=0, high=1),
}
"""P over runs by board and player; `games` of the pool for each m; `inner` 1 if in chi-square;
`same` the share of runs that give the published P to four decimals: what counts for P = 0 or 1."""

QUOTED_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "mines": Column("int64", low=1),
    "published": Column("float64", low=0, high=1),
    "player": Column("str"),
    "games": Column("int64", low=1),
    "wins": Column("int64", low=0),
    "redrawn": Column("int64", low=0),
    "win_rate": Column("float64", low=0, high=1),
    "win_rate_low": Column("float64", low=0, high=1),
    "win_rate_high": Column("float64", low=0, high=1),
    "z": Column("float64"),
    "luck_as_printed": Column("float64", low=0, high=1),
    "luck": Column("float64", low=0, high=1),
}
"""Quoted win rates beside ours (95 % interval); z has the errors of both and the rounding."""

SPEED_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "mines": Column("int64", low=1),
    "player": Column("str"),
    "games": Column("int64", low=1),
    "cpu_us": Column("float64", low=0),
    "published_us": Column("float64", missing=True, low=0),
    "times_as_fast": Column("float64", missing=True, low=0),
}
"""CPU microseconds a game here, and elapsed ones a game as the paper tells them."""

POSSIBLE = 0.05
"""A published P of 0 or 1 agrees if at least this share of runs gives it."""


@dataclass(frozen=True, eq=False)
class RunDensity:
    """P over runs of RUN_GAMES games a number of mines: mean, spread of one run, error of the mean.

    P: of each run, shape (replicates,). `mean_sd` is what the pool of games leaves open: the pool
    is one run of its own size.
    """

    mean: float
    sd: float
    mean_sd: float
    P: NDArray[np.float64] = field(default_factory=lambda: np.empty(0), repr=False)

    def z(self, published: float) -> float:
        """Return (published - mean) / sqrt(sd^2 + mean_sd^2); NaN without a spread."""
        spread = math.hypot(self.sd, self.mean_sd)
        return (published - self.mean) / spread if spread > 0 else math.nan


def run_density(
    density: ArrayLike,
    wins: ArrayLike,
    games: ArrayLike,
    replicates: int,
    rng: np.random.Generator,
) -> RunDensity:
    """Return P over simulated runs, by parametric bootstrap from one pool of games.

    density: mine densities, shape (n,), increasing in (0, 1); wins, games: the pool, shape (n,),
    games = 0 where it was not played after a first 0. replicates: at least 2 runs, each corrected
    and fitted as published. Raises InputError for input out of these ranges.
    """
    rho = np.asarray(density, float)
    won, played = np.asarray(wins, np.int64), np.asarray(games, np.int64)
    if replicates < 2:
        raise InputError(f"replicates={replicates} must be at least 2")
    if won.shape != rho.shape or played.shape != rho.shape:
        raise InputError(f"wins and games must have the shape of density {rho.shape}")
    if ((won < 0) | (won > played)).any():
        raise InputError("wins must be in 0..games")
    if not (played > 0).any():
        raise InputError("games must be above 0 for some density")
    rate = won / np.maximum(played, 1)
    drawn = rng.binomial(RUN_GAMES, rate, size=(replicates, len(rho))) / RUN_GAMES
    curves, copies = np.unique(correct(rho, drawn)[0], axis=0, return_counts=True)
    P = np.repeat([fit_critical_density(rho, curve).P for curve in curves], copies)
    sd = float(np.std(P, ddof=1))
    pool = int(played[played > 0].min())
    return RunDensity(float(P.mean()), sd, sd * math.sqrt(RUN_GAMES / pool), P)


def chi_square(z: ArrayLike) -> tuple[float, int, float]:
    """Return (sum of z^2, number of z, probability of a larger sum); NaN are left out."""
    values = np.asarray(z, float)
    values = values[np.isfinite(values)]
    total = float((values**2).sum())
    return total, len(values), float(stats.chi2.sf(total, len(values)))


def runs_table(win_rates: pd.DataFrame, published: pd.DataFrame, replicates: int) -> pd.DataFrame:
    """Return P over runs beside the published one (RUN_COLUMNS), a row a board and player.

    win_rates: WIN_RATE_COLUMNS of the pools; published: PUBLISHED_COLUMNS, of which the boards
    with a P that some player has played are taken. On each board the replicates depend on the
    board and player alone. Raises InputError if the pool of one player lacks some number of mines
    of such a board.
    """
    rows = []
    played = set(win_rates["board"])
    printed: Any = published[published["P"].notna()].itertuples()
    for p, q, P in ((int(row.p), int(row.q), row.P) for row in printed):
        name = Board((p, q)).name
        if name not in played:
            continue
        for player in win_rates["player"].unique():
            curve = win_rates[(win_rates["board"] == name) & (win_rates["player"] == player)]
            if len(curve) != p * q - 1:
                raise InputError(f"win rates: board {name} of {player} must have {p * q - 1} rows")
            curve = curve.sort_values("mines")
            rng = np.random.default_rng([p, q, *player.encode()])
            run = run_density(curve["density"], curve["wins"], curve["games"], replicates, rng)
            rows.append(
                {
                    "board": name,
                    "p": p,
                    "q": q,
                    "P_published": P,
                    "player": player,
                    "games": curve["games"].min(),
                    "P": run.mean,
                    "P_sd": run.sd,
                    "P_mean_sd": run.mean_sd,
                    "z": run.z(P),
                    "inner": int(0 < P < 1 and name != UNSTABLE),
                    "same": np.mean(np.abs(run.P - P) < 5e-5),
                }
            )
    table = pd.DataFrame(rows, columns=list(RUN_COLUMNS))
    return check_table(table, RUN_COLUMNS, "runs table")


def agreement(runs: pd.DataFrame) -> pd.DataFrame:
    """Return for each player of `runs_table` how far the published P are from its own.

    Columns player, boards, chi_square, p_value, mean_z, worst_z and worst_board, over the boards
    with 0 < P < 1 (2x4 apart); degenerate_possible and degenerate: of the boards with P = 0
    or 1, on how many that P comes out in at least POSSIBLE of the runs.
    """
    rows = []
    for player, own in runs.groupby("player", sort=False):
        inner = own[own["inner"] == 1]
        total, boards, p_value = chi_square(inner["z"])
        worst = inner.iloc[int(inner["z"].abs().to_numpy().argmax())]
        edge = own[own["P_published"].isin([0.0, 1.0])]
        rows.append(
            {
                "player": player,
                "boards": boards,
                "chi_square": total,
                "p_value": p_value,
                "mean_z": inner["z"].mean(),
                "worst_z": worst["z"],
                "worst_board": worst["board"],
                "degenerate_possible": int((edge["same"] >= POSSIBLE).sum()),
                "degenerate": len(edge),
            }
        )
    return pd.DataFrame(rows)
