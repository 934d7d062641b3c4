"""The viewer in a real Chromium: a server, a browser, and a page that tests can ask."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msdensity.games.tasks import Task

LEDGER_TASK = Task("8x8", 14, "single_point", seed=5)
"""Its games are in the ledger single.csv of the served page."""

PATHS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

CUT = """() => [...document.querySelectorAll("button, label, dd, dt, td, th, h1, p, li, summary")]
  .filter((e) => e.offsetParent && getComputedStyle(e).display !== "inline"
    && (e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth + 1))
  .map((e) => `${e.tagName}: ${e.textContent.slice(0, 40)}`)"""
"""Elements whose text is wider than they are, or that stick out of the window."""


def link(board: str, mines: int, game: int, first: str = "corner", start: str = "safe") -> str:
    """Return the part of an address after # that opens a game."""
    return f"board={board}&mines={mines}&start={start}&first={first}&seed=0&game={game}"


def chromium() -> str | None:
    """Return the path of a Chromium of this system, or None."""
    return next((path for name in PATHS if (path := shutil.which(name))), None)


@contextmanager
def served(folder: Path | None = None) -> Iterator[str]:
    """Run `msdensity view`; give its address."""
    words = ["view", "--no-browser", "--port", "0"]
    words += [] if folder is None else ["--ledgers", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "msdensity", *words],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    try:
        match = re.match(r"(http://127\.0\.0\.1:\d+/) ", process.stdout.readline())
        assert match
        yield match[1]
    finally:
        process.terminate()
        process.wait(timeout=60)


@contextmanager
def browser() -> Iterator[Any]:
    """Start a Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


RENDER = """async ([source, first]) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const widget = (await import(url)).default;
  window.sent = [];
  const model = { get: () => first, send: (message) => sent.push(message),
    on: (_, receive) => { window.receive = receive; }, off: () => {} };
  widget.render({ model, el: document.getElementById("out") });
}"""
"""Show a widget as a notebook does, with a stand-in for the notebook's side of it."""


def render(browser: Any, state: dict[str, Any]) -> Any:
    """Return a page that shows a widget from its state (`_esm`, `_css`, `first`)."""
    page = browser.new_page(viewport={"width": 1000, "height": 760})
    page.set_content(f"<style>{state['_css']}</style><div id=out></div>")
    page.evaluate(RENDER, [state["_esm"], state["first"]])
    page.wait_for_function("() => document.querySelector('.msd').viewer.frames === 1")
    return page


def widget_states(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the states of the widgets that the outputs of an executed notebook show."""
    view, kept = (f"application/vnd.jupyter.widget-{name}+json" for name in ("view", "state"))
    states = notebook["metadata"]["widgets"][kept]["state"]
    outputs = (output for cell in notebook["cells"] for output in cell.get("outputs", []))
    shown = (output["data"][view]["model_id"] for output in outputs if view in output["data"])
    return [states[model]["state"] for model in shown]


def show_widget(browser: Any, notebook: dict[str, Any], index: int) -> Any:
    """Return a page that shows one of the widgets of an executed notebook."""
    return render(browser, widget_states(notebook)[index])


class Shown:
    """One tab: what it shows, and hands that act on it."""

    def __init__(
        self, browser: Any, address: str, link: str = "", size: tuple[int, int] = (1280, 900)
    ):
        self.problems: list[str] = []
        self.asked: list[str] = []
        self.page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda m: m.type == "error" and self.problems.append(m.text))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(address + (f"#{link}" if link else ""))
        self.wait(2 if link else 1)

    def get(self, expression: str) -> Any:
        """Return a value of the viewer, such as "board.unit"."""
        return self.page.evaluate(f"() => document.getElementById('app').viewer.{expression}")

    def wait(self, frames: int) -> None:
        """Wait until so many frames have been shown."""
        self.page.wait_for_function(
            "n => document.getElementById('app').viewer?.frames >= n", arg=frames, timeout=120_000
        )

    @contextmanager
    def answered(self, frames: int = 1) -> Iterator[None]:
        """Wait until what is done inside has been answered."""
        before = self.get("frames")
        yield
        self.wait(before + frames)

    @property
    def rows(self) -> list[str]:
        """The symbols of the board."""
        width, text = self.get("board.shape")[1], "".join(self.get("board.symbols"))
        return [text[i : i + width] for i in range(0, len(text), width)]

    @property
    def hints(self) -> list[float | None]:
        """The hints of the board, None where there is none."""
        return self.page.evaluate(
            """() => Array.from(document.getElementById("app").viewer.board.hints,
              (x) => (Number.isNaN(x) ? null : x))"""
        )

    @property
    def words(self) -> str:
        """What stands below the board."""
        return self.page.locator(".msd-words").inner_text()

    @property
    def marks(self) -> dict[int, str]:
        """The cells with a ring, and what it means."""
        return dict(self.get("board.marks.entries().toArray()"))

    def point(self, cell: int) -> tuple[float, float]:
        """Return the place of a cell's centre in the window, after it is scrolled into view."""
        x, y = self.page.evaluate(
            """(cell) => {
              const viewer = document.getElementById("app").viewer;
              viewer.scrollTo(cell);
              const { left, top } = viewer.canvas.getBoundingClientRect();
              const [x, y] = viewer.board.toCanvas(viewer.board.x[cell], viewer.board.y[cell]);
              return [left + x, top + y];
            }""",
            cell,
        )
        return x, y

    def click(self, cell: int, button: str = "left", frames: int = 1) -> None:
        """Click on a cell and wait for the answer."""
        x, y = self.point(cell)
        with self.answered(frames):
            self.page.mouse.click(x, y, button=button)

    def tab(self, name: str) -> None:
        """Open a panel."""
        self.page.get_by_role("tab", name=name, exact=True).click()

    def button(self, name: str) -> Any:
        """Return a button by the name that a screen reader says."""
        return self.page.get_by_role("button", name=name, exact=True)

    def until(self, expression: str, argument: Any = None) -> None:
        """Wait until an expression of `viewer` and `argument` is true; the page allows no eval."""
        self.page.wait_for_function(
            "(argument) => { const { viewer } = document.getElementById('app');"
            f" return {expression}; }}",
            arg=argument,
        )

    def close(self) -> None:
        """Close the tab; nothing must have gone wrong in it."""
        self.page.close()
        assert not self.problems
