"""Print the tables of approximation.md: estimates of safeties against exact ones, and in play.

`approximation.py play FILE [GAMES]` plays with the msdensity that Python imports and keeps what it
measured in FILE; `approximation.py table BEFORE AFTER` compares two such files. With GAMES=200 a
file takes about ten minutes.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from msdensity.games.boards import Board
from msdensity.games.play import kernel_task
from msdensity.games.tasks import Task
from msdensity.kernel.batch import prepare
from msdensity.kernel.compiler.jit import compiling
from msdensity.kernel.position import analyse_positions
from msdensity.kernel.state import (
    MARKED,
    NODE_BUDGET,
    OPEN,
    PLAYING,
    UNKNOWN,
    WON,
    Memory,
    make_workspace,
)
from msdensity.kernel.topology import cached_table
from msdensity.players.own import _COMPILE, _DEAL, _OPEN, COVERED, _step
from msdensity.stats.paired import p_value

SEED = 20261130

FULL, FORCED, REDUCED = int(NODE_BUDGET), 1, 4096
"""States that a component may have: as always; so few that every component is estimated; and so
few that only large ones are, which can be counted exactly nevertheless."""

BOARDS = (
    ("5x5x5-cubic26", 12, FULL, 3),
    ("5x5x5-cubic26", 19, FULL, 3),
    ("8x8x8-cubic26", 51, FULL, 3),
    ("5x5x5-torus", 12, FULL, 1),
    ("5x5x5-torus", 19, FULL, 1),
    ("10x10", 20, FORCED, 1),
    ("16x30", 99, FORCED, 1),
    ("16x30", 140, FORCED, 1),
)
"""Board, mines, budget in play, and how many times GAMES are played."""

MEASURED = 0.25
"""Of GAMES: those in which errors are measured."""

TIE = 1e-11

SWEEPS = 2
"""Of box LBP, as many as were best in play."""

LEAST = 1e-10
"""No message about what is possible is less."""


class Position:
    """A board and its workspaces, stepped from guess to guess."""

    def __init__(self, name: str, mines: int, budget: int) -> None:
        """Prepare the board; `budget` is that of its games."""
        self.board, self.mines = Board.parse(name), mines
        task = kernel_task(Task(self.board, mines, seed=SEED))
        self.table = cached_table(task.shape, task.topology)
        self.play, self.other = make_workspace(self.table), make_workspace(self.table)
        prepare(task, self.play)
        self.play.game["node_budget"] = budget
        cells = self.board.cells
        self.numbers, self.safety = np.zeros(cells, np.int64), np.zeros(cells)
        self.facts = np.zeros(3, np.int64)
        with compiling(_step):
            self.step(_COMPILE, 0)

    def step(self, action: np.int64, argument: int) -> int:
        """Continue a game up to its next guess; return its status."""
        arrays = self.numbers, self.safety, self.facts
        return int(_step(self.table.words, self.play.words, action, np.int64(argument), *arrays))

    def estimated(self, budget: int) -> tuple[np.ndarray, bool]:
        """Return the safety of each cell with another budget, and whether it is exact."""
        self.other.game["node_budget"] = budget
        covered = np.where(self.numbers == COVERED, UNKNOWN, MARKED)
        states = np.where(self.numbers >= 0, OPEN, covered).astype(np.uint8)[None]
        safety, outcome = np.empty((1, len(self.safety))), np.empty((1, 6), np.int64)
        numbers, mines = np.maximum(self.numbers, 0)[None], np.array([self.mines])
        with compiling(analyse_positions):
            analyse_positions(
                self.table.words, self.other.words, states, numbers, mines, safety, outcome
            )
        return safety[0], outcome[0, 0] == 0


def box_beliefs(table: Memory, numbers: np.ndarray, left: int) -> np.ndarray:
    """Return the safety of each covered cell by box LBP: every component, SWEEPS sweeps."""
    near = np.split(table.neighbours, table.start[1:-1])
    covered = np.flatnonzero(numbers == COVERED)
    boxes: dict[tuple[int, ...], list[int]] = {}
    for c in covered:
        boxes.setdefault(tuple(d for d in near[c] if numbers[d] >= 0), []).append(c)
    floating = boxes.pop((), [])
    odds = left / max(len(covered) - left, 1e-9)
    of: dict[int, list[tuple[int, ...]]] = {}
    prior: dict[tuple[int, ...], np.ndarray] = {}
    message: dict[tuple[int, ...], np.ndarray] = {}
    for box, cells in boxes.items():
        size = len(cells)
        weights = np.ones(1)
        for _ in range(size):
            weights = np.convolve(weights, [1.0, odds])
        prior[box], message[box] = weights / weights.max(), np.ones((len(box), size + 1))
        for w in box:
            of.setdefault(w, []).append(box)
    for w in SWEEPS * list(of):
        remaining = int(numbers[w] - sum(numbers[d] == -2 for d in near[w]))
        send(w, of[w], remaining, prior, message)
    safety = np.full(len(numbers), np.nan)
    mined = 0.0
    for box, cells in boxes.items():
        weights = heard(box, prior, message)
        expected = weights @ np.arange(len(weights)) / weights.sum()
        safety[cells] = 1 - expected / len(cells)
        mined += expected
    if floating:
        safety[floating] = np.clip(1 - (left - mined) / len(floating), 0, 1)
    return safety


def heard(box: tuple[int, ...], prior: Any, message: Any, but: int = -1) -> np.ndarray:
    """Return the weights of the numbers of mines in a box, without the message from `but`."""
    rows = [message[box][i] for i, w in enumerate(box) if w != but]
    weights = prior[box] * np.prod(rows, axis=0)
    return weights / weights.max()


def send(w: int, boxes: list[Any], remaining: int, prior: Any, message: Any) -> None:
    """Send the messages of witness w to its boxes, by prefix and suffix products."""
    width = remaining + 1
    weights = [heard(box, prior, message, w) for box in boxes]
    after = [np.ones(1)]
    for each in weights[:0:-1]:
        after.append(np.convolve(after[-1], each)[:width])
    before = np.ones(1)
    for box, each, rest in zip(boxes, weights, after[::-1], strict=True):
        others = np.zeros(width + len(each))
        product = np.convolve(before, rest)[:width]
        others[: len(product)] = product
        values = np.array([others[remaining - n] if n < width else 0 for n in range(len(each))])
        values /= values.max()
        message[box][box.index(w)] = np.where(values > 0, np.maximum(values, LEAST), 0.0)
        before = np.convolve(before, each)[:width]


Choice = Callable[[Position], np.ndarray]


def by_kernel(at: Position) -> np.ndarray:
    """Return the safeties that the kernel gives."""
    return at.safety


def by_beliefs(at: Position) -> np.ndarray:
    """Return them by box LBP if the kernel's are not exact."""
    if not at.facts[2]:
        return at.safety
    numbers = np.where(at.numbers >= 0, at.numbers, np.where(at.numbers == COVERED, COVERED, -2))
    return box_beliefs(at.table, numbers, int(at.facts[0]))


