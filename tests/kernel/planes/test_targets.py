"""The games of boards in planes are the same bytes whatever instructions the processor has."""

import pytest
from targets import TARGETS, printed, usable

SUMS = """
from llvmlite import binding
import numba, numpy as np
from msdensity.kernel.planes.around import sum_around
from msdensity.kernel.state import open_planes, open_workspace, make_workspace
from msdensity.kernel.compiler.rows import set_rows
from msdensity.kernel.topology import neighbour_table
from hashlib import sha256

@numba.njit(error_model="numpy")
def count(table_words, ws_words):
    board = open_planes(table_words)
    ws = open_workspace(ws_words)
    for t in range(len(board.tiles)):
        at = np.int64(board.tiles[t]) << 4
        digits = sum_around(board, at, ws.mined)
        set_rows(ws.number0, at, digits[0])
        set_rows(ws.number1, at, digits[1])
        set_rows(ws.number2, at, digits[2])
        set_rows(ws.number3, at, digits[3])

written = sha256()
for shape, topology in (((16, 30), "square8"), ((33, 70), "hexagonal"), ((20, 40), "torus8")):
    table = neighbour_table(shape, topology)
    ws = make_workspace(table)
    words = np.random.default_rng(1).integers(0, 1 << 32, len(ws.mined), np.uint32)
    ws.mined[:] = words & table.valid
    count(table.words, ws.words)
    for name in ("number0", "number1", "number2", "number3"):
        written.update((getattr(ws, name) & table.valid).tobytes())
asm = next(iter(count.inspect_asm().values()))
print(written.hexdigest(), "zmm" in asm, "ymm" in asm)
"""

GAMES = """
from hashlib import sha256
from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.state import make_workspace
from msdensity.kernel.topology import cached_table

for name, mines, start in (
    ("8x8", 10, "safe"),
    ("16x30", 99, "zero"),
    ("16x16-torus8", 30, "safe"),
    ("30x45", 220, "zero"),
    ("33x65-hexagonal", 380, "zero"),
    ("20x40-torus4", 160, "zero"),
    ("5x5x5-torus", 12, "safe"),
):
    board = Board.parse(name)
    workspace = make_workspace(cached_table(board.shape, board.topology), recording=True)
    task = Task(board, mines, "weighted", {}, Rules("random", start), seed=7)
    written = sha256()
    moves = 0
    for number in range(50):
        sums = play_batch(task, number, 1, workspace)
        trace = workspace.trace[: workspace.game[0]["trace"]]
        moves += len(trace)
        written.update(trace.tobytes() + repr(sums).encode())
    print(name, moves, written.hexdigest())
"""


@pytest.mark.parametrize("target", TARGETS)
def test_sums_of_tiles_are_the_same_bytes_for_every_target(target: str) -> None:
    """A small part of the games below; the registers show that the targets differ."""
    digest, *registers = printed(SUMS, usable(target))
    assert digest == printed(SUMS, None)[0]
    assert registers == ["False", str(target == "haswell")]


@pytest.mark.campaign
def test_games_are_the_same_bytes_for_every_target() -> None:
    here = printed(GAMES, None)
    assert len(set(here)) == 21 and min(map(int, here[1::3])) > 1000
    for target in TARGETS:
        assert printed(GAMES, usable(target)) == here
