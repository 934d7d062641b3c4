"""Certain cells and safeties on boards of every topology against all arrangements, one by one."""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from brute_force import arrangements, exact_safety, moves, neighbour_lists, random_position
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from msdensity.errors import InputError
from msdensity.games.analysis import analyse_states, analyse_table
from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.names import EVEN_SIDES, FIRST_ZEROS, STARTS, TOPOLOGIES
from msdensity.kernel.planes.tiles import CENTRE, PLANAR
from msdensity.kernel.position import APPROXIMATE, analyse_positions
from msdensity.kernel.state import (
    COMPONENT,
    FLOATING_GUESS,
    GLOBAL,
    GUESS,
    MARKED,
    OPEN,
    UNKNOWN,
    Memory,
    make_table,
    make_workspace,
)
from msdensity.kernel.topology import cached_table, neighbour_table
from sizes import sizes

MAX_UNKNOWN = 14
"""Unknown cells of a position: at most C(14, 7) = 3432 arrangements."""

MAX_ARRANGEMENTS = 4000
"""Ways to mine the unknown cells of a position of a game."""

SHAPES = [
    ((4, 6), "square8"),
    ((5, 5), "hexagonal"),
    ((1, 18), "square8"),
    ((4, 5), "knight"),
    ((3, 3, 3), "cubic26"),
    ((4, 6), "triangle3"),
]

AXES = {"cubic6": (3, 3), "cubic26": (3, 3), "box": (1, 4), "torus": (1, 4)}
"""Fewest and most sides of a board; two for every other topology."""


def fits(shape: Sequence[int], topology: str) -> bool:
    """Whether a wrapped board has even sides where it must."""
    return not any(side % 2 for side in shape[: EVEN_SIDES.get(topology, 0)])


DEGENERATE = [
    *[
        (shape, topology)
        for shape in ((1, 1), (1, 9), (2, 6), (6, 2))
        for topology in TOPOLOGIES
        if topology not in AXES and fits(shape, topology)
    ],
    ((2, 2), "torus8"),
    ((2, 2), "torus4"),
    ((1, 2), "torus8"),
    ((2, 1), "torus4"),
    ((1,), "torus"),
    ((2,), "torus"),
    ((3,), "torus"),
    ((1, 2, 2, 3), "torus"),
    ((2, 2, 2), "torus"),
    ((1, 1, 8), "cubic26"),
    ((2, 2, 2), "cubic6"),
    ((1, 1, 1), "box"),
]


@st.composite
def boards(draw: st.DrawFn) -> tuple[tuple[int, ...], str]:
    """Return boards of every topology with at most 30 cells, also with sides of 1 and 2."""
    if draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from(DEGENERATE))
    topology = draw(st.sampled_from(TOPOLOGIES))
    fewest, most = AXES.get(topology, (2, 2))
    axes = draw(st.integers(fewest, most))
    shape: tuple[int, ...] = ()
    for _ in range(axes):
        room = 30 // math.prod(shape)
        shape += (draw(st.integers(1, max(1, min(room, 7 if axes < 3 else 4)))),)
    if not fits(shape, topology):
        return tuple(side + side % 2 for side in shape), topology
    return shape, topology


def bits(word: int, cells: int) -> np.ndarray:
    return np.array([word >> c & 1 for c in range(cells)], bool)


@st.composite
def positions(draw: st.DrawFn) -> tuple[tuple[int, ...], str, np.ndarray, np.ndarray, int]:
    """Return (shape, topology, states, numbers, mines): true numbers of some layout of mines."""
    shape, topology = draw(boards())
    neighbours = neighbour_lists(shape, topology)
    cells = len(neighbours)
    words = st.integers(0, 2**cells - 1)
    mined = bits(draw(words) & draw(words), cells)
    known = bits(draw(words), cells)
    if draw(st.booleans()):
        known |= bits(draw(words), cells)
    hidden = np.flatnonzero(~known)
    known[hidden[MAX_UNKNOWN:]] = True
    states = np.where(known, np.where(mined, MARKED, OPEN), UNKNOWN).astype(np.uint8)
    numbers = np.array([int(mined[near].sum()) for near in neighbours], np.int64)
    return shape, topology, states, np.where(states == OPEN, numbers, 0), int(mined.sum())


