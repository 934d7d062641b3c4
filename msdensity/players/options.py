"""What a player of the registry is, and options that several players share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Option:
    """One option of a player: its default, the allowed values and what it does.

    later: whether games of the player were kept before it had this option. Then its default is no
    part of a task's identity, so that these games stay the same.
    """

    default: str
    choices: tuple[str, ...]
    help: str
    later: bool = False


@dataclass(frozen=True)
class PlayerInfo:
    """A player: `source` names the document, section and algorithm it comes from.

    The function `entry` of the file `module` in msdensity/players plays its games (empty: the file
    has the name of the player). memory: the file there whose `thread_memory` returns its working
    memory (empty: it has none). cost: rough CPU time of a game over that of `weighted`, which sets
    a job's share of games and its time limit. guesses: whether it ever guesses. draws: the options
    with which it draws from its random stream, each as KEY=VALUE, or ALWAYS; with all others its
    moves follow from what it sees.
    """

    name: str
    source: str
    summary: str
    options: Mapping[str, Option] = field(default_factory=dict)
    module: str = ""
    entry: str = "play_games"
    memory: str = ""
    cost: float = 1.0
    guesses: bool = True
    draws: tuple[str, ...] = ()


ALWAYS = ("always",)
"""Of a player that draws at random whatever its options."""

DRAWN_TIES = ("ties=random",)


def switch(what: str, line: str) -> Option:
    """Return the option of a fault of the published program: what it does, and where it stands."""
    return Option("on", ("on", "off"), f"on: {what} (001, Annex A.1, {line}); off: as the text")


BELIEF_OPTIONS = {
    "potential": Option(
        "correct",
        ("correct", "hard"),
        "a clique's configurations agree with all numbers of its windows (4.1.3), or with the "
        "numbers in their centres (4.1.1)",
    ),
    "iterations": Option("3", ("3", "0", "1", "2", "10", "50"), "of messages before a guess"),
    "semiring": Option(
        "sum_product",
        ("sum_product", "boolean"),
        "beliefs are shares, or say only what is possible; max-product is then the same (4.2)",
    ),
    "belief": Option(
        "mean", ("mean", "first", "last"), "which clique speaks of a cell that is in several"
    ),
    "schedule": Option(
        "flooding",
        ("flooding", "sequential"),
        "messages read those of the iteration before, or the newest",
    ),
    "guesses": Option(
        "frontier",
        ("frontier", "anywhere"),
        "a guess is beside an opened cell, or anywhere; the belief in a floating cell is then the "
        "share of free cells among all unknown ones",
    ),
    "all_cells": Option(
        "off", ("off", "on"), "on: below 15 unknown cells one clique of them all (section 6)"
    ),
}

TIES = {
    "ties": Option(
        default="ordered",
        choices=("ordered", "random"),
        help="equal safeties: fewest neighbours, most opened neighbours, lowest index "
        "(Annex A.1), or one at random (Algorithm 4.2)",
    )
}

SINGLES = {
    "singles": Option(
        "first",
        ("first", "never"),
        "rules of single numbers come before the cliques, or never: these find the same cells, so "
        "that all decisions of Figure 5 are counted",
        later=True,
    )
}
"""The last option of the players of 004, because the others had their places before."""
