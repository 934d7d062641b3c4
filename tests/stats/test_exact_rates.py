"""Exact win rates take the place of those played, fits take them as they are, games test them."""

from math import comb

import numpy as np
import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.files.tables import check_table, quotient, read_table, write_table
from msdensity.kernel.measures import MEASURES
from msdensity.stats.columns import CORRECTED_COLUMNS, EXACT_COLUMNS, FIT_COLUMNS, WIN_RATE_COLUMNS
from msdensity.stats.correction import w_correction
from msdensity.stats.curve import Curve, read_curve
from msdensity.stats.exact_rates import (
    ALARM,
    exact_test,
    exact_win_rates,
    is_exact,
    join_exact,
    require_agreement,
)
from msdensity.stats.intervals import wilson
from msdensity.stats.logistic import fit_critical_density, fits_table
from msdensity.stats.model_fit import deviance, fit_by_likelihood, maximise
from msdensity.stats.model_tables import fit_model
from msdensity.stats.models import MODELS
from msdensity.stats.rho50.exact import first_fall, fit_exact_rho50
from msdensity.stats.rho50.fit import fit_rho50
from msdensity.stats.rho50.reduced import reduced_table
from msdensity.stats.series import series_table

GAMES = 1000


def counted(board: str = "3x3", player: str = "weighted") -> pd.DataFrame:
    """Return exact win rates of a made-up player, near a logistic in density."""
    p, q = map(int, board.split("x"))
    mines = np.arange(1, p * q)
    layouts = [comb(p * q - 1, m) for m in mines]
    shares = 0.98 / (1 + np.exp(14 * (mines / (p * q) - 0.3))) + 0.01
    won = [max(1, round(s * n)) for s, n in zip(shares, layouts, strict=True)]
    head = {"board": board, "topology": "square8", "player": player, "first_click": "corner"}
    table = pd.DataFrame(head | {"start": "safe", "kernel_version": 4, "mines": mines})
    table = table.assign(density=mines / (p * q), layouts=layouts, won=[str(n) for n in won])
    table = table.assign(win_rate=np.array(won) / layouts)
    return check_table(table, EXACT_COLUMNS, "exact")


def played(exact: pd.DataFrame, seed: int = 1, games: int = GAMES) -> pd.DataFrame:
    """Return raw win rates of games that are won with the exact win rates."""
    wins = np.random.default_rng(seed).binomial(games, exact["win_rate"])
    low, high = wilson(wins, games)
    sides = exact["board"].str.split("x", expand=True).astype("Int64")
    table = exact.drop(columns=["layouts", "won"]).assign(
        p=sides[0], q=sides[1], seed=5, games=games, **dict.fromkeys(MEASURES, 0)
    )
    table = table.assign(wins=wins, win_rate=wins / games, win_rate_low=low, win_rate_high=high)
    return check_table(table, WIN_RATE_COLUMNS, "raw")


EXACT = counted()
RAW = played(EXACT)
BOTH = join_exact(w_correction(RAW), EXACT)
OTHERS = [name for name in WIN_RATE_COLUMNS if name in RAW and not name.startswith("win_rate")]


def test_a_row_with_an_exact_win_rate_has_it_without_an_interval(tmp_path) -> None:
    assert BOTH["exact"].tolist() == [
        f"{won}/{layouts}" for won, layouts in zip(EXACT["won"], EXACT["layouts"], strict=True)
    ]
    for name in ("win_rate", "win_rate_low", "win_rate_high"):
        assert BOTH[name].tolist() == EXACT["win_rate"].tolist()
    assert BOTH[OTHERS].equals(RAW[OTHERS])
    write_table(tmp_path / "t.csv", BOTH, CORRECTED_COLUMNS)
    again = read_table(tmp_path / "t.csv", CORRECTED_COLUMNS)
    assert again["exact"].tolist() == BOTH["exact"].tolist()
    assert again["win_rate"].equals(BOTH["win_rate"])
    assert join_exact(again, EXACT).equals(BOTH)
    assert join_exact(again, EXACT.tail(2)).equals(BOTH)
    assert list(again.columns) == [n for n in CORRECTED_COLUMNS if n in BOTH]


