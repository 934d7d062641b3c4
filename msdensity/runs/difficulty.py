"""How hard a board is: games counted by what they take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from typing import TextIO

import pandas as pd

from msdensity.errors import integer
from msdensity.games.boards import Board, Rules
from msdensity.games.difficulty import (
    CLASSES,
    GUESSER,
    MOST_GUESSES,
    class_counts,
    require_guesser,
)
from msdensity.games.tasks import MAX_SEED, Setup, Task
from msdensity.runs.calls import count_threads
from msdensity.runs.class_shares import class_rows
from msdensity.runs.parallel import in_threads
from msdensity.runs.progress import Progress

BATCH = 100
"""Games of a piece of work."""


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
    return count_classes(setup.task(mines), games, count_threads(threads), log)


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
