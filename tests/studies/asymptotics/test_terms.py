"""The regressions: data made by the law give back its coefficients, shuffled sizes do not."""

import warnings

import numpy as np
import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.stats.law import law_terms, minus_log_win_rate
from msdensity.stats.loglink import fit_log_link
from msdensity.studies.asymptotics.fixed_density import fit_fixed_density
from msdensity.studies.asymptotics.terms import LAW_COLUMNS, POWER, REJECTED, fit_law, scan_law

SIDES = (16, 24, 32, 48, 64, 96, 128)
TORUS_SIDES = (16, 22, 32, 50, 64, 98, 128)
"""No multiples of 3, which have lines around them."""

DENSITIES = (0.06, 0.08, 0.1, 0.11, 0.125)


NEXT = {"wall": 33.0, "corner_next": 8.0, "edge_next": -1.0}
"""Some coefficients of the next orders, for tests that need a truth."""


def boards(starts=("corner", "zero"), topology="square8", extra=(), games=40_000):
    """Return a table of boards, LAW_COLUMNS but for wins, and W by the leading law.

    extra: names of NEXT, of further orders.
    """
    rows, rate = [], []
    for start in starts:
        for q in SIDES if topology == "square8" else TORUS_SIDES:
            for density in DENSITIES:
                rho = int(density * q * q) / q**2
                rows.append((q, q, topology, start, rho, games))
                terms = law_terms((q, q), rho, start, topology, next_orders=True)
                further = sum(NEXT[name] * terms[name] for name in extra)
                law = minus_log_win_rate((q, q), rho, start, topology, next_orders=False)
                rate.append(law + further)
    return pd.DataFrame(rows, columns=list(LAW_COLUMNS[:-1])), np.exp(-np.array(rate))


def drawn(rng, table, rate):
    return table.assign(wins=rng.binomial(table["games"], rate))


def hits(share, runs):
    """4.4 standard deviations of a share of hits: a false alarm of 1e-5."""
    return pytest.approx(share, abs=4.4 * np.sqrt(share * (1 - share) / runs))


@pytest.mark.statistical
def test_the_law_comes_back_at_the_stated_rate_and_shuffled_sizes_never():
    rng, runs = np.random.default_rng(20250301), 200
    table, rate = boards()
    inside, deviance, agreement = [], [], []
    for run in range(runs):
        data = drawn(rng, table, rate)
        fit = fit_law(data)
        inside.append(np.abs(fit.z) < 1.96)
        deviance.append(fit.p_value > 0.05)
        agreement.append(fit.agreement > 0.05)
        if run < 20:
            order = rng.permutation(len(data))
            data[["p", "q"]] = data[["p", "q"]].to_numpy()[order]
            shuffled = fit_law(data)
            assert shuffled.p_value < 1e-6 and shuffled.agreement < 1e-6
            assert "these terms alone are rejected" in shuffled.report()
    assert np.mean(inside, axis=0) == hits(0.95, runs)
    assert np.mean(deviance) == hits(0.95, runs)
    assert np.mean(agreement) == hits(0.95, runs)
    assert fit.terms == ("start", "corner", "edge", "bulk") and fit.df == 66
    assert fit.errors["edge"] < 0.05 and fit.errors["bulk"] < 0.1  # edge to 2.5 %, bulk to 10 %


@pytest.mark.statistical
def test_next_orders_are_seen_where_they_are():
    rng = np.random.default_rng(20250302)
    data = drawn(rng, *boards(extra=NEXT))
    without, fit = fit_law(data), fit_law(data, next_orders=True)
    assert without.agreement < 1e-6  # the corner takes up the order above it
    # Nine z of a right fit beyond 4.5, and a p below 1e-5: false alarms of 6e-5 and 1e-5.
    true = [NEXT.get(name, law) for name, law in zip(fit.terms, fit.law, strict=True)]
    away = np.abs(fit.regression.b - np.nan_to_num(true, nan=0.0))
    assert (away < 4.5 * np.array([*fit.errors.values()])).all() and fit.p_value > 1e-5
    # The law's next orders are others, and rejected.
    assert not np.isnan(fit.z).any() and fit.agreement < 1e-5
    assert "corner_next: " in fit.report() and "law -2, z = " in fit.report()
    # The next orders take up what the first ones say.
    assert fit.condition > 5 * without.condition > 10


