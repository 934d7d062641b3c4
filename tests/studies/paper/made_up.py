"""Made-up tables that figures draw, and what the figures then show."""

import numpy as np
import pandas as pd
from matplotlib.text import Text

from msdensity.stats.correction import w_correction
from msdensity.stats.intervals import wilson
from msdensity.stats.logistic import logistic


def made_up(board, player="weighted", middle=0.2):
    """Win rates of a made-up player: a logistic in density and a certain win at the last mine."""
    p, q = map(int, board.split("x"))
    mines = np.arange(1, p * q)
    games = 1000
    wins = np.round(games * logistic(mines / (p * q), 0.01, 0.99, 25, middle)).astype(int)
    wins[-1] = games
    low, high = wilson(wins, games)
    table = {"board": board, "p": p, "q": q, "topology": "square8", "player": player}
    table |= {"first_click": "corner", "start": "safe", "seed": 1, "kernel_version": 1}
    table |= {"mines": mines, "density": mines / (p * q), "games": games, "wins": wins}
    table |= {"win_rate": wins / games, "win_rate_low": low, "win_rate_high": high}
    return w_correction(pd.DataFrame(table))


def made_up_study():
    """A first-click table in which an edge cell is worth 2 % less, an inner one 5 %."""
    places = {"corner": 0.0, "random_edge": -0.02, "random_interior": -0.05, "centre": -0.06}
    rows = []
    for board in ("8x8", "16x16"):
        for mines in (10, 20, 30):
            for i, (place, loss) in enumerate(places.items()):
                row = {"board": board, "mines": mines, "density": mines / 64, "first_click": place}
                zero = 0.7 - 0.1 * i - mines / 100
                row |= {"zero_formula": zero, "zero_games": 1000, "zeros": int(1000 * zero) + 9}
                row |= {"zero_low": zero - 0.03, "zero_high": zero + 0.04, "neighbours": 3 + i}
                row |= {"difference": loss or np.nan, "difference_se": 0.004 if loss else np.nan}
                rows.append(row)
    return pd.DataFrame(rows)


def made_up_misses():
    rows = [
        {
            "board": board,
            "density": rho,
            "certain": 1000,
            "missed_local": 80,
            "missed": 1000 * share,
        }
        | {"missed_share": share, "missed_share_se": 0.004}
        for board, factor in (("10x10", 0.3), ("16x30", 0.1))
        for rho in (0.1, 0.2, 0.3)
        for share in [factor * rho]
    ]
    return pd.DataFrame(rows)


def exactly(table, boards):
    """The win rates of these boards as if they were exact."""
    rows = table["board"].isin(boards)
    fraction = table["wins"].astype(str) + "/" + table["games"].astype(str)
    table = table.assign(exact=fraction.where(rows, ""))
    for end in ("win_rate_low", "win_rate_high"):
        table[end] = table[end].where(~rows, table["win_rate"])
    return table


def lines(ax):
    """Return (x, y) of every line on the axes."""
    return [np.column_stack(line.get_data()).astype(float) for line in ax.get_lines()]


def texts(figure):
    """Return every text of a figure."""
    return [text.get_text() for text in figure.findobj(Text)]
