"""The densities of a board: from the shipped table, between its boards, or from games now."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.interpolate import LinearNDInterpolator

from msdensity.errors import InputError
from msdensity.files.tables import read_table
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import Player, Setup, named_player
from msdensity.studies.densities.columns import DENSITY_COLUMNS

Folder = str | os.PathLike[str]

TABLE = Path(__file__).with_name("densities.csv")

NAMES = {
    "rho50": "half of the games won",
    "no_guess": "half of the games won without a guess",
    "P": "critical density of the logistic curve",
}
"""What each density is."""

MEASURED, ESTIMATE = "measured", "estimate"

MIN_ROWS = 4
"""Boards with fewer rows are not interpolated, because there the densities jump from q to q + 1."""

NEIGHBOURS = 8
"""So many boards of the table around another one show how good an interpolation is there."""

MAX_P_ERROR = 0.05
"""With a larger error the games do not determine P."""

MOST_GAMES, STEPS = 1_000_000, 200
"""Maximum of the games for each number of mines of a whole curve, and its steps of the density."""


@dataclass(frozen=True)
class Densities:
    """The densities of a board by the names of NAMES, and their standard errors.

    kind: MEASURED, or ESTIMATE for an interpolation; values and errors are NaN where the board has
    no such density; source: who played how many games, or which boards lie around; notes: warnings.
    """

    board: Board
    kind: str
    values: dict[str, float]
    errors: dict[str, float]
    source: str
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the report."""
        return self.report()

    def report(self) -> str:
        """Return the densities in words, each with its number of mines."""
        lines = [f"{self.board.name}, {self.kind}: mine density, standard error, mines"]
        for name, text in NAMES.items():
            value, error = self.values[name], self.errors[name]
            number = "none" if np.isnan(value) else f"{value:.4f} +- {error:.4f}"
            mines = "" if np.isnan(value) else f"{value * self.board.cells:.1f}"
            lines.append(f"{name:>8}  {number:<16} {mines:>7}  {text}")
        lines += [f"warning: {note}" for note in self.notes]
        return "\n".join([*lines, f"source: {self.source}"])


def known_table() -> pd.DataFrame:
    """Return the table that the package ships (DENSITY_COLUMNS); `snakemake shipped` makes it."""
    return read_table(TABLE, DENSITY_COLUMNS)


def density(
    board: Board | str,
    error: float | None = None,
    *,
    player: Player = "weighted",
    rules: Rules | None = None,
    seed: int = 0,
    threads: int = 1,
    log: TextIO | None = None,
    folder: Folder | None = None,
) -> Densities:
    """Return the densities at which a board stops being winnable, in three senses (NAMES).

    Without `error`: the row of the shipped table, or an interpolation between its boards, which is
    marked as an estimate. error: measure them now, with about this standard error, in (0, 1).
    player, rules, seed: only then, as in `md.sweep`; log: where progress goes (None: nowhere);
    folder: where ledgers are kept, so that a later call plays only the difference (None: they are
    not kept).
    Raises InputError for a value that is not allowed, and without `error` for a board, player or
    rules that the table says nothing about.
    """
    setup = Setup(board, *named_player(player), Rules() if rules is None else rules, seed)  # type: ignore[arg-type]
    if len(setup.board.shape) != 2:
        raise InputError(
            f"board={setup.board.name} must have two sides; `msdensity rho50` measures others"
        )
    if error is not None:
        return _measured(setup, error, threads, log, folder)
    table = known_table()
    head: Any = table.iloc[0]
    if (setup.task(1).label, *_rules(setup.rules)) != (head.player, head.first_click, head.start):
        raise InputError(
            f"player={setup.task(1).label}, first_click={setup.rules.first_click}, start="
            f"{setup.rules.start} must be {head.player}, {head.first_click} and {head.start}, as"
            " in the table of densities, or be measured: give an error, such as --error 1e-3"
        )
    if seed:
        raise InputError(
            f"seed={seed} must be left out, because the games of the table are played already, or"
            " come with an error, such as --error 1e-3"
        )
    rows = table[table["board"] == setup.board.canonical().name]
    if len(rows):
        return _measured_row(setup.board, rows.iloc[0])
    return interpolate(setup.board, table)


