"""Where to look for W = 1/2 on each board, from a few games that are then left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from msdensity.asymptotics.columns import POINT_COLUMNS
from msdensity.asymptotics.law import law_rho50, strip_one_rho50
from msdensity.asymptotics.study import Entry
from msdensity.counts import Counts
from msdensity.ledger import read_ledger
from msdensity.rho50 import design, fit_rho50
from msdensity.sweep import top_up
from msdensity.tables import check_table
from msdensity.tasks import Task, most_mines

_TRIES = 16
_NEAR = (0.35, 0.65)
_FLANKS = (0.8, 0.65, 0.35, 0.2)
_USED = (0.02, 0.98)
_CHECKPOINT_CELLS = 2_000_000


def checkpoint(cells: int) -> int:
    """Return the games between two checkpoints of a board: well below a second's work."""
    return int(np.clip(_CHECKPOINT_CELLS // cells, 10, 1000))


def play_to(tasks: list[Task], games: int, ledger: Path, threads: int) -> list[Counts]:
    """Top up the ledger of one board; return the counts of games [0, games) of each task.

    They may be of more games where the ledger has them.
    """
    cells = tasks[0].board.cells
    top_up(tasks, games, ledger, batch=checkpoint(cells), threads=threads)
    there = {
        row.task.task_id: row.counts
        for row in read_ledger(ledger).rows
        if row.counts.first_game == 0
    }
    return [there[task.task_id] for task in tasks]


def pilot(entry: Entry, seed: int, games: int, folder: Path, threads: int = 1) -> pd.DataFrame:
    """Return what to play of a board (POINT_COLUMNS), from pilots of `games` games.

    folder: where the ledger of the pilot is kept, so that no game is played twice. The number of
    mines moves along W = 2^-((rho / rho50)^k) to where W is near 1/2; four more about it show k.
    Some boards, such as 2 x q, go from above 1/2 to below it at once: they get the mines on both
    sides.
    """
    board = entry.board
    most = most_mines(board, entry.task(1, seed).rules)
    ledger = folder / f"{entry.name}.csv"
    rates: dict[int, float] = {}

    def rate(mines: int) -> float:
        if mines not in rates:
            (counts,) = play_to([entry.task(mines, seed)], games, ledger, threads)
            rates[mines] = counts.wins / counts.games
        return rates[mines]

    k = {1: 2.0, 2: 1.0}.get(board.p, 4.0)
    below, above = 0, most + 1
    mines = int(np.clip(round(_guess(entry) * board.cells), 1, most))
    centre = float(mines)
    for _ in range(_TRIES):
        found = rate(mines)
        if found >= 0.5:
            below = max(below, mines)
        else:
            above = min(above, mines)
        centre = mines * (np.log(2) / -np.log(np.clip(found, *_USED))) ** (1 / k)
        if above - below <= 1 or _NEAR[0] < found < _NEAR[1]:
            break
        mines = int(np.clip(round(centre), below + 1, above - 1))
    for wanted in _FLANKS:
        rate(int(np.clip(round(centre * (-np.log2(wanted)) ** (1 / k)), 1, most)))

    tried = np.array(sorted(m for m, W in rates.items() if _USED[0] < W < _USED[1]), int)
    rho50, fitted = min(max(centre / board.cells, 1e-6), 0.99), k
    if len(tried) > 1:
        wins = np.array([round(rates[int(m)] * games) for m in tried])
        with np.errstate(divide="ignore", invalid="ignore"):  # of two points, without residuals
            fit = fit_rho50(tried / board.cells, wins, np.full(len(tried), games), (0, 1))
        if not fit.no_fit:
            rho50, fitted = fit.rho50, fit.k
    plan = design(rho50, fitted, board.cells, rho50, 0)
    chosen = [int(m) for m in plan.mines if m <= most] or [most]
    if board.p == 2:  # the one number of mines with an exact answer
        chosen = sorted({1, *chosen})
    density = np.array(chosen) / board.cells
    rows: list[dict[str, Any]] = [
        {
            "board": board.name,
            "rule": entry.rule,
            "mines": m,
            "points": len(chosen),
            "rho50": rho50,
            "k": fitted,
            "window_low": min(plan.window[0], density[0]),
            "window_high": max(plan.window[1], density[-1]),
            "unit_error": plan.error * np.sqrt(plan.games) / rho50,
        }
        for m in chosen
    ]
    return check_table(pd.DataFrame(rows), POINT_COLUMNS, f"pilot of {entry.name}")


def _guess(entry: Entry) -> float:
    """Return a density to start from: the law's, less what small boards fall short of it."""
    p, q = min(entry.board.shape), max(entry.board.shape)
    if p == 1:
        return min(strip_one_rho50(q), 0.5)
    if p == 2:
        return 1 / (2 * q)
    law = law_rho50(p, entry.rule, entry.board.topology, aspect=q / p)
    return law * (1 - 0.8 / p)
