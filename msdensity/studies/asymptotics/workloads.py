"""What the study of large boards plays, for its plan."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import pandas as pd

from msdensity.files.tables import read_table
from msdensity.games.boards import Board, most_mines
from msdensity.games.tasks import Task
from msdensity.runs.ledger import read_ledger
from msdensity.runs.plan import Workload
from msdensity.runs.versions import own_ledger
from msdensity.studies.asymptotics.columns import POINT_COLUMNS
from msdensity.studies.asymptotics.cost import games_of, won_mines
from msdensity.studies.asymptotics.play import FLANKS, guess, points_of
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
    Settings,
)


def stored(settings: Settings, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the path of each ledger that the study may have, with a task of its run."""
    for kind, entries, seed, player in (
        ("pilot", settings.entries, PILOT_SEED, PLAYER),
        ("rho50", settings.entries, 0, PLAYER),
        ("low_density", settings.low_density.entries, DENSITY_SEED, PLAYER),
        ("conditional", settings.low_density.entries, CONDITIONAL_SEED, ESTIMATOR),
    ):
        for entry in entries:
            yield _ledger(data, kind, entry), entry.task(1, settings.seed + seed, player)
    for kind, player, _, parts in _whole_curves(settings):
        for side in chain(*parts.values()):
            entry = Entry(Board((side, side)), "corner")
            yield _ledger(data, kind, entry), entry.task(1, settings.seed + CURVE_SEED, player)


def workloads(settings: Settings, data: Path) -> list[Workload]:
    """Return what the study plays; data: the folder data/{name}.

    Where a board's pilot is not played yet, its points follow from the law's guess of rho50.
    """
    return [
        *_rho50(settings, data),
        *_low_density(settings, data),
        *_conditional(settings, data),
        *_curves(settings, data),
    ]


def _rho50(settings: Settings, data: Path) -> Iterator[Workload]:
    for part, entries in settings.parts().items():
        known = _points(data / "points" / f"{part}.csv")
        for entry in entries:
            own = known[(known["board"] == entry.board.name) & (known["rule"] == entry.rule)]
            new = own.empty
            pilot = _ledger(data, "pilot", entry)
            tried = (not new and _played(pilot)) or _near_half(entry)
            seed, games = settings.seed + PILOT_SEED, settings.pilot_games
            yield _work("pilot", entry, tried, seed, games, pilot, new)
            points = points_of(entry, *guess(entry)) if new else own
            planned = games_of(points, settings.precision, entry.board)
            ledger = _ledger(data, "rho50", entry)
            for each in dict.fromkeys(planned.values()):
                mines = [m for m, n in planned.items() if n == each]
                yield _work("rho50", entry, mines, settings.seed, each, ledger, new)


def _low_density(settings: Settings, data: Path) -> Iterator[Workload]:
    low, seed = settings.low_density, settings.seed + DENSITY_SEED
    for entry in low.entries:
        mines, games = low.mines(entry.board), low.games_of(entry.board)
        yield _work(
            "low density", entry, mines, seed, games, _ledger(data, "low_density", entry), False
        )


def _conditional(settings: Settings, data: Path) -> Iterator[Workload]:
    low, seed = settings.low_density, settings.seed + CONDITIONAL_SEED
    for entry in low.entries:
        mines, games = low.conditional.mines(entry.board), low.conditional.games_of(entry.board)
        tasks = [entry.task(m, seed, ESTIMATOR) for m in mines]
        ledger = _ledger(data, "conditional", entry)
        yield Workload(f"conditional {entry.rule}", tasks, games, [ledger], estimate=False)


def _curves(settings: Settings, data: Path) -> Iterator[Workload]:
    seed = settings.seed + CURVE_SEED
    for kind, player, curves, parts in _whole_curves(settings):
        for part, sides in parts.items():
            new = not (data / f"games/{kind}" / f"{part}.csv").is_file()
            for side in sides:
                entry = Entry(Board((side, side)), "corner")
                ledger = _ledger(data, kind, entry)
                mines = _played(ledger) or won_mines(side, curves)
                yield _work(kind, entry, mines, seed, curves.games, ledger, new, player)


def _whole_curves(
    settings: Settings,
) -> list[tuple[str, str, Curves, dict[str, tuple[int, ...]]]]:
    """Return the kind of ledger, the player, the plan and the jobs of all whole curves."""
    return [
        ("curves", PLAYER, settings.curves, settings.curve_parts()),
        ("listing", RIVAL, settings.listing, settings.listing_parts()),
    ]


def _work(
    part: str,
    entry: Entry,
    mines: Sequence[int],
    seed: int,
    games: int,
    ledger: Path,
    estimate: bool,
    player: str = PLAYER,
) -> Workload:
    tasks = [entry.task(m, seed, player) for m in mines]
    return Workload(f"{part} {entry.rule}", tasks, games, [ledger], estimate=estimate)


def _ledger(data: Path, kind: str, entry: Entry) -> Path:
    return data / "ledger" / kind / f"{entry.name}.csv"


def _points(path: Path) -> pd.DataFrame:
    return (
        read_table(path, POINT_COLUMNS)
        if path.is_file()
        else pd.DataFrame(columns=[*POINT_COLUMNS])
    )


def _played(ledger: Path) -> list[int]:
    """Return the numbers of mines in a ledger, rising."""
    return sorted({row.task.mines for row in read_ledger(own_ledger(ledger)).rows})


def _near_half(entry: Entry) -> list[int]:
    """Return about the numbers of mines that a pilot tries."""
    (rho50, k), most = guess(entry), most_mines(entry.board, RULES[entry.rule])
    wanted = [rho50 * (-math.log2(W)) ** (1 / k) * entry.board.cells for W in (0.5, *FLANKS)]
    return sorted({min(max(1, round(m)), most) for m in wanted})
