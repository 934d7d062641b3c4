"""Positions of exact games, what is certain in them, and what resolution decides there."""

from collections.abc import Iterator

import numpy as np

from msdensity.games.analysis import analyse_states
from msdensity.games.boards import Board, Rules
from msdensity.games.game import Game
from msdensity.games.tasks import Task
from msdensity.kernel.batch import thread_workspace
from msdensity.kernel.state import MARKED, OPEN, UNKNOWN
from msdensity.kernel.topology import board_table
from msdensity.players.registry import PLAYERS, resolve
from msdensity.players.resolution.memory import thread_memory
from msdensity.players.resolution.position import resolve_positions


def verdicts(
    board: Board, states: np.ndarray, numbers: np.ndarray, kind: dict, mines: int = 0
) -> np.ndarray:
    """Return 1 for each cell that resolution finds to be mined, 0 for a free one, else -1.

    Pairs and unit refutation are off unless the kind turns them on.
    """
    table = board_table(board.shape, board.topology)
    values = resolve("resolution", {"unit_refutation": "off", "pair_rule": "off"} | kind)
    known = PLAYERS["resolution"].options
    options = np.array([known[key].choices.index(values[key]) for key in known])
    found = np.empty((1, board.cells), np.int8)
    words = table.words, thread_workspace(table).words, thread_memory(table).words
    resolve_positions(*words, options, states[None], numbers[None], mines, found)
    return found[0]


def certain(board: Board, states: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return the same of exact inference without the number of mines."""
    exact = analyse_states(board.shape, board.topology, states, numbers, None)
    truth = np.full(board.shape, -1)
    for cells, value in ((exact.safe, 0), (exact.mined, 1)):
        for cell in cells:
            truth[cell] = value
    return truth.ravel()


def read(rows: tuple[str, ...]) -> tuple[Board, np.ndarray, np.ndarray]:
    text = "".join(rows)
    states = np.array([UNKNOWN if c == "." else OPEN for c in text], np.uint8)
    return (
        Board((len(rows), len(rows[0]))),
        states,
        np.array([int(c.replace(".", "0")) for c in text]),
    )


def settle(states: np.ndarray, numbers: np.ndarray, near: list[np.ndarray]) -> None:
    """Apply the rule of single numbers until it decides no more."""
    before = None
    while before != states.tobytes():
        before = states.tobytes()
        for w in np.flatnonzero(states == OPEN):
            unknown = near[w][states[near[w]] == UNKNOWN]
            missing = numbers[w] - (states[near[w]] == MARKED).sum()
            if missing in (0, len(unknown)):
                states[unknown] = OPEN if missing == 0 else MARKED


def positions(board: Board, mines: int, games: int) -> Iterator[tuple[np.ndarray, ...]]:
    """Yield (states, numbers, certain) wherever single numbers say no more in an exact game.

    The game opens and marks what is certain, else a safest cell as `weighted` does. It ends where
    the number of mines decides a cell.
    """
    table = board_table(board.shape, board.topology)
    near = [table.neighbours[table.start[c] : table.start[c + 1]] for c in range(board.cells)]
    task = Task(board, mines, "weighted", {}, Rules("corner", "safe"), seed=1)
    for g in range(games):
        mined = np.array([c == "*" for c in "".join(Game.deal(task, g).layout)])
        numbers = np.array([mined[n].sum() for n in near])
        states = np.full(board.cells, UNKNOWN, np.uint8)
        c = 0
        while not mined[c]:
            states[c] = OPEN
            settle(states, numbers, near)
            if (states == OPEN).sum() == board.cells - mines:
                break
            shown = np.where(states == OPEN, numbers, 0)
            truth = certain(board, states, shown)
            yield states.copy(), shown, truth
            if (truth >= 0).any():
                states[truth == 1] = MARKED
                c = np.flatnonzero(truth == 0)[0] if (truth == 0).any() else c
                states[truth == 0] = OPEN
                continue
            exact = analyse_states(board.shape, board.topology, states, shown, mines)
            if exact.safe or exact.mined:
                break
            safest = np.flatnonzero(exact.safety >= np.nanmax(exact.safety) * (1 - 1e-11))
            c = min(safest, key=lambda c: (len(near[c]), -(states[near[c]] == OPEN).sum(), c))
