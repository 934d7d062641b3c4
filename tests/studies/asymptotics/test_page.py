"""Large boards from the games to the page, on a few small boards."""

import re
import shutil
from inspect import signature
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from msdensity.errors import InputError
from msdensity.files.tables import read_table, write_table
from msdensity.games.boards import Board
from msdensity.stats.rho50.reduced import require_right_safeties
from msdensity.studies.asymptotics import (
    conditional,
    low_density,
    results,
    rivals,
    strips,
    whole_law,
)
from msdensity.studies.asymptotics.columns import POINT_COLUMNS, TABLES
from msdensity.studies.asymptotics.cost import games_of, plan_table, report_plan
from msdensity.studies.asymptotics.figures import FIGURES
from msdensity.studies.asymptotics.page import facts, page
from msdensity.studies.asymptotics.play import (
    pilot,
    play_conditional,
    play_curves,
    play_listing,
    play_low_density,
    play_pilots,
    play_rho50,
    sweep,
)
from msdensity.studies.asymptotics.results import joined_tables
from msdensity.studies.asymptotics.settings import PILOT_SEED, Entry, Precision, load_settings
from msdensity.studies.page import pm
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from msdensity.studies.plot import save_figure
from places import ROOT
from repository import PAPER, copy_of, jobs, snakemake

pytestmark = pytest.mark.campaign  # all of the study is played, which takes 20 seconds

TINY = yaml.safe_load((ROOT / "workflow/config/smoke_asymptotics.yaml").read_text()) | {"seed": 7}

