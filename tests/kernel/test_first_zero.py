"""Starts at the first cell that shows 0, against every layout of small boards and stored rates."""

import itertools
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from brute_force import neighbour_lists
from scipy import stats

from msdensity.errors import InputError
from msdensity.files.own_code import load_own_code
from msdensity.games.analysis import analyse
from msdensity.games.boards import Board, Rules
from msdensity.games.game import Game, play_game
from msdensity.games.play import boards_without_zero, kernel_task, play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.batch import KernelTask
from msdensity.kernel.deal import count_zeros, deal
from msdensity.kernel.names import EVEN_SIDES, FIRST_ZEROS, TOPOLOGIES
from msdensity.players.registry import PLAYERS
from places import DATA
from sizes import sizes

KEYS = (0x7654321, 0xABCDEF)
FALSE_ALARM = 1e-4
AXES = {"cubic6": (3, 3, 4), "cubic26": (3, 3, 4), "box": (1, 2, 3, 7), "torus": (4, 5, 5)}


def first_of(shape: tuple[int, ...], near: list[list[int]], mined: set[int], start: str) -> int:
    """Return the first cell that shows 0 in the order of `start`, or -1."""
    places = itertools.product(*map(range, shape))
    if start == "first_zero_by_columns":
        places = sorted(places, key=lambda place: place[::-1])
    for place in places:
        c = int(np.ravel_multi_index(place, shape))
        if not mined & {c, *near[c]}:
            return c
    return -1


@pytest.mark.parametrize("start", FIRST_ZEROS)
@pytest.mark.parametrize(
    "shape,mines,games",
    [((3, 3), 1, 200), ((3, 3), 2, 600), ((3, 4), 2, 1200), ((2, 7), 3, 6000), ((4, 4), 3, 7000)],
)
def test_every_layout_is_dealt_equally_often_and_starts_at_its_first_zero(
    shape: tuple[int, ...], mines: int, games: int, start: str
) -> None:
    near, met = neighbour_lists(shape), Counter()
    task = KernelTask(shape, "square8", mines, "corner", start, KEYS)
    zeros = 0
    for g in range(games):
        mined, first = deal(task, g)
        cells = frozenset(np.flatnonzero(mined).tolist())
        zero = first_of(shape, near, set(cells), start)
        assert first == max(zero, 0)
        zeros += zero >= 0
        met[cells] += 1
    assert len(met) == math.comb(math.prod(shape), mines)
    assert stats.chisquare(list(met.values())).pvalue > FALSE_ALARM
    assert count_zeros(task, 0, games) == zeros
    assert count_zeros(task, 0, 50) + count_zeros(task, 50, games - 50) == zeros
    some_without = shape in ((3, 3), (3, 4), (2, 7))
    assert (zeros < games) == some_without


def board_of(topology: str) -> Board:
    return Board(AXES.get(topology, (6, 8) if topology in EVEN_SIDES else (5, 7)), topology)


RING = [[i - 1 if i else 11, (i + 1) % 12] for i in range(12)]
"""A custom board."""


def check_games(task: Task, games: int) -> Counter[str]:
    """Compare games with the same ones under a first click at the same cell, unprotected.

    Boards and random choices are the same under every start, so all measures must be equal but for
    the sums Z, which only the other start has.
    """
    seen: Counter[str] = Counter()
    near, shape = neighbour_lists(task.board.shape, task.board.topology), task.board.shape
    for g in range(games):
        sums = play_batch(task, g, 1)
        if sums["redrawn"]:
            continue
        mined, first = deal(kernel_task(task), g)
        zero = first_of(shape, near, set(np.flatnonzero(mined).tolist()), task.rules.start)
        rules = Rules(f"cell:{max(zero, 0)}", "unprotected")
        same = Task(task.board, task.mines, task.player, task.options, rules, task.seed)
        expected = play_batch(same, g, 1)
        played = play_game(task, g)
        assert played.moves[0].cell == np.unravel_index(max(zero, 0), shape)
        assert first == max(zero, 0)
        stated = 1 if zero >= 0 else 1 - task.mines / task.board.cells
        assert (played.moves[0].reason, played.moves[0].safety) == ("first click", stated)
        assert {name: n for name, n in expected.items() if "z" not in name} == {
            name: n for name, n in sums.items() if "z" not in name
        }
        assert not any(n for name, n in sums.items() if "z" in name)
        seen["other Z"] += expected["z0_z0"] > 0
        seen["won"] += sums["wins"]
        seen["lost at once"] += sums["opened"] == 0
        seen["moved"] += zero > 0
        seen["no zero"] += zero < 0
    assert boards_without_zero(task, 0, games) >= seen["no zero"]
    return seen


