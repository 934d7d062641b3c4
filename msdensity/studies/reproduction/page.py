"""The page of the reproduction: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import curve_fit
from scipy.stats import binomtest, norm
from scipy.stats import t as student

from msdensity.games.boards import Board
from msdensity.players.registry import player_name
from msdensity.stats.testing import DIFFERS, LEVEL, POWER, detectable, holm
from msdensity.studies.page import Page, Tables, f, rows
from msdensity.studies.paper.tables import PUBLISHED
from msdensity.studies.reproduction.ablation import ONLY_ONE, WITHOUT_ONE
from msdensity.studies.reproduction.results import POSSIBLE, apart
from msdensity.studies.reproduction.settings import Settings

SMALLEST_POWER_SIDE = 15


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    agreement, fits, quoted = tables["agreement"], tables["fits"], tables["quoted"]
    timed = tables["speed"].dropna(subset="times_as_fast")
    edge = tables["runs"].loc[tables["runs"]["inner"] == 0, "board"].unique()
    degenerate = fits[(fits["player"] == "listing") & fits["board"].isin(edge)]
    return {
        "study": settings,
        "level": LEVEL,
        "power": POWER,
        "possible": POSSIBLE,
        "published": PUBLISHED,
        "agreement": _agreement(agreement),
        "apart": list(rows(apart(tables["runs"]))),
        "probability": probability,
        "runs": _runs(tables["runs"]),
        "quoted": quoted.assign(
            verdict=np.where(quoted["z"].abs() < DIFFERS, "agrees", "differs"),
            detectable_points=100 * quoted["detectable"],
        ),
        "by_luck": _by_luck(quoted),
        "ablation": _ablation(tables["ablation"]),
        "squares": _squares(tables["extrapolation"]),
        "strips": _strips(tables["series"]),
        "falls": falls(fits),
        "degenerate": degenerate,
        "speed": list(rows(timed)),
    }


def _agreement(agreement: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the joint test of each player, what it would find, and how far the worst board is.

    detectable: the deviation on every board, in standard deviations, that it finds with POWER;
    worst_p: the probability of a board as far by chance, of all boards.
    """
    joint = []
    for row in rows(agreement):
        found = detectable(row.boards) if row.boards else np.nan
        worst = 1 - (1 - 2 * norm.sf(abs(row.worst_z))) ** row.boards
        joint.append({**row._asdict(), "detectable": found, "worst_p": worst})
    return joint


