"""The W-correction of paper 001, section 8.1: win rates near density 1 due to luck become 0."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError, real_array, require_kind
from msdensity.files.tables import require_columns
from msdensity.stats.columns import CURVE

RULE_TWO_DENSITY = 0.75
"""Rule two acts at mine densities strictly above this one (Annex A.2, line 55)."""


def correct(
    density: ArrayLike, win_rate: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return corrected win rates and the rule (0 none, 1, 2) that set each to 0.

    density: shape (n,), mine densities in (0, 1), increasing; win_rate: shape (..., n), in [0, 1],
    NaN (not played) only after a 0. Both results have the shape of win_rate.

    Rule one: after the first win rate of 0, every denser board gets 0. Rule two: at a density above
    0.75, a win rate above the corrected one before it becomes 0. Source: paper 001, section 8.1 and
    Annex A.2. Raises InputError for input out of these ranges.
    """
    rho = np.asarray(density, float)
    raw = np.asarray(win_rate, float)
    if rho.ndim != 1 or raw.shape[-1:] != rho.shape:
        raise InputError(f"win_rate has shape {raw.shape}, must end in that of density {rho.shape}")
    if not ((rho > 0) & (rho < 1)).all() or (np.diff(rho) <= 0).any():
        raise InputError("density must increase within (0, 1)")

    zero = np.logical_or.accumulate(raw == 0, axis=-1)
    wrong = ~zero & ~((raw >= 0) & (raw <= 1))
    if wrong.any():
        raise InputError(f"win_rate={raw[wrong][0]} must be in 0..1 up to its first 0")
    after_rule_one = np.where(zero, 0.0, raw)

    # Rule two compares with the corrected win rate. After a 0 every positive win rate is a rise
    # too, so everything from the first rise on is 0, and no loop is needed.
    rise = np.zeros(raw.shape, bool)
    rise[..., 1:] = np.diff(after_rule_one, axis=-1) > 0
    fallen = np.logical_or.accumulate(rise & (rho > RULE_TWO_DENSITY), axis=-1)
    corrected = np.where(fallen, 0.0, after_rule_one)

    rule = np.where(zero & (raw != 0), 1, 0)
    rule[fallen & (after_rule_one > 0)] = 2
    return corrected, rule


def w_correction(raw: pd.DataFrame) -> pd.DataFrame:
    """Return the win-rate table with columns win_rate_corrected and correction_rule added.

    raw: a table of `msdensity.win_rate_table` with any number of boards and players; each curve is
    corrected separately. Its columns and the order of its rows do not change. Raises InputError if
    a curve does not hold every m from 1 without gaps, because both rules look at the row before.
    """
    require_kind("raw", raw, pd.DataFrame, "a DataFrame")
    needed = (*CURVE, "mines", "density", "win_rate")
    require_columns(raw, needed, "the table of win rates")
    for name in ("mines", "density", "win_rate"):
        real_array(name, raw[name].dropna())
    result = raw.copy()
    result["win_rate_corrected"] = np.nan
    result["correction_rule"] = 0
    # By place: the rows of joined tables may have the same index twice.
    result = result.reset_index(drop=True)
    for _, curve in result.groupby(list(CURVE), sort=False, dropna=False):
        ordered = curve.sort_values("mines")
        mines = ordered["mines"].to_numpy()
        if not np.array_equal(mines, np.arange(1, len(mines) + 1)):
            missing = sorted(set(range(1, int(mines.max()) + 1)) - set(mines.tolist()))
            what = f"lacks mines={missing[0]}" if missing else "holds a number of mines twice"
            raise InputError(
                f"win rates of board {ordered['board'].iloc[0]}, player "
                f"{ordered['player'].iloc[0]}: the table {what}, must hold each of 1..{mines.max()}"
            )
        corrected, rule = correct(ordered["density"], ordered["win_rate"])
        result.loc[ordered.index, "win_rate_corrected"] = corrected
        result.loc[ordered.index, "correction_rule"] = rule
    return result.set_axis(raw.index)
