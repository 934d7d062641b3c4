"""Exact win rates of players on small boards: all layouts are played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules, named_board
from msdensity.games.game_tree import play_tree
from msdensity.games.tasks import Player, Task, named_player
from msdensity.kernel.names import FIRST_ZEROS
from msdensity.players.registry import what_draws

MAX_LAYOUTS = 6_000_000
"""Of one first click: enough for every number of mines on 25 cells."""


@dataclass(frozen=True)
class ExactWins:
    """How many layouts there are, and how many of them a player wins.

    layouts: that can be dealt; where the first click is random, those of all first clicks together.
    won: of these, the expected number; whole unless chance decides.
    """

    layouts: int
    won: Fraction

    @property
    def win_rate(self) -> Fraction:
        """The exact chance to win."""
        return self.won / self.layouts


def exact_win_rate(
    board: Board | str,
    mines: int,
    player: Player = "weighted",
    first_click: str = "corner",
    start: str = "safe",
) -> Fraction:
    """Return the exact chance that a player wins, as a fraction, without an error.

    board: or its name; mines: 1..cells - 1; player: a name, or a name and options; first_click,
    start: as in `Rules`. Raises InputError out of range, and where `why_not_exact` says why.
    """
    name, options = named_player(player)
    rules = Rules(first_click, start)
    return exact_wins(Task(named_board(board), mines, name, options, rules)).win_rate


def why_not_exact(task: Task) -> str:
    """Return why the wins of a task cannot be counted exactly, "" if they can."""
    cells, mines, start = task.board.cells, task.mines, task.rules.start
    if start in FIRST_ZEROS:
        return f"start={start} must be safe, zero or unprotected, to count every layout"
    if why := what_draws(task.player, task.options):
        how = "at random" if why == "always" else f"at random with {why}"
        return f"player={task.player} must not draw {how}, to count every layout"
    layouts = comb(cells - 1, mines)
    if layouts > MAX_LAYOUTS:
        return (
            f"mines={mines} of board {task.board.name} gives up to {layouts} layouts, must be at"
            f" most {MAX_LAYOUTS}, to count every one"
        )
    return ""


def exact_wins(task: Task) -> ExactWins:
    """Return how many layouts the player of a task wins; its seed does not matter.

    Raises InputError where `why_not_exact` says why.
    """
    if why := why_not_exact(task):
        raise InputError(why)
    won, kept, layouts = Fraction(0), Fraction(0), 0
    for first, free, total in _starts(task):
        counts = play_tree(task, first, free)
        won += Fraction(counts.won, total)
        kept += Fraction(total - counts.given_up, total)
        layouts += total - counts.given_up
    # A board that is given up is dealt anew, the first click included.
    return ExactWins(layouts, won / kept * layouts)


def _starts(task: Task) -> Iterator[tuple[int, list[int], int]]:
    """Yield (first click, cells that may be mined where it is no mine, layouts dealt)."""
    from msdensity.kernel.topology import cached_table, first_cells

    table = cached_table(task.board.shape, task.board.topology)
    for c in first_cells(task.board.shape, task.rules.first_click).tolist():
        kept = {c}
        if task.rules.start == "zero":
            kept.update(table.neighbours[table.start[c] : table.start[c + 1]].tolist())
        free = [d for d in range(task.board.cells) if d not in kept]
        unprotected = task.rules.start == "unprotected"
        yield c, free, comb(task.board.cells if unprotected else len(free), task.mines)
