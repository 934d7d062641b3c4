"""The one error that bad input raises."""

from __future__ import annotations


class InputError(ValueError):
    """A value from outside is not allowed; the message names the field, the value and what is."""


def printable(text: str) -> str:
    """Return a name from outside, such as a path, as an error shows it: in one line."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


_SHOWN = 200


def shown(value: object) -> str:
    """Return a value from outside as an error shows it: in one line, cut where it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits; nested too deeply
        return f"({type(value).__name__} too long to show)"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
