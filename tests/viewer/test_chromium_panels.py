"""The panels of the page in a real Chromium: what is typed, links, and work behind a panel."""

import pytest

from chromium import LEDGER_TASK, Shown, chromium, link
from msdensity.games.game import play_game

pytestmark = [
    pytest.mark.campaign,
    pytest.mark.skipif(chromium() is None, reason="no Chromium: apt-get install chromium"),
]


def test_the_form_keeps_what_is_typed_and_says_what_is_wrong(chrome, address) -> None:
    tab = Shown(chrome, address, link("9x9", 10, 3))
    rows, mines, game = (
        tab.page.get_by_label(name, exact=True).first for name in ("Rows", "Mines", "Game number")
    )
    rows.fill("12")
    mines.fill("20")
    tab.click(tab.get("board.symbols").index("."), "right")
    assert (rows.input_value(), mines.input_value()) == ("12", "20")
    # Another game fills the form anew, also on a board of the same size.
    with tab.answered():
        tab.page.evaluate("(link) => { location.hash = link; }", link("9x9", 11, 4))
    values = [field.input_value() for field in (rows, mines, game)]
    assert values == ["9", "11", "4"]
    game.fill("four")
    tab.button("Next game").click()
    tab.until("viewer.words.textContent.includes(argument)", "game='four' must be a whole number")
    tab.close()


def test_a_link_asks_for_nothing_else_than_a_board(chrome, address) -> None:
    tab = Shown(chrome, address, "rows=12./.../...&do=many")
    assert tab.rows == ["12.", "...", "..."]
    tab.close()


def test_many_games_go_on_behind_other_panels(chrome, address) -> None:
    tab = Shown(chrome, address, link("9x9", 10, 3))
    tab.tab("Many games")
    tab.page.locator("section:visible").get_by_label("Games", exact=True).fill("1000000")
    tab.button("Play them").click()
    tab.until("viewer.panels[3].note.textContent.includes('Playing')")
    tab.tab("Lost games")
    tab.until("viewer.panels[5].words.textContent.includes('games 0 to')")
    before = tab.get("panels[3].facts.textContent")
    tab.until("viewer.panels[3].facts.textContent !== argument", before)
    tab.tab("Many games")
    tab.button("Stop").click()
    tab.until("viewer.panels[3].note.textContent.endsWith('Stopped.')")
    tab.close()


def test_many_games_lost_games_and_duels_are_shown(chrome, address) -> None:
    tab = Shown(chrome, address, link("8x8", 14, 1))
    tab.tab("Many games")
    tab.page.locator("section:visible").get_by_label("Games").fill("1000000")
    tab.button("Play them").click()
    tab.page.get_by_text("Playing ...").wait_for()
    tab.click(63, "right")  # the board answers while they are played
    tab.button("Stop").click()
    assert "%" in tab.page.locator("section:visible .msd-facts").inner_text()
    tab.tab("Lost games")
    tab.button("Find the lost games").click()
    lost = [str(g) for g in range(40) if play_game(LEDGER_TASK, g).status == "lost"]
    tab.page.get_by_role("button", name=lost[-1], exact=True).wait_for()
    assert tab.page.locator("section:visible tbody tr").count() == len(lost)
    with tab.answered():
        tab.page.get_by_role("button", name=lost[0], exact=True).click()
    assert tab.get("frame.mode") == "watch" and f"game {lost[0]} " in tab.get("frame.title")
    tab.tab("Watch")
    with tab.answered():
        tab.button("Where do they part?").click()
    tab.page.locator(".msd-words").get_by_text("In the end").wait_for()
    tab.close()
