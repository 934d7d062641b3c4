"""The server of `msdensity view`: one page, and a session for every open tab."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from msdensity.viewer.limits import MAX_BURST, MAX_MESSAGE, MAX_RATE, MAX_TABS
from msdensity.viewer.session import OF_POSITION, STOP, Session

STATIC = Path(__file__).with_name("static")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

TOO_FAST, FULL = 1008, 1013
"""Codes with which a connection is closed."""


class OnlyFrom:
    """Refuse requests whose Host is not one of `hosts`, or whose Origin is another page.

    A page of another site can make the browser ask this server, but it cannot forge these two. A
    WebSocket must have an Origin, because browsers apply no other rule to it.
    """

    def __init__(self, app: Any, hosts: frozenset[str]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value.decode("latin-1"))
        hosts, origins = headers.get(b"host", []), headers.get(b"origin", [])
        own = len(hosts) == 1 and hosts[0] in self.hosts
        if not own:
            await self._refuse(scope, receive, send, "Host")
        elif origins != [f"http://{hosts[0]}"] and (origins or scope["type"] == "websocket"):
            await self._refuse(scope, receive, send, "Origin")
        else:
            await self.app(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, what: str) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        response = PlainTextResponse(f"{what} is not this server\n", 403, HEADERS)
        await response(scope, receive, send)


class Tabs:
    """The open tabs and the threads that answer them."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.open: set[Tab] = set()
        # A thread keeps the working memory of its last board, so that there must be few.
        self.quick = ThreadPoolExecutor(2, "answer")
        self.slow = ThreadPoolExecutor(2, "games")

    async def serve(self, socket: WebSocket) -> None:
        """Serve one tab until it closes; then nothing holds its session any more."""
        await socket.accept()
        if len(self.open) >= MAX_TABS:
            await socket.send_json(
                {"kind": "error", "text": f"tabs={MAX_TABS} are open: close one of them first"}
            )
            await socket.close(FULL)
            return
        tab = Tab(self, socket)
        self.open.add(tab)
        try:
            await tab.listen()
        except WebSocketDisconnect:
            pass
        finally:
            await tab.stop()
            self.open.discard(tab)
            del tab
            self.slow.submit(_give_back)


def _give_back() -> None:
    """Give the memory of a closed tab back to the system: C keeps what Python frees."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # only the C library of Linux has it


class Tab:
    """One tab: its session, its connection, and its work in the background."""

    def __init__(self, tabs: Tabs, socket: WebSocket) -> None:
        self.tabs, self.socket = tabs, socket
        self.session = Session(tabs.folder)
        self._background: dict[str, asyncio.Task[None]] = {}
        self._allowance, self._time = MAX_BURST, time.monotonic()

    async def listen(self) -> None:
        """Answer messages one by one."""
        loop = asyncio.get_running_loop()
        while True:
            got = await self.socket.receive()
            if got["type"] == "websocket.disconnect":
                return
            text = got.get("text")  # None: bytes, which the page never sends
            if text is None or not self._allowed() or len(text) > MAX_MESSAGE:
                await self.socket.close(TOO_FAST)
                return
            try:
                message = json.loads(text)
            except (ValueError, RecursionError):
                message = None
            work = self.session.background(message)
            if work is not None:
                do = message["do"]
                await self.stop(*([] if do == STOP else [do]))
                self._background[do] = asyncio.create_task(self._work(work))
                continue
            for reply in await loop.run_in_executor(self.tabs.quick, self.session.answer, message):
                if reply["kind"] == "frame":
                    await self.stop(*OF_POSITION)
                await self._send(reply)

    def _allowed(self) -> bool:
        now = time.monotonic()
        gained = (now - self._time) * MAX_RATE
        self._allowance, self._time = min(MAX_BURST, self._allowance + gained), now
        self._allowance -= 1
        return self._allowance >= 0

    async def _work(self, work: Iterator[dict[str, Any]]) -> None:
        loop = asyncio.get_running_loop()
        with suppress(WebSocketDisconnect, RuntimeError):
            while (
                reply := await loop.run_in_executor(self.tabs.slow, next, work, None)
            ) is not None:
                await self._send(reply)

    async def _send(self, reply: dict[str, Any]) -> None:
        await self.socket.send_text(json.dumps(reply, allow_nan=False, separators=(",", ":")))

    async def stop(self, *deeds: str) -> None:
        """Stop the work of these messages in the background; none named: of all."""
        for do in deeds or tuple(self._background):
            task = self._background.pop(do, None)
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task


def make_app(hosts: frozenset[str], folder: Path | None = None) -> Any:
    """Return the application that serves the page to requests for these hosts (name:port)."""
    tabs = Tabs(folder)

    def page(request: Any) -> Response:
        return FileResponse(STATIC / "index.html", headers=HEADERS)

    class Files(StaticFiles):
        async def get_response(self, path: str, scope: Scope) -> Response:
            response = await super().get_response(path, scope)
            response.headers.update(HEADERS)
            return response

    routes = [
        Route("/", page),
        WebSocketRoute("/table", tabs.serve),
        Mount("/static", Files(directory=STATIC)),
    ]
    app = Starlette(routes=routes)
    app.state.tabs = tabs
    return OnlyFrom(app, hosts)
