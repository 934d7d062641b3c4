"""How many certain cells the text's inference misses, by mine density."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from msdensity.files.tables import check_table
from msdensity.games.boards import Board
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task
from msdensity.studies.paper.columns import INFERENCE_COLUMNS
from msdensity.studies.paper.text_inference import Cell, infer_fast

COUNTED = ("positions", "certain", "missed_local", "missed", "stuck", "over_limit")
"""What is counted in each game; see INFERENCE_COLUMNS."""


def inference_table(
    boards: Sequence[tuple[Board, Sequence[int]]],
    games: int,
    seed: int,
    keep: Keep = NO_CHECKPOINT,
) -> pd.DataFrame:
    """Return how the text's inference compares with exact inference (INFERENCE_COLUMNS).

    boards: each with its numbers of mines; games: for each of these; keep: a checkpoint. Positions
    are those that a player with exact inference reaches: before every move all certain cells are
    looked for, then all of them are opened or marked; if there is none, the safest cell with the
    lowest index is opened.
    """
    rows = []
    for board, mine_counts in boards:
        for mines in mine_counts:
            task = Task(board, mines, seed=seed)
            counts: Counter[str] = Counter()
            lacking: list[tuple[int, int]] = []
            for g in range(games):
                numbers = keep(f"inference {task.task_id} {g} 1", partial(_counts, task, g))
                game = dict(zip(COUNTED, numbers, strict=True))
                counts.update(game)
                lacking.append((game["certain"], game["missed"]))
            rows.append(_row(task, games, counts, np.array(lacking, float)))
    table = pd.DataFrame(rows, columns=list(INFERENCE_COLUMNS))
    return check_table(table, INFERENCE_COLUMNS, "inference table")


def play_positions(task: Task, first_game: int, games: int) -> None:
    """Play games as `inference_table` does, for their time alone."""
    for g in range(first_game, first_game + games):
        _one_game(task, g)


def _row(task: Task, games: int, counts: Counter[str], lacking: np.ndarray) -> dict[str, object]:
    certain, missed = lacking.sum(axis=0)
    share = missed / certain if certain else np.nan
    # Cells of one game are dependent, so the error of the ratio comes from the games.
    spread = lacking[:, 1] - share * lacking[:, 0]
    error = np.sqrt(games / max(games - 1, 1) * (spread**2).sum()) / certain if certain else np.nan
    return {
        "board": task.board.name,
        "mines": task.mines,
        "density": task.density,
        "games": games,
        **{name: counts[name] for name in COUNTED},
        "missed_share": share,
        "missed_share_se": error,
    }


def _counts(task: Task, g: int) -> list[int]:
    game = _one_game(task, g)
    return [game[name] for name in COUNTED]


def _one_game(task: Task, g: int) -> Counter[str]:
    from msdensity.games.game import Game

    counts: Counter[str] = Counter()
    game = Game.deal(task, g)
    game.open(0, 0)
    while game.status == "playing":
        safe, mined, guess = _exact(game.view(), task.mines, counts)
        for cell in mined:
            game.flag(*cell)
        for cell in safe:
            game.open(*cell)
        if not safe and game.status == "playing":
            game.open(*guess)
    return counts


def _exact(
    grid: list[str], mines: int, counts: Counter[str]
) -> tuple[list[Cell], list[Cell], Cell]:
    """Return the certain cells and the safest cell of a position; count what the text misses."""
    from msdensity.games.analysis import analyse

    exact = analyse(grid, mines)
    certain = {*exact.safe, *exact.mined}
    counts["positions"] += 1
    counts["certain"] += len(certain)
    local = infer_fast(grid, mines, global_constraint=False)
    missed = certain - {*local.safe, *local.mined}
    counts["missed_local"] += len(missed)
    if missed:
        inferred = infer_fast(grid, mines)
        missed -= {*inferred.safe, *inferred.mined}
        counts["over_limit"] += not inferred.complete
    counts["missed"] += len(missed)
    counts["stuck"] += bool(certain) and len(missed) == len(certain)
    best = np.nanargmax(exact.safety)
    row, column = map(int, np.unravel_index(best, exact.safety.shape))
    return list(exact.safe), list(exact.mined), (row, column)  # type: ignore[arg-type]
