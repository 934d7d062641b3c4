"""What all figures share: the style, a player's name and look, error bars, writing to files."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from matplotlib import rcParams, style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.scale import (
    LogScale,
    LogTransform,
    SymmetricalLogScale,
    SymmetricalLogTransform,
    register_scale,
)
from numpy.typing import NDArray

from msdensity.errors import InputError, check_path, require_kind
from msdensity.files.atomic import atomic_write
from msdensity.files.tables import require_columns
from msdensity.players.registry import player_name

STYLE = Path(__file__).with_name("paper.mplstyle")

HALF = r"$\rho_{50}$ (half the games are won)"
"""The name on an axis of the density at which half the games are won."""

LOG, SYMLOG = "same_log", "same_symlog"
"""Names of logarithmic scales. The last bit of a logarithm differs from CPU to CPU, and a place
that it moves over the edge of a pixel would change the file."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def our_style(changes: Mapping[str, Any] = {}) -> AbstractContextManager[None]:
    """Return the context in which figures are drawn and saved: STYLE and changes of it.

    It begins with the defaults of matplotlib, so that a user's matplotlibrc changes no byte.
    """
    return style.context([STYLE, dict(changes)], after_reset=True)


_Draw = TypeVar("_Draw", bound=Callable[..., Figure])


def styled(draw: _Draw) -> _Draw:
    """Return the function that draws in STYLE; decorates every function that returns a figure."""

    @wraps(draw)
    def drawn(*args: Any, **kwargs: Any) -> Figure:
        with our_style():
            return draw(*args, **kwargs)

    return drawn  # type: ignore[return-value]


class _LogTransform(LogTransform):
    def transform_non_affine(self, values: Any) -> Any:
        """Return the logarithm without its last digits."""
        return np.round(np.asarray(super().transform_non_affine(values)), 12)


class _SymlogTransform(SymmetricalLogTransform):
    def transform_non_affine(self, values: Any) -> Any:
        """Return the logarithm without its last digits."""
        return np.round(np.asarray(super().transform_non_affine(values)), 12)


class _SameLog(LogScale):
    name = LOG

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._transform = _LogTransform(self.base)


class _SameSymlog(SymmetricalLogScale):
    name = SYMLOG

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._transform = _SymlogTransform(self.base, self.linthresh, self.linscale)


register_scale(_SameLog)
register_scale(_SameSymlog)


def require_axes(ax: object) -> None:
    """Raise InputError unless `ax` is matplotlib axes."""
    require_kind("ax", ax, Axes, "matplotlib axes")


def require_rows(table: pd.DataFrame, name: str, columns: Iterable[str] = ()) -> None:
    """Raise InputError unless a table has these columns and a row to draw; name: of the table."""
    require_columns(table, columns, name)
    if not len(table):
        raise InputError(f"{name} has 0 rows, must have at least 1 to draw")


def look(index: int) -> dict[str, Any]:
    """Return the colour and marker of a player; 49 differ, and the first 7 without colour too."""
    count = len(MARKERS)
    return {"color": f"C{index % count}", "marker": MARKERS[(index + index // count) % count]}


_PLAYERS = {"weighted": "the paper's text", "listing": "the paper's program"}


_SOURCE = re.compile(r"(?<=\w)-source_[0-9a-f]{12}")


def legend_name(player: str, players: Iterable[str] = ()) -> str:
    """Return a player's label as a legend shows it, with what it stands for in paper 001.

    The hash of a custom player's file is left out unless `players` holds another version of it.
    """
    short = _SOURCE.sub("", player)
    alike = {other for other in players if _SOURCE.sub("", other) == short}
    name = player_name(player if alike - {player} else short)
    meaning = _PLAYERS.get(player.partition("-")[0])
    return f"{name} ({meaning})" if meaning else name


def board_name(board: str) -> str:
    """Return a board as a figure shows it: "8 × 8", "8 × 8 torus8", "custom board of 12 cells"."""
    sides, _, topology = board.partition("-")
    if topology.startswith("table"):
        cells = np.prod([int(side) for side in sides.split("x")])
        return f"custom board of {cells} cells"
    return " ".join([sides.replace("x", " × "), *filter(None, [topology])])


MAX_NAMED = 4


def name_left_out(figure: Figure, boards: Iterable[str], shown: Iterable[str]) -> None:
    """Name below a figure the boards that it leaves out."""
    drawn = set(shown)
    names = [board_name(board) for board in dict.fromkeys(boards) if board not in drawn]
    if not names:
        return
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    above = f"{figure.get_supxlabel()}\n" if figure.get_supxlabel() else ""
    text = f"{above}not shown: {', '.join(names[:MAX_NAMED])}{more}"
    figure.supxlabel(text, fontsize=9 if above else 8)


def players_of(table: pd.DataFrame) -> list[str]:
    """Return the players in a table, by name, so that each has one colour in all figures."""
    return sorted(table["player"].unique())


def bars(points: pd.DataFrame) -> NDArray[np.float64]:
    """Return lengths (2, n) of the 95 % error bars of P below and above it, 0 where unknown."""
    low = points["P"] - points["Q_low"].clip(0, 1)
    high = points["Q_high"].clip(0, 1) - points["P"]
    return np.maximum(np.nan_to_num([low, high]), 0)


EXACT = "hollow: exact, all layouts"


def hollow(label: str, color: str) -> Line2D:
    """Return the entry of a legend for hollow points."""
    return Line2D(
        [], [], label=label, color=color, marker="o", linestyle="", markerfacecolor="none"
    )


def whiten_exact(
    ax: Axes, x: Any, points: pd.DataFrame, *, color: str, marker: str, size: float | None = None
) -> None:
    """Draw hollow points over those of P that have no error, because the win rates are exact."""
    exact = (points["Q_sd"] == 0).to_numpy(bool)
    if exact.any():
        how: dict[str, Any] = {"markerfacecolor": "white", "linestyle": "", "zorder": 3.5}
        how |= {"markersize": size or rcParams["lines.markersize"], "markeredgewidth": 0.8}
        ax.plot(np.asarray(x)[exact], points["P"][exact], marker, color=color, **how)


def legend_above(
    figure: Figure,
    players: list[str],
    lines: Mapping[str, Any] = {},
    points: Iterable[Line2D] = (),
) -> None:
    """Name the players, the kinds of lines and other points above the panels."""
    handles = [
        Line2D([], [], label=legend_name(player, players), **look(i))
        for i, player in enumerate(players)
    ]
    handles += [Line2D([], [], label=n, linestyle=line, color="0.3") for n, line in lines.items()]
    handles += points
    columns = 3 if figure.get_figwidth() > 6 else 2
    figure.legend(handles=handles, loc="outside upper center", ncols=min(len(handles), columns))


def save_figure(figure: Figure, *paths: str | os.PathLike[str]) -> None:
    """Write `figure` to every path (.pdf or .png); the same figure gives the same bytes.

    Each file is written completely or not at all. Raises InputError for another ending.
    """
    require_kind("figure", figure, Figure, "a matplotlib Figure")
    for path in paths:
        check_path("path", path)
    metadata = {".pdf": {"CreationDate": None}, ".png": {"Software": None}}
    for path in map(Path, paths):
        if path.suffix not in metadata:
            raise InputError(f"figure path {path} must end in .pdf or .png")
    for path in map(Path, paths):
        data = io.BytesIO()
        with our_style():
            figure.savefig(data, format=path.suffix[1:], metadata=metadata[path.suffix])
        with atomic_write(path) as file:
            file.buffer.write(data.getvalue())
