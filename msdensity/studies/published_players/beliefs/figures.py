"""Figure 5 of 004, and how often guesses of a stated safety open no mine."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from msdensity.players.registry import player_name
from msdensity.studies.plot import LOG, board_name, look, require_rows, styled
from msdensity.studies.published_players.beliefs.columns import DECISION_COLUMNS, GUESS_COLUMNS

SHORT = {
    "marginalization": "at once",
    "1st iteration": "1st",
    "2nd iteration": "2nd",
    "3rd iteration": "3rd",
}
"""Names of decisions below the bars."""

MIN_GUESSES = 20
"""A point of the calibration with fewer guesses is not drawn: its bar would fill the panel."""


@styled
def decisions_figure(belief_decisions: pd.DataFrame) -> Figure:
    """Return Figure 5 of 004: decisions in %, a panel a player, a bar for each kind and board.

    belief_decisions: DECISION_COLUMNS; without rules of single numbers, as 004 plays. The
    axis is logarithmic, because most decisions are of one kind. Raises InputError without a row.
    """
    require_rows(belief_decisions, "decisions table", DECISION_COLUMNS)
    table = belief_decisions[belief_decisions["player"].str.contains("singles_never")]
    require_rows(table, "decisions without single numbers")
    players = table["player"].unique()
    figure = Figure(figsize=(7.2, 3.4))
    axes = np.atleast_1d(figure.subplots(1, len(players), sharey=True))
    for letter, ax, player in zip("abcdef", axes, players, strict=False):
        own = table[table["player"] == player]
        kinds = own["decision"].unique().tolist()
        boards = own[["board", "mines"]].drop_duplicates().itertuples(index=False)
        for index, (board, mines) in enumerate(boards):
            here = own[(own["board"] == board) & (own["mines"] == mines)]
            here = here.set_index("decision").loc[kinds].reset_index()
            some = here[here["count"] > 0]
            place = some.index + 0.27 * (index - 1)
            ends = np.array([some["percent"] - some["low"], some["high"] - some["percent"]])
            name = f"{board_name(board)}, {mines} mines"
            ax.bar(place, some["percent"], 0.25, color=f"C{index}", label=name)
            ax.errorbar(
                place, some["percent"], np.maximum(ends, 0), linestyle="", color="0.2", linewidth=1
            )
        ax.set_yscale(LOG)
        ax.set_xticks(range(len(kinds)), [SHORT.get(kind, kind) for kind in kinds])
        ax.set_ylim(5e-4, 200)
        name = player_name(player.split("-")[0])
        ax.set(title=f"({letter}) {name}", xlabel="iteration of the decision, or a guess")
    axes[0].set_ylabel("decisions (%)")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure


@styled
def calibration_figure(belief_guesses: pd.DataFrame) -> Figure:
    """Return the share of guesses that open no mine against their stated safety, by player.

    belief_guesses: GUESS_COLUMNS; a panel a board. Bars are 95 % intervals over games; the line is
    that of stated safeties that are right. Raises InputError without a row.
    """
    require_rows(belief_guesses, "table of guesses", GUESS_COLUMNS)
    table = belief_guesses[belief_guesses["part"] == "calibration"]
    require_rows(table, "calibration")
    boards = table[["board", "mines"]].drop_duplicates().itertuples(index=False, name=None)
    panels = list(boards)
    figure = Figure(figsize=(7.2, 3.2))
    axes = np.atleast_1d(figure.subplots(1, len(panels), sharey=True))
    for ax, (board, mines) in zip(axes, panels, strict=True):
        here = table[(table["board"] == board) & (table["mines"] == mines)]
        for index, player in enumerate(table["player"].unique()):
            own = here[(here["player"] == player) & (here["guesses"] >= MIN_GUESSES)]
            stated = 100 * own["expected"] / own["guesses"]
            ends = [own["percent"] - own["low"], own["high"] - own["percent"]]
            marks = {**look(index), "linestyle": "", "elinewidth": 0.8}
            ax.errorbar(
                stated, own["percent"], np.maximum(ends, 0), label=player_name(player), **marks
            )
        ax.plot([0, 100], [0, 100], color="0.6", linewidth=0.6)
        ax.set(title=f"{board_name(board)}, {mines} mines", xlabel="stated safety (%)")
        ax.set(xlim=(30, 102), ylim=(30, 102))
    axes[0].set_ylabel("guesses that open no mine (%)")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return figure


FIGURES = {"decisions": decisions_figure, "calibration": calibration_figure}
"""The figures by the names of their files."""