def interpolate(board: Board, table: pd.DataFrame) -> Densities:
    """Return an estimate for a board from those around it, linear in ln p and ln q.

    table: DENSITY_COLUMNS. The error is that of leaving out each of the NEIGHBOURS nearest boards,
    together with the error of their games. Raises InputError beyond the boards of the table.
    """
    beyond = InputError(
        f"board={board.name} must be in the table of densities, or a board of {MIN_ROWS} to"
        f" {int(table['q'].max())} rows and columns with topology square8, or be measured: give an"
        " error, such as --error 1e-3"
    )
    if board.topology != "square8" or min(board.shape) < MIN_ROWS:
        raise beyond
    near = table[table["p"] >= MIN_ROWS]
    at = np.log([sorted(board.shape)])
    values, errors = {}, {}
    nearest: list[str] = []
    for name in NAMES:
        own = near[near[name].notna()]
        places, known = np.log(own[["p", "q"]].to_numpy(float)), own[name].to_numpy(float)
        values[name] = float(LinearNDInterpolator(places, known)(at)[0])
        if np.isnan(values[name]):
            raise beyond
        closest = np.argsort(np.hypot(*(places - at).T), kind="stable")[:NEIGHBOURS]
        missed = [left_out(places, known, i) for i in closest]
        games = np.sqrt(np.mean(own[f"{name}_se"].to_numpy(float)[closest] ** 2))
        errors[name] = float(np.hypot(np.sqrt(np.nanmean(np.square(missed))), games))
        nearest = nearest or [str(own["board"].iloc[i]) for i in closest[:3]]
    source = (
        f"interpolated between measured boards, the nearest {', '.join(nearest)}; --error 1e-3"
        " measures this board"
    )
    return Densities(board, ESTIMATE, values, errors, source)


def left_out(places: NDArray[np.float64], known: NDArray[np.float64], index: int) -> float:
    """Return how far an interpolation without one board is from that board; NaN at the rim."""
    others = np.arange(len(known)) != index
    return float(LinearNDInterpolator(places[others], known[others])(places[index])[0]) - float(
        known[index]
    )


def _measured_row(board: Board, row: Any) -> Densities:
    source = (
        f"{row.games:,} games of player {row.player}, first click {row.first_click}, start"
        f" {row.start}, seed {row.seed}, kernel version {row.kernel_version}"
    )
    values = {name: float(row[name]) for name in NAMES}
    errors = {name: float(row[f"{name}_se"]) for name in NAMES}
    notes = str(row.note).split("; ") if row.note else []
    if not (0 < values["P"] < 1 and errors["P"] <= MAX_P_ERROR):
        # The number is where the fit stops, and its other warnings are about that number.
        notes = [note for note in notes if not note.startswith("P: ")]
        notes.append("P: the win rates do not determine it inside (0, 1)")
        values["P"] = errors["P"] = np.nan
    return Densities(board, MEASURED, values, errors, source, tuple(notes))


def _measured(
    setup: Setup, error: float, threads: int, log: TextIO | None, folder: Folder | None
) -> Densities:
    from msdensity.runs.measure import missed
    from msdensity.studies.densities.play import play_board
    from msdensity.studies.densities.results import density_row
    from msdensity.studies.densities.settings import load_settings

    asked = {"study": "densities", "error": error, "most_games": MOST_GAMES, "steps": STEPS}
    settings = load_settings({"seed": setup.seed, "boards": [setup.board.name], **asked})
    with tempfile.TemporaryDirectory() as temporary:
        kept = Path(folder or temporary)
        played = play_board(settings, setup, kept, threads, log=log or StringIO())
    found = _measured_row(setup.board, pd.Series(density_row(played.table, settings.replicates)))
    misses = [f"{name}: {text}" for name, e in found.errors.items() if (text := missed(e, error))]
    return replace(found, notes=(*found.notes, *misses))


def _rules(rules: Rules) -> tuple[str, str]:
    return rules.first_click, rules.start