@pytest.mark.parametrize("examples", sizes(400, 2000))
def test_certain_cells_are_sound_and_complete_and_safeties_exact(examples: int) -> None:
    profile = settings(max_examples=examples, deadline=None, database=None)
    seed(20240503)(profile(given(positions())(check_against_arrangements)))()


def check_against_arrangements(
    position: tuple[tuple[int, ...], str, np.ndarray, np.ndarray, int],
) -> None:
    shape, topology, states, numbers, mines = position
    rows = arrangements(neighbour_lists(shape, topology), states, numbers, mines)
    unknown = np.flatnonzero(states == UNKNOWN)
    result = analyse_states(shape, topology, states, numbers, mines)
    assert result.consistent and result.exact
    assert result.configurations == len(rows) > 0
    exact = exact_safety(rows)
    places = [tuple(map(int, np.unravel_index(c, shape))) for c in unknown]
    assert result.safe == [place for place, s in zip(places, exact, strict=True) if s == 1]
    assert result.mined == [place for place, s in zip(places, exact, strict=True) if s == 0]
    flat = result.safety.ravel()
    assert np.isnan(flat[states != UNKNOWN]).all()
    assert np.abs(flat[unknown] - np.array(exact, float)).max(initial=0.0) < 1e-12


def test_positions_are_inconsistent_exactly_when_no_arrangement_exists() -> None:
    rng = np.random.default_rng(7)
    seen = {True: 0, False: 0}
    for number in range(400):
        shape, topology = SHAPES[number % len(SHAPES)]
        neighbours = neighbour_lists(shape, topology)
        states, numbers, mines, _ = random_position(rng, neighbours, 12)
        opened = np.flatnonzero(states == OPEN)
        if not len(opened):
            continue
        numbers[rng.choice(opened)] += rng.choice([-1, 1])
        mines = int(np.clip(mines + rng.integers(-1, 2), 0, len(states)))
        if numbers.min() < 0:
            continue
        rows = arrangements(neighbours, states, numbers, mines)
        result = analyse_states(shape, topology, states, numbers, mines)
        assert result.consistent == (len(rows) > 0)
        assert result.configurations == len(rows)
        assert result.consistent == (result.reason == "")
        seen[result.consistent] += 1
    assert min(seen.values()) > 30


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_neighbours_are_mutual_and_other_cells_on_every_small_board(topology: str) -> None:
    fewest, most = AXES.get(topology, (2, 2))
    for axes in range(fewest, most + 1):
        for shape in np.ndindex((4,) * axes):
            sides = tuple(side + 1 for side in shape)
            if not fits(sides, topology):
                continue
            neighbours = neighbour_lists(sides, topology)
            for c, near in enumerate(neighbours):
                assert near == sorted(set(near) - {c})
                assert all(c in neighbours[d] for d in near)


# ---- with every floating-point number of the counting disabled


def certain_from_boxes(workspace: Memory, table: Memory, floating: np.ndarray) -> list[int]:
    """Return what the kernel's integers say: per cell 1 safe, 0 mined, -1 neither.

    floating: the fewest and most mines in the floating cells.
    """
    game = workspace.game[0]
    answer = np.full(len(workspace.cell), -1)
    floats = (workspace.cell["state"] == UNKNOWN) & (workspace.cell["flags"] & 2 == 0)
    if floating[1] == 0:
        answer[floats] = 1
    elif floating[0] == floats.sum():
        answer[floats] = 0
    for k in workspace.live[: game["live"]]:
        component = workspace.component[k]
        for box in workspace.box[component["box"] : component["box_end"]]:
            w = int(box["witness"])
            near = table.neighbours[table.start[w] : table.start[w + 1]]
            inside = near[
                (workspace.cell["state"][near] == UNKNOWN)
                & (workspace.link["component"][near] == k)
                & (workspace.link["box"][near] == box["name"])
            ]
            assert len(inside) == box["size"]
            if box["most"] == 0:
                answer[inside] = 1
            elif box["least"] == box["size"]:
                answer[inside] = 0
    return answer.tolist()


