"""The study of topologies: its games against another program's, its tables, page and settings."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.names import WRAPPED
from msdensity.runs.plan import plan_of
from msdensity.stats.lattice_law import (
    SMALLEST_SIDE,
    expected_walled_in,
    lattice_law,
    lattice_rho50,
    lattice_terms,
)
from msdensity.stats.law import walled_in_share
from msdensity.studies.plot import save_figure
from msdensity.studies.topologies.columns import HALF_COLUMNS, POINT_COLUMNS
from msdensity.studies.topologies.figures import FIGURES
from msdensity.studies.topologies.halves import bulk_power, exponent_table, half_tables
from msdensity.studies.topologies.law import law_tables, law_test_table, law_with, rise_table
from msdensity.studies.topologies.limits import limit_table
from msdensity.studies.topologies.page import _joint, _rivals_left, _together, facts, page
from msdensity.studies.topologies.play import play_halves, play_law
from msdensity.studies.topologies.settings import LAW_SIDE, load_settings
from msdensity.studies.topologies.workloads import workloads
from places import DATA, ROOT

SMALL = {
    "study": "topologies",
    "seed": 4,
    "boards": {
        "square8": {10: 0.1, 12: 0.1, 20: 0.1},
        "torus4": {10: 0.1, 12: 0.1, 16: 0.1, 20: 0.1},
        "cubic6": {4: 0.1, 6: 0.1},
    },
    "fits_from": [10],
    "law": {"torus4": {"games": {10: 300, 20: 200}, "minus_log": [0.1, 0.2, 0.4]}},
}
SETTINGS = load_settings(SMALL)
CUBE = "6x6x6-cubic6"
COUNTS = pd.read_csv(DATA / "topologies/counts.csv")


@pytest.mark.parametrize("row", COUNTS.to_dict("records"), ids=lambda row: row["board"])
def test_games_end_as_another_program_says(row: dict) -> None:
    """In integers: the same seed, board and number of mines."""
    start = Rules(row["first_click"], row["start"])
    task = Task(Board(row["board"]), row["mines"], rules=start, seed=row["seed"])
    wanted = {name: row[name] for name in COUNTS.columns[6:]}
    assert {name: n for name, n in play_batch(task, 0, row["games"]).items() if name in wanted} == (
        wanted
    )
    other = play_batch(replace(task, seed=8), 0, 100)
    assert other != play_batch(task, 0, 100)  # another seed is noticed


# ---- curves of rho50


def halves(topology: str, sides: list[int], rho50: np.ndarray, share: float) -> pd.DataFrame:
    axes = 3 if topology.startswith("cubic") else 2
    table = pd.DataFrame({"side": sides, "rho50": rho50, "rho50_se": share * rho50})
    return table.assign(
        topology=topology,
        cells=table["side"] ** axes,
        board=[f"{'x'.join([str(q)] * axes)}-{topology}" for q in sides],
        law=[lattice_rho50((q,) * axes, topology) for q in sides],
        approximate=0.0,
    ).reindex(columns=[*HALF_COLUMNS])


SIDES = [32, 44, 64, 88, 128, 176, 256, 352, 512]


def test_curves_with_a_limit_and_without_are_told_apart() -> None:
    n = np.array(SIDES, float) ** 2
    rng = np.random.default_rng(1)
    noise = 1 + 0.002 * rng.standard_normal(len(n))
    law = np.array([lattice_rho50((q, q), "torus8") for q in SIDES])
    table = pd.concat(
        [
            halves("torus8", SIDES, law * noise, 0.002),
            halves("square8", SIDES, (0.1 + n**-0.25) * noise, 0.002),
        ]
    )
    limits = limit_table(table, [32]).set_index(["topology", "model"])
    right = limits.loc["torus8", "law exp(d rho + e rho²)"]
    assert right["p_value"] > 1e-3 and right["limit"] != right["limit"]
    wrong = limits.loc["square8", "a n^-s"]
    assert wrong["p_value"] < 1e-6
    found = limits.loc["square8", "c + a n^-s"]
    assert found["p_value"] > 1e-3
    assert abs(found["limit"] - 0.1) < 4 * found["limit_se"] and found["limit_se"] < 0.02
    assert abs(found["exponent"] - 0.25) < 4 * found["exponent_se"]
    assert not len(limit_table(table, [513]))
    again = limit_table(table, [32, 128])
    assert (again["smallest"].value_counts() == 8).all()
    assert (again.loc[again["smallest"] == 128, "points"] == 5).all()


def test_local_exponents_of_the_law_approach_1_over_k() -> None:
    sides = [64, 128, 256, 512]
    rho50 = np.array([lattice_rho50((q, q), "torus8") for q in sides])
    table = exponent_table(halves("torus8", sides, rho50, 0.001))
    assert table["exponent"].to_numpy() == pytest.approx(table["law"].to_numpy(), rel=1e-9)
    assert table["exponent"].iloc[-1] == pytest.approx(1 / 6, rel=1e-3)
    assert (table["limit"] == 1 / 6).all()
    assert table["exponent_se"].iloc[0] == pytest.approx(0.001 * np.sqrt(2) / np.log(4))
    powers = {"triangle3": 4, "square4": 5, "square8": 6, "hexagonal": 7, "triangle12": 7}
    powers |= {"cubic6": 7, "knight": 9, "cubic26": 12}
    assert {name: bulk_power(name) for name in powers} == powers


# ---- the law at low density


def points(topology: str, factor: float, slope: float = 0.0) -> pd.DataFrame:
    rows = []
    rng = np.random.default_rng(2)
    for side in (64, 128):
        for rho in (0.045, 0.055, 0.065, 0.075):
            law = float(lattice_law((side, side), rho, topology, next_orders=True))
            error = 0.03 * law
            row = {"side": side, "cells": side**2, "mines": round(rho * side**2), "x_se": error}
            row |= {"x": law * factor * (1 + slope * rho) + error * rng.standard_normal()}
            row |= {"density": rho, "law": law, "law_next": law}
            row |= {f"law_{n}": law_with((side, side), rho, topology, u) for n, u in SHARES.items()}
            rows.append(row | {"ratio": row["x"] / law, "ratio_se": error / law})
    return pd.DataFrame(rows).assign(topology=topology).reindex(columns=[*POINT_COLUMNS])


SHARES = {"never": 0.0, "always": 1.0}


def test_the_joint_test_knows_the_law_from_its_rivals() -> None:
    tests = law_test_table(points("torus_triangle3", 1.0)).set_index("model")
    assert tests.loc["leading", "p_value"] > 1e-3
    assert (tests.loc[["never", "always"], "p_value"] < 1e-9).all()
    assert "next" not in tests.index  # the same as the leading terms here
    found = tests.loc["leading", "detectable"]
    assert 0.01 < found < 0.1
    # A law that is off by twice what would be found is rejected.
    off = law_test_table(points("torus_triangle3", 1 + 2 * found)).set_index("model")
    assert off.loc["leading", "p_value"] < 1e-3


def test_a_correction_that_vanishes_with_the_density_leaves_the_intercept_at_1() -> None:
    for factor in (1.0, 1.6):
        line = law_test_table(points("torus4", factor, 3.0)).set_index("model").loc["line"]
        assert abs(line["intercept"] - factor) < 3.29 * line["intercept_se"]
        assert (abs(line["intercept"] - 1) < 3.29 * line["intercept_se"]) == (factor == 1)


@pytest.mark.parametrize("topology", [*WRAPPED, *WRAPPED.values()])
def test_the_law_with_its_own_share_is_the_law(topology: str) -> None:
    shape, rho = (64, 64), 0.08
    u = float(walled_in_share([expected_walled_in(shape, rho, topology)])[0])
    assert law_with(shape, rho, topology, u) == pytest.approx(
        float(lattice_law(shape, rho, topology, next_orders=True, lines=False)), rel=1e-12
    )
    has_share = any(term.U for term in lattice_terms(topology))
    assert (law_with(shape, rho, topology, 0) < law_with(shape, rho, topology, 1)) == has_share


def test_a_rise_compares_one_density_on_the_smallest_and_the_largest_board() -> None:
    rises = rise_table(points("torus4", 1.0))
    assert (rises["small"] == 64).all() and (rises["large"] == 128).all() and len(rises) == 4
    assert (rises["z"] > 10).all()
    apart = points("torus4", 1.0)
    apart.loc[apart["side"] == 64, "density"] += 0.001
    assert not len(rise_table(apart))


# ---- the whole study


@pytest.fixture(scope="module")
def tables(tmp_path_factory) -> dict[str, pd.DataFrame]:
    folder = str(tmp_path_factory.mktemp("ledgers"))
    games = [play_halves(SETTINGS, part, folder).table for part in SETTINGS.parts()]
    law = [play_law(SETTINGS, topology, folder + "/law").table for topology in SETTINGS.law]
    made = half_tables(pd.concat(games, ignore_index=True), SETTINGS)
    return made | law_tables(pd.concat(law, ignore_index=True))


def test_every_board_has_a_density_near_its_error(tables: dict) -> None:
    found = tables["halves"].set_index("board")
    assert set(found.index) == {
        *("10x10", "12x12", "20x20", "4x4x4-cubic6", "6x6x6-cubic6"),
        *(f"{q}x{q}-torus4" for q in (10, 12, 16, 20)),
    }
    assert (found["rho50_se"] < 0.2 * found["rho50"]).all()
    assert not found["approximate"].any()
    assert np.isnan(found.loc["4x4x4-cubic6", "law"])
    assert tables["exponents"][["topology", "side"]].to_numpy().tolist() == [
        ["square8", 10],
        ["torus4", 10],
    ]
    assert len(tables["points"]) == 6
    assert set(tables["limits"]["topology"]) == {"square8", "torus4"}


def test_the_page_says_what_the_tables_say(tables: dict, tmp_path) -> None:
    files = {}
    for name, draw in FIGURES.items():
        wanted = draw.__wrapped__.__code__.co_varnames[: draw.__wrapped__.__code__.co_argcount]
        files[name] = tmp_path / f"{name}.png"
        save_figure(draw(*(tables[table] for table in wanted)), files[name])
    text = page(tables, SETTINGS, files)
    assert "6x6x6 (z = " in text and "No exact results" not in text
    half = tables["halves"].assign(approximate=0.4 * (tables["halves"]["board"] == CUBE))
    text = page(tables | {"halves": half}, SETTINGS, files)
    assert "No exact results" in text and f"{CUBE} (40 % of the games approximate)" in text
    assert "6x6x6 (z = " not in text  # it enters no statement
    known = facts(tables, SETTINGS)
    assert known["topologies"] == 2
    # If no density falls, the page does not say so.
    flat = tables["halves"].assign(rho50=0.2, rho50_se=0.01)
    other = facts(tables | {"halves": flat}, SETTINGS)
    assert other["falling"] == 0
    finding = page.finding(tables | {"halves": flat}, SETTINGS)
    assert "on any of" not in finding


def test_a_plan_counts_what_ledgers_hold(tmp_path) -> None:
    some = load_settings(SMALL | {"boards": {"square8": {10: 0.3}}})
    works = workloads(some, tmp_path)
    assert {work.part for work in works} == {"rho50", "law"}
    assert any(work.estimate for work in works)
    play_halves(some, "square8.small", str(tmp_path / "ledger/rho50"))
    play_law(some, "torus4", str(tmp_path / "ledger/law"))
    after = workloads(some, tmp_path)
    assert not any(work.estimate for work in after)
    assert all(cost.games == 0 for cost in plan_of(after).costs)


WRONG = [
    ({"boards": {"torus4": {10: 0.1}}}, "boards must have square8"),
    ({"boards": {"square8": {10: 1.5}}}, "must be a number between 0 and 1"),
    ({"boards": {"box": {10: 0.1}}}, "box"),
    (
        {"boards": {"square8": {10: 0.1}, "torus_triangle3": {11: 0.1}}},
        "board=11x11-torus_triangle3 must have even sides",
    ),
    ({"law": {"torus4": {"games": {10: 5}, "minus_log": [0.1, 0.2]}}}, "must have 2 values"),
    ({"fits_from": [3]}, "must be a whole number in 4..4096"),
    ({"sedd": 3}, "unknown key 'sedd'"),
]


@pytest.mark.parametrize("change,message", WRONG)
def test_a_mistake_in_the_settings_is_one_line(change: dict, message: str) -> None:
    with pytest.raises(InputError) as raised:
        load_settings(SMALL | change)
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_the_boards_of_the_repository_have_no_cheap_lines_across() -> None:
    """A line of p cells across a board costs (p + 1)/3 mines, and p/3 around a torus."""
    assert LAW_SIDE == SMALLEST_SIDE
    settings = load_settings(ROOT / "workflow/config/topologies.yaml")
    assert set(settings.boards) >= {*WRAPPED, *WRAPPED.values(), "cubic6", "cubic26"}
    for side in settings.boards["square8"]:
        assert side % 3 != 2 or (side + 1) / 3 > 10
    for side in settings.boards["torus8"]:
        assert side % 3 != 0
    assert all(side % 3 != 2 for side in settings.boards["cubic26"])


def test_no_rival_is_left_where_all_are_rejected() -> None:
    rivals = pd.DataFrame(
        {"topology": ["torus4"] * 2, "model": ["never", "always"], "p_value": [1e-9, 1e-8]}
    )
    assert _rivals_left(rivals) == []
    (left,) = _rivals_left(rivals.assign(p_value=[1e-9, 0.2]))
    assert (left.topology, left.model) == ("torus4", "all, u = 1")


def test_several_lattices_are_judged_together() -> None:
    known = pd.DataFrame(
        {
            "topology": ["square8", "square4", "square4", "knight"],
            "model": ["leading", "leading", "next", "leading"],
            "chi2": [10.0, 99.0, 12.0, 500.0],
            "df": [9, 8, 8, 7],
        }
    )
    found = _joint(known, ["square8", "square4"])
    assert (found["chi2"], found["df"]) == (22.0, 17)
    assert found["p_value"] == pytest.approx(chi2.sf(22, 17))
    assert _together([1.0, 1.0, 1.0, 1.0]) == 2
