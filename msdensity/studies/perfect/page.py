"""The page of perfect play: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from msdensity.players.registry import PLAYERS
from msdensity.stats.testing import LEVEL, POWER
from msdensity.studies.page import Page, Tables, f, pm, rows
from msdensity.studies.perfect import faults
from msdensity.studies.perfect.densities import (
    AGAINST,
    MEASURES,
    PAPER_GAMES,
    PERFECT,
    sides,
    wide_boards,
)
from msdensity.studies.perfect.faults import PROGRAM, TEXT, TIES
from msdensity.studies.perfect.known import known_values
from msdensity.studies.perfect.results import how_found, place, played_error
from msdensity.studies.perfect.settings import MAPS, RULES, Settings, rectangles


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    densities, shares, against = tables["densities"], tables["shares"], tables["against"]
    wide = wide_boards(densities)
    best, checks, ladder = tables["best"], tables["checks"], tables["ladder"]
    best = named(best, tables["clicks"])
    return {
        "study": settings,
        "rules": RULES,
        "rectangles": len(rectangles(settings.cells)),
        "reverse": list(rows(shares[(shares["measure"] == "P") & (shares["gap"] < -1e-9)])),
        "rungs": _rungs(ladder),
        "shipped": _shipped(tables["values"], known_values(), settings),
        "curves": faults.beside(densities, wide),
        "few": faults.few_rows(densities),
        "two_rows": faults.no_inflection(densities),
        "shares": {m: faults.shares_shown(shares, wide, m) for m in MEASURES},
        "fault": {m: faults.span(shares, wide, m, TEXT) for m in MEASURES},
        "drawn": {m: faults.span(shares, wide, m, TIES) for m in MEASURES},
        "trend": faults.trend(shares, wide),
        "squares": {m: faults.squares(shares, m) for m in MEASURES},
        "lines": faults.lines(shares),
        "lattices": _lattices(densities, settings),
        "logit": faults.logit(densities),
        "against": against,
        "joint": faults.joint(against),
        "part": faults.parts(against, densities, wide),
        "highest": list(rows(against[against["published"] > against[PERFECT]])),
        "above": list(rows(against[against["published"] > against[TEXT]])),
        "small": _small(tables["values"], wide),
        "clicks": _clicks(best),
        "unsearched": _unsearched(settings),
        "elsewhere": _elsewhere(best, wide),
        "corner": _corner(best, wide),
        "exceptions": _exceptions(_elsewhere(best, wide)),
        "protection": _protection(best, wide),
        "protected": _protected(tables["clicks"], wide),
        "ladder": _ladder(ladder, tables["values"], tables["games"]),
        "players": len(PLAYERS),
        "on_ladder": {name.partition("-")[0] for name in ladder["player"]} - {PERFECT},
        "checks": checks,
        "cells": int(checks["exact"].sum()),
        "tests": int(checks["played"].sum()),
        "over": int(checks["above"].sum()),
        "rejected": int(checks["rejected"].sum()),
        "least": float(checks["p_value"].min()),
        "level": LEVEL,
        "found": _found(settings.games, int(checks["played"].sum())),
        "text": _row(checks, TEXT),
        "optimal": list(rows(checks[(checks["player"] == "optimal") & (checks["exact"] > 0)])),
        "maps": MAPS,
        "text_player": TEXT,
        "ties_player": TIES,
        "paper_games": PAPER_GAMES,
    }


RUNGS = (TEXT, PROGRAM, "single_point", "inference", "cellular_automaton")
"""The players of the ladder that the finding names."""


def _rungs(ladder: pd.DataFrame) -> list[Any]:
    """Return the rows of RUNGS on the largest board whose curve is whole, the best first."""
    whole = ladder[[sides(row.board)["cells"] == row.numbers + 2 for row in rows(ladder)]]
    own = whole[whole["board"] == whole["board"].iloc[-1]] if len(whole) else whole
    return list(rows(own[own["player"].isin(RUNGS)]))


def _shipped(values: pd.DataFrame, known: pd.DataFrame, settings: Settings) -> list[dict[str, Any]]:
    """Return for the boards of `known` which of their mines have a value and which have none.

    known: KNOWN_COLUMNS, the shipped table; took: how long its searches of those that have took.
    """
    best = values[values["player"] == PERFECT]
    made = []
    for board, mines in settings.known.items():
        own = best[(best["board"] == board.name) & best["mines"].isin(mines)]
        there = own["mines"].tolist()
        took = known[(known["board"] == board.name) & known["mines"].isin(there)]["cpu_seconds"]
        lacking = [m for m in mines if m not in there]
        head = {"board": board.name, "there": _runs(sorted(there)), "lacking": _runs(lacking)}
        ends = dict.fromkeys((f(took.min(), ".0f"), f(took.max(), ".0f")))
        made.append(head | {"took": f"{' to '.join(ends)} s" if len(took) else ""})
    return made


def _lattices(densities: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return P and rho50 on boards of other topologies; a file of neighbours goes by its name."""
    table = faults.beside(densities, [board.name for board in settings.lattices])
    return table.assign(board=table["board"].replace(settings.file_names()))


