"""What becomes of the claims about pairs of players, all judged together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.stats.paired import Paired
from msdensity.stats.testing import DIFFERS, LEVEL, detectable, holm
from msdensity.studies.page import rows
from msdensity.studies.published_players.questions import QUESTIONS, Claim, Question


def way_name(question: Question, way: int) -> str:
    """Return a way as the table of pairs names it: the player's label, first click and start."""
    player, options, rules = question.ways[way]
    task = Task(Board.parse(question.boards[0][0]), 1, player, dict(options), rules)
    return f"{task.label} {rules.first_click} {rules.start}"


def judged_pairs(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return PAIR_COLUMNS with a verdict on what is claimed of each pair.

    Columns added: together, the p-value of equal win rates by Holm's method over all pairs;
    error_ratio, see `Paired`; points, the claimed difference first less second, NaN if none is
    printed; z_claim, of our difference less the claimed one; verdict: "holds" or "contradicted" (a
    claim of who wins more, by `together`), "not decided", "agrees" or "differs" (a printed number),
    or "no claim"; detectable, the difference (from 0, or from the claimed one) that the verdict
    finds with POWER at LEVEL.
    """
    games = [
        Paired(row.both, row.first_only, row.second_only, row.neither, 0) for row in rows(pairs)
    ]
    table = pairs.assign(
        together=holm(pairs["p_value"]), error_ratio=[each.error_ratio for each in games]
    )
    claims: dict[tuple[str, ...], tuple[Claim | None, int]] = {}
    for question in QUESTIONS.values():
        for claim in question.claims:
            name = f"{question.title} ({question.source})"
            ways = (way_name(question, claim.more), way_name(question, claim.less))
            for board, _ in question.boards:
                if claim.board in ("", board):
                    claims[name, board, *ways] = (claim, 1)
                    claims[name, board, *reversed(ways)] = (claim, -1)
    limit = detectable(level=LEVEL / max(1, len(pairs)))  # Holm's smallest limit: it needs no more
    judged = [
        _judge(row, limit, *claims.get((row.question, row.board, row.first, row.second), (None, 1)))
        for row in rows(table)
    ]
    return table.join(pd.DataFrame(judged, table.index))


def _judge(row: Any, limit: float, claim: Claim | None, sign: int) -> dict[str, Any]:
    """Return the columns of a pair that a claim is about.

    limit: of the difference from 0, in its errors; sign: -1 if the second is claimed to win more.
    """
    found, points, z = limit * row.difference_se, np.nan, np.nan
    if claim is None:
        verdict = "no claim"
    elif claim.points is None:
        sure = row.together < LEVEL
        verdict = "holds" if row.difference * sign > 0 else "contradicted"
        verdict = verdict if sure else "not decided"
    else:
        theirs = row.difference_se / (1 if claim.paired else row.error_ratio)
        theirs *= np.sqrt(row.games / claim.games)
        error = np.hypot(np.hypot(row.difference_se, theirs), claim.rounding / 100 / np.sqrt(12))
        points = sign * claim.points / 100
        z, found = (row.difference - points) / error, detectable() * error
        verdict = "agrees" if abs(z) < DIFFERS else "differs"
    return {"detectable": found, "points": points, "z_claim": z, "verdict": verdict}
