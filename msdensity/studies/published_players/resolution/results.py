"""The tables of the part on 002: coverage, difficulty, needless guesses and cost."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.errors import InputError
from msdensity.files.tables import check_table
from msdensity.games.boards import Board
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task
from msdensity.studies.published_players.losses import missed
from msdensity.studies.published_players.measures import ratio, ratio_interval
from msdensity.studies.published_players.resolution.columns import RESOLUTION_TABLES
from msdensity.studies.published_players.resolution.methods import (
    ADDED,
    CLUES,
    GUESSED,
    GUESSERS,
    LEVELS,
    METHODS,
    PLACES,
    SIZES,
    TIMED,
    TOTAL,
)
from msdensity.studies.published_players.resolution.positions import (
    COUNTS,
    OF_METHOD,
    Positions,
    count_games,
    decide,
    game_positions,
    join_positions,
)
from msdensity.studies.published_players.settings import CORNER, Settings

Counts = dict[str, NDArray[np.int64]]
"""Of each game, by the names of COUNTS."""


def place_task(board: str, mines: int, seed: int) -> Task:
    """Return the task whose games give positions: from a safe corner."""
    return Task(Board.parse(board), mines, "weighted", {}, CORNER, seed)


def place_tables(
    place: str, settings: Settings, keep: Keep = NO_CHECKPOINT
) -> dict[str, pd.DataFrame]:
    """Return the tables of positions on one of PLACES, named by board and mines, such as 8x8_10.

    keep: a checkpoint. Raises InputError for another place.
    """
    places = {f"{board}_{mines}": (board, mines) for board, mines in PLACES}
    if place not in places:
        raise InputError(f"place={place!r} must be one of {', '.join(places)}")
    board, mines = places[place]
    task = place_task(board, mines, settings.seed)
    rows = count_games(task, settings.resolution_games, keep)
    counts = dict(zip(COUNTS, rows.T, strict=True))
    where = {"board": board, "mines": mines}
    made = {"coverage": coverage(counts, where), "levels": levels(counts, where)}
    return {f"resolution_{name}": table for name, table in made.items()}


def coverage(counts: Counts, where: dict[str, Any]) -> pd.DataFrame:
    """Return what each method decides (COVERAGE_COLUMNS); errors are over games."""
    methods: dict[str, Counts] = {
        method: {name: counts[f"{method} {name}"] for name in OF_METHOD} for method in METHODS
    }
    first, then = methods["002 forward chaining"], methods["002, resolution too"]
    methods[ADDED] = {name: then[name] - first[name] for name in OF_METHOD}
    sides = {
        CLUES: ("certain", "certain_positions", "found", "any_positions"),
        TOTAL: ("total_certain", "total_positions", "total_found", "total_any"),
    }
    rows = []
    for knowledge, (cells, places, found, any_found) in sides.items():
        for method, own in methods.items():
            shares = share("share", own[found], counts[cells])
            anys = share("any", own[any_found], counts[places])
            sums = {
                "positions": counts["positions"],
                "certain": counts[cells],
                "found": own[found],
                "false": own["false"],
                "certain_positions": counts[places],
                "any_positions": own[any_found],
            }
            row = {"knowledge": knowledge, "method": method, "games": len(counts["positions"])}
            row |= {name: int(each.sum()) for name, each in sums.items()}
            beside = ratio(100 * (own[found] - then[found]), counts[cells])
            paired = dict(zip(("beside_text", "beside_text_se"), beside, strict=True))
            rows.append(where | row | shares | anys | paired)
    return _table("coverage", rows)


def levels(counts: Counts, where: dict[str, Any]) -> pd.DataFrame:
    """Return how many positions need each of LEVELS (LEVEL_COLUMNS)."""
    every = np.sum([counts[level] for level in LEVELS], axis=0)
    rows = []
    for level in LEVELS:
        own = counts[level]
        row = {"level": level, "games": len(own), "positions": int(own.sum())}
        rows.append(where | row | share("percent", own, every))
    return _table("levels", rows)


def share(name: str, above: NDArray[np.int64], below: NDArray[np.int64]) -> dict[str, float]:
    """Return sums in percent, their standard error over games and the ends of the 95 % interval.

    Their names are `name`, `name_se`, ..., or se, low and high if the name is percent.
    """
    value, error = ratio(100 * above, below)
    low, high = ratio_interval(value, error, int((below > 0).sum()), True)
    stem = "" if name == "percent" else f"{name}_"
    return {name: value, f"{stem}se": error, f"{stem}low": low, f"{stem}high": high}


def guesses_table(settings: Settings, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Return how many guesses are needless (GUESS_COLUMNS), of settings.resolution_games games.

    With the number of mines, and without: then only what the clues make certain counts.
    """
    rows = []
    for player, options in GUESSERS.items():
        for board, mines in GUESSED:
            task = Task(Board.parse(board), mines, "resolution", options, CORNER, settings.seed)
            counts = trace_guesses(task, settings.resolution_games, keep)
            for i, knowledge in enumerate((CLUES, TOTAL)):
                row = {
                    **{"player": player, "board": board, "mines": mines, "knowledge": knowledge},
                    "games": len(counts),
                    "guesses": int(counts[:, 0].sum()),
                    "needless": int(counts[:, 1 + i].sum()),
                }
                rows.append(row | share("percent", counts[:, 1 + i], counts[:, 0]))
    return _table("guesses", rows)


