"""The study of first clicks: against every layout of a small board, and against known truths."""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from brute_force import neighbour_lists
from scipy import stats

from msdensity.errors import InputError
from msdensity.games.play import kernel_task
from msdensity.kernel.deal import deal
from msdensity.studies.clicks.figures import FIGURES
from msdensity.studies.clicks.page import linked, page
from msdensity.studies.clicks.play import layout_task, play_map, play_replays, play_slopes, replay
from msdensity.studies.clicks.results import (
    click_tables,
    gain,
    luck,
    luck_table,
    orbits_of,
    symmetry,
)
from msdensity.studies.clicks.settings import load_settings
from msdensity.studies.plot import save_figure

SIDE, MINES = 4, 3
SMALL = {
    "study": "clicks",
    "seed": 3,
    "maps": {"games": 1000, "mines": {"4x4": [MINES]}},
    "slope_games": 2000,
    "layouts": {"games": 600, "mines": {"4x4": [MINES]}},
    "replays": 4,
}
NEIGHBOURS = neighbour_lists((SIDE, SIDE))
Layout = frozenset[int]


@cache
def chances(opened: frozenset[int], layouts: tuple[Layout, ...]) -> dict[Layout, Fraction]:
    """Return the win rate of each layout that a position allows, with ties at random."""
    left = set(range(SIDE * SIDE)) - opened
    if len(left) == MINES:
        return dict.fromkeys(layouts, Fraction(1))
    mined = {c: sum(c in layout for layout in layouts) for c in left}
    least = min(mined.values())
    choices = [c for c in sorted(left) if mined[c] == least]
    if least == 0:
        choices = choices[:1]  # certain cells: their order does not matter
    won: dict[Layout, Fraction] = dict.fromkeys(layouts, Fraction(0))
    for c in choices:
        for layout, chance in opening(opened, layouts, c).items():
            won[layout] += chance / len(choices)
    return won


def opening(opened: frozenset[int], layouts: tuple[Layout, ...], c: int) -> dict[Layout, Fraction]:
    """Return the win rate of each layout after cell c is opened; without those that mine it."""
    shown = defaultdict(list)
    for layout in layouts:
        if c not in layout:
            shown[len(layout.intersection(NEIGHBOURS[c]))].append(layout)
    won: dict[Layout, Fraction] = {}
    for alike in shown.values():
        won |= chances(opened | {c}, tuple(alike))
    return won


@cache
def exact(first: int, start: str) -> dict[Layout, Fraction]:
    """Return the win rate of each layout from a first click; all layouts are equally likely."""
    protected = {first, *(NEIGHBOURS[first] if start == "zero" else ())}
    free = sorted(set(range(SIDE * SIDE)) - protected)
    return opening(frozenset(), tuple(map(frozenset, combinations(free, MINES))), first)


@pytest.fixture(scope="module")
def settings():
    return load_settings(SMALL)


@pytest.fixture(scope="module")
def tables(settings, tmp_path_factory) -> dict[str, pd.DataFrame]:
    outcomes = pd.concat([play_map(settings, part) for part in settings.parts()])
    slopes = play_slopes(settings, str(tmp_path_factory.mktemp("ledger"))).table
    replays = play_replays(settings)
    made = click_tables(outcomes, slopes) | {"outcomes": outcomes, "replays": replays}
    return made | {"luck": luck_table(replays)}


@pytest.mark.parametrize("start", ["safe", "zero"])
def test_every_first_click_wins_as_often_as_all_layouts_say(tables, start) -> None:
    """Three places, within 4 standard errors; .05 more is caught. One place always wins."""
    own = tables["orbits"].query("start == @start")
    assert own["orbit"].tolist() == [0, 1, 5]
    for row in own.itertuples():
        layouts = exact(row.orbit, start)
        truth = float(sum(layouts.values()) / len(layouts))
        assert abs(row.win_rate - truth) <= 4 * row.win_rate_se < 0.05
        assert abs(row.win_rate + 0.05 - truth) > 4 * row.win_rate_se
        assert (truth == 1) is (start == "zero" and row.orbit == 5)
    (summary,) = tables["maps"].query("start == @start").itertuples()
    assert summary.contrasts == 13 and not summary.symmetry_p <= 0.001
    assert summary.corner == own["win_rate"].iloc[0]


