"""With how many mines a share of the games is won, or solved by rules without a guess."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import TextIO

import numpy as np

from msdensity.errors import InputError, fraction, shown
from msdensity.games.boards import Board, Rules
from msdensity.games.difficulty import BY_RULES, GUESSER
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Player, Setup, named_player
from msdensity.runs.calls import count_threads
from msdensity.runs.measure import measure, missed, pilot, plan_rho50, refine
from msdensity.stats.rho50.curve import check_rate
from msdensity.stats.rho50.fit_object import Rho50Fit
from msdensity.stats.rho50.level import unpowered
from msdensity.stats.rho50.measurement import NO_GUESS_WINS, WINS


@dataclass(frozen=True)
class SweetSpot:
    """With how many mines a share of the games ends as wanted.

    by: who plays, in words; win_rate: wanted; density, error: where it is reached, with its
    standard error, NaN if there is no such place (`notes` say why); below, above: the whole numbers
    of mines on both sides and the fitted win rate at each, with its standard error; fit: of all
    games, see `stats.rho50.level`.
    """

    board: Board
    by: str
    win_rate: float
    density: float
    error: float
    below: tuple[int, float, float]
    above: tuple[int, float, float]
    games: int
    fit: Rho50Fit
    notes: tuple[str, ...] = ()

    @property
    def mines(self) -> float:
        """The number of mines at which the win rate is reached, no whole number."""
        return self.density * self.board.cells

    @property
    def mines_error(self) -> float:
        """The standard error of `mines`."""
        return self.error * self.board.cells

    @property
    def closest(self) -> int:
        """The whole number of mines whose win rate is closest to the wanted one."""
        return min(self.below, self.above, key=lambda end: abs(end[1] - self.win_rate))[0]

    def report(self) -> str:
        """Return the numbers of mines in words."""
        head = f"{self.board.name}, {self.by}: win rate {self.win_rate:g}"
        if np.isnan(self.density):
            return "\n".join([f"{head} is not found", *(f"warning: {note}" for note in self.notes)])
        lines = [
            f"{head} at {self.mines:.2f} +- {self.mines_error:.2g} mines (density "
            f"{self.density:.5f} +- {self.error:.2g})",
            *(f"  {m} mines: win rate {W:.4f} +- {e:.2g}" for m, W, e in (self.below, self.above)),
            f"take {self.closest} mines; {self.games:,} games",
        ]
        return "\n".join([*lines, *(f"warning: {note}" for note in self.notes)])

    def __str__(self) -> str:
        """Return the report."""
        return self.report()


def sweet_spot(
    board: Board | str,
    win_rate: float = 0.5,
    by: Player = GUESSER,
    *,
    error: float = 1e-3,
    rules: Rules | None = None,
    seed: int = 0,
    threads: int | None = None,
    log: TextIO | None = None,
) -> SweetSpot:
    """Return with how many mines a share `win_rate` of the games is won, or solved by rules.

    win_rate: in .05..0.95; by: a player, or one of BY_RULES: then a game counts if these rules open
    the whole board without a guess (`count`: all numbers and the number of mines); error: wanted
    standard error of the density, in (0, 1). The other arguments are as in `difficulty`. Raises
    InputError for a value that is not allowed, and if a pilot finds no such number of mines.
    """
    start = Rules() if rules is None else rules
    setup, outcome = solver(by, board, start, seed)
    fraction("error", error)
    return find_sweet_spot(setup, outcome, win_rate, error, threads=count_threads(threads), log=log)


def solver(by: Player, board: Board | str, start: Rules, seed: int) -> tuple[Setup, str]:
    """Return who plays for `by` (see `sweet_spot`), and the measure that counts as a win."""
    if isinstance(by, str) and by == "count":
        return Setup(board, GUESSER, {}, start, seed), NO_GUESS_WINS  # type: ignore[arg-type]
    if isinstance(by, str) and by in BY_RULES:
        return Setup(board, "inference", {"rules": by}, start, seed), WINS  # type: ignore[arg-type]
    return Setup(board, *named_player(by), start, seed), WINS  # type: ignore[arg-type]


def find_sweet_spot(
    setup: Setup,
    outcome: str,
    win_rate: float,
    error: float,
    *,
    threads: int = 1,
    keep: Keep = NO_CHECKPOINT,
    log: TextIO | None = None,
) -> SweetSpot:
    """Return where a share of the games ends with an outcome; see `sweet_spot`.

    keep: a checkpoint.
    """
    rate = check_rate(win_rate)
    found = pilot(setup, keep=keep, outcome=outcome, rate=rate)
    found = refine(setup, found, error, threads, keep, outcome, log)
    planned = plan_rho50(setup, found, error)
    result = measure(setup, planned, threads, log, keep=keep, outcome=outcome, rate=rate)
    return _spot(setup, outcome, rate, error, result.best, planned.total)


def _spot(
    setup: Setup, outcome: str, rate: float, wanted: float, fit: Rho50Fit, games: int
) -> SweetSpot:
    notes = fit.warnings()
    if text := missed(fit.error, wanted):
        notes.append(text)
    cells = setup.board.cells
    low = -1 if fit.no_fit else floor(fit.rho50 * cells)
    ends = [_end(fit, m, cells, rate) for m in (low, low + 1)]
    label = setup.task(1).label
    by = f"{label} without a guess" if outcome == NO_GUESS_WINS else label
    place = fit.rho50, fit.error
    return SweetSpot(setup.board, by, rate, *place, ends[0], ends[1], games, fit, tuple(notes))


def _end(fit: Rho50Fit, mines: int, cells: int, rate: float) -> tuple[int, float, float]:
    if fit.no_fit:
        return mines, np.nan, np.nan
    density = mines / cells
    W, error = unpowered(fit.predict(density), fit.predict_error(density), rate)
    return mines, float(W), float(error)


def check_rules(name: str) -> str:
    """Return the name of a set of rules; InputError for another name than BY_RULES."""
    if name not in BY_RULES:
        raise InputError(f"rules={shown(name)} must be one of {', '.join(BY_RULES)}")
    return name
