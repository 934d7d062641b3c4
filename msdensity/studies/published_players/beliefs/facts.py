"""The numbers that the section on 004 of the page puts into words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import chi2, chi2_contingency, norm

from msdensity.players.registry import player_name
from msdensity.stats.testing import DIFFERS, LEVEL, detectable, holm
from msdensity.studies.page import Tables, between, rows
from msdensity.studies.published_players.beliefs.decisions import DECISIONS
from msdensity.studies.published_players.beliefs.errors import CELLS, DISTANCES
from msdensity.studies.published_players.beliefs.guesses import LOWEST, TABLE_10, fewest_guesses
from msdensity.studies.published_players.play import OUTCOMES

PRINTED_GAMES = 1000
"""Games of each level in 004 (section 5.1)."""

FEWEST = 5
"""A bin is tested if at least as many guesses should succeed, and as many fail."""

MEANINGFUL = 30
"""A printed bin is compared if its decimals need at least as many guesses."""

MIDDLE = 50
"""Percent of decisions above which "most" are made."""


def facts(tables: Tables) -> dict[str, Any]:
    """Return the facts of the section: what the tables of this folder and Table 12 show."""
    return {
        "decisions": _decisions(tables["belief_decisions"]),
        "convergence": _convergence(tables["belief_convergence"]),
        "table_10": table_10(tables["belief_guesses"]),
        "calibration": calibration(tables["belief_guesses"]),
        "table_12": table_12(tables["tables"]),
        "table_11": _table_11(tables["belief_position"]),
        "errors": _errors(tables["belief_errors"]),
        "level": LEVEL,
    }


def _on(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with players as legends show them, and boards with their mines."""
    return table.assign(
        player=table["player"].map(player_name),
        on=table["board"] + "/" + table["mines"].astype("str"),
    )


def _claim(z: pd.Series[Any]) -> str:
    """Return the verdict on a claim that all these differences are above 0."""
    if (z >= DIFFERS).all():
        return "holds"
    return "contradicted" if (z <= -DIFFERS).any() else "not decided"


def _decisions(table: pd.DataFrame) -> dict[str, Any]:
    """Return the decisions as a table, their ranges over boards, and the verdict on two claims."""
    shown = _on(table)
    shown["text"] = [between(row.percent, row.low, row.high) for row in rows(shown)]
    keys = ["player", "on"]
    wide = shown.pivot(index=keys, columns="decision", values="text")[list(DECISIONS)]
    wide.insert(0, "decisions", shown.groupby(keys)["count"].sum())
    wide = _in_order(wide, shown[keys])
    plain = shown[shown["player"].str.contains("never")]
    at = plain.set_index(["player", "decision", "on"]).sort_index()
    players = plain["player"].unique().tolist()
    ranges = {
        name.partition(",")[0]: {
            decision: (own["percent"].min(), own["percent"].max())
            for decision, own in plain[plain["player"] == name].groupby("decision")
        }
        for name in players
    }
    lbp, merged = (at.loc[[name]].droplevel("player") for name in players)
    most = merged.loc["marginalization"]
    first, rarer = lbp.loc["1st iteration"], merged.loc["1st iteration"]
    with np.errstate(divide="ignore", invalid="ignore"):
        most_z = (most["percent"] - MIDDLE) / most["se"]
        rarer_z = (first["percent"] - rarer["percent"]) / np.hypot(first["se"], rarer["se"])
        times = first["percent"] / rarer["percent"]
    return {
        "table": wide.reset_index().rename(columns={"on": "board"}),
        "games": int(table["games"].iloc[0]),
        "ranges": ranges,
        "most": _claim(most_z),
        "rarer": _claim(rarer_z),
        "times": (times.min(), times.max()),
        "tests": len(most_z) + len(rarer_z),
    }


def _convergence(table: pd.DataFrame) -> pd.DataFrame:
    shown = _on(table)
    shown["text"] = [between(row.percent, row.low, row.high) for row in rows(shown)]
    keys = ["player", "on", "positions"]
    wide = _in_order(shown.pivot(index=keys, columns="iterations", values="text"), shown[keys])
    wide.columns = [f"within {n} iterations" for n in wide.columns]
    return wide.reset_index().rename(columns={"on": "board"})


def _in_order(wide: pd.DataFrame, keys: pd.DataFrame) -> pd.DataFrame:
    """Return a pivoted table with its rows in the order in which their keys first come."""
    return wide.loc[[*keys.drop_duplicates().itertuples(index=False, name=None)]]


