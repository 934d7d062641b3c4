"""The page of all findings: a card for each study."""

from __future__ import annotations

from collections.abc import Mapping

from msdensity.studies.page import Figures, as_address, as_html, framed

TITLE = "How dense can a Minesweeper board be?"


def findings_page(findings: Mapping[str, str], figures: Figures, pages: Mapping[str, str]) -> str:
    """Return the page as HTML; a study that found nothing has no card.

    findings: study -> its list in Markdown; figures, pages: study -> a figure (PNG file) and the
    address of its page.
    """
    cards = [
        {
            "study": study,
            "text": as_html(text),
            "picture": as_address(figures[study]),
            "page": pages[study],
        }
        for study, text in findings.items()
        if text.strip()
    ]
    return framed("findings/cards.html.j2", {"cards": cards, "title": TITLE}, TITLE)
