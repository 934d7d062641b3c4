"""What each fault of the listing costs, in games won and in P, on the same boards."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from msdensity.correction import correct
from msdensity.errors import InputError
from msdensity.fits import fit_critical_density
from msdensity.players.registry import PLAYERS
from msdensity.reproduction.outcomes import REDRAWN, WON
from msdensity.tables import Column, check_table

LISTING, TEXT = "listing", "text"
MENDED, ALONE = "mended", "alone"
"""A fault is priced twice: mended in the listing, and made alone by the player of the text."""

SWITCHES = tuple(PLAYERS["listing"].options)

ABLATION_COLUMNS: dict[str, Column] = {
    "fault": Column("str"),
    "where": Column("str"),
    "board": Column("str"),
    "mines": Column("Int64", missing=True, low=1),
    "games": Column("int64", low=1),
    "left_out": Column("int64", low=0),
    "with_fault": Column("float64", low=0, high=1),
    "without": Column("float64", low=0, high=1),
    "cost": Column("float64", low=-1, high=1),
    "cost_se": Column("float64", low=0),
    "p_value": Column("float64", missing=True, low=0, high=1),
}
"""Costs of the faults: win rates where `mines` is given, else P of the board.

`with_fault` and `without` are of the games that neither player gave up (for each m, where of P);
`left_out` are the others. cost = without - with_fault; p_value is of McNemar's exact test.
"""


def variants() -> dict[str, dict[str, str]]:
    """Return the options of the listing for every variant by name.

    `listing` with all faults, `text` with none, `mended-*` with all but one, `alone-*` with one.
    """
    every, none = dict.fromkeys(SWITCHES, "on"), dict.fromkeys(SWITCHES, "off")
    result = {LISTING: every, TEXT: none}
    result |= {f"{MENDED}-{fault}": every | {fault: "off"} for fault in SWITCHES}
    return result | {f"{ALONE}-{fault}": none | {fault: "on"} for fault in SWITCHES}


@dataclass(frozen=True)
class Paired:
    """Games that two players won on the same boards; games either gave up are left out."""

    both: int
    first_only: int
    second_only: int
    neither: int
    left_out: int

    @property
    def games(self) -> int:
        """Games compared."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def difference(self) -> float:
        """Win rate of the second player minus that of the first."""
        return (self.second_only - self.first_only) / self.games

    @property
    def difference_sd(self) -> float:
        """Standard error of the difference; only games that end differently add to it."""
        n = self.games
        discordant = (self.first_only + self.second_only) / n
        return math.sqrt(max(discordant - self.difference**2, 0) / n)

    @property
    def p_value(self) -> float:
        """Exact McNemar test of equal win rates, two-sided; 1 where no game ends differently."""
        n = self.first_only + self.second_only
        return float(stats.binomtest(self.first_only, n).pvalue) if n else 1.0


def pair(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> Paired:
    """Return how the same games, shape (games,), end for two players (see `outcomes`).

    Raises InputError if the shapes differ or no game is left.
    """
    if first.shape != second.shape:
        raise InputError(f"first has {len(first)} games and second {len(second)}, must be the same")
    kept = (first != REDRAWN) & (second != REDRAWN)
    one, two = first[kept] == WON, second[kept] == WON
    if not len(one):
        raise InputError("games: at least one must not be given up")
    return Paired(
        both=int((one & two).sum()),
        first_only=int((one & ~two).sum()),
        second_only=int((~one & two).sum()),
        neither=int((~one & ~two).sum()),
        left_out=int((~kept).sum()),
    )


Ends = Mapping[tuple[str, int], NDArray[np.uint8]]


def ablation_table(
    ends: Mapping[str, Ends],
    boards: Mapping[str, int],
    spot: tuple[str, int],
    games: int,
    replicates: int,
) -> pd.DataFrame:
    """Return the cost of every fault (ABLATION_COLUMNS) on the spot and in P of each board.

    ends: of every variant by (board, mines), from m = 1 to the first m nobody wins of; boards:
    cells by name; spot: board and mines where win rates are compared; games: of each m in a run
    of P; replicates: at least 2, of the paired bootstrap that gives the error of a cost in P.
    """
    rows = []
    for fault in SWITCHES:
        for where, faulty, sound in (
            (MENDED, LISTING, f"{MENDED}-{fault}"),
            (ALONE, f"{ALONE}-{fault}", TEXT),
        ):
            head = {"fault": fault, "where": where}
            found = pair(ends[faulty][spot], ends[sound][spot])
            rows.append(
                head
                | {
                    "board": spot[0],
                    "mines": spot[1],
                    "games": found.games,
                    "left_out": found.left_out,
                    "with_fault": (found.both + found.first_only) / found.games,
                    "without": (found.both + found.second_only) / found.games,
                    "cost": found.difference,
                    "cost_se": found.difference_sd,
                    "p_value": found.p_value,
                }
            )
            for board, cells in boards.items():
                rng = np.random.default_rng([*f"{fault} {where} {board}".encode()])
                cost = _cost_in_P(ends[faulty], ends[sound], board, cells, games, replicates, rng)
                rows.append(head | {"board": board, "mines": pd.NA, "p_value": math.nan} | cost)
    table = pd.DataFrame(rows, columns=list(ABLATION_COLUMNS))
    return check_table(table, ABLATION_COLUMNS, "ablation table")


def _cost_in_P(
    faulty: Ends,
    sound: Ends,
    board: str,
    cells: int,
    games: int,
    replicates: int,
    rng: np.random.Generator,
) -> dict[str, object]:
    """Return P with and without a fault; the error by drawing both players' games together."""
    density = np.arange(1, cells) / cells
    counts = np.zeros((cells - 1, 4), np.int64)
    counts[:, 3] = games  # after the last m played nobody wins
    left_out = 0
    lost = np.zeros(games, np.uint8)
    for m in range(1, cells):
        first, second = (player.get((board, m), lost)[:games] for player in (faulty, sound))
        found = pair(first, second)
        counts[m - 1] = found.both, found.first_only, found.second_only, found.neither
        left_out += found.left_out
    kept = counts.sum(axis=1)
    drawn = rng.multinomial(kept, counts / kept[:, None], size=(replicates, cells - 1))
    P = {}
    for name, own, other in (("with_fault", 0, 1), ("without", 0, 2)):
        wins = np.concatenate([counts[None], drawn])[:, :, [own, other]].sum(axis=2)
        curves, back = np.unique(correct(density, wins / kept)[0], axis=0, return_inverse=True)
        P[name] = np.array([fit_critical_density(density, curve).P for curve in curves])[
            back.ravel()
        ]
    cost = P["without"] - P["with_fault"]
    return {
        "games": games,
        "left_out": left_out,
        "with_fault": P["with_fault"][0],
        "without": P["without"][0],
        "cost": cost[0],
        "cost_se": cost[1:].std(ddof=1),
    }
