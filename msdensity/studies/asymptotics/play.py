"""Play the study's games, and tabulate them with the control variate and its test."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from msdensity.errors import InputError
from msdensity.files.tables import check_table
from msdensity.games.boards import Board, most_mines
from msdensity.games.tasks import Task
from msdensity.runs.sweep import Played, play_table
from msdensity.stats.rho50.control_variate import reduced_win_rate
from msdensity.stats.rho50.design import design
from msdensity.stats.rho50.fit import fit_rho50
from msdensity.stats.rho50.reduced import mean_of_z0
from msdensity.studies.asymptotics.columns import (
    GAMES_COLUMNS,
    PLAN_COLUMNS,
    POINT_COLUMNS,
    SAFETY_COLUMNS,
)
from msdensity.studies.asymptotics.law import law_rho50, strip_one_rho50
from msdensity.studies.asymptotics.settings import (
    CURVE_SEED,
    DENSITY_SEED,
    FAMILIES,
    RULES,
    Curves,
    Entry,
    LowDensity,
    Precision,
    Settings,
)

ASSUMED_GAIN = 2.0
"""Variance ratio of the control variate that games are counted with; the real one is 2 to 3."""

MANY_GUESSES = 1000
"""With fewer the mean of Z_0 is not normal enough for its z to be called large."""

_CELL_SECONDS, _GAME_SECONDS = 80e-9, 10e-6
"""A rule of thumb for a game of a board, measured on one machine."""


def game_seconds(cells: int) -> float:
    """Return about how many CPU seconds a game takes."""
    return _GAME_SECONDS + _CELL_SECONDS * cells


def sweep(
    entry: Entry,
    points: pd.DataFrame,
    precision: Precision,
    seed: int,
    folder: Path,
    threads: int = 1,
) -> Played:
    """Play the points of a board (rows of POINT_COLUMNS); the table has GAMES_COLUMNS."""
    own = points[(points["board"] == entry.board.name) & (points["rule"] == entry.rule)]
    if not len(own):
        raise InputError(f"points lack board {entry.name}: run its pilot first")
    games = games_of(own.iloc[0], precision, entry.board)
    return _played(entry, [int(m) for m in own["mines"]], games, seed, folder, threads)


def games_of(point: Any, precision: Precision, board: Board) -> int:
    """Return the games for each number of mines of a board, from one of its points."""
    unit = float(point["unit_error"])
    return precision.games(unit, int(point["points"]), board.cells, ASSUMED_GAIN)


def low_density(
    entry: Entry, plan: LowDensity, seed: int, folder: Path, threads: int = 1
) -> Played:
    """Play the low densities of a board; the table has GAMES_COLUMNS."""
    mines, games = plan.mines(entry.board), plan.games_of(entry.board)
    return _played(entry, mines, games, seed + DENSITY_SEED, folder, threads)


def whole_curve(side: int, plan: Curves, seed: int, folder: Path, threads: int = 1) -> Played:
    """Play a square from the first m up, to the first never won; the table has GAMES_COLUMNS."""
    entry = Entry(Board((side, side)), "corner")
    ledger = folder / f"{entry.name}.csv"
    mines = plan.mines(side)
    played = 0
    # A few at a time, so that no more than these are played in vain.
    step = max(1, len(mines) // 20)
    for begin in range(0, len(mines), step):
        tasks = [entry.task(m, seed + CURVE_SEED) for m in mines[begin : begin + step]]
        won = play_to(tasks, plan.games, ledger, threads).table["wins"]
        played = begin + len(tasks)
        if not won.all():
            break
    return _played(entry, mines[:played], plan.games, seed + CURVE_SEED, folder, threads)


def play_part(
    study: Settings,
    kind: str,
    part: str,
    points: pd.DataFrame | None,
    folder: Path,
    threads: int = 1,
) -> list[Played]:
    """Play one job of the study; the tables have GAMES_COLUMNS of each of its boards.

    kind: `rho50` (of `Settings.parts`, with points: POINT_COLUMNS), `low_density` (`density_parts`)
    or `curves` (`curve_parts`); part: its name there. Raises InputError for another kind, or
    without the points.
    """
    if kind == "rho50" and points is not None:
        return [
            sweep(entry, points, study.precision, study.seed, folder, threads)
            for entry in study.parts()[part]
        ]
    if kind == "low_density":
        return [
            low_density(entry, study.low_density, study.seed, folder, threads)
            for entry in study.density_parts()[part]
        ]
    if kind == "curves":
        return [
            whole_curve(side, study.curves, study.seed, folder, threads)
            for side in study.curve_parts()[part]
        ]
    raise InputError(f"kind={kind!r} must be rho50 (with points), low_density or curves")


def _played(
    entry: Entry, mines: Sequence[int], games: int, seed: int, folder: Path, threads: int
) -> Played:
    ledger = folder / f"{entry.name}.csv"
    played = play_to([entry.task(m, seed) for m in mines], games, ledger, threads)
    return replace(played, table=games_table(played.table, entry))


def games_table(win_rates: pd.DataFrame, entry: Entry) -> pd.DataFrame:
    """Return GAMES_COLUMNS of a board from its WIN_RATE_COLUMNS.

    Where there are fewer than 30 wins or losses the plain win rate stands for the reduced one.
    """
    rows = []
    record: Any
    for record in win_rates.to_dict("records"):
        found = reduced_win_rate(record)
        wins, games = record["wins"], record["games"]
        # With no loss or no win the normal error would be 0: half a game stands in.
        share = min(max(wins, 0.5), games - 0.5) / games
        plain_se = math.sqrt(share * (1 - share) / games)
        rows.append(
            {"family": entry.family, "rule": entry.rule}
            | record
            | {
                "reduced": found.rate.best,
                "reduced_se": found.error if found.own and found.error > 0 else plain_se,
                "plain_se": plain_se,
                "gain": found.gain,
                "z": found.z,
                "note": found.note,
            }
        )
    return check_table(pd.DataFrame(rows), GAMES_COLUMNS, f"games of {entry.name}")


def sort_games(table: pd.DataFrame) -> pd.DataFrame:
    """Return GAMES_COLUMNS in the order of start rule, family, p, q and mines."""
    keys = {
        "rule": {name: i for i, name in enumerate(RULES)},
        "family": {name: i for i, name in enumerate(FAMILIES)},
    }

    def key(column: pd.Series) -> pd.Series:
        return column.map(keys[str(column.name)]) if column.name in keys else column

    return table.sort_values(["rule", "family", "p", "q", "mines"], key=key, ignore_index=True)


def safety_table(parts: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the test of the stated safeties (SAFETY_COLUMNS). parts: GAMES_COLUMNS by name."""
    rows = []
    for name, table in (*parts.items(), ("all", pd.concat(list(parts.values())))):
        mean, z = mean_of_z0(table)
        single = table.loc[table["guesses"] >= MANY_GUESSES, "z"].abs().dropna()
        rows.append(
            {
                "games_of": name,
                "rows": len(table),
                "games": int(table["games"].sum()),
                "guesses": int(table["guesses"].sum()),
                "mean_z0": mean,
                "z": z,
                "largest_z": single.max() if len(single) else np.nan,
            }
        )
    return check_table(pd.DataFrame(rows), SAFETY_COLUMNS, "safety table")


