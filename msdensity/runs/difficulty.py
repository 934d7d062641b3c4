"""How hard a board is with some mines, and with how many mines a share of the games is won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from math import floor, sqrt
from typing import Any, TextIO

import numpy as np
import pandas as pd

from msdensity.errors import InputError, fraction, integer, shown
from msdensity.games.boards import Board, Rules
from msdensity.games.difficulty import (
    CLASSES,
    GUESSER,
    MOST_GUESSES,
    class_counts,
    opened_alone,
    require_guesser,
)
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import MAX_SEED, Player, Setup, Task, named_player
from msdensity.kernel.limits import MAX_THREADS
from msdensity.runs.calls import cores
from msdensity.runs.measure import measure, missed, pilot, plan_rho50, refine
from msdensity.runs.parallel import in_threads
from msdensity.runs.progress import Progress
from msdensity.stats.intervals import wilson
from msdensity.stats.rho50.fit_object import Rho50Fit
from msdensity.stats.rho50.level import check_rate, unpowered
from msdensity.stats.rho50.measurement import NO_GUESS_WINS, WINS

BATCH = 100
"""Games of a piece of work."""

BY_RULES = tuple(name for name in CLASSES if name != "guess")
"""The sets of rules that a game can be solved by without a guess."""


@dataclass(frozen=True)
class Difficulty:
    """What the games of a task take. counts: COUNTS of so many games."""

    task: Task
    games: int
    counts: Mapping[str, int]

    def table(self) -> pd.DataFrame:
        """Return a row a class, from the easiest on.

        share: of the games, with its multinomial standard error and Wilson interval; alone: share
        of the games that these rules open by themselves (`guess`: that the player wins).
        """
        return pd.DataFrame(class_rows(self.counts, self.games))

    def report(self) -> str:
        """Return the table in words."""
        task = self.task
        lines = [
            f"{task.board.name}, {task.mines} mines; first click {task.rules.first_click}, start "
            f"{task.rules.start}; seed {task.seed}; {self.games:,} games",
            f"{'the hardest step of a game':32}{'games':>10}  {'share, 95 % interval':<26}"
            "opened by these rules alone",
        ]
        for row in class_rows(self.counts, self.games):
            share = (
                f"{100 * row['share']:6.2f} %  ({100 * row['low']:.2f} .. {100 * row['high']:.2f})"
            )
            alone = f"{100 * row['alone']:6.2f} % +- {100 * row['alone_se']:.2f}"
            note = f" (won by {GUESSER})" if row["hardest"] == "guess" else ""
            lines.append(
                f"{CLASSES[row['hardest']]:32}{row['games']:>10,}  {share:<26}{alone}{note}"
            )
        guessed = self.counts["guess"]
        for n in range(1, MOST_GUESSES + 1):
            won, lost = self.counts[f"won_{n}"], self.counts[f"lost_{n}"]
            what = f"  {n}{' or more' if n == MOST_GUESSES else ''} guess{'es' * (n > 1)} made"
            share = f"{100 * (won + lost) / self.games:6.2f} %" if guessed else ""
            lines.append(f"{what:32}{won + lost:>10,}  {share:<26}{won:,} won, {lost:,} lost")
        if lost := self.counts["lost_0"]:
            lines.append(f"{'  lost by the first click':32}{lost:>10,}")
        if over := self.counts["approximate"]:
            lines.append(
                f"warning: in {over:,} games of the last class a position was too large for exact "
                "counting: some of them need no guess"
            )
        return "\n".join(lines)

    def __str__(self) -> str:
        """Return the report."""
        return self.report()


def class_rows(counts: Mapping[str, int], games: int) -> list[dict[str, Any]]:
    """Return the rows of `Difficulty.table`. counts: COUNTS of so many games."""
    alone = opened_alone(counts)
    rows = []
    for name in CLASSES:
        share, open_alone = counts[name] / games, alone[name] / games
        low, high = wilson(counts[name], games)
        rows.append(
            {
                "hardest": name,
                "games": counts[name],
                "share": share,
                "share_se": sqrt(share * (1 - share) / games),
                "low": float(low),
                "high": float(high),
                "alone": open_alone,
                "alone_se": sqrt(open_alone * (1 - open_alone) / games),
            }
        )
    return rows


def difficulty(
    board: Board | str,
    mines: int,
    games: int = 1000,
    *,
    rules: Rules | None = None,
    seed: int = 0,
    threads: int | None = None,
    log: TextIO | None = None,
) -> Difficulty:
    """Return what games on a board take: single cells, pairs, ..., the mine count or a guess.

    All sets of rules play the same boards, see `games.difficulty`. games: at least 1; rules: of the
    start (None: the default ones); threads: None for one per core; log: where progress goes (None:
    nowhere). Raises InputError for a value that is not allowed.
    """
    setup = Setup(board, GUESSER, {}, Rules() if rules is None else rules, seed)  # type: ignore[arg-type]
    return count_classes(setup.task(mines), games, _threads(threads), log)


def count_classes(task: Task, games: int, threads: int, log: TextIO | None = None) -> Difficulty:
    """Return what games 0 .. games - 1 of a task take; the arguments are those of `difficulty`."""
    require_guesser(task)
    games = integer("games", games, 1, MAX_SEED)
    pieces = ((first, min(BATCH, games - first)) for first in range(0, games, BATCH))
    counts = Counter(class_counts(task, 0, 0))
    progress = Progress("difficulty", games, log)
    with closing(in_threads(lambda piece: class_counts(task, *piece), pieces, threads)) as calls:
        for done in chain.from_iterable(calls):
            counts.update(done.result)
            progress.add(done.piece[1])
    return Difficulty(task, games, dict(counts))


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
    return find_sweet_spot(setup, outcome, win_rate, error, threads=_threads(threads), log=log)


def solver(by: Player, board: Board | str, start: Rules, seed: int) -> tuple[Setup, str]:
    """Return who plays for `by` (see `sweet_spot`), and the measure that counts as a win."""
    if by == "count":
        return Setup(board, GUESSER, {}, start, seed), NO_GUESS_WINS  # type: ignore[arg-type]
    if by in BY_RULES:
        return Setup(board, "inference", {"rules": str(by)}, start, seed), WINS  # type: ignore[arg-type]
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


def _threads(threads: int | None) -> int:
    return integer("threads", cores() if threads is None else threads, 1, MAX_THREADS)


def check_rules(name: str) -> str:
    """Return the name of a set of rules; InputError for another name than BY_RULES."""
    if name not in BY_RULES:
        raise InputError(f"rules={shown(name)} must be one of {', '.join(BY_RULES)}")
    return name
