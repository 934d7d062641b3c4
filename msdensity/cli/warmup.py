"""`msdensity warmup`: compile once, before the first game."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from msdensity.cli.output import add_json, print_json
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.players.registry import PLAYERS

add_arguments = add_json


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command; return its exit status."""
    begin = time.perf_counter()
    from msdensity.games.analysis import analyse
    from msdensity.games.game import Game
    from msdensity.games.play import kernel_player, play_batch
    from msdensity.kernel.compiler.jit import CACHE_FOLDER

    tasks = {name: Task(Board((3, 3)), 1, name) for name in PLAYERS}
    for name, task in list(tasks.items()):
        if kernel_player(task).in_planes:  # the board above is in planes, this one is not
            tasks[f"{name}, other boards"] = Task(Board((3, 3), "torus8"), 1, name)
    seconds = {"import": time.perf_counter() - begin}
    entries: dict[str, Callable[[], object]] = {
        f"player {name}": lambda task=task: play_batch(task, 0, 0)  # type: ignore[misc]
        for name, task in tasks.items()
    }
    entries["analyse"] = lambda: analyse(["."], 0)
    entries["game"] = lambda: Game.deal(next(iter(tasks.values())), 0)
    for name, call in entries.items():
        if not arguments.json:
            print(f"{name} ...", end="", flush=True)
        start = time.perf_counter()
        call()
        seconds[name] = time.perf_counter() - start
        if not arguments.json:
            print(f" {seconds[name]:.2f} s")
    total = time.perf_counter() - begin
    if arguments.json:
        facts = {"cache": CACHE_FOLDER or None, "seconds": total, "seconds_by_entry": seconds}
        print_json(facts)
        return 0
    print(f"ready in {total:.2f} s")
    print(f"machine code kept in {CACHE_FOLDER}" if CACHE_FOLDER else NO_CACHE)
    return 0


NO_CACHE = "machine code is not kept: set NUMBA_CACHE_DIR to a folder that can be written"
