"""Play the games of a task: it is translated for the kernel here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from msdensity.errors import InputError, integer, require_kind
from msdensity.files.own_code import load_own_code, names_own_code
from msdensity.games.tasks import MAX_SEED, Task
from msdensity.kernel.names import FIRST_ZEROS
from msdensity.players.registry import player_info

if TYPE_CHECKING:
    from msdensity.kernel.batch import KernelTask, Player
    from msdensity.kernel.state import Memory

Keep = Callable[[str, Callable[[], Sequence[int]]], list[int]]
"""keep(what, play) -> the whole numbers that `play` returns, or those kept by an earlier attempt.

what: one line of text with everything that decides the numbers, in this version of the sources.
"""


def _play(what: str, play: Callable[[], Sequence[int]]) -> list[int]:
    return [int(number) for number in play()]


NO_CHECKPOINT: Keep = _play
"""Play without a checkpoint."""


def kernel_task(task: Task) -> KernelTask:
    """Return a task as the kernel takes it; only this function translates tasks."""
    from msdensity.kernel.batch import KernelTask

    options = player_info(task.player).options
    return KernelTask(
        task.board.shape,
        task.board.topology,
        task.mines,
        task.rules.first_click,
        task.rules.start,
        (task.board_key, task.player_key),
        tuple(options[key].choices.index(task.options[key]) for key in options),
    )


def kernel_player(task: Task) -> Player:
    """Return the player of a task as the kernel takes it; imports its file."""
    from msdensity.kernel.batch import Player

    name = task.player
    if names_own_code(name):
        from msdensity.players.own import own_player

        return own_player(name, load_own_code("player", name).value, kernel_task(task))
    info = player_info(name)
    module = import_module(f"msdensity.players.{info.module or name}")
    memory = None
    if info.memory:
        memory = import_module(f"msdensity.players.{info.memory}").thread_memory
    in_planes = getattr(module, f"{info.entry}_in_planes", None)
    return Player(getattr(module, info.entry), memory, in_planes)


def play_batch(
    task: Task, first_game: int, games: int, workspace: Memory | None = None
) -> dict[str, int]:
    """Play games first_game .. first_game + games - 1 of a task; return its measures, summed.

    The keys are `kernel.measures.MEASURES`. `workspace` is made for this board, for example to
    record the moves of the last game (None: this thread's). Releases the GIL.

    first_game, games: at least 0, the last game at most 2^63 - 2. Raises InputError for values out
    of range and for a task that the board cannot have.
    """
    from msdensity.kernel.batch import play

    require_kind("task", task, Task, "a Task")
    games = integer("games", games, 0, MAX_SEED)
    first_game = integer("first_game", first_game, 0, MAX_SEED - games)
    return play(kernel_player(task), kernel_task(task), first_game, games, workspace)


def boards_without_zero(task: Task, first_game: int, games: int) -> int:
    """Return how many of games first_game .. first_game + games - 1 have a board without a 0.

    task: with a start of FIRST_ZEROS. It deals each of these boards again, because the ledgers of
    all other starts have no use for such a measure; boards that a player gives up do not count.
    Raises InputError for another start and as `play_batch`.
    """
    from msdensity.kernel.deal import count_zeros

    if task.rules.start not in FIRST_ZEROS:
        raise InputError(f"start={task.rules.start} must be one of {', '.join(FIRST_ZEROS)}")
    games = integer("games", games, 0, MAX_SEED)
    first_game = integer("first_game", first_game, 0, MAX_SEED - games)
    return games - count_zeros(kernel_task(task), first_game, games)
