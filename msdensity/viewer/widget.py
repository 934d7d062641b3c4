"""`md.view`: the viewer in a notebook, on a game, a played game or an analysis."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import numpy as np

from msdensity.errors import InputError, require_kind, shown
from msdensity.games.analysis import Analysis
from msdensity.games.game import Game, PlayedGame
from msdensity.viewer.limits import require_sides
from msdensity.viewer.position import Brought
from msdensity.viewer.session import OF_POSITION, STOP, Reply, Session
from msdensity.viewer.table import ByHand, Position, Watched

try:
    import anywidget
    import traitlets
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"md.view needs the package {error.name}: pip install 'msdensity[view]'", name=error.name
    ) from error

STATIC = Path(__file__).with_name("static")

MODULES = (
    *("words", "board", "game", "guess", "watch", "many", "position", "lost"),
    *("viewer", "widget"),
)
"""Each after those that it imports."""

_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)


def one_module() -> str:
    """Return the page's modules as one: a widget has no address that it could import from."""
    texts = [(STATIC / f"{name}.js").read_text(encoding="utf-8") for name in MODULES]
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts)


class Viewer(anywidget.AnyWidget):
    """The viewer as a widget. `first`: the replies that show the table as it was at first."""

    _esm = one_module()
    _css = (STATIC / "viewer.css").read_text(encoding="utf-8")
    first: Any = traitlets.List().tag(sync=True)

    def __init__(self, session: Session) -> None:
        first = session.answer({"do": "hello"})
        for reply in first:
            if reply["kind"] == "error":
                raise InputError(reply["text"])
        super().__init__(first=first)
        self.session = session
        self._work: dict[str, Iterator[Reply]] = {}
        self._sending = Lock()
        self.on_msg(self._answer)

    def _answer(self, widget: Any, message: object, buffers: object) -> None:
        work = self.session.background(message)
        if work is None:
            for reply in self.session.answer(message):
                with self._sending:
                    if reply["kind"] == "frame":
                        for name in OF_POSITION:
                            self._work.pop(name, None)
                    self.send(reply)
            return
        do = message["do"]  # type: ignore[index]  # only an object has such work
        with self._sending:
            if do == STOP:
                self._work.clear()
            self._work[do] = work

        def run() -> None:
            for reply in work:
                with self._sending:
                    if self._work.get(do) is not work:  # another one was asked for, or none
                        return
                    self.send(reply)

        Thread(target=run, daemon=True).start()


def view(what: object, *, hints: bool | None = None) -> Viewer:
    """Return a notebook widget that shows a game, a played game or an analysis.

    what: a `Game` (a copy is played by hand: what you do in the widget does not change yours), a
    `PlayedGame` (it can be watched), or an `Analysis` of a position, as `md.analyse` returns it;
    hints: whether safeties are shown at first (None: only those of an analysis). The board must
    have two sides of at most 200 cells and a built-in topology. Needs the packages of
    `pip install "msdensity[view]"`. Raises InputError for anything else.
    """
    require_kind("hints", hints, (bool, type(None)), "True, False or None")
    session = Session()
    if isinstance(what, Game):
        session.table = ByHand(None, 0, "", what.replay(what.actions))
        shape = what.shape
    elif isinstance(what, PlayedGame):
        watched = Watched(what)
        watched.step(len(what.moves))
        session.table, shape = watched, what.task.board.shape
    elif isinstance(what, Analysis):
        session.table = Brought(_position(what))
        shape = what.safety.shape
    else:
        raise InputError(f"what={shown(what)} must be a Game, a PlayedGame or an Analysis")
    require_sides(tuple(shape))
    session.hints = isinstance(what, Analysis) if hints is None else hints
    return Viewer(session)


def _position(answer: Analysis) -> Position:
    """Return the position that an analysis answers."""
    asked = answer.asked
    if asked is None:
        raise InputError("what: the analysis must be one that `md.analyse` has returned here")
    return Position(
        tuple(answer.safety.shape),
        asked.topology,
        np.array(asked.states, np.uint8),
        np.array(asked.numbers, np.int64),
        asked.mines,
        True,
    )