def guesses(at: Position, game: int, choice: Choice) -> Iterator[np.ndarray]:
    """Play a game by the first of the safest cells; yield the safeties at each guess."""
    status = at.step(_DEAL, game)
    while status == PLAYING:
        safety = choice(at).copy()
        yield safety
        best = np.nanmax(safety)
        status = at.step(_OPEN, int(np.flatnonzero(safety >= best - TIE * best)[0]))
    at.facts[1] = status


def error(exact: np.ndarray, estimate: np.ndarray, exposed: np.ndarray) -> list[float]:
    """Return mean absolute and largest error of exposed cells, and the regret of the choice."""
    off = np.abs(estimate - exact)[exposed]
    best = np.nanmax(estimate)
    chosen = exact[estimate >= best - TIE * best].mean()
    return [off.mean(), off.max(), np.nanmax(exact) - chosen]


def play(path: str, games: int) -> None:
    """Write what was measured: for each board the ends of games, CPU time and errors."""
    found: dict[str, Any] = {}
    for name, mines, budget, times in BOARDS:
        row: dict[str, Any] = {"ms": {}, "won": {}, "approximate": []}
        at = Position(name, mines, budget)
        for method, choice in (("kernel", by_kernel), ("beliefs", by_beliefs)):
            won, begin = [], time.thread_time()
            for game in range(times * games):
                for _ in guesses(at, game, choice):
                    pass
                won.append(int(at.facts[1] == WON))
                if method == "kernel":
                    row["approximate"].append(int(at.play.game[0]["approximate"] > 0))
            row["won"][method] = won
            row["ms"][method] = 1e3 * (time.thread_time() - begin) / len(won)
        row["errors"] = errors(Position(name, mines, FULL), round(MEASURED * times * games))
        found[f"{name}/{mines}"] = row
        print(name, mines, {m: np.mean(won) for m, won in row["won"].items()}, flush=True)
        with open(path, "w", encoding="utf-8") as kept:
            json.dump(found, kept)