@pytest.mark.statistical
def test_a_law_off_by_what_is_detectable_is_rejected_at_the_stated_rate():
    rng, runs = np.random.default_rng(20250306), 200
    table, rate = boards(("zero",))
    off = fit_law(table.assign(wins=rate * table["games"])).detectable
    rejected = {
        scale: np.mean(
            [fit_law(drawn(rng, table, rate**scale)).agreement < REJECTED for _ in range(runs)]
        )
        for scale in (1 + off, 1 + off / 2)
    }
    assert rejected[1 + off] == hits(POWER, runs)
    assert rejected[1 + off / 2] < POWER - 4.4 * np.sqrt(POWER * (1 - POWER) / runs)


def test_the_test_without_the_start_leaves_a_wrong_start_alone():
    table, rate = boards(games=10**7)
    start = [
        law_terms((row.p, row.q), row.density, row.start)["start"] for row in table.itertuples()
    ]
    for extra, agree in ((0.2 * np.array(start), True), (0.2 * table["density"] ** 3, False)):
        fit = fit_law(table.assign(wins=table["games"] * rate * np.exp(-extra)))
        assert fit.agreement < 1e-6 and (fit.agreement_of_size > 0.9) == agree


def test_the_condition_of_terms_that_do_not_overlap_is_1():
    table, _ = boards(("zero",), "torus8")
    assert fit_law(table.assign(wins=table["games"] - 9)).condition == pytest.approx(1)


@pytest.mark.statistical
def test_a_torus_has_a_bulk_only_and_effective_games_will_do():
    rng = np.random.default_rng(20250303)
    table, rate = boards(("zero",), "torus8")
    fit = fit_law(drawn(rng, table, rate))
    assert fit.terms == ("bulk",) and abs(fit.z[0]) < 4.4
    half = table.assign(games=table["games"] / 2.5, wins=rate * table["games"] / 2.5)
    assert [*fit_law(half).values.values()] == pytest.approx([1])


def test_the_scan_has_a_row_a_limit_and_term():
    table, rate = boards(games=10**9)
    data = table.assign(wins=np.round(rate * table["games"]))
    scan = scan_law(data, (0.05, 0.1, 0.125), (16, 32))
    assert scan.groupby(["highest_density", "smallest_side"]).size().to_dict() == {
        (0.1, 16): 4,
        (0.1, 32): 4,
        (0.125, 16): 4,
        (0.125, 32): 4,
    }
    assert scan["value"].to_numpy() == pytest.approx(scan["law"].to_numpy(), rel=1e-2)
    # Fewer rows, larger errors.
    edge = scan[scan["term"] == "edge"].set_index(["highest_density", "smallest_side"])["error"]
    assert edge[0.125, 16] < edge[0.1, 16] < edge[0.1, 32]


@pytest.mark.parametrize("seed", range(20))
def test_the_log_link_keeps_to_its_domain(seed):
    # Few games, some all won: an ordinary iteration runs out of X b > 0 on such data.
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 1, (30, 2)) ** 4
    games = np.full(30, 20.0)
    wins = rng.binomial(20, np.exp(-x @ [0.5, 0.02])).astype(float)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = fit_log_link(x, wins, games, np.array([1.0, 1.0]))
    if fit.converged:
        assert (x @ fit.b > 0).all() and np.isfinite(fit.covariance).all()
        ends = [  # a maximum: every way from it goes down
            -wins @ (x @ b) + (games - wins) @ np.log(-np.expm1(-x @ b))
            for b in (fit.b, fit.b * [1.05, 1], fit.b * [0.95, 1], fit.b * [1, 1.05])
        ]
        assert ends[0] == max(ends)
    else:
        assert np.isnan(fit.b).all()


