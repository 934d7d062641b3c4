"""What the study of paper 001 plays beside the sweeps: pilots, first cells, positions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd

from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Setup
from msdensity.runs.config import Config
from msdensity.runs.measure import pilot
from msdensity.runs.sweep import Played, play_table
from msdensity.studies.paper.first_click import PLACES, first_click_table, first_click_tasks
from msdensity.studies.paper.inference import inference_table


def play_pilots(config: Config, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Play about 1,500 other games of every board and player with room for 2 mines.

    Return what they say of rho50 (PILOT_COLUMNS). keep: what was played earlier.
    """
    rows = []
    for board in config.boards:
        for label, (name, options) in zip(config.labels, config.players, strict=True):
            if board.cells < 3:
                continue
            found = pilot(Setup(board, name, options, config.rules, config.seed), keep=keep)
            rows.append((board.name, label, board.cells, found.rho50, found.k))
    return pd.DataFrame(rows, columns=["board", "player", "cells", "rho50", "k"])


def play_first_click(
    config: Config, ledgers: str, dealt: int, threads: int = 1, keep: Keep = NO_CHECKPOINT
) -> Played:
    """Play from every kind of first cell; the table says what it is worth (FIRST_CLICK_COLUMNS).

    ledgers: the folder of the ledgers; dealt: games in which a first cell that shows 0 is looked
    for; keep: what was dealt earlier.
    """
    study = config.first_click_study
    assert study is not None
    tasks = {
        Path(ledgers) / f"{board.name}.{place}.csv": first_click_tasks(
            board, mines, place, config.seed
        )
        for board, mines in study.mines
        for place in PLACES
    }
    played = play_table(tasks, study.games, batch=config.batch, threads=threads)
    return replace(played, table=first_click_table(played.table, dealt, keep))


def play_inference(config: Config, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Return what the text's inference misses (INFERENCE_COLUMNS); keep: of earlier attempts."""
    study = config.inference_study
    assert study is not None
    return inference_table(study.mines, study.games, config.seed, keep)
