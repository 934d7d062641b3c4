"""Measure rho50 of one board to a wanted error: a pilot, a design from it, then its games.

The same for any other win rate, see `stats.rho50.level`.
"""

from __future__ import annotations

import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from typing import TextIO

import numpy as np

from msdensity.errors import InputError, integer
from msdensity.games.boards import most_mines
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Setup, Task
from msdensity.kernel.measures import MEASURES
from msdensity.runs.parallel import in_threads
from msdensity.runs.progress import Progress
from msdensity.stats.rho50.control_variate import control_coefficients, reduced_win_rate
from msdensity.stats.rho50.curve import HALF_RATE, STEEPNESS
from msdensity.stats.rho50.design import FINE, Design, design
from msdensity.stats.rho50.fit import fit_power
from msdensity.stats.rho50.fit_object import FEW_POINTS, SMALL_BOARD
from msdensity.stats.rho50.level import as_played, cost, exponent, powered_window
from msdensity.stats.rho50.measurement import WINS, Measurement, fit_counts, fit_share

PILOT_FIRST_GAME = 2 * 10**12
"""Far beyond the games of any run, so that no game of a pilot is counted later."""

REFINED_FIRST_GAME = 3 * 10**12

REFINED = 3.5
"""So many times the wanted error is that of a refined pilot."""

MAX_PILOT_GAMES = 10**9

BRACKET_GAMES = 100

ONE_MINE_GAMES = 1000

PILOT_SPREAD = np.linspace(0.75, 1.25, 7)
"""Densities of the pilot over its bracket: with k about 4, W from about .2 to .8."""


class Stopped(KeyboardInterrupt):
    """Ctrl-C in the middle of `measure`. measurement: of the games that were played until then."""

    def __init__(self, measurement: Measurement) -> None:
        super().__init__("stopped early")
        self.measurement = measurement


BATCH = 1000

MAX_BATCHES = 10_000

TOLERANCE = 1.25
"""An error above this many times the wanted one is more than an imprecise pilot explains."""


@dataclass(frozen=True)
class Pilot:
    """rho50 and k of a few games; gain: variance ratio of the control variate, 1 without one.

    seconds: CPU time of a game by number of mines, rising; none: why the board has no rho50, empty
    if it may have one; rate: the win rate wanted, at whose density rho50 and k are.
    """

    rho50: float
    k: float
    gain: float
    games: int
    seconds: dict[int, float]
    none: str = ""
    rate: float = HALF_RATE


