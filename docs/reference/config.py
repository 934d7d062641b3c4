"""Write config.md, beside this file, from the classes that declare the settings."""

import ast
import inspect
import textwrap
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from msdensity.players.registry import PLAYERS
from msdensity.runs.config import STUDIES, STUDY_FILES, Config
from msdensity.runs.settings import Allowed, Keys
from msdensity.runs.studies import module_of

FILES = {"The configuration": (Config, "Example: `workflow/config/paper.yaml`.")} | {
    f"The study `{study}`": (
        import_module(f"{module_of(study)}.settings").Settings,
        f"Example: `{STUDY_FILES[study]}`.",
    )
    for study in STUDIES
}

BAR = "\\|"
"""A vertical bar inside a cell of a table."""


def row(*cells: str) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |"


def helps(model: type[Keys]) -> dict[str, str]:
    """Return the help text below each key of a class."""
    body = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0].body  # type: ignore[attr-defined]
    return {
        key.target.id: " ".join(inspect.cleandoc(text.value.value).split())
        for key, text in pairwise(body)
        if isinstance(key, ast.AnnAssign)
    }


def allowed(hint: Any) -> str:
    """Return in words what a value of this type hint must be."""
    rules = [each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Allowed)]
    if rules:
        return rules[0].words
    if get_origin(hint) is Annotated:
        return allowed(get_args(hint)[0])
    inner = [each for each in get_args(hint) if each not in (NoneType, ...)]
    match get_origin(hint):
        case None:
            return "text" if hint is str else f"keys and values, see {hint.__name__}"
        case origin if origin is tuple:
            return f"a list, each {allowed(inner[0])}"
        case origin if origin is dict:
            return f"keys, each {allowed(inner[0])}; values, each {allowed(inner[1])}"
    return allowed(inner[0])


def models(hint: Any) -> list[type[Keys]]:
    """Return the classes of keys inside a type hint."""
    if inspect.isclass(hint) and issubclass(hint, Keys):
        return [hint]
    return [model for each in get_args(hint) for model in models(each)]


def section(model: type[Keys], seen: set[type[Keys]]) -> list[str]:
    """Return the lines on a class and on those of its values."""
    hints = get_type_hints(model, include_extras=True)
    lines = [inspect.getdoc(model) or "", ""]
    lines += ["| key | allowed | default | what |", "|---|---|---|---|"]
    texts = helps(model)
    for key, field in model.model_fields.items():
        default = "required" if field.is_required() else shown(field.default)
        lines.append(row(f"`{key}`", allowed(hints[key]), default, texts[key]))
    for key in model.model_fields:
        for inner in models(hints[key]):
            if inner not in seen:
                seen.add(inner)
                lines += ["", f"### {inner.__name__}", "", *section(inner, seen)]
    return lines


def shown(value: Any) -> str:
    """Return a default as it would be written in a file."""
    if value is None or isinstance(value, Keys) or value in ((), {}):
        return ""
    return str(list(value) if isinstance(value, tuple) else value).replace("'", "")


def players() -> list[str]:
    """Return the lines on the options of the players, which the registry lists."""
    lines = ["## Options of the players", "", "`msdensity players` lists the players.", ""]
    lines += ["| player | option | allowed | default | what |", "|---|---|---|---|---|"]
    for name, player in PLAYERS.items():
        for key, option in player.options.items():
            choices = ", ".join(option.choices)
            lines.append(row(f"`{name}`", f"`{key}`", choices, option.default, option.help))
    return lines


def reference() -> str:
    """Return the page."""
    lines = ["# Settings", "", "Made by `python docs/reference/config.py`; do not edit.", ""]
    seen: set[type[Keys]] = {Config}
    for title, (model, example) in FILES.items():
        lines += [f"## {title}", "", example, "", *section(model, seen), ""]
        if model is Config:
            lines += [*players(), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    Path(__file__).with_name("config.md").write_text(reference(), encoding="utf-8")
