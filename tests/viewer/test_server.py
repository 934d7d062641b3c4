"""The server of the page: who may ask, how much, and what a closed tab leaves."""

import gc
import json
import re
import socket
import sys
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from msdensity.cli import main
from msdensity.viewer import server
from msdensity.viewer.limits import MAX_MESSAGE
from msdensity.viewer.server import STATIC, make_app
from msdensity.viewer.session import Session
from msdensity.viewer.table import Position
from msdensity.viewer.widget import MODULES, one_module

HOST = "127.0.0.1:8765"
ORIGIN = f"http://{HOST}"
SOURCES = sorted(STATIC.glob("*.js"))


def client() -> TestClient:
    return TestClient(make_app(frozenset({HOST, "localhost:8765"})), base_url=ORIGIN)


def connect(to: TestClient, origin: str | None = ORIGIN, host: str = HOST):
    headers = {"host": host} | ({} if origin is None else {"origin": origin})
    return to.websocket_connect("/table", headers=headers)


def ask(socket, kinds: int, **message: object) -> list[dict]:
    socket.send_text(json.dumps(message))
    return [json.loads(socket.receive_text()) for _ in range(kinds)]


def test_the_page_and_its_modules_are_served_with_a_strict_policy() -> None:
    with client() as to:
        for path in ("/", *(f"/static/{p.name}" for p in STATIC.iterdir())):
            answer = to.get(path)
            assert answer.status_code == 200
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy and "script-src 'self';" in policy
            assert "unsafe" not in policy and "http" not in policy and "*" not in policy
        for path in ("/static/../server.py", "/static/%2e%2e/server.py", "/etc/passwd", "/table"):
            assert to.get(path).status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1"},
        {"host": f"{HOST}.evil.example"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "https://127.0.0.1:8765"},
    ],
)
def test_a_foreign_host_or_origin_is_refused(headers: dict[str, str]) -> None:
    with client() as to:
        assert to.get("/", headers=headers).status_code == 403
        assert to.get("/static/main.js", headers=headers).status_code == 403
        given = {"host": HOST, "origin": ORIGIN} | headers
        with pytest.raises(WebSocketDisconnect), connect(to, given["origin"], given["host"]):
            pass


def test_a_connection_needs_an_origin() -> None:
    with client() as to:
        with pytest.raises(WebSocketDisconnect), connect(to, None):
            pass
        with connect(to, "http://localhost:8765", "localhost:8765") as socket:
            assert ask(socket, 1, do="hello")[0]["kind"] == "hello"


def test_each_tab_has_a_game_of_its_own_and_a_closed_one_is_freed(monkeypatch) -> None:
    sessions: list[weakref.ref[Session]] = []

    class Watched(Session):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)  # type: ignore[arg-type]
            sessions.append(weakref.ref(self))

    monkeypatch.setattr(server, "Session", Watched)
    app = make_app(frozenset({HOST}))
    with TestClient(app, base_url=ORIGIN) as to:
        with connect(to) as one, connect(to) as two:
            boards = [
                ask(socket, 2, do="new", board=board, mines=9)[0]["name"]
                for socket, board in ((one, "5x6"), (two, "6x7"))
            ]
            assert boards == ["5x6", "6x7"]
            assert ask(one, 1, do="act", cell=3)[0]["moves"] == 1
            assert ask(two, 1, do="act", action="flag", cell=0)[0]["mines_left"] == 8
            assert len(app.app.state.tabs.open) == 2
        assert not app.app.state.tabs.open
        gc.collect()
        assert [session() for session in sessions] == [None, None]


def test_games_in_the_background_stop_with_their_tab() -> None:
    with client() as to, connect(to) as socket:
        message = {"board": "8x8", "mines": 10, "first": "corner", "games": 1_000_000}
        first = ask(socket, 1, do="many", **message)[0]
        assert first["kind"] == "many" and 0 < first["games"] < 1_000_000
        while socket.receive_json()["games"] < 2 * first["games"]:
            pass
        # The tab still answers while they are played.
        socket.send_text(json.dumps({"do": "why", "cell": 0}))
        while socket.receive_json()["kind"] != "why":
            pass
    # Leaving the block ends the server, which would wait for a million games.


