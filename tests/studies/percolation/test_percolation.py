"""The study of percolation: its counts against another program's, its tables, page and settings."""

from collections import deque
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from msdensity.errors import InputError
from msdensity.games.front import play_fronts
from msdensity.studies.percolation import play
from msdensity.studies.percolation.columns import TABLES
from msdensity.studies.percolation.figures import FIGURES
from msdensity.studies.percolation.page import facts, page
from msdensity.studies.percolation.play import play_front, play_games, play_sites, play_zeros
from msdensity.studies.percolation.results import (
    fits_table,
    halves_table,
    joined,
    losses_table,
    measured,
    thresholds_table,
)
from msdensity.studies.percolation.settings import load_settings
from msdensity.studies.percolation.sites import is_crossed, reached_cells
from msdensity.studies.percolation.workloads import workloads
from msdensity.studies.plot import save_figure
from places import DATA, ROOT
from sizes import sizes

SMALL: dict[str, Any] = {
    "study": "percolation",
    "seed": 3,
    "fronts": {
        "square8": {
            "games": {8: 60, 12: 60, 16: 60},
            "densities": {"single": 0.2, "complete": 0.25},
            "offsets": [-0.2, -0.1, 0, 0.1, 0.2, 0.3],
        },
        "knight": {"games": {10: 20}, "densities": {"complete": 0.35}, "offsets": [0, 0.2]},
    },
    "zeros": {8: 100, 12: 100},
    "sites": {8: 40, 12: 40},
    "games": {"games": {8: 40, 66: 2}, "densities": [0.1, 0.2, 0.3]},
}
SETTINGS = load_settings(SMALL)
RULES = {"single": "single", "single+pair": "pairs", "complete": "complete"}
COUNTS = pd.read_csv(DATA / "percolation/fronts.csv")
ALARM = 1e-5
"""Chance of a false alarm of each comparison with another program's counts."""


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    fronts = pd.concat([play_front(SETTINGS, part) for part in SETTINGS.front_parts()])
    games = pd.concat([play_games(SETTINGS, part) for part in SETTINGS.game_parts()])
    made = joined(fronts.reset_index(drop=True), games.reset_index(drop=True))
    made |= {"zeros": play_zeros(SETTINGS), "sites": play_sites(SETTINGS)}
    made |= {"fits": fits_table(made["fronts"]), "losses": losses_table(made["zeros"])}
    made["thresholds"] = thresholds_table(made["fits"], made["fronts"], made["losses"])
    return made


def differ(crossed: int, boards: int, other: int, games: int) -> bool:
    """Whether two counts differ, by Fisher's exact test."""
    table = [[crossed, boards - crossed], [other, games - other]]
    return bool(stats.fisher_exact(table).pvalue < ALARM)


@pytest.mark.parametrize("side,boards", sizes((32, 500), (64, 2000)))
@pytest.mark.parametrize("name", RULES)
def test_as_many_boards_are_crossed_as_by_another_program(
    name: str, side: int, boards: int
) -> None:
    own = COUNTS[(COUNTS["rules"] == name) & (COUNTS["side"] == side)]
    first, *_, last = own.itertuples()
    for row in (first, last):
        made = play_fronts("square8", side, row.mines, RULES[name], 9, first=0, boards=boards)
        assert not differ(made.crossed, boards, row.crossed, row.boards)
    assert differ(made.crossed, boards, first.crossed, first.boards)  # another density


TOPOLOGIES = pd.read_csv(DATA / "percolation/topologies.csv")


@pytest.mark.campaign
@pytest.mark.parametrize("topology", sorted(TOPOLOGIES["topology"].unique()))
def test_other_topologies_are_crossed_as_often_as_by_another_program(topology: str) -> None:
    own = TOPOLOGIES[(TOPOLOGIES["topology"] == topology) & (TOPOLOGIES["rows"] == 64)]
    boards = 300
    for row in own.itertuples():
        made = play_fronts(topology, 64, row.mines, "complete", 9, first=0, boards=boards)
        assert not differ(made.crossed, boards, row.reach, row.games)


@pytest.mark.campaign
def test_the_critical_density_of_complete_deduction() -> None:
    """Four sizes, five densities, 500 boards each: within .002 of .252."""
    rows = []
    for side in (32, 64, 96, 128):
        for rho in (0.244, 0.248, 0.252, 0.256, 0.26):
            mines = round(rho * 3 * side * side)
            made = play_fronts("square8", side, mines, "complete", 5, first=0, boards=500)
            head = ["square8", "complete", side, mines, mines / (3 * side * side), 5, 1]
            rows.append([*head, 500, made.crossed, made.opened, made.opened_squared, made.over])
    fits = fits_table(pd.DataFrame(rows, columns=[*TABLES["fronts"]]))
    fixed = fits.query("model == 'fixed' and sizes == 'own' and smallest == 32").iloc[0]
    assert abs(fixed["rho_c"] - 0.252) < 0.002
    assert fixed["p_value"] > 1e-4


