"""Conditional play: the mean weight is the win rate, and the games are those of `weighted`."""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from msdensity.games.boards import Board, Rules
from msdensity.games.exact import exact_wins
from msdensity.games.game import play_game
from msdensity.games.play import kernel_task, play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.batch import Player, play
from msdensity.kernel.measures import PRODUCT_SCALE, Z_SCALE
from msdensity.players import conditional
from msdensity.players.forced import thread_memory
from msdensity.players.registry import PLAYERS
from msdensity.runs.sweep import top_up
from msdensity.stats.weights import WeightedRate, weighted_rate
from sizes import sizes

FALSE_ALARM = 1e-4
"""Of each test of random numbers."""

EXACT = (
    ("4x4", 4, Rules("corner", "safe")),
    ("4x5", 6, Rules("cell:7", "safe")),
    ("5x5", 5, Rules("centre", "zero")),
    ("5x5-torus8", 5, Rules("corner", "safe")),
    ("7x7-torus8", 4, Rules("corner", "safe")),
    ("4x5-hexagonal", 6, Rules("corner", "safe")),
    ("3x3x2-cubic26", 4, Rules("corner", "safe")),
    ("1x16", 4, Rules("corner", "safe")),
)
"""Boards of which every layout can be played; some in planes, some with a record for each cell."""

LARGE = (
    ("16x30", 99, Rules("corner", "safe")),
    ("16x30", 70, Rules("centre", "zero")),
    ("24x24-torus8", 90, Rules("centre", "zero")),
    ("8x8", 12, Rules("centre", "unprotected")),
    ("9x9-hexagonal", 18, Rules("random", "safe")),
)


def task(name: str, mines: int, rules: Rules, player: str = "conditional", seed: int = 31) -> Task:
    return Task(Board.parse(name), mines, player, {}, rules, seed)


def sums(each: Task, games: int, first: int = 0) -> dict[str, int]:
    return {"games": games} | play_batch(each, first, games)


def chi_square_p(z: list[float]) -> float:
    return float(stats.chi2.sf(np.square(z).sum(), len(z)))


def exact_rate(name: str, mines: int, rules: Rules) -> float:
    return float(exact_wins(Task(Board.parse(name), mines, rules=rules)).win_rate)


@pytest.fixture(scope="module")
def exact_rates() -> list[float]:
    return [exact_rate(*each) for each in EXACT]


def weights(each: Task, games: int) -> np.ndarray:
    """Return the weight of every game."""
    found = []
    for g in range(games):
        one = play_batch(each, g, 1)
        found.append(one["wins"] + one["z0"] / Z_SCALE)
    return np.array(found)


@pytest.mark.campaign
@pytest.mark.statistical
def test_the_mean_weight_is_the_exact_win_rate(exact_rates: list[float]) -> None:
    games = 1_000_000
    rates = [weighted_rate(sums(task(*each), games)) for each in EXACT]
    z = [(own.rate - W) / own.error for own, W in zip(rates, exact_rates, strict=True)]
    print(dict(zip([name for name, *_ in EXACT], np.round(z, 2).tolist(), strict=True)))
    assert chi_square_p(z) > FALSE_ALARM
    for own, W in zip(rates, exact_rates, strict=True):
        assert own.error**2 * (games - 1) < W * (1 - W)  # the variance of a win
    # negative control: the win rate with one mine more or less is found to be another
    wrong = exact_rate(EXACT[0][0], EXACT[0][1] + 1, EXACT[0][2])
    assert chi_square_p([(rates[0].rate - wrong) / rates[0].error, *z[1:]]) < FALSE_ALARM


@pytest.mark.campaign
@pytest.mark.statistical
@pytest.mark.parametrize("games", [200_000])
def test_mean_weight_and_wins_of_the_same_games_agree(games: int) -> None:
    z = []
    for each in LARGE:
        own = sums(task(*each), games)
        mean, square = own["z0"] / Z_SCALE / games, own["z0_z0"] / PRODUCT_SCALE / games
        z.append(mean / math.sqrt((square - mean**2) / games))
    assert chi_square_p(z) > FALSE_ALARM


