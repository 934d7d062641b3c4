"""What the study of topologies plays, for its plan."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from msdensity.games.boards import Board
from msdensity.games.tasks import Setup, Task
from msdensity.runs.ledger import read_ledger
from msdensity.runs.plan import Workload
from msdensity.runs.versions import own_ledger
from msdensity.stats.lattice_law import SMALLEST_SIDE, lattice_rho50
from msdensity.studies.topologies.settings import CUBIC, Settings, axes_of

_STEEPNESS, _SPREAD = 5.0, np.linspace(0.9, 1.1, 7)
"""W falls about as 2^-(r^5) near W = 1/2; the densities around it that are played."""

PROTECTED = (13, 27)
"""The most cells that a start on a 0 keeps free of mines, in the plane and on boards of cubes."""

_HIGHEST = 0.3
"""Half of the games are won at this density or below, about, on all but the smallest boards."""


def stored(settings: Settings, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the path of each ledger that the study may have, with a task of its run."""
    for topology in settings.boards:
        for setup in settings.setups(topology):
            yield _ledger(data, "rho50", setup.board), setup.task(1)
    for topology in settings.law:
        for board, (tasks, _) in settings.law_tasks(topology).items():
            yield _ledger(data, "law", board), tasks[0]


def workloads(settings: Settings, data: Path) -> list[Workload]:
    """Return what the study plays; data: the folder data/{name}.

    Pilots decide the games around W = 1/2, so until a board is played they are a guess.
    """
    works: list[Workload] = []
    for topology in settings.boards:
        for setup, error in settings.setups(topology).items():
            works += _half(setup, error, _ledger(data, "rho50", setup.board))
    for topology in settings.law:
        for board, (tasks, games) in settings.law_tasks(topology).items():
            works.append(Workload("law", tasks, games, [_ledger(data, "law", board)]))
    return works


def _half(setup: Setup, error: float, ledger: Path) -> list[Workload]:
    rows = read_ledger(own_ledger(ledger)).rows
    if rows:
        played = {row.task.mines: row.counts.stop for row in rows}
    else:
        # An error of ln rho50 is that of W over -dW / d ln rho, which is k ln 2 / 2 at W = 1/2.
        games = (1 / np.log(2) / _STEEPNESS / error) ** 2
        played = dict.fromkeys(_near_half(setup), max(50, round(games / len(_SPREAD))))
    return [
        Workload(
            "rho50",
            [setup.task(m) for m, n in sorted(played.items()) if n == each],
            each,
            [ledger],
            estimate=not rows,
        )
        for each in dict.fromkeys(played.values())
    ]


def _near_half(setup: Setup) -> list[int]:
    """Return numbers of mines around half of the games won, by the law."""
    board = setup.board
    rho = _HIGHEST
    if min(board.shape) >= SMALLEST_SIDE:
        rho = min(rho, lattice_rho50((board.shape[0],) * axes_of(board.topology), board.topology))
    most = board.cells - PROTECTED[board.topology in CUBIC]
    return sorted({min(max(round(rho * s * board.cells), 1), most) for s in _SPREAD})


def _ledger(data: Path, part: str, board: Board) -> Path:
    return data / "ledger" / part / f"{board.name}.csv"