def poison(workspace: Memory) -> None:
    """Make every weight of a configuration NaN, because all have a factor from `choose`."""
    for name in ("choose", "poly", "back", "total", "prefix", "after", "outer", "power", "safety"):
        getattr(workspace, name)[:] = np.nan
    workspace.box["safety"] = np.nan


def closed_in(rng: np.random.Generator, neighbours: list[list[int]]):
    """Return a random position with true numbers; half of the time its total is an extreme one."""
    states, numbers, mines, _ = random_position(rng, neighbours, 13)
    marked = int((states == MARKED).sum())
    totals = range(marked, marked + int((states == UNKNOWN).sum()) + 1)
    possible = [m for m in totals if len(arrangements(neighbours, states, numbers, m))]
    return states, numbers, mines if rng.random() < 0.5 else possible[-int(rng.random() < 0.5)]


@pytest.mark.parametrize("positions", sizes(10, 60))
def test_no_certain_cell_depends_on_a_floating_point_number(positions: int) -> None:
    rng = np.random.default_rng(20240503)
    by_total = weighed = 0
    for shape, topology in SHAPES:
        table = cached_table(shape, topology)
        neighbours = neighbour_lists(shape, topology)
        cells = len(neighbours)
        workspace = make_workspace(table)
        for _ in range(positions):
            states, numbers, mines = closed_in(rng, neighbours)
            outcome = np.zeros((1, 6), np.int64)
            poison(workspace)
            safety = np.full((1, cells), np.nan)
            one = states[None].copy(), numbers[None].copy(), np.array([mines])
            analyse_positions(table.words, workspace.words, *one, safety, outcome)
            certain = certain_from_boxes(workspace, table, outcome[0, 4:])
            assert (outcome[0, 0] == APPROXIMATE) == (outcome[0, 2] < 0)
            unknown = np.flatnonzero(states == UNKNOWN)
            rows = arrangements(neighbours, states, numbers, mines)
            exact = [-1] * cells
            for c, s in zip(unknown, exact_safety(rows), strict=True):
                exact[c] = int(s) if s in (0, 1) else -1
            assert certain == exact
            loose = analyse_states(shape, topology, states, numbers, None)
            by_total += len(loose.safe) + len(loose.mined) < cells - exact.count(-1)
            exposed = workspace.game[0]["exposed"]
            weighed += bool(exposed) and not np.isfinite(safety[0, unknown]).all()
    assert by_total > positions / 2  # positions with cells that only the total makes certain
    assert weighed > 2 * positions  # safeties were lost, so the numbers were disabled


# ---- whole games


def random_tasks(rng: np.random.Generator, count: int, cells: tuple[int, int]) -> list[Task]:
    """Return tasks over all topologies, shapes, starts and densities up to 0.4."""
    tasks: list[Task] = []
    while len(tasks) < count:
        topology = TOPOLOGIES[len(tasks) % len(TOPOLOGIES)]
        fewest, most = AXES.get(topology, (2, 2))
        axes = int(rng.integers(fewest, most + 1))
        shape = tuple(int(side) for side in rng.integers(1, 1 + cells[1], axes))
        if not cells[0] <= math.prod(shape) <= cells[1] or not fits(shape, topology):
            continue
        mines = max(1, int(math.prod(shape) * rng.uniform(0.05, 0.4)))
        start = STARTS[int(rng.integers(len(STARTS)))]
        rules = Rules("corner" if start in FIRST_ZEROS else "random", start)
        try:
            task = Task(Board(shape, topology), mines, "weighted", {}, rules, seed=len(tasks))
            play_batch(task, 0, 0)
        except InputError:  # a board with too few cells for the zero start
            continue
        tasks.append(task)
    return tasks


