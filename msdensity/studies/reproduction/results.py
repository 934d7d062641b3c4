"""The P of one run of the paper's size, and how far the published P are from it (Table B.2)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from msdensity.errors import InputError
from msdensity.files.tables import check_table
from msdensity.games.boards import Board
from msdensity.stats.correction import correct
from msdensity.stats.hyperbola import SMALLEST_SQUARE, extrapolation_table, range_rows
from msdensity.stats.logistic import fit_critical_density
from msdensity.stats.series import published_strips, series_table
from msdensity.studies.reproduction.columns import RUN_COLUMNS

RUN_GAMES = 1000
"""Games for each m in one run (paper 001, section 8.2)."""

UNSTABLE = "2x4"
"""P is 0 in some runs of this board and not in others, so it has no single spread; left out of
chi-square, as boards with a published P of 0 or 1 are."""

POSSIBLE = 0.05
"""Outside chi-square, a published P agrees if at least this share of runs gives it."""


@dataclass(frozen=True, eq=False)
class RunDensity:
    """P over runs of RUN_GAMES games a number of mines: mean, spread of one run, error of the mean.

    P: of each run, shape (replicates,), NaN where the points do not determine it; these runs do not
    count. `mean_sd` is the error of the mean from the finite pool of games: the pool is one run of
    its own size.
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
    P = np.repeat([fit_critical_density(rho, curve).results()["P"] for curve in curves], copies)
    sure = P[np.isfinite(P)]
    mean = float(sure.mean()) if len(sure) else math.nan
    sd = float(np.std(sure, ddof=1)) if len(sure) > 1 else math.nan
    pool = int(played[played > 0].min())
    return RunDensity(mean, sd, sd * math.sqrt(RUN_GAMES / pool), P)


def chi_square(z: ArrayLike) -> tuple[float, int, float]:
    """Return (sum of z^2, number of z, probability of a larger sum); NaN are left out."""
    values = np.asarray(z, float)
    values = values[np.isfinite(values)]
    total = float((values**2).sum())
    return total, len(values), float(stats.chi2.sf(total, len(values)))


def runs_table(win_rates: pd.DataFrame, published: pd.DataFrame, replicates: int) -> pd.DataFrame:
    """Return P over runs beside the published one (RUN_COLUMNS), one row per board and player.

    win_rates: WIN_RATE_COLUMNS of the pools; published: PUBLISHED_COLUMNS, of which the boards
    with a P that some player has played are taken. On each board all players have the same
    random numbers, so that the same win rates give the same row. Raises InputError if the pool of
    one player lacks some number of mines of such a board.
    """
    rows = []
    played = set(win_rates["board"])
    printed: Any = published[published["P"].notna()].itertuples()
    for p, q, P in ((int(row.p), int(row.q), row.P) for row in printed):
        name = Board((p, q)).name
        if name not in played:
            continue
        own = win_rates[win_rates["board"] == name]
        for player in win_rates["player"].unique():
            curve = own[own["player"] == player]
            if len(curve) != p * q - 1:
                raise InputError(f"win rates: board {name} of {player} must have {p * q - 1} rows")
            curve = curve.sort_values("mines")
            rng = np.random.default_rng([p, q])
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
                    "at_end": np.mean(np.isin(run.P, [0, 1])),
                    "twins": ", ".join(_twins(own, player)),
                }
            )
    table = pd.DataFrame(rows, columns=list(RUN_COLUMNS))
    return check_table(table, RUN_COLUMNS, "runs table")


def _twins(own: pd.DataFrame, player: str) -> list[str]:
    """Return the other players with the same wins for every number of mines of a board."""
    wins = own.pivot(index="mines", columns="player", values="wins")
    return [str(name) for name in wins if name != player and wins[name].equals(wins[player])]


def apart(runs: pd.DataFrame) -> pd.DataFrame:
    """Return how far the published P are from two players on the boards that tell them apart.

    runs: `runs_table`. A row for every two players: first, second; boards, of those in chi-square;
    first_chi_square, second_chi_square, over these boards; left_out, the others of chi-square, on
    which both players win as many games for every m.
    """
    inner = runs[runs["inner"] == 1]
    rows = []
    for first, second in combinations(inner["player"].unique(), 2):
        z = inner.pivot(index="board", columns="player", values="z")
        twins = inner[inner["player"] == first].set_index("board")["twins"]
        differ = [board for board in z.index if second not in twins[board].split(", ")]
        rows.append(
            {
                "first": first,
                "second": second,
                "boards": len(differ),
                "first_chi_square": chi_square(z.loc[differ, first])[0],
                "second_chi_square": chi_square(z.loc[differ, second])[0],
                "left_out": len(z) - len(differ),
            }
        )
    return pd.DataFrame(rows)


def agreement(runs: pd.DataFrame) -> pd.DataFrame:
    """Return for each player of `runs_table` how far the published P are from its own.

    Columns player, boards, chi_square, p_value, mean_z, worst_z and worst_board, over the boards
    with 0 < P < 1, except 2x4; degenerate: how many boards are outside chi-square;
    degenerate_possible: on how many of these at least POSSIBLE of the runs give the published P.
    """
    rows = []
    for player, own in runs.groupby("player", sort=False):
        inner = own[own["inner"] == 1]
        total, boards, p_value = chi_square(inner["z"])
        worst = inner.iloc[int(inner["z"].abs().to_numpy().argmax())]
        edge = own[own["inner"] == 0]
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


def runs_tables(
    win_rates: pd.DataFrame, published: pd.DataFrame, replicates: int
) -> dict[str, pd.DataFrame]:
    """Return `runs_table` and its `agreement` as `runs` and `agreement`."""
    runs = runs_table(win_rates, published, replicates)
    return {"runs": runs, "agreement": agreement(runs)}


def limits_table(fits: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Return EXTRAPOLATION_COLUMNS of the published diagonal, then of each player's.

    fits: FIT_COLUMNS; published: PUBLISHED_COLUMNS.
    """
    square = (published["p"] == published["q"]) & (published["q"] >= SMALLEST_SQUARE)
    printed = published[square].sort_values("q")
    rows = pd.DataFrame(range_rows(printed["q"], printed["P"]))
    rows = rows.assign(player="published", topology="square8")
    return pd.concat([rows, extrapolation_table(fits)], ignore_index=True)


def strips_table(fits: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Return SERIES_COLUMNS of the published 1 x q boards and of each player's.

    fits: FIT_COLUMNS; published: PUBLISHED_COLUMNS.
    """
    columns = ["player", "board", "p", "q", "P", "Q_sd"]
    parts = [published_strips(published)[columns], fits[columns]]
    return series_table(pd.concat(parts, ignore_index=True))