def test_other_curves_and_versions_stay_as_played() -> None:
    other = RAW.assign(player="other")
    whole = join_exact(pd.concat([RAW, other], ignore_index=True), EXACT)
    assert is_exact(whole).tolist() == [True] * 8 + [False] * 8
    assert whole.loc[8:, "win_rate"].tolist() == other["win_rate"].tolist()
    older = RAW.assign(kernel_version=3)
    assert join_exact(older, EXACT).equals(older)
    assert not is_exact(RAW).any()


@pytest.mark.parametrize("won", ["1/2", "27/32"])
def test_a_fraction_of_layouts_may_be_won_where_chance_decides(won) -> None:
    exact = EXACT.assign(won=won, win_rate=quotient(won) / EXACT["layouts"])
    both = join_exact(RAW, exact)
    whole, part = map(int, won.split("/"))
    assert both["exact"].tolist() == [f"{whole}/{part * n}" for n in EXACT["layouts"]]
    assert both["win_rate"].tolist() == [whole / (part * n) for n in EXACT["layouts"]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"exact": "1/8"}, r"row 1: win_rate=.* must be wins / games, or exact"),
        ({"exact": ""}, r"row 1: win_rate=.* must be wins / games, or exact"),
        ({"exact": "1/0"}, "row 1: exact='1/0' must be a fraction such as 3/8, or empty"),
        ({"exact": "9" * 400 + "/1"}, "row 1: exact=.* must be a fraction"),
        ({"wins": GAMES + 1}, "row 1: wins=1001 must be at most games"),
    ],
)
def test_a_table_that_contradicts_its_fractions_is_refused(change, message) -> None:
    check_table(BOTH, CORRECTED_COLUMNS, "t")
    with pytest.raises(InputError, match=message):
        check_table(BOTH.assign(**change), CORRECTED_COLUMNS, "t")


def test_an_exact_win_rate_that_is_not_its_fraction_is_refused() -> None:
    for change in ({"won": "9"}, {"win_rate": 0.5}, {"won": "x"}, {"won": "1/0"}, {"won": "1e9"}):
        with pytest.raises(InputError, match=r"exact win rates: row 1: won=.* must be win_rate of"):
            join_exact(RAW, EXACT.assign(**change))


def test_a_number_of_mines_twice_among_the_exact_ones_is_refused() -> None:
    with pytest.raises(InputError, match="board=3x3, player=weighted, mines=8 must be in one row"):
        join_exact(RAW, pd.concat([EXACT, EXACT.tail(1)], ignore_index=True))


def test_both_rules_of_the_correction_act_on_exact_win_rates() -> None:
    """A played 0 sets nothing to 0 then; a rise above density 3/4 and what follows it are."""
    won = [*EXACT["won"][:6], "5", "1"]  # of 8 layouts with 7 mines, and of 1 with 8
    exact = EXACT.assign(won=won)
    exact["win_rate"] = exact["won"].astype(int) / exact["layouts"]
    raw = RAW.assign(wins=[*RAW["wins"][:3], *[0] * 5])
    raw = raw.assign(win_rate=raw["wins"] / GAMES, win_rate_low=0.0, win_rate_high=1.0)
    assert w_correction(raw)["win_rate_corrected"].tolist()[3:] == [0] * 5
    both = join_exact(w_correction(raw), exact)
    assert both["correction_rule"].tolist() == [0] * 6 + [2] * 2
    assert both["win_rate_corrected"].tolist() == [*exact["win_rate"][:6], 0, 0]
    none = join_exact(w_correction(raw), exact.assign(won="0", win_rate=0.0).iloc[3:4])
    assert none["correction_rule"].tolist()[3:] == [0] * 5 and none["exact"].tolist()[3] == "0/70"


def test_a_fit_of_exact_win_rates_takes_them_as_they_are_and_has_no_error() -> None:
    fit = fit_critical_density(BOTH)
    alone = fit_critical_density(BOTH["density"], BOTH["win_rate_corrected"])
    assert fit.parameters.tolist() == alone.parameters.tolist()
    assert fit.Q_sd == 0 and (fit.Q_low, fit.Q_high) == pytest.approx((fit.Q, fit.Q), rel=1e-12)
    text = "exact win rates: no sampling error; what is left is the model's misfit"
    assert text in fit.warnings() and f"warning: {text}" in fit.report()
    assert "+-" not in fit.report()
    assert fit_critical_density(w_correction(RAW)).Q_sd > 0.001
    row = fits_table(BOTH).iloc[0]
    assert row["Q_sd"] == 0 and row["note"] == text
    check_table(fits_table(BOTH), FIT_COLUMNS, "fits")


