"""Mines are placed uniformly under every start rule, and the same board is dealt under each."""

import itertools
from collections import defaultdict

import numpy as np
import pytest
from layers import cells_in
from scipy import stats

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.play import kernel_task, play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.batch import KernelTask, thread_workspace
from msdensity.kernel.deal import deal
from msdensity.kernel.names import FIRST_CLICKS
from msdensity.kernel.topology import cached_table, first_cells

STARTS = ("safe", "zero", "unprotected")
"""Those that leave the first click to another rule; see test_first_zero.py for the others."""

SHAPE = (4, 5)
MINES = 4
KEYS = (0x1234567, 0x89ABCDE)
FALSE_ALARM = 1e-4
"""Of each single test; KEYS fix the games, so a pass stays a pass."""

Layouts = list[tuple[int, np.ndarray, np.ndarray]]
"""First click, cells that may be mined, mined cells: one entry a game."""


def free_cells(first: int, start: str) -> np.ndarray:
    """Return the cells in which the start rule allows mines."""
    table = cached_table(SHAPE, "square8")
    closed = {"unprotected": [], "safe": [first]}
    near = table.neighbours[table.start[first] : table.start[first + 1]].tolist()
    return np.setdiff1d(np.arange(20), closed.get(start, [first, *near]))


def dealt(first_click: str, start: str, games: int) -> Layouts:
    layouts = []
    for g in range(games):
        mined, first = deal(KernelTask(SHAPE, "square8", MINES, first_click, start, KEYS), g)
        layouts.append((first, free_cells(first, start), np.flatnonzero(mined)))
    return layouts


def uniformity(layouts: Layouts, size: int) -> float:
    """Return the p-value of "a random set of `size` mined cells is uniform over the free ones".

    From each game one set of its mines is drawn at random, which makes the counts multinomial;
    Pearson's statistic is added up over the games with the same first click.
    """
    rng = np.random.default_rng(99)
    groups = defaultdict(list)
    for first, free, mined in layouts:
        groups[first, tuple(free)].append(tuple(sorted(rng.permutation(mined)[:size])))
    chi2 = 0.0
    degrees = 0
    for (_, free), drawn in groups.items():
        counts = dict.fromkeys(itertools.combinations(free, size), 0)
        for chosen in drawn:
            counts[chosen] += 1  # a mine on a protected cell is a KeyError
        expected = len(drawn) / len(counts)
        assert expected > 3
        chi2 += sum((count - expected) ** 2 for count in counts.values()) / expected
        degrees += len(counts) - 1
    return float(stats.chi2.sf(chi2, degrees))


@pytest.mark.statistical
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(
    "first_click,size,games",
    [
        *((click, 1, 120) for click in FIRST_CLICKS),
        ("cell:7", 2, 700),
        *(pytest.param(click, 2, 700, marks=pytest.mark.campaign) for click in FIRST_CLICKS),
    ],
)
def test_cells_and_pairs_of_cells_are_mined_uniformly(
    first_click: str, size: int, games: int, start: str
) -> None:
    """Each cell that may be the first click has the same number of games."""
    layouts = dealt(first_click, start, games * len(first_cells(SHAPE, first_click)))
    assert all(len(mined) == MINES for _, _, mined in layouts)
    assert uniformity(layouts, size) > FALSE_ALARM
    clicks = np.unique([first for first, _, _ in layouts], return_counts=True)
    assert clicks[0].tolist() == first_cells(SHAPE, first_click).tolist()
    if len(clicks[0]) > 1:
        assert stats.chisquare(clicks[1]).pvalue > FALSE_ALARM


@pytest.mark.statistical
def test_the_uniformity_test_catches_cells_and_pairs_that_are_not_uniform() -> None:
    """Controls: a mine moved from the protected cell to the next; a fixed pattern moved around."""
    rng = np.random.default_rng(5)
    free = np.arange(1, 20)
    moved, turned = [], []
    for _ in range(1500):
        mined = set(rng.permutation(20)[:MINES].tolist())
        spot = 0
        while 0 in mined:  # the next cell that is not mined
            spot += 1
            mined = mined if spot in mined else mined - {0} | {spot}
        moved.append((0, free, np.array(sorted(mined))))
        turned.append((0, free, 1 + (np.array([0, 1, 2, 9]) + rng.integers(19)) % 19))
    assert uniformity(moved, 1) < FALSE_ALARM
    assert uniformity(turned, 1) > FALSE_ALARM
    assert uniformity(turned, 2) < FALSE_ALARM


def test_every_layout_of_a_tiny_board_is_equally_likely() -> None:
    games = 8400
    counts = defaultdict(int)
    for g in range(games):
        mined, _ = deal(KernelTask((3, 3), "square8", 3, "corner", "safe", KEYS), g)
        counts[mined.tobytes()] += 1
    assert len(counts) == 56  # C(8, 3)
    assert stats.chisquare(list(counts.values())).pvalue > FALSE_ALARM


def mines_met(task: Task, g: int) -> set[int]:
    """Return the mined cells of game g as it was played."""
    play_batch(task, g, 1)
    table = cached_table(task.board.shape, task.board.topology)
    return set(np.flatnonzero(cells_in(table, thread_workspace(table).mined)).tolist())


def test_every_start_gets_the_same_board_except_for_the_protected_cells() -> None:
    differ = 0
    for g in range(150):
        met = {
            start: mines_met(
                Task(Board((6, 7)), 10, "weighted", {}, Rules("cell:16", start), seed=3), g
            )
            for start in STARTS
        }
        table = cached_table((6, 7), "square8")
        near = set(table.neighbours[table.start[16] : table.start[17]].tolist())
        for start, protected in (("safe", {16}), ("zero", {16} | near)):
            assert not met[start] & protected
            assert met[start] >= met["unprotected"] - protected
            moved = met[start] - met["unprotected"]
            assert len(moved) == len(met["unprotected"] & protected)
            differ += bool(moved)
        assert met["zero"] >= met["safe"] - near  # the same cells replace the moved mines
    assert differ > 100


def test_a_board_dealt_without_a_player_is_the_board_that_is_played() -> None:
    for start in STARTS:
        task = Task(Board((6, 7)), 9, "weighted", {}, Rules("random", start), seed=8)
        for g in range(30):
            mined, _ = deal(kernel_task(task), g)
            assert set(np.flatnonzero(mined).tolist()) == mines_met(task, g)


def test_a_game_has_one_board_and_other_games_have_other_boards() -> None:
    task = KernelTask((6, 6), "square8", 10, "corner", "safe", (7, 8))
    boards = {deal(task, number)[0].tobytes() for number in (0, 1, 2**62, 0)}
    assert len(boards) == 3
    with pytest.raises(InputError, match="mines=36"):
        deal(KernelTask((6, 6), "square8", 36, "corner", "safe", (7, 8)), 0)
