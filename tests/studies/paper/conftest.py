"""Made-up win rates and fits that figures draw."""

import numpy as np
import pandas as pd
import pytest
from studies.paper.made_up import made_up

from msdensity.stats.hyperbola import extrapolation_table
from msdensity.stats.logistic import fits_table


@pytest.fixture(scope="module")
def tables():
    boards = [f"{q}x{q}" for q in range(3, 8)]
    parts = [
        made_up(board, player, 0.2 + shift + 0.3 / int(board[0]))
        for board in boards
        for player, shift in (("weighted", 0), ("other", 0.02))
    ]
    win_rates = pd.concat(parts, ignore_index=True)
    fits = fits_table(win_rates, replicates=5)
    return win_rates, fits, extrapolation_table(fits)


@pytest.fixture(scope="module")
def strip_fits():
    q = np.arange(2, 16)
    sides = {"p": pd.array([1] * len(q), dtype="Int64"), "q": pd.array(q, dtype="Int64")}
    table = pd.DataFrame({"board": [f"1x{n}" for n in q], **sides, "player": "weighted"})
    density = np.minimum(1, 1.5 / q)
    spread = {"Q_sd": 0.003, "Q_low": density - 0.01, "Q_high": density + 0.02}
    return table.assign(P=density, Q=density, **spread)
