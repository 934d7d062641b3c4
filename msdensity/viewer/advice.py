"""What the page says about a position: why a cell is certain, what to choose, how dense it is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.contradiction import explain_impossible
from msdensity.games.explanation import explain
from msdensity.kernel.state import UNKNOWN
from msdensity.players.weighted import TIE
from msdensity.viewer.position import Brought
from msdensity.viewer.table import ANYWHERE, Position, Watched

if TYPE_CHECKING:
    from msdensity.viewer.table import ByHand

MOST_ALTERNATIVES = 12

_NO_RHO50 = (
    "No rho50 is known for this board: it is not in the shipped table, nor among its boards."
)


def why(position: Position, c: int) -> dict[str, Any]:
    """Return why cell c is certain: in words, with the numbers that prove it."""
    place = tuple(map(int, np.unravel_index(c, position.shape)))
    answer = position.answer
    if place not in answer.safe + answer.mined:
        return {"text": _not_certain(position, place), "numbers": [], "steps": [], "rule": ""}
    found = explain(position.rows, place, position.mines, position.topology, position.trusted)
    rule = {1: "single", 2: "pair"}.get(len(found.numbers), "component")
    numbers = [int(np.ravel_multi_index(w, position.shape)) for w in found.numbers]
    return {
        "text": found.reason,
        "mined": found.mined,
        "numbers": numbers,
        "steps": found.steps,
        "rule": "mine count" if found.total else rule,
    }


def _not_certain(position: Position, place: tuple[int, ...]) -> str:
    answer = position.answer
    if not answer.consistent:
        return f"This position is impossible: {answer.reason}."
    safety = float(answer.safety[place])
    if position.known.reshape(position.shape)[place] != UNKNOWN:
        return f"{place} is known."
    if math.isnan(safety):
        return f"{place} is not certain; without the number of mines it has no safety."
    about = "" if answer.exact else " (an estimate: too large for exact counting)"
    return f"{place} is not certain: its safety is {100 * safety:.4g} %{about}."


def alternatives(position: Position) -> dict[str, Any]:
    """Return the safest cells, grouped by equal safety, and whether a guess is needed."""
    answer = position.answer
    if not answer.consistent:
        return {"groups": [], "guess": False, "exact": answer.exact}
    flat = answer.safety.ravel()
    order = np.argsort(-flat, kind="stable")
    mined = [int(np.ravel_multi_index(place, position.shape)) for place in answer.mined]
    order = order[~np.isnan(flat[order]) & ~np.isin(order, mined)]
    groups: list[dict[str, Any]] = []
    for c in order.tolist():
        safety = float(flat[c])
        if groups and groups[-1]["safety"] - safety <= TIE * groups[-1]["safety"]:
            groups[-1]["cells"].append(c)
        elif len(groups) == MOST_ALTERNATIVES:
            break
        else:
            groups.append({"safety": safety, "cells": [c]})
    return {"groups": groups, "guess": not answer.safe and bool(groups), "exact": answer.exact}


def impossible(position: Position) -> dict[str, Any] | None:
    """Return why a position is impossible, with numbers that contradict each other, or None."""
    if position.answer.consistent:
        return None
    found = explain_impossible(position.rows, position.mines, position.topology, position.trusted)
    numbers = [int(np.ravel_multi_index(place, position.shape)) for place in found.numbers]
    text = f"This position is impossible. {found.reason}"
    return {"text": text, "numbers": numbers, "total": found.total}


def density_facts(board: Board) -> dict[str, Any]:
    """Return rho50 of `weighted` for a board from the shipped table, or an estimate; else why not.

    The error is that of the table or of the interpolation; the kind says which.
    """
    from msdensity.studies.densities.known import density

    try:
        found = density(board)
    except InputError as error:
        return {"value": None, "text": _NO_RHO50, "why": str(error)}
    value, spread = found.values["rho50"], found.errors["rho50"]
    if math.isnan(value):
        return {"value": None, "text": _NO_RHO50, "why": "the board has no such density"}
    return {
        "value": value,
        "error": None if math.isnan(spread) else spread,
        "sort": found.kind,
        "text": found.source,
    }


def link_of(table: ByHand | Watched | Brought) -> str:
    """Return the part of an address after `#` that opens this game or position again."""
    if isinstance(table, Brought):
        return position_link(table.position())
    if isinstance(table, Watched):
        task, g, first = table.played.task, table.played.g, table.played.task.rules.first_click
    elif table.task is None:
        return position_link(table.position())
    else:
        task, g = table.task, table.g
        dealt = table.game is not None
        first = task.rules.first_click if dealt else ANYWHERE
    facts: dict[str, Any] = {
        "board": task.board.name,
        "mines": task.mines,
        "start": task.rules.start,
        "first": first,
        "seed": task.seed,
        "game": g,
    }
    if isinstance(table, Watched):
        facts |= {"player": task.player, "at": table.at}
        facts |= {f"option.{key}": value for key, value in task.own_options.items()}
    return urlencode(facts)


def position_link(position: Position) -> str:
    """Return the part of an address after `#` that opens this position."""
    facts: dict[str, Any] = {"rows": "/".join(position.rows)}
    if position.mines is not None:
        facts["mines"] = position.mines
    if position.topology != "square8":
        facts["topology"] = position.topology
    if not position.trusted:
        facts["trust"] = "no"
    return urlencode(facts, safe="/.")