def table_10(table: pd.DataFrame) -> dict[str, Any]:
    """Return Table 10 of 004 beside ours: every bin, all bins together, and the lowest bin.

    table: GUESS_COLUMNS. The printed bins have no counts: z takes the fewest guesses that the
    printed decimals allow, so that |z| is at least as large, and so is chi-square of all bins. A
    bin that allows fewer than MEANINGFUL has no z.
    """
    own = _on(table[(table["part"] == "table_10") & (table["bin_high"] > LOWEST)])
    first = table["player"].drop_duplicates()  # labels, by which the printed numbers are known
    labels = dict(zip(first.map(player_name), first, strict=True))
    which = (own["bin_high"] - LOWEST) // 10 - 1
    printed = [TABLE_10[labels[p]][b] for p, b in zip(own["player"], which, strict=True)]
    own["printed"] = printed
    own["fewest"] = [fewest_guesses(value) for value in printed]
    share = own["printed"] / 100
    alone = 1e4 * share * (1 - share) / own["fewest"]
    for name, count in (("", "survived"), ("won_", "won")):
        rate = (own[count] + 1) / (own["guesses"] + 2)  # a bin that is all alike has an error too
        least = 1e4 * rate * (1 - rate) / own["guesses"]
        ours = np.maximum(own[f"{name}se"] ** 2, least)
        together = ours / least  # printed guesses of one game hang together as ours do
        total = np.sqrt(ours + alone * together)
        z = (own[f"{name}percent"] - own["printed"]) / total
        own[f"{name}z"] = z.where(own["fewest"] >= MEANINGFUL)
        ends = own[[f"{name}percent", f"{name}low", f"{name}high"]].to_numpy()
        own[f"{name}text"] = [between(*each) for each in ends]
    own["stated"] = 100 * own["expected"] / own["guesses"]
    joint = []
    for (player, on), each in own.groupby(["player", "on"], sort=False):
        for reading, z in (("opens no mine", each["z"]), ("game won", each["won_z"])):
            total_z, bins = float((z**2).sum()), int(z.notna().sum())
            p = float(chi2.sf(total_z, bins))
            verdict = "differs" if p < LEVEL else "not decided"
            joint.append((player, on, reading, bins, total_z, p, verdict, float(z.iloc[0])))
    names = ["player", "board", "reading", "bins", "chi2", "p", "verdict", "lowest_z"]
    tests = pd.DataFrame(joint, columns=names)
    lowest = own[own["bin_low"] == LOWEST]
    return {
        "table": own,
        "joint": tests,
        "tests": len(tests),
        "meaningful": MEANINGFUL,
        "fits": tests[tests["verdict"] != "differs"].to_dict("records"),
        "rejected": int((tests["verdict"] == "differs").sum()),
        "lowest": [
            {
                "player": player,
                "printed": each["printed"].iloc[0],
                "low": each["percent"].min(),
                "high": each["percent"].max(),
                "won_low": each["won_percent"].min(),
                "won_high": each["won_percent"].max(),
            }
            for player, each in lowest.groupby("player", sort=False)
        ],
    }


def calibration(table: pd.DataFrame) -> dict[str, Any]:
    """Return whether guesses succeed as often as the players state, all bins of a player together.

    table: GUESS_COLUMNS. If every stated safety is right, the successes of a bin less those that
    are expected have the variance sum p (1 - p), and bins are uncorrelated: each guess is right
    with its own probability, whatever was before.
    """
    own = _on(table[table["part"] == "calibration"])
    counted = (own["expected"] >= FEWEST) & (own["guesses"] - own["expected"] >= FEWEST)
    own["z"] = (own["survived"] - own["expected"]) / np.sqrt(own["variance"])
    own["stated"] = 100 * own["expected"] / own["guesses"]
    own["error"] = 100 * np.sqrt(own["variance"]) / own["guesses"]
    own["text"] = [between(row.percent, row.low, row.high) for row in rows(own)]
    tested = own[counted]
    players = [_joint(str(player), each) for player, each in tested.groupby("player", sort=False)]
    boards = [
        {"board": on} | _joint(str(player), each)
        for (player, on), each in tested.groupby(["player", "on"], sort=False)
    ]
    return {
        "table": own,
        "players": players,
        "boards": pd.DataFrame(boards, columns=["board", "player", "bins", "chi2", "p", "verdict"]),
        "fewest": FEWEST,
    }


def _joint(player: str, tested: pd.DataFrame) -> dict[str, Any]:
    """Return the chi-square of some bins; low, high: what it would find in a bin, in points."""
    total = float((tested["z"] ** 2).sum())
    p = float(chi2.sf(total, len(tested)))
    found = detectable(len(tested)) * tested["error"]
    return {
        "player": player,
        "bins": len(tested),
        "chi2": total,
        "p": p,
        "verdict": "differs" if p < LEVEL else "agrees",
        "low": found.min(),
        "high": found.max(),
    }