def _by_luck(quoted: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the quoted boards that luck wins in over 1 % of games, and who does no better.

    players: rows of `quoted` with lucky, whether its exact test against luck stays above LEVEL.
    """
    boards = []
    for (board, mines), own in quoted[~(quoted["luck"] < 0.01)].groupby(["board", "mines"]):
        players = [
            {**row._asdict(), "lucky": binomtest(row.wins, row.games, row.luck).pvalue >= LEVEL}
            for row in rows(own)
        ]
        first = {name: players[0][name] for name in ("luck", "luck_as_printed")}
        boards.append({"board": board, "mines": mines, "players": players, **first})
    return boards


def _runs(runs: pd.DataFrame) -> pd.DataFrame:
    """Return a board a row: first the verdicts, a column a player, then P of each."""
    wide = runs[["board", "P_published"]].drop_duplicates(ignore_index=True)
    wide["published"] = wide.pop("P_published").map("{:.4f}".format)
    values = {}
    for player, own in runs.groupby("player", sort=False):
        board = list(rows(own.set_index("board").loc[wide["board"]]))
        name = player_name(str(player))
        wide[f"z, {name}"] = [
            f(row.z, "+.1f") if row.inner else f"{row.same:.0%} same" for row in board
        ]
        values[f"P, {name}"] = [
            f"{row.P:.4f} (sd {row.P_sd:.4f}){'†' if 0 < row.at_end < 1 else ''}"
            if np.isfinite(row.P)
            else ""
            for row in board
        ]
    return wide.assign(**values)


def _ablation(ablation: pd.DataFrame) -> dict[str, Any]:
    """Return the cost of each fault, judged together by Holm's method at LEVEL.

    spots: for each, the faults that cost games beyond chance, by size, mended and alone, and the
    cost that they find with POWER; tests: all
    that are judged together. A cost in P is a normal test with its own standard error.
    """
    z = (ablation["cost"] / ablation["cost_se"].where(ablation["cost_se"] > 0)).abs()
    p = ablation["p_value"].fillna(pd.Series(2 * norm.sf(z), ablation.index))
    together = pd.Series(holm(p.dropna()), p.index[p.notna()]).reindex(p.index)
    judged = ablation.assign(
        together=together,
        verdict=np.select(
            [
                together.isna() & (ablation["cost"] == 0),
                together.isna(),
                together >= LEVEL,
                ablation["cost"] > 0,
            ],
            ["none seen", "not determined", "no more than chance", "costs"],
            "gains",
        ),
    )
    tests = int(p.notna().sum())
    limit = detectable(level=LEVEL / max(1, tests))  # Holm's smallest limit: it needs no more
    spots = []
    for (board, mines), own in judged.dropna(subset="mines").groupby(
        ["board", "mines"], sort=False
    ):
        sure = own[own["verdict"].isin(["costs", "gains"])]
        ranked = sure.sort_values("cost", key=abs, ascending=False)
        costly = {w: list(rows(ranked[ranked["where"] == w])) for w in (WITHOUT_ONE, ONLY_ONE)}
        found = limit * own["cost_se"].max()
        spots.append({"board": board, "mines": mines, "costly": costly, "detectable": found})
    shown = judged.assign(
        what=[
            f"P, {row.board}" if pd.isna(row.mines) else f"W, {row.board}/{row.mines}"
            for row in rows(ablation)
        ],
        p_value=["" if pd.isna(p) else probability(p) for p in together],
    )
    return {"spots": spots, "tests": tests, "table": shown}


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


def _long_strips(own: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return q and P of the boards 1 x q from SMALLEST_POWER_SIDE on, of one player."""
    boards = [Board.parse(name) for name in own["board"]]
    long = [b.shape[0] == 1 and b.q >= SMALLEST_POWER_SIDE for b in boards]
    chosen = own[np.array(long, bool)]
    return chosen["q"].to_numpy(float), chosen["P"].to_numpy(float)


def powers(fits: pd.DataFrame) -> list[dict[str, Any]]:
    """Return s of P ~ q^-s over 1 x q, q >= 15, its standard error and the range, by player."""
    result = []
    for player, own in fits.groupby("player", sort=False):
        q, P = _long_strips(own)
        if len(q) < 4:
            continue
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


def falls(fits: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the limit c of P = A q^-s + c over the boards of `powers`, by player.

    c and s with standard errors from the scatter, and the interval of c (95 %, Student's t). Least
    squares of ln P, as in `powers`; sure: the boards determine c to less than the largest P.
    """
    result = []
    for power in powers(fits):
        q, P = _long_strips(fits[fits["player"] == power["player"]])
        start = (P[0] * q[0] ** power["s"], power["s"], 0.0)
        try:
            values, covariance = curve_fit(_log_fall, q, np.log(P), start, maxfev=20_000)
        except RuntimeError:  # does not converge
            values, covariance = np.full(3, np.nan), np.full((3, 3), np.nan)
        error = np.sqrt(np.diag(covariance))
        half = float(student.isf(0.025, len(q) - len(values)) * error[2])
        sure = bool(half < P.max())  # not NaN, and not wider than all that was seen
        c, s = float(values[2]), float(values[1])
        result.append(
            power
            | {"sure": sure, "c": c, "c_se": float(error[2]), "low": c - half}
            | {"high": c + half, "s_with": s, "s_with_se": float(error[1])}
        )
    return result


def _log_fall(q: NDArray[np.float64], A: float, s: float, c: float) -> NDArray[np.float64]:
    return np.asarray(np.log(np.maximum(A * q**-s + c, 1e-9)))


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


page = Page("reproduction", "reproduction/page.md.j2", "reproduction/finding.md.j2", facts)
"""The page: see `Page`."""
