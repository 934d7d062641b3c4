"""The page of the target `players`: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from typing import Any

import pandas as pd
from scipy.stats import chi2

from msdensity.stats.testing import DIFFERS, LEVEL, POWER
from msdensity.studies.page import Page, Tables, between, rows
from msdensity.studies.published_players.beliefs.facts import facts as belief_facts
from msdensity.studies.published_players.claims import judged_pairs
from msdensity.studies.published_players.losses import KINDS, LATE_CELLS
from msdensity.studies.published_players.questions import QUESTIONS
from msdensity.studies.published_players.resolution.page import resolution_facts
from msdensity.studies.published_players.results import readings
from msdensity.studies.published_players.settings import COST_BOARD, Settings
from msdensity.studies.published_players.starts import start_fits

SINGLE_POINT = ("cellular_automaton", "naive_single_point", "double_set", "single_point")
"""Players that look at one number at a time."""


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return the facts of the template; numbers of games are from the tables, not from settings."""
    study, measures, density = tables["tables"], tables["measures"], tables["density"]
    shown = study.assign(
        interval=[between(row.ours, row.ours_low, row.ours_high) for row in rows(study)]
    )
    pairs = judged_pairs(tables["pairs"])
    return {
        "games": study["games"].iloc[0],
        "level": LEVEL,
        "power": POWER,
        "differs": DIFFERS,
        "texts": texts(study),
        "verdicts": verdicts(study),
        "published": dict(list(shown.groupby("table", sort=False))),
        "starts": start_fits(study, tables["pairs"]),
        "no_zero": _no_zero(study),
        "point_fits": _point_fits(tables["point_fits"]),
        "points": tables["points"],
        "questions": _questions(pairs),
        "beliefs": belief_facts(tables),
        "claims": _claims(pairs),
        "pairs": pairs,
        "formulas": {"table": tables["formulas"], "agreement": _formulas(tables["formulas"])},
        "losses": _losses(measures),
        "measures": {name: _by_board(own) for name, own in measures.groupby("measure")},
        "cost": _cost(density, tables["cost"]),
        "density": density,
        "resolution": resolution_facts(tables),
    }


def texts(table: pd.DataFrame) -> dict[str, Any]:
    """Return how many printed numbers agree, played as the texts say, and in which tables all do.

    table: STUDY_COLUMNS. tests: all comparisons, of other readings too.
    """
    text = readings(table[table["role"] == "text"])
    sums = text[["agree", "cells", "win_agree", "win_cells"]].sum()
    return {
        **sums,
        "tests": len(table),
        "tables": text.loc[text["agree"] == text["cells"], "table"].tolist(),
    }


def _no_zero(table: pd.DataFrame) -> list[Any]:
    """Return the starts at the first 0 by board, with how many of the games had no such cell."""
    if "no_zero" not in table:
        return []
    counted = table.dropna(subset=["no_zero"]).drop_duplicates(["board", "mines"])
    return list(rows(counted))


