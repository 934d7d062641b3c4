"""Calls for users: sweep boards, measure the rho50 of a board."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from msdensity.errors import InputError, check_path, fraction, integer, shown
from msdensity.games.boards import Board, Rules, most_mines
from msdensity.games.tasks import Player, Setup, named_player
from msdensity.kernel.limits import MAX_THREADS
from msdensity.runs.jobs import ledger_path
from msdensity.runs.measure import measure, missed, pilot, plan_rho50, refine
from msdensity.runs.sweep import play_table
from msdensity.stats.correction import w_correction
from msdensity.stats.rho50.fit_object import Rho50Fit


def sweep(
    boards: Board | str | Iterable[Board | str],
    *,
    games: int = 1000,
    players: Player | Iterable[Player] = "weighted",
    rules: Rules | None = None,
    seed: int = 0,
    threads: int | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> pd.DataFrame:
    """Play every number of mines on boards; return the win rates with their W-correction.

    boards, players: one or several, such as "8x8", "weighted" or ("weighted", {"ties": "random"});
    games: for each number of mines; rules: None for the default ones; threads: None for one per
    core (the table does not depend on it); folder: where ledgers are kept, so that a later call
    plays only the difference (None: they are not kept). The table has CORRECTED_COLUMNS; pass the
    rows of one board and player to `fit_critical_density`. Raises InputError for a value that is
    not allowed, before any game.
    """
    rules = Rules() if rules is None else rules
    if folder is not None:
        check_path("folder", folder)
    setups = [
        Setup(board, *named_player(player), rules, seed)
        for board in _list("boards", boards, Board, str)
        for player in _list("players", players, str, tuple)
    ]
    with tempfile.TemporaryDirectory() as temporary:
        ledgers = {
            ledger_path(
                Path(temporary if folder is None else folder), setup.board.name, setup.task(1).label
            ): [setup.task(m) for m in range(1, most_mines(setup.board, setup.rules) + 1)]
            for setup in setups
        }
        if folder is not None:
            try:
                Path(folder).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                reason = error.strerror
                raise InputError(f"folder={os.fspath(folder)} cannot be made: {reason}") from None
        table = play_table(ledgers, games, threads=cores() if threads is None else threads).table
    return w_correction(table)


def rho50(
    board: Board | str,
    error: float = 1e-3,
    *,
    player: Player = "weighted",
    rules: Rules | None = None,
    seed: int = 0,
    pilot_games: int = 500,
    threads: int | None = None,
) -> Rho50Fit:
    """Measure the density at which half the games on a board are won.

    error: the wanted standard error, in (0, 1); a pilot of about `pilot_games` games, which are not
    counted, decides how many games that takes. The other arguments are as in `sweep`. `msdensity
    rho50 --plan-only` prints the cost first. An interrupt raises `msdensity.runs.measure.Stopped`,
    whose `measurement.best` is the fit to the games played until then. Raises InputError for a
    value that is not allowed, and for a board that a pilot finds to have no rho50; if later games
    show none, the fit says so (`Rho50Fit.no_fit`).
    """
    fraction("error", error)
    threads = count_threads(threads)
    rules = Rules() if rules is None else rules
    setup = Setup(board, *named_player(player), rules, seed)  # type: ignore[arg-type]
    found = refine(setup, pilot(setup, pilot_games), error, threads)
    best = measure(setup, plan_rho50(setup, found, error), threads).best
    text = missed(best.error, error)
    return replace(best, notes=(*best.notes, text)) if text else best


def _list(name: str, values: Any, *single: type) -> list[Any]:
    """Return one value or several as a list; InputError for none."""
    values = [values] if isinstance(values, single) else values
    if not isinstance(values, Iterable) or not (found := list(values)):
        raise InputError(f"{name}={shown(values)} must name at least one")
    return found


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


def count_threads(threads: int | None) -> int:
    """Return a number of threads, None for one per core; InputError out of range."""
    return integer("threads", cores() if threads is None else threads, 1, MAX_THREADS)