def reached(occupied: np.ndarray) -> np.ndarray:
    """Which cells are reached from the first two columns, step by step."""
    rows, columns = occupied.shape
    cells = occupied.copy()
    cells[:, :2] = True
    seen = {(r, c) for r in range(rows) for c in (0, 1)}
    queue = deque(seen)
    while queue:
        r, c = queue.popleft()
        for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            near = (r + a) % rows, (c + b) % columns
            if cells[near] and near not in seen:
                seen.add(near)
                queue.append(near)
    found = np.zeros(occupied.shape, bool)
    found[tuple(zip(*seen, strict=True))] = True
    return found


def test_sites_cross_as_a_plain_search_says() -> None:
    rng = np.random.default_rng(1)
    found = []
    for density in (0.4, 0.5, 0.55, 0.6, 0.65, 0.7):
        for _ in range(40):
            occupied = rng.random((5, 16)) < density
            cells = reached_cells(occupied)
            assert np.array_equal(cells, reached(occupied))
            found.append(is_crossed(cells))
            assert found[-1] == cells[:, 8].any()
    assert 40 < sum(found) < 200


def test_the_end_does_not_depend_on_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    part = "square8.small"
    whole = play_front(SETTINGS, part), play_zeros(SETTINGS), play_games(SETTINGS, "small")
    monkeypatch.setattr(play, "BATCH_CELLS", 3000)
    cut = play_front(SETTINGS, part), play_zeros(SETTINGS), play_games(SETTINGS, "small")
    for a, b in zip(whole, cut, strict=True):
        pd.testing.assert_frame_equal(a, b, check_exact=True)
    other = SETTINGS.model_copy(update={"seed": 4})
    assert not play_front(other, part)["opened"].equals(whole[0]["opened"])


def test_larger_boards_are_played_by_some_rules_only() -> None:
    settings = load_settings(SMALL | larger(20, "complete"))
    own = settings.fronts["square8"]
    assert own.boards("single") == {8: 60, 12: 60, 16: 60}
    assert own.boards("complete") == {8: 60, 12: 60, 16: 60, 20: 5}
    table = play_front(settings, "square8.small")
    assert table.query("side == 20")["rules"].unique().tolist() == ["complete"]
    assert (table.query("side == 20")["games"] == 5).all()


def test_small_boards_share_a_job() -> None:
    assert [*SETTINGS.front_parts()] == ["square8.small", "knight.small"]
    assert [*SETTINGS.game_parts()][:2] == ["small", "weighted.66"]
    assert len(SETTINGS.game_parts()) == 1 + 6


def as_played(rules: str) -> pd.DataFrame:
    """Return another program's counts as a table of fronts."""
    own = COUNTS[COUNTS["rules"] == rules].rename(
        columns={"boards": "games", "over_budget": "over"}
    )
    own = own.assign(topology="square8", rules=RULES[rules], seed=1, kernel_version=1)
    return own.assign(opened=0, opened_squared=0)[[*TABLES["fronts"]]]


def test_another_programs_counts_have_the_known_critical_densities(tables: dict) -> None:
    fronts = pd.concat(map(as_played, RULES), ignore_index=True)
    thresholds = thresholds_table(fits_table(fronts), fronts, tables["losses"])
    found = thresholds[thresholds["method"] == "fronts"].set_index("rules")
    known = {"single": (0.2033, 0.0003), "pairs": (0.2494, 0.0003), "complete": (0.2524, 0.0003)}
    for rules, (value, error) in known.items():
        row = found.loc[rules]
        assert abs(row["rho_c"] - value) < 3.3 * np.hypot(row["error"], error)
        assert row["error"] < 0.0005
        assert abs(row["nu"] - 4 / 3) < 3.3 * row["nu_se"]
        assert row["shuffled_p"] < 1e-6 < row["p_value"]
    made = facts(tables | {"thresholds": thresholds, "fronts": fronts}, SETTINGS)
    assert made["quoted_is"] == ["single"] and made["ordered"] and not made["rejected"]


