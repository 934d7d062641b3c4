"""How hard boards are: the weakest rules that open a whole board, or the guesses that it takes.

Every game is played by several sets of rules on the same board from the same first click, without a
guess. `zeros` opens no more than `single`, this no more than `pairs` and `unit`, these no more than
`complete`, and this no more than `count`, which also knows the number of mines. Of pairs and unit
refutation none contains the other: `unit` are the boards that unit refutation opens and pairs do
not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from msdensity.errors import InputError, integer, shown
from msdensity.games.front import RULES
from msdensity.games.tasks import MAX_SEED, Task

CLASSES = {
    "zeros": "the cascade of the first click",
    "single": "single cells",
    "pairs": "pairs of cells",
    "unit": "unit refutation",
    "complete": "all numbers together",
    "count": "the number of mines",
    "guess": "a guess",
}
"""The classes from the easiest to the hardest, and what a game of each takes."""

BY_RULES = tuple(name for name in CLASSES if name != "guess")
"""The sets of rules that a game can be solved by without a guess."""

MOST_GUESSES = 3
"""Games with so many guesses and more are counted together."""

ENDS = (
    *(f"won_{n}" for n in range(1, MOST_GUESSES + 1)),
    *(f"lost_{n}" for n in range(MOST_GUESSES + 1)),
)
"""The games of the class `guess` by their end and their guesses after the first click, as played by
`weighted`; lost_0: the first click was a mine, which only an unprotected start allows."""

COUNTS = (*CLASSES, *ENDS, "pairs_not_unit", "approximate")
"""What is counted. pairs_not_unit: games of the classes up to `pairs` that unit refutation does not
open; approximate: games of the class `guess` in which a position was too large for exact counting,
so that a cell may have been certain."""

GUESSER = "weighted"
"""The player that opens all certain cells, with the number of mines, before it guesses."""


def require_guesser(task: Task) -> None:
    """Raise InputError unless a task is one of the player whose guesses are counted."""
    if task.player != GUESSER:
        raise InputError(f"player={shown(task.player)} must be {GUESSER}, to count classes")


def class_counts(task: Task, first_game: int, games: int) -> dict[str, int]:
    """Return how many of games first_game .. first_game + games - 1 are of each class (COUNTS).

    task: of the player `weighted`. Raises InputError for another player and out of range.
    """
    require_guesser(task)
    games = integer("games", games, 0, MAX_SEED)
    first_game = integer("first_game", first_game, 0, MAX_SEED - games)
    by_rules = {
        rules: replace(task, player="inference", options={"rules": rules}) for rules in RULES
    }
    counts: Counter[str] = Counter(dict.fromkeys(COUNTS, 0))
    for g in range(first_game, first_game + games):
        counts.update(_one(task, by_rules, g))
    return dict(counts)


def _one(task: Task, by_rules: Mapping[str, Task], g: int) -> list[str]:
    """Return the names of COUNTS that game g adds one to."""
    from msdensity.games.play import play_batch

    end = play_batch(task, g, 1)
    if not end["no_guess_wins"]:
        guesses = min(end["guesses"], MOST_GUESSES)
        how = f"{'won' if end['wins'] else 'lost'}_{guesses}"
        return ["guess", how, *["approximate"] * end["approximate"]]

    def opens(rules: str) -> bool:
        return bool(play_batch(by_rules[rules], g, 1)["wins"])

    name = next((rules for rules in RULES if opens(rules)), "count")
    beyond = name == "pairs" and not opens("unit")
    return [name, *["pairs_not_unit"] * beyond]


def opened_alone(counts: Mapping[str, int]) -> dict[str, int]:
    """Return how many boards each set of rules opens without a guess, and the player wins.

    counts: COUNTS. The keys are those of CLASSES; `guess` has all games that the player wins.
    """
    alone, opened = {}, 0
    for name in CLASSES:
        opened += counts[name] if name != "guess" else _won(counts)
        # What pairs open and unit refutation does not is no part of what the latter opens.
        alone[name] = opened - (counts["pairs_not_unit"] if name == "unit" else 0)
    return alone


def _won(counts: Mapping[str, int]) -> int:
    return sum(counts[name] for name in ENDS if name.startswith("won"))
