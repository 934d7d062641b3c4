"""A two-sample chi-square test: do two sets of win counts over m have the same win rates?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats


@dataclass(frozen=True)
class TwoSamples:
    """Result: chi-square over the pooled cells, and whether all-won and all-lost rows agree."""

    chi2: float
    degrees: int
    p_value: float
    exact_rows_agree: bool


def compare_counts(ours: np.ndarray, theirs: np.ndarray) -> TwoSamples:
    """Compare (m, games, wins) rows that both have, in order of m.

    Left out: rows that one of them did not play, and the first row in which their wins reach 0
    (they stopped there, so its count is biased). Rows that they won or lost entirely are compared
    exactly. Of the others, neighbours in m are pooled until all four expected counts are at least
    5.
    """
    played = (ours[:, 1] > 0) & (theirs[:, 1] > 0)
    lost = np.flatnonzero(theirs[:, 2] == 0)
    if len(lost):
        played[lost[0]] = False
    ours, theirs = ours[played], theirs[played]
    extreme = (theirs[:, 2] == 0) | (theirs[:, 2] == theirs[:, 1])
    same = (ours[extreme, 2] * theirs[extreme, 1] == theirs[extreme, 2] * ours[extreme, 1]).all()
    tables: list[np.ndarray] = []
    waiting = np.zeros((2, 2))
    for (_, n1, w1), (_, n2, w2) in zip(ours[~extreme], theirs[~extreme], strict=True):
        waiting += [[w1, n1 - w1], [w2, n2 - w2]]
        if stats.contingency.expected_freq(waiting).min() >= 5:
            tables.append(waiting)
            waiting = np.zeros((2, 2))
    if waiting.sum() and tables:
        tables[-1] = tables[-1] + waiting
    chi2 = sum(stats.chi2_contingency(t, correction=False).statistic for t in tables)
    return TwoSamples(float(chi2), len(tables), float(stats.chi2.sf(chi2, len(tables))), bool(same))
