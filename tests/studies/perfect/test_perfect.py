"""The study of perfect play: its values, densities, first clicks, ladder, page and settings."""

import random
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import msdensity as md
from msdensity.errors import InputError
from msdensity.files.tables import read_table
from msdensity.games.boards import Board, Rules
from msdensity.games.optimal import optimal_win_probability
from msdensity.players import optimal
from msdensity.players.registry import PLAYERS
from msdensity.stats.testing import LEVEL
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from msdensity.studies.perfect.densities import against_table, curves_table, shares_table
from msdensity.studies.perfect.faults import TIES, few_rows, no_inflection, parts, trend
from msdensity.studies.perfect.figures import FIGURES, _map
from msdensity.studies.perfect.known import known_values
from msdensity.studies.perfect.page import (
    _exceptions,
    _most,
    _protected,
    _shipped,
    _unsearched,
    facts,
    named,
    page,
)
from msdensity.studies.perfect.play import (
    count_exact,
    count_optima,
    play_ladder,
    search_clicks,
    search_known,
)
from msdensity.studies.perfect.results import (
    best_table,
    checks_table,
    how_found,
    joined,
    ladder_table,
    place,
)
from msdensity.studies.perfect.settings import OPTIMAL_CELLS, load_settings
from msdensity.studies.perfect.workloads import workloads
from msdensity.studies.plot import save_figure
from places import ROOT

SMALL: dict[str, Any] = {
    "study": "perfect",
    "seed": 3,
    "cells": 4,
    "boards": ["3x3"],
    "lattices": ["2x3-hexagonal"],
    "players": [{"player": "weighted"}, {"player": "listing"}],
    "click_cells": 9,
    "ladder_boards": ["3x3"],
    "ladder_players": [{"player": "equation"}],
    "exact_layouts": 1,
    "games": 300,
}


def values_of(board: str, player: str, rates: list[str]) -> pd.DataFrame:
    """Return VALUE_COLUMNS with win rates given as "won/layouts" for 1, 2, ... mines."""
    p, q = (int(side) for side in board.split("x"))
    made = []
    for mines, text in enumerate(rates, 1):
        won, layouts = (int(part) for part in text.split("/"))
        place = [board, p * q, mines, mines / (p * q), player]
        made.append([*place, layouts, str(won), won / layouts])
    columns = ["board", "cells", "mines", "density", "player", "layouts", "won", "win_rate"]
    return pd.DataFrame(made, columns=columns)


def games_of(player: str, wins: list[int], games: int) -> pd.DataFrame:
    """Return GAME_COLUMNS of games on 2x2."""
    rows = [["2x2", 4, m, m / 4, player, 1, 4, games, won] for m, won in enumerate(wins, 1)]
    columns = ["board", "cells", "mines", "density", "player", "seed", "kernel_version"]
    return pd.DataFrame(rows, columns=[*columns, "games", "wins"])


@pytest.fixture(scope="module")
def settings():
    return load_settings(SMALL)


@pytest.fixture(scope="module")
def played(settings) -> dict[str, pd.DataFrame]:
    optima = pd.concat([count_optima(settings, part) for part in settings.parts()])
    exact = pd.concat([count_exact(settings, part) for part in settings.parts()])
    clicks = pd.concat([search_clicks(settings, part) for part in settings.click_parts()])
    ladder = play_ladder(settings, "3x3")
    printed = read_table(ROOT / "data/published/table_b2.csv", PUBLISHED_COLUMNS)
    return joined(optima, exact, ladder["rest"], ladder["games"], clicks, printed)


