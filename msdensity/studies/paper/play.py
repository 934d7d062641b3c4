"""What the study of paper 001 plays beside the sweeps: pilots, first cells, positions."""

from __future__ import annotations

import pandas as pd

from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Setup
from msdensity.runs.config import Config
from msdensity.runs.measure import pilot
from msdensity.studies.paper.first_click import first_click_table
from msdensity.studies.paper.inference import inference_table


def play_pilots(config: Config, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Return a first estimate of rho50 from about 1,500 other games (PILOT_COLUMNS).

    They are played for every board and player with room for 2 mines. keep: a checkpoint.
    """
    rows = []
    for board in config.boards:
        for label, (name, options) in zip(config.labels, config.players, strict=True):
            if board.cells < 3:
                continue
            fit = pilot(Setup(board, name, options, config.rules, config.seed), keep=keep)
            rows.append((board.name, label, board.cells, fit.rho50, fit.k))
    return pd.DataFrame(rows, columns=["board", "player", "cells", "rho50", "k"])


def play_first_click(
    config: Config, dealt: int, threads: int = 1, keep: Keep = NO_CHECKPOINT
) -> pd.DataFrame:
    """Play from every kind of first cell and compare them (FIRST_CLICK_COLUMNS).

    dealt: games dealt to count first cells that show 0; keep: a checkpoint.
    """
    study = config.first_click_study
    assert study is not None
    return first_click_table(study.mines, study.games, dealt, config.seed, threads, keep)


def play_inference(config: Config, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Return what the text's inference misses (INFERENCE_COLUMNS); keep: a checkpoint."""
    study = config.inference_study
    assert study is not None
    return inference_table(study.mines, study.games, config.seed, keep)
