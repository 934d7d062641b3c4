"""A win-rate curve from a table or from arrays, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError, real_array, whole_array
from msdensity.files.tables import check_table, quotient, require_columns
from msdensity.stats.columns import CORRECTED_COLUMNS, CURVE
from msdensity.stats.correction import w_correction


class Curve(NamedTuple):
    """A win-rate curve: arrays (n,) by rising density; wins and games are None if not given.

    rate: corrected; exact: exact win rates, not corrected, NaN where there is none; None if there
    are none at all, and without wins and games.
    """

    density: NDArray[np.float64]
    rate: NDArray[np.float64]
    wins: NDArray[np.int64] | None
    games: NDArray[np.int64] | None
    exact: NDArray[np.float64] | None = None

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which rows have an exact win rate, shape (n,)."""
        if self.exact is None:
            return np.zeros(len(self.density), bool)
        return ~np.isnan(self.exact)

    def rows(self) -> tuple[NDArray[np.float64], NDArray[Any], NDArray[np.int64]]:
        """Return density, wins and games of the played rows that the W-correction keeps.

        The wins of a row with an exact win rate are those that its games win in the mean, as
        floating point numbers. Raises InputError without counts.
        """
        wins, kept = self._wins(), self._kept()
        assert self.games is not None
        return self.density[kept], wins[kept], self.games[kept]

    def draw(self, replicates: int, rng: np.random.Generator) -> NDArray[Any]:
        """Return the wins of `rows` in replicates, shape (replicates, rows).

        They are drawn from binomial distributions at the raw win rates; those of exact ones stay.
        """
        _, wins, games = self.rows()
        drawn = rng.binomial(games, wins / games, (replicates, len(games)))
        return np.where(self.known_rows(), wins, drawn) if self.exact is not None else drawn

    def known_rows(self) -> NDArray[np.bool_]:
        """Return which rows of `rows` have an exact win rate."""
        return self.known[self._kept()]

    def _wins(self) -> NDArray[Any]:
        if self.wins is None or self.games is None:
            raise InputError("wins and games must be given: the likelihood needs counts")
        if self.exact is None:
            return self.wins
        return np.where(self.known, self.exact * self.games, self.wins)

    def _kept(self) -> NDArray[np.bool_]:
        assert self.games is not None
        return np.asarray((self.games > 0) & ~((self.rate == 0) & (self._wins() > 0)))


def require_curve(table: pd.DataFrame) -> None:
    """Raise InputError for a table without rows."""
    if not len(table):
        raise InputError(
            "the table of a curve has 0 rows, must have at least 1: the table it is taken from"
            " holds no such board or player"
        )


def one_curve(table: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Return the rows of a table by density; InputError unless it is one curve with the columns."""
    require_columns(table, columns, "the table of a curve")
    require_curve(table)
    return check_curve(table).sort_values("density")


def exact_rates(table: pd.DataFrame) -> NDArray[np.float64] | None:
    """Return the exact win rates of the played rows of a curve, by density; None if one has none.

    Raises InputError as `one_curve`.
    """
    rows = one_curve(table, ("density", "games"))
    rows = rows[rows["games"] > 0]
    if "exact" not in rows or (rows["exact"] == "").any():
        return None
    return rows["exact"].map(quotient).to_numpy(float)


def check_curve(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of one curve whose columns of win rates are checked as those of a file.

    Other columns stay. Numbers of mines that were not played, after a first 0, may be there with 0
    games. Raises InputError for more than one curve, and as `check_table`.
    """
    for name in (name for name in CURVE if name in table.columns):
        several = table[name].unique()
        if len(several) > 1:
            names = ", ".join(map(str, several[:5]))
            raise InputError(
                f"the table must hold one curve, has {len(several)} of {name}: {names}"
            )
    not_played = {
        "games": replace(CORRECTED_COLUMNS["games"], low=0),
        "win_rate": replace(CORRECTED_COLUMNS["win_rate"], missing=True),
    }
    columns = {n: spec for n, spec in (CORRECTED_COLUMNS | not_played).items() if n in table}
    checked = check_table(table[list(columns)], columns, "the table of a curve")
    return table.assign(**{name: checked[name] for name in columns})


def read_curve(
    density: ArrayLike | pd.DataFrame,
    rate: ArrayLike | None,
    wins: ArrayLike | None,
    games: ArrayLike | None,
) -> Curve:
    """Return the curve in a table or in arrays; InputError for anything else.

    density: mine densities, shape (n,), rising in (0, 1); or, without other arguments, a table of
    one curve with the columns density, win_rate_corrected (or all of `win_rate_table`, which are
    corrected here), wins and games, and perhaps exact. rate: in 0..1; wins, games: whole numbers,
    both or none.
    """
    exact = None
    if isinstance(density, pd.DataFrame):
        if rate is not None or wins is not None or games is not None:
            raise InputError("win rates, wins and games must be left out beside a table")
        require_curve(density)
        needed = ("density", "win_rate_corrected", "wins", "games")
        if needed[1] not in density and {*CURVE, "mines", "win_rate"} <= {*density.columns}:
            density = w_correction(check_curve(density))
        table = one_curve(density, needed)
        density, rate, wins, games = (table[name] for name in needed)
        if "exact" in table and (table["exact"] != "").any():
            exact = table["exact"].map(quotient).to_numpy(float)
    if rate is None:
        raise InputError("win_rate_corrected must be given unless density is a table")
    rho, corrected = real_array("density", density), real_array("win_rate_corrected", rate)
    if rho.ndim != 1 or rho.shape != corrected.shape or not len(rho):
        raise InputError(
            f"density has shape {rho.shape} and win_rate_corrected {corrected.shape}, must be one "
            "(n,)"
        )
    if not ((rho > 0) & (rho < 1)).all() or (np.diff(rho) <= 0).any():
        raise InputError("density must increase within (0, 1)")
    if not ((corrected >= 0) & (corrected <= 1)).all():
        raise InputError("win_rate_corrected must be in 0..1")
    if (wins is None) != (games is None):
        raise InputError("wins and games must be given together")
    if wins is None or games is None:
        return Curve(rho, corrected, None, None)
    won, played = whole_array("wins", wins), whole_array("games", games)
    if won.shape != rho.shape or played.shape != rho.shape:
        raise InputError(f"wins and games must have the shape of density {rho.shape}")
    if ((won < 0) | (won > played)).any():
        raise InputError("wins must be in 0..games")
    return Curve(rho, corrected, won, played, exact)
