"""A page: a template of Markdown with computed numbers becomes one HTML file that needs no other.

A study's `page.md.j2` holds the words, in Markdown with jinja2; `facts` in its page.py computes
what the words name. The filters:

    {{ number | f(".2f") }}             a number by a format specification
    {{ value | pm(error) }}             value ± error, to the second digit of the error
    {{ value | between(low, high) }}    value (low to high), to the second digit of half of it
    {{ frame | table("board", "z:.1f", "P = P ± P_sd") }}    columns of a table, a format and
                                        a heading of each; empty where a value is missing

A figure is an image of Markdown whose address is its name: `![what it shows](name)`. A paragraph
in italics is a caption. A name that is not in the facts is an error, never an empty place.
"""

from __future__ import annotations

import base64
import math
import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup

from msdensity.runs.config import STUDY_FILES

ERRORS = 'After "±" stands one standard error; intervals "a to b" and the bars of figures are 95 %.'
"""What errors mean on a page: the fact `errors`, which a page says at its top."""

FRAME = "page.html.j2"
"""The frame of every page: its style and its head."""

Tables = Mapping[str, pd.DataFrame]
"""Tables by the names that a study gives them."""

Figures = Mapping[str, str | os.PathLike[str]]
"""PNG files by the names that the template uses."""

_LONG = 40
"""A cell with more characters is broken into lines."""

_SPECIAL = re.compile(r"[\\`*\[\]<&|]|(?<![^\W_])_|_(?![^\W_])")
"""Characters that Markdown does not take literally; an underscore inside a word is literal."""


def render(template: str, facts: Mapping[str, Any], figures: Figures) -> str:
    """Return the page of a template, by its path in this folder, as HTML.

    The first line of the template is the title of the page. The same facts and figures give the
    same text. Raises jinja2.UndefinedError for a name that is not in `facts` and KeyError for a
    figure that is not in `figures`.
    """
    environment = _environment()
    markdown = environment.get_template(template).render(facts)
    title = Markup.escape(markdown.partition("\n")[0].removeprefix("# "))
    body = Markup(_markdown().render(markdown, {"figures": figures}))
    return environment.get_template(FRAME).render(title=title, body=body)


class Page:
    """The page of a study, and what it found in a few sentences.

    study: its name; template, finding: paths in this folder; facts: what both templates name, from
    the tables and the settings. The page begins with the finding, which `findings` shows as well.
    """

    def __init__(
        self,
        study: str,
        template: str,
        finding: str,
        facts: Callable[[Tables, Any], dict[str, Any]],
    ) -> None:
        self.study, self.template, self._finding, self.facts = study, template, finding, facts

    def __call__(
        self, tables: Tables, settings: Any, figures: Figures, file: str | None = None
    ) -> str:
        """Return the page as HTML.

        tables: by their names in the study's columns; figures: by the names that the template uses;
        file: of the settings, by default the study's own.
        """
        known = self.facts(tables, settings) | how_to_run(
            self.study, file or STUDY_FILES[self.study]
        )
        return render(self.template, {"errors": ERRORS} | known, figures)

    def finding(self, tables: Tables, settings: Any) -> str:
        """Return what the study found, a list in Markdown."""
        return _environment().get_template(self._finding).render(self.facts(tables, settings))


def framed(template: str, facts: Mapping[str, Any], title: str) -> str:
    """Return a template of HTML, by its path in this folder, in the frame of every page."""
    environment = _environment()
    body = Markup(environment.get_template(template).render(facts))
    return environment.get_template(FRAME).render(title=title, body=body)


def as_html(markdown: str) -> Markup:
    """Return Markdown without figures as HTML."""
    return Markup(_markdown().render(markdown))


def as_address(figure: str | os.PathLike[str]) -> Markup:
    """Return a PNG file as an address that holds it."""
    data = base64.b64encode(Path(figure).read_bytes()).decode("ascii")
    return Markup(f"data:image/png;base64,{data}")


def how_to_run(study: str, file: str) -> dict[str, Markup]:
    """Return the file of the settings of a study, and the command that makes its page, as facts."""
    own = file != STUDY_FILES[study]
    command = f"snakemake --cores 2 {f'--configfile {shlex.quote(file)}' if own else study}"
    return {"file": Markup(file), "command": Markup(command)}


def f(value: float, specification: str) -> str:
    """Return a number by a format specification, with a minus sign as wide as a plus.

    Empty for a missing number.
    """
    if np.isnan(value):
        return ""
    return format(value, specification).replace("-", "\N{MINUS SIGN}")


