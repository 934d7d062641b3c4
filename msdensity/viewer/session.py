"""One page: what is on its table, and the answers to its messages."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msdensity.errors import InputError, shown
from msdensity.games.boards import LEVELS, Board, Rules
from msdensity.games.game import play_game
from msdensity.games.tasks import MAX_SEED, Task
from msdensity.kernel.names import FIRST_CLICKS, STARTS, TOPOLOGIES
from msdensity.kernel.topology import neighbour_lists, neighbour_table
from msdensity.players.registry import PLAYERS
from msdensity.viewer import advice
from msdensity.viewer.limits import (
    MAX_GAMES,
    MAX_SIDE,
    MAX_WORK,
    board_to_show,
    text_field,
    whole_field,
)
from msdensity.viewer.picture import Picture, hints_of, outline_facts
from msdensity.viewer.position import Brought
from msdensity.viewer.table import (
    ANYWHERE,
    ByHand,
    Entry,
    Position,
    Watched,
    first_click_by_hand,
    game_symbols,
)

STOP = "stop"
"""The message that ends all work in the background."""

OF_POSITION = ("choices",)
"""Work in the background about what was on the table: it ends when something else is shown."""

Message = Mapping[str, Any]
Reply = dict[str, Any]

FLAT = tuple(name for name in TOPOLOGIES if not name.startswith("cubic"))
"""Topologies of boards with two sides."""

LEVELS_SHOWN = {
    "8x8, 10 mines (003)": ("8x8", 10),
    **{
        f"{name}: {board}, {mines} mines": (board, mines) for name, (board, mines) in LEVELS.items()
    },
    "10x10, 20 mines (001)": ("10x10", 20),
}


def choices_shown() -> Reply:
    """Return the names that the page offers: levels, topologies, rules, players."""
    return {
        "kind": "hello",
        "levels": [[name, *level] for name, level in LEVELS_SHOWN.items()],
        "topologies": list(FLAT),
        "first_clicks": [ANYWHERE, *FIRST_CLICKS],
        "starts": list(STARTS),
        "players": {
            name: {
                "summary": info.summary,
                "source": info.source,
                "options": {
                    key: {"default": option.default, "choices": option.choices}
                    for key, option in info.options.items()
                },
            }
            for name, info in PLAYERS.items()
        },
        "most": MAX_SIDE,
        "most_games": MAX_GAMES,
    }


class Session:
    """What one page shows, and what it has been told of it.

    folder: where ledgers are read from by name, None for nowhere. Not to be used by two threads at
    once.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.table: ByHand | Watched | Brought = ByHand(Task(Board.parse("9x9"), 10), 0, ANYWHERE)
        self._picture: Picture | None = None
        self._told: tuple[Any, ...] = ()
        self._logged: list[Entry] = []
        self.hints = False

    def answer(self, message: object) -> list[Reply]:
        """Return the replies to a message; bad input is a reply of kind "error", the last one."""
        begin = time.perf_counter()
        replies: list[Reply] = []
        try:
            if not isinstance(message, Mapping):
                raise InputError(f"message={shown(message)} must be an object")
            do = self._deeds().get(text_field(message, "do", ""))
            if do is None:
                raise InputError(f"do={shown(message.get('do'))} must be a known word")
            # What was shown before the error is sent: later frames have only what changes.
            replies.extend(_told(do(message)))
        except InputError as error:
            replies.append(_error(error))
        for reply in replies:
            if reply["kind"] == "frame":
                reply["milliseconds"] = round(1000 * (time.perf_counter() - begin), 3)
        return replies

    def background(self, message: object) -> Iterator[Reply] | None:
        """Return the replies to a message whose work takes long, or None for any other message.

        They may be made in another thread, because they read nothing of the session any more.
        """
        if not isinstance(message, Mapping):
            return None
        do = message.get("do")
        if do == STOP:
            return iter([{"kind": "stopped"}])
        if do == "many":
            return _told(self._many(message))
        if do == "lost":
            return _told(self._lost(message))
        if do == "choices":
            from msdensity.viewer.choices import choices

            return _told(choices(self.table.position()))
        return None

    def _lost(self, message: Message) -> Iterator[Reply]:
        from msdensity.viewer.lost import lost_games

        for found in lost_games(self.folder, message):
            yield {"kind": "lost", **found}

    def _many(self, message: Message) -> Iterator[Reply]:
        from msdensity.viewer.many import many_games

        task, first, _ = self.read_task(message)
        yield from many_games(task, first, whole_field(message, "games", 1, MAX_GAMES, 1000))

    def _deeds(self) -> dict[str, Callable[[Message], Iterator[Reply]]]:
        return {
            "hello": self._hello,
            "again": self._again,
            "new": self._new,
            "act": self._act,
            "undo": self._undo,
            "take": self._take,
            "see": self._see,
            "why": self._why,
            "advice": self._advice,
            "watch": self._watch,
            "step": self._step,
            "bring": self._bring,
            "export": self._export,
            "density": self._density,
            "ledgers": self._ledgers,
            "open_lost": self._open_lost,
            "duel": self._duel,
        }

    # what is on the table

    def put(self, table: ByHand | Watched | Brought) -> Iterator[Reply]:
        """Put another board on the table and show it."""
        self.table = table
        yield from self.show()

    def show(self, whole: bool = False) -> Iterator[Reply]:
        """Yield what the page does not know yet of the table; whole: all of it."""
        position = self.table.position()
        facts = (position.shape, position.topology)
        if whole or self._picture is None or facts != self._told:
            self._told = facts
            self._picture = Picture(len(position.states))
            self._logged = []  # a page that gets a board forgets the log
            yield self._board(position)
        yield self._frame(position)

    def _board(self, position: Position) -> Reply:
        name = "x".join(map(str, position.shape))
        topology = position.topology
        facts = {"kind": "board", "shape": position.shape, "name": name}
        if not isinstance(topology, str):
            raise InputError("topology must be a built-in one to be shown")
        table = neighbour_table(position.shape, topology)
        facts["name"] = name if topology == "square8" else f"{name}-{topology}"
        return facts | {
            "topology": topology,
            "near": neighbour_lists(table),
            "outlines": outline_facts(position.shape, topology),
        }

    def _frame(self, position: Position) -> Reply:
        table = self.table
        answer = position.answer if self.hints else None
        playing = table.status == "playing"
        hints = hints_of(answer if playing else None, len(position.states))
        symbols = position.symbols
        if not isinstance(table, Brought):
            symbols = game_symbols(table.game, position)
        assert self._picture is not None
        flags = int((position.symbols == ord("F")).sum())
        frame: Reply = {
            "kind": "frame",
            "mode": {ByHand: "hand", Watched: "watch", Brought: "position"}[type(table)],
            **self._picture.changes(symbols, hints),
            "status": table.status,
            "mines": position.mines,
            "mines_left": None if position.mines is None else position.mines - flags,
            "link": self.link(),
            "title": self.title(),
            **self._history(),
        }
        if answer is not None:
            frame["hints"] = {
                "exact": answer.exact,
                "consistent": answer.consistent,
                "reason": answer.reason,
                "mines_range": answer.mines_range,
                "safe": len(answer.safe),
                "mined": len(answer.mined),
            }
        return frame

    def _history(self) -> Reply:
        """Return the part of the log that is new, and what follows from the log so far."""
        log = self.table.log
        at = self.table.at if isinstance(self.table, Watched) else len(log)
        same = 0
        while same < min(len(log), len(self._logged)) and log[same] is self._logged[same]:
            same += 1
        self._logged = list(log)
        guesses = [entry for entry in log[:at] if entry.guess]
        survival = math.prod(e.safety for e in guesses if e.safety is not None)
        exact = self.table.exact if isinstance(self.table, ByHand) else True
        return {
            "log_from": same,
            "log": [[e.cell, e.action, e.reason, e.guess, e.safety] for e in log[same:]],
            "at": at,
            "moves": sum(entry.action != "unflag" for entry in log[:at]),
            "guesses": len(guesses),
            "survival": survival,
            "survival_exact": exact,
        }

    def link(self) -> str:
        """Return the part of an address after `#` that opens the same game or position."""
        return advice.link_of(self.table)

    def title(self) -> str:
        """Return what is on the table in words."""
        table = self.table
        if isinstance(table, Brought):
            return "a position"
        task = table.played.task if isinstance(table, Watched) else table.task
        g = table.played.g if isinstance(table, Watched) else table.g
        if task is None:
            return "a game"
        by = f" by {task.label}" if isinstance(table, Watched) else ""
        return f"game {g} of {task.board.name} with {task.mines} mines, seed {task.seed}{by}"

    # deeds

    def _hello(self, message: Message) -> Iterator[Reply]:
        yield choices_shown()
        yield from self.show(whole=True)

    def _again(self, message: Message) -> Iterator[Reply]:
        yield from self.show(whole=True)

    def read_task(self, message: Message) -> tuple[Task, int, str]:
        """Return (task, game, first click) of a message."""
        board = board_to_show(message.get("board"))
        start = text_field(message, "start", "safe")
        first = first_click_by_hand(text_field(message, "first", ANYWHERE), start)
        rules = Rules("corner" if first == ANYWHERE else first, start)
        mines = whole_field(message, "mines", 1, board.cells)
        seed = whole_field(message, "seed", 0, MAX_SEED, 0)
        g = whole_field(message, "game", 0, MAX_SEED, 0)
        player = text_field(message, "player", "weighted")
        options = message.get("options", {})
        if player not in PLAYERS:
            raise InputError(f"player={shown(player)} must be one of {', '.join(PLAYERS)}")
        most = int(MAX_WORK / PLAYERS[player].cost)
        if board.cells > most:
            raise InputError(
                f"board={board.name} must have at most {most} cells to be played by {player} here"
            )
        return Task(board, mines, player, options, rules, seed), g, first

    def _new(self, message: Message) -> Iterator[Reply]:
        task, g, first = self.read_task(message)
        yield from self.put(ByHand(task, g, first))

    def _act(self, message: Message) -> Iterator[Reply]:
        cells = math.prod(self.table.shape)
        c = whole_field(message, "cell", 0, cells - 1)
        action = text_field(message, "action", "open")
        if not isinstance(self.table, ByHand):
            raise InputError(
                "action: only a game by hand can be played; Play on by hand makes it one"
            )
        self.table.act(action, c)
        yield from self.show()

    def _take(self, message: Message) -> Iterator[Reply]:
        if isinstance(self.table, Watched):
            self.table = self.table.by_hand()
        yield from self.show()

    def _undo(self, message: Message) -> Iterator[Reply]:
        if isinstance(self.table, ByHand):
            self.table.undo()
        yield from self.show()

    def _see(self, message: Message) -> Iterator[Reply]:
        self.hints = message.get("on") is True
        yield from self.show()

    def _why(self, message: Message) -> Iterator[Reply]:
        position = self.table.position()
        c = whole_field(message, "cell", 0, len(position.states) - 1)
        yield {"kind": "why", "cell": c, **advice.why(position, c)}

    def _advice(self, message: Message) -> Iterator[Reply]:
        yield {"kind": "advice", **advice.alternatives(self.table.position())}

    def _watch(self, message: Message) -> Iterator[Reply]:
        task, g, _ = self.read_task(message)
        watched = Watched(play_game(task, g))
        watched.step(whole_field(message, "at", 0, MAX_SEED, 0))
        yield from self.put(watched)

    def _step(self, message: Message) -> Iterator[Reply]:
        if not isinstance(self.table, Watched):
            raise InputError("step: no player is watched")
        self.table.step(whole_field(message, "to", 0, MAX_SEED))
        yield from self.show()

    def _bring(self, message: Message) -> Iterator[Reply]:
        yield from self.put(Brought.read(message))
        if (found := advice.impossible(self.table.position())) is not None:
            yield {"kind": "impossible", **found}

    def _export(self, message: Message) -> Iterator[Reply]:
        position = self.table.position()
        link = advice.position_link(position)
        yield {"kind": "export", "rows": position.rows, "mines": position.mines, "link": link}

    def _density(self, message: Message) -> Iterator[Reply]:
        board = board_to_show(message.get("board"))
        yield {"kind": "density", "board": board.name, **advice.density_facts(board)}

    def _ledgers(self, message: Message) -> Iterator[Reply]:
        from msdensity.viewer.lost import ledger_names

        yield {"kind": "ledgers", "names": ledger_names(self.folder)}

    def _open_lost(self, message: Message) -> Iterator[Reply]:
        from msdensity.viewer.lost import task_of

        task, g = task_of(self.folder, message)
        watched = Watched(play_game(task, g))
        watched.step(len(watched.played.moves) - 1)
        yield from self.put(watched)

    def _duel(self, message: Message) -> Iterator[Reply]:
        from msdensity.viewer.duel import duel

        task, g, _ = self.read_task(message)
        found, played = duel(task, g, text_field(message, "other", "single_point"))
        watched = Watched(played)
        watched.step(found["parting"] or 0)
        yield from self.put(watched)
        yield {"kind": "duel", **found}


def _told(work: Iterator[Reply]) -> Iterator[Reply]:
    """Yield replies; bad input is the last of them."""
    try:
        yield from work
    except InputError as error:
        yield _error(error)


def _error(error: InputError) -> Reply:
    return {"kind": "error", "text": str(error)}