def test_a_plot_shows_exact_win_rates_as_crosses_without_bars() -> None:
    part = BOTH.assign(exact=BOTH["exact"].where(BOTH["mines"] < 3, ""))
    part["win_rate"] = part["win_rate"].where(part["mines"] < 3, part["wins"] / GAMES)
    part = w_correction(part.drop(columns=["win_rate_corrected", "correction_rule"]))
    fit = fit_critical_density(part)
    picture = fit.picture()
    exact = picture.x < 3 / 9
    assert picture.exact is not None and picture.exact.tolist() == exact.tolist()
    assert (picture.low[exact] == picture.y[exact]).all()
    assert picture.y[exact] == pytest.approx(EXACT["win_rate"][:2], rel=1e-12)
    assert (picture.low[~exact] < picture.high[~exact]).all()
    assert picture.unit == "standard error\nof the games"
    _, labels = fit.plot().axes[0].get_legend_handles_labels()
    assert {"exact", "measured, 95 % intervals"} <= {*labels}
    alone = fit_critical_density(BOTH).plot().axes[0].get_legend_handles_labels()[1]
    assert "exact" in alone and not any(text.startswith("measured") for text in alone)


def test_replicates_draw_only_the_win_rates_that_are_not_exact() -> None:
    """The more rows are exact, the smaller the error."""
    half = BOTH.assign(exact=BOTH["exact"].where(BOTH["mines"] < 3, ""))
    played_rate = half["wins"] / half["games"]
    half["win_rate"] = half["win_rate"].where(half["mines"] < 3, played_rate)
    half = w_correction(half.drop(columns=["win_rate_corrected", "correction_rule"]))
    curve = read_curve(half, None, None, None)
    drawn = curve.draw(50, np.random.default_rng(3))
    wins = curve.rows()[1]
    assert (drawn[:, :2] == wins[:2]).all() and (drawn[:, 2:5] != wins[2:5]).any(axis=0).all()
    fits = [fit_critical_density(table) for table in (BOTH, half, w_correction(RAW))]
    assert 0 == fits[0].Q_sd < fits[1].Q_sd < fits[2].Q_sd
    assert "2 of 8 win rates are exact: the errors are of the others" in fits[1].warnings()


def test_a_likelihood_of_exact_win_rates_is_that_of_their_expected_wins() -> None:
    """Twice the games: the same curve, twice the deviance."""
    fit = fit_model("weibull", BOTH)
    twice = fit_model("weibull", BOTH.assign(games=2 * BOTH["games"]))
    assert twice.parameters == pytest.approx(fit.parameters, rel=1e-6)
    assert twice.deviance == pytest.approx(2 * fit.deviance)
    assert fit.Q_sd == 0 and not any("rejected" in text for text in fit.warnings())
    wins = (BOTH["win_rate"] * 10**6).round().astype(int)
    many = BOTH.drop(columns="exact").assign(games=10**6, wins=wins, win_rate=wins / 10**6)
    many = many.drop(columns=["win_rate_corrected", "correction_rule"])
    curve = read_curve(w_correction(many), None, None, None)
    near = maximise(MODELS["weibull"], curve)
    assert near.values == pytest.approx(fit.parameters, rel=1e-4)
    assert near.deviance == pytest.approx(1000 * fit.deviance, rel=1e-2)


def test_rho50_of_exact_win_rates_is_where_their_line_crosses_a_half() -> None:
    fit = fit_rho50(BOTH)
    above = int((BOTH["win_rate"][:7] > 0.5).sum())
    (a, b), (v, w) = (BOTH[name].iloc[above - 1 : above + 1] for name in ("density", "win_rate"))
    assert fit.rho50 == pytest.approx(a + (b - a) * (v - 0.5) / (v - w), rel=1e-12)
    assert (fit.error, fit.interval.low, fit.interval.high) == (0, fit.rho50, fit.rho50)
    assert "no sampling error: the win rates are exact" in fit.warnings()
    assert f"W({above}) = {v:.4f}, exact" in fit.report()
    games = fit_rho50(RAW)
    assert games.error > 0 and games.rho50 != fit.rho50
    mixed = BOTH.assign(exact="", win_rate=BOTH["wins"] / GAMES, win_rate_corrected=0.0)
    mixed["correction_rule"] = 1
    assert fit_rho50(mixed).rho50 == games.rho50