def test_the_values_are_those_of_the_calls(played) -> None:
    values = played["values"]
    for player, call in (
        ("perfect", md.optimal_win_probability),
        ("weighted", md.exact_win_rate),
    ):
        for mines in (2, 4, 6):
            row = values.query(f"board == '3x3' and player == {player!r} and mines == {mines}")
            assert Fraction(row["won"].iloc[0]) / int(row["layouts"].iloc[0]) == call("3x3", mines)
    assert set(values["board"]) == {"1x2", "1x3", "1x4", "2x2", "3x3", "2x3-hexagonal"}
    checks = played["checks"].set_index("player")
    assert checks.loc["weighted", "above"] == 0 < checks.loc["weighted", "optimal"]
    assert checks.loc["equation", ["played", "rejected"]].tolist() == [8, 0]


def test_values_that_take_long_come_from_the_shipped_table(monkeypatch) -> None:
    settings = load_settings(SMALL | {"cells": 2, "known": {"3x3": [4, 5]}})
    found = search_known(settings, "3x3.4")
    best = md.optimal_win_probability("3x3", 4)
    assert Fraction(int(found["won"].iloc[0]), int(found["layouts"].iloc[0])) == best
    shipped = found.assign(won=7)  # so that it is seen where a value comes from
    monkeypatch.setattr("msdensity.studies.perfect.play.known_values", lambda: shipped)
    optima = count_optima(settings, "small").query("board == '3x3'").set_index("mines")
    assert optima.loc[4, "won"] == "7" and optima.loc[3, "won"] == "33"
    assert optima.index.tolist() == [1, 2, 3, 4, 6, 7, 8]  # what the table lacks has no row
    for row in known_values().itertuples():
        assert row.layouts == comb(Board(row.board).cells - 1, row.mines) > row.won


def test_first_clicks_that_take_long_have_no_row_and_are_named() -> None:
    few = SMALL | {"cells": 2, "known": {"3x3": [4, 5]}}
    clicks = search_clicks(load_settings(few), "small").query("board == '3x3'")
    by_start = clicks.groupby("start")["mines"].unique().map(list)
    assert by_start["safe"] == [1, 2, 3, 6, 7, 8] and by_start["zero"] == [1, 2, 3, 4, 5]
    assert _unsearched(load_settings(few)) == "4 to 5 mines on 3x3"
    assert _unsearched(load_settings(SMALL)) == ""


def test_the_share_is_the_gap_over_perfect_play() -> None:
    rates = ["8/8", "20/28", "28/56", "20/70", "10/56", "6/28", "2/8", "0/1"]
    worse = ["8/8", "18/28", "20/56", "10/70", "8/56", "3/28", "1/8", "0/1"]
    values = pd.concat([values_of("3x3", "perfect", rates), values_of("3x3", "weighted", worse)])
    densities = curves_table(values)
    assert densities["rho50"].tolist() == pytest.approx([3 / 9, (2 + 0.5) / 9])
    shares = shares_table(densities).set_index("measure")
    assert shares.loc["rho50", "mines"] == pytest.approx(0.5)
    assert shares.loc["rho50", "share"] == pytest.approx(0.5 / 3)
    P = densities["P"]
    assert shares.loc["P", "gap"] == pytest.approx(P[0] - P[1]) and P[0] > P[1]
    # Without all numbers of mines there is no P, but there is a rho50.
    cut = curves_table(values[values["mines"] < 8])
    assert cut["P"].isna().all() and cut["rho50"].notna().all()
    printed = pd.DataFrame({"p": [3], "q": [3], "P": [0.3]})
    against = against_table(
        pd.concat([values, values_of("3x3", "listing", worse)]), densities, printed
    )
    assert against["weighted"].tolist() == [P[1]] and against["listing"].isna().all()


