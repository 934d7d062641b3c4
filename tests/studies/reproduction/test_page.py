"""Figures and page of the reproduction, from curves known in advance."""

import numpy as np
import pandas as pd
import pytest

from msdensity.games.boards import Board, Rules
from msdensity.kernel.measures import MEASURES
from msdensity.stats.correction import w_correction
from msdensity.stats.hyperbola import extrapolation_table
from msdensity.stats.logistic import fits_table, logistic
from msdensity.stats.paired import LOST, WON
from msdensity.stats.series import series_table
from msdensity.stats.testing import detectable
from msdensity.studies.plot import save_figure
from msdensity.studies.reproduction.ablation import ablation_table, variants
from msdensity.studies.reproduction.columns import TABLES
from msdensity.studies.reproduction.figures import ablation_figure, degenerate_figure, runs_figure
from msdensity.studies.reproduction.page import facts, falls, page, powers
from msdensity.studies.reproduction.quoted import quoted_tables
from msdensity.studies.reproduction.results import agreement, runs_table
from msdensity.studies.reproduction.settings import load_settings
from places import ROOT

pytestmark = pytest.mark.campaign  # its fits and figures take 8 seconds

GAMES = 4000
STRIPS = [f"1x{q}" for q in (3, 5, 15, 16, 17, 18, 19, 20)]
BOARDS = [*STRIPS, "2x2", "2x4", "2x10", "3x3", "4x4", "5x5", "6x6"]


def inflection(board: Board, player: str) -> float:
    """P falls like q^-0.6 on strips; the player `other` is a little better everywhere."""
    middle = 1.2 * board.q**-0.6 if board.p == 1 else 0.2 + 0.4 / board.cells
    return min(middle, 0.8) + (0.03 if player == "other" else 0)


