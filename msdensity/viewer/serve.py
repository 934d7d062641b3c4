"""Start the server of `msdensity view` on this machine's own address."""

from __future__ import annotations

import socket
import webbrowser
from pathlib import Path
from threading import Thread

import uvicorn

from msdensity.errors import InputError
from msdensity.viewer.limits import MAX_MESSAGE
from msdensity.viewer.server import make_app

LOOPBACK = "127.0.0.1"


def serve(port: int, folder: Path | None, browser: bool = True) -> int:
    """Serve the page on 127.0.0.1 until Ctrl-C; return 0.

    port: 0 for any free one; folder: of the ledgers that may be read. Raises InputError if the port
    is taken.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
    except OSError as error:
        raise InputError(f"port={port} must be free: {error.strerror}; try --port 0") from None
    port = listener.getsockname()[1]
    hosts = frozenset(f"{name}:{port}" for name in (LOOPBACK, "localhost"))
    address = f"http://{LOOPBACK}:{port}/"
    print(f"{address} (Ctrl-C ends it)", flush=True)
    Thread(target=_warm_up, daemon=True).start()
    if browser:
        webbrowser.open(address)
    config = uvicorn.Config(
        make_app(hosts, folder),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=MAX_MESSAGE,
        ws_max_queue=16,
        h11_max_incomplete_event_size=64_000,
        limit_concurrency=256,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[listener])
    return 0


def _warm_up() -> None:
    """Compile what the first click would wait for."""
    from msdensity.games.analysis import analyse

    analyse(["1."], 1)
