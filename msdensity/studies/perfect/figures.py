"""Perfect play beside the players: win rates, gaps, densities, first clicks and the ladder."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from msdensity.players.registry import player_name
from msdensity.studies.perfect.columns import (
    AGAINST_COLUMNS,
    CLICK_COLUMNS,
    CURVE_COLUMNS,
    LADDER_COLUMNS,
    VALUE_COLUMNS,
)
from msdensity.studies.perfect.densities import PERFECT, may_guess, wide_boards
from msdensity.studies.perfect.settings import MAPS
from msdensity.studies.plot import board_name, hollow, legend_name, look, require_rows, styled

DENSITY = r"mine density $\rho$"


def _name(player: str) -> str:
    return "perfect play" if player == PERFECT else legend_name(player)


def _short(player: str) -> str:
    return "perfect play" if player == PERFECT else player_name(player)


def _looks(players: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the look of each player; perfect play is black."""
    others = [player for player in players if player != PERFECT]
    best = {PERFECT: {"color": "black", "marker": "*"}}
    return best | {player: look(i) for i, player in enumerate(others)}


def _key(figure: Figure, looks: dict[str, dict[str, Any]], more: Iterable[Any] = ()) -> None:
    handles = [Line2D([], [], label=_name(player), **how) for player, how in looks.items()]
    figure.legend(handles=[*handles, *more], loc="outside upper center", ncols=3)


@styled
def curves_figure(values: pd.DataFrame, ladder: pd.DataFrame, densities: pd.DataFrame) -> Figure:
    """Return the exact win rates by mine density, a panel for each board of the ladder.

    values, ladder, densities: VALUE_COLUMNS, LADDER_COLUMNS and CURVE_COLUMNS, whose players are
    drawn.
    """
    require_rows(values, "values table", VALUE_COLUMNS)
    require_rows(ladder, "ladder table", LADDER_COLUMNS)
    boards = list(dict.fromkeys(ladder["board"]))
    own = values
    looks = _looks(dict.fromkeys(densities["player"]))
    figure = Figure(figsize=(max(2.0 * len(boards), 5.5), 3.3))
    axes = figure.subplots(1, len(boards), sharey=True, squeeze=False)[0]
    for ax, board in zip(axes, boards, strict=True):
        for player, how in looks.items():
            line = _line(own[(own["board"] == board) & (own["player"] == player)])
            ax.plot(line["density"], line["win_rate"], zorder=3 if player == PERFECT else 2, **how)
        ax.axhline(0.5, color="0.8", linewidth=0.8, zorder=0)
        ax.set(title=board_name(board), ylim=(-0.02, 1.02))
    axes[0].set_ylabel("win rate, counted exactly")
    figure.supxlabel(DENSITY, fontsize=9)
    _key(figure, looks)
    return figure


@styled
def gaps_figure(values: pd.DataFrame, densities: pd.DataFrame) -> Figure:
    """Return by how much perfect play wins more than each player, in points, by mine density.

    values, densities: VALUE_COLUMNS and CURVE_COLUMNS; a panel for each player that may guess and
    is counted on all boards, a line for each board of at least three rows.
    """
    require_rows(values, "values table", VALUE_COLUMNS)
    players = [p for p in dict.fromkeys(densities["player"]) if p != PERFECT and may_guess(p)]
    keys = ["board", "mines"]
    best = values[values["player"] == PERFECT][[*keys, "win_rate"]]
    both = values.merge(best.rename(columns={"win_rate": "perfect"}), on=keys)
    boards = wide_boards(both)
    figure = Figure(figsize=(max(1.9 * len(players), 5.5), 2.9))
    axes = figure.subplots(1, len(players), sharey=True, squeeze=False)[0]
    for ax, player in zip(axes, players, strict=True):
        for i, board in enumerate(boards):
            line = both[(both["player"] == player) & (both["board"] == board)]
            line = _line(line)
            ax.plot(line["density"], 100 * (line["perfect"] - line["win_rate"]), **look(i))
        ax.set_title(player_name(player), fontsize=8)
    axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel("perfect play wins more (points)")
    figure.supxlabel(DENSITY, fontsize=9)
    handles = [Line2D([], [], label=board_name(b), **look(i)) for i, b in enumerate(boards)]
    figure.legend(handles=handles, loc="outside upper center", ncols=7)
    return figure


def _line(curve: pd.DataFrame) -> pd.DataFrame:
    """Return a curve by mines, with empty rows where numbers of mines are missing."""
    return curve.set_index("mines").reindex(
        range(1, int(curve["cells"].max()) if len(curve) else 1)
    )


@styled
def densities_figure(densities: pd.DataFrame, against: pd.DataFrame) -> Figure:
    """Return P and rho50 by board: perfect play, the players, and P as published.

    densities, against: CURVE_COLUMNS and AGAINST_COLUMNS. Left: boards of at least three rows;
    right: boards of one row, which a line joins. Boards of other shapes are no series.
    """
    require_rows(densities, "densities table", CURVE_COLUMNS)
    require_rows(against, "against table", AGAINST_COLUMNS)
    wide = wide_boards(densities)
    rows = densities[(densities["p"] == 1).fillna(False)].sort_values("cells")
    lines = list(dict.fromkeys(rows["board"]))
    kept = [player for player in dict.fromkeys(densities["player"]) if may_guess(player)]
    looks = _looks(kept)
    figure = Figure(figsize=(7.4, 4.6))
    axes: Any = figure.subplots(2, 2)
    named = (("P", "critical density $P$"), ("rho50", r"$\rho_{50}$"))
    for row, (measure, label) in zip(axes, named, strict=True):
        for ax, boards in zip(row, (wide, lines), strict=True):
            places = {board: i for i, board in enumerate(boards)}
            for player, how in looks.items():
                own = densities[densities["player"] == player]
                own = own[own["board"].isin(boards)].sort_values("cells")
                at = own["board"].map(places)
                style = {"linestyle": "-" if boards is lines else "", "linewidth": 0.8}
                ax.plot(at, own[measure], zorder=4 if player == PERFECT else 2, **style, **how)
            if measure == "P":
                own = against[against["board"].isin(boards)]
                ax.plot(own["board"].map(places), own["published"], "o", mfc="none", ms=7, c="C6")
            ax.set_xticks(range(len(boards)), boards, fontsize=7, rotation=90 * (boards is lines))
        row[0].set_ylabel(label)
    _key(figure, looks, [hollow("published", "C6")])
    return figure


