"""`msdensity play`: count how games end, or show one."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from typing import Any

from msdensity.cli.colours import game_lines
from msdensity.cli.output import print_json, terminal
from msdensity.cli.parser import number_of_mines, whole_number
from msdensity.cli.setup import add_setup, level_mines, read_setup
from msdensity.errors import InputError, integer
from msdensity.games.tasks import MAX_SEED, Task
from msdensity.kernel.limits import check_threads
from msdensity.kernel.measures import MEASURES
from msdensity.kernel.names import FIRST_ZEROS

GAMES = 1000

BATCH_SECONDS = 0.1
"""How long the games take that a thread gets at once; Ctrl-C waits for them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = (
        "Game g depends only on the board, the mines, the topology and the seed: every player and "
        "start meets the same boards, whatever the number of threads. CPU seconds do not include "
        "compilation. Ctrl-C prints the games played so far. Variance-reduced: the win rate "
        "less the luck of the guesses, whose safeties are known; variance / 6 is worth six times "
        "the games. z: guesses survived beside their safeties, in standard errors; above 4 one is "
        "wrong."
    )
    parser.add_argument(
        "--mines",
        type=number_of_mines,
        metavar="M",
        help="number of mines (default: those of the level, if the board is one)",
    )
    parser.add_argument("--games", type=whole_number, help=f"number of games (default: {GAMES})")
    parser.add_argument(
        "--first-game", type=whole_number, metavar="G", help="first game (default: 0)"
    )
    parser.add_argument(
        "--show",
        type=whole_number,
        metavar="G",
        help="show game G move by move instead of counting; in a terminal, the board in colours",
    )
    add_setup(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command; return its exit status."""
    task = read_setup(arguments).task(level_mines(arguments))
    if arguments.show is not None:
        for name in ("games", "first_game"):
            if (value := getattr(arguments, name)) is not None:
                raise InputError(f"{name}={value} must be left out: --show shows one game")
        return show(task, arguments.show, arguments.json)
    games = GAMES if arguments.games is None else arguments.games
    first_game = arguments.first_game or 0
    integer("games", games, 1, MAX_SEED)
    integer("first_game", first_game, 0, MAX_SEED - games)
    check_threads(arguments.threads, task.board.shape, task.board.topology)
    counts, stopped = count_games(task, first_game, games, arguments.threads)
    if stopped:
        print(f"msdensity play: stopped after {counts['games']} games", file=sys.stderr)
    if counts["games"]:
        if task.rules.start in FIRST_ZEROS:
            from msdensity.games.play import boards_without_zero

            counts["no_zero"] = boards_without_zero(task, first_game, counts["games"])
        report(task, first_game, counts, arguments.json)
    return 130 if stopped else 0


def count_games(
    task: Task, first_game: int, games: int, threads: int
) -> tuple[dict[str, Any], bool]:
    """Return (counts, stopped): the measures of the games, `games` and `cpu_seconds`.

    `halves` has the measures and `games` of the first half of the games and of the second. Ctrl-C
    stops early with the games first_game, first_game + 1, ... played without a gap.
    """
    from msdensity.games.play import play_batch
    from msdensity.runs.progress import Progress

    halves: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    waiting: dict[int, tuple[int, dict[str, int], float]] = {}
    played, begun, size, cpu_seconds, stopped = 0, 0, 1.0, 0.0, False
    progress = Progress("play", games, terminal())

    def timed(batch: tuple[int, int]) -> tuple[dict[str, int], float]:
        begin = time.perf_counter()
        return play_batch(task, first_game + batch[0], batch[1]), time.perf_counter() - begin

    def batches() -> Iterator[tuple[int, int]]:
        nonlocal begun
        while begun < games:
            end = games // 2 if begun < games // 2 else games
            first, begun = begun, min(end, begun + int(size))
            yield first, begun - first

    def add(batch: tuple[int, int], measures: dict[str, int], cpu: float, wall: float) -> None:
        nonlocal played, cpu_seconds, size
        waiting[batch[0]] = batch[1], measures, cpu
        progress.add(batch[1])
        while played in waiting:
            count, measures, cpu = waiting.pop(played)
            played += count
            half = halves[played > games // 2]
            half.update(measures)
            half["games"] += count
            cpu_seconds += cpu
        size = max(1.0, min(4 * size, batch[1] * BATCH_SECONDS / max(wall, 1e-6)))

    try:
        play_batch(task, first_game, 0)  # compiles; finds bad input
        begin, more = time.perf_counter(), batches()
        # A short run ends before threads would be worth starting.
        while begun < games and time.perf_counter() - begin < BATCH_SECONDS / 4:
            cpu, batch = time.thread_time(), next(more)
            measures, wall = timed(batch)
            add(batch, measures, time.thread_time() - cpu, wall)
        if begun < games:
            from msdensity.runs.parallel import in_threads

            with closing(in_threads(timed, more, threads)) as calls:
                for done in chain.from_iterable(calls):
                    add(done.piece, done.result[0], done.cpu_seconds, done.result[1])
    except KeyboardInterrupt:
        stopped = True
    measures = {name: halves[0][name] + halves[1][name] for name in MEASURES}
    return {"games": played, **measures, "cpu_seconds": cpu_seconds, "halves": halves}, stopped


def report(task: Task, first_game: int, counts: dict[str, Any], as_json: bool) -> None:
    """Print the counts and what follows from them."""
    from msdensity.kernel.version import KERNEL_VERSION
    from msdensity.stats.intervals import win_rate

    games, wins = counts["games"], counts["wins"]
    rate = win_rate(wins, games)
    microseconds = 1e6 * counts["cpu_seconds"] / games
    reduced = None
    halves = counts.pop("halves")
    if games > 1 and counts["z0_z0"] > 0:  # the player states exact safeties
        from msdensity.stats.rho50.control_variate import (
            MAX_GAIN,
            MIN_LOSSES,
            reduced_by_halves,
        )

        reduced = reduced_by_halves(*halves)
    if as_json:
        facts = {
            "board": task.board.name,
            "topology": task.board.topology,
            "mines": task.mines,
            "player": task.player,
            "options": dict(task.options),
            "first_click": task.rules.first_click,
            "start": task.rules.start,
            "seed": task.seed,
            "kernel_version": KERNEL_VERSION,
            "task_id": task.task_id,
            "first_game": first_game,
            **counts,
            "win_rate": rate.best,
            "win_rate_low": rate.low,
            "win_rate_high": rate.high,
            "cpu_microseconds_per_game": microseconds,
        }
        if reduced is not None:
            facts |= {
                "reduced_win_rate": reduced.rate.best,
                "reduced_win_rate_low": reduced.rate.low,
                "reduced_win_rate_high": reduced.rate.high,
                "gain": reduced.gain,
                "reduced_note": reduced.note,
                "safety_z": reduced.z,
                "safety_tested": reduced.tested,
            }
        print_json(facts)
        return
    print(task.title)
    rows: list[tuple[str, str]] = [
        ("games", f"{games:,}  (from game {first_game} on)"),
        ("wins", f"{wins:,}"),
        (
            "win rate",
            f"{100 * rate.best:.2f} %  (Wilson interval of 95 %: "
            f"{100 * rate.low:.2f} .. {100 * rate.high:.2f})",
        ),
        ("won without a guess", f"{100 * counts['no_guess_wins'] / games:.2f} %"),
        ("guesses per game", f"{counts['guesses'] / games:.3f}"),
        ("too large for exact counting", f"{counts['approximate']:,} games"),
        ("CPU", f"{counts['cpu_seconds']:.3f} s, {microseconds:.1f} us per game"),
    ]
    if reduced is not None:
        low, best, high = (100 * end for end in reduced.rate)
        most = reduced.gain >= MAX_GAIN
        part = f"more than {MAX_GAIN:,.0f}" if most else f"{reduced.gain:.1f}"
        line = f"{best:.2f} %  (95 %: {low:.2f} .. {high:.2f}; variance / {part})"
        rows.insert(3, ("  variance-reduced", reduced.note or line))
        alarm = "  A SAFETY IS WRONG" if reduced.safeties_wrong else ""
        if not reduced.tested:
            alarm = f"  (no test: fewer than {MIN_LOSSES} losses by guess expected)"
        rows.append(("z of all safeties stated", f"{reduced.z:+.2f}{alarm}"))
    if "no_zero" in counts:
        rows.append(("boards without a 0", f"{counts['no_zero']:,} games, which start at cell 0"))
    for name, value in rows:
        print(f"{name:36}{value}")


def show(task: Task, g: int, as_json: bool) -> int:
    """Print one game move by move; in a terminal, with the board after each."""
    from msdensity.cli.analyse import nested
    from msdensity.games.game import play_game

    played = play_game(task, g)
    if as_json:
        moves = [
            {
                "cell": list(move.cell),
                "action": move.action,
                "reason": move.reason,
                "guess": move.guess,
                "safety": move.safety,
                "safeties": None if move.safeties is None else nested(move.safeties),
            }
            for move in played.moves
        ]
        facts = {"g": g, "status": played.status, "layout": played.layout}
        print_json(facts | {"view": played.game().view(), "moves": moves})
        return 0
    if not sys.stdout.isatty():  # a file gets the moves, and the board once, at the end
        print(played)
        return 0
    for line in game_lines(played, colour=not os.environ.get("NO_COLOR")):
        print(line)
    return 0