@pytest.mark.parametrize("topology", [*TOPOLOGIES, "custom"])
@pytest.mark.parametrize("games", sizes(7, 150))
def test_a_game_goes_on_as_after_a_click_at_the_same_cell(topology: str, games: int) -> None:
    own = topology == "custom"
    board = Board.from_neighbours(RING) if own else board_of(topology)
    seen: Counter[str] = Counter()
    for start, share in itertools.product(FIRST_ZEROS[: 1 if own else 2], (0.06, 0.12, 0.25)):
        task = Task(board, round(share * board.cells), rules=Rules(start=start), seed=3)
        seen += check_games(task, games)
    assert seen["won"] and seen["moved"] and seen["other Z"], seen


@pytest.mark.parametrize("player", PLAYERS)
def test_every_player_starts_at_the_first_zero(player: str) -> None:
    seen = check_games(Task(Board((6, 7)), 11, player, {}, Rules(start="first_zero"), 3), 20)
    assert seen["moved"] > 5
    seen += check_games(
        Task(Board((4, 6)), 8, player, {}, Rules(start="first_zero_by_columns"), 3), 20
    )
    assert seen["no zero"] > 2 and seen["lost at once"]


def test_larger_boards_of_several_tiles_scan_on() -> None:
    for shape, mines in (((40, 35), 600), ((17, 70), 330), ((20, 20), 399)):
        for start in FIRST_ZEROS:
            check_games(Task(Board(shape), mines, rules=Rules(start=start), seed=1), 4)


def test_batches_add_up_and_other_starts_play_other_games() -> None:
    task = Task(Board((6, 8)), 9, rules=Rules(start="first_zero"), seed=2)
    together, parts = play_batch(task, 0, 300), [(200, 100), (0, 1), (1, 199)]
    sums = [play_batch(task, *part) for part in parts]
    assert together == {name: sum(part[name] for part in sums) for name in together}
    columns = Task(task.board, 9, rules=Rules(start="first_zero_by_columns"), seed=2)
    assert columns.board_key == task.board_key and columns.task_id != task.task_id
    assert together != play_batch(columns, 0, 300)
    turned = Task(Board((8, 6)), 9, rules=Rules(start="first_zero_by_columns"), seed=2)
    rates = [play_batch(each, 0, 20_000)["opened"] for each in (task, turned)]
    assert abs(rates[0] / rates[1] - 1) < 0.02  # by columns is by rows of the board turned over


# ---- win rates of a player against every layout, by the public rules of the game

SOURCE = """
import numpy as np


def first_best(view, safeties):
    return np.argwhere(safeties >= np.nanmax(safeties) - 1e-9)[0]
"""


def by_hand(layout: list[str], mines: int, first: int) -> tuple[bool, float]:
    """Return whether `first_best` wins from this first cell, and its Z_0 without this click."""
    game, z = Game(layout), 0.0
    game.act("open", *np.unravel_index(first, game.shape))
    while game.status == "playing":
        analysis = analyse(game.view(), mines)
        cells = analysis.safe
        if not cells:
            cell = tuple(np.argwhere(analysis.safety >= np.nanmax(analysis.safety) - 1e-9)[0])
            z += (layout[cell[0]][cell[1]] == "-") - float(analysis.safety[cell])
            cells = [cell]
        for cell in cells:
            game.act("open", *cell)
    return game.status == "won", z


def every_layout(
    start: str, shape: tuple[int, int], mines: int
) -> dict[tuple[str, ...], tuple[bool, float]]:
    """Return how each layout ends: whether it is won, and Z_0."""
    ends, near, (p, q) = {}, neighbour_lists(shape), shape
    for chosen in itertools.combinations(range(p * q), mines):
        text = "".join("*" if c in chosen else "-" for c in range(p * q))
        layout = [text[r : r + q] for r in range(0, p * q, q)]
        first = first_of(shape, near, {*chosen}, start) if start in FIRST_ZEROS else 0
        won, z = by_hand(layout, mines, max(first, 0))
        if start not in FIRST_ZEROS:
            z += (0 not in chosen) - (1 - mines / (p * q))
        ends[tuple(layout)] = won, z
    return ends


