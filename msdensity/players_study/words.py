"""What the tables of the study say, in sentences made from their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.players_study.losses import KINDS, LATE_CELLS
from msdensity.players_study.measures import COST_BOARD
from msdensity.players_study.verdicts import DIFFERS, readings

SINGLE_POINT = ("cellular_automaton", "naive_single_point", "double_set", "single_point")
"""Players that look at one number at a time."""


def verdict_words(tables: pd.DataFrame) -> list[str]:
    """Return a sentence for each published table: what agrees, and which reading does better.

    tables: STUDY_COLUMNS.
    """
    ways = readings(tables)
    sentences = []
    for name in ways["table"].unique():
        own = ways[ways["table"] == name]
        text, others = own[own["role"] == "text"].iloc[0], own[own["role"] == "test"]
        sentence = f"{name}: as the text says ({_way(text)}), {_agreement(text)}"
        if text["agree"] < text["cells"] and len(others):
            score = others["win_agree"] + others["agree"] / 1000
            best = others.loc[score.idxmax()]
            if score.max() > text["win_agree"] + text["agree"] / 1000:
                sentence += f"; of {len(others)} other readings {_way(best)} comes closest:"
                sentence += f" {_agreement(best)}"
            else:
                sentence += f"; none of {len(others)} other readings tried agrees in more"
            sentence += _range(tables[tables["table"] == name])
        elif text["agree"] < text["cells"]:
            sentence += "; no other reading is known to try"
        sentences.append(sentence + ".")
    return sentences


def _range(own: pd.DataFrame) -> str:
    """Return the win rates of all readings where the text's is farthest from the printed one."""
    win = own[own["measure"] == "win_percent"]
    text = win[win["role"] == "text"]
    if not (text["verdict"] == "differs").any():
        return ""
    board = max(zip(text["z"].abs().tolist(), text["board"], strict=True))[1]
    there = win[win["board"] == board]
    low, high, printed = there["ours"].min(), there["ours"].max(), there["published"].iloc[0]
    return f"; on {board} all readings win {low:.1f} to {high:.1f} %, printed is {printed:g} %"


def intro_words(tables: pd.DataFrame) -> str:
    """Return how many printed numbers agree, played as the texts say; tables: STUDY_COLUMNS."""
    text = readings(tables[tables["role"] == "text"])
    agree, cells, win, wins = (
        int(text[name].sum()) for name in ("agree", "cells", "win_agree", "win_cells")
    )
    whole = ", ".join(text.loc[text["agree"] == text["cells"], "table"])
    return (
        f"Played as the texts say, {agree} of {cells} printed numbers agree, {win} of {wins} win"
        f" rates among them. Every number agrees in: {whole or 'no table'}."
    )


def _way(row: pd.Series) -> str:
    return f"{row['player']}, {row['first_click'].replace('_', ' ')}, {row['start']} start"


def _agreement(row: pd.Series) -> str:
    words = f"{row['agree']} of {row['cells']} numbers agree"
    if row["win_cells"]:
        words += f", {row['win_agree']} of {row['win_cells']} win rates"
        words += f" (the farthest at z = {row['worst_win_z']:.1f})"
    if row["opener"]:
        words += f", guesses with the opener {row['opener']}"
    return words


def pair_words(pairs: pd.DataFrame) -> dict[str, list[str]]:
    """Return for each question a sentence for each pair and board; pairs: as `pairs_table`."""
    found: dict[str, list[str]] = {}
    row: Any
    for row in pairs.itertuples():
        percent, error = 100 * row.difference, 196 * row.difference_se
        verb = "more" if percent > 0 else "fewer"
        sure = "" if abs(row.z) >= DIFFERS else ", no more than chance allows"
        found.setdefault(row.question, []).append(
            f"{row.board}/{row.mines}: {row.first} wins {abs(percent):.2f} ± {error:.2f} % {verb}"
            f" of {row.games:,} games than {row.second} (z = {row.z:.1f}{sure})."
        )
    return found


def formula_words(formulas: pd.DataFrame) -> list[str]:
    """Return a sentence for each formula and start; formulas: FORMULA_COLUMNS."""
    sentences = []
    for (formula, start), rows in formulas.groupby(["formula", "start"], sort=False):
        agree = int((rows["verdict"] == "agrees").sum())
        farthest = max(rows["z"].tolist(), key=abs)
        sentences.append(
            f"Formula {formula}, {start} start: {agree} of {len(rows)} probabilities agree, the"
            f" farthest at z = {farthest:.1f}."
        )
    return sentences


def loss_words(measures: pd.DataFrame) -> list[str]:
    """Return what games are lost by and what is missed; measures: MEASURE_COLUMNS."""
    names = zip(measures["player"], measures["board"], measures["measure"], strict=True)
    numbers = zip(measures["value"].tolist(), measures["se"].tolist(), strict=True)
    found = dict(zip(names, numbers, strict=True))

    def shown(player: str, board: str, measure: str, digits: int = 0) -> str:
        value, error = found[player, board, measure]
        return f"{value:.{digits}f} ± {1.96 * error:.{digits}f}"

    board = measures["board"].iloc[-1]
    named = ", ".join(
        f"{kind.replace('_', ' ')} {shown('csp_report', board, f'lost_{kind}_percent')} %"
        for kind in KINDS
    )
    stuck = shown("weighted", board, "needs_guess_percent", 1)
    needless = {
        player: found[player, board, "needless_guess_percent"][0]
        for player in measures["player"].unique()
    }
    ordered = sorted(needless, key=lambda player: needless[player])
    most = ", ".join(f"{p} {needless[p]:.0f} %" for p in ordered)
    return [
        f"003 names three kinds of lost games. As defined here (late: at most {LATE_CELLS} cells"
        f" left), csp_report's losses on {board} are: {named}. What is left is the guess in the"
        " middle of the game, which 003 does not name.",
        f"004 says that logic alone does not solve 95 % of expert boards: here exact inference from"
        f" a safe corner gets stuck in {stuck} % of games on {board}.",
        f"Guesses on {board} made while exact inference knew a safe cell: {most}.",
    ]


def cost_words(density: pd.DataFrame, cost: pd.DataFrame) -> list[str]:
    """Return what critical density costs; density: as `density_table`, cost: COST_COLUMNS."""
    board, mines = COST_BOARD
    largest = density[density["q"] == density["q"].max()].set_index("player")
    timed = cost[(cost["board"] == board) & (cost["mines"] == mines)].set_index("player")["cpu_us"]
    both = largest.join(timed).dropna(subset=["rho50"]).sort_values("cpu_us")
    record, steps = -np.inf, []
    row: Any
    for row in both.itertuples():
        if row.rho50 > record:
            record = row.rho50
            steps.append(
                f"{row.Index} {row.rho50:.4f} ± {1.96 * row.rho50_sd:.4f} ({row.cpu_us:.0f} µs)"
            )
    name = largest["board"].iloc[0]
    expert = cost[(cost["board"] == "16x30") & cost["player"].isin(SINGLE_POINT)]
    slowest = expert["cpu_us"].max()
    within = "all below" if slowest < 100 else "not all below"
    return [
        f"Density at which half of the games on {name} are won, for players that no cheaper one"
        f" beats, cheapest first: {'; '.join(steps)}.",
        f"The single-point players need at most {slowest:.0f} µs of CPU a game on 16x30/99,"
        f" {within} 100.",
    ]