def plan_table(
    entries: Iterable[Entry],
    points: pd.DataFrame,
    precision: Precision,
    low: LowDensity,
    curves: Curves,
) -> pd.DataFrame:
    """Return what the study plays and about what it costs (PLAN_COLUMNS)."""
    rows: list[dict[str, Any]] = []

    def add(part: str, entry: Entry, count: int, games: int, error: float = np.nan) -> None:
        rows.append(
            {
                "games_of": part,
                "board": entry.board.name,
                "rule": entry.rule,
                "points": count,
                "games": games,
                "expected_error": error,
                "cpu_seconds": count * games * game_seconds(entry.board.cells),
            }
        )

    first = points.drop_duplicates(["board", "rule"]).set_index(["board", "rule"])
    for entry in entries:
        point: Any = first.loc[(entry.board.name, entry.rule)]
        games = games_of(point, precision, entry.board)
        error = float(point["unit_error"]) / math.sqrt(games * ASSUMED_GAIN)
        add("rho50", entry, int(point["points"]), games, error)
    for entry in low.entries:
        add("low density", entry, len(low.mines(entry.board)), low.games_of(entry.board))
    for side in (*curves.small, *curves.large):
        # Up to the first m that is never won: at twice the density where W = 1/2.
        count = len(curves.mines(side)) * (45 if side in curves.small else 30) // 100
        add("curves", Entry(Board((side, side)), "corner"), count, curves.games)
    return check_table(pd.DataFrame(rows), PLAN_COLUMNS, "plan")


def report_plan(plan: pd.DataFrame) -> str:
    """Return the plan in words."""
    lines = [
        f"{'part':>12} {'board':>16} {'start':>7} {'m':>4} {'games each':>11} "
        f"{'error':>8} {'CPU s':>8}"
    ]
    row: Any
    for row in plan.itertuples():
        error = f"{row.expected_error:.2%}" if np.isfinite(row.expected_error) else ""
        lines.append(
            f"{row.games_of:>12} {row.board:>16} {row.rule:>7} {row.points:>4} {row.games:>11,} "
            f"{error:>8} {row.cpu_seconds:>8.1f}"
        )
    total = plan["cpu_seconds"].sum()
    games = (plan["points"] * plan["games"]).sum()
    lines.append(
        f"{games:,} games, about {total:,.0f} CPU seconds: {total / 120:.0f} min on 2 cores"
    )
    return "\n".join(lines)


