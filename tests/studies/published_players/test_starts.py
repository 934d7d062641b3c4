"""The joint test of the win rates of 004: right starts pass at the stated rate, wrong ones fail."""

import numpy as np
import pandas as pd
import pytest

from msdensity.stats.testing import LEVEL
from msdensity.studies.published_players.claims import way_name
from msdensity.studies.published_players.starts import QUESTION, correlations, start_fits

PLAYERS = [way_name(QUESTION, way).split()[0] for way in range(len(QUESTION.ways))]
TITLE = f"{QUESTION.title} ({QUESTION.source})"


def pairs(rng: np.random.Generator, games: int, shared: float) -> pd.DataFrame:
    """Return the pairs of games of which each player's result is the common one with `shared`."""
    made = []
    for board, _ in QUESTION.boards:
        common = rng.random(games) < 0.5
        wins = [
            np.where(rng.random(games) < shared, common, rng.random(games) < 0.5) for _ in PLAYERS
        ]
        for i in range(len(PLAYERS)):
            for j in range(i + 1, len(PLAYERS)):
                a, b = wins[i], wins[j]
                counts = (a & b).sum(), (a & ~b).sum(), (~a & b).sum(), (~a & ~b).sum()
                names = way_name(QUESTION, i), way_name(QUESTION, j)
                made.append((TITLE, board, *names, *map(int, counts)))
    columns = ["question", "board", "first", "second", "both", "first_only", "second_only"]
    return pd.DataFrame(made, columns=[*columns, "neither"])


def rates(z: np.ndarray, start: str) -> pd.DataFrame:
    """Return win rates of all players and boards; z: (boards, players)."""
    return pd.DataFrame(
        [
            ("004 X", player, "corner", start, board, "win_percent", z[b, i])
            for b, (board, _) in enumerate(QUESTION.boards)
            for i, player in enumerate(PLAYERS)
        ],
        columns=["table", "player", "first_click", "start", "board", "measure", "z"],
    )


def test_a_correlation_is_that_of_the_two_by_two_table() -> None:
    rng = np.random.default_rng(1)
    found = correlations(pairs(rng, 40_000, 0.8), PLAYERS)
    assert set(found) == {board for board, _ in QUESTION.boards}
    for matrix in found.values():
        assert np.array_equal(matrix, matrix.T) and np.all(np.diag(matrix) == 1)
        # Two players share a result with probability .8 * .8, five errors of 40,000 games.
        assert matrix[np.triu_indices(5, 1)] == pytest.approx(0.64, abs=5 / 200)


def test_p_is_uniform_with_the_right_correlations_and_not_without() -> None:
    """1000 draws: each quarter of p has its share to four errors, with wrong correlations not."""
    rng = np.random.default_rng(2)
    own, alone = pairs(rng, 40_000, 0.8), pairs(rng, 40_000, 0.0)
    root = np.linalg.cholesky(np.full((5, 5), 0.64) + 0.36 * np.eye(5))
    draws = [rates((root @ rng.standard_normal((5, 3))).T, f"s{i}") for i in range(1000)]
    everything = pd.concat(draws)
    off = []
    for given in (own, alone):
        share = np.histogram(start_fits(everything, given)["p"], 4, (0, 1))[0] / 1000
        off.append(abs(share - 0.25).max() / np.sqrt(0.25 * 0.75 / 1000))
    assert off[0] < 4 < off[1]


def test_a_wrong_start_does_not_fit_and_is_last() -> None:
    rng = np.random.default_rng(3)
    z = rng.standard_normal((3, 5))
    wrong = z + np.array([3, 3, 0, 0, 0])
    fits = start_fits(
        pd.concat([rates(wrong, "wrong"), rates(z, "right"), rates(z, "part")[:-1]]),
        pairs(rng, 1000, 0.5),
    )
    assert fits["start"].tolist() == ["right", "wrong"]  # not that which a player did not play
    assert fits["verdict"].tolist() == ["not excluded", "excluded"]
    assert fits["rates"].tolist() == [15, 15] and fits["p"].iloc[1] < LEVEL
