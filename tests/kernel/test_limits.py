"""Input that needs more memory than the machine has is refused before any work, with numbers."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from msdensity import Board, Task, analyse, load_config, play_game
from msdensity.errors import InputError
from msdensity.games.game import Game
from msdensity.games.play import play_batch
from msdensity.kernel import limits
from msdensity.kernel.names import TOPOLOGIES
from msdensity.kernel.state import PLANES, make_workspace
from msdensity.kernel.topology import neighbour_table
from msdensity.runs.jobs import TASK_BYTES, longer, memory_mb, tables_mb
from places import ROOT

HUGE = Board((40_000, 40_000))
NUMBERS = r"needs about [\d,.]+ GB of memory, must need at most the [\d.e+]+ GB available"


def test_the_memory_of_this_machine_is_known() -> None:
    assert 2**28 < limits.memory() < 2**50


def test_a_container_may_have_less_than_the_machine(tmp_path, monkeypatch) -> None:
    machine = limits.memory.__wrapped__()
    path = tmp_path / "memory.max"
    monkeypatch.setattr(limits, "_LIMITS", (str(path),))
    for text, expected in (("1000000\n", 1_000_000), ("max\n", None), ("9" * 18, None)):
        path.write_text(text)
        size = limits.memory.__wrapped__()
        assert size == expected or (expected is None and size >= machine)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_the_neighbours_of_a_cell_are_no_more_than_assumed(topology: str) -> None:
    shape = (5, 6, 7) if topology in ("cubic6", "cubic26", "box", "torus") else (6, 8)
    start = neighbour_table(shape, topology).start
    most = limits._steps(shape, topology)
    assert (start[1:] - start[:-1]).max() == most


@pytest.mark.parametrize("shape", [(1, 1), (1, 900), (900, 1), (900, 2), (17, 33), (64, 64)])
def test_the_planes_of_a_narrow_board_are_counted(shape: tuple[int, int]) -> None:
    """On a board of one column each cell takes a word in each plane, and the empty strip too."""
    table = neighbour_table(shape)
    workspace = make_workspace(table)
    planes = ("first", "valid", "last", "slant_west", "slant_east")
    table_bytes = sum(getattr(table, name).nbytes for name in planes)
    assert table_bytes == 4 * limits.TABLE_PLANES * limits._words(shape)
    game_bytes = sum(getattr(workspace, name).nbytes for name in PLANES)
    assert game_bytes == 4 * limits.GAME_PLANES * limits._words(shape)
    assert limits.board_bytes(shape, "square8", 2) > table_bytes + 2 * game_bytes


def test_every_call_refuses_a_board_that_does_not_fit() -> None:
    study = {"games": 1, "mines": {HUGE.name: [1]}}
    for call in (
        lambda: play_batch(Task(HUGE, 1000), 0, 1),
        lambda: play_game(Task(HUGE, 1000), 0),
        lambda: Game.deal(Task(HUGE, 1000), 0),
        lambda: load_config({"name": "a", "boards": ["3x3", HUGE.name]}),
        lambda: load_config({"name": "a", "inference_study": study}),
    ):
        with pytest.raises(InputError, match=f"board 40000x40000 {NUMBERS}"):
            call()


def test_memory_counts_once_for_each_thread(monkeypatch) -> None:
    monkeypatch.setattr(limits, "memory", lambda: 10**9)
    shape = (1500, 1500)
    limits.check_threads(2, shape, "square8")
    with pytest.raises(InputError, match=f"board 1500x1500 with threads=20 {NUMBERS}"):
        limits.check_threads(20, shape, "square8")
    for threads in (0, -1, 10**9, 10**30):
        with pytest.raises(InputError, match=rf"threads={threads} must be .* in 1\.\.1024"):
            limits.check_threads(threads, (3, 3), "square8")


def test_a_board_has_no_more_cells_than_the_kernel_can_index(monkeypatch) -> None:
    monkeypatch.setattr(limits, "memory", lambda: 10**15)
    limits.check_board((5_000, 5_000), "square8")
    with pytest.raises(InputError, match=r"cells=36000000 .* must be in 1\.\.33554431"):
        limits.check_board((6_000, 6_000), "square8")


def test_memory_that_cannot_be_reserved_is_an_error_of_the_input(monkeypatch) -> None:
    zeros = np.zeros

    def refused(size: object, dtype: object = float) -> np.ndarray:
        if isinstance(size, int) and size > 10**6:
            raise MemoryError("Unable to allocate 9 GiB")
        return zeros(size, dtype)

    table = neighbour_table((3, 3))
    monkeypatch.setattr("msdensity.kernel.state.np.zeros", refused)
    with pytest.raises(InputError, match=r"cells=9 must be fewer.*: Unable to allocate 9 GiB"):
        make_workspace(table)


@pytest.mark.parametrize("sides", [10, 40, 99, 500])
def test_boards_have_few_sides(sides: int) -> None:
    """The steps to the neighbours are 3^sides: 40 sides would never end."""
    with pytest.raises(InputError, match=r"must have 1\.\.9 sides for topology box"):
        Board.parse("x".join(["1"] * sides) + "-box")
    with pytest.raises(InputError, match=f"board with {sides} sides must have at most 9"):
        analyse(["..."], 1, "box", shape=[1] * (sides - 1) + [3])


@pytest.mark.parametrize(
    "changes,message",
    [
        ({"boards": ["5000x5000"], "games_per_job": 1000}, NUMBERS),
        ({"games": 10**12, "games_per_job": 1}, "must be at most 100,000 jobs"),
        ({"games": 10**30}, r"games=10{30} must be a whole number in 1\.\."),
        ({"boards": [{"p": [1, 100_000], "q": [1, 2]}]}, r"p\[1\]=100000 must be .* 1\.\.1000"),
        ({"boards": [{"p": [1, 1000], "q": [1, 1000]}]}, "stand for at most 10,000 boards"),
        ({"boards": [{"p": [1, 90], "q": [1, 90]}] * 9}, "stand for at most 10,000 boards"),
    ],
)
def test_a_configuration_is_no_more_than_can_be_listed(changes: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_config({"name": "a", "boards": ["3x3"], **changes})
    load_config({"name": "a", "boards": ["3x3"], "games": 10**12})


def test_a_job_asks_for_more_memory_than_a_large_board_takes() -> None:
    """It takes 760 MB on 1000 x 1000, as `msdensity bench` prints; each more thread adds memory."""
    large = Board((1000, 1000))
    one, two = (memory_mb(large, threads, tasks=1) for threads in (1, 2))
    assert 760 < one < two < 2 * 760
    assert memory_mb(Board((3, 3)), 1) < 760
    # All numbers of mines.
    assert memory_mb(Board((400, 400)), 1) > memory_mb(Board((400, 400)), 1, tasks=1) + 1000


MEASURE = """
import sys
from msdensity.runs.config import load_config
from msdensity.runs.jobs import TASK_BYTES
from msdensity.runs.sweep import play_table
import msdensity.players.weighted
from faulty import play

def peak():
    # Not by getrusage, which starts at the value of the parent.
    with open("/proc/self/status") as file:
        return next(1024 * int(line.split()[1]) for line in file if line.startswith("VmHWM"))

side, path = int(sys.argv[1]), sys.argv[2]
tasks = load_config({"name": "a", "boards": [f"{side}x{side}"], "games": 2}).tasks(
    f"{side}x{side}", "weighted")
before = peak()
play_table({path: tasks}, 2, play=play, log=open("/dev/null", "w"))
print((peak() - before) / len(tasks))
"""


@pytest.mark.campaign
def test_the_memory_for_each_number_of_mines(tmp_path: Path) -> None:
    """Two sides are compared, because the first rows of a table take much memory by themselves."""
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    words = [sys.executable, "-c", MEASURE, "100", str(tmp_path / "x.csv")]
    run = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert TASK_BYTES / 4 < float(run.stdout) < TASK_BYTES + 60e6 / 9999


def test_time_limits_grow_with_the_games() -> None:
    assert [longer(30, games, 1000) for games in (1, 1000, 1001, 5000)] == [30, 30, 31, 150]
    assert tables_mb(5000) < 50 < tables_mb(10**6)
