"""The published fit, its degenerate boards, and the spread of one published run."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import OptimizeWarning, approx_fprime, curve_fit
from scipy.stats import norm

from msdensity.errors import InputError
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import FIT_COLUMNS
from msdensity.stats.correction import correct
from msdensity.stats.logistic import (
    _jacobian,
    fit_critical_density,
    fits_table,
    logistic,
)
from msdensity.studies.paper.tables import table_b1
from places import DATA

GOLDEN = DATA / "golden"

# P and its standard deviation over runs of 1,000 games for each m, from an independent
# reproduction: the player of Annex A.1, then that of the main text.
RUNS = """
1x5 .5647 .0079 .5641 .0078
1x7 .3569 .0085 .3530 .0117
1x9 .3116 .0045 .3119 .0041
3x3 .2772 .0042 .3398 .0061
3x5 .2547 .0023 .2737 .0031
3x7 .2359 .0016 .2628 .0022
3x9 .2194 .0015 .2427 .0017
4x4 .2719 .0021 .2811 .0024
4x6 .2428 .0016 .2590 .0015
4x8 .2261 .0012 .2402 .0014
4x10 .2149 .0013 .2279 .0013
5x5 .2133 .0019 .2182 .0023
5x7 .2091 .0018 .2186 .0016
5x9 .1956 .0013 .2050 .0017
6x6 .2252 .0013 .2404 .0015
6x8 .2136 .0012 .2277 .0011
6x10 .2068 .0009 .2228 .0011
7x7 .2147 .0010 .2302 .0011
7x9 .2072 .0009 .2216 .0009
8x8 .2036 .0009 .2172 .0012
8x10 .1997 .0008 .2138 .0010
9x9 .2014 .0008 .2177 .0009
10x10 .1984 .0005 .2140 .0009
"""


def golden(player):
    table = pd.read_csv(GOLDEN / f"win_counts_{player}.csv")
    return {
        f"{p}x{q}": (group["m"].to_numpy() / (p * q), group["wins"].to_numpy(), games)
        for (p, q), group in table.groupby(["p", "q"])
        for games in [group["games"].to_numpy()]
    }


def thousand(density, wins, games):
    """Return the counts of one run of the paper: 1,000 games instead of `games`."""
    rate = wins / np.maximum(games, 1)
    return density, np.round(1000 * rate).astype(int), np.full(len(wins), 1000)


def fit(density, wins, games, replicates=0, seed=1):
    corrected, _ = correct(density, wins / np.maximum(games, 1))
    return fit_critical_density(
        density,
        corrected,
        wins=wins,
        games=games,
        replicates=replicates,
        rng=np.random.default_rng(seed),
    )


def strays(player, column, correct_first=True):
    """Return mean and standard deviation of P against RUNS, in units of the tolerance."""
    replicates, boards = 100, golden(player)
    rows = [line.split() for line in RUNS.strip().splitlines()]
    # Two-sided, all boards and both numbers together: one false alarm in 1,000.
    z = norm.isf(1e-3 / (2 * 2 * 2 * len(rows)))
    means, spreads = [], []
    for name, *values in rows:
        mean, sd = map(float, values[column : column + 2])
        density, wins, games = boards[name]
        run = fit(*thousand(density, wins, games), replicates)
        ours = run.P_replicates
        if not correct_first:
            ours = np.array([fit_critical_density(density, wins / games.clip(1)).P])
        # Both numbers are means over runs, ours and theirs; theirs also has four digits, and ours
        # has win rates of three.
        allowed = z * sd * np.sqrt(2 / replicates) + 5e-5 + 0.1 * sd
        means.append(abs(ours.mean() - mean) / allowed)
        allowed = z * sd * np.sqrt(1 / replicates) + 5e-5
        spreads.append(abs(run.Q_sd - sd) / allowed)
    return np.array(means), np.array(spreads)


@pytest.mark.statistical
@pytest.mark.parametrize(("player", "column"), [("listing", 0), ("text", 2)])
def test_runs_of_a_thousand_games_scatter_as_reproduced(player, column):
    means, spreads = strays(player, column)
    assert means.max() < 1
    assert spreads.max() < 1


@pytest.mark.statistical
def test_the_same_test_detects_another_player_or_no_correction():
    means, _ = strays("text", 0)
    assert (means > 1).sum() > 15
    means, _ = strays("listing", 0, correct_first=False)
    assert (means > 1).sum() >= 3


@pytest.mark.parametrize("player", ["listing", "text"])
def test_the_fit_is_the_minimum_where_curve_fit_ends(player):
    for density, wins, games in golden(player).values():
        corrected, _ = correct(density, wins / games.clip(1))
        x, y = np.r_[0, density, 1], np.r_[1, corrected, 0]
        with np.errstate(over="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", OptimizeWarning)  # no covariance on tiny boards
            # Annex A.2, lines 27 to 42.
            expected, _ = curve_fit(
                lambda x, b, L, k, Q: b + L / (1 + np.exp(k * (x - Q))),
                x,
                y,
                p0=[min(y), max(y) - min(y), 10, np.median(x)],
                bounds=([-np.inf, 0, 0, -np.inf], [np.inf, 3, np.inf, np.inf]),
                method="dogbox",
                maxfev=1000000,
            )
        ours = fit_critical_density(density, corrected)
        if not ours.determined:
            assert ours.parameters.tolist() == expected.tolist()
            continue
        # curve_fit stops short of it; P is printed with four decimals.
        assert ours.residual_sum <= np.sum((logistic(x, *expected) - y) ** 2) * (1 + 1e-12)
        np.testing.assert_allclose(ours.parameters, expected, rtol=2e-4, atol=5e-5)
        assert ours.Q == pytest.approx(expected[3], abs=5e-5)


def test_the_derivatives_are_right():
    x = np.linspace(0, 1, 9)
    for values in ([0.1, 0.9, 12, 0.3], [-2, 3, 48, 1.01], [0, 1, 0.5, -0.1]):
        numeric = approx_fprime(values, lambda v: logistic(x, *v), 1e-8)
        np.testing.assert_allclose(_jacobian(x, *values), numeric, atol=2e-6)


@pytest.mark.parametrize("board", ["1x5", "1x7", "2x4", "2x8", "3x3", "5x5", "8x8", "10x10"])
def test_replicates_fitted_from_the_fit_reach_the_published_minimum(board):
    density, wins, games = thousand(*golden("listing")[board])
    run = fit(density, wins, games, 12, seed=4)
    rates = np.random.default_rng(4).binomial(games, wins / games, size=(12, len(wins))) / games
    cold = [fit_critical_density(density, curve).Q for curve in correct(density, rates)[0]]
    # 2x4 has the flattest minimum; elsewhere the two agree far better than the spread.
    np.testing.assert_allclose(np.sort(run.replicates), np.sort(cold), atol=0.01 * run.Q_sd)


def test_a_step_names_the_densities_between_which_every_Q_fits():
    rho = np.arange(1, 10) / 10
    step = fit_critical_density(rho, np.where(rho < 0.45, 1.0, 0.0))
    assert "every Q between the densities 0.4 and 0.5 fits" in step.report()
    slope = fit_critical_density(rho, np.where(rho < 0.45, 1.0, 0.0) - 0.1 * (rho == 0.4))
    assert "every Q" not in slope.report()


@pytest.mark.parametrize(
    ("cells", "rates", "Q"),
    [(2, [1], 1.027), (3, [1, 1], 1.014), (4, [1, 2 / 3, 1], 1.010)],
)
def test_short_strips_have_no_inflection_and_P_1(cells, rates, Q):
    density = np.arange(1, cells) / cells
    corrected, _ = correct(density, rates)  # rates are exact ones
    result = fit_critical_density(density, corrected)
    assert result.P == 1 and result.at_bound == ("L",)
    # The sum of squares is flat in Q here: where a search stops depends on the processor.
    assert result.Q == pytest.approx(Q, abs=2e-3)
    words = result.report()
    assert "no inflection inside (0, 1)" in words and "P is clipped to 1" in words
    assert not result.determined and "Q is above 1" in words
    results = result.results()
    assert results.pop("P") == 1 and np.isnan(list(results.values())).all()
    assert "where the fit starts decides" in words
    assert result.degenerate in words
    assert result.degenerate.startswith(f"P = 1 because W = {rates[-1]:.3g} at the highest density")
    assert result.degenerate.endswith("is the one to the point (1, 0), which the fit adds")


@pytest.mark.parametrize("board", ["2x6", "2x8", "2x10"])
def test_strips_two_cells_wide_have_P_0_set_by_the_bound(board):
    result = fit(*golden("listing")[board], replicates=20)
    assert result.P == 0 and -0.2 < result.Q < -0.04 and result.at_bound == ("L",)
    assert result.L == 3
    assert "L is at its bound" in result.report() and "P is clipped to 0" in result.report()
    density, wins, games = golden("listing")[board]
    assert result.degenerate in result.report()
    assert result.degenerate.startswith("P = 0 because the win rate falls fastest at once")
    assert f"W = {wins[0] / games[0]:.3g} at the lowest density played, {density[0]:.3g}," in (
        result.degenerate
    )


@pytest.mark.statistical
def test_2x4_is_clipped_in_most_runs():
    replicates = 300
    result = fit(*thousand(*golden("listing")["2x4"]), replicates)
    share = np.mean(result.P_replicates > 0)
    # P > 0 in 37 % of runs; a false alarm in 1e-4.
    spread = norm.isf(5e-5) * np.sqrt(0.37 * 0.63 / replicates)
    assert share == pytest.approx(0.37, abs=spread)
    assert f"P is not 0 in {share:.0%} of bootstrap replicates" in result.report()
    other = fit(*thousand(*golden("text")["2x4"]), replicates)
    assert np.mean(other.P_replicates > 0) != pytest.approx(0.37, abs=spread)


def test_2x2_has_no_result_but_a_P_of_1():
    result = fit(*thousand(*golden("listing")["2x2"]), replicates=40)
    results = result.results()
    assert not result.determined and (result.P < 0.1 or result.P == 1)
    assert np.isnan(results["P"]) if result.P < 0.1 else results["P"] == 1
    assert len(result.replicates) == 0 and np.isnan(result.Q_sd)
    words = result.report()
    assert "5 points for 4 parameters: where the fit starts decides the answer" in words
    assert "no error bars: the points do not determine the fit" in words


def test_a_good_fit_reports_its_spread_and_no_warning():
    result = fit(*golden("listing")["8x8"], replicates=50)
    assert result.warnings() == [] and result.converged and result.at_bound == ()
    assert result.degenerate == ""
    assert result.Q_low < result.Q < result.Q_high
    assert 0 < result.Q_sd < 0.001
    assert f"+- {result.Q_sd:.2g}" in result.report() and "warning" not in result.report()
    np.testing.assert_allclose(result.predict(result.Q), result.b + result.L / 2)
    density, wins, games = golden("listing")["8x8"]
    residuals = result.predict(np.r_[0, density, 1]) - np.r_[1, wins / games.clip(1), 0]
    assert result.residual_sum == pytest.approx(np.sum(residuals**2))


def test_a_missing_spread_is_explained():
    density, wins, games = golden("listing")["3x3"]
    corrected, _ = correct(density, wins / games)
    bare = fit_critical_density(density, corrected)
    assert np.isnan([bare.Q_sd, bare.Q_low, bare.Q_high]).all()
    assert "no error bars: pass wins= and games=" in bare.report()
    none = fit_critical_density(density, corrected, wins=wins, games=games, replicates=0)
    assert "no error bars: no bootstrap was asked for" in none.report()
    sure = fit(np.array([1 / 3, 2 / 3]), np.array([1000, 1000]), np.array([1000, 1000]), 5)
    assert np.isnan(sure.Q_sd) and "the points do not determine the fit" in sure.report()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"density": [0.2, 0.1, 0.3, 0.4, 0.5]}, "density must increase"),
        ({"density": [0.5]}, "must be one"),
        ({"win_rate_corrected": [1, 1.5, 0.7, 0.3, 0.1]}, "win_rate_corrected must be in"),
        ({"win_rate_corrected": [1, np.nan, 0.7, 0.3, 0.1]}, "_corrected=nan must be finite"),
        ({"replicates": -1}, "replicates=-1 must be a whole number in 0..100000"),
        ({"rng": 7}, "rng=7 must be a numpy Generator"),
        ({"wins": [5.5, 4, 3, 2, 1]}, "wins=5.5 must be a whole"),
        ({"wins": [np.nan, 4, 3, 2, 1]}, "wins=nan must be"),
        ({"density": list("abcde")}, "density=.* must be numbers"),
        ({"wins": [11, 9, 7, 3, 1]}, "wins must be in"),
        ({"wins": [1]}, "must have the shape of density"),
    ],
)
def test_impossible_input_is_refused(change, message):
    good = {
        "density": [0.1, 0.2, 0.3, 0.4, 0.5],
        "win_rate_corrected": [1, 0.9, 0.7, 0.3, 0.1],
        "wins": [10, 9, 7, 3, 1],
        "games": [10] * 5,
        "replicates": 2,
        "rng": np.random.default_rng(1),
    }
    fit_critical_density(**good)
    with pytest.raises(InputError, match=message):
        fit_critical_density(**good | change)


def curve(board, player="weighted", seed=1):
    density, wins, games = golden("listing")[board]
    p, q = map(int, board.split("x"))
    corrected, _ = correct(density, wins / games.clip(1))
    return pd.DataFrame(
        {
            "board": board,
            "p": pd.array([p] * len(wins), dtype="Int64"),
            "q": pd.array([q] * len(wins), dtype="Int64"),
            "player": player,
            "first_click": "corner",
            "start": "safe",
            "seed": seed,
            "mines": np.arange(1, p * q),
            "density": density,
            "games": games,
            "wins": wins,
            "win_rate_corrected": corrected,
        }
    )


def test_a_row_of_the_fits_table_does_not_depend_on_the_others(tmp_path):
    parts = [curve("3x3"), curve("3x3", "other"), curve("2x6"), curve("4x4")]
    together = fits_table(pd.concat(parts, ignore_index=True).iloc[::-1], 10)
    alone = pd.concat([fits_table(part, 10) for part in parts])
    key = ["board", "player"]
    pd.testing.assert_frame_equal(
        together.sort_values(key, ignore_index=True), alone.sort_values(key, ignore_index=True)
    )
    rows = together.set_index(key)
    assert rows.loc[("3x3", "weighted"), "Q"] == rows.loc[("3x3", "other"), "Q"]
    assert rows.loc[("3x3", "weighted"), "Q_sd"] != rows.loc[("3x3", "other"), "Q_sd"]
    assert rows.loc[("2x6", "weighted"), "at_bound"] == "L"
    assert "the bound, not the data" in rows.loc[("2x6", "weighted"), "note"]
    assert rows.loc[("4x4", "weighted"), "note"] == ""
    write_table(tmp_path / "f.csv", together, FIT_COLUMNS)
    again = read_table(tmp_path / "f.csv", FIT_COLUMNS)
    pd.testing.assert_frame_equal(together, again, rtol=5e-6)


def test_two_curves_under_one_name_are_refused():
    both = pd.concat([curve("3x3"), curve("3x3", seed=2)], ignore_index=True)
    with pytest.raises(InputError, match="board=3x3, player=weighted must have one start rule"):
        fits_table(both, 0)


def test_a_table_without_corrected_rates_is_one_clear_error():
    raw = pd.DataFrame({"board": ["3x3"], "player": ["weighted"], "win_rate": [0.5]})
    for function in (fits_table, table_b1):
        with pytest.raises(InputError, match="corrected win rates lacks column"):
            function(raw)
