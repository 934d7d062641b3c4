"""The study of definitions: what it counts, its tables, page, figures, settings and plan."""

from collections import deque
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from msdensity.errors import InputError
from msdensity.games.play import kernel_task, play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.deal import count_zeros
from msdensity.studies.definitions import play
from msdensity.studies.definitions.columns import TABLES
from msdensity.studies.definitions.figures import FIGURES
from msdensity.studies.definitions.page import page
from msdensity.studies.definitions.play import (
    clicks,
    play_games,
    play_layouts,
    play_sums,
    time_games,
)
from msdensity.studies.definitions.results import (
    cost_peaks,
    first_cells_table,
    measured,
    relations_table,
    zero_chance,
)
from msdensity.studies.definitions.settings import STARTS, Part, load_settings
from msdensity.studies.definitions.workloads import workloads
from msdensity.studies.plot import save_figure
from places import ROOT

SMALL: dict[str, Any] = {
    "study": "definitions",
    "seed": 3,
    "games": {6: 30, 8: 30, 10: 30, 12: 30},
    "layouts": {6: 40, 8: 40},
    "timed": {6: 200},
    "densities": [0.03, 0.06, 0.1, 0.14, 0.18, 0.22, 0.26, 0.3, 0.35, 0.4, 0.5],
    "inference": {"density": 0.2524, "error": 0.0003},
    "cascade": {"density": 0.09576, "error": 0.00005},
}
SETTINGS = load_settings(SMALL)


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    games = [play_games(SETTINGS, str(side)) for side in SETTINGS.games]
    layouts, cost = play_layouts(SETTINGS), time_games(SETTINGS)
    made = measured(pd.concat(games, ignore_index=True), layouts)
    return made | {"layouts": layouts, "cost": cost, "cost_peaks": cost_peaks(cost)}


def test_the_sums_are_those_of_single_games_on_the_same_boards() -> None:
    task = Part("weighted", "zero", 8).task(14, 3)
    ends = [play_batch(task, g, 1) for g in range(50)]
    won, guesses, opened = (
        np.array([end[name] for end in ends]) for name in ("wins", "guesses", "opened")
    )
    made = play_sums(task, 0, 50)
    assert made[:2] == [won.sum(), sum(end["no_guess_wins"] for end in ends)]
    assert made[2:5] == [guesses.sum(), (guesses**2).sum(), guesses[won == 1].sum()]
    assert made[5:7] == [opened.sum(), (opened**2).sum()]
    assert 0 < made[4] < made[2]
    never = Part("complete", "safe", 8).task(14, 3)
    assert never.board_key == task.board_key and play_sums(never, 0, 50)[2] == 0