def test_many_games_go_on_while_other_work_is_done_and_end_when_told() -> None:
    with client() as to, connect(to) as socket:
        message = {"board": "8x8", "mines": 10, "first": "corner", "games": 1_000_000}
        ask(socket, 0, do="many", **message)
        ask(socket, 0, do="lost", ledger="none")
        while socket.receive_json()["kind"] != "error":
            pass
        first = socket.receive_json()
        assert first["kind"] == "many" and "Playing ..." in first["note"]
        assert socket.receive_json()["games"] > first["games"]
        ask(socket, 0, do="stop")
        while socket.receive_json()["kind"] != "stopped":
            pass
        # No game is played after that: the next answer is to the next question.
        time.sleep(0.3)
        assert ask(socket, 1, do="ledgers")[0]["kind"] == "ledgers"


def test_choices_in_an_earlier_position_are_not_told_after_it(monkeypatch) -> None:
    def choices(position: Position) -> Iterator[dict]:
        for i in range(100):
            time.sleep(0.02)
            yield {"kind": "choice", "player": str(i)}

    monkeypatch.setattr("msdensity.viewer.choices.choices", choices)
    with client() as to, connect(to) as socket:
        assert ask(socket, 1, do="choices")[0]["kind"] == "choice"
        ask(socket, 0, do="act", action="flag", cell=3)
        while (kind := socket.receive_json()["kind"]) == "choice":
            pass
        assert kind == "board"
        while (kind := socket.receive_json()["kind"]) == "choice":
            pass
        assert kind == "frame"
        time.sleep(0.1)
        assert ask(socket, 1, do="ledgers")[0]["kind"] == "ledgers"


def test_messages_that_are_no_messages_are_answered_in_words() -> None:
    with client() as to, connect(to) as socket:
        for text in ("{", "[1]", '"x"', "[" * 10_000, '{"do": 3}', '{"do": "act", "cell": 1e400}'):
            socket.send_text(text)
            assert socket.receive_json()["kind"] == "error"
        refused = ask(socket, 1, do="new", board="1000x1000", mines=9)[0]
        assert "must have two sides of at most 200 cells" in refused["text"]


def test_too_much_and_too_fast_closes_the_tab() -> None:
    with client() as to:
        with connect(to) as socket, pytest.raises(WebSocketDisconnect):
            socket.send_text("x" * (MAX_MESSAGE + 1))
            socket.receive_text()
        with connect(to) as socket, pytest.raises(WebSocketDisconnect):
            socket.send_bytes(b"{}")
            socket.receive_text()
        with connect(to) as socket, pytest.raises(WebSocketDisconnect):
            for _ in range(1000):
                ask(socket, 1, do="ledgers")


def test_there_are_only_so_many_tabs(monkeypatch) -> None:
    monkeypatch.setattr(server, "MAX_TABS", 1)
    with client() as to, connect(to) as one, connect(to) as two:
        assert "close one" in two.receive_json()["text"]
        assert ask(one, 1, do="ledgers")[0]["names"] == []


def test_the_modules_need_nothing_from_outside_and_no_eval() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in SOURCES}
    for name, text in texts.items():
        assert len(text.splitlines()) <= 450, name
        for word in ("eval(", "new Function", "innerHTML", "http://", "https://", "import("):
            assert word not in text, (name, word)
    page = Path(STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|<script>|style=|onclick", page)


def test_the_module_of_the_widget_is_the_same_front_end() -> None:
    imported = {
        name
        for path in SOURCES
        for name in re.findall(r'from "\./(\w+)\.js"', path.read_text(encoding="utf-8"))
    }
    assert imported | {"widget"} == set(MODULES)
    text = one_module()
    assert not re.search(r"^import ", text, re.MULTILINE)
    assert re.findall(r"^export .*", text, re.MULTILINE) == ["export default { render };"]
    names = re.findall(r"^(?:const|class|function|let) (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names))  # they share one scope


def test_without_its_packages_the_command_says_what_to_install(monkeypatch, capsys) -> None:
    for name in ("starlette", "msdensity.viewer.serve", "msdensity.viewer.server", "uvicorn"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["view", "--no-browser"]) == 2
    assert "pip install 'msdensity[view]'" in capsys.readouterr().err


def test_a_wrong_port_or_folder_is_one_line(capsys, tmp_path) -> None:
    for words, wanted in (
        (["--port", "70000"], "port=70000 must be"),
        (["--ledgers", str(tmp_path / "none")], "must be a folder"),
    ):
        assert main(["view", "--no-browser", *words]) == 2
        assert wanted in capsys.readouterr().err
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["view", "--no-browser", "--port", str(taken.getsockname()[1])]) == 2
        assert "must be free" in capsys.readouterr().err
