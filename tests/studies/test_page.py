"""Pages: escaped, whole, and readable without any other file."""

import html.parser

import pandas as pd

from msdensity.studies.page import Page

VOID = {"meta", "img"}


class Reader(html.parser.HTMLParser):
    """Checks that every element is closed where it must be, and keeps the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag, attrs) -> None:
        self.sources += [value for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        self.words.append(data)


def test_a_page_holds_what_was_added(tmp_path) -> None:
    image = tmp_path / "dot.png"
    image.write_bytes(b"\x89PNG not really")
    page = Page("W < 1 & P")
    page.heading("Wins")
    page.text("One\nline with `m < 3`.\n\nAnother.")
    page.table(
        pd.DataFrame({"board": ["<2x2>", "3x3"], "z": [-1.25, None]}), "A caption", {"z": "+.1f"}
    )
    page.figure(image, 'A "dot"')
    page.code("snakemake --cores 2 > log")
    page.write(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    words = " ".join(" ".join(reader.words).split())
    for part in ("W < 1 & P", "One line with m < 3 .", "Another.", "<2x2>", "\N{MINUS SIGN}1.2"):
        assert part in words.replace("  ", " "), part
    assert "nan" not in words.lower()
    assert all(source.startswith("data:image/png;base64,") for source in reader.sources)
    assert page.html() == text