def test_a_player_above_the_optimum_is_found() -> None:
    best = values_of("2x2", "perfect", ["1/3", "1/3", "1/1"])
    same = values_of("2x2", "weighted", ["1/3", "0/3", "1/1"])
    values = pd.concat([best, same])
    fair, unfair = [330, 333, 1000], [390, 333, 1000]
    for wins, rejected in ((fair, 0), (unfair, 1)):
        checks = checks_table(values, games_of("single_point", wins, 1000)).set_index("player")
        assert checks.loc["weighted", ["exact", "above", "optimal"]].tolist() == [3, 0, 2]
        assert checks.loc["single_point", ["played", "rejected"]].tolist() == [3, rejected]
    p = checks.loc["single_point", "p_value"]
    assert p == pytest.approx(stats.binom.sf(389, 1000, 1 / 3)) and p < LEVEL / 3
    cheat = pd.concat([best, values_of("2x2", "weighted", ["2/3", "1/3", "1/1"])])
    none = games_of("single_point", [], 1)
    assert checks_table(cheat, none)["above"].tolist() == [1]


def test_the_ladder_has_the_means_of_counted_and_played_games() -> None:
    # The last number of mines is left out: there every player wins with the first click.
    best = values_of("2x2", "perfect", ["1/3", "1/3", "1/1"])
    some = values_of("2x2", "double_set", ["1/3"])
    games = pd.concat(
        [games_of("double_set", [0, 30, 100], 100).iloc[1:], games_of("lbp", [30, 24, 99], 100)]
    )
    ladder = ladder_table(pd.concat([best, some]), games).set_index("player")
    assert ladder.index.tolist() == ["perfect", "double_set", "lbp"]
    assert ladder["how"].tolist() == ["counted", "in part played", "played"]
    assert ladder["numbers"].tolist() == [2, 2, 2] and ladder["exact"].tolist() == [2, 1, 0]
    assert ladder.loc["double_set", "mean"] == pytest.approx((1 / 3 + 0.3) / 2)
    assert ladder.loc["lbp", "share"] == pytest.approx(0.27 / (1 / 3))
    assert ladder.loc["perfect", "share_se"] == 0 < ladder.loc["lbp", "share_se"]
    last = ladder.assign(board="5x5", how="played")
    both = pd.concat([ladder, last]).loc[["perfect", "lbp"]]
    assert how_found(both.loc[["perfect"]]) == "counted; on 5x5 played"
    assert how_found(both.loc[["lbp"]]) == "played"


def test_the_checks_tell_the_boards_on_which_optimal_searches() -> None:
    rates = ["1/1", "1/2", "1/1"]
    own = [values_of(b, p, rates) for b in ("4x5", "5x5") for p in ("perfect", "optimal")]
    values = pd.concat([*own[:3], values_of("5x5", "optimal", ["1/1", "0/2", "1/1"])])
    checks = checks_table(values, games_of("lbp", [], 1)).set_index("boards")
    assert checks["optimal"].to_dict() == {"up to 20 cells": 3, "more than 20 cells": 2}
    assert (checks["exact"] == 3).all() and optimal.MAX_CELLS == OPTIMAL_CELLS


def test_the_best_first_click_is_the_one_of_the_call(played) -> None:
    best = played["best"]
    for start in ("safe", "zero", "unprotected"):
        for row in best[(best["board"] == "3x3") & (best["start"] == start)].itertuples():
            if row.mines in (3, 5):
                assert Fraction(row.best) == md.optimal_win_probability(
                    "3x3", row.mines, "best", start
                )
    row = best.query("board == '3x3' and start == 'safe' and mines == 4").iloc[0]
    corner, edge = (optimal_win_probability("3x3", 4, f"cell:{c}") for c in (0, 1))
    assert row["place"] == "edge 1,2" and row["gain"] == pytest.approx(float(edge - corner))
    assert [place("4x4", c) for c in (0, 1, 5)] == ["corner 1,1", "edge 1,2", "inside 2,2"]
    assert place("3x3", 4) == "centre 2,2" and place("1x5", 2) == "inside 1,3"
    gain = _map(played["clicks"].query("start == 'safe'"), "3x3", 4)
    assert gain[0, 1] == gain[1, 2] == gain[2, 1] == pytest.approx(row["gain"])
    assert gain[0, 0] == gain[2, 2] == 0 != gain[1, 1]


