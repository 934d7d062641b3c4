"""The page of the target `players`: text, tables and figures in one file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from msdensity.runs.config import STUDY_FILES
from msdensity.studies.page import Page, run_command
from msdensity.studies.published_players.losses import KINDS, LATE_CELLS
from msdensity.studies.published_players.measures import COST_BOARD
from msdensity.studies.published_players.questions import QUESTIONS
from msdensity.studies.published_players.results import DIFFERS, readings

TABLES = (
    "tables",
    "pairs",
    "measures",
    "cost",
    "density",
    "points",
    "point_fits",
    "formulas",
)
"""The tables that the page is made from, by the names of their files."""

FIGURE_CAPTIONS = {
    "single_point": "Figures 5.3 and 5.4 of 000: points with 95 % intervals, fitted curves; crosses"
    " are numbers printed in Tables 5.1 and 5.2.",
    "density": "Win rate on the largest square board (left); the density at which half of the games"
    " are won, against the side of the board (right). The same boards for every player.",
    "cost": "Density at which half of the games on the largest square board are won (filled) and"
    " critical density P (hollow) against CPU time a game; bars are 95 % intervals.",
}
"""The figures of the page, by the names of their files."""


def page(
    tables: Mapping[str, pd.DataFrame],
    figures: Mapping[str, str | os.PathLike[str]],
    file: str = STUDY_FILES["players"],
) -> Page:
    """Return the page.

    tables: by the names TABLES; figures: PNG files by FIGURE_CAPTIONS; file: of the settings.
    """
    made = Page("Published players beside the same players here")
    whole = tables["tables"]
    made.text(
        f"Three papers (000 Becerra 2015, 003 Kishore and Jovan Moris 2025, 004 Kamenetsky and Teo"
        f" 2007) print how often their players win. Here the same players play"
        f" {whole['games'].iloc[0]:,} games a cell, all of them the same boards. A number differs"
        f" where |z| reaches {DIFFERS} (a false alarm in 1,000), z with the errors of both sides."
        f" {intro_words(whole)} Guesses are counted with the opener and without, mines as marked"
        " and, where a game is won, all of them; such a number agrees if either count does. A row"
        " of role `test` is another reading of the start, the guess or the rule than the text's"
        " first meaning."
    )
    made.heading("What agrees, what differs")
    _sentences(made, verdict_words(whole))
    _published(made, whole)
    _single_point(made, tables, figures)
    made.heading("Player against player, game by game")
    _pairs(made, tables["pairs"])
    made.heading("The chance that the first cell shows 0")
    _sentences(made, formula_words(tables["formulas"]))
    made.table(tables["formulas"], "Formulas 4.2 to 4.4 of 000 beside dealt games", _FORMULA)
    made.heading("Why games are lost, and what is missed")
    _sentences(made, loss_words(tables["measures"]))
    for measure, caption in _MEASURES.items():
        made.table(_by_board(tables["measures"], measure), caption)
    _density(made, tables, figures)
    made.heading("How to make this page")
    made.code(run_command("players", file))
    made.text(f"`{file}` holds the numbers of games and the ways to play.")
    return made


_FORMULA = {"value": ".5f", "measured": ".5f", "se": ".1g", "z": ".1f"}

_MEASURES = {
    "win_percent": "Games won, %",
    "guesses_without_opener": "Guesses a game after the first click",
    "needs_guess_percent": "Games not won without a guess, %",
    "lost_first_guesses_percent": "Lost games, % lost before anything opens up",
    "lost_disconnected_percent": "Lost games, % with a region that no opened cell reaches",
    "lost_late_percent": "Lost games, % late",
    "lost_other_percent": "Lost games, % of no kind that 003 names",
    "needless_guess_percent": "Guesses made while exact inference knew a safe cell, %",
    "missed_safe": "Safe cells missed a guess",
    "missed_mined": "Mines not marked a guess, of those that exact inference knows",
}


def _sentences(made: Page, sentences: list[str]) -> None:
    for sentence in sentences:
        made.text(sentence)


def _published(made: Page, whole: pd.DataFrame) -> None:
    formats = {"published": "g", "ours": ".3f", "error": ".3f", "z": ".1f"}
    for name, rows in whole.groupby("table", sort=False):
        shown = rows[["player", "first_click", "start", "role", "measure", "published", "ours"]]
        shown = shown.assign(error=1.96 * rows["ours_se"], z=rows["z"], verdict=rows["verdict"])
        shown.insert(4, "board", rows["board"] + "/" + rows["mines"].astype(str))
        made.table(shown, f"{name}; error: 95 %", formats)


def _single_point(
    made: Page,
    tables: Mapping[str, pd.DataFrame],
    figures: Mapping[str, str | os.PathLike[str]],
) -> None:
    made.heading("Win rate against density and board size (000, Figures 5.3 and 5.4)")
    made.text(
        "000 draws a logistic curve and an exponential one and prints no parameter; fitted here are"
        " 100 / (1 + exp(k (density - rho))) and A exp(-cells / n), in percent. A chi2 far above"
        " the degrees of freedom says that the curve does not describe the points; in Figure 5.4"
        " mines come in whole numbers, so that the density is never quite the same."
    )
    made.figure(figures["single_point"], FIGURE_CAPTIONS["single_point"])
    formats = {"value": ".4f", "se": ".4f", "chi2": ".0f"}
    made.table(tables["point_fits"], "Fitted parameters", formats)
    points = tables["points"][["figure", "player", "board", "mines", "games", "wins"]]
    points = points.assign(percent=tables["points"]["win_percent"])
    made.table(points, "Points", {"percent": ".2f"})


def _pairs(made: Page, pairs: pd.DataFrame) -> None:
    words = pair_words(pairs)
    for question in QUESTIONS.values():
        title = f"{question.title} ({question.source})"
        if title in words:
            made.heading(title.capitalize(), 3)
            made.text(f"Claimed: {question.claim}.")
            _sentences(made, words[title])
    made.table(
        pairs.drop(columns="question"),
        "2 x 2 tables of wins and McNemar's test",
        {"difference": ".4f", "difference_se": ".4f", "z": ".1f", "p_value": ".2g"},
    )


def _by_board(measures: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return one measure as a table of players by boards, value and 95 % error as text."""
    own = measures[measures["measure"] == measure].dropna(subset=["value"])
    text = [f"{v:.2f} ± {1.96 * e:.2f}" for v, e in zip(own["value"], own["se"], strict=True)]
    wide = own.assign(text=text).pivot(index="player", columns="board", values="text")
    order = [name for name in own["board"].unique() if name in wide.columns]
    return wide.reindex(own["player"].unique())[order].fillna("").reset_index()