def test_the_zero_start_is_the_safe_start_given_a_zero(tables) -> None:
    table = linked(tables["orbits"])
    assert table["orbit"].tolist() == [0, 5]
    for row in table.itertuples():
        layouts = exact(row.orbit, "safe")
        near = NEIGHBOURS[row.orbit]
        rest = [float(p) for layout, p in layouts.items() if layout.intersection(near)]
        assert row.zero == pytest.approx(1 - len(rest) / len(layouts))
        after = np.mean(rest)
        assert abs(row.after_number - after) < 4 * row.after_number_se < abs(after - 0.1)


def test_a_layout_is_won_again_as_often_as_it_should_be(settings) -> None:
    task = layout_task(settings, "4x4", MINES)
    layouts, replays = 600, 4
    won, no_guess = replay(task, layouts, replays)
    assert set(no_guess) == {0, replays} and (won[no_guess > 0] == replays).all()
    chance = exact(0, "safe")
    dealt = [deal(kernel_task(task), g)[0] for g in range(layouts)]
    p = [chance[frozenset(np.flatnonzero(mined).tolist())] for mined in dealt]
    certain = np.array([each in (0, 1) for each in p])
    assert 20 < certain.sum() < layouts  # the test can fail
    assert (won[certain] == np.array(p)[certain] * replays).all()
    p = np.array(p, float)
    spread = np.sqrt((p * (1 - p)).sum() * replays)
    assert abs(won.sum() - p.sum() * replays) < 4 * spread
    z = (won - p * replays)[~certain] / np.sqrt(replays * (p * (1 - p))[~certain])
    assert abs((z**2).mean() - 1) < 4 * (z**2).std() / np.sqrt(len(z))  # replays are independent


def test_the_variance_between_layouts_is_that_of_all_layouts(tables) -> None:
    (row,) = tables["luck"].itertuples()
    p = np.array([*exact(0, "safe").values()], float)
    assert abs(row.win_rate - p.mean()) < 4 * row.win_rate_se
    assert abs(row.between - p.var()) < 4 * row.between_se
    share = p.var() / (p.mean() * (1 - p.mean()))
    assert abs(row.share - share) < 4 * row.share_se
    own = tables["replays"].sort_values("won")
    rates = np.repeat(own["won"], own["layouts"]) / row.replays
    assert rates.var() - p.var() > 4 * row.between_se  # the variance of the rates is no estimate


@pytest.mark.parametrize(("share", "replays"), [(0.3, 4), (0.8, 2), (0.02, 8)])
def test_the_share_of_layouts_covers_a_known_truth(share, replays) -> None:
    """Layouts of a beta distribution; false alarms 1 in 500, and the plain variance fails."""
    runs, layouts, mean = 300, 500, 0.4
    rng = np.random.default_rng(1)
    p = rng.beta(*np.array([mean, 1 - mean]) * (1 / share - 1), (runs, layouts))
    won = rng.binomial(replays, p)
    z, plain = [], []
    for own in won:
        found = luck(np.bincount(own, minlength=replays + 1).astype(float))
        z.append((found["share"] - share) / found["share_se"])
        z_plain = (own / replays).var() / (mean * (1 - mean)) - share
        plain.append(z_plain / found["share_se"])
        assert found["win_rate_se"] == pytest.approx(
            own.std(ddof=1) / replays / np.sqrt(layouts), rel=1e-6
        )
    low, high = stats.chi2.ppf([0.0005, 0.9995], runs)
    assert low < np.square(z).sum() < high and abs(np.mean(z)) < 3.3 / np.sqrt(runs)
    assert np.square(plain).sum() > high


def test_cells_that_symmetry_exchanges() -> None:
    assert orbits_of(3, 3).tolist() == [0, 1, 0, 1, 4, 1, 0, 1, 0]
    assert orbits_of(3, 4).tolist() == [0, 1, 1, 0, 4, 5, 5, 4, 0, 1, 1, 0]
    assert len(set(orbits_of(9, 9))) == 15 and len(set(orbits_of(16, 16))) == 36


