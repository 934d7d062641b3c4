"""The page in a real Chromium, with a mouse and with a keyboard. Needs Debian's chromium."""

import http.server
import json
import subprocess
import sys
import threading

import numpy as np
import pytest

from chromium import CUT, Shown, chromium, link, render, widget_states
from msdensity.games.analysis import analyse
from msdensity.games.boards import Rules
from msdensity.games.game import Game, play_game
from msdensity.games.tasks import Task
from msdensity.kernel.topology import outlines
from msdensity.viewer.picture import MINED, SAFE
from msdensity.viewer.widget import view
from places import ROOT

pytestmark = [
    pytest.mark.campaign,
    pytest.mark.skipif(chromium() is None, reason="no Chromium: apt-get install chromium"),
]

SIZES = {"wide": (1440, 900), "middle": (900, 1000), "narrow": (400, 800)}


def safe_cells(game: Game) -> list[int]:
    return [c for c, cell in enumerate("".join(game.layout)) if cell == "-"]


def mined_cells(game: Game) -> list[int]:
    return [c for c, cell in enumerate("".join(game.layout)) if cell == "*"]


def test_a_whole_game_by_hand_is_won_with_a_flag_and_a_chord(chrome, address) -> None:
    tab = Shown(chrome, address, link("8x8", 10, 3, start="zero"))
    game = Game.deal(Task("8x8", 10, rules=Rules("corner", "zero")), 3)
    game.open(0, 0)
    assert tab.rows == game.view()
    # A number with one mine: flag the mine, then the chord opens the others.
    numbers = "".join(game.view())
    near = tab.get("board.near")
    mines = set(mined_cells(game))
    one = next(
        c for c in range(64) if numbers[c] == "1" and sum(numbers[d] == "." for d in near[c]) > 1
    )
    (mine,) = mines & set(near[one])
    tab.click(mine, "right")
    game.flag(mine // 8, mine % 8)
    tab.click(one)
    game.chord(one // 8, one % 8)
    assert tab.rows == game.view() and game.actions[-1][0] == "chord"
    for c in safe_cells(game):
        if "".join(tab.rows)[c] == ".":
            tab.click(c)
            game.open(c // 8, c % 8)
            assert [row.replace("m", ".") for row in tab.rows] == game.view()
    assert game.status == tab.get("frame.status") == "won"
    assert "The game is won." in tab.words
    tab.close()


def test_a_game_by_hand_is_lost(chrome, address) -> None:
    tab = Shown(chrome, address, link("8x8", 10, 3))
    game = Game.deal(Task("8x8", 10), 3)
    flagged, mine = next(c for c in safe_cells(game) if c > 20), mined_cells(game)[0]
    tab.click(flagged, "right")
    tab.click(mine)
    assert tab.get("frame.status") == "lost"
    text = "".join(tab.rows)
    assert text[mine] == "*" and text[flagged] == "x"
    assert [c for c in range(64) if text[c] == "m"] == mined_cells(game)[1:]
    tab.close()


def test_hints_are_those_of_analyse_on_random_positions(chrome, address) -> None:
    tab = Shown(chrome, address)
    tab.tab("Position")
    rng = np.random.default_rng(7)
    certain = 0
    for _ in range(200):
        p, q = rng.integers(3, 9, 2).tolist()
        mined = rng.random((p, q)) < rng.uniform(0.1, 0.3)
        game = Game(["".join("*" if m else "-" for m in row) for row in mined])
        for c in rng.permutation(p * q)[: rng.integers(1, p * q)].tolist():
            action = "flag" if mined.ravel()[c] and rng.random() < 0.3 else "open"
            if action == "flag" or not mined.ravel()[c]:
                game.act(action, c // q, c % q)
        rows = game.view()
        tab.page.get_by_label("Rows").last.fill("\n".join(rows))
        tab.page.locator("section:visible").get_by_label("Mines", exact=True).fill(str(game.mines))
        with tab.answered():
            tab.button("Show this position").click()
        tab.until("viewer.board.symbols.join('') === argument", "".join(rows))
        answer = analyse(rows, game.mines)
        hints = answer.safety.copy()
        for value, places in ((SAFE, answer.safe), (MINED, answer.mined)):
            for place in places:
                hints[place] = value
                certain += 1
        shown = np.array([np.nan if x is None else x for x in tab.hints])
        assert np.array_equal(shown, hints.ravel(), equal_nan=True), rows
    assert certain > 200
    tab.close()


@pytest.mark.parametrize("player", ["weighted", "single_point"])
def test_a_watched_game_is_play_game_move_by_move(chrome, address, player: str) -> None:
    played = play_game(Task("9x9", 14, player), 2)
    tab = Shown(chrome, address, link("9x9", 14, 2))
    tab.tab("Watch")
    tab.page.locator("section:visible").get_by_label("Player").select_option(player)
    with tab.answered():
        tab.button("Watch this game").click()
    for at in range(1, len(played.moves) + 1):
        with tab.answered():
            tab.button("Step forward").click()
        assert [row.replace("m", ".").replace("x", "F") for row in tab.rows] == (
            played.game(at).view()
        )
        move = played.moves[at - 1]
        line = tab.page.locator("[aria-current=step]").inner_text()
        cell = ",".join(map(str, move.cell))
        assert line.startswith(f"{move.action} {cell}: {move.reason}")
        assert ("safety" in line) == move.guess
    assert tab.get("frame.status") == played.status
    with tab.answered():
        tab.button("To the start").click()
    guesses = [i + 1 for i, move in enumerate(played.moves) if move.guess]
    for at in guesses[:3]:
        with tab.answered():
            tab.button("To the next guess").click()
        assert tab.get("frame.at") in (at, at - 1)
    with tab.answered():
        tab.page.locator(".msd-log button").first.click()
    assert tab.get("frame.at") == 1
    tab.page.get_by_label("Speed").fill("100")
    tab.button("Play").click()
    tab.until("viewer.frame.at === argument", len(played.moves))
    tab.button("Play").wait_for()  # it is no "Pause" any more
    tab.close()


@pytest.mark.parametrize("topology", ["triangle12", "square8", "torus8", "torus_hexagonal"])
def test_cells_are_hit_at_their_corners(chrome, address, topology: str) -> None:
    shape = (6, 7)
    name = "x".join(map(str, shape)) + ("" if topology == "square8" else f"-{topology}")
    tab = Shown(chrome, address, link(name, 8, 1, first="anywhere"))
    lines = outlines(shape, topology)
    points, inner = [], []
    for c in range(len(lines.x)):
        for corner in lines.polygons[lines.kind[c]]:
            for scale in (0.97, 1.03):
                x, y = lines.x[c] + scale * corner[0], lines.y[c] + scale * corner[1]
                points.append((float(x), float(y)))
                inner.append(c if scale < 1 else -2 - c)
    hits = tab.page.evaluate(
        """(points) => {
          const { board } = document.getElementById("app").viewer;
          return points.map(([x, y]) => board.cellAt(...board.toCanvas(x, y)));
        }""",
        points,
    )
    for hit, wanted in zip(hits, inner, strict=True):
        assert hit == wanted if wanted >= 0 else hit != -2 - wanted
    # A real click just inside a corner of an inner cell.
    c = 3 * shape[1] + 3
    corner = 0.9 * lines.polygons[lines.kind[c]][0] * tab.get("board.unit")
    x, y = tab.point(c)
    with tab.answered():
        tab.page.mouse.click(x + corner[0], y + corner[1], button="right")
    assert "".join(tab.rows).index("F") == c
    tab.close()


def test_a_position_is_pasted_explained_and_exported(chrome, address) -> None:
    tab = Shown(chrome, address)
    tab.tab("Position")
    rows = ["12.1.", ".....", "..3..", "....."]
    tab.page.get_by_label("Rows").last.fill("\n".join(rows))
    with tab.answered():
        tab.button("Show this position").click()
    tab.page.get_by_text("The number of mines is not known").wait_for()
    assert tab.rows == rows and tab.get("frame.mode") == "position"
    safe = analyse(rows, None).safe[0]
    x, y = tab.point(5 * safe[0] + safe[1])
    tab.page.mouse.click(x, y)
    tab.page.get_by_text("this follows from").wait_for()
    assert f"({safe[0]}, {safe[1]}) is safe" in tab.words
    assert "proof" in tab.marks.values()
    tab.page.get_by_label("Rows").last.fill("")
    tab.button("Export the board").click()
    tab.page.get_by_text("The board is in the field Rows.").wait_for()
    assert tab.page.get_by_label("Rows").last.input_value() == "\n".join(rows)
    again = Shown(chrome, address, tab.get("frame.link"))
    assert again.rows == rows and again.get("frame.mode") == "position"
    again.close()
    tab.page.get_by_label("Rows").last.fill("1..1")
    tab.page.locator("section:visible").get_by_label("Mines", exact=True).fill("1")
    tab.button("Show this position").click()
    tab.page.get_by_text("contradict each other").wait_for()
    assert sorted(tab.marks) == [0, 3]
    tab.close()


def test_safeties_are_shown_always_on_hover_or_never(chrome, address) -> None:
    tab = Shown(chrome, address, link("8x8", 10, 3, start="zero"))
    cell = "".join(tab.rows).index(".")
    shown = {}
    for choice in ("on", "on hover", "off"):
        with tab.answered():
            tab.page.get_by_label("Safeties").select_option(choice)
        for hovered in (cell, 63):
            tab.page.mouse.move(*tab.point(hovered))
            hint = tab.get(f"board.hintOf({cell})")
            shown[choice, hovered == cell] = not np.isnan(hint)
    assert [where for where, is_shown in shown.items() if is_shown] == [
        ("on", True),
        ("on", False),
        ("on hover", True),
    ]
    tab.close()


def test_a_link_reopens_the_same_game(chrome, address) -> None:
    tab = Shown(chrome, address, link("16x30", 99, 17, first="anywhere"))
    tab.click(200)
    wanted = tab.page.get_by_label("Link to this game").input_value()
    tab.page.wait_for_url(wanted)  # the address follows
    again = Shown(chrome, *wanted.split("#"))
    assert again.rows == tab.rows and again.get("frame.title") == tab.get("frame.title")
    again.close()
    tab.close()


def test_two_tabs_have_two_games(chrome, address) -> None:
    one, two = (Shown(chrome, address, link(board, 6, 0)) for board in ("5x6", "6x7-hexagonal"))
    one.click(29, "right")
    two.click(0, "right", frames=1)
    assert len(one.rows) == 5 and len(two.rows) == 6
    assert "".join(one.rows).count("F") == 1 and "F" not in "".join(two.rows)
    one.close()
    two.click(41, "right")
    assert "".join(two.rows)[41] == "F"
    two.close()


def test_a_page_of_another_origin_is_refused(chrome, address) -> None:
    class Empty(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    foreign = http.server.HTTPServer(("127.0.0.1", 0), Empty)
    threading.Thread(target=foreign.serve_forever, daemon=True).start()
    page = chrome.new_page()
    page.goto(f"http://127.0.0.1:{foreign.server_port}/")
    opened = """(url) => new Promise((done) => {
      const socket = new WebSocket(url);
      socket.onopen = () => done("open");
      socket.onerror = () => done("refused");
    })"""
    table = address.replace("http", "ws") + "table"
    assert page.evaluate(opened, table) == "refused"
    own = Shown(chrome, address)
    assert own.page.evaluate(opened, table) == "open"  # the check can see an open one
    for shown, ran in ((own.page, False), (page, True)):
        script = "document.body.dataset.ran = new Function('return 1')()"
        shown.evaluate(
            """(text) => {
              const script = document.createElement("script");
              script.textContent = text;
              document.body.append(script);
            }""",
            script,
        )
        assert (shown.evaluate("() => document.body.dataset.ran") == "1") is ran
    assert all(url.startswith((address, "data:")) for url in own.asked)
    own.page.close()
    page.close()
    foreign.shutdown()


def test_the_keyboard_alone_plays_a_game(chrome, address) -> None:
    tab = Shown(chrome, address, link("8x8", 10, 3))
    game = Game.deal(Task("8x8", 10), 3)
    for _ in range(12):
        tab.page.keyboard.press("Tab")
        if tab.page.evaluate("document.activeElement.tagName") == "CANVAS":
            break
    assert tab.page.evaluate("document.activeElement.tagName") == "CANVAS"

    def go(cell: int) -> None:
        at = tab.get("board.cursor")
        steps = [("ArrowDown", cell // 8 - at // 8), ("ArrowRight", cell % 8 - at % 8)]
        for key, count in steps:
            back = {"ArrowDown": "ArrowUp", "ArrowRight": "ArrowLeft"}[key]
            for _ in range(abs(count)):
                tab.page.keyboard.press(key if count > 0 else back)
        assert tab.get("board.cursor") == cell

    go(mined_cells(game)[0])
    with tab.answered():
        tab.page.keyboard.press("f")
    assert "flagged" in tab.get(f"describe({mined_cells(game)[0]})")
    with tab.answered():
        tab.page.keyboard.press("h")
    for c in safe_cells(game):
        if "".join(tab.rows)[c] == ".":
            go(c)
            with tab.answered():
                tab.page.keyboard.press("Enter")
    assert tab.get("frame.status") == "won"
    assert tab.page.locator(".msd-spoken").inner_text().startswith("row ")
    with tab.answered():
        tab.page.keyboard.press("n")
    assert "game 4 " in tab.get("frame.title")
    tab.close()


@pytest.mark.parametrize(
    ("board", "mines", "first", "limit"),
    [("16x30", 99, "centre", 50), ("100x100", 1500, "centre", 150)],
)
def test_new_safeties_come_soon(chrome, address, capsys, board, mines, first, limit) -> None:
    """95 % of clicks are answered, drawn and shown within the limit, in milliseconds."""
    times: list[float] = []
    game = 0
    while len(times) < 150:
        tab = Shown(chrome, address, link(board, mines, game, first, "zero"))
        tab.page.get_by_label("Safeties").select_option("on")
        tab.until("viewer.frame.hints")
        for _ in range(75):
            if tab.get("frame.status") != "playing":
                break
            hints = np.array([-9 if x is None else x for x in tab.hints])
            text = np.array(list("".join(tab.rows)))
            tab.click(int(np.argmax(np.where(text == ".", hints, -9))))
        times += tab.page.evaluate(
            "() => performance.getEntriesByName('msdensity answer').map((e) => e.duration)"
        )
        tab.close()
        game += 1
    slowest = float(np.quantile(times, 0.95))
    with capsys.disabled():
        middle = float(np.median(times))
        print(
            f"\n{board}: {len(times)} clicks, median {middle:.1f} ms, 95 % within {slowest:.1f} ms"
        )
    assert slowest < limit


def test_a_position_beyond_the_exact_budget_says_so(chrome, address) -> None:
    rng = np.random.default_rng(5)
    mined = rng.random((40, 40)) < 0.3
    game = Game(["".join("*" if m else "-" for m in row) for row in mined])
    for i, j in np.argwhere(~mined[::2, ::2]).tolist():
        game.open(2 * i, 2 * j)
    assert not analyse(game.view(), game.mines).exact
    tab = Shown(chrome, address, f"rows={'/'.join(game.view())}&mines={game.mines}")
    tab.page.get_by_label("Safeties").select_option("on")
    tab.page.get_by_text("its safeties are estimates").wait_for()
    tab.close()


def test_the_widget_shows_the_same_board_and_asks_the_kernel(chrome) -> None:
    played = play_game(Task("8x8", 14), 3)
    viewer = view(played, hints=True)
    first = json.loads(json.dumps(viewer.first))
    page = render(chrome, {"_esm": viewer._esm, "_css": viewer._css, "first": first})
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    symbols = page.evaluate("document.querySelector('.msd').viewer.board.symbols.join('')")
    text = "".join(played.game().view())
    assert symbols.replace("m", ".").replace("x", "F") == text
    page.get_by_role("tab", name="Watch", exact=True).click()
    page.get_by_role("button", name="Step back", exact=True).click()
    for reply in viewer.session.answer(page.evaluate("sent.at(-1)")):
        page.evaluate("(reply) => receive(reply)", json.loads(json.dumps(reply)))
    assert page.evaluate("document.querySelector('.msd').viewer.frame.at") == len(played.moves) - 1
    assert not problems
    page.close()


def test_the_widgets_of_the_executed_notebook_are_shown(chrome, tmp_path) -> None:
    source = ROOT / "workflow/notebooks/view_a_game.ipynb"
    words = ["nbconvert", "--execute", "--to", "notebook", "--output-dir", str(tmp_path)]
    subprocess.run([sys.executable, "-m", *words, str(source)], check=True)
    notebook = json.loads((tmp_path / source.name).read_text(encoding="utf-8"))
    modes = []
    for state in widget_states(notebook):
        page = render(chrome, state)
        modes.append(page.evaluate("document.querySelector('.msd').viewer.frame.mode"))
        colours = page.evaluate(
            """() => {
              const canvas = document.querySelector("canvas");
              const { width, height } = canvas;
              const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
              return new Set(new Uint32Array(data.buffer)).size;
            }"""
        )
        assert colours > 5  # something is drawn
        page.close()
    assert modes == ["hand", "watch", "position"]


@pytest.mark.parametrize("size", SIZES)
def test_no_text_is_cut_off_and_everything_has_a_name(chrome, address, size: str) -> None:
    tab = Shown(chrome, address, link("16x30", 99, 1, "centre", "zero"), SIZES[size])
    tab.page.get_by_label("Safeties").select_option("on")
    for name in ("Game", "Guess", "Watch", "Many games", "Position", "Lost games"):
        tab.tab(name)
        tab.page.wait_for_timeout(150)
        assert tab.page.evaluate(CUT) == [], name
        assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        unnamed = tab.page.evaluate(
            """() => [...document.querySelectorAll("button, input, select, textarea, canvas")]
              .filter((e) => e.offsetParent && !e.labels?.length && !e.getAttribute("aria-label")
                && !e.textContent.trim()).map((e) => e.outerHTML.slice(0, 80))"""
        )
        assert unnamed == []
    tab.close()