def _density(
    made: Page,
    tables: Mapping[str, pd.DataFrame],
    figures: Mapping[str, str | os.PathLike[str]],
) -> None:
    density, cost = tables["density"], tables["cost"]
    made.heading("How much critical density does each idea buy, at what cost?")
    made.text(
        "P is the critical density by the fit of paper 001; rho50 the density at which the win rate"
        " first falls below 1/2, between neighbouring numbers of mines by a straight line. The"
        " cellular automaton cannot guess: its games are those that it solves from the opening."
    )
    _sentences(made, cost_words(density, cost))
    for name in ("density", "cost"):
        made.figure(figures[name], FIGURE_CAPTIONS[name])
    formats = {"P": ".4f", "P error": ".4f", "rho50": ".4f", "rho50 error": ".4f"}
    shown = pd.DataFrame(
        {
            "player": density["player"],
            "board": density["board"],
            "P": density["P"],
            "P error": 1.96 * density["Q_sd"],
            "rho50": density["rho50"],
            "rho50 error": 1.96 * density["rho50_sd"],
            "note": density["note"].astype("object").fillna(""),
        }
    )
    made.table(shown, "Errors: 95 %", formats)
    mines = cost["mines"].astype("Int64").astype("string").fillna("all")
    wide = cost.assign(board=cost["board"] + "/" + mines)
    table = wide.pivot(index="player", columns="board", values="cpu_us")
    table = table.reindex(wide["player"].unique())[list(wide["board"].unique())].reset_index()
    made.table(table, "CPU µs a game", dict.fromkeys(table.columns[1:], ".1f"))


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
