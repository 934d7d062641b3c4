"""The methods of inference that are compared, the boards, and the names of what is counted."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

_ALONE = {"pair_rule": "off", "unit_refutation": "off"}

CHAINING = _ALONE | {"width": "any", "neighbourhood": "growing", "subsumption": "off"}
"""Forward chaining of 002: every fifth row and column, 300 clauses, nothing that it lacks."""

TEXT = CHAINING | {"refutation": "on"}
"""All of 002: then resolution, with 600 clauses."""

METHODS: dict[str, Mapping[str, str]] = {
    "pair rule": {"width": "none", "unit_refutation": "off"},
    "unit refutation": {"width": "none", "pair_rule": "off"},
    "002 forward chaining": CHAINING,
    "002, resolution too": TEXT,
    "width 2": _ALONE | {"width": "2"},
    "width 3": _ALONE,
    "width 4": _ALONE | {"width": "4"},
    "300 clauses": _ALONE | {"width": "any"},
    "player": {},
    "player, mine count": {"mine_count": "on"},
}
"""Options of the player `resolution` by the name of the method that they leave over. "300 clauses"
has subsumption and no bound on the width, within 4 steps of every number."""

ADDED = "added by resolution"
"""What "002, resolution too" finds and "002 forward chaining" does not."""

CLUES, TOTAL = "clues", "mine count"
"""What makes a cell certain: the clues alone, or the number of mines as well."""

LEVELS = (
    *("single numbers", "pair rule", "unit refutation", "width 2", "width 3", "width 4"),
    *("counting", "mine count", "guess"),
)
"""How hard a position is: the first of these that decides a cell there. counting: exact inference
from the clues; mine count: from the number of mines too; guess: nothing is certain."""

PLACES = (
    *product(("8x8",), (6, 8, 10, 12, 15, 20)),
    *product(("10x10",), (10, 15, 20, 25, 30)),
    *product(("16x30",), (60, 99, 140)),
)
"""Boards with their mines, on which positions are looked at."""

GUESSED = (("8x8", 10), ("10x10", 20), ("16x30", 99))
"""Boards with their mines, on which the players of GUESSERS play."""

GUESSERS: dict[str, Mapping[str, str]] = {
    "002": TEXT,
    "player": {},
    "player, mine count": {"mine_count": "on"},
}
"""Options of the players whose guesses are looked at."""

SIZES = (("8x8", 10), ("16x16", 40), ("16x30", 75), ("32x32", 160), ("64x64", 640))
"""Boards of one density, on which games are timed."""

TIMED: dict[str, tuple[str, Mapping[str, str]]] = {
    "002": ("resolution", TEXT),
    "player": ("resolution", {}),
    "weighted": ("weighted", {}),
}
"""The players whose games are timed."""