def _small(values: pd.DataFrame, wide: list[str]) -> pd.DataFrame:
    """Return W of perfect play and of the paper's players as fractions on the first wide boards."""
    made = []
    for board in wide:
        own = values[(values["board"] == board) & (values["cells"] <= 16)]
        if board not in ("3x3", "4x4") or not len(own):
            continue
        for _, line in own.groupby("mines", sort=True):
            by = line.set_index("player")
            shown: dict[str, Any] = {"board": board, "mines": int(line["mines"].iloc[0])}
            shown |= {"layouts": by.at[PERFECT, "layouts"]}
            shown |= {p: by.at[p, "won"] for p in AGAINST if p in by.index}
            rate: Any = by.at[PERFECT, "win_rate"]
            made.append(shown | {"W of perfect play": f(rate, ".4f")})
    return pd.DataFrame(made)


def _clicks(best: pd.DataFrame) -> pd.DataFrame:
    """Return for each start and number of rows where the corner is the best first click."""
    own = best[best["corner"] != ""]
    rims = [int(str(board).split("x")[0]) for board in own["board"]]
    kinds = np.select([np.array(rims) == 1, np.array(rims) == 2], ["1 x q", "2 x q"], "p >= 3")
    made = []
    for (start, kind), part in own.assign(kind=kinds).groupby(["start", "kind"], sort=False):
        lost = part[part["gain"] > 0]
        made.append(
            {
                "start": start,
                "boards": kind,
                "cells": len(part),
                "corner": len(part) - len(lost),
                "elsewhere": len(lost),
                "most": 100 * lost["gain"].max(),
                "where": _most(lost),
            }
        )
    return pd.DataFrame(made)


def _unsearched(settings: Settings) -> str:
    """Return in words which mines of which boards have no first click from a safe start."""
    boards = [board for part in settings.click_parts().values() for board in part]
    return " and ".join(
        f"{_runs(sorted(settings.known[board]))} mines on {board.name}"
        for board in boards
        if board in settings.known
    )


def _corner(best: pd.DataFrame, wide: list[str]) -> dict[str, Any]:
    """Return how often a safe corner is not best on boards of three rows, and what it costs most.

    easy: cases in which perfect play wins half of the games from the best click or more.
    """
    own = best[(best["start"] == "safe") & best["board"].isin(wide) & best["gain"].notna()]
    lost = own[own["gain"] > 0]
    if not len(lost):
        return {}
    easy = own[own["win_rate"] >= 0.5]
    return {
        "elsewhere": len(lost),
        "cases": len(own),
        "most": 100 * lost["gain"].max(),
        "where": _most(lost),
        "easy": len(easy),
        "easy_best": int((easy["gain"] == 0).sum()),
    }


def _most(lost: pd.DataFrame) -> str:
    """Return in words every board and number of mines on which the largest gain is reached."""
    top = lost[np.isclose(lost["gain"], lost["gain"].max(), rtol=1e-9)].sort_values("mines")
    return "; ".join(
        f"{board} with {_runs(own['mines'].tolist())} mines"
        for board, own in top.groupby("board", sort=False)
    )


def named(best: pd.DataFrame, clicks: pd.DataFrame) -> pd.DataFrame:
    """Return the table of best first clicks with every one that ties for the best in `place`.

    best: BEST_COLUMNS; clicks: CLICK_COLUMNS. Of cells that a symmetry makes equal one is named.
    """
    keys = ["board", "mines", "start"]
    places = {
        key: "; ".join(place(str(key[0]), int(cell)) for cell in _best_of(own)["cell"])
        for key, own in clicks.groupby(keys)
    }
    # Without protection the best cells are those of a safe start.
    starts = best["start"].replace("unprotected", "safe")
    found = zip(best["board"], best["mines"], starts, strict=True)
    return best.assign(place=[places[key] for key in found])


