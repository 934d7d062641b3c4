"""The numbers of mines near W = 1/2: those that show where a win-rate curve falls."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from msdensity.games.tasks import Task
from msdensity.runs.measure import PILOT_FIRST_GAME

PILOT_GAMES = 400
"""Games for each number of mines that the search looks at; they are not counted."""

CERTAIN, HOPELESS = 0.99, 0.01
"""Win rates of the pilot at which the search ends.

A win rate of .98 or .02 has a standard error of .007 in the pilot, so most of .02 < W < .98 lies
between them. One more number of mines is played at each end."""


def near_half(tasks: Sequence[Task]) -> list[Task]:
    """Return the tasks of one board with about .02 < W < .98, rising in mines.

    tasks: of one board and player, one for each number of mines from 1 on. Numbers of mines above
    three quarters of the cells, where a few games are won by luck, are left out. The answer depends
    on the tasks alone.
    """
    from msdensity.games.play import play_batch

    ranked = sorted(tasks, key=lambda task: task.mines)
    ranked = [task for task in ranked if 4 * task.mines <= 3 * task.board.cells] or ranked

    def lost(task: Task) -> float:
        return 1 - play_batch(task, PILOT_FIRST_GAME, PILOT_GAMES)["wins"] / PILOT_GAMES

    # W falls with the mines, so the share of lost games rises and can be searched by bisection.
    first = bisect_left(ranked, 1 - CERTAIN, key=lost)
    last = bisect_left(ranked, 1 - HOPELESS, lo=first, key=lost)
    return ranked[max(0, first - 1) : last + 1]
