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
