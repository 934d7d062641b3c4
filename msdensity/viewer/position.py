"""A position that the user brings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msdensity.errors import InputError, shown
from msdensity.viewer.limits import MAX_SIDE, require_sides, text_field, whole_field
from msdensity.viewer.table import Entry, Position


class Brought:
    """A position without a game: nothing can be opened."""

    status = "playing"

    def __init__(self, position: Position) -> None:
        self._position = position
        self.log: list[Entry] = []

    @property
    def shape(self) -> tuple[int, ...]:
        """The sides of the board."""
        return self._position.shape

    def position(self) -> Position:
        """Return the position."""
        return self._position

    @classmethod
    def read(cls, message: Mapping[str, Any]) -> Brought:
        """Return the position in a message: rows, mines (null: not known), topology, trust.

        Raises InputError as `analyse`, and for a board that is too large to be shown.
        """
        text = text_field(message, "rows", "")
        rows = [row for row in map(str.strip, text.replace("/", "\n").splitlines()) if row]
        if len(rows) > MAX_SIDE:
            raise InputError(f"rows: {len(rows)} must be at most {MAX_SIDE} to be shown")
        mines = None
        if message.get("mines") not in (None, ""):
            mines = whole_field(message, "mines", 0, MAX_SIDE**2)
        topology = text_field(message, "topology", "square8")
        trusted = message.get("trust", True)
        if not isinstance(trusted, bool):
            raise InputError(f"trust={shown(trusted)} must be true or false")
        position = Position.read(rows, mines, topology, trusted)
        require_sides(position.shape)
        position.answer  # noqa: B018  (raises InputError for a wrong topology or total)
        return cls(position)