def pm(value: float, error: float, alone: str = ".5f") -> str:
    """Return value ± standard error, to the second digit of the error; empty without a value.

    alone: the format of a value without an error.
    """
    if not np.isfinite(value):
        return ""
    if not (np.isfinite(error) and error > 0):
        return f(value, alone)
    decimals = max(0, 1 - math.floor(math.log10(error)))
    return f"{f(value, f'.{decimals}f')} ± {error:.{decimals}f}"


def between(value: float, low: float, high: float) -> str:
    """Return value (low to high), to the second digit of half the interval; empty without a value.

    A value without an interval stands alone.
    """
    if not (np.isfinite(low) and high > low):
        return f(value, ".4g")
    decimals = max(0, 1 - math.floor(math.log10((high - low) / 2)))
    ends = (f(end, f".{decimals}f") for end in (value, low, high))
    return "{} ({} to {})".format(*ends)


def rows(table: pd.DataFrame) -> Iterator[Any]:
    """Yield the rows with the columns as attributes."""
    return iter(table.itertuples())


def markdown_table(table: pd.DataFrame, *columns: str) -> Markup:
    """Return columns (by default all) as a Markdown table, with numbers aligned to the right.

    columns: "name", "name:format" or "name ± error:format" (`pm`), and "heading = " before it; or
    "heading = text with {name:format}".
    """
    made = [_column(table, *_parsed(what)) for what in columns]
    made = made or [_column(table, str(name), str(name), "") for name in table.columns]
    lists = ([_escaped(heading), side, *map(_escaped, own)] for heading, side, own in made)
    lines = zip(*lists, strict=True)
    return Markup("\n".join(f"| {' | '.join(line)} |" for line in lines))


def _parsed(what: str) -> tuple[str, str, str]:
    """Return the heading, the name (with its error, or text with names) and the format."""
    heading, _, name = what.rpartition(" = ")
    name, _, specification = (name, "", "") if "{" in name else name.partition(":")
    return heading or name, name, specification


def _column(
    table: pd.DataFrame, heading: str, name: str, specification: str
) -> tuple[str, str, list[str]]:
    """Return the heading of a column, its alignment and its cells."""
    if "{" in name:
        return heading, ":---", [name.format_map(row) for row in table.to_dict("records")]
    value, _, error = name.partition(" ± ")
    if error:
        pairs = zip(table[value], table[error], strict=True)
        return heading, ":---", [pm(a, b, specification or ".5f") for a, b in pairs]
    side = "---:" if pd.api.types.is_numeric_dtype(table[value]) else ":---"
    return heading, side, [_shown(each, specification) for each in table[value]]


def _shown(value: Any, specification: str) -> str:
    if pd.isna(value):
        return ""
    return f(value, specification) if isinstance(value, (int, float)) else str(value)


def _escaped(value: object) -> Markup:
    """Return a value of a template as Markdown that shows it letter by letter."""
    if isinstance(value, Markup):  # from a filter or macro, and escaped already
        return value
    return Markup(_SPECIAL.sub(r"\\\g<0>", str(value)))


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent, encoding="utf-8"),
        undefined=StrictUndefined,
        autoescape=True,  # so that macros and filters say what is escaped already
        finalize=_escaped,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"f": f, "pm": pm, "between": between, "table": markdown_table}
    return environment


def _markdown() -> MarkdownIt:
    """Return CommonMark with tables and figures; HTML is off, because a page holds only text."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.core.ruler.push("figures", _figures_stand_alone)
    markdown.add_render_rule("image", _image)
    markdown.add_render_rule("td_open", _cell)
    return markdown


def _figures_stand_alone(state: StateCore) -> None:
    """Remove the paragraph around an image that is alone in it."""
    for before, inside, after in zip(
        state.tokens, state.tokens[1:], state.tokens[2:], strict=False
    ):
        if [child.type for child in inside.children or ()] == ["image"]:
            before.hidden = after.hidden = True


def _image(
    self: RendererHTML, tokens: Sequence[Token], i: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    """Return a figure with its PNG file inside and its caption below."""
    address = as_address(env["figures"][str(tokens[i].attrs["src"])])
    inside = tokens[i].children or []
    caption = self.renderInline(inside, options, env)
    alternative = Markup.escape(self.renderInlineAsText(inside, options, env))
    return (
        f'<figure><img alt="{alternative}" src="{address}">'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )


def _cell(self: RendererHTML, tokens: Sequence[Token], i: int, options: Any, env: Any) -> str:
    if len(tokens[i + 1].content) > _LONG:
        tokens[i].attrSet("class", "long")
    return self.renderToken(tokens, i, options, env)
