"""Settings: a class declares each key once, with its range, default and help; errors are one line.

The same declarations make docs/reference/config.md.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import PydanticCustomError, core_schema

from msdensity.errors import InputError, did_you_mean, printable, shown
from msdensity.files.text import check_plain, read_yaml
from msdensity.games.boards import Board, Rules, named_board
from msdensity.games.tasks import MAX_SEED
from msdensity.kernel.limits import MAX_GAMES, check_board
from msdensity.kernel.names import FIRST_CLICKS, STARTS
from msdensity.players.registry import player_info, resolve


class Keys(BaseModel):
    """Keys and values of settings, checked; any other key is an error that says what is close."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, values: Any) -> Any:
        if isinstance(values, Mapping):
            # The settings of another study have other keys: say that, and not which key is wrong.
            if "study" in values and "study" in cls.model_fields:
                for rule in cls.model_fields["study"].metadata:
                    rule.check(values["study"])
            check_keys(values, cls.model_fields)
        return values


AnyKeys = TypeVar("AnyKeys", bound=Keys)


@dataclass(frozen=True)
class Allowed:
    """What a value must be: `words` describe it, `check` returns the value or raises.

    If `check` raises InputError, its message replaces `words`.
    """

    words: str
    check: Callable[[Any], Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return core_schema.no_info_plain_validator_function(self._checked)

    def _checked(self, value: Any) -> Any:
        try:
            return self.check(value)
        except (InputError, ValidationError, PydanticCustomError):
            raise
        except (ValueError, TypeError, OverflowError):
            raise ValueError(f"must be {self.words}") from None


def whole(low: int, high: int, step: int = 1) -> Allowed:
    """Whole numbers in low..high, multiples of `step`; 1000.0 is one."""

    def check(value: Any) -> int:
        if isinstance(value, str) and "e" in value.lower():
            value = float(value)  # YAML reads 1e3 as text
        exact = isinstance(value, float) and value.is_integer() and abs(value) <= 2**53
        number = int(value) if exact else value
        if isinstance(number, bool) or not isinstance(number, Integral):
            raise ValueError
        if not low <= int(number) <= high or int(number) % step:
            raise ValueError
        return int(number)

    kind = "a whole number" if step == 1 else f"a multiple of {step}"
    return Allowed(f"{kind} in {low}..{high}", check)


def one_of(names: Iterable[str]) -> Allowed:
    """Texts that are among the names."""
    known = tuple(names)

    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in known:
            raise ValueError
        return value

    return Allowed(f"one of {', '.join(known)}", check)


def rising(values: tuple[float, ...]) -> tuple[float, ...]:
    """Return numbers in rising order; InputError if one is there twice."""
    if len(set(values)) < len(values):
        raise InputError("must not hold a number twice")
    return tuple(sorted(values))


def exactly(study: str) -> Allowed:
    """The one value of the key `study` in the settings of a study."""

    def check(value: Any) -> str:
        if value != study:
            raise InputError(f"study={shown(value)} must be {study}")
        return study

    return Allowed(study, check)


def real(low: float, high: float) -> Allowed:
    """Numbers between low and high, both excluded."""

    def check(value: Any) -> float:
        number = float(value)  # YAML reads 5e9 as text
        if isinstance(value, bool) or not low < number < high:
            raise ValueError
        return number

    return Allowed(f"a number between {low:g} and {high:g}", check)


def _name(value: Any) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}", value):
        raise ValueError
    return str(value)


def _board(value: Any) -> Board:
    board = named_board(value)
    check_board(board.shape, board.topology)
    return board


Name = Annotated[
    str, Allowed("letters, digits, - and _, at most 100, the first a letter or digit", _name)
]
Seed = Annotated[int, whole(0, MAX_SEED)]
Games = Annotated[int, whole(1, MAX_GAMES)]
Replicates = Annotated[int, whole(2, 10**6)]
BoardName = Annotated[Board, Allowed("rows x columns, such as 4x5", _board)]
FirstClick = Annotated[
    str,
    Allowed(
        f"one of {', '.join(FIRST_CLICKS)} or cell:<index>",
        lambda value: Rules(first_click=value).first_click,
    ),
]
Start = Annotated[
    str, Allowed(f"one of {', '.join(STARTS)}", lambda value: Rules(start=value).start)
]