def _best_of(clicks: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the best first clicks of one board, number of mines and start."""
    counts = zip(clicks["won"], clicks["layouts"], strict=True)
    rates = [Fraction(int(won), int(layouts)) for won, layouts in counts]
    return clicks[[rate == max(rates) for rate in rates]]


def _protected(clicks: pd.DataFrame, wide: list[str]) -> dict[str, int]:
    """Return how often a best start on a 0 is a cell that protects the most neighbours."""
    own = clicks[clicks["board"].isin(wide) & (clicks["start"] == "zero")]
    cases = [case for _, case in own.groupby(["board", "mines"]) if len(case) > 1]
    most = sum(_best_of(case)["neighbours"].max() == case["neighbours"].max() for case in cases)
    return {"cases": len(cases), "most": int(most)}


def _elsewhere(best: pd.DataFrame, wide: list[str]) -> pd.DataFrame:
    """Return the boards of three rows and mines whose best safe first click is no corner."""
    own = best[(best["start"] == "safe") & best["board"].isin(wide) & (best["gain"] > 0)]
    order = own["board"].map({board: i for i, board in enumerate(wide)})
    ranked = own.assign(points=100 * own["gain"], order=order)
    return ranked.sort_values(["order", "mines"])


def _exceptions(elsewhere: pd.DataFrame) -> str:
    """Return in words where no corner is best: each board, its mines and the kind of cell."""
    texts = []
    for board in dict.fromkeys(elsewhere["board"]):
        own = elsewhere[elsewhere["board"] == board]
        kinds = own["place"].map(_kinds)
        parts = []
        for kind in dict.fromkeys(kinds):
            article = "an" if kind.startswith(("edge", "end", "inside")) else "a"
            mines = _runs(own[kinds == kind]["mines"].tolist())
            parts.append(f"{article} {kind} cell with {mines} mines")
        texts.append(f"on {board} {' and '.join(parts)}")
    return "; ".join(texts)


def _kinds(places: str) -> str:
    """Return the kinds of cells of places in words: "edge or inside"."""
    return " or ".join(dict.fromkeys(each.partition(" ")[0] for each in places.split("; ")))


def _runs(numbers: list[int]) -> str:
    """Return rising numbers in words: "2, 4 to 6"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{r[0]} to {r[-1]}" if len(r) > 1 else str(r[0]) for r in runs)


def _protection(best: pd.DataFrame, wide: list[str]) -> pd.DataFrame:
    """Return W from the best click by start, at the mines where a safe start is nearest to 1/2."""
    made = []
    for board in wide:
        own = best[best["board"] == board]
        safe = own[own["start"] == "safe"]
        if not len(safe):
            continue
        mines = _nearest(safe)
        line: dict[str, Any] = {"board": board, "mines": mines}
        at = own[own["mines"] == mines].set_index("start")
        for start in ("unprotected", "safe", "zero"):
            if start in at.index:
                value = at.loc[start]
                line[start] = f"{value['best']} = {value['win_rate']:.4f} ({value['place']})"
        made.append(line)
    return pd.DataFrame(made)


def _nearest(table: pd.DataFrame) -> int:
    """Return the number of mines whose win rate is nearest to 1/2."""
    away = (table["win_rate"] - 0.5).abs()
    return int(table["mines"].to_numpy()[int(np.argmin(away))])


def _near(values: pd.DataFrame, ladder: pd.DataFrame) -> dict[str, int]:
    """Return for each board of the ladder the mines where perfect play is nearest to 1/2."""
    best = values[values["player"] == PERFECT]
    near = {}
    for board in dict.fromkeys(ladder["board"]):
        own = best[best["board"] == board]
        near[str(board)] = _nearest(own)
    return near


def _ladder(ladder: pd.DataFrame, values: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return the ladder: players by boards, the mean shares, and W at the m of `_near`."""
    boards = list(dict.fromkeys(ladder["board"]))
    order = ladder.groupby("player")["share"].mean().sort_values(ascending=False, kind="stable")
    players = order.index.tolist()
    how = [how_found(ladder[ladder["player"] == player]) for player in players]
    columns = {"player": players, "how": how}
    near = _near(values, ladder)
    for board in boards:
        own = ladder[ladder["board"] == board].set_index("player").reindex(players)
        shares = zip(100 * own["share"], 100 * own["share_se"], strict=True)
        columns[f"{board}, %"] = [pm(share, error, ".2f") for share, error in shares]
        at = [_rate(values, games, board, near[board], player) for player in players]
        columns[f"{board}: W, {near[board]} mines"] = at
    return pd.DataFrame(columns)


def _rate(values: pd.DataFrame, games: pd.DataFrame, board: str, mines: int, player: str) -> str:
    def here(table: pd.DataFrame) -> pd.DataFrame:
        kept = (table["board"] == board) & (table["mines"] == mines)
        return table[kept & (table["player"] == player)]

    if len(own := here(values)):
        return f"{own['win_rate'].iloc[0]:.4f}"
    own = here(games)
    if not len(own):
        return ""
    wins, played = int(own["wins"].iloc[0]), int(own["games"].iloc[0])
    return pm(wins / played, float(played_error(wins, played)))


def _found(games: int, tests: int) -> float:
    """Return by how many points a win rate of 1/2 must be too high to be found by a test."""
    level = LEVEL / max(tests, 1)
    return float(100 * (stats.norm.isf(level) + stats.norm.isf(1 - POWER)) * 0.5 / np.sqrt(games))


def _row(checks: pd.DataFrame, player: str) -> dict[str, int]:
    own = checks[checks["player"] == player]
    return {} if not len(own) else {k: int(own[k].iloc[0]) for k in ("exact", "optimal")}


page = Page("perfect", "perfect/page.md.j2", "perfect/finding.md.j2", facts)
"""The page: see `Page`."""
