"""What is written does not depend on rounding errors, which differ from CPU to CPU."""

from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from msdensity.files.tables import read_table, rounded, write_table
from msdensity.stats.columns import EXTRAPOLATION_COLUMNS, FIT_COLUMNS, SERIES_COLUMNS
from msdensity.stats.hyperbola import extrapolation_table
from msdensity.stats.logistic import fit_critical_density, fits_table
from msdensity.stats.series import fit_series, series_table
from msdensity.studies.tables import ROOMS
from sizes import sizes

EXACT = {"density", "win_rate", "win_rate_corrected", "P_published", "a"}
"""Quotients of whole numbers, printed numbers, and the coefficients of `stats.series`."""


def written(folder, table, columns) -> bytes:
    write_table(folder / "t.csv", table, columns)
    return (folder / "t.csv").read_bytes()


def test_only_numbers_that_are_the_same_on_every_cpu_keep_all_digits():
    for room in ROOMS:
        for table, columns in import_module(f"msdensity.{room}.columns").TABLES.items():
            exact = {name for name, column in columns.items() if column.exact}
            own = {
                "published": {"P"},
                "printed": {"P"},
                "points": {"x"},
                "strips_exact": {"exact"},
                "relations": {"W", "P"},
            }.get(table, set())
            assert exact <= EXACT | own, (room, table)
            assert ("a" in exact) is (table == "series")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.21456789, "0.214568"), (123456.7, "123457.0"), (-3e-13, "0.0"), (1e-9 / 3, "3.33333e-10")],
)
def test_a_number_has_six_digits(value, text):
    assert repr(rounded(value)) == text
    assert repr(rounded(value * (1 + 1e-12))) == text
    assert np.isnan(rounded(np.nan))
    assert rounded(3e-20, noise=0) == 3e-20


def curve(board: str, wins, shift: float = 0.0) -> pd.DataFrame:
    """Return corrected win rates of 300 games; shift: of every density, in units of itself."""
    p, q = map(int, board.split("x"))
    mines = np.arange(1, p * q)
    rate = np.asarray(wins) / 300
    table = pd.DataFrame({"mines": mines, "density": mines / (p * q) * (1 + shift)})
    table = table.assign(board=board, p=p, q=q, player="weighted", first_click="corner")
    table = table.assign(start="safe", seed=1, wins=wins, games=300, win_rate_corrected=rate)
    return table.astype({"p": "Int64", "q": "Int64"})


CURVES = {
    "1x2": [300],
    "1x3": [300, 300],
    "1x4": [300, 210, 300],
    "2x2": [210, 200, 210],
    "1x6": [280, 220, 150, 100, 60],
    "2x4": [200, 120, 60, 20, 10, 4, 0],
    "3x3": [290, 240, 150, 90, 40, 12, 3, 0],
    "4x4": [298, 290, 260, 210, 140, 80, 33, 12, 4, 1, 0, 0, 0, 0, 0],
    # From 1 to 0 at once, and with one point between: many curves fit.
    "1x8": [300, 300, 300, 0, 0, 0, 0],
    "1x9": [300, 300, 300, 100, 0, 0, 0, 0],
}


@pytest.mark.parametrize(
    ("boards", "shifts"),
    sizes((["1x2", "1x6", "3x3"], [0, 5e-16]), ([*CURVES], [0, 2e-16, -2e-16, 5e-16])),
)
def test_a_rounding_error_of_the_densities_changes_no_byte_of_the_fits(tmp_path, boards, shifts):
    whole = [
        fits_table(pd.concat([curve(name, CURVES[name], shift) for name in boards]), 20)
        for shift in shifts
    ]
    files = {written(tmp_path, fits, FIT_COLUMNS) for fits in whole}
    assert len(files) == 1
    rows = read_table(tmp_path / "t.csv", FIT_COLUMNS).set_index("board")
    assert rows.loc["1x2", "P"] == 1 and np.isnan(rows.loc["1x2", "Q"])
    assert rows.loc[["1x6", "3x3"], ["b", "L", "k", "Q", "P", "Q_sd"]].notna().all(axis=None)
    # A change of the last written digit is one.
    assert written(tmp_path, whole[0].assign(Q=whole[0]["Q"] * 1.00001), FIT_COLUMNS) not in files


def test_what_the_points_do_not_determine_is_left_empty():
    curves = [curve(name, CURVES[name]) for name in ("1x3", "1x4", "2x2", "1x8", "1x9")]
    rows = fits_table(pd.concat(curves), 3).set_index("board")
    assert rows[["b", "L", "k", "Q", "Q_sd", "Q_low", "Q_high"]].isna().all(axis=None)
    assert (rows.loc[["1x3", "1x4"], "P"] == 1).all() and set(rows["at_bound"]) == {""}
    assert rows.loc[["1x8", "1x9"], "P"].isna().all()
    assert "P is not determined" in rows.loc["1x9", "note"]
    assert "every Q between the densities 0.375 and 0.5 fits" in rows.loc["1x8", "note"]


def test_the_fit_is_a_minimum_to_rounding():
    own = curve("3x3", CURVES["3x3"])
    x, y = np.r_[0, own["density"], 1], np.r_[1, own["win_rate_corrected"], 0]
    fit = fit_critical_density(own, replicates=0)
    steps = np.eye(4) * 1e-6
    sums = [[np.sum((fit.model.rates(x, fit.parameters + s) - y) ** 2) for s in (a, -a)]
            for a in steps]  # fmt: skip
    slopes = [(up - down) / 2e-6 for up, down in sums]
    assert fit.determined and np.abs(slopes).max() < 1e-9


def test_the_coefficients_of_ten_terms_do_not_depend_on_rounding(tmp_path):
    q = np.arange(5, 61, dtype=float)
    P = np.round(1.3 * q**-0.55, 6)
    a = fit_series(q, P, 10).a
    # By numpy the last coefficients have eight digits.
    near = np.linalg.lstsq(np.vander(5 / q, 10, increasing=True), P, rcond=None)[0]
    np.testing.assert_allclose(a / 5.0 ** np.arange(10), near, rtol=1e-5)
    turned = fit_series(q[::-1], P[::-1], 10)  # sums in another order
    assert turned.a.tolist() == a.tolist()
    fits = pd.DataFrame({"board": [f"1x{int(n)}" for n in q], "p": 1, "q": q, "P": P})
    fits = fits.assign(player="weighted", Q_sd=0.001).astype({"p": "Int64", "q": "Int64"})
    table = series_table(fits)
    assert written(tmp_path, table, SERIES_COLUMNS) == written(
        tmp_path, series_table(fits.iloc[::-1]), SERIES_COLUMNS
    )
    assert read_table(tmp_path / "t.csv", SERIES_COLUMNS)["a"].tolist() == table["a"].tolist()


def test_the_extrapolation_does_not_depend_on_rounding(tmp_path):
    q = np.arange(3, 9)
    P = 0.3 / (q + 0.4) + 0.17 + 0.0002 * np.array([1, -1, 0, 1, 0, -1])
    files = set()
    for shift in (0, 3e-16):
        fits = pd.DataFrame({"board": [f"{n}x{n}" for n in q], "p": q, "q": q})
        fits = fits.assign(P=P * (1 + shift), player="weighted").astype(
            {"p": "Int64", "q": "Int64"}
        )
        files.add(written(tmp_path, extrapolation_table(fits), EXTRAPOLATION_COLUMNS))
    assert len(files) == 1