def test_a_win_rate_of_one_half_lies_between_two_numbers_of_mines() -> None:
    below, line, logit = first_fall(np.array([1, 2, 3]), np.array([0.9, 0.6, 0.3]))
    assert below == 2 and line == pytest.approx(2 + 1 / 3)
    assert logit == pytest.approx(2 + np.log(1.5) / (np.log(1.5) + np.log(7 / 3)))
    below, line, logit = first_fall(np.array([1, 2]), np.array([0.25, 0.1]))
    assert (below, line) == (0, pytest.approx(2 / 3)) and np.isnan(logit)
    # The first fall counts: with all cells but one mined every game is won again.
    assert first_fall(np.array([1, 2, 3]), np.array([0.75, 0.25, 1.0])).line == 1.5
    assert first_fall(np.array([1, 2]), np.array([1.0, 0.5]))[0] is None
    assert first_fall(np.array([1, 3]), np.array([0.9, 0.1]))[0] is None  # with a gap


@pytest.mark.parametrize(
    ("cells", "rates", "mines"),
    [
        (6, [1, 0.7, 0.4, 0.4, 1], 2 + 2 / 3),  # a smoothed sequence does not cross 1/2
        (4, [1 / 3, 1 / 3, 1], 3 / 4),  # nor one that begins below it
        (3, [0.5, 0.25], 1),
    ],
)
def test_rises_of_exact_win_rates_do_not_hide_where_they_fall(cells, rates, mines) -> None:
    density = np.arange(1, cells) / cells
    fit = fit_exact_rho50(density, rates, cells)
    assert fit.rho50 == pytest.approx(mines / cells, rel=1e-12) and not fit.no_fit
    assert f"rho50 = {mines / cells:.5f}, k = " in fit.report()
    step = 1e-6
    slope = np.diff(fit.predict(fit.rho50 + np.array([-step, step])))[0] / (2 * step)
    assert slope == pytest.approx(-(fit.wins[0] - fit.wins[1]) * cells, rel=1e-4)
    fit.picture()
    none = fit_exact_rho50(density, np.full(cells - 1, 0.5), cells)
    assert np.isnan(none.rho50) and "no fit" in none.report()


def test_exact_win_rates_of_other_densities_are_refused() -> None:
    for density, rates, cells, message in (
        ([0.25, 0.5], [1, 0], 6, "density must be numbers of mines over 6 cells"),
        ([0.25, 0.5], [1, 2], 4, "win_rate must be in 0..1"),
        ([0.25, 0.5], [1, 0], 36, "cells=36 must be below 36"),
    ):
        with pytest.raises(InputError, match=message):
            fit_exact_rho50(density, rates, cells)


def test_aicc_of_exact_rows_is_what_games_show_in_the_mean() -> None:
    """Games fit themselves by 1 for a parameter; the control is the penalty of games, 2.

    What games change in the deviance of fixed curves has the mean 0 and is taken off.
    """
    models = [MODELS[name] for name in ("logistic", "weibull")]
    exact = Curve(*(BOTH[n].to_numpy() for n in ("density", "win_rate", "wins", "games")))
    exact = exact._replace(exact=exact.rate)
    fits = [fit_by_likelihood(m, exact, 0, np.random.default_rng(1)) for m in models]
    found = []
    for wins in np.random.default_rng(8).binomial(GAMES, exact.rate, (100, len(BOTH))):
        games = exact._replace(wins=wins, rate=wins / GAMES, exact=None)
        found.append(
            [
                fit_by_likelihood(fit.model, games, 0, np.random.default_rng(1)).aicc
                - deviance(fit.model, games, fit.parameters)
                for fit in fits
            ]
        )
    gain = np.diff(found, axis=1).ravel()
    change = np.diff([fit.aicc - fit.deviance for fit in fits])[0]
    error = 4.5 * gain.std() / 10  # by chance in 7 of a million
    assert abs(gain.mean() - change) < error < abs(gain.mean() - (change - 2))