def pilot(
    setup: Setup,
    games: int = 500,
    keep: Keep = NO_CHECKPOINT,
    outcome: str = WINS,
    rate: float = HALF_RATE,
) -> Pilot:
    """Return rho50 and k from a search for W = 1/2 and about `games` games around it.

    games: 100..MAX_PILOT_GAMES, called pilot_games in errors; keep: a checkpoint, whose games are
    not in the time; outcome: what W is the rate of, wins or no_guess_wins; rate: what is searched
    instead of 1/2, with more games if each tells less. Raises InputError out of range, and if W is
    not below `rate` for some number of mines and above for another.
    """
    integer("pilot_games", games, 100, MAX_PILOT_GAMES)
    played = 0
    low, high = 1, most_mines(setup.board, setup.rules)
    if high < 2:
        raise InputError(f"board={setup.board.name} must have room for 2 mines to have a rho50")
    # W falls with m, except at the last few m, which are won by luck and left out of the search.
    high = max(2, min(high, setup.board.cells * 3 // 4))
    while high - low > 1:
        middle = (low + high) // 2
        won = _play(setup.task(middle), PILOT_FIRST_GAME, BRACKET_GAMES, keep)[outcome]
        played += BRACKET_GAMES
        low, high = (middle, high) if won > rate * BRACKET_GAMES else (low, middle)
    none = ""
    if low == 1:  # one mine was taken to be won more often than not
        won = _play(setup.task(1), PILOT_FIRST_GAME, ONE_MINE_GAMES, keep)[outcome]
        played += ONE_MINE_GAMES
        if won < ONE_MINE_GAMES * rate - 3 * np.sqrt(ONE_MINE_GAMES * rate * (1 - rate)):
            name = "rho50" if rate == HALF_RATE else f"number of mines with win rate {rate:g}"
            none = (
                f"board={setup.board.name} has no {name}: with one mine already, only"
                f" {won / ONE_MINE_GAMES:.0%} of the games end so"
            )
    near = setup.density(high)
    chosen = np.unique(np.rint(near * PILOT_SPREAD * setup.board.cells).astype(int))
    if high < FEW_POINTS:  # the spread of so few mines is too narrow for a curve
        chosen = np.arange(1, FEW_POINTS)
    chosen = chosen[(chosen >= 1) & (chosen <= most_mines(setup.board, setup.rules))]
    each = max(int(games * max(cost(rate), 1)) // len(chosen), 10)
    counts, seconds = [], {}
    for m in chosen.tolist():
        begin = time.thread_time()
        counts.append(_play(setup.task(m), PILOT_FIRST_GAME + BRACKET_GAMES, each, keep))
        seconds[m] = (time.thread_time() - begin) / each
    played += each * len(chosen)
    density = chosen / setup.board.cells
    wins = np.array([count[outcome] for count in counts])
    played_each = np.full(len(chosen), each)
    rho50, k = near, STEEPNESS
    if curve := fit_power(density, wins, played_each):
        moved = curve[0] * exponent(rate) ** (-1 / curve[1])  # where this curve is at `rate`
        rho50, k = (moved, curve[1]) if moved < 1 else (near, STEEPNESS)
    if setup.board.cells < SMALL_BOARD:
        line = fit_share(density, wins, played_each, (0.0, 1.0), setup.board.cells, rate)
        rho50, k = (rho50, k) if line.no_fit else (line.rho50, line.k)
    nearest = counts[int(np.argmin(np.abs(wins / each - rate)))]
    reducible = outcome == WINS and nearest["z0_z0"] > 0
    gain = 1.0
    if reducible:
        gain = max(gain, reduced_win_rate(nearest, control_coefficients(nearest)).gain)
    return Pilot(rho50, k, gain, played, seconds, none, rate)


def refine(
    setup: Setup,
    found: Pilot,
    error: float,
    threads: int = 1,
    keep: Keep = NO_CHECKPOINT,
    outcome: str = WINS,
    log: TextIO | None = None,
) -> Pilot:
    """Return a pilot that is precise enough for a wanted standard error of rho50.

    Most games of a design are played at the pilot's rho50. A parabola is not exactly the curve, so
    the nearer to rho50 they are, the less the fit depends on it. About a twelfth of the games of
    the design are played for this, and not counted; none if the pilot `found` has as many.
    """
    plan_rho50(setup, found, error)  # refuses an error that is too small, before any game
    planned = plan_rho50(setup, found, REFINED * error)
    if planned.total <= found.games:
        return found
    try:
        result = measure(
            setup, planned, threads, log, REFINED_FIRST_GAME, keep, outcome, found.rate
        )
    except Stopped:  # a pilot's fit is no result
        raise KeyboardInterrupt from None
    fit = result.best
    played = found.games + planned.total
    if fit.no_fit:
        return replace(found, games=played)
    return replace(found, rho50=fit.rho50, k=fit.k, games=played)


def plan_rho50(setup: Setup, found: Pilot, error: float) -> Design:
    """Return the games that give rho50 this standard error, according to the pilot `found`.

    Raises InputError if the pilot says that the board has no rho50.
    """
    if found.none:
        raise InputError(found.none)
    half = found.rate == HALF_RATE
    planned = design(
        found.rho50,
        found.k,
        setup.board.cells,
        error,
        found.seconds,
        gain=found.gain,
        rates=None if half else powered_window(found.rate, error / found.rho50, FINE),
        most_mines=most_mines(setup.board, setup.rules),
    )
    return planned if half else as_played(planned, found.rate)


def measure(
    setup: Setup,
    planned: Design,
    threads: int = 1,
    log: TextIO | None = None,
    first_game: int = 0,
    keep: Keep = NO_CHECKPOINT,
    outcome: str = WINS,
    rate: float = HALF_RATE,
) -> Measurement:
    """Play the games of a design and fit the density of half of an outcome to them.

    threads: at least 1; log: where progress goes (None: nowhere); first_game: of each number of
    mines; keep: a checkpoint; outcome: WINS or NO_GUESS_WINS; rate: the share of the games that
    end so, instead of half. Ctrl-C raises Stopped, with the fit to the games played so far, if
    every number of mines has some.
    """
    integer("threads", threads, 1)
    most = int(planned.games.max())
    size = max(BATCH, -(-most // MAX_BATCHES))  # all batches are listed at once
    pieces = [
        (int(m), first, min(size, int(games) - first))
        for first in range(0, most, size)
        for m, games in zip(planned.mines, planned.games, strict=True)
        if first < games  # all of them by turns, so that a part of the games has a fit too
    ]

    def play(piece: tuple[int, int, int]) -> dict[str, int]:
        mines, first, games = piece
        return _play(setup.task(mines), first_game + first, games, keep)

    _play(setup.task(int(planned.mines[0])), 0, 0)  # compiles, which must not be timed
    sums: dict[int, Counter[str]] = {int(m): Counter() for m in planned.mines}
    spent = 0.0
    progress = Progress("rho50", planned.total, log)

    def fit() -> Measurement:
        counts = {m: dict(total) for m, total in sums.items()}
        fitted = fit_counts(counts, setup.board.cells, planned.window, outcome, rate)
        return replace(fitted, cpu_seconds=spent)

    try:
        with closing(in_threads(play, pieces, threads)) as calls:
            for done in chain.from_iterable(calls):
                sums[done.piece[0]].update(done.result)  # adds, negative sums too
                spent += done.cpu_seconds
                progress.add(done.piece[2])
    except KeyboardInterrupt:
        if all(sums.values()):
            raise Stopped(fit()) from None
        raise
    return fit()


def missed(error: float, wanted: float) -> str:
    """Return a warning about a standard error that is not the wanted one; empty if it is."""
    if not error > TOLERANCE * wanted:
        return ""
    return f"the error is {error:.2g}, the wanted error was {wanted:g}: ask for a smaller one"


def _play(task: Task, first: int, games: int, keep: Keep = NO_CHECKPOINT) -> dict[str, int]:
    from msdensity.games.play import play_batch

    def play() -> list[int]:
        sums = play_batch(task, first, games)
        return [sums[name] for name in MEASURES]

    sums = keep(f"pilot {task.task_id} {first} {games}", play)
    return {"games": games, **dict(zip(MEASURES, sums, strict=True))}
