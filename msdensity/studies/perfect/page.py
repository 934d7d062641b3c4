"""The page of perfect play: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from msdensity.players.registry import PLAYERS, label
from msdensity.stats.testing import LEVEL, POWER, detectable
from msdensity.studies.page import Page, Tables, f, pm, rows
from msdensity.studies.perfect.densities import AGAINST, MEASURES, PAPER_GAMES, PERFECT, may_guess
from msdensity.studies.perfect.results import how_found
from msdensity.studies.perfect.settings import MAPS, RULES, Settings, rectangles

TEXT, PROGRAM = "weighted", "listing"
"""The player of paper 001's text, and its program."""

TIES = label(TEXT, {"ties": "random"})
"""The same, if it draws among the safest cells."""

WIDE = 3
"""Fewest rows of the boards on which cells have eight neighbours."""


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    densities, shares, against = tables["densities"], tables["shares"], tables["against"]
    wide = sorted(_wide(densities), key=lambda board: (_cells(board), board))
    best, checks, ladder = tables["best"], tables["checks"], tables["ladder"]
    return {
        "study": settings,
        "rules": RULES,
        "boards": densities["board"].nunique(),
        "rectangles": len(rectangles(settings.cells)),
        "wide": wide,
        "full": _full(shares, wide),
        "reverse": list(rows(shares[(shares["measure"] == "P") & (shares["gap"] < -1e-9)])),
        "rungs": _rungs(ladder),
        "shipped": _shipped(tables["values"], settings),
        "curves": _beside(densities, wide),
        "shares": {m: _shares(shares, wide, m) for m in MEASURES},
        "fault": {m: _range(shares, wide, m, TEXT) for m in MEASURES},
        "program": _range(shares, wide, "P", PROGRAM),
        "ties": _ties(shares, wide),
        "trend": {m: _trend(shares, wide, m) for m in MEASURES},
        "squares": {m: _squares(shares, m) for m in MEASURES},
        "lines": _lines(shares),
        "lattices": _lattices(densities, settings),
        "logit": _logit(densities),
        "against": against,
        "joint": _joint(against),
        "part": _part(against, wide),
        "highest": list(rows(against[against["published"] > against[PERFECT]])),
        "above": list(rows(against[against["published"] > against[TEXT]])),
        "small": _small(tables["values"], wide),
        "clicks": _clicks(best),
        "elsewhere": _elsewhere(best, wide),
        "corner": _corner(best, wide),
        "exceptions": _exceptions(_elsewhere(best, wide)),
        "protection": _protection(best, wide),
        "ladder": _ladder(ladder, tables["values"], tables["games"]),
        "ladder_boards": list(dict.fromkeys(ladder["board"])),
        "near": _near(tables["values"], ladder),
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
        "min_p": min((each["p"] for m in MEASURES if (each := _trend(shares, wide, m))), default=1),
        "text": _row(checks, TEXT),
        "optimal": list(rows(checks[(checks["player"] == "optimal") & (checks["exact"] > 0)])),
        "maps": MAPS,
        "text_player": TEXT,
        "paper_games": PAPER_GAMES,
    }


RUNGS = (TEXT, PROGRAM, "single_point", "inference", "cellular_automaton")
"""The players of the ladder that the finding names."""


def _rungs(ladder: pd.DataFrame) -> list[Any]:
    """Return the rows of RUNGS on the largest board whose curve is whole, the best first."""
    whole = ladder[[_cells(row.board) == row.numbers + 2 for row in rows(ladder)]]
    own = whole[whole["board"] == whole["board"].iloc[-1]] if len(whole) else whole
    return list(rows(own[own["player"].isin(RUNGS)]))


def _full(shares: pd.DataFrame, wide: list[str]) -> list[str]:
    """Return those of some boards on which P of TEXT and of perfect play are known."""
    own = shares[(shares["player"] == TEXT) & (shares["measure"] == "P")]
    return [board for board in wide if board in set(own["board"])]


def _shipped(values: pd.DataFrame, settings: Settings) -> list[dict[str, Any]]:
    """Return for the boards of `known` which of their mines the shipped table has and lacks."""
    best = values[values["player"] == PERFECT]
    made = []
    for board, mines in settings.known.items():
        own = set(best[best["board"] == board.name]["mines"])
        there = [m for m in mines if m in own]
        lacking = [m for m in mines if m not in own]
        made.append({"board": board.name, "there": there, "lacking": lacking})
    return made


def _cells(board: str) -> int:
    return int(np.prod([int(side) for side in board.partition("-")[0].split("x")]))


def _wide(table: pd.DataFrame) -> list[str]:
    """Return the boards p x q of at least three rows."""
    return [str(board) for board in table[(table["p"] >= WIDE).fillna(False)]["board"].unique()]


