"""Play the study's games, and make their tables with the control variate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from msdensity.errors import InputError
from msdensity.files.tables import check_table
from msdensity.games.boards import Board, most_mines
from msdensity.games.tasks import Task
from msdensity.runs.sweep import Played, joined, play_table, play_unequal
from msdensity.stats.law import law_rho50, strip_one_rho50
from msdensity.stats.rho50.control_variate import reduced_win_rates
from msdensity.stats.rho50.design import design, outward, shares, unit_error
from msdensity.stats.rho50.fit import fit_power
from msdensity.studies.asymptotics.columns import GAMES_COLUMNS, POINT_COLUMNS
from msdensity.studies.asymptotics.cost import games_of
from msdensity.studies.asymptotics.settings import (
    CONDITIONAL_SEED,
    CURVE_SEED,
    DENSITY_SEED,
    ESTIMATOR,
    PILOT_SEED,
    PLAYER,
    RIVAL,
    RULES,
    Curves,
    Entry,
    Precision,
    Settings,
)


def play_pilots(settings: Settings, part: str, ledgers: str, threads: int = 1) -> Played:
    """Search what to play on the boards of a part (`settings.parts`): POINT_COLUMNS."""
    seed, games = settings.seed + PILOT_SEED, settings.pilot_games
    entries = settings.parts()[part]
    pilots = [pilot(entry, seed, games, Path(ledgers), threads) for entry in entries]
    return joined(pilots)


def play_rho50(
    settings: Settings, part: str, points: pd.DataFrame, ledgers: str, threads: int = 1
) -> Played:
    """Play the points (POINT_COLUMNS) of a part (`settings.parts`): GAMES_COLUMNS."""
    precision, seed, folder = settings.precision, settings.seed, Path(ledgers)
    entries = settings.parts()[part]
    played = [sweep(entry, points, precision, seed, folder, threads) for entry in entries]
    return joined(played)


def play_low_density(settings: Settings, part: str, ledgers: str, threads: int = 1) -> Played:
    """Play the low densities of a part (`settings.density_parts`): GAMES_COLUMNS."""
    plan, seed, folder = settings.low_density, settings.seed + DENSITY_SEED, Path(ledgers)
    played = []
    for entry in settings.density_parts()[part]:
        games = dict.fromkeys(plan.mines(entry.board), plan.games_of(entry.board))
        played.append(_played(entry, games, seed, folder, threads))
    return joined(played)


def play_conditional(settings: Settings, part: str, ledgers: str, threads: int = 1) -> Played:
    """Play a part (`settings.density_parts`) conditionally at few densities: GAMES_COLUMNS.

    `reduced` is the win rate by weights and by what the first layouts say (`players.conditional`),
    `z` the mean of weight - 1{won} in standard errors.
    """
    plan, folder = settings.low_density.conditional, Path(ledgers)
    seed = settings.seed + CONDITIONAL_SEED
    played = []
    for entry in settings.density_parts()[part]:
        games = dict.fromkeys(plan.mines(entry.board), plan.games_of(entry.board))
        played.append(_played(entry, games, seed, folder, threads, ESTIMATOR))
    return joined(played)


def play_curves(settings: Settings, part: str, ledgers: str, threads: int = 1) -> Played:
    """Play the whole curves of a part (`settings.curve_parts`): GAMES_COLUMNS."""
    seed, folder = settings.seed + CURVE_SEED, Path(ledgers)
    played = []
    for side in settings.curve_parts()[part]:
        entry = Entry(Board((side, side)), "corner")
        curve = whole_curve(entry, settings.curves, seed, folder, threads)
        played.append(replace(curve, table=games_table(curve.table, entry)))
    return joined(played)


def play_listing(settings: Settings, part: str, ledgers: str, threads: int = 1) -> Played:
    """Play whole curves by the paper's program (`settings.listing_parts`): WIN_RATE_COLUMNS."""
    seed, folder = settings.seed + CURVE_SEED, Path(ledgers)
    entries = [Entry(Board((side, side)), "corner") for side in settings.listing_parts()[part]]
    plan = settings.listing
    return joined([whole_curve(each, plan, seed, folder, threads, RIVAL) for each in entries])


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
    games = games_of(own, precision, entry.board)
    return _played(entry, games, seed, folder, threads)


