"""The law without a fitted number: it passes on its own games, and each wrong law fails."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from msdensity.games.boards import Board
from msdensity.stats.law import minus_log_win_rate
from msdensity.studies.asymptotics.settings import Entry, LowDensity
from msdensity.studies.asymptotics.whole_law import ALL, LAWS, whole_law_table


class Study:
    """What the test takes of the settings."""

    low_density = LowDensity(
        boards={"corner": {"squares": [16]}},
        densities=[0.06, 0.08, 0.1],
        highest=0.08,
        torus_highest=0.1,
        smallest=16,
        fixed=[0.08],
        games=400_000,
        most_cells=1e9,
        conditional={"bordered": [0.06], "torus": [0.1], "games": 1000, "most_cells": 1e6},
    )


BOARDS = {
    ("corner", "square8"): (11, 16, 24, 48),
    ("zero", "square8"): (11, 14, 24, 48),
    ("zero", "torus8"): (9, 12, 16, 32, 64),
}


@cache
def games_of(factor: float, seed: int) -> pd.DataFrame:
    """Return games whose -ln W is the law's times a factor."""
    rng, rows, n = np.random.default_rng(seed), [], 400_000
    for (rule, topology), sides in BOARDS.items():
        for q in sides:
            board = Board((q, q), topology)
            for mines in sorted({round(rho * q * q) for rho in Study.low_density.densities}):
                density = mines / q**2
                law = minus_log_win_rate((q, q), density, rule, topology, fixed_mines=True)
                wins = int(rng.binomial(n, float(np.exp(-factor * law))))
                W = wins / n
                rows.append(
                    {"family": Entry(board, rule).family, "rule": rule, "board": board.name}
                    | {"p": q, "q": q, "topology": topology, "mines": mines, "density": density}
                    | {"games": n, "wins": wins, "win_rate": W, "reduced": W}
                    | {"reduced_se": max(W * (1 - W), 1 / n) ** 0.5 / n**0.5}
                )
    return pd.DataFrame(rows)


def verdicts(factor: float, seed: int) -> pd.DataFrame:
    table = whole_law_table(games_of(factor, seed), Study)
    return table[(table["rule"] == ALL) & (table["counts"] == "plain")].set_index("law")


@pytest.mark.statistical
def test_the_law_passes_and_the_wrong_laws_fail() -> None:
    """Seeded; a p below 1e-4 is the false alarm."""
    found = verdicts(1.0, 1)
    assert list(found.index) == list(LAWS)
    assert found.loc["complete", "p_value"] > 1e-4
    assert abs(found.loc["complete", "excess"]) < 3.9 * found.loc["complete", "excess_error"]
    for law in LAWS[1:]:
        assert found.loc[law, "p_value"] < 1e-6


@pytest.mark.statistical
def test_a_law_that_is_off_is_rejected_as_often_as_stated() -> None:
    """9 of 10 at the stated deviation: at least 12 of 20 but for a chance of 4e-4."""
    off = verdicts(1.0, 1).loc["complete", "detectable"]
    rejected = 0
    for seed in range(20):
        found = verdicts(1 + off, seed).loc["complete"]
        rejected += found["p_value"] < 0.01
        assert abs(found["excess"] - off) < 4.5 * found["excess_error"]
    assert rejected >= 12


def test_rows_join_the_series_up_to_their_own_densities() -> None:
    table = whole_law_table(games_of(1.0, 1), Study)
    plain = table[(table["counts"] == "plain") & (table["law"] == "complete")]
    declared = plain[(plain["declared"] == 1) & (plain["rule"] != ALL)]
    assert declared.set_index(["rule", "topology"])["density"].to_dict() == {
        ("corner", "square8"): 0.08,
        ("zero", "square8"): 0.08,
        ("zero", "torus8"): 0.1,
    }
    together = plain[plain["rule"] == ALL].iloc[0]
    assert together["rows"] == declared["rows"].sum()
    assert together["chi2"] == pytest.approx(declared["chi2"].sum())
    assert not len(whole_law_table(games_of(1.0, 1)[:0], Study))