def errors(at: Position, games: int) -> dict[str, dict[str, list[list[float]]]]:
    """Return the errors by kind and method: a row a game, each the mean over its positions."""
    found: dict[str, dict[str, list[list[float]]]] = {"forced": {}, "reduced": {}}
    for game in range(games):
        rows: dict[tuple[str, str], list[list[float]]] = {}
        for safety in guesses(at, game, by_kernel):
            if at.facts[2]:  # from here on games of two kernels may differ
                break
            near = [at.numbers[d] for d in np.split(at.table.neighbours, at.table.start[1:-1])]
            exposed = (at.numbers == COVERED) & np.array([(d >= 0).any() for d in near])
            if not exposed.any():
                continue
            beliefs = None
            for kind, budget in (("forced", FORCED), ("reduced", REDUCED)):
                estimate, exact = at.estimated(budget)
                if exact:
                    continue
                if beliefs is None:
                    marked = np.where(at.numbers == COVERED, COVERED, -2)
                    numbers = np.where(at.numbers >= 0, at.numbers, marked)
                    beliefs = box_beliefs(at.table, numbers, int(at.facts[0]))
                for method, values in (("kernel", estimate), ("beliefs", beliefs)):
                    rows.setdefault((kind, method), []).append(error(safety, values, exposed))
        for (kind, method), each in rows.items():
            values = np.array(each)
            mean = values.mean(axis=0)
            found[kind].setdefault(method, []).append([mean[0], values[:, 1].max(), mean[2]])
    return found


def table(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Print the tables of two files: parts alone and box LBP of the first, and the second."""
    columns = (
        *("board / mines", "games", "approximate, %", "parts alone, won %", "box LBP, won %"),
        *("parts with messages, won %", "against parts alone", "against box LBP"),
        "ms a game, before and after",
    )
    print(f"| {' | '.join(columns)} |")
    print("|---|---|---|---|---|---|---|---|---|")
    methods = ((before, "kernel"), (before, "beliefs"), (after, "kernel"))
    for name, row in after.items():
        won = [np.array(file[name]["won"][method], bool) for file, method in methods]
        versus = []
        for other in won[:2]:
            more, less = int((won[2] & ~other).sum()), int((other & ~won[2]).sum())
            versus.append(f"+{more} -{less}, p = {p_value(more, less):.2g}")
        spent = f"{before[name]['ms']['kernel']:.3g}, {row['ms']['kernel']:.3g}"
        rates = " | ".join(f"{100 * each.mean():.1f}" for each in won)
        share = 100 * np.mean(row["approximate"])
        print(
            f"| {name} | {len(won[2])} | {share:.1f} | {rates} | {' | '.join(versus)} | {spent} |"
        )
    for kind in ("forced", "reduced"):
        print(
            f"\n{kind}\n\n| board / mines | games | parts alone | box LBP | parts with messages |"
        )
        print("|---|---|---|---|---|")
        for name, row in after.items():
            if len(row["errors"][kind].get("kernel", [])) < 3:
                continue
            cells = []
            for file, method in methods:
                found = np.array(file[name]["errors"][kind][method])
                se = found.std(axis=0, ddof=1) / np.sqrt(len(found))
                mean = found.mean(axis=0)
                cells.append(
                    f"{mean[0]:.4f} ± {se[0]:.4f}, {found[:, 1].max():.2f},"
                    f" {mean[2]:.4f} ± {se[2]:.4f}"
                )
            print(f"| {name} | {len(found)} | {' | '.join(cells)} |")


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[0] == "play":
        play(words[1], int(words[2]) if len(words) > 2 else 200)
    else:
        files = []
        for path in words[1:]:
            with open(path, encoding="utf-8") as kept:
                files.append(json.load(kept))
        table(*files)