_TRIES = 16

_NEAR = (0.35, 0.65)

_FLANKS = (0.8, 0.65, 0.35, 0.2)

_USED = (0.02, 0.98)

_CHECKPOINT_CELLS = 2_000_000


def checkpoint(cells: int) -> int:
    """Return the games between two checkpoints of a board: well below a second's work."""
    return int(np.clip(_CHECKPOINT_CELLS // cells, 10, 1000))


def play_to(tasks: list[Task], games: int, ledger: Path, threads: int) -> Played:
    """Top up the ledger of one board; return the win rates of the tasks."""
    batch = checkpoint(tasks[0].board.cells)
    return play_table({ledger: tasks}, games, batch=batch, threads=threads)


def pilot(entry: Entry, seed: int, games: int, folder: Path, threads: int = 1) -> Played:
    """Return what to play of a board (POINT_COLUMNS), from pilots of `games` games.

    folder: where the ledger of the pilot is kept, so that no game is played twice. The number of
    mines moves along W = 2^-((rho / rho50)^k) to where W is near 1/2; four more about it show k.
    Some boards, such as 2 x q, go from above 1/2 to below it at once: they get the mines on both
    sides.
    """
    board = entry.board
    most = most_mines(board, entry.task(1, seed).rules)
    ledger = folder / f"{entry.name}.csv"
    rates: dict[int, float] = {}
    more_games: set[int] = set()

    def rate(mines: int) -> float:
        if mines not in rates:
            played = play_to([entry.task(mines, seed)], games, ledger, threads)
            rates[mines] = float(played.table["win_rate"].iloc[0])
            more_games.update(played.more_games)
        return rates[mines]

    k = {1: 2.0, 2: 1.0}.get(board.p, 4.0)
    below, above = 0, most + 1
    mines = int(np.clip(round(_guess(entry) * board.cells), 1, most))
    centre = float(mines)
    for _ in range(_TRIES):
        found = rate(mines)
        if found >= 0.5:
            below = max(below, mines)
        else:
            above = min(above, mines)
        centre = mines * (np.log(2) / -np.log(np.clip(found, *_USED))) ** (1 / k)
        if above - below <= 1 or _NEAR[0] < found < _NEAR[1]:
            break
        mines = int(np.clip(round(centre), below + 1, above - 1))
    for wanted in _FLANKS:
        rate(int(np.clip(round(centre * (-np.log2(wanted)) ** (1 / k)), 1, most)))

    tried = np.array(sorted(m for m, W in rates.items() if _USED[0] < W < _USED[1]), int)
    rho50, fitted = min(max(centre / board.cells, 1e-6), 0.99), k
    if len(tried) > 1:
        wins = np.array([round(rates[int(m)] * games) for m in tried])
        with np.errstate(divide="ignore", invalid="ignore"):  # of two points, without residuals
            fit = fit_rho50(tried / board.cells, wins, np.full(len(tried), games), (0, 1))
        if not fit.no_fit:
            rho50, fitted = fit.rho50, fit.k
    plan = design(rho50, fitted, board.cells, rho50, 0)
    chosen = [int(m) for m in plan.mines if m <= most] or [most]
    if board.p == 2:  # the one number of mines with an exact answer
        chosen = sorted({1, *chosen})
    density = np.array(chosen) / board.cells
    rows: list[dict[str, Any]] = [
        {
            "board": board.name,
            "rule": entry.rule,
            "mines": m,
            "points": len(chosen),
            "rho50": rho50,
            "k": fitted,
            "window_low": min(plan.window[0], density[0]),
            "window_high": max(plan.window[1], density[-1]),
            "unit_error": plan.error * np.sqrt(plan.games) / rho50,
        }
        for m in chosen
    ]
    table = check_table(pd.DataFrame(rows), POINT_COLUMNS, f"pilot of {entry.name}")
    return Played(table, (ledger,), frozenset(more_games))


def _guess(entry: Entry) -> float:
    """Return a density to start from: the law's, less what small boards fall short of it."""
    p, q = min(entry.board.shape), max(entry.board.shape)
    if p == 1:
        return min(strip_one_rho50(q), 0.5)
    if p == 2:
        return 1 / (2 * q)
    law = law_rho50(p, entry.rule, entry.board.topology, aspect=q / p)
    return law * (1 - 0.8 / p)
