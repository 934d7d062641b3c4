"""Game by game: a board in planes and the same board with a record for each cell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.play import kernel_player, kernel_task, play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.batch import play
from msdensity.kernel.measures import CREDITS
from msdensity.kernel.names import FIRST_ZEROS, STARTS
from msdensity.kernel.planes.tiles import CELLS, CENTRE, PLANAR, is_planar
from msdensity.kernel.state import FIRST, FLOATING_GUESS, GUESS, WON, Memory, make_workspace
from msdensity.kernel.topology import cached_table, first_cells, neighbour_table
from sizes import sizes

SEAMS = [1, 2, 3, 7, 8, 15, 16, 17, 18, 31, 32, 33, 34, 48, 49, 63, 64, 65, 66, 70]

CLICKS = ("corner", "centre", "random", "random_corner", "random_edge", "random_interior")

SAME = 1e-12
"""Of two safeties, and of the sums Z over one game two roundings."""


class Stretch(NamedTuple):
    """A choice, and what follows from it before the next one."""

    cell: int
    floats: bool
    safety: float
    opened: frozenset[int]
    marked: frozenset[int]


def stretches(workspace: Memory) -> list[Stretch]:
    """Return the recorded game; asserts that no cell is decided twice."""
    moves = workspace.trace[: workspace.game[0]["trace"]]
    assert len(set(moves["cell"].tolist())) == len(moves)
    choices = np.flatnonzero(np.isin(moves["reason"], (FIRST, GUESS, FLOATING_GUESS)))
    game = []
    for begin, end in zip(choices, [*choices[1:], len(moves)], strict=True):
        cell, reason, safety = moves[begin].tolist()
        rest = moves[begin + 1 : end]
        opened, marked = (frozenset(rest["cell"][rest["safety"] == s].tolist()) for s in (1.0, 0.0))
        assert len(opened) + len(marked) == len(rest)
        game.append(Stretch(cell, reason == FLOATING_GUESS, safety, opened, marked))
    return game


class Game(NamedTuple):
    """A recorded game: its stretches, its status and its measures."""

    stretches: list[Stretch]
    status: int
    sums: dict[str, int]


def game_of(task: Task, number: int, workspace: Memory, in_planes: bool) -> Game:
    """Play one game in planes or with a record for each cell."""
    player = kernel_player(task)
    assert player.in_planes is not None
    if not in_planes:
        player = player._replace(in_planes=None)
    sums = play(player, kernel_task(task), number, 1, workspace)
    return Game(stretches(workspace), int(workspace.game[0]["status"]), sums)


def differences(one: Game, other: Game) -> list[str]:
    """Return what differs between two games; at most one line for each choice and measure."""
    lines = []
    for i, (a, b) in enumerate(zip(one.stretches, other.stretches, strict=False)):
        end = one.status == WON and i == len(one.stretches) - 1
        same = a[:2] == b[:2] and abs(a.safety - b.safety) <= SAME and a.opened == b.opened
        if not same or (a.marked != b.marked and not end):  # a won game need not mark all mines
            lines.append(f"choice {i}: {a} / {b}")
    if len(one.stretches) != len(other.stretches) or one.status != other.status:
        lines.append(f"choices {len(one.stretches)} / {len(other.stretches)}")
    for name in one.sums.keys() - CREDITS:
        if abs(one.sums[name] - other.sums[name]) > ("z" in name):  # a rounded sum of safeties
            lines.append(f"{name}: {one.sums[name]} / {other.sums[name]}")
    return lines


def random_side(rng: np.random.Generator, most: int) -> int:
    side = int(rng.choice(SEAMS)) if rng.random() < 0.7 else int(rng.integers(1, 71))
    return min(side, most)


def random_task(rng: np.random.Generator, number: int, most: int) -> Task | None:
    """Return a task on a board in planes with sides of at most `most`, or None if it has none."""
    topology = PLANAR[number % len(PLANAR)]
    shape = random_side(rng, most), random_side(rng, most)
    if not is_planar(shape, topology):
        return None
    cells = shape[0] * shape[1]
    start = STARTS[int(rng.integers(len(STARTS)))]
    most_mines = cells - 1 - 8 * (start == "zero")
    mines = max(1, min(round(cells * rng.uniform(0.02, 0.45)), most_mines))
    click = str(rng.choice(CLICKS)) if rng.random() < 0.8 else f"cell:{rng.integers(cells)}"
    click = "corner" if start in FIRST_ZEROS else click
    options = {"ties": str(rng.choice(["ordered", "random"]))}
    try:
        first_cells(shape, click)
        task = Task(Board(shape, topology), mines, "weighted", options, Rules(click, start), number)
    except InputError:  # a board of one cell, or without such a first cell
        return None
    return task


@pytest.mark.parametrize("tasks,most,games", sizes((120, 70, 10), (2000, 70, 20)))
def test_both_ways_play_the_same_games(tasks: int, most: int, games: int) -> None:
    rng = np.random.default_rng(20261129)
    played = guesses = wins = approximate = 0
    topologies, starts = set(), set()
    for k in range(tasks):
        task = random_task(rng, k, most)
        if task is None:
            continue
        table = cached_table(task.board.shape, task.board.topology)
        workspace = make_workspace(table, recording=True)
        for number in range(games):
            one, other = (game_of(task, number, workspace, way) for way in (True, False))
            if one.sums["approximate"] or other.sums["approximate"]:
                # states over the budget in one order of the boxes need not be so in another
                approximate += 1
                continue
            assert (task.title, number, differences(one, other)) == (task.title, number, [])
            played += 1
            guesses += one.sums["guesses"]
            wins += one.sums["wins"]
        topologies.add(task.board.topology)
        starts.add(task.rules.start)
    print(f"{played} games, {wins} won, {guesses} guesses; {approximate} approximate ones left out")
    assert approximate < played / 1000
    assert topologies == set(PLANAR) and starts == set(STARTS)
    assert played > games * tasks / 2 and 0.1 * played < wins < 0.9 * played and guesses > played


@pytest.mark.parametrize("name", ("33x65", "20x40-torus8", "33x65-hexagonal"))
@pytest.mark.parametrize("games", sizes(500, 8000))
def test_what_happens_in_a_tile_reaches_those_at_its_corners(name: str, games: int) -> None:
    """Rare: in one of some hundred games only the tile at the corner of another has to go on."""
    board = Board.parse(name)
    task = Task(board, board.cells // 4, "weighted", {}, Rules("random", "zero"), seed=1)
    workspace = make_workspace(cached_table(board.shape, board.topology), recording=True)
    for number in range(games):
        one, other = (game_of(task, number, workspace, way) for way in (True, False))
        assert one.sums["approximate"] + other.sums["approximate"] == 0
        assert (number, differences(one, other)) == (number, [])


@pytest.mark.parametrize("shape", [(9, 9), (20, 40)])
def test_a_recorded_game_has_the_same_measures(shape: tuple[int, int]) -> None:
    """Its moves are stored one by one, and no other code may count them again."""
    task = Task(Board(shape), shape[0] * shape[1] // 7, "weighted", seed=1)
    table = cached_table(shape, "square8")
    recording = make_workspace(table, recording=True)
    counted = 0
    for number in range(10):
        sums = play_batch(task, number, 1, recording)
        assert sums == play_batch(task, number, 1)
        counted += sums["certain_single"]
    assert counted > 100


def one_neighbour_less(table: Memory) -> None:
    table.near[CENTRE] &= table.near[CENTRE] - 1


def one_neighbour_less_two_steps_away(table: Memory) -> None:
    """The pair rule and the walk see fewer of the neighbours of odd rows."""
    table.near[CELLS + CENTRE + 1] &= table.near[CELLS + CENTRE + 1] - 1


def other_slants(table: Memory) -> None:
    table.slant_west[:] = 0
    table.slant_east[:] = 0


def other_slant_of_one_tile(table: Memory) -> None:
    table.tile["slant_north"][table.tiles[-1]] = 0


@pytest.mark.parametrize(
    "spoil",
    [
        *(one_neighbour_less, one_neighbour_less_two_steps_away),
        *(other_slants, other_slant_of_one_tile),
    ],
)
def test_a_wrong_table_of_neighbours_is_noticed(spoil, monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: a fault in a table that only planes have makes some game differ or stop."""
    task = Task(Board((20, 36)), 70, "weighted", {}, Rules(start="zero"), seed=3)
    table = neighbour_table((20, 36), "square8")
    monkeypatch.setattr("msdensity.kernel.batch.cached_table", lambda *_: table)
    # room to spare, because wrong rules may decide a cell twice
    workspace = make_workspace(cached_table((40, 72), "square8"), recording=True)
    workspace.game["cells"] = task.board.cells
    games = [game_of(task, number, workspace, False) for number in range(20)]
    assert [game_of(task, n, workspace, True).status for n in range(20)] == [
        game.status for game in games
    ]
    spoil(table)
    differ = 0
    for number, game in enumerate(games):
        try:
            differ += bool(differences(game_of(task, number, workspace, True), game))
        except (AssertionError, RuntimeError):  # a cell decided twice, a mine opened as certain
            differ += 1
    assert differ > 0
