"""Every way to play by name: its source and its options (pure Python: no Numba)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from msdensity.errors import InputError


@dataclass(frozen=True)
class Option:
    """One option of a player: its default, the values allowed and what it does."""

    default: str
    choices: tuple[str, ...]
    help: str


@dataclass(frozen=True)
class PlayerInfo:
    """A way to play: `source` names the document, section and algorithm it comes from."""

    name: str
    source: str
    summary: str
    options: Mapping[str, Option] = field(default_factory=dict)


def _switch(what: str, line: str) -> Option:
    return Option("on", ("on", "off"), f"on: {what} (001, Annex A.1, {line}); off: as the text")


PLAYERS: dict[str, PlayerInfo] = {
    player.name: player
    for player in (
        PlayerInfo(
            name="weighted",
            source="001, sections 3, 4 and 6 (formulas 4.10 and 4.22, Algorithm 4.2)",
            summary="every certain cell, else the cell of highest exact safety",
            options={
                "ties": Option(
                    default="ordered",
                    choices=("ordered", "random"),
                    help="equal safeties: fewest neighbours, most opened neighbours, lowest index "
                    "(Annex A.1), or one at random (Algorithm 4.2)",
                )
            },
        ),
        PlayerInfo(
            name="listing",
            source="001, Annex A.1 (Inferrer.cs, Guesser.cs, Solver.cs), as the program runs",
            summary="the program behind the published win rates, each of its faults a switch",
            options={
                "no_mine_count": _switch("inference without the mine count", "Inferrer.cs 14-27"),
                "contradiction_ignored": _switch(
                    "HasContradiction is never true", "Inferrer.cs 93"
                ),
                "depth_limit": _switch(
                    "one completion of each branch after depth 6", "Guesser.cs 117, 150, 175"
                ),
                "component_weights": _switch(
                    "groups weighed alone, over one denominator", "Guesser.cs 265-297"
                ),
                "choose_one": _switch("Choose is 1 outside its range", "Guesser.cs 282"),
                "floating_unknown": _switch("|U| for |E| in floating safety", "Guesser.cs 304"),
                "guess_after_safe": _switch("a guess after cells of score 1", "Solver.cs 34-45"),
                "exact_ties": _switch("ties of exact doubles", "Solver.cs 41"),
            },
        ),
    )
}


def resolve(name: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return all options of player `name`, the defaults filled in.

    Raises InputError for an unknown player, option or value.
    """
    if name not in PLAYERS:
        raise InputError(f"player={name!r} must be one of {', '.join(sorted(PLAYERS))}")
    known = PLAYERS[name].options
    for key, value in options.items():
        if key not in known:
            allowed = ", ".join(known) or "none"
            raise InputError(f"option {key!r} of player {name} must be one of: {allowed}")
        if value not in known[key].choices:
            allowed = ", ".join(known[key].choices)
            raise InputError(f"{key}={value!r} of player {name} must be one of {allowed}")
    return {key: options.get(key, option.default) for key, option in known.items()}


def label(name: str, options: Mapping[str, str]) -> str:
    """Return a short name for files: the player and those options that are not the default."""
    chosen = resolve(name, options)
    known = PLAYERS[name].options
    parts = [f"{key}_{value}" for key, value in chosen.items() if value != known[key].default]
    return "-".join([name, *parts])