def win_rates() -> pd.DataFrame:
    rows = []
    for player in ("listing", "other"):
        for board in map(Board.parse, BOARDS):
            for m in range(1, board.cells):
                rate = float(logistic(m / board.cells, 0, 1, 30, inflection(board, player)))
                row = dict.fromkeys(MEASURES, 0) | {"board": board.name, "player": player}
                row |= {"p": board.p, "q": board.q, "topology": "square8", "mines": m, "seed": 1}
                row |= {"first_click": "corner", "start": "safe", "kernel_version": 1}
                row |= {"density": m / board.cells, "games": GAMES, "wins": round(GAMES * rate)}
                row |= {"win_rate": row["wins"] / GAMES, "win_rate_low": 0.0, "win_rate_high": 1.0}
                rows.append(row)
    return w_correction(pd.DataFrame(rows))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return (tables, study, page) with the figures drawn."""
    folder = tmp_path_factory.mktemp("figures")
    rates = win_rates()
    fits = fits_table(rates, 4)
    printed = [board for board in map(Board.parse, BOARDS) if board.q <= 10]
    published = pd.DataFrame(
        {
            "p": [board.p for board in printed],
            "q": [board.q for board in printed],
            "P": [
                1.0 if board.name == "1x3" else inflection(board, "listing") for board in printed
            ],
        }
    )
    runs = runs_table(rates, published, 5)
    rng = np.random.default_rng(2)
    ends = {}
    for name in variants():
        chance = 0.75 if name == "text" or "guess_after_safe" in name else 0.5
        ends[name] = {
            ("4x4", m): np.where(rng.random(400) < chance * (m < 4), WON, LOST).astype(np.uint8)
            for m in range(1, 5)
        }
    ablation = ablation_table(ends, {"4x4": 16}, [("4x4", 2)], 400, 4)
    quotes = pd.DataFrame(
        {"board": ["4x4"], "mines": [14], "win_rate": [0.07], "decimals": [2]}
        | {"games": [1000], "seconds": [240.0], "section": ["8.1"]}
    )
    quoted, speed = quoted_tables(quotes, [("weighted", {})], Rules(), 1, 1000)
    extrapolation = extrapolation_table(fits)
    extrapolation = pd.concat(
        [
            extrapolation[extrapolation["player"] == "listing"].assign(player="published"),
            extrapolation,
        ]
    )
    tables = {
        "runs": runs,
        "agreement": agreement(runs),
        "fits": fits,
        "extrapolation": extrapolation,
        "series": series_table(fits),
        "quoted": quoted,
        "speed": speed,
        "ablation": ablation,
    }
    assert tables.keys() <= TABLES.keys()
    drawn = {
        "table_b2": runs_figure(runs),
        "ablation": ablation_figure(ablation),
        "degenerate": degenerate_figure(rates, fits, "listing"),
    }
    figures = {}
    for name in ("table_b2", "ablation", "degenerate", "squares", "strips", "limits"):
        figures[name] = str(folder / f"{name}.png")
        save_figure(drawn.get(name, drawn["degenerate"]), figures[name])
    study = load_settings(ROOT / "workflow/config/reproduction.yaml")
    return tables, study, " ".join(page(tables, study, figures).split())


def test_the_page_says_which_player_agrees(made) -> None:
    tables, _, page = made
    found = tables["agreement"].set_index("player")
    assert found.loc["listing", "p_value"] > 1e-3 > found.loc["other", "p_value"]
    assert "published P agree with those of <code>listing</code>" in page
    assert "published P do not agree with those of <code>other</code>" in page
    assert f"chi-square {found.loc['other', 'chi_square']:.1f} on" in page
    assert page.count("<img") == 6
    assert "<li>" not in page.partition("</ul>")[2]  # a line that begins with a minus sign


def test_the_page_holds_every_board_every_fault_and_the_reasons(made) -> None:
    tables, study, page = made
    for board in tables["runs"]["board"].unique():
        assert f">{board}<" in page
    for fault in tables["ablation"]["fault"].unique():
        assert f">{fault}<" in page
    assert "guess after safe +" in page  # the one fault that costs games in these
    assert "1 / C(pq - 1, m) = 0.0667" in page
    assert "nan" not in page.split("base64")[0] and ">nan<" not in page
    ablation = facts(tables, study)["ablation"]
    (spot,) = ablation["spots"]
    costly = spot["costly"]
    assert [row.fault for row in costly["mended"]] == ["guess_after_safe"]
    costs = [abs(row.cost) for row in costly["alone"]]
    assert costs == sorted(costs, reverse=True)
    assert (
        ablation["tests"]
        == tables["ablation"]["p_value"].notna().sum()
        + (tables["ablation"]["mines"].isna() & (tables["ablation"]["cost_se"] > 0)).sum()
    )
    # Held together, a cost needs more than its own test: the p-value is that of all of them.
    alone = tables["ablation"].assign(p_value=0.02, cost_se=np.nan)
    assert facts(tables | {"ablation": alone}, study)["ablation"]["spots"][0]["costly"] == {
        "mended": [],
        "alone": [],
    }


def test_the_page_says_what_a_joint_test_would_find_and_which_boards_do_not_tell(made) -> None:
    tables, study, page = made
    row = facts(tables, study)["agreement"][0]
    assert row["detectable"] == pytest.approx(detectable(row["boards"]))
    assert f"A deviation of {row['detectable']:.2f} sd on every board would have been found" in page
    assert page.count("would have been found with 90% probability.") >= 2
    assert "do not tell them apart" not in page  # in these, two players win as often nowhere
    runs = tables["runs"]
    runs = runs.assign(twins=np.where(runs["board"] == "1x5", "other", ""))
    (pair,) = facts(tables | {"runs": runs}, study)["apart"]
    assert (pair.first, pair.second, pair.left_out) == ("listing", "other", 1)
    assert 'After "±" stands one standard error' in page.replace("&quot;", '"')


def test_a_mean_over_runs_that_end_apart_has_a_dagger(made) -> None:
    tables, study, _ = made
    runs = tables["runs"].assign(at_end=0.0)
    assert "†" not in "".join(facts(tables | {"runs": runs}, study)["runs"]["P, listing"])
    runs.loc[(runs["board"] == "4x4") & (runs["player"] == "listing"), "at_end"] = 0.3
    shown = facts(tables | {"runs": runs}, study)["runs"].set_index("board")
    assert shown.loc["4x4", "P, listing"].endswith("†")
    assert "†" not in shown.loc["4x4", "P, other"]
    assert list(facts(tables, study)["runs"])[:4] == [
        "board",
        "published",
        "z, listing",
        "z, other",
    ]


def test_a_fall_with_a_constant_finds_the_constant(made) -> None:
    rng = np.random.default_rng(5)
    q = np.arange(15, 51)
    for limit in (0.0, 0.05):
        noise = rng.normal(0, 5e-4, len(q))
        curve = {"player": "x", "board": [f"1x{n}" for n in q], "q": q}
        fits = pd.DataFrame(curve | {"P": 1.2 * q**-0.6 + limit + noise})
        (fall,) = falls(fits)
        assert fall["sure"] and fall["low"] < limit < fall["high"]
        assert abs(fall["c"] - limit) < 3.9 * fall["c_se"]
        assert (fall["low"] <= 0 <= fall["high"]) == (limit == 0)
    # negative control: a power alone has no room for the constant, and says another exponent
    assert abs(fall["s"] - 0.6) > 5 * fall["error"]
    assert not falls(fits[:2])


def test_powers_of_strips_come_out(made) -> None:
    fits = made[0]["fits"]
    (power,) = powers(fits[fits["player"] == "listing"])
    assert (power["q_min"], power["q_max"]) == (15, 20)
    assert 0 < power["error"] < 0.3
    assert abs(power["s"] - 0.6) < 0.01  # a corrected curve is not quite the logistic it came from