@pytest.mark.statistical
@pytest.mark.parametrize("games", sizes(10_000, 200_000))
def test_mean_weight_and_wins_of_other_games_agree(games: int) -> None:
    def z(own: WeightedRate, other: dict[str, int]) -> float:
        share = other["wins"] / games
        return (own.rate - share) / math.hypot(own.error, math.sqrt(share * (1 - share) / games))

    rates = [weighted_rate(sums(task(*each), games)) for each in LARGE]
    others = [sums(task(*each, "weighted", seed=32), games) for each in LARGE]
    assert chi_square_p([z(*pair) for pair in zip(rates, others, strict=True)]) > FALSE_ALARM
    name, mines, rules = LARGE[0]  # negative control: three mines more
    assert abs(z(rates[0], sums(task(name, mines + 3, rules, "weighted"), games))) > 3.9


@pytest.mark.parametrize("each", [*EXACT[3:7], *LARGE], ids=lambda each: f"{each[0]}/{each[1]}")
def test_every_weight_is_in_0_to_1(each: tuple[str, int, Rules]) -> None:
    games = 300
    found = weights(task(*each), games)
    assert (found >= 0).all() and (found <= 1).all()
    assert len(set(found.tolist())) > 3
    own = sums(task(*each), games)
    assert round(found.sum() * Z_SCALE) == own["wins"] * Z_SCALE + own["z0"]


@pytest.mark.parametrize("each", LARGE[:4], ids=lambda each: f"{each[0]}/{each[1]}")
def test_the_games_are_those_of_weighted(each: tuple[str, int, Rules]) -> None:
    games = 300
    own, plain = sums(task(*each), games), sums(task(*each, "weighted"), games)
    assert {k for k in own if own[k] != plain[k]} <= {k for k in own if "z" in k}
    for g in range(5):
        own_game, game = (play_game(task(*each, name), g) for name in ("conditional", "weighted"))
        assert own_game.layout == game.layout and own_game.status == game.status
        for one, other in zip(own_game.moves, game.moves, strict=True):
            assert (one.cell, one.reason, one.safety) == (other.cell, other.reason, other.safety)


def test_a_start_at_the_first_0_has_no_exact_safety_and_no_weight() -> None:
    rules = Rules("corner", "first_zero")
    own, plain = (sums(task("8x8", 12, rules, name), 200) for name in ("conditional", "weighted"))
    assert own == plain


def test_it_is_not_offered_as_a_player() -> None:
    assert "conditional" not in PLAYERS


@pytest.mark.parametrize("name", ["10x10", "6x6-torus8"])
def test_a_ledger_has_the_same_bytes_whatever_the_batches_and_threads(name: str, tmp_path) -> None:
    tasks = [task(name, m, Rules()) for m in (7, 9)]
    contents = set()
    for batch, threads in ((1000, 1), (7, 1), (13, 3)):
        path = tmp_path / f"{batch}.csv"
        top_up(tasks, 100, path, batch=batch, threads=threads)
        contents.add(path.read_bytes())
    path = tmp_path / "resumed.csv"
    top_up(tasks, 41, path)
    top_up(tasks, 100, path)
    contents.add(path.read_bytes())
    assert len(contents) == 1


MUTANTS = {
    "decided after the look": (
        ("        if redraws:\n            weight *= safety\n", ""),
        ("        if not redraws:\n", "        weight *= safety\n        if not redraws:\n"),
    ),
    "without the safety": (("            weight *= safety\n", "            weight *= 1.0\n"),),
}
"""Wrong estimators: the changes of the source that make them."""


@pytest.mark.campaign
@pytest.mark.statistical
@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_weight_is_found(name: str, tmp_path, exact_rates: list[float]) -> None:
    text = Path(conditional.__file__).read_text(encoding="utf-8")
    for old, new in MUTANTS[name]:
        assert text.count(old) == 1
        text = text.replace(old, new)
    stem = "wrong_" + "_".join(name.split())
    path = tmp_path / f"{stem}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    games, z = 20_000, []
    for each, W in zip(EXACT[:3], exact_rates, strict=False):  # boards in planes: one compile
        player = Player(module.play_games, thread_memory, module.play_games_in_planes)
        found = play(player, kernel_task(task(*each)), 0, games)
        own = weighted_rate({"games": games} | found)
        z.append((own.rate - W) / max(own.error, 1e-6))
    print(name, np.round(z, 1).tolist())
    assert chi_square_p(z) < FALSE_ALARM
