"""The HTML of boards, games and analyses in a notebook: well-formed, and equal to the text."""

from collections.abc import Callable
from xml.etree import ElementTree

import pytest

import msdensity as md


def cells(html: str) -> list[str]:
    """Return the texts of all cells, reading order."""
    tree = ElementTree.fromstring(f"<body>{html}</body>")
    return [cell.text or "" for cell in tree.iter("td")]


def test_a_game_shows_what_the_player_sees() -> None:
    played = md.play_game(md.Task("4x5", 3, seed=2), 1)
    for shown in (played, played.game()):
        text = [
            symbol.replace(".", "").replace("0", "") for symbol in "".join(played.game().view())
        ]
        assert cells(shown._repr_html_()) == text
    assert f"{played.status}, {len(played.moves)} moves" in played._repr_html_()


def test_an_analysis_shows_safeties_in_percent() -> None:
    html = md.analyse(["1.F", "...", "..2"], 3)._repr_html_()
    safety = md.analyse(["1.F", "...", "..2"], 3).safety
    assert cells(html) == [f"{100 * s:.0f}" if s >= 0 else " " for s in safety.ravel()]
    assert "configurations" in html


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (lambda: md.analyse(["3."], 1), "impossible: the 3 at (0, 0) cannot be met"),
        (lambda: md.analyse(["." * 200] * 200, 9000), "about 10^"),
        (lambda: md.Board("4x5-torus8"), "board 4x5-torus8: 20 cells"),
    ],
)
def test_other_answers_are_words(shown: Callable, words: str) -> None:
    assert words in shown()._repr_html_()