def pressed(mined: np.ndarray) -> int:
    """Return the clicks by pressing: the 0s first, each with its cascade, then what is left."""
    p, q = mined.shape

    def near(r: int, c: int) -> list[tuple[int, int]]:
        cells = [(r + a, c + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
        return [(a, b) for a, b in cells if 0 <= a < p and 0 <= b < q]

    number = {(r, c): sum(mined[cell] for cell in near(r, c)) for r in range(p) for c in range(q)}
    closed = {cell for cell in number if not mined[cell]}
    presses = 0
    for cell in sorted(closed, key=lambda cell: number[cell] > 0):
        if cell not in closed:
            continue
        presses += 1
        queue = deque([cell])
        closed.discard(cell)
        while queue:
            at = queue.popleft()
            for other in near(*at) if number[at] == 0 else ():
                if other in closed:
                    closed.discard(other)
                    queue.append(other)
    return presses


def test_clicks_are_those_of_pressing_the_cells() -> None:
    rng = np.random.default_rng(5)
    boards = [
        rng.random((6, 7)) < density for density in (0.02, 0.08, 0.15, 0.3) for _ in range(40)
    ]
    assert [clicks(mined) for mined in boards] == [pressed(mined) for mined in boards]
    assert clicks(np.zeros((5, 5), bool)) == 1 and clicks(np.ones((5, 5), bool)) == 0


def test_a_first_cell_shows_0_as_often_as_the_formula_says() -> None:
    """10,000 boards: 4.4 errors are a false alarm of 1e-5; an edge would be seen."""
    for near in (3, 5, 8):
        exact = Fraction(comb(35 - near, 6), comb(35, 6))
        assert zero_chance(36, 6, near) == pytest.approx(float(exact), rel=1e-12)
    task = Task("6x6", 6, "weighted", {}, STARTS["safe"], 7)  # type: ignore[arg-type]
    games = 10_000
    share = count_zeros(kernel_task(task), 0, games) / games
    chance, error = zero_chance(36, 6, 3), 4.4 * 0.5 / np.sqrt(games)
    assert abs(share - chance) < error < abs(share - zero_chance(36, 6, 5))


def test_the_densities_of_first_cells_go_to_their_limits() -> None:
    table = first_cells_table([10, 1000])
    for near, limit in ((3, 0.2063), (5, 0.1294), (8, 0.0830)):
        own = table[table["neighbours"] == near].set_index("side")["density"]
        assert own[pd.NA] == pytest.approx(limit, abs=5e-5)
        assert own[10] < own[1000] < own[pd.NA] < own[1000] + 1e-4
        assert zero_chance(100, 100 * own[10], near) == pytest.approx(0.5)


def game_row(games: int, sums: dict[str, int]) -> dict[str, Any]:
    head = dict(part="games", player="weighted", start="zero", side=10, mines=20, density=0.2)
    rest = dict.fromkeys(["opened", "opened_squared", "component", "component_squared"], 0)
    return head | dict(seed=1, kernel_version=1, games=games) | sums | rest


def test_the_errors_of_the_relations_know_that_the_games_are_the_same() -> None:
    """400 tables of 3,000 games; 5 % accuracy of a standard deviation is 1.4 of its errors."""
    rng = np.random.default_rng(6)
    rows = []
    for _ in range(400):
        forced = rng.poisson(0.9, 3000)
        lost_at = rng.geometric(0.5, 3000)
        made = np.minimum(forced, lost_at)
        won = lost_at > forced
        sums = dict(wins=won.sum(), no_guess=(forced == 0).sum(), guesses=made.sum())
        sums |= dict(guesses_squared=(made**2).sum(), won_guesses=made[won].sum())
        rows.append(game_row(3000, {name: int(value) for name, value in sums.items()}))
    made = relations_table(pd.DataFrame(rows)[[*TABLES["games"]]])
    assert len(made) == 400
    for name, truth in (("power", 2.0), ("ratio", 1.0)):
        pulls = (made[name] - truth) / made[f"{name}_se"]
        assert abs(pulls.mean()) < 4.4 / 20
        assert 1e-5 < stats.chi2.sf((pulls**2).sum(), 400) < 1 - 1e-5
        assert stats.chi2.sf(((1.5 * pulls) ** 2).sum(), 400) < 1e-5


def test_the_end_does_not_depend_on_batches(tables: dict, monkeypatch) -> None:
    monkeypatch.setattr(play, "BATCH_CELLS", 700)
    cut = play_games(SETTINGS, "6")
    own = tables["games"]
    pd.testing.assert_frame_equal(
        cut, own[own["side"] == 6].reset_index(drop=True), check_exact=True
    )
    other = SETTINGS.model_copy(update={"seed": 4})
    assert not play_games(other, "6")["opened"].equals(cut["opened"])


def test_means_are_shares_of_what_could_be_opened(tables: dict) -> None:
    means = tables["means"].set_index(["part", "measure", "start", "side", "mines"])["mean"]
    row = tables["games"].query(
        "part == 'games' and player == 'complete' and start == 'zero' and side == 8"
    )
    (first, *_) = row.itertuples()
    expected = first.opened / first.games / (64 - first.mines)
    assert means["games", "inferred", "zero", 8, first.mines] == pytest.approx(expected)
    shares = means.drop(["guesses", "component"], level="measure")
    assert shares.between(0, 1).all()


def test_the_page_and_the_figures(tables: dict, tmp_path) -> None:
    paths = {}
    for name, draw in FIGURES.items():
        wanted = draw.__wrapped__.__code__.co_varnames[: draw.__wrapped__.__code__.co_argcount]
        paths[name] = tmp_path / f"{name}.png"
        save_figure(draw(*(tables[table] for table in wanted)), paths[name])
    text = page(tables, SETTINGS, paths)
    met = tables["critical"].query("definition == 'won' and start == 'zero' and side == 12")
    assert f"{met['density'].iloc[0]:.3f}" in text
    assert text == page(tables, SETTINGS, paths)


def test_the_page_says_what_it_can_without_fits_and_peaks(tables: dict, tmp_path) -> None:
    path = tmp_path / "any.png"
    save_figure(FIGURES["limits"](tables["critical"]), path)
    few = {n: tables[n].iloc[:0] for n in ("limits", "steps", "peaks", "cost_peaks", "relations")}
    some = tables | few | {"critical": tables["critical"].query("side == 8")}
    assert "critical density" in page(some, SETTINGS, dict.fromkeys(FIGURES, path))


def test_a_plan_knows_what_is_there(tables: dict, tmp_path) -> None:
    works = workloads(SETTINGS, tmp_path)
    assert not any(work.played for work in works)
    assert {work.part for work in works} == {"games", "layouts", "cost"}
    (tmp_path / "games").mkdir()
    for side, own in tables["games"].groupby("side"):
        own.to_csv(tmp_path / f"games/{side}.csv", index=False)
    for name in ("layouts", "cost"):
        tables[name].to_csv(tmp_path / f"{name}.csv", index=False)
    assert all(work.played for work in workloads(SETTINGS, tmp_path))
    more = load_settings(SMALL | {"layouts": {6: 40, 8: 60}})
    left = [work.games for work in workloads(more, tmp_path) if not work.played]
    assert left == [60]


WRONG = [
    ({"games": {5: 100}}, "games: key 5 must be a whole number in 6..1000"),
    ({"games": {}}, "games={} must not be empty"),
    ({"timed": {6: 150}}, "timed[6]=150 must be a multiple of 200"),
    ({"densities": [0.1, 0.1, 0.2, 0.3, 0.4]}, "must not hold a number twice"),
    ({"densities": [0.1, 0.2, 0.3, 0.4, 1.2]}, "must be a number between 0 and 1"),
    ({"inference": {"density": 0.25}}, "inference must have the key 'error'"),
    ({"sedd": 3}, "unknown key 'sedd'"),
]


@pytest.mark.parametrize("change,message", WRONG)
def test_a_mistake_in_the_settings_is_one_line(change: dict, message: str) -> None:
    with pytest.raises(InputError) as raised:
        load_settings(SMALL | change)
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_the_settings_of_the_repository_can_be_read() -> None:
    settings = load_settings(ROOT / "workflow/config/definitions.yaml")
    assert {10, 16, 32, 64, 128} <= set(settings.games)
