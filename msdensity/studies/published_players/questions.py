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

Way = tuple[str, Mapping[str, str], str]
"""A player, its options and its first click."""


@dataclass(frozen=True)
class Question:
    """A question, its source, the players (every two of them are compared) and the boards.

    claim: what the source says about it.
    """

    title: str
    source: str
    claim: str
    ways: tuple[Way, ...]
    boards: tuple[tuple[str, int], ...] = BOARDS


_IMPROVED = {"guessing": "improved"}

QUESTIONS: dict[str, Question] = {
    "double_set": Question(
        "double set against naive",
        "000, section 5.3.1",
        "double set wins a little more at every level, because it forgets no cell",
        (
            ("double_set", {}, "random"),
            ("naive_single_point", {"drawn": "any"}, "random"),
            ("naive_single_point", {"again": "none"}, "random"),
        ),
    ),
    "guessing": Question(
        "improved guessing",
        "000, section 5.3.2",
        "a corner, an edge, then beside an opened cell wins more than a random cell",
        (("double_set", _IMPROVED, "random_corner"), ("double_set", {}, "random_corner")),
    ),
    "openers": Question(
        "corner, edge and interior openers",
        "000, section 5.3.3",
        "a corner is the best opener, an edge next, an inner cell the worst",
        (
            ("double_set", _IMPROVED, "random_corner"),
            ("double_set", _IMPROVED, "random_edge"),
            ("double_set", _IMPROVED, "random_interior"),
        ),
    ),
    "constraints": Question(
        "coupled subsets, connected components, limited search and exact inference",
        "000, section 6.3.1",
        "the partition does not matter, the guesses of coupled subsets win 7 % more on expert",
        (
            ("coupled_subsets", {}, "corner"),
            ("connected_components", {}, "corner"),
            ("limited_search", {}, "corner"),
            ("weighted", {}, "corner"),
        ),
    ),
    "equations": Question(
        "constraint satisfaction against equations",
        "004, section 5.2",
        "equations win 0.9 % more on beginner, constraints 4.3 and 4.6 % more above",
        (("coupled_subsets", {}, "corner"), ("equation", {}, "corner")),
        (("8x8", 10), ("13x15", 40), ("16x30", 99)),
    ),
}
"""The questions by key.

Where the question allows, all start in the same corner: a random one would differ between players.
"naive" is the player of PGMS, which 000 used, and Algorithm 5.1 to the letter.
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
            [Rules(first_click) for _, _, first_click in asked.ways],
            keep,
        )
        for board, mines in asked.boards
    ]
    table = pd.concat(tables, ignore_index=True)
    table.insert(0, "question", f"{asked.title} ({asked.source})")
    return table
