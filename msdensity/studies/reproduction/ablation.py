"""What each fault of the listing costs, in games won and in P, on the same boards."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.files.tables import check_table
from msdensity.players.registry import PLAYERS, label
from msdensity.stats.correction import correct
from msdensity.stats.logistic import fit_critical_density
from msdensity.stats.paired import Paired, pair
from msdensity.studies.reproduction.columns import ABLATION_COLUMNS
from msdensity.studies.reproduction.settings import SPOTS, Settings

LISTING, TEXT = "listing", "text"

WITHOUT_ONE, ONLY_ONE = "mended", "alone"
"""The cost of a fault is measured twice: fixed in the listing (the others stay), and as the only
fault of the text's player."""

SWITCHES = tuple(PLAYERS["listing"].options)


def variants() -> dict[str, dict[str, str]]:
    """Return the options of the listing for every variant by name.

    `listing` with all faults, `text` with none, `mended-*` with all but one, `alone-*` with one.
    """
    every, none = dict.fromkeys(SWITCHES, "on"), dict.fromkeys(SWITCHES, "off")
    result = {LISTING: every, TEXT: none}
    result |= {f"{WITHOUT_ONE}-{fault}": every | {fault: "off"} for fault in SWITCHES}
    return result | {f"{ONLY_ONE}-{fault}": none | {fault: "on"} for fault in SWITCHES}


Ends = Mapping[tuple[str, int], NDArray[np.uint8]]


def read_ends(outcomes: pd.DataFrame) -> dict[tuple[str, int], NDArray[np.uint8]]:
    """Return the ends by (board, mines) from rows of OUTCOME_COLUMNS of one player."""
    return {
        (board, int(mines)): np.frombuffer(ends.encode("ascii"), np.uint8) - ord("0")
        for board, mines, ends in outcomes[["board", "mines", "ends"]].itertuples(index=False)
    }


def ablation_of(ends: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return `ablation_table` of the study; ends: OUTCOME_COLUMNS of all variants."""
    by_variant = {
        name: read_ends(ends[ends["player"] == label("listing", options)])
        for name, options in variants().items()
    }
    boards = {board.name: board.cells for board in settings.ablation.boards}
    games, replicates = settings.ablation.games, settings.sweep.bootstrap
    return ablation_table(by_variant, boards, SPOTS, games, replicates)


def ablation_table(
    ends: Mapping[str, Ends],
    boards: Mapping[str, int],
    spots: Sequence[tuple[str, int]],
    games: int,
    replicates: int,
) -> pd.DataFrame:
    """Return the cost of every fault (ABLATION_COLUMNS) on each spot and in P of each board.

    ends: of every variant by (board, mines), from m = 1 to the first m without a win; boards: cells
    by name; spots: boards and mines where win rates are compared; games: for each m in a run of P;
    replicates: at least 2, of the paired bootstrap that gives the error of a cost in P.
    """
    rows = []
    for fault in SWITCHES:
        for where, faulty, sound in (
            (WITHOUT_ONE, LISTING, f"{WITHOUT_ONE}-{fault}"),
            (ONLY_ONE, f"{ONLY_ONE}-{fault}", TEXT),
        ):
            head = {"fault": fault, "where": where}
            for spot in spots:
                paired = pair(ends[faulty][spot], ends[sound][spot])
                rows.append(head | dict(zip(("board", "mines"), spot, strict=True)) | _cost(paired))
            for board, cells in boards.items():
                rng = np.random.default_rng([*f"{fault} {where} {board}".encode()])
                cost = _cost_in_P(ends[faulty], ends[sound], board, cells, games, replicates, rng)
                rows.append(head | {"board": board, "mines": pd.NA, "p_value": math.nan} | cost)
    table = pd.DataFrame(rows, columns=list(ABLATION_COLUMNS))
    return check_table(table, ABLATION_COLUMNS, "ablation table")


def _cost(paired: Paired) -> dict[str, object]:
    """Return win rates with a fault (the first player) and without, and its cost."""
    return {
        "games": paired.games,
        "left_out": paired.left_out,
        "with_fault": (paired.both + paired.first_only) / paired.games,
        "without": (paired.both + paired.second_only) / paired.games,
        "cost": paired.difference,
        "cost_se": paired.difference_se,
        "p_value": paired.p_value,
    }


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
        paired = pair(first, second)
        counts[m - 1] = paired.both, paired.first_only, paired.second_only, paired.neither
        left_out += paired.left_out
    kept = counts.sum(axis=1)
    drawn = rng.multinomial(kept, counts / kept[:, None], size=(replicates, cells - 1))
    P = {}
    for name, own, other in (("with_fault", 0, 1), ("without", 0, 2)):
        wins = np.concatenate([counts[None], drawn])[:, :, [own, other]].sum(axis=2)
        curves, back = np.unique(correct(density, wins / kept)[0], axis=0, return_inverse=True)
        P[name] = np.array(
            [fit_critical_density(density, curve).results()["P"] for curve in curves]
        )[back.ravel()]
    cost = P["without"] - P["with_fault"]
    sure = cost[1:][np.isfinite(cost[1:])]  # P of few or of equal points is not determined
    return {
        "games": games,
        "left_out": left_out,
        "with_fault": P["with_fault"][0],
        "without": P["without"][0],
        "cost": cost[0],
        "cost_se": np.std(sure, ddof=1) if len(sure) > 1 else math.nan,
    }