def test_the_test_of_symmetry_has_its_level_and_sees_one_cell_that_differs() -> None:
    rng = np.random.default_rng(2)
    orbit = np.array([0, 1, 0, 1, 0])

    def p(shift: float) -> float:
        easy = rng.normal(size=300) * 0.8  # the cells share their boards
        rates = np.array([0, 0.3, 0, 0.3, shift])[:, None]
        return symmetry(easy + rng.normal(size=(5, 300)) + rates > 0, orbit)["symmetry_p"]

    alarms = sum(p(0) < 0.05 for _ in range(400))
    assert stats.binomtest(alarms, 400, 0.05).pvalue > 0.001
    assert sum(p(0.4) < 0.05 for _ in range(20)) > 15
    assert np.isnan(symmetry(np.ones((5, 300), bool), orbit)["symmetry_p"])
    assert np.isnan(symmetry(rng.random((5, 3)) < 0.5, orbit)["symmetry_p"])


def test_a_place_is_compared_game_by_game(tables) -> None:
    cells = tables["cells"].query("start == 'safe'")
    assert (cells["both"] + cells["first_only"] == cells["wins"]).all()
    assert (cells["first_only"] - cells["second_only"] == 1000 * cells["difference"]).all()
    texts = tables["outcomes"].query("start == 'safe'")["won"]
    bits = [np.frombuffer(bytes.fromhex(won), np.uint8) for won in texts]
    won = np.unpackbits(bits, axis=1, count=1000)
    apart = won[[5, 6, 9, 10]].mean(axis=0) - won[[0, 3, 12, 15]].mean(axis=0)
    row = tables["orbits"].query("start == 'safe' and orbit == 5").iloc[0]
    error = apart.std(ddof=1) / np.sqrt(1000)
    assert row["difference"] == pytest.approx(apart.mean())
    assert row["difference_se"] == pytest.approx(error)
    half = stats.norm.isf(0.025 / 2) * error  # two places beside the corner
    assert row["difference_high"] - row["difference"] == pytest.approx(half)


def test_a_gain_in_density_has_the_errors_of_both() -> None:
    rng = np.random.default_rng(4)
    found = gain(0.1, 0.01, (5.0, 0.4))
    drawn = rng.normal(0.1, 0.01, 100_000) / rng.normal(5, 0.4, 100_000)
    assert found["gain"] == 0.02
    assert found["gain_se"] == pytest.approx(drawn.std(), rel=0.03)
    assert np.isnan([*gain(0.1, 0.01, (-1.0, 0.4)).values()]).all()


@pytest.mark.parametrize(
    ("above", "below", "words"),
    [
        (0, 2, "Yes: on all 1 maps every other place wins less often"),
        (0, 1, "No place beats the corner beyond chance on any of 1 maps"),
        (1, 0, "No: on 1 of 1 maps some place beats the corner"),
    ],
)
def test_the_page_says_what_the_tables_say(tables, settings, tmp_path, above, below, words) -> None:
    figures = {}
    for name, draw in FIGURES.items():
        wanted = ("replays", "luck") if name == "luck" else ("cells", "orbits")
        figures[name] = tmp_path / f"{name}.png"
        if above:
            save_figure(draw(**{each: tables[each] for each in wanted}), figures[name])
        else:
            figures[name].write_bytes(b"")
    maps = tables["maps"].assign(above_corner=above, below_corner=below, symmetry_p=0.5)
    text = page(tables | {"maps": maps}, settings, figures)
    assert text.count(words) == 2
    assert "None of 2 tests has p &lt; 0.001" in text
    text = page(tables | {"maps": maps.assign(symmetry_p=1e-5)}, settings, figures)
    assert "2 of 2 tests have p &lt; 0.001" in text and "then\nthe tables below do not" in text


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("maps", {"games": 9, "mines": {"4x4": [7]}}, "maps.mines=7 of 4x4 must be in 2..6"),
        ("maps", {"games": 9, "mines": {"16x16": [3]}}, "maps.mines=3 of 16x16 must be in 4.."),
        ("layouts", {"games": 10**7, "mines": {"4x4": [3]}}, "layouts.games=10000000 must be at"),
        ("replays", 1, "replays=1 must be a whole number in 2..1000"),
    ],
)
def test_settings_that_cannot_be_played_are_one_error(key, value, message) -> None:
    with pytest.raises(InputError, match=message.replace(".", r"\.")):
        load_settings(SMALL | {key: value})