def test_cells_without_a_start_on_a_zero_are_no_corner(played) -> None:
    clicks = played["clicks"].query("board == '3x3' and cell != 0")
    best = best_table(clicks)
    assert (best["corner"] == "").all() and best["gain"].isna().all()


def test_the_page_says_what_the_tables_hold(settings, played, tmp_path) -> None:
    drawn = {
        "curves": FIGURES["curves"](played["values"], played["ladder"], played["densities"]),
        "gaps": FIGURES["gaps"](played["values"], played["densities"]),
        "densities": FIGURES["densities"](played["densities"], played["against"]),
        "clicks": FIGURES["clicks"](played["clicks"]),
        "ladder": FIGURES["ladder"](played["ladder"]),
    }
    assert drawn.keys() == FIGURES.keys()
    assert len(drawn["gaps"].axes) == 2
    assert len({ax.get_ylim() for ax in drawn["gaps"].axes}) == 1
    for ax, style in zip(drawn["densities"].axes, ("None", "-") * 2, strict=True):
        best = next(line for line in ax.lines if line.get_marker() == "*")
        assert best.get_linestyle() == style
        assert all(line.get_zorder() < best.get_zorder() for line in ax.lines if line is not best)
    texts = [text.get_text() for text in drawn["ladder"].legends[0].get_texts()]
    assert texts == ["counted exactly", "played, at least in part"]
    save_figure(drawn["clicks"], tmp_path / "clicks.png")
    blank = tmp_path / "blank.png"
    blank.write_bytes(b"")
    made = page(played, settings, dict.fromkeys(FIGURES, blank))
    known = facts(played, settings)
    share = played["shares"].query("board == '3x3' and measure == 'P'").iloc[0]
    assert known["fault"]["P"]["low"] == pytest.approx(100 * share["share"])
    assert f"{share['perfect']:.4f}" in made and f"{100 * share['share']:.1f} %" in made
    assert "on 3x3 an edge cell with 2, 4 to 6 mines" in made
    assert "none is above it" in made and "none is above (smallest p" in made
    assert page.finding(played, settings).startswith("- **Paper 001 assumes")


def test_the_page_stands_without_a_board_of_three_rows(played, tmp_path) -> None:
    lines = {
        "boards": [],
        "ladder_boards": ["2x2"],
        "click_cells": 4,
    }
    few = {
        name: table[~table["board"].isin(["3x3"])] if "board" in table else table
        for name, table in played.items()
    }
    settings = load_settings(SMALL | lines)
    few["ladder"] = ladder_table(few["values"], games_of("single_point", [30, 30, 90], 100))
    blank = tmp_path / "blank.png"
    blank.write_bytes(b"")
    assert "What is exact" in page(few, settings, dict.fromkeys(FIGURES, blank))
    assert "What is not known" in page.finding(few, settings)


def test_mines_in_a_row_are_an_interval() -> None:
    columns = ["board", "mines", "place"]
    rows = [["4x4", m, "edge 1,2"] for m in (4, 5, 6, 7)] + [["4x4", 8, "inside 2,2"]]
    rows += [["3x5", m, "centre 2,3"] for m in (3, 5)]
    rows += [["3x5", 6, "edge 1,2; edge 2,1; inside 2,2"]]
    text = _exceptions(pd.DataFrame(rows, columns=columns))
    assert text == (
        "on 4x4 an edge cell with 4 to 7 mines and an inside cell with 8 mines;"
        " on 3x5 a centre cell with 3, 5 mines and an edge or inside cell with 6 mines"
    )
    gains = [["3x3", 2, 1 / 28], ["3x3", 4, 0.01], ["3x3", 5, 1 / 28], ["3x4", 3, 1 / 28]]
    lost = pd.DataFrame(gains, columns=["board", "mines", "gain"])
    assert _most(lost) == "3x3 with 2, 5 mines; 3x4 with 3 mines" and _most(lost[:0]) == ""