RESULTS = {
    "rho50": results.rho50_and_law_table,
    "critical": results.critical_table,
    "whole_law": whole_law.whole_law_table,
    "glm": low_density.glm_table,
    "fixed": low_density.fixed_table,
    "rises": low_density.rise_table,
    "guesses": low_density.guess_table,
    "conditional": conditional.conditional_table,
    "models": rivals.models_table,
    "exponents": rivals.exponents_table,
    "published": rivals.published_table,
    "aspect": results.aspect_table,
    "strips": strips.strips_table,
    "strips_exact": strips.exact_table,
    "strips_published": strips.published_strips_table,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return (study, folder, points, games by kind, tables): all of the study played."""
    folder = tmp_path_factory.mktemp("asymptotics")
    study = load_settings(TINY)
    points = pd.concat(
        [play_pilots(study, part, folder / "pilot").table for part in study.parts()],
        ignore_index=True,
    )
    swept = [play_rho50(study, part, points, folder / "rho50").table for part in study.parts()]
    low = [play_low_density(study, part, folder / "low").table for part in study.density_parts()]
    curves = [play_curves(study, part, folder / "curves").table for part in study.curve_parts()]
    played = joined_tables(*(pd.concat(kind, ignore_index=True) for kind in (swept, low, curves)))
    tables = {"points": points, "plan": plan_table(points, study)}
    weights = [play_conditional(study, part, folder / "w").table for part in study.density_parts()]
    tables["conditional_games"] = pd.concat(weights, ignore_index=True)
    tables["printed"] = read_table(ROOT / "data/published/table_b2.csv", PUBLISHED_COLUMNS)

    def keep(name: str, table: pd.DataFrame) -> None:
        write_table(folder / f"{name}.csv", table, TABLES[name])
        tables[name] = read_table(folder / f"{name}.csv", TABLES[name])

    for name in ("win_rates", "low_density", "curves", "safeties"):
        keep(name, played[name])
    listing = [play_listing(study, part, folder / "listing") for part in study.listing_parts()]
    keep("listing", results.joined_listing(pd.concat([each.table for each in listing])))
    for name, function in RESULTS.items():
        wanted = signature(function).parameters
        given = {table: tables[table] for table in wanted if table in tables}
        keep(name, function(**given, **({"settings": study} if "settings" in wanted else {})))
    games = {kind: tables[kind] for kind in ("win_rates", "low_density", "curves")}
    return study, folder, points, games, tables


def test_the_pilot_brackets_half_the_games_and_stays_out(made) -> None:
    study, folder, points, games, _ = made
    assert list(points.columns) == list(POINT_COLUMNS)
    for entry in study.entries:
        own = games["win_rates"]
        own = own[(own["board"] == entry.board.name) & (own["rule"] == entry.rule)]
        assert own["win_rate"].max() > 0.4 and own["win_rate"].min() < 0.6
        assert 2 <= len(own) <= 9 and own["games"].min() >= 100
    assert set(games["win_rates"]["seed"]) == {7}
    assert set(games["low_density"]["seed"]) == {9} and set(games["curves"]["seed"]) == {10}
    # again: nothing is played, and the same comes out
    entry = study.entries[4]
    ledger = folder / "pilot" / f"{entry.name}.csv"
    before = ledger.read_bytes(), ledger.stat().st_mtime_ns
    again = pilot(entry, 7 + PILOT_SEED, 100, folder / "pilot").table
    assert (
        again["mines"].tolist()
        == points[points["board"] == entry.board.name]
        .loc[points["rule"] == entry.rule, "mines"]
        .tolist()
    )
    assert before == (ledger.read_bytes(), ledger.stat().st_mtime_ns)


def test_a_smaller_error_plays_only_the_missing_games(made, tmp_path) -> None:
    study, folder, points, games, _ = made
    entry = Entry(Board((8, 8)), "corner")
    shutil.copytree(folder / "rho50", tmp_path / "rho50")
    own = points[(points["board"] == "8x8") & (points["rule"] == "corner")]
    finer = Precision(relative_error=0.006, most_games=10_000, most_cells=1e9)
    wanted = games_of(own, finer, entry.board)
    before = games["win_rates"][games["win_rates"]["board"] == "8x8"]["games"].sum()
    assert sum(wanted.values()) > before
    table = sweep(entry, points, finer, study.seed, tmp_path / "rho50", threads=2).table
    assert dict(zip(table["mines"], table["games"], strict=True)) == wanted
    fresh = sweep(entry, points, finer, study.seed, tmp_path / "fresh").table
    pd.testing.assert_frame_equal(table, fresh)
    with pytest.raises(InputError, match=r"points lack board 9x9\.corner"):
        sweep(Entry(Board((9, 9)), "corner"), points, finer, 7, tmp_path)


def test_the_numbers_are_consistent(made) -> None:
    study, _, _, games, tables = made
    require_right_safeties(tables["safeties"])
    assert tables["safeties"]["games"].iloc[-1] == sum(t["games"].sum() for t in games.values())
    rho50 = tables["rho50"].set_index(["board", "rule"])
    assert len(rho50) == len(study.entries)
    row = rho50.loc[("8x8", "corner")]
    assert abs(row["rho50"] - 0.2187) < 4 * np.hypot(row["error"], 0.0003)
    assert row["low"] < row["rho50"] < row["high"] and row["error"] < row["plain_error"]
    critical = tables["critical"].set_index(["player", "q"])["P"]
    assert set(critical["weighted"].index) == {3, 4, 5, 6, 64}
    assert set(critical["listing"].index) == {12, 16}
    assert abs(critical["weighted", 64] - 0.1635) < 0.015
    assert critical["listing"].between(0.15, 0.25).all()
    single = games["win_rates"].query("board == '2x4' and mines == 1").iloc[0]
    assert abs(single["wins"] / single["games"] - 4 / 7) < 4 * np.sqrt(0.25 / single["games"])
    plan = tables["plan"]
    assert "CPU seconds" in report_plan(plan)
    swept = plan[plan["games_of"] == "rho50"]
    played = games["win_rates"]
    assert swept["games"].sum() == played["games"].sum()


def test_figures_and_page(made, tmp_path) -> None:
    study, _, _, _, tables = made
    figures = {}
    for name, function in FIGURES.items():
        figure = function(**{table: tables[table] for table in signature(function).parameters})
        figures[name] = str(tmp_path / f"{name}.png")
        save_figure(figure, figures[name])
        assert Path(figures[name]).read_bytes().startswith(b"\x89PNG")

    def words(**changes) -> str:
        """Return the page of the tables with some of them changed, pictures left out."""
        html = page(tables | changes, study, figures)
        short = re.sub(r"base64,[^\"]*", "", html)
        assert len(short) < len(html) / 2 and "nan" not in short
        assert "<li>" not in short.partition("<h2>")[2]  # a line that begins with a minus sign
        return " ".join(short.split())

    plain = words()
    assert plain == words()
    assert "The boards played do not decide it" in plain and "is excluded" not in plain
    row = tables["rho50"].set_index(["board", "rule"]).loc[("64x64", "corner")]
    assert pm(row["rho50"], row["error"]) in plain
    # a P measured below the claim is called that
    low = tables["critical"].assign(P=0.14, P_sd=0.001)
    found = words(critical=low)
    claim = (
        "For our player <code>weighted</code> a limit of exactly 0.159 is excluded: P is 0.1400 ±"
    )
    assert f"{claim} 0.0010 at q = 64." in found
    # the verdict on the law follows the declared joint test
    whole = tables["whole_law"]
    assert "not rejected by" in words(whole_law=whole.assign(p_value=0.5))
    found = words(whole_law=whole.assign(p_value=1e-9, excess=0.05))
    assert "without a fitted number, is rejected by" in found and "at higher densities it" in found
    assert "The second test does not reject the law (p = 0.5)" in words(
        glm=tables["glm"].assign(agreement=0.5)
    )
    found = words(glm=tables["glm"].assign(agreement=1e-9, p_value=1e-3))
    assert "The second test rejects the law (p = 1e−09)" in found
    assert "But the regression itself is rejected (p = 0.001)" in found
    # the words on a limit follow AICc
    models = tables["models"].assign(p_value=0.5)
    limited = models["model"] == "hyperbola"
    models = models.assign(limit=np.where(limited, 0.08, np.nan), limit_error=0.002)
    for gain, sentence in (
        (-20, "ρ50 alone speaks for a limit of about 0.08"),
        (20, "ρ50 alone speaks against a limit"),
        (-5, "ρ50 does not tell a limit of about 0.08 from none"),
    ):
        aicc = np.where(limited, float(gain), 0.0)
        best = models.assign(aicc=aicc, delta_aicc=aicc - min(gain, 0))
        assert f"So on these sides {sentence}" in words(models=best)
    # parts without any board are left out in words
    parts = ("published", "models", "exponents", "aspect", "guesses")
    found = words(**{name: tables[name].iloc[:0] for name in parts})
    assert "Too few boards were played to fit and test it." in found
    assert "Too few squares were played to compare models." in found


def test_the_facts_decide_as_the_numbers_do(made) -> None:
    study, _, _, _, tables = made

    def decided(name: str, **columns: object) -> dict:
        return facts(tables | {name: tables[name].assign(**columns)}, study)

    assert not facts(tables, study)["below_claim"]
    below = decided("critical", P=0.150, P_sd=0.001)["below_claim"]
    assert [(row.q, round(row.sigma, 6)) for row in below] == [(64, 9)]  # not the small boards
    assert not decided("critical", P=0.157, P_sd=0.001)["below_claim"]

    published = tables["published"]
    assert not facts(tables, study)["published"]["contradicted_at"]
    at = decided("published", below_limit=3.1)["published"]["contradicted_at"]
    assert at == published.loc[published["fitted"] == "printed", "q"].tolist() != []
    for z, misses in ((-3.1, True), (2.9, False)):
        worst = decided("published", z=z)["published"]["worst"]
        assert len(worst) == 4 and all(each.misses == misses for each in worst)

    (*_, corner) = decided("models", p_value=0.5)["models"]
    assert corner["held"].q_min == tables["models"]["q_min"].min()
    assert corner["main"][0].delta_aicc == 0
    assert all(each["held"] is None for each in decided("models", p_value=0.001)["models"])

    for agreement, p_value, verdict in (
        (0.02, 0.5, "law not rejected"),
        (0.009, 0.5, "law rejected"),
        (0.5, 0.009, "regression rejected"),
    ):
        glm = decided("glm", agreement=agreement, p_value=p_value)
        assert set(glm["joint"]["verdict"]) == {verdict}
        assert glm["declared"]["key"] == ("plain", "next") == glm["regressions"][0]["key"]
    for z, agree in ((2.9, True), (-3.1, False)):
        assert bool(decided("aspect", z_law=z)["aspect"]["agree"]) == agree
    (line, _) = decided("strips_exact", z=2.0)["strips"]["exact"]
    assert line["chi2"] == pytest.approx(4 * line["df"]) and line["p"] == 1

    rises = facts(tables, study)["rises"]  # no density of the smoke study is low
    assert rises["low"] == [] and rises["sure"] == (tables["rises"]["z"] > 3).sum()
    models = tables["models"].assign(limit=0.155)
    low = facts(
        tables | {"models": models, "rises": tables["rises"].assign(density=0.15, z=3.1)}, study
    )["rises"]
    assert low["low_sure"] == len(low["low"]) == len(tables["rises"]) > 0
    assert low["lowest"].limit == 0.155

    assert decided("fixed", above_0=2.9)["fixed"]["sure"] == 0
    every = decided("fixed", above_0=3.1)["fixed"]
    assert every["sure"] == len(every["bulk"]) > 0
    rejected = decided("rho50", p_value=0.001)["series"][0]
    assert rejected["rejected"] == rejected["table"]["q"].tolist()


@pytest.mark.campaign
@pytest.mark.workflow
def test_the_target_has_a_job_for_every_part(tmp_path) -> None:
    folder = copy_of(ROOT, tmp_path / "main")
    file = folder / "workflow/config/asymptotics.yaml"
    file.write_text(yaml.safe_dump(TINY), encoding="utf-8")
    counts = jobs(snakemake(folder, PAPER, "--dry-run", "asymptotics"))
    study = load_settings(TINY)
    assert counts["asymptotics_pilot"] == len(study.parts())
    assert counts["asymptotics_rho50_games"] == len(study.parts())
    assert counts["asymptotics_low_density_games"] == len(study.density_parts())
    assert counts["asymptotics_conditional_games"] == len(study.density_parts())
    assert counts["asymptotics_curves_games"] == len(study.curve_parts())
    assert counts["asymptotics_page"] == 1