def test_half_is_between_two_densities(tables: dict) -> None:
    games = pd.DataFrame(
        [
            ["complete", 10, m, m / 100, 1, 1, 100, 0, 100 * n, 100 * n * n]
            for m, n in ((20, 60), (30, 21))
        ],
        columns=[*TABLES["games"]],
    )
    (row,) = halves_table(games).itertuples()
    assert (row.rules, row.measure) == ("complete", "F")
    assert row.density == pytest.approx(0.2 + 0.1 * 0.25 / 0.45) and row.density_se == 0
    table = measured(tables["games"])
    assert ((table["F"] >= 0) & (table["F"] <= 1)).all()
    never = table[table["rules"] != "weighted"]
    assert (never["wins"] <= table["wins"].max()).all()


def test_the_share_opened_has_its_error() -> None:
    opened = np.array([10, 50, 90, 30])
    row = ["complete", 10, 10, 0.1, 1, 1, 4, 0, opened.sum(), (opened**2).sum()]
    (made,) = measured(pd.DataFrame([row], columns=[*TABLES["games"]])).itertuples()
    assert pytest.approx(opened.mean() / 90) == made.F
    assert pytest.approx(opened.std(ddof=1) / 90 / 2) == made.F_se


def test_the_page_and_the_figures(tables: dict, tmp_path) -> None:
    paths = {}
    for name, draw in FIGURES.items():
        wanted = draw.__wrapped__.__code__.co_varnames[: draw.__wrapped__.__code__.co_argcount]
        paths[name] = tmp_path / f"{name}.png"
        save_figure(draw(*(tables[table] for table in wanted)), paths[name])
    text = page(tables, SETTINGS, paths)
    assert "Winning has no critical density" in text
    row = tables["thresholds"].query("rules == 'complete' and topology == 'square8'").iloc[0]
    assert f"{row['rho_c']:.2f}"[:4] in text
    assert text == page(tables, SETTINGS, paths)


def test_the_page_says_what_it_can_without_fits_and_halves(tables: dict, tmp_path) -> None:
    few = {name: tables[name].iloc[:0] for name in ("fits", "halves")}
    some = tables | few | {"thresholds": tables["thresholds"].query("method == 'duality'")}
    path = tmp_path / "collapse.png"
    save_figure(FIGURES["collapse"](some["fronts"], some["fits"]), path)
    text = page(some, SETTINGS, dict.fromkeys(FIGURES, path))
    assert "Winning has no critical density" in text and "Solving without a guess has" not in text


def test_a_plan_knows_what_is_there(tables: dict, tmp_path) -> None:
    works = workloads(SETTINGS, tmp_path)
    assert not any(work.played for work in works)
    assert {work.part for work in works} == {"fronts", "zeros", "games"}
    for folder in ("fronts", "games"):
        (tmp_path / folder).mkdir()
    tables["zeros"].to_csv(tmp_path / "zeros.csv", index=False)
    for part in SETTINGS.front_parts():
        play_front(SETTINGS, part).to_csv(tmp_path / f"fronts/{part}.csv", index=False)
    for part in SETTINGS.game_parts():
        play_games(SETTINGS, part).to_csv(tmp_path / f"games/{part}.csv", index=False)
    assert all(work.played for work in workloads(SETTINGS, tmp_path))
    more = load_settings(SMALL | {"zeros": {8: 100, 12: 101}})
    assert [work.games for work in workloads(more, tmp_path) if not work.played] == [101]


def larger(side: int, rules: str) -> dict:
    """A change of SMALL: larger boards of some rules."""
    return {"fronts": {"square8": SMALL["fronts"]["square8"] | {"larger": {side: {rules: 5}}}}}


WRONG = [
    ({"zeros": {9: 10}}, "zeros: key 9 must be a multiple of 2 in 8..2048"),
    ({"zeros": {}}, "zeros={} must not be empty"),
    ({"fronts": {"cubic6": {}}}, "cubic6"),
    ({"fronts": {"knight": SMALL["fronts"]["knight"]}}, "fronts must have square8"),
    ({"games": {"games": {8: 10}, "densities": [0.1, 0.1]}}, "must not hold a number twice"),
    ({"games": {"games": {8: 10}, "densities": [0.1, 1.2]}}, "must be a number between 0 and 1"),
    ({"sedd": 3}, "unknown key 'sedd'"),
    (larger(16, "complete"), "larger must not hold the side 16 of games"),
    (larger(20, "pairs"), "larger holds pairs at 20: densities must hold it too"),
    (larger(20, "complet"), "key 'complet' must be one of zeros, single"),
]


@pytest.mark.parametrize("change,message", WRONG)
def test_a_mistake_in_the_settings_is_one_line(change: dict, message: str) -> None:
    with pytest.raises(InputError) as raised:
        load_settings(SMALL | change)
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_the_settings_of_the_repository_can_be_read() -> None:
    settings = load_settings(ROOT / "workflow/config/percolation.yaml")
    assert set(settings.fronts) >= {"square8", "square4", "hexagonal", "knight"}
