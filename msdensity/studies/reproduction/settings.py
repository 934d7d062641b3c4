"""What the reproduction plays: sweeps of the published boards, quoted boards, and an ablation."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import Field, field_validator

from msdensity.errors import InputError
from msdensity.runs.config import Config
from msdensity.runs.settings import BoardName, Games, Keys, Name, exactly, read_settings

STRIPS = "strips"

SPOTS = (("10x10", 20), ("4x4", 14))
"""Boards and mines on which the cost of each fault is measured in games won: those whose win rates
the text quotes (sections 10.2 and 8.1)."""


class Quoted(Keys):
    """The boards whose win rate the paper quotes."""

    games: Games
    """Games for each of these boards."""


class Ablation(Keys):
    """What each fault of the listed program costs by itself."""

    boards: Annotated[tuple[BoardName, ...], Field(min_length=1)]
    """Boards on which the cost of each fault is measured in P."""
    games: Games
    """Games for each number of mines on these boards."""
    spot_games: Games
    """Games on each board of a quoted win rate, for the cost of each fault there."""


class Settings(Keys):
    """The sweep of the published boards, the sweep of longer 1 x q boards, and the other games."""

    study: Annotated[str, exactly("reproduction")]
    """The study that these settings are of."""
    name: Name = "reproduction"
    """Names the study's folders."""
    sweep: Config
    """What is played for Table B.2, with the keys of a configuration."""
    strips: Config
    """What is played for Figures 9.3 and 9.4, with the keys of a configuration and the players of
    `sweep`."""
    quoted: Quoted
    """The win rates that the text quotes."""
    ablation: Ablation
    """What each fault of the listed program costs by itself."""

    @field_validator("strips")
    @classmethod
    def _same_players(cls, strips: Config, info: Any) -> Config:
        sweep = info.data.get("sweep", strips)
        if set(sweep.labels) != set(strips.labels):
            raise InputError(f"players must be those of sweep: {', '.join(sweep.labels)}")
        return strips

    def parts(self) -> dict[str, tuple[str, ...]]:
        """Return the boards of each part, the share of one job: by larger side, and the strips."""
        parts: dict[str, tuple[str, ...]] = {}
        for board in self.sweep.boards:
            part = f"q{max(board.shape)}"
            parts[part] = (*parts.get(part, ()), board.name)
        return parts | {STRIPS: self.strips.board_names}

    def config(self, part: str) -> Config:
        """Return the configuration that a part belongs to."""
        return self.strips if part == STRIPS else self.sweep


load_settings = partial(read_settings, Settings, what="settings")
"""Return the settings in a YAML file or a mapping; InputError for a key or value not allowed."""