@pytest.mark.parametrize("wins", [[0, 0, 0], [50, 40, 0], [100, 100, 60]])
def test_a_term_whose_rows_have_no_win_or_no_loss_has_no_fit(wins):
    columns = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    games, start = np.full(3, 100.0), np.array([1.0, 1.0])
    fit = fit_log_link(columns, np.array(wins, float), games, start)
    assert not fit.converged and np.isnan(fit.b).all() and "no fit" in fit.report()
    both = fit_log_link(columns, np.array([50.0, 40.0, 1.0]), games, start)
    assert both.converged and both.b[1] == pytest.approx(np.log(100))


def test_rows_that_determine_nothing_are_no_error():
    table, rate = boards(("zero",))
    fit = fit_law(table.assign(wins=table["games"] * rate).iloc[:2])
    assert not fit.converged and np.isnan([*fit.values.values()]).all() and np.isnan(fit.agreement)
    assert "no fit: 2 rows do not determine 3 coefficients" in fit.report()
    won = fit_law(table.assign(wins=table["games"]))
    assert not won.converged and "no fit" in won.report()


@pytest.mark.statistical
@pytest.mark.parametrize(("start", "topology"), [("corner", "square8"), ("zero", "torus8")])
def test_at_one_density_the_win_rate_falls_with_the_side(start, topology):
    rng = np.random.default_rng(20250304)
    bordered = topology == "square8"  # a torus is fitted without its start
    q = np.array([16, 24, 32, 48, 64, 96, 128])
    mines = np.round(0.15 * q**2)
    law = [
        float(minus_log_win_rate((n, n), m / n**2, start, topology, next_orders=bordered))
        for n, m in zip(q, mines, strict=True)
    ]
    wins = rng.binomial(40_000, np.exp(-np.array(law)))
    fit = fit_fixed_density(0.15, q, mines, wins, np.full(7, 40_000), start, topology)
    assert [*fit.values] == (["C"] if topology == "torus8" else ["A", "B", "C"])
    assert (np.abs(fit.z) < 4.5).all() and fit.p_value > 1e-5  # false alarms of 2e-5 and 1e-5
    assert fit.values["C"] > 5 * fit.errors["C"]
    exact = minus_log_win_rate((64, 64), 0.15, start, topology, next_orders=bordered)
    assert -np.log(fit.predict(64)) == pytest.approx(float(exact), rel=0.05)
    assert fit.law[-1] == pytest.approx(0.15**6)


@pytest.mark.statistical
def test_a_torus_with_walled_in_starts_needs_their_term():
    rng = np.random.default_rng(20250307)
    q, rho = np.array([16, 22, 32, 44, 64, 128]), 0.12
    games = np.full(len(q), 120_000)
    mines = np.round(rho * q**2)
    cost = 69 * (mines / q**2) ** 5 + q**2 * (mines / q**2) ** 6
    data = (q, mines, rng.binomial(games, np.exp(-cost)), games, "zero", "torus8")
    fit = fit_fixed_density(rho, *data, walled_in=True)
    assert [*fit.values] == ["A", "C"] and fit.law[0] == pytest.approx(69 * rho**5)
    assert (np.abs(fit.z) < 4.5).all() and fit.p_value > 1e-5  # false alarms of 1e-5 each
    without = fit_fixed_density(rho, *data)
    assert without.p_value < 1e-5 and without.z[0] > 4.5  # the bulk takes it up


def test_wrong_input_is_named():
    table, rate = boards()
    data = table.assign(wins=table["games"] * rate)
    with pytest.raises(InputError, match="table lacks column 'start'"):
        fit_law(data.drop(columns="start"))
    with pytest.raises(InputError, match="must leave at least one row"):
        fit_law(data, smallest_side=1000)
    with pytest.raises(InputError, match="start='safe' must be one of"):
        fit_law(data.assign(start="safe"))
    with pytest.raises(InputError, match=r"wins must be in 0\.\.games"):
        fit_law(data.assign(wins=data["games"] + 1))
    with pytest.raises(InputError, match=r"mines=10 on q=16 must be within 10 %"):
        fit_fixed_density(0.15, [16], [10], [1], [2])
    with pytest.raises(InputError, match="must have one shape"):
        fit_fixed_density(0.15, [16, 32], [38], [1], [2])