@pytest.mark.parametrize("games", sizes(10, 60))
def test_no_certain_cell_is_mined_in_any_game(games: int) -> None:
    """The kernel raises if it opens a mine as certain; see the control below."""
    rng = np.random.default_rng(1)
    wins = 0
    for task in random_tasks(rng, 72, (2, 250)):
        sums = play_batch(task, 0, games)
        assert sums["approximate"] == 0 or task.board.topology in ("cubic26", "box", "torus")
        wins += sums["wins"]
    assert 0 < wins < 72 * games


def test_a_certain_cell_that_is_mined_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: on a board with one missing neighbour, deduction is wrong."""
    right = cached_table((6, 6), "square8")
    keep = np.ones(len(right.neighbours), bool)
    keep[right.start[7] + 3] = False
    start = right.start - np.array([0, *np.cumsum(~keep)])[right.start]
    wrong = make_table(start, right.neighbours[keep])
    monkeypatch.setattr("msdensity.kernel.batch.cached_table", lambda *_: wrong)
    task = Task(Board((6, 6)), 6, "weighted", {}, seed=1)
    with pytest.raises(RuntimeError, match="contradiction"):
        play_batch(task, 0, 200, make_workspace(wrong))


def arrangements_at_most(states: np.ndarray, mines: int) -> int:
    """Return how many ways there are to mine the unknown cells, whatever the numbers say."""
    unknown, marked = (int((states == state).sum()) for state in (UNKNOWN, MARKED))
    return math.comb(unknown, mines - marked)


def check_guesses(task: Task, games: int) -> Counter[str]:
    """Compare every guess of games 0 .. games - 1 with all arrangements, one by one.

    Returns how many guesses were compared, how many had too many arrangements, and how many cells
    were certain by each of the two last rules.
    """
    table = cached_table(task.board.shape, task.board.topology)
    neighbours = neighbour_lists(task.board.shape, task.board.topology)
    workspace = make_workspace(table, recording=True)
    seen: Counter[str] = Counter()
    for g in range(games):
        play_batch(task, g, 1, workspace)
        for c, reason, safety, states, numbers in moves(workspace):
            seen["component"] += reason == COMPONENT
            seen["total"] += reason == GLOBAL
            if reason not in (GUESS, FLOATING_GUESS):
                continue
            if arrangements_at_most(states, task.mines) > MAX_ARRANGEMENTS:
                seen["too many"] += 1
                continue
            rows = arrangements(neighbours, states, numbers, task.mines)
            exact = exact_safety(rows)
            assert 0 < min(exact) and max(exact) < 1
            chosen = exact[int((states[:c] == UNKNOWN).sum())]
            assert max(exact) - chosen <= Fraction(1, 10**11)
            assert abs(safety - float(chosen)) < 1e-12
            unknown = np.flatnonzero(states == UNKNOWN)
            beside = any(states[d] == OPEN for d in neighbours[c])
            assert beside == (reason == GUESS)
            seen["in planes" if len(table.tiles) else "with records"] += 1
            seen["few left"] += len(unknown) < len(states) / 2
    return seen


@pytest.mark.parametrize("games", sizes(4, 12))
def test_a_guess_opens_the_safest_cell_and_only_if_no_cell_is_certain(games: int) -> None:
    seen: Counter[str] = Counter()
    for task in random_tasks(np.random.default_rng(2), 120, (6, 16)):
        seen += check_guesses(task, games)
    assert min(seen["in planes"], seen["with records"]) > 12 * games
    assert seen["component"] > games / 2 and seen["total"] > 40 * games


@pytest.mark.parametrize("topology", PLANAR)
@pytest.mark.parametrize("games", sizes(12, 150))
def test_a_guess_in_planes_opens_the_safest_cell(topology: str, games: int) -> None:
    """Larger boards, and tori from seven by seven on: few mines, or few unknown cells left."""
    ring = topology.startswith("torus")
    shapes = [(7, 7), (8, 7)] if ring else [(5, 5), (4, 7), (3, 9), (8, 3)]
    shapes = [(8, columns) for columns in (7, 8)] if topology in EVEN_SIDES else shapes
    densities = (0.27, 0.33, 0.41, 0.5) if ring else (0.1, 0.13, 0.16, 0.2)
    games *= 1 + 4 * ring  # few of their guesses have few unknown cells
    seen: Counter[str] = Counter()
    choices = itertools.product(shapes, STARTS, ("ordered", "random"))
    for k, (shape, start, ties) in enumerate(choices):
        mines = (2, *(round(math.prod(shape) * d) for d in densities))[k % 5]
        rules = Rules("corner" if start in FIRST_ZEROS else "random", start)
        task = Task(Board(shape, topology), mines, "weighted", {"ties": ties}, rules, seed=k)
        seen += check_guesses(task, games)
    print(topology, dict(seen))
    assert seen["with records"] == 0
    assert seen["in planes"] > 1.5 * games and seen["few left"] > games
    assert seen["component"] > 0 and seen["total"] > games


def test_a_guess_that_is_not_the_safest_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: in planes with one missing neighbour, components have other safeties."""
    task = Task(Board((5, 5)), 5, "weighted", {}, Rules("centre"), seed=1)
    assert check_guesses(task, 20)["in planes"] > 0
    wrong = neighbour_table((5, 5), "square8")
    wrong.near[CENTRE] &= wrong.near[CENTRE] - 1
    monkeypatch.setattr("msdensity.kernel.batch.cached_table", lambda *_: wrong)
    with pytest.raises((AssertionError, RuntimeError)):
        check_guesses(task, 20)