@styled
def clicks_figure(clicks: pd.DataFrame) -> Figure:
    """Return what each safe first click is worth over the corner, a map for each board and m.

    clicks: CLICK_COLUMNS; boards of at least three rows; a star marks the best cells.
    """
    require_rows(clicks, "clicks table", CLICK_COLUMNS)
    own = clicks[clicks["start"] == "safe"]
    boards = wide_boards(own)
    most = int(own[own["board"].isin(boards)]["mines"].max())
    mines = range(2, min(int(MAPS["mines"]) + 1, most))
    figure = Figure(figsize=(0.72 * len(mines) + 1.2, 0.9 * len(boards) + 0.5))
    axes = figure.subplots(len(boards), len(mines), squeeze=False)
    maps = {(board, m): _map(own, board, m) for board in boards for m in mines}
    known = np.concatenate([each.ravel() for each in maps.values()])
    end = max(100 * float(np.nanquantile(np.abs(known), MAPS["quantile"])), 0.1)
    image: Any = None
    for line, board in zip(axes, boards, strict=True):
        for ax, m in zip(line, mines, strict=True):
            gain = maps[board, m]
            ax.set(xticks=[], yticks=[])
            if np.isnan(gain).all():
                ax.set_axis_off()
                continue
            image = ax.imshow(100 * gain, cmap="RdBu", norm=Normalize(-end, end))
            row, column = np.nonzero(gain == np.nanmax(gain))
            ax.scatter(column, row, marker="*", s=14, color="black", linewidths=0)
            ax.set_title(f"{m}", fontsize=7, pad=2)
        line[0].set_ylabel(board_name(board), fontsize=8)
    figure.colorbar(image, ax=axes, label="points", shrink=0.9, extend="both")
    text = (
        "above each map: the mines; colour: points that a first click is worth over the corner\n"
        f"maps end at {mines[-1]} mines, colours at the {100 * MAPS['quantile']:.0f} % quantile"
    )
    figure.supxlabel(text, fontsize=8)
    return figure


def _map(clicks: pd.DataFrame, board: str, mines: int) -> NDArray[np.float64]:
    """Return W of each first cell less that of the corner, (p, q); NaN where none is searched."""
    p, q = (int(side) for side in board.split("x"))
    own = clicks[(clicks["board"] == board) & (clicks["mines"] == mines)]
    # Equal layouts, so that whole numbers tell which cells are equally good.
    won = dict(zip(own["cell"], own["won"], strict=True))
    layouts = float(own["layouts"].iloc[0]) if len(own) else np.nan
    gain = np.full((p, q), np.nan)
    for cell in range(p * q) if won else ():
        row, column = divmod(cell, q)
        row, column = min(row, p - 1 - row), min(column, q - 1 - column)
        if p == q:
            row, column = sorted((row, column))
        gain[divmod(cell, q)] = (won[row * q + column] - won[0]) / layouts
    return gain


@styled
def ladder_figure(ladder: pd.DataFrame) -> Figure:
    """Return the mean win rate of every player as a share of perfect play's; LADDER_COLUMNS.

    A panel for each board; players by the mean of their shares.
    """
    require_rows(ladder, "ladder table", LADDER_COLUMNS)
    boards = list(dict.fromkeys(ladder["board"]))
    order = ladder.groupby("player")["share"].mean().sort_values(kind="stable").index.tolist()
    figure = Figure(figsize=(7.4, 0.9 + 0.19 * len(order)))
    axes = figure.subplots(1, len(boards), sharey=True, squeeze=False)[0]
    for ax, board in zip(axes, boards, strict=True):
        own = ladder[ladder["board"] == board].set_index("player").reindex(order)
        at = np.arange(len(own))
        counted = (own["how"] == "counted").to_numpy()
        bars = 1.96 * own["share_se"].to_numpy()
        for kept, face in ((counted, "C0"), (~counted, "white")):
            ax.errorbar(
                own["share"][kept],
                at[kept],
                xerr=bars[kept],
                fmt="o",
                color="C0",
                mfc=face,
                ms=4,
            )
        ax.axvline(1, color="0.8", linewidth=0.8, zorder=0)
        ax.grid(axis="y", color="0.93")
        ax.set(title=board_name(board), xlim=(0, 1.05))
        ax.set_yticks(at, [_short(player) for player in order], fontsize=7)
    figure.supxlabel("mean win rate over 1 to cells - 2 mines / that of perfect play", fontsize=9)
    filled = Line2D([], [], label="counted exactly", color="C0", marker="o", linestyle="")
    played = hollow("played, at least in part", "C0")
    figure.legend(handles=[filled, played], loc="outside upper center", ncols=2)
    return figure


FIGURES = {
    "curves": curves_figure,
    "gaps": gaps_figure,
    "densities": densities_figure,
    "clicks": clicks_figure,
    "ladder": ladder_figure,
}
"""The study's figures by the names of their files."""