def _beside(densities: pd.DataFrame, boards: list[str]) -> pd.DataFrame:
    """Return P and rho50 of every counted player, a row for each board."""
    own = densities[densities["board"].isin(boards)]
    players = [player for player in dict.fromkeys(own["player"]) if may_guess(player)]
    table = pd.DataFrame({"board": boards})
    for measure in MEASURES:
        values = own.pivot_table(index="board", columns="player", values=measure, dropna=False)
        for player in players:
            column = values.get(player)
            name = f"{measure}, {player}"
            table[name] = np.nan if column is None else table["board"].map(column)
    return _shown(table, ".4f")


def _lattices(densities: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return `_beside` of the boards of other topologies; a table of neighbours has no name."""
    table = _beside(densities, [board.name for board in settings.lattices])
    custom = {b.name: f"custom, {b.cells} cells" for b in settings.lattices if len(b.shape) == 1}
    return table.assign(board=table["board"].replace(custom))


def _shown(table: pd.DataFrame, specification: str) -> pd.DataFrame:
    """Return a table with its numbers as text, without the columns that are empty."""
    kept = table.dropna(axis=1, how="all")
    reals = kept.select_dtypes("float").columns
    return kept.assign(**{name: [f(x, specification) for x in kept[name]] for name in reals})


def _shares(shares: pd.DataFrame, boards: list[str], measure: str) -> pd.DataFrame:
    """Return the player's fault on each board, in percent and in mines, for the paper's players."""
    table = pd.DataFrame({"board": boards})
    for player in filter(may_guess, dict.fromkeys(shares["player"])):
        own = shares[(shares["player"] == player) & (shares["measure"] == measure)]
        own = own.set_index("board")
        table[f"{player}, %"] = table["board"].map(100 * own["share"])
        table[f"{player}, mines"] = table["board"].map(own["mines"])
    return _shown(table, ".2f")


def _range(shares: pd.DataFrame, boards: list[str], measure: str, player: str) -> dict[str, Any]:
    """Return the smallest and largest share and number of mines of a player on some boards."""
    own = shares[(shares["player"] == player) & (shares["measure"] == measure)]
    own = own[own["board"].isin(boards)]
    if not len(own):
        return {}
    low, *_, high = rows(own.sort_values("share").iloc[[0, -1]])
    mines = own["mines"]
    return {
        "low": 100 * low.share,
        "low_board": low.board,
        "high": 100 * high.share,
        "high_board": high.board,
        "mines_low": mines.min(),
        "mines_high": mines.max(),
        "boards": len(own),
    }


def _trend(shares: pd.DataFrame, boards: list[str], measure: str) -> dict[str, float]:
    """Return Kendall's rank correlation of the share of TEXT with the cells of a board."""
    own = shares[(shares["player"] == TEXT) & (shares["measure"] == measure)]
    own = own[own["board"].isin(boards)]
    if len(own) < 3 or own["share"].nunique() == 1:
        return {}
    found = stats.kendalltau(own["cells"], own["share"])
    return {"tau": float(found.statistic), "p": float(found.pvalue), "boards": len(own)}


def _squares(shares: pd.DataFrame, measure: str) -> list[Any]:
    """Return the rows of TEXT on squares of at least three rows, the small ones first."""
    own = shares[(shares["player"] == TEXT) & (shares["p"] == shares["q"]).fillna(False)]
    own = own[(own["p"] >= WIDE) & (own["measure"] == measure)]
    return list(rows(own.sort_values("cells")))


def _ties(shares: pd.DataFrame, boards: list[str]) -> dict[str, Any]:
    """Return the range of the share in P of TIES, and the boards on which it is below TEXT's."""
    known = _range(shares, boards, "P", TIES)
    own = shares[(shares["measure"] == "P") & shares["board"].isin(boards)]
    by = own.pivot_table(index="board", columns="player", values="share")
    if not known or TEXT not in by:
        return {}
    less = by[by[TIES] < by[TEXT]].index
    return known | {"less": [board for board in boards if board in less]}


def _lines(shares: pd.DataFrame) -> dict[str, Any]:
    """Return how many boards of one row have a share of TEXT, on how many it is 0, and the most."""
    own = shares[(shares["player"] == TEXT) & (shares["p"] == 1).fillna(False)]
    own = own[own["measure"] == "P"]
    if not len(own):
        return {}
    most = own.sort_values("share").iloc[-1]
    zero = own.loc[own["gap"].abs() < 1e-9, "q"]
    nowhere = int(zero.max()) if len(zero) else 0
    return {"n": len(own), "zero": len(zero), "to": nowhere, "most": 100 * most["share"]} | {
        "board": most["board"]
    }


def _logit(densities: pd.DataFrame) -> dict[str, float]:
    """Return what the other interpolation changes: the most of rho50 in mines, and of shares."""
    own = densities.dropna(subset=["rho50", "rho50_logit"])
    moved = (own["rho50"] - own["rho50_logit"]).abs() * own["cells"]
    by = own.pivot_table(index="board", columns="player", values=["rho50", "rho50_logit"])
    apart = [0.0]
    if TEXT in own["player"].to_numpy():
        line, other = (1 - by[name][TEXT] / by[name][PERFECT] for name in ("rho50", "rho50_logit"))
        apart = (100 * (line - other).abs()).dropna().tolist()
    return {"mines": float(moved.max()), "share": max(apart)}


def _joint(against: pd.DataFrame) -> dict[str, float]:
    """Return chi-square of the published P against those of the program with exact win rates."""
    z = against["z"].dropna()
    square = float((z**2).sum())
    worst = against.loc[z.abs().sort_values().index[-1:], "board"].to_list()
    chance = float(stats.chi2.sf(square, max(len(z), 1)))
    return {
        "n": len(z),
        "square": square,
        "p": chance,
        "found": detectable(max(len(z), 1)),
        "worst": ", ".join(worst),
        "z": z.abs().max(),
    }


def _part(against: pd.DataFrame, wide: list[str]) -> dict[str, float]:
    """Return how far the published P of boards of three rows lie below perfect play, and why.

    In percent of P of perfect play, the mean over boards: all of it, and the parts of guesses
    (perfect less the text's player) and of the program's faults (the text's player less it).
    """
    own = against[against["board"].isin(wide)].dropna(subset=[*AGAINST])
    best = own[PERFECT]
    return {
        "n": len(own),
        "all": float((100 * (best - own["published"]) / best).mean()),
        "guesses": float((100 * (best - own[TEXT]) / best).mean()),
        "chance": float((100 * (own[PROGRAM] - own["published"]) / best).mean()),
        "faults": float((100 * (own[TEXT] - own[PROGRAM]) / best).mean()),
        "mines": float(((best - own["published"]) * own["cells"]).mean()),
    }


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
        top = part.sort_values("gain").iloc[-1]
        made.append(
            {
                "start": start,
                "boards": kind,
                "cells": len(part),
                "corner": len(part) - len(lost),
                "elsewhere": len(lost),
                "most": 100 * top["gain"] if len(lost) else np.nan,
                "where": f"{top['board']}, {top['mines']} mines" if len(lost) else "",
            }
        )
    return pd.DataFrame(made)


def _corner(best: pd.DataFrame, wide: list[str]) -> dict[str, Any]:
    """Return how often a safe corner is not best on boards of three rows, and what it costs most.

    easy: cases in which perfect play wins half of the games from the best click or more.
    """
    own = best[(best["start"] == "safe") & best["board"].isin(wide) & best["gain"].notna()]
    lost = own[own["gain"] > 0].sort_values("gain")
    if not len(lost):
        return {}
    top: Any = lost.iloc[-1]
    easy = own[own["win_rate"] >= 0.5]
    return {
        "elsewhere": len(lost),
        "cases": len(own),
        "most": 100 * top["gain"],
        "where": f"{top['board']}, {top['mines']} mines",
        "easy": len(easy),
        "easy_best": int((easy["gain"] == 0).sum()),
    }


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
        kinds = own["place"].str.partition(" ")[0]
        parts = []
        for kind in dict.fromkeys(kinds):
            article = "an" if kind in ("edge", "end", "inside") else "a"
            mines = _runs(own[kinds == kind]["mines"].tolist())
            parts.append(f"{article} {kind} cell with {mines} mines")
        texts.append(f"on {board} {' and '.join(parts)}")
    return "; ".join(texts)


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
    rate = float(own["wins"].iloc[0] / own["games"].iloc[0])
    return pm(rate, float(np.sqrt(max(rate * (1 - rate), 1e-9) / own["games"].iloc[0])))


def _found(games: int, tests: int) -> float:
    """Return by how many points a win rate of 1/2 must be too high to be found by a test."""
    level = LEVEL / max(tests, 1)
    return float(100 * (stats.norm.isf(level) + stats.norm.isf(1 - POWER)) * 0.5 / np.sqrt(games))


def _row(checks: pd.DataFrame, player: str) -> dict[str, int]:
    own = checks[checks["player"] == player]
    return {} if not len(own) else {k: int(own[k].iloc[0]) for k in ("exact", "optimal")}


page = Page("perfect", "perfect/page.md.j2", "perfect/finding.md.j2", facts)
"""The page: see `Page`."""
