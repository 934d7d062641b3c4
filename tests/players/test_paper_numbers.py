"""All boards of an independent reproduction, in one run of the same size as in the paper."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2, fisher_exact
from two_samples import compare_counts

from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.stats.correction import correct
from msdensity.stats.logistic import fit_critical_density
from places import DATA

pytestmark = [pytest.mark.statistical, pytest.mark.campaign]

GOLDEN = {
    player: pd.read_csv(DATA / f"golden/win_counts_{player}.csv") for player in ("text", "listing")
}
GAMES = 1000
BOARDS = sorted(set(GOLDEN["text"][["p", "q"]].itertuples(index=False, name=None)))

# P of the player of the main text and its standard deviation from run to run (1,000 games for
# each m), from that reproduction; then P of the player of Annex A.1.
P = {
    (1, 5): (0.5641, 0.0078, 0.5647),
    (1, 7): (0.3530, 0.0117, 0.3569),
    (1, 9): (0.3119, 0.0041, 0.3116),
    (3, 3): (0.3398, 0.0061, 0.2772),
    (3, 5): (0.2737, 0.0031, 0.2547),
    (3, 7): (0.2628, 0.0022, 0.2359),
    (3, 9): (0.2427, 0.0017, 0.2194),
    (4, 4): (0.2811, 0.0024, 0.2719),
    (4, 6): (0.2590, 0.0015, 0.2428),
    (4, 8): (0.2402, 0.0014, 0.2261),
    (4, 10): (0.2279, 0.0013, 0.2149),
    (5, 5): (0.2182, 0.0023, 0.2133),
    (5, 7): (0.2186, 0.0016, 0.2091),
    (5, 9): (0.2050, 0.0017, 0.1956),
    (6, 6): (0.2404, 0.0015, 0.2252),
    (6, 8): (0.2277, 0.0011, 0.2136),
    (6, 10): (0.2228, 0.0011, 0.2068),
    (7, 7): (0.2302, 0.0011, 0.2147),
    (7, 9): (0.2216, 0.0009, 0.2072),
    (8, 8): (0.2172, 0.0012, 0.2036),
    (8, 10): (0.2138, 0.0010, 0.1997),
    (9, 9): (0.2177, 0.0009, 0.2014),
    (10, 10): (0.2140, 0.0009, 0.1984),
}


@pytest.fixture(scope="module")
def counts() -> dict[tuple[int, int], np.ndarray]:
    """Return (m, games, wins) rows of every board."""
    result = {}
    for p, q in BOARDS:
        tasks = [Task(Board((p, q)), m, seed=20240503) for m in range(1, p * q)]
        rows = [(task.mines, GAMES, play_batch(task, 0, GAMES)["wins"]) for task in tasks]
        result[p, q] = np.array(rows)
    return result


def golden_counts(player: str, p: int, q: int) -> np.ndarray:
    """Return (m, games, wins) rows of a board."""
    table = GOLDEN[player]
    return table[(table["p"] == p) & (table["q"] == q)][["m", "games", "wins"]].to_numpy()


def sums(counts: dict[tuple[int, int], np.ndarray], player: str) -> tuple[float, int, float]:
    """Return chi-square and degrees of freedom over all boards, and the p-value of extreme rows.

    `compare_counts` leaves out rows that the reproduction won or lost entirely. They are tested
    one by one, exactly, and the smallest p-value is multiplied by their number.
    """
    statistic, degrees, values = 0.0, 0, []
    for (p, q), ours in counts.items():
        theirs = golden_counts(player, p, q)
        test = compare_counts(ours, theirs)
        statistic, degrees = statistic + test.chi2, degrees + test.degrees
        for (_, n1, w1), (_, n2, w2) in zip(ours, theirs, strict=True):
            if n2 and w2 in (0, n2):
                values.append(fisher_exact([[w1, n1 - w1], [w2, n2 - w2]]).pvalue)
    return statistic, degrees, min(values) * len(values)


def test_win_counts_of_all_boards_agree_with_the_text(counts) -> None:
    assert len(BOARDS) == 29
    for (p, q), rows in counts.items():
        assert rows[-1].tolist() == [p * q - 1, GAMES, GAMES]  # one safe cell: the first
    statistic, degrees, extreme = sums(counts, "text")
    assert extreme > 1e-4
    assert degrees > 300
    assert chi2.sf(statistic, degrees) > 1e-4, (statistic, degrees)
    statistic, degrees, _ = sums(counts, "listing")  # negative control
    assert chi2.sf(statistic, degrees) < 1e-12


def test_critical_densities_agree_with_the_text(counts) -> None:
    text, listing = [], []
    for (p, q), (mean, sd, other) in P.items():
        m, games, wins = counts[p, q].T
        density = m / (p * q)
        corrected, _ = correct(density, wins / games)
        ours = fit_critical_density(density, corrected).P
        text.append((ours - mean) / sd)
        listing.append((ours - other) / sd)
    # |z| < 3.3 on each of 23 boards: a false alarm in 2 % of seeds
    assert np.abs(text).max() < 3.3, dict(zip(P, np.round(text, 1), strict=True))
    assert (np.abs(listing) > 3.3).sum() > 15  # negative control
