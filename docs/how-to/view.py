"""Take the pictures of view.md: the page, and the widget of an executed notebook, in a Chromium."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))  # the browser of the tests

from chromium import Shown, browser, served, show_widget  # noqa: E402

FOLDER = Path(__file__).with_name("view")
NOTEBOOK = ROOT / "workflow" / "notebooks" / "view_a_game.ipynb"
SIZE = (1180, 720)


def link(board: str, mines: int, game: int, first: str = "centre", start: str = "zero") -> str:
    """Return the link of a game with seed 0."""
    return f"board={board}&mines={mines}&start={start}&first={first}&seed=0&game={game}"


def hinted(chrome: Any, address: str, at: str, size: tuple[int, int] = SIZE) -> Shown:
    """Open a page with its safeties."""
    tab = Shown(chrome, address, at, size)
    tab.page.get_by_label("Safeties").select_option("on")
    tab.until("viewer.frame.hints")
    tab.page.wait_for_timeout(1500)  # the density of the board is looked up
    return tab


def take(tab: Shown, name: str) -> None:
    """Save what a tab shows."""
    tab.page.screenshot(path=FOLDER / f"{name}.png", full_page=True)
    tab.close()


def certain_cell(tab: Shown) -> int:
    """Return the certainly safe cell that takes the most numbers to prove."""
    cells = [c for c, hint in enumerate(tab.hints) if hint == 2]
    counts = []
    for cell in cells:
        tab.page.evaluate(
            "(cell) => { const { viewer } = document.getElementById('app');"
            " viewer.board.mark(new Map()); viewer.why(cell); }",
            cell,
        )
        tab.until("viewer.board.marks.get(argument) === 'ask'", cell)
        counts.append(len(tab.marks))
    return cells[counts.index(max(counts))]


def main() -> None:
    """Take all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with served() as address, browser() as chrome:
        take(hinted(chrome, address, link("16x30", 99, 1)), "hand")
        for name, board in (("hexagons", "12x14-hexagonal"), ("torus", "10x14-torus8")):
            take(hinted(chrome, address, link(board, 28, 2), (1180, 640)), name)
        tab = hinted(chrome, address, link("16x30", 99, 1))
        tab.page.get_by_label("A click").select_option("asks why")
        tab.page.mouse.click(*tab.point(certain_cell(tab)))
        tab.page.wait_for_timeout(500)
        take(tab, "why")
        watched = link("16x30", 99, 5, "corner", "safe") + "&player=weighted&at="
        tab = hinted(chrome, address, watched + "1", (1180, 900))
        tab.tab("Guess")
        tab.button("What would each player choose?").click()
        tab.page.locator(".msd-choices tbody tr").nth(13).wait_for(timeout=600_000)
        take(tab, "guess")
        tab = hinted(chrome, address, watched + "120", (1180, 820))
        tab.tab("Watch")
        take(tab, "watch")
        tab = hinted(chrome, address, link("16x30", 99, 5), (1180, 1050))
        tab.tab("Many games")
        tab.button("Play them").click()
        note = "document.querySelector('.msd-bars + .msd-small').textContent"
        tab.until(f"{note} && !{note}.includes('Playing')")
        take(tab, "many")
        tab = Shown(chrome, address, "", (900, 560))
        tab.tab("Position")
        tab.page.get_by_label("Rows").last.fill("1.2.1\n.....\n..1..\n.....\n1...1")
        tab.page.locator("section:visible").get_by_label("Mines", exact=True).fill("2")
        tab.button("Show this position").click()
        tab.page.get_by_text("contradict each other").wait_for()
        take(tab, "impossible")
        with tempfile.TemporaryDirectory() as folder:
            words = ["nbconvert", "--execute", "--to", "notebook", "--output-dir", folder]
            subprocess.run([sys.executable, "-m", *words, str(NOTEBOOK)], check=True)
            notebook = json.loads((Path(folder) / NOTEBOOK.name).read_text(encoding="utf-8"))
        page = show_widget(chrome, notebook, 1)
        page.screenshot(path=FOLDER / "widget.png")
        page.close()


if __name__ == "__main__":
    main()
