"""The page of the target `players`: text, tables and figures in one file."""

from __future__ import annotations

import os
from collections.abc import Mapping

import pandas as pd

from msdensity.page import Page
from msdensity.players_study.questions import QUESTIONS
from msdensity.players_study.verdicts import DIFFERS
from msdensity.players_study.words import (
    cost_words,
    formula_words,
    intro_words,
    loss_words,
    pair_words,
    verdict_words,
)

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


def page(tables: Mapping[str, pd.DataFrame], figures: Mapping[str, str | os.PathLike[str]]) -> Page:
    """Return the page; tables: by the names TABLES; figures: PNG files by FIGURE_CAPTIONS."""
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
    made.code("snakemake --cores 2 players")
    made.text("`workflow/config/players.yaml` holds the numbers of games and the ways to play.")
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
    wide = cost.assign(
        board=cost["board"] + "/" + cost["mines"].astype("Int64").astype(str).replace("<NA>", "all")
    )
    table = wide.pivot(index="player", columns="board", values="cpu_us")
    table = table.reindex(wide["player"].unique())[list(wide["board"].unique())].reset_index()
    made.table(table, "CPU µs a game", dict.fromkeys(table.columns[1:], ".1f"))