def whole_curve(
    entry: Entry,
    plan: Curves,
    seed: int,
    folder: Path,
    threads: int = 1,
    player: str = PLAYER,
) -> Played:
    """Play a square from the first m up, to the first never won (WIN_RATE_COLUMNS)."""
    ledger = folder / f"{entry.name}.csv"
    mines = plan.mines(entry.board.q)
    played = 0
    # A few at a time: at most these are played in vain.
    step = max(1, len(mines) // 20)
    for begin in range(0, len(mines), step):
        tasks = [entry.task(m, seed, player) for m in mines[begin : begin + step]]
        won = play_to(tasks, plan.games, ledger, threads).table["wins"]
        played = begin + len(tasks)
        if not won.all():
            break
    tasks = [entry.task(m, seed, player) for m in mines[:played]]
    return play_to(tasks, plan.games, ledger, threads)


def _played(
    entry: Entry,
    games: Mapping[int, int],
    seed: int,
    folder: Path,
    threads: int,
    player: str = PLAYER,
) -> Played:
    ledger = folder / f"{entry.name}.csv"
    tasks = {entry.task(m, seed, player): n for m, n in games.items()}
    batch = checkpoint(entry.board.cells)
    played = play_unequal(ledger, tasks, batch=batch, threads=threads)
    return replace(played, table=games_table(played.table, entry))


def games_table(win_rates: pd.DataFrame, entry: Entry) -> pd.DataFrame:
    """Return GAMES_COLUMNS of a board from its WIN_RATE_COLUMNS.

    With fewer than 30 wins or losses the plain win rate takes the place of the reduced one.
    """
    rows = []
    records: list[Any] = win_rates.sort_values("mines").to_dict("records")
    for record, estimate in zip(records, reduced_win_rates(records), strict=True):
        wins, games = record["wins"], record["games"]
        # Without a loss or a win the normal error would be 0, so count at least half a game.
        share = min(max(wins, 0.5), games - 0.5) / games
        plain_se = math.sqrt(share * (1 - share) / games)
        as_plain = estimate.note or not estimate.error > 0
        rows.append(
            {"family": entry.family, "rule": entry.rule}
            | record
            | {
                "reduced": estimate.rate.best,
                "reduced_se": plain_se if as_plain else estimate.error,
                "plain_se": plain_se,
                "gain": estimate.gain,
                "z": estimate.z,
                "note": estimate.note,
            }
        )
    return check_table(pd.DataFrame(rows), GAMES_COLUMNS, f"games of {entry.name}")


_TRIES = 16

_NEAR = (0.35, 0.65)

FLANKS = (0.8, 0.65, 0.35, 0.2)
"""Win rates around 1/2 at which a pilot plays to see k."""

_USED = (0.02, 0.98)

_CHECKPOINT_CELLS = 2_000_000


def checkpoint(cells: int) -> int:
    """Return the games between two checkpoints of a board, which take well below a second."""
    return int(np.clip(_CHECKPOINT_CELLS // cells, 10, 1000))


def play_to(tasks: list[Task], games: int, ledger: Path, threads: int) -> Played:
    """Top up the ledger of one board; return the win rates of the tasks."""
    batch = checkpoint(tasks[0].board.cells)
    return play_table({ledger: tasks}, games, batch=batch, threads=threads)


def pilot(entry: Entry, seed: int, games: int, folder: Path, threads: int = 1) -> Played:
    """Return what to play on a board (POINT_COLUMNS), from pilots of `games` games.

    folder: of the ledger of the pilot, so that no game is played twice. The search moves along
    W = 2^-((rho / rho50)^k) to a number of mines with W near 1/2; four more numbers around it show
    k. On some boards, such as 2 x q, W jumps from above 1/2 to below it: they get the numbers of
    mines on both sides of the jump.
    """
    board = entry.board
    most = most_mines(board, entry.task(1, seed).rules)
    ledger = folder / f"{entry.name}.csv"
    rates: dict[int, float] = {}
    ledgers: set[Path] = set()
    more_games: set[int] = set()

    def rate(mines: int) -> float:
        if mines not in rates:
            played = play_to([entry.task(mines, seed)], games, ledger, threads)
            rates[mines] = float(played.table["win_rate"].iloc[0])
            ledgers.update(played.ledgers)
            more_games.update(played.more_games)
        return rates[mines]

    rho50, k = guess(entry)
    below, above = 0, most + 1
    mines = int(np.clip(round(rho50 * board.cells), 1, most))
    centre = float(mines)
    for _ in range(_TRIES):
        share = rate(mines)
        if share >= 0.5:
            below = max(below, mines)
        else:
            above = min(above, mines)
        centre = mines * (np.log(2) / -np.log(np.clip(share, *_USED))) ** (1 / k)
        if above - below <= 1 or _NEAR[0] < share < _NEAR[1]:
            break
        mines = int(np.clip(round(centre), below + 1, above - 1))
    for wanted in FLANKS:
        rate(int(np.clip(round(centre * (-np.log2(wanted)) ** (1 / k)), 1, most)))

    tried = np.array(sorted(m for m, W in rates.items() if _USED[0] < W < _USED[1]), int)
    rho50, fitted = min(max(centre / board.cells, 1e-6), 0.99), k
    if len(tried) > 1:
        wins = np.array([round(rates[int(m)] * games) for m in tried])
        found = fit_power(tried / board.cells, wins, np.full(len(tried), games))
        rho50, fitted = found or (rho50, fitted)
    return Played(points_of(entry, rho50, fitted), tuple(sorted(ledgers)), frozenset(more_games))


def points_of(entry: Entry, rho50: float, k: float) -> pd.DataFrame:
    """Return what to play on a board (POINT_COLUMNS) where W = 2^-((rho / rho50)^k)."""
    board = entry.board
    most = most_mines(board, RULES[entry.rule])
    plan = design(rho50, k, board.cells, rho50, 0, most_mines=most)
    chosen = np.unique([*([1] if board.p == 2 else []), *plan.mines])  # W(1) of 2 x q is known
    share = shares(chosen, rho50 * board.cells)
    density = chosen / board.cells
    window = outward(min(plan.window[0], density[0]), max(plan.window[1], density[-1]))
    rows: list[dict[str, Any]] = [
        {
            "board": board.name,
            "rule": entry.rule,
            "mines": m,
            "share": part,
            "rho50": rho50,
            "k": k,
            "window_low": window[0],
            "window_high": window[1],
            "unit_error": unit_error(density, share, rho50, k) / rho50,
        }
        for m, part in zip(chosen.tolist(), share.tolist(), strict=True)
    ]
    return check_table(pd.DataFrame(rows), POINT_COLUMNS, f"pilot of {entry.name}")


def guess(entry: Entry) -> tuple[float, float]:
    """Return rho50 and k to start from: those of the law, corrected for small boards."""
    return _guessed_rho50(entry), {1: 2.0, 2: 1.0}.get(entry.board.p, 4.0)


def _guessed_rho50(entry: Entry) -> float:
    p, q = min(entry.board.shape), max(entry.board.shape)
    if p == 1:
        return min(strip_one_rho50(q), 0.5)
    if p == 2:
        return 1 / (2 * q)
    law = law_rho50(p, entry.rule, entry.board.topology, aspect=q / p)
    return law * (1 - 0.8 / p)