def trace_guesses(task: Task, games: int, keep: Keep = NO_CHECKPOINT) -> NDArray[np.int64]:
    """Return guesses, and those at which the clues, or the mines too, show a safe cell.

    The array is (games, 3), of games 0 .. games - 1 of a task.
    """
    from msdensity.games.game import play_game

    def one(g: int) -> list[int]:
        played = play_game(task, g)
        counts = [len(played.guesses)]
        for mines in (None, task.mines):
            game = played.game(0)
            needless = 0
            for move in played.moves:
                needless += move.guess and missed(game, mines)[0] > 0
                game.act(move.action, *move.cell)
            counts.append(needless)
        return counts

    rows = [keep(f"guesses {task.task_id} {g}", partial(one, g)) for g in range(games)]
    return np.array(rows, np.int64)


def cost_tables(settings: Settings) -> dict[str, pd.DataFrame]:
    """Return CPU times of settings.resolution_timed_games games (TIME_COLUMNS, SIZE_COLUMNS).

    They differ from run to run, so that no other table holds them.
    """
    games = settings.resolution_timed_games
    times = []
    for board, mines in PLACES:
        task = place_task(board, mines, settings.seed)
        joined = join_positions([game_positions(task, g) for g in range(games)])
        for method, seconds in _seconds(task, joined).items():
            n = len(joined.states)
            row = {"board": board, "mines": mines, "method": method, "positions": n}
            times.append(row | {"cpu_us": 1e6 * seconds / n if n else np.nan})
    return {"resolution_time": _table("time", times), "resolution_sizes": _sizes(settings)}


def _seconds(task: Task, positions: Positions) -> dict[str, float]:
    """Return CPU seconds of each method at all positions, the reading of positions included."""
    from msdensity.games.analysis import analyse_many

    seconds = {}
    for method, options in METHODS.items():
        decide(task, positions, options)  # compiles, and memory touched for the first time is slow
        begin = time.thread_time()
        decide(task, positions, options)
        seconds[method] = time.thread_time() - begin
    begin = time.thread_time()
    board = task.board
    if len(positions.states):
        analyse_many(
            positions.states, positions.numbers, task.mines, board.topology, shape=board.shape
        )
    return seconds | {"exact": time.thread_time() - begin}


def _sizes(settings: Settings) -> pd.DataFrame:
    from msdensity.games.play import play_batch

    rows = []
    games = settings.resolution_timed_games
    for player, (name, options) in TIMED.items():
        for board, mines in SIZES:
            task = Task(Board.parse(board), mines, name, options, CORNER, settings.seed)
            play_batch(task, 0, 1)
            begin = time.thread_time()
            sums = play_batch(task, 0, games)
            seconds = time.thread_time() - begin
            row = {"board": board, "mines": mines, "player": player, "games": games}
            rows.append(
                row | {"cpu_us": 1e6 * seconds / games, "opened": float(sums["opened"] / games)}
            )
    return _table("sizes", rows)


def joined_tables(
    resolution_coverage: pd.DataFrame, resolution_levels: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Return the joined tables of all places."""
    return {"resolution_coverage": resolution_coverage, "resolution_levels": resolution_levels}


def _table(name: str, rows: list[dict[str, Any]]) -> pd.DataFrame:
    name = f"resolution_{name}"
    columns = RESOLUTION_TABLES[name]
    return check_table(pd.DataFrame(rows, columns=list(columns)), columns, name)
