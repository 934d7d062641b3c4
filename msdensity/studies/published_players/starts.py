"""Tables 7 to 9 of 004 together: how well each start that they may have had fits all win rates.

The players of 004 played the same games, so their win rates hang together. One number judges all:
chi2 = z' R^-1 z, of the z of every win rate and the correlations R of wins of one game.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import chi2

from msdensity.stats.testing import LEVEL
from msdensity.studies.page import rows
from msdensity.studies.published_players.claims import way_name
from msdensity.studies.published_players.questions import QUESTIONS

QUESTION = QUESTIONS["graphical"]
"""The question whose pairs say how wins of the players of 004 hang together."""


def start_fits(tables: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return how each start fits the win rates that 004 prints, best first, one row per start.

    tables: STUDY_COLUMNS; pairs: PAIR_COLUMNS. Columns: first_click, start; rates, how many win
    rates, which are the degrees of freedom; chi2; p, the probability of a larger chi2 with the
    right start; verdict, "not excluded" or "excluded" at LEVEL; worst_z, the largest single z.
    Players: those of QUESTION; starts that some of them did not play are left out. Correlations are
    those with the question's start.
    """
    players = [way_name(QUESTION, way).split()[0] for way in range(len(QUESTION.ways))]
    together = correlations(pairs, players)
    rates = tables[
        tables["table"].str.startswith("004 ")
        & (tables["measure"] == "win_percent")
        & tables["player"].isin(players)
        & tables["board"].isin([*together])
    ]
    printed = len(rates.drop_duplicates(["player", "board"]))
    found = []
    for (first_click, start), own in rates.groupby(["first_click", "start"], sort=False):
        if len(own) < printed:
            continue
        total = 0.0
        for board, there in own.groupby("board"):
            z = there["z"].to_numpy(float)
            at = [players.index(player) for player in there["player"]]
            total += float(z @ np.linalg.solve(together[str(board)][np.ix_(at, at)], z))
        p = float(chi2.sf(total, printed))
        found.append(
            {
                "first_click": first_click,
                "start": start,
                "rates": printed,
                "chi2": total,
                "p": p,
                "verdict": "not excluded" if p >= LEVEL else "excluded",
                "worst_z": max(own["z"].tolist(), key=abs),
            }
        )
    columns = ["first_click", "start", "rates", "chi2", "p", "verdict", "worst_z"]
    return pd.DataFrame(found, columns=columns).sort_values("chi2", kind="stable")


def correlations(pairs: pd.DataFrame, players: list[str]) -> dict[str, NDArray[np.float64]]:
    """Return for each board of QUESTION the correlations of wins of two players on one game.

    pairs: PAIR_COLUMNS; each array is (players, players). One more game of each kind, so that no
    player wins all games, or none.
    """
    asked = pairs[pairs["question"] == f"{QUESTION.title} ({QUESTION.source})"]
    found = {}
    for board, own in asked.groupby("board", sort=False):
        matrix = np.eye(len(players))
        for row in rows(own):
            i, j = (players.index(name.split()[0]) for name in (row.first, row.second))
            a, b, c, d = row.both + 1, row.first_only + 1, row.second_only + 1, row.neither + 1
            size = float(a + b) * float(c + d) * float(a + c) * float(b + d)
            matrix[i, j] = matrix[j, i] = (a * d - b * c) / np.sqrt(size)
        found[str(board)] = matrix
    return found