def verdicts(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return for each published table how the text's reading and the best other one agree.

    table: STUDY_COLUMNS. better: whether the best of the others agrees in more than the text's; win
    rates count first.
    """
    ways = readings(table)
    found = []
    for name, own in ways.assign(score=ways["win_agree"] + ways["agree"] / 1000).groupby(
        "table", sort=False
    ):
        text = next(rows(own[own["role"] == "text"]))
        others = own[own["role"] == "test"]
        best = next(rows(others.sort_values("score", ascending=False, kind="stable")), None)
        found.append(
            {
                "table": name,
                "text": text,
                "others": len(others),
                "best": best,
                "better": best is not None and best.score > text.score,
                "farthest": _farthest(table[table["table"] == name]),
                "detectable": _found(table[table["table"] == name]),
            }
        )
    return found


def _found(own: pd.DataFrame) -> pd.Series[float] | None:
    """Return what the tests of the text's win rates find, in points; None without such a rate."""
    chosen = own[(own["role"] == "text") & (own["measure"] == "win_percent")]
    return chosen["detectable"] if len(chosen) else None


def _farthest(own: pd.DataFrame) -> dict[str, Any] | None:
    """Return the win rates of all readings where the text's is farthest from the printed one."""
    win = own[own["measure"] == "win_percent"]
    text = win[win["role"] == "text"]
    if not (text["verdict"] == "differs").any():
        return None
    board = max(zip(text["z"].abs().tolist(), text["board"], strict=True))[1]
    there = win[win["board"] == board]
    ours = there["ours"]
    printed = there["published"].iloc[0]
    return {"board": board, "low": ours.min(), "high": ours.max(), "printed": printed}


def _questions(pairs: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the questions that were played, with their pairs: first those with a claim."""
    found = []
    for question in QUESTIONS.values():
        title = f"{question.title} ({question.source})"
        own = pairs[pairs["question"] == title]
        if len(own):
            claimed = own["verdict"] != "no claim"
            found.append(
                {
                    "title": title,
                    "claim": question.claim,
                    "pairs": [*rows(own[claimed]), *rows(own[~claimed])],
                    "verdicts": own.loc[claimed, "verdict"].value_counts(sort=False).to_dict(),
                }
            )
    return found


def _claims(pairs: pd.DataFrame) -> dict[str, Any]:
    """Return how many pairs and claims there are and how the claims are judged, in all."""
    made = pairs[pairs["verdict"] != "no claim"]
    return {
        "pairs": len(pairs),
        "count": len(made),
        "printed": int(made["points"].notna().sum()),
        "verdicts": made["verdict"].value_counts(sort=False).to_dict(),
    }


def _point_fits(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the fits with a verdict on each curve, by chi2 at LEVEL."""
    fits = fits.assign(p=chi2.sf(fits["chi2"], fits["degrees"]))
    return fits.assign(verdict=fits["p"].lt(LEVEL).map({True: "does not fit", False: "fits"}))


def _formulas(formulas: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {
            "formula": formula,
            "start": start,
            "agree": int((own["verdict"] == "agrees").sum()),
            "probabilities": len(own),
            "farthest": max(own["z"].tolist(), key=abs),
            "detectable": own["detectable"].max(),
        }
        for (formula, start), own in formulas.groupby(["formula", "start"], sort=False)
    ]


def _losses(measures: pd.DataFrame) -> dict[str, Any]:
    """Return on the last board what games are lost by and which guesses are needless."""
    board = measures["board"].iloc[-1]
    here = measures[measures["board"] == board].set_index(["player", "measure"])[
        ["value", "low", "high"]
    ]
    needless = here.xs("needless_guess_percent", level="measure").reset_index()
    return {
        "board": board,
        "late_cells": LATE_CELLS,
        "kinds": [
            {"name": kind.replace("_", " "), **here.loc[("csp_report", f"lost_{kind}_percent")]}
            for kind in KINDS
        ],
        "stuck": here.loc[("weighted", "needs_guess_percent")],
        "needless": sorted(rows(needless), key=lambda row: row.value),
    }


def _by_board(own: pd.DataFrame) -> pd.DataFrame:
    """Return one measure as a table of players by boards, value and 95 % interval as text."""
    own = own.dropna(subset=["value"])
    return _wide(own.assign(text=[between(row.value, row.low, row.high) for row in rows(own)]))


def _wide(table: pd.DataFrame) -> pd.DataFrame:
    """Return `text` as a table of players by boards, both in the order of their first rows."""
    wide = table.pivot(index="player", columns="board", values="text").fillna("")
    wide = wide.reindex(index=table["player"].unique(), columns=table["board"].unique())
    return wide.reset_index()


def _cost(density: pd.DataFrame, cost: pd.DataFrame) -> dict[str, Any]:
    """Return what critical density costs; steps: players that no cheaper player beats.

    density: as `density_table`, cost: COST_COLUMNS. slowest: CPU microseconds of a single-point
    player on the expert board.
    """
    board, mines = COST_BOARD
    largest = density[density["q"] == density["q"].max()].set_index("player")
    timed = cost[(cost["board"] == board) & (cost["mines"] == mines)].set_index("player")["cpu_us"]
    both = largest.join(timed).dropna(subset=["rho50"]).sort_values("cpu_us")
    record = both["rho50"].cummax().shift(fill_value=float("-inf"))
    expert = cost[(cost["board"] == "16x30") & cost["player"].isin(SINGLE_POINT)]
    mines_text = cost["mines"].astype("Int64").astype("str").fillna("all")
    shown = cost.assign(
        board=cost["board"] + "/" + mines_text, text=cost["cpu_us"].map("{:.1f}".format)
    )
    return {
        "largest": largest["board"].iloc[0],
        "steps": list(rows(both[both["rho50"] > record])),
        "slowest": expert["cpu_us"].max(),
        "table": _wide(shown),
    }


PARTS = ("published_players/beliefs/page.md.j2", "published_players/resolution/page.md.j2")
"""Templates that the page includes: named here, so that it is made again after an edit of one."""

page = Page("players", "published_players/page.md.j2", "published_players/finding.md.j2", facts)
"""The page: see `Page`."""
