"""Boards as small HTML tables for a notebook."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

_CELL = (
    "width:1.9em;height:1.9em;padding:0;text-align:center;border:1px solid #bbb;"
    "font-family:monospace;color:#111;background:{}"
)
_KNOWN, _COVERED = "#ffffff", "#d0d4da"


def grid(rows: Sequence[str], title: str, safety: np.ndarray | None = None) -> str:
    """Return a table of a board's rows of text; layers of a board with more axes follow each other.

    rows: as `Game.view` returns them; safety: of each cell, NaN if it is known; it is shown in
    percent on a scale from orange (mined) to blue (safe).
    """
    flat = None if safety is None else safety.reshape(len(rows), -1)
    lines = [
        "".join(
            _cell(symbol, None if flat is None else float(flat[i, j]))
            for j, symbol in enumerate(row)
        )
        for i, row in enumerate(rows)
    ]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    table = f'<table style="border-collapse:collapse">{body}</table>'
    return f"<div>{escape(title)}</div>{table}"


def _cell(symbol: str, safety: float | None) -> str:
    """Return one cell: its number, `.` covered, `F` or `*`, or its safety in percent."""
    text, colour = symbol, _COVERED if symbol in ".F" else _KNOWN
    if symbol in ".0":
        text = ""
    if safety is not None and not math.isnan(safety):
        text = f"{100 * safety:.0f}"
        share = round(100 * safety)
        colour = f"color-mix(in srgb, #9ecae8 {share}%, #f5b06a)"
    return f'<td style="{_CELL.format(colour)}">{escape(text)}</td>'
