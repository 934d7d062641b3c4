"""The page of the reproduction: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.games.boards import Board
from msdensity.players.registry import player_name
from msdensity.studies.page import Tables, f, page_of, rows
from msdensity.studies.paper.tables import PUBLISHED
from msdensity.studies.reproduction.ablation import ONLY_ONE, WITHOUT_ONE
from msdensity.studies.reproduction.results import POSSIBLE
from msdensity.studies.reproduction.settings import Settings

LIMIT = 3.29
"""|z| and chi-square are called a difference where chance would give as much once in 1,000."""

CHANCE = 1e-3

SMALLEST_POWER_SIDE = 15


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    agreement, fits, quoted = tables["agreement"], tables["fits"], tables["quoted"]
    timed = tables["speed"].dropna(subset="times_as_fast")
    by_luck = quoted[~(quoted["luck"] < 0.01)].drop_duplicates(["board", "mines"])
    edge = tables["runs"].loc[tables["runs"]["inner"] == 0, "board"].unique()
    degenerate = fits[(fits["player"] == "listing") & fits["board"].isin(edge)]
    return {
        "study": settings,
        "chance": CHANCE,
        "possible": POSSIBLE,
        "published": PUBLISHED,
        "agreement": list(rows(agreement)),
        "probability": probability,
        "runs": _runs(tables["runs"]),
        "quoted": quoted,
        "by_luck": list(rows(by_luck)),
        "ablation": _ablation(tables["ablation"]),
        "squares": _squares(tables["extrapolation"]),
        "strips": _strips(tables["series"]),
        "powers": powers(fits),
        "degenerate": degenerate,
        "speed": list(rows(timed)),
    }


def _runs(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a board a row, two columns a player."""
    wide = runs[["board", "P_published"]].drop_duplicates(ignore_index=True)
    wide["published"] = wide.pop("P_published").map("{:.4f}".format)
    for player, own in runs.groupby("player", sort=False):
        board = list(rows(own.set_index("board").loc[wide["board"]]))
        name = player_name(str(player))
        wide[f"{name}: P"] = [
            f"{row.P:.4f} ± {row.P_sd:.4f}" if np.isfinite(row.P) else "" for row in board
        ]
        wide[f"{name}: z"] = [
            f(row.z, "+.1f") if row.inner else f"{row.same:.0%} same" for row in board
        ]
    return wide


def _ablation(ablation: pd.DataFrame) -> dict[str, Any]:
    """Return the price of each fault; costly: those beyond chance in the spot, by size."""
    spot = ablation[ablation["mines"].notna()]
    board, mines = spot[["board", "mines"]].iloc[0]
    sure = spot[spot["cost"].abs() > LIMIT * spot["cost_se"]]
    ranked = sure.sort_values("cost", key=abs, ascending=False)
    shown = ablation.assign(
        what=[
            f"P, {row.board}" if pd.isna(row.mines) else f"W, {row.board}/{row.mines}"
            for row in rows(ablation)
        ],
        cost=[
            f"{f(row.cost, '+.4f')} ± {1.96 * row.cost_se:.4f}" if np.isfinite(row.cost) else ""
            for row in rows(ablation)
        ],
        p_value=["" if pd.isna(p) else probability(p) for p in ablation["p_value"]],
    )
    return {
        "board": board,
        "mines": mines,
        "costly": {w: list(rows(ranked[ranked["where"] == w])) for w in (WITHOUT_ONE, ONLY_ONE)},
        "table": shown,
    }


def _squares(extrapolation: pd.DataFrame) -> dict[str, Any]:
    """Return the fits of a/(q - b) + c; all: of the published P, over every q."""
    printed = extrapolation[extrapolation["player"] == "published"]
    ends = printed["c"].dropna()
    shown = pd.DataFrame(
        {
            "q": [f"{row.q_min}..{row.q_max}" for row in rows(extrapolation)],
            "P of": [player_name(str(player)) for player in extrapolation["player"]],
            **{name: _with_errors(extrapolation, name) for name in "abc"},
        }
    )
    order = extrapolation.reset_index(drop=True).sort_values(["q_min", "q_max"], kind="stable")
    return {
        "all": next(rows(printed)),
        "ranges": len(printed),
        "lowest": ends.min(),
        "highest": ends.max(),
        "run_away": len(printed) - len(ends),
        "table": shown.loc[order.index],
    }


def _strips(series: pd.DataFrame) -> pd.DataFrame:
    """Return a_0 of every player and range of q, a row a number of terms."""
    first = series[series["n"] == 0]
    shown = pd.DataFrame({"terms": sorted(first["terms"].unique())})
    for (player, low, high), own in first.groupby(["player", "q_min", "q_max"], sort=False):
        limits = own.set_index("terms").reindex(shown["terms"])
        shown[f"{player_name(str(player))}, q = {low}..{high}"] = _with_errors(limits, "a")
    return shown


def powers(fits: pd.DataFrame) -> list[dict[str, Any]]:
    """Return s of P ~ q^-s over 1 x q, q >= 15, its standard error and the range, by player."""
    result = []
    for player, own in fits.groupby("player", sort=False):
        boards = [Board.parse(name) for name in own["board"]]
        long = [b.shape[0] == 1 and b.q >= SMALLEST_POWER_SIDE for b in boards]
        chosen = own[np.array(long, bool)]
        if len(chosen) < 4:
            continue
        q, P = chosen["q"].to_numpy(float), chosen["P"].to_numpy(float)
        line, covariance = np.polyfit(np.log(q), np.log(P), 1, cov=True)
        result.append(
            {
                "player": player,
                "s": -float(line[0]),
                "error": float(np.sqrt(covariance[0, 0])),
                "q_min": int(q.min()),
                "q_max": int(q.max()),
            }
        )
    return result


def _with_errors(table: pd.DataFrame, name: str) -> list[str]:
    """Return a column with its standard error; a fit that runs away has neither."""
    pairs = zip(table[name], table[f"{name}_se"], strict=True)
    return [
        ("" if not np.isfinite(value) else f(value, ".4g"))
        + (f" ± {error:.2g}" if np.isfinite(value) and np.isfinite(error) else "")
        for value, error in pairs
    ]


def probability(p: float) -> str:
    """Return a probability, of which the smallest ones are not distinguished."""
    return f"{p:.2g}" if p >= 1e-300 else "less than 1e-300"


page = page_of("reproduction", "reproduction/page.md.j2", facts)
"""Return the page as HTML; see `page_of`."""