@pytest.mark.parametrize("start", FIRST_ZEROS)
@pytest.mark.parametrize("shape,mines,games", sizes(((3, 3), 2, 400), ((3, 4), 3, 3000)))
def test_a_player_wins_the_layouts_that_it_wins_by_hand(
    shape: tuple[int, int],
    mines: int,
    games: int,
    start: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "own_first_best.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    load_own_code.cache_clear()
    ends = every_layout(start, shape, mines)
    task = Task(Board(shape), mines, "own_first_best:first_best", {}, Rules(start=start), 4)
    won = {}
    for g in range(games):
        played = play_game(task, g)
        won[tuple(played.layout)] = played.status == "won"
    assert won == {layout: end[0] for layout, end in ends.items()}
    rate = np.mean([*won.values()])
    wins = play_batch(task, 0, games)["wins"]
    assert 0 < rate < 1
    assert abs(wins - games * rate) < 4 * math.sqrt(games * rate * (1 - rate))


def test_the_safeties_that_players_state_are_not_exact_after_a_hint() -> None:
    """So that Z is not counted: over all layouts its mean is 0 for an ordinary start alone."""
    means = {
        start: float(np.mean([z for _, z in every_layout(start, (3, 4), 3).values()]))
        for start in ("unprotected", *FIRST_ZEROS)
    }
    assert abs(means["unprotected"]) < 1e-12
    assert min(abs(means[start]) for start in FIRST_ZEROS) > 1e-3, means


# ---- rates by another program


def excess(first: int, games: int, second: int, others: int) -> float:
    """Return the z of the difference of two shares."""
    pooled = (first + second) / (games + others)
    return (first / games - second / others) / math.sqrt(
        pooled * (1 - pooled) * (1 / games + 1 / others)
    )


@pytest.mark.statistical
@pytest.mark.parametrize(
    "games,boards", sizes((1000, ["8x8"]), (20_000, ["8x8", "13x15", "16x30"]))
)
def test_win_rates_are_those_of_a_prototype(games: int, boards: list[str]) -> None:
    """Players of 004 on its boards; 24 tests, each with a false alarm of 6e-5."""
    rates = pd.read_csv(DATA / "first_zero_rates.csv")
    far = 0
    for row in rates[rates["board"].isin(boards)].itertuples():
        options = {"drawn": "any"} if row.player == "naive_single_point" else {}

        def z(start: str, row=row, options=options) -> float:
            task = Task(Board.parse(row.board), row.mines, row.player, options, Rules(start=start))
            return excess(play_batch(task, 0, games)["wins"], games, row.wins, row.games)

        assert abs(z(row.start)) < 4, row
        far += abs(z("safe")) > 4
    assert far >= 3 * len(boards)  # control: another start is noticed


# ---- what is refused


def test_rules_that_contradict_the_start_are_refused() -> None:
    for click in ("centre", "random", "cell:0"):
        with pytest.raises(InputError, match=f"first_click={click} must be corner"):
            Rules(click, "first_zero")
    ring = Board.from_neighbours(RING)
    assert Task(ring, 3, rules=Rules(start="first_zero")).mines == 3
    with pytest.raises(InputError, match="must be first_zero on a custom board"):
        Task(ring, 3, rules=Rules(start="first_zero_by_columns"))
    with pytest.raises(InputError, match=r"mines=12 must be in 1..11"):
        Task(Board((3, 4)), 12, rules=Rules(start="first_zero"))
    with pytest.raises(InputError, match="start=safe must be one of first_zero"):
        boards_without_zero(Task(Board((3, 4)), 2), 0, 10)


def test_any_number_of_mines_can_be_dealt() -> None:
    for mines in range(13):
        task = KernelTask((3, 4), "square8", mines, "corner", "first_zero", KEYS)
        assert deal(task, 0)[0].sum() == mines
    with pytest.raises(InputError, match=r"mines=13 must be in 0..12"):
        deal(KernelTask((3, 4), "square8", 13, "corner", "first_zero", KEYS), 0)