def test_every_first_click_that_ties_for_the_best_is_named(played) -> None:
    best = named(played["best"], played["clicks"])
    assert (best["place"].str.count(";") + 1 == best["ties"]).all() and best["ties"].max() > 1
    kept = best["start"] == "safe"
    assert best[kept & (best["board"] == "1x4") & (best["mines"] == 3)]["place"].tolist() == [
        "end 1,1; inside 1,2"
    ]


def test_best_starts_with_the_most_protection_are_counted() -> None:
    columns = ["board", "start", "mines", "cell", "neighbours", "won", "layouts"]
    rows = [["3x3", "zero", 3, 0, 3, 1, 2], ["3x3", "zero", 3, 1, 5, 3, 6]]  # as good
    rows += [["3x3", "zero", 4, 0, 3, 2, 3], ["3x3", "zero", 4, 1, 5, 1, 3]]  # the corner is best
    rows += [["3x3", "zero", 5, 0, 3, 1, 1], ["3x3", "safe", 3, 0, 3, 1, 1]]  # no choice; no 0
    clicks = pd.DataFrame(rows, columns=columns)
    assert _protected(clicks, ["3x3"]) == {"cases": 2, "most": 1}
    assert _protected(clicks, ["3x4"]) == {"cases": 0, "most": 0}


def test_the_page_says_which_values_of_long_searches_are_known() -> None:
    settings = load_settings(SMALL | {"cells": 2, "known": {"3x3": [3, 4, 5]}})
    values = values_of("3x3", "perfect", ["1/8", "1/28", "1/56", "1/70"])
    known = pd.DataFrame({"board": "3x3", "mines": [3, 4], "cpu_seconds": [81.7, 300.2]})
    (row,) = _shipped(values, known, settings)
    assert row == {"board": "3x3", "there": "3 to 4", "lacking": "5", "took": "82 to 300 s"}
    more = pd.concat([values, values_of("3x3", "perfect", ["1/8"]).assign(mines=5)])
    (row,) = _shipped(more, known[:1], settings)
    assert row["lacking"] == "" and row["took"] == "82 s"


def test_a_file_of_neighbours_goes_by_its_name() -> None:
    settings = load_settings(ROOT / "workflow/config/perfect.yaml")
    own = settings.lattices[-1].name
    assert settings.file_names() == {own: "icosahedron"} and own.startswith("12-")


def test_the_parts_of_a_published_density_add_up() -> None:
    columns = ["board", "perfect", "weighted", "listing", "published", "listing_se", "cells"]
    lines = [["3x3", 0.4, 0.36, 0.3, 0.28, 0.004, 9], ["3x4", 0.2, 0.19, 0.18, 0.18, 0.006, 12]]
    against = pd.DataFrame([*lines, ["5x5", 0.2, 0.1, 0.1, 0.1, 0.1, 25]], columns=columns)
    drawn = pd.DataFrame({"board": ["3x3", "3x4"], "player": TIES, "P": [0.32, 0.185]})
    found = parts(against, drawn, ["3x3", "3x4", "5x5"])
    assert found["names"] == ["3x3", "3x4"]  # 5x5 has no P with random ties
    assert found["all"] == pytest.approx((30 + 10) / 2)
    assert found["chance"] == pytest.approx((5 + 0) / 2)
    assert found["se"] == pytest.approx(100 * np.hypot(0.01, 0.03) / 2) and found["explained"]
    ways = found["ways"]
    assert ways["weighted"] == pytest.approx({"faults": (15 + 5) / 2, "guesses": (10 + 5) / 2})
    assert ways[TIES] == pytest.approx({"faults": (5 + 2.5) / 2, "guesses": (20 + 7.5) / 2})
    sure = against.assign(listing_se=against["listing_se"] / 10)
    assert not parts(sure, drawn, ["3x3", "3x4"])["explained"]
    assert parts(against, drawn[:0], ["5x5"])["names"] == ["5x5"]
    assert parts(against, drawn, []) == {}