def table_12(study: pd.DataFrame) -> pd.DataFrame:
    """Return for each level and way to play Table 12 whether its row agrees, of 2 degrees.

    study: STUDY_COLUMNS. Columns: player, start, role, board, games, then OUTCOMES as text (printed
    number, ours), chi2, p, verdict; no row if the table was not played. Both sides are counts of
    games of three kinds.
    """
    own = study[study["table"] == "004 12"]
    found = []
    keys = ["player", "first_click", "start", "role", "board", "mines"]
    for names, row in own.groupby(keys, sort=False):
        at = row.set_index("measure").loc[list(OUTCOMES)]
        games = int(row["games"].iloc[0])
        counts = np.array([at["ours"] * games / 100, at["published"] * PRINTED_GAMES / 100])
        result = chi2_contingency(counts[:, counts.sum(axis=0) > 0], correction=False)
        pairs = zip(at["published"].tolist(), at["ours"].tolist(), strict=True)
        text = dict(zip(OUTCOMES, (f"{a:.1f}; {b:.1f}" for a, b in pairs), strict=True))
        verdict = "differs" if result.pvalue < LEVEL else "agrees"
        known = {"games": games, "chi2": result.statistic, "p": result.pvalue, "verdict": verdict}
        found.append(dict(zip(keys, names, strict=True)) | text | known)
    return _on(pd.DataFrame(found, columns=[*keys, *OUTCOMES, "games", "chi2", "p", "verdict"]))


def _table_11(table: pd.DataFrame) -> dict[str, Any]:
    """Return the position as a table, and how far beliefs are from the exact safeties."""
    wide = table.pivot(index=["mines", "player"], columns="cell", values="safety")[list(CELLS)]
    number = table.groupby("mines")["configurations"].first()
    off = {}
    for player in wide.index.unique("player"):
        own = wide.xs(player, level="player") - wide.xs("exact", level="player")
        off[player] = float(own.abs().to_numpy().max())
    one = number.index[number == 1]
    return {
        "table": wide.reset_index().assign(
            player=lambda known: known["player"].map(player_name),
            configurations=lambda known: known["mines"].map(number),
        ),
        "cells": list(CELLS),
        "configurations": number.to_dict(),
        "settled": one.tolist(),
        "exact": off["lbp_mc-all_cells_on"] < 1e-6,
        "alone": off["lbp_mc"],
    }


def _once(wide: pd.DataFrame) -> pd.DataFrame:
    """Return the table with one row for players that are alike in all else, who are then "all"."""
    others = [column for column in wide.columns if column != "player"]
    alike = wide.groupby(others, sort=False)["player"].transform("nunique")
    shown = wide.assign(player=wide["player"].where(alike < wide["player"].nunique(), "all"))
    return shown.drop_duplicates().reset_index(drop=True)


def _errors(table: pd.DataFrame) -> dict[str, Any]:
    """Return errors beside a number and by distance as tables, and what messages add to regret."""
    shown = _on(table)
    shown["text"] = [
        f"{row.value:.2f}" if row.measure == "max_error" else between(row.value, row.low, row.high)
        for row in rows(shown)
    ]
    keys = ["player", "on", "positions", "distance", "cells"]
    wide = shown.pivot(index=keys, columns="measure", values="text").fillna("")
    wide = _in_order(wide, shown[keys]).reset_index().rename(columns={"on": "board"})
    near = shown[shown["distance"] == DISTANCES[0]].set_index(["measure", "player", "on"])
    near = near.sort_index()
    summary = []
    for player in shown["player"].unique():
        found: dict[str, Any] = {"player": player}
        for measure in ("mean_abs_error", "regret"):
            own: Any = near.xs((measure, player))["value"]
            found[measure] = (own.min(), own.max())
        summary.append(found)
    with_messages = player_name("lbp_mc-prior_density")
    more: Any = near.xs(("regret_more", with_messages))
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (more["value"] / more["se"]).fillna(0)
    together = holm(2 * norm.sf(np.abs(z)))
    return {
        "near": wide[wide["distance"] == DISTANCES[0]],
        "far": _once(wide.drop(columns=["regret", "regret_more"])),
        "summary": summary,
        "boards": len(z),
        "worse": int(((together < LEVEL) & (z > 0)).sum()),
        "better": int(((together < LEVEL) & (z < 0)).sum()),
        "more": (more["value"].min(), more["value"].max()),
        "games": int(table["games"].iloc[0]),
        "bias": shown.loc[shown["measure"] == "bias"]
        .groupby("distance")["value"]
        .agg(["min", "max"]),
    }
