"""What 000 and 004 ask of pairs of players, answered game by game on the same boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.studies.published_players.settings import BOARDS

if TYPE_CHECKING:
    import pandas as pd

Way = tuple[str, Mapping[str, str], Rules]
"""A player, its options and its start."""


@dataclass(frozen=True)
class Claim:
    """That one way wins more games than another.

    more, less: numbers of the two ways of the question; board: the only one ("": all). points: how
    many points more, as printed in whole multiples of `rounding`, from `games` games of each way,
    which were the same boards or not (`paired`); None if the source says no number.
    """

    more: int
    less: int
    board: str = ""
    points: float | None = None
    rounding: float = 0.01
    games: int = 0
    paired: bool = False


@dataclass(frozen=True)
class Question:
    """A question, its source, the players (every two of them are compared) and the boards.

    claim: what the source says about it, in words; claims: what of it is judged.
    """

    title: str
    source: str
    claim: str
    ways: tuple[Way, ...]
    claims: tuple[Claim, ...]
    boards: tuple[tuple[str, int], ...] = BOARDS


_IMPROVED = {"guessing": "improved"}
_RANDOM, _CORNER = Rules("random"), Rules("corner")
_HINTED = Rules("corner", "first_zero")
"""The start with which Tables 7 to 9 of 004 are compared: the first cell that shows 0."""

_OPENERS = [Rules(place) for place in ("random_corner", "random_edge", "random_interior")]

QUESTIONS: dict[str, Question] = {
    "double_set": Question(
        "double set against naive",
        "000, section 5.3.1",
        "double set wins a little more at every level, because it forgets no cell",
        (
            ("double_set", {}, _RANDOM),
            ("naive_single_point", {"drawn": "any"}, _RANDOM),
            ("naive_single_point", {"again": "none"}, _RANDOM),
        ),
        (Claim(0, 1), Claim(0, 2)),
    ),
    "guessing": Question(
        "improved guessing",
        "000, section 5.3.2",
        "a corner, an edge, then beside an opened cell wins more than a random cell",
        (("double_set", _IMPROVED, _OPENERS[0]), ("double_set", {}, _OPENERS[0])),
        (Claim(0, 1),),
    ),
    "openers": Question(
        "corner, edge and interior openers",
        "000, section 5.3.3",
        "a corner is the best opener, an edge next, an inner cell the worst",
        tuple(("double_set", _IMPROVED, start) for start in _OPENERS),
        (Claim(0, 1), Claim(0, 2), Claim(1, 2)),
    ),
    "constraints": Question(
        "coupled subsets, connected components, limited search and exact inference",
        "000, section 6.3.1",
        "the partition does not matter, the guesses of coupled subsets win 7 points more on expert",
        (
            ("coupled_subsets", {}, _CORNER),
            ("connected_components", {}, _CORNER),
            ("limited_search", {}, _CORNER),
            ("weighted", {}, _CORNER),
        ),
        (Claim(0, 1, "16x30", 7, 1, 100_000),),
    ),
    "graphical": Question(
        "the players of 004",
        "004, section 5.2",
        "equations win 0.9 points more than constraints on beginner, 4.3 and 4.6 points fewer "
        "above; both win more than LBP-MC, which wins more than LBP and than single point",
        (
            ("lbp_mc", {}, _HINTED),
            ("lbp", {}, _HINTED),
            ("naive_single_point", {"drawn": "any"}, _HINTED),
            ("equation", {}, _HINTED),
            ("coupled_subsets", {}, _HINTED),
        ),
        (
            Claim(3, 4, "8x8", 0.9, 0.1, 1000, True),
            Claim(4, 3, "13x15", 4.3, 0.1, 1000, True),
            Claim(4, 3, "16x30", 4.6, 0.1, 1000, True),
            *(Claim(3, 0), Claim(4, 0), Claim(0, 1), Claim(0, 2)),
        ),
        (("8x8", 10), ("13x15", 40), ("16x30", 99)),
    ),
}
"""The questions by key.

Where the question allows, all start in the same corner: a random one would differ between players.
A claim about a table is judged under the start that comes closest to the table. "naive" is the
player of PGMS, which 000 used, and Algorithm 5.1 to the letter.
"""


def pairs_table(question: str, games: int, seed: int, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Return the 2 x 2 tables of one question (PAIR_COLUMNS), one row per pair.

    games: for each board, at least 1; keep: a checkpoint. Raises InputError for an
    unknown question.
    """
    import pandas as pd

    from msdensity.runs.compare import compare

    if question not in QUESTIONS:
        raise InputError(f"question={question!r} must be one of {', '.join(QUESTIONS)}")
    asked = QUESTIONS[question]
    tables = [
        compare(
            [(name, options) for name, options, _ in asked.ways],
            Board.parse(board),
            mines,
            games,
            seed,
            [rules for _, _, rules in asked.ways],
            keep,
        )
        for board, mines in asked.boards
    ]
    table = pd.concat(tables, ignore_index=True)
    table.insert(0, "question", f"{asked.title} ({asked.source})")
    return table