def test_few_boards_cannot_show_a_trend() -> None:
    rows = [[f"b{n}", "weighted", "rho50", n, n / 100] for n in range(10, 17)]
    shares = pd.DataFrame(rows, columns=["board", "player", "measure", "cells", "share"])
    boards = [str(board) for board in shares["board"]]
    six, seven = trend(shares, boards[:6]), trend(shares, boards)
    assert six["p"] == six["least"] == pytest.approx(2 / 720) and six["least"] > LEVEL
    assert seven["least"] == pytest.approx(2 / 5040) and seven["least"] < LEVEL
    mixed = shares.assign(share=[0.3, 0.1, 0.5, 0.2, 0.6, 0.4, 0.7])
    assert trend(mixed, boards)["p"] > seven["p"] == trend(mixed, boards)["least"]


def test_boards_of_few_rows_have_a_table(played) -> None:
    few = few_rows(played["densities"])
    assert few["board"].tolist() == ["2x2"] and few["rho50, perfect"].tolist() == ["0.1875"]
    assert no_inflection(played["densities"]) == {"n": 1, "missing": 1, "zero": 0}


def test_the_ladder_of_the_study_has_every_player() -> None:
    settings = load_settings(ROOT / "workflow/config/perfect.yaml")
    own, rest = settings.counted(), settings.others()
    assert {name for name, _ in (*own.values(), *rest.values())} == {*PLAYERS}
    assert not own.keys() & rest.keys()
    parts = settings.parts()
    assert sum(map(len, parts.values())) == len(settings.all_boards())
    assert [board.name for board in parts["4x5"]] == ["4x5"] and len(parts["small"]) > 20


def test_the_plan_counts_searches_and_games(settings, tmp_path) -> None:
    works = workloads(settings, tmp_path)
    games = [work for work in works if work.part == "ladder"]
    assert sum(work.games * len(work.tasks) for work in games) == 8 * 300
    assert sum(len(work.tasks) for work in works if work.part == "optima") == 1 + 2 + 3 + 3 + 8 + 5


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": [{"player": "equation"}]}, "must not draw at random"),
        ({"boards": ["6x6"]}, r"6x6 must have 2\.\.25 cells"),
        ({"boards": ["3x3", "3x3"]}, "must not hold a value twice"),
        ({"ladder_boards": ["4x4"]}, "4x4 must be one of 1x2"),
        ({"ladder_boards": ["1x2"]}, "1x2 must have at least 3 cells"),
        ({"cells": 30}, r"in 2\.\.20"),
        ({"size": 3}, "unknown key 'size'"),
    ],
)
def test_settings_that_are_not_allowed_are_one_error(changes, message) -> None:
    with pytest.raises(InputError, match=message):
        load_settings(SMALL | changes)


@pytest.mark.campaign
def test_no_player_of_any_small_board_is_above_perfect_play() -> None:
    """Counted wins of players that draw nothing, on boards and starts drawn at random."""
    rng = random.Random(20261130)
    names = ("weighted", "end_game", "optimal", "listing", "cellular_automaton", "inference")
    cells = equal = 0
    for _ in range(40):
        board = Board(
            rng.choice(["3x4", "2x7", "3x5", "4x4", "1x14", "3x4-torus8", "4x4-hexagonal"])
        )
        mines = rng.randint(1, board.cells - 1)
        rules = Rules(rng.choice(["corner", f"cell:{rng.randrange(board.cells)}"]), "safe")
        best = md.optimal_win_probability(board, mines, rules.first_click, rules.start)
        for name in names:
            rate = md.exact_win_rate(board, mines, name, rules.first_click, rules.start)
            assert rate <= best
            assert rate == best or name != "optimal"
            cells, equal = cells + 1, equal + (rate == best)
    assert 40 <= equal < cells