def test_reduced_win_rates_are_of_the_games() -> None:
    stated = {"z0_z0": 1, "guesses": GAMES}
    tables = [reduced_table(table.assign(**stated)) for table in (RAW, BOTH)]
    assert tables[0].equals(tables[1]) and len(tables[0]) == 8


def test_a_series_of_boards_without_an_error_and_with_one() -> None:
    boards = [f"1x{q}" for q in range(5, 12)]
    fits = pd.DataFrame({"board": boards, "p": 1, "q": range(5, 12), "player": "weighted"})
    P = 1 / fits["q"]
    table = series_table(fits.assign(P=P, Q_sd=[0.0] * 4 + [0.001] * 3))
    assert np.isfinite(table["sampling_se"]).all() and (table["sampling_se"] > 0).any()
    assert (series_table(fits.assign(P=P, Q_sd=0.0))["sampling_se"] == 0).all()


def test_games_agree_with_the_win_rates_that_made_them_and_with_no_others() -> None:
    """Negative controls: the exact win rates of the next number of mines, or of one board."""
    exact = pd.concat([counted(b) for b in ("3x3", "3x4", "4x4")], ignore_index=True)
    raw = played(exact, seed=2)
    tables = exact_win_rates(raw, exact)
    test = tables["exact_test"].iloc[0]
    assert (test["boards"], test["rows"], test["impossible"]) == (3, 34, 0)
    assert test["p_value"] > ALARM and test["df"] > 15
    assert test["expected"] == pytest.approx((exact["win_rate"] * GAMES).sum())
    assert tables["win_rates"].equals(join_exact(w_correction(raw), exact))
    shifted = exact.groupby("board", sort=False)[["won", "layouts", "win_rate"]].shift(-1)
    shifted = exact.assign(**shifted).dropna().astype({"layouts": "int64"})
    one = exact["board"] == "3x3"
    other = exact.assign(win_rate=exact["win_rate"].where(~one, exact["win_rate"] * 0.8))
    fifths = [f"{4 * int(won)}/5" for won in exact["won"]]
    other["won"] = exact["won"].where(~one, fifths)
    for wrong in (shifted, other):
        with pytest.raises(InputError, match=r"player=weighted: .* must be at least 0\.0001"):
            exact_win_rates(raw, wrong)


def test_a_win_where_none_can_be_is_impossible_however_few_games() -> None:
    exact = EXACT.assign(won=["8", *EXACT["won"][1:]]).assign(win_rate=[1, *EXACT["win_rate"][1:]])
    raw = played(exact, games=10)
    assert exact_test(join_exact(raw, exact))["impossible"].tolist() == [0]
    wins = [9, *raw["wins"][1:]]
    low, high = wilson(wins, 10)
    raw = raw.assign(wins=wins, win_rate=np.array(wins) / 10, win_rate_low=low, win_rate_high=high)
    test = exact_test(join_exact(raw, exact))
    assert (test["impossible"].tolist(), test["p_value"].tolist()) == ([1], [0])
    with pytest.raises(InputError, match="1 rows are impossible"):
        require_agreement(test)


@pytest.mark.campaign
@pytest.mark.parametrize("games", [300, 1000])
def test_false_alarms_are_as_many_as_stated(games) -> None:
    """Of 1,000 tables at 2 %: 20 +- 4.4, and by a chance of 3e-6 not in 4 .. 45."""
    exact = pd.concat([counted(b) for b in ("3x3", "3x4", "4x4")], ignore_index=True)
    both = join_exact(played(exact, games=games), exact)
    rng = np.random.default_rng(7)
    wins = rng.binomial(games, both["win_rate"], (1000, len(both)))
    p_values = [exact_test(both.assign(wins=own))["p_value"].item() for own in wins]
    assert 4 <= sum(p < 0.02 for p in p_values) <= 45
    wrong = [exact_test(both.assign(wins=own // 10 * 9))["p_value"].item() for own in wins[:20]]
    assert max(wrong) < ALARM