def test_a_position_beyond_brute_force_agrees_with_its_parts() -> None:
    """Boards that do not touch, side by side, with the total fixed: exact by convolution."""
    rng = np.random.default_rng(4)
    part = cached_table((4, 4), "square8")
    neighbours = neighbour_lists((4, 4))
    for _ in range(20):
        layouts = [rng.random(16) < 0.25 for _ in range(4)]
        known = [rng.random(16) < 0.5 for _ in range(4)]
        states, numbers, ways = [], [], []
        for mined, seen in zip(layouts, known, strict=True):
            opened = seen & ~mined
            states.append(np.where(opened, OPEN, UNKNOWN).astype(np.uint8))
            clue = np.array([int(mined[near].sum()) for near in neighbours], np.int64)
            numbers.append(np.where(opened, clue, 0))
            ways.append(
                [
                    arrangements(neighbours, states[-1], numbers[-1], m)
                    for m in range(int((~opened).sum()) + 1)
                ]
            )
        total = int(sum(mined.sum() for mined in layouts))
        starts = np.concatenate([part.start[:-1] + i * part.start[-1] for i in range(4)])
        table = make_table(
            np.append(starts, 4 * part.start[-1]),
            np.concatenate([part.neighbours + 16 * i for i in range(4)]),
        )
        result = analyse_table(table, (64,), np.concatenate(states), np.concatenate(numbers), total)
        for i in range(4):
            rest = [1]
            for j in set(range(4)) - {i}:
                rest = np.convolve(np.array(rest, object), np.array(list(map(len, ways[j]))))
            count = 0
            mines_at = np.zeros(ways[i][0].shape[1], object)
            for m, rows in enumerate(ways[i]):
                if 0 <= total - m < len(rest):
                    count += len(rows) * rest[total - m]
                    mines_at += rows.sum(axis=0).astype(object) * rest[total - m]
            exact = [Fraction(count - int(n), count) for n in mines_at]
            unknown = 16 * i + np.flatnonzero(states[i] == UNKNOWN)
            assert np.abs(result.safety[unknown] - np.array(exact, float)).max() < 1e-12
            assert [c for c in unknown if (c,) in result.safe] == [
                c for c, s in zip(unknown, exact, strict=True) if s == 1
            ]
            assert result.configurations == count