def check_keys(values: Mapping[Any, Any], known: Iterable[str]) -> None:
    """Raise an error that names a key that is not known, and the one that may be meant."""
    names = list(known)
    for key in values:
        if key not in names:
            hint = did_you_mean(key, names).strip(" ()") or f"the keys are {', '.join(names)}"
            raise PydanticCustomError("unknown_key", "{hint}", {"key": shown(key), "hint": hint})


def read_player(
    entry: Any, *, needed: Iterable[str] = (), others: Iterable[str] = ()
) -> tuple[str, dict[str, str]]:
    """Return the player of an entry and all its options.

    entry: the key `player` and the options that the registry lists for it; needed: further keys
    that it must have; others: further keys that it may have. YAML reads on and off without quotes
    as true and false, and 20 as a number.
    """
    if not isinstance(entry, Mapping):
        raise ValueError
    for key in ("player", *needed):
        if key not in entry:
            raise PydanticCustomError("missing_key", key)
    options = player_info(entry["player"]).options
    check_keys(entry, ["player", *needed, *others, *options])
    values = {key: entry[key] for key in options if key in entry}
    for key, value in values.items():
        if isinstance(value, bool):
            values[key] = "on" if value else "off"
        elif isinstance(value, int):
            values[key] = str(value)
    return entry["player"], resolve(entry["player"], values)


def read_settings(
    model: type[AnyKeys], source: str | os.PathLike[str] | Mapping[str, Any], what: str
) -> AnyKeys:
    """Return the settings in a YAML file, or in the mapping read from one.

    what: names the file in errors. Raises InputError, in one line, for an unknown key or a value
    that is not allowed.
    """
    if isinstance(source, Mapping):
        values: Any = dict(source)
        check_plain(values, what)
    elif isinstance(source, str | os.PathLike):
        what = printable(f"{what} {os.fspath(source)}")
        values = read_yaml(source, what)
    else:  # open() would take a number for an open file
        raise InputError(f"{what}={shown(source)} must be a path or keys and values")
    if not isinstance(values, dict):
        raise InputError(f"{what} must hold keys and values")
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise InputError(_explain(error, what)) from None


def _explain(error: ValidationError, what: str) -> str:
    """Return one line: which field has which value, and what is allowed there."""
    # A misspelt key comes first: it often is the reason for the other errors.
    first: Any = min(
        error.errors(include_url=False), key=lambda each: each["type"] != "unknown_key"
    )
    kind, context, steps = first["type"], first.get("ctx", {}), list(first["loc"])
    of_key = bool(steps) and steps[-1] == "[key]"  # the key of a mapping is wrong, not its value
    if of_key:
        del steps[-2:]
    name = steps.pop() if kind == "missing" else first["msg"]
    field = ""
    for step in steps:
        field += f"[{step}]" if isinstance(step, int) else "." * bool(field) + printable(step)
    match kind:
        case "unknown_key":
            return f"unknown key {context['key']}{' in ' if field else ''}{field}: {name}"
        case "missing" | "missing_key":
            return f"{field or what} must have the key {name!r}"
        case "value_error" if isinstance(context["error"], InputError):
            cause = str(context["error"])
            return cause if not field or cause.startswith(f"{field}=") else f"{field}: {cause}"
        case "value_error":
            rule = str(context["error"])
        case "tuple_type":
            rule = "must be a list"
        case "too_short" if context["min_length"] == 1:
            rule = "must not be empty"
        case "too_short" | "too_long":
            rule = f"must have {context.get('min_length', context.get('max_length'))} values"
        case "string_type":
            rule = "must be text"
        case _:
            rule = "must be keys and values"
    return f"{field or what}{': key ' if of_key else '='}{shown(first['input'])} {rule}"
