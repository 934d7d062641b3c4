"""A page of text, tables and figures in one HTML file that needs no other."""

from __future__ import annotations

import base64
import html
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from msdensity.files.atomic import atomic_write
from msdensity.runs.config import STUDY_FILES

_STYLE = """
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222;
  font: 16px/1.5 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.2; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; margin: 1rem 0; }
th, td { padding: 0.15rem 0.6rem; border-bottom: 1px solid #ddd; text-align: right; }
th { border-bottom: 2px solid #888; vertical-align: bottom; }
td { white-space: nowrap; }
td.text, th.text { text-align: left; }
td.long { white-space: normal; min-width: 20rem; }
caption, figcaption { text-align: left; font-size: 0.9rem; color: #555; padding: 0.3rem 0; }
figure { margin: 1.5rem 0; }
img { max-width: 100%; }
code, pre { background: #f4f4f4; padding: 0.1rem 0.3rem; border-radius: 3px; }
"""


def run_command(study: str, file: str) -> str:
    """Return the command that makes the page of a study whose settings are in `file`."""
    command = f"snakemake --cores 2 {study}"
    if file == STUDY_FILES[study]:
        return command
    return f'{command} --config "studies={{{study}: {file}}}"'


class Page:
    """What is added appears in this order; text is escaped unless it is given as HTML."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._parts: list[str] = []

    def heading(self, text: str, level: int = 2) -> None:
        """Add a heading of the given level (2..6)."""
        self._parts.append(f"<h{level}>{html.escape(text)}</h{level}>")

    def text(self, text: str) -> None:
        """Add paragraphs, parted by empty lines; words between backticks are code."""
        for paragraph in text.strip().split("\n\n"):
            pieces = html.escape(" ".join(paragraph.split())).split("`")
            marked = [f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces)]
            self._parts.append(f"<p>{''.join(marked)}</p>")

    def code(self, text: str) -> None:
        """Add lines to be typed or read as they are."""
        self._parts.append(f"<pre>{html.escape(text.strip())}</pre>")

    def table(
        self, table: pd.DataFrame, caption: str = "", formats: Mapping[str, str] | None = None
    ) -> None:
        """Add a table; formats: a format specification by column, "" where a value is missing."""
        formats = formats or {}
        numeric = {name: pd.api.types.is_numeric_dtype(table[name]) for name in table.columns}
        kind = {name: "" if numeric[name] else ' class="text"' for name in table.columns}
        lines = ['<div class="wide"><table>']
        if caption:
            lines.append(f"<caption>{html.escape(caption)}</caption>")
        heads = (f"<th{kind[name]}>{html.escape(str(name))}</th>" for name in table.columns)
        lines.append(f"<tr>{''.join(heads)}</tr>")
        for row in table.itertuples(index=False):
            cells = (
                _cell(_shown(value, formats.get(name, "")), numeric[name])
                for name, value in zip(table.columns, row, strict=True)
            )
            lines.append(f"<tr>{''.join(cells)}</tr>")
        lines.append("</table></div>")
        self._parts.append("\n".join(lines))

    def figure(self, path: str | os.PathLike[str], caption: str) -> None:
        """Add the PNG file `path`, kept inside the page."""
        data = base64.b64encode(Path(path).read_bytes()).decode("ascii")
        words = html.escape(caption)
        self._parts.append(
            f'<figure><img alt="{words}" src="data:image/png;base64,{data}">'
            f"<figcaption>{words}</figcaption></figure>"
        )

    def html(self) -> str:
        """Return the page; the same content gives the same text."""
        title = html.escape(self.title)
        head = f'<meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        body = "\n".join([f"<h1>{title}</h1>", *self._parts])
        return (
            f'<!doctype html>\n<html lang="en"><head>{head}</head><body>\n{body}\n</body></html>\n'
        )

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page, whole or not at all."""
        with atomic_write(path) as file:
            file.write(self.html())


_LONG = 40
"""Characters from which a cell is broken into lines."""


def _cell(text: str, numeric: bool) -> str:
    kind = "" if numeric else ' class="text long"' if len(text) > _LONG else ' class="text"'
    return f"<td{kind}>{html.escape(text)}</td>"


def _shown(value: Any, specification: str) -> str:
    if pd.isna(value):
        return ""
    text = format(value, specification) if specification else str(value)
    return text.replace("-", "\N{MINUS SIGN}") if isinstance(value, (int, float)) else text
