"""Pages: letter by letter what the facts say, and readable without any other file."""

import html.parser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from jinja2 import UndefinedError, meta

from msdensity.runs.config import STUDIES, STUDY_FILES
from msdensity.studies import page as kit
from msdensity.studies.findings.page import findings_page

VOID = {"meta", "img"}
TEMPLATE = """# W < 1 & P

{% macro player(name) %}`{{ name }}` of {{ name }}{% endmacro %}
One
line with `m < 3`, {{ player("a_b") }}, {{ text }} and {{ number | f("+.1f") }}.

*A _caption_ of |z|*

{{ frame | table("board", "z:+.1f", "n ± error:.1f", "both = {n:02d} {board}") }}

{{ frame[["n"]] | table }}

![A "dot" of `W`](dot)

    snakemake --cores 2 > log
"""
HARD = r"<b>*no* _list_ [a](b) | `c` \ &amp; a_0"


class Reader(html.parser.HTMLParser):
    """Checks that every element is closed where it must be, and keeps the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.cells: list[str] = []
        self.tags: set[str] = set()
        self.sources: list[str] = []

    def handle_starttag(self, tag, attrs) -> None:
        self.sources += [value for name, value in attrs if name in ("src", "href")]
        self.tags.add(tag)
        self.cells += [""] * (tag in ("td", "th"))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        if "style" in self.open:
            return
        self.words.append(data)
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data


@pytest.fixture
def rendered(tmp_path, monkeypatch):
    """Return the reader of TEMPLATE rendered."""
    (tmp_path / "dot.png").write_bytes(b"\x89PNG not really")
    (tmp_path / "page.md.j2").write_text(TEMPLATE, encoding="utf-8")
    frame = (kit.Path(kit.__file__).parent / kit.FRAME).read_text(encoding="utf-8")
    (tmp_path / kit.FRAME).write_text(frame, encoding="utf-8")
    monkeypatch.setattr(kit, "__file__", str(tmp_path / "page.py"))
    table = {"board": [HARD, "3x3"], "z": [-1.25, None], "n": [1, 2], "error": [0.5, None]}
    facts = {"text": HARD, "number": -1.26, "frame": pd.DataFrame(table)}
    reader = Reader()
    reader.feed(kit.render("page.md.j2", facts, {"dot": tmp_path / "dot.png"}))
    assert reader.open == []
    return reader


def test_a_page_says_what_the_facts_hold_letter_by_letter(rendered) -> None:
    words = " ".join("".join(rendered.words).split())
    for part in (
        "W < 1 & P",
        f"One line with m < 3, a_b of a_b, {HARD} and \N{MINUS SIGN}1.3.",
        'A "dot" of W',
        "snakemake --cores 2 > log",
    ):
        assert part in words, part
    assert rendered.cells == [
        *("board", "z", "n ± error", "both"),
        *(HARD, "\N{MINUS SIGN}1.2", "1.00 ± 0.50", f"01 {HARD}"),
        *("3x3", "", "2.0", "02 3x3"),
        *("n", "1", "2"),
    ]
    assert not rendered.tags & {"b", "a", "strong", "li", "br"}
    (source,) = rendered.sources
    assert source.startswith("data:image/png;base64,")


@pytest.mark.parametrize("name", ["absent", "facts.absent", "facts[0]"])
def test_a_name_that_is_not_in_the_facts_is_an_error(name) -> None:
    with pytest.raises(UndefinedError):
        kit._environment().from_string(f"{{{{ {name} }}}}").render(facts={})


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.16345, 0.00042, "0.16345 ± 0.00042"),
        (-2.5, 0.31, "\N{MINUS SIGN}2.50 ± 0.31"),
        (3.1e-6, 4.2e-7, "0.00000310 ± 0.00000042"),
        (12.0, 25.0, "12 ± 25"),
        (0.5, np.nan, "0.50000"),
        (np.nan, 0.1, ""),
    ],
)
def test_a_number_shows_two_digits_of_its_error(value, error, text) -> None:
    assert kit.pm(value, error) == text


@pytest.mark.parametrize("study", STUDIES.values())
def test_the_page_of_a_study_names_all_templates_that_it_includes(study) -> None:
    """Because the hash of a step covers only the templates that its modules name."""
    environment = kit._environment()
    source = environment.loader.get_source(environment, f"{study}/page.md.j2")[0]
    page = (Path(kit.__file__).parent / study / "page.py").read_text()
    for included in meta.find_referenced_templates(environment.parse(source)):
        assert f'"{included}"' in page
        source = environment.loader.get_source(environment, included)[0]
        assert not list(meta.find_referenced_templates(environment.parse(source)))


def test_the_command_of_a_page_names_the_file_of_its_settings():
    assert (
        kit.how_to_run("players", STUDY_FILES["players"])["command"]
        == "snakemake --cores 2 players"
    )
    own = kit.how_to_run("players", "my own.yaml")
    assert own["command"] == "snakemake --cores 2 --configfile 'my own.yaml'"


def test_the_page_of_findings_shows_every_list_with_its_figure_and_link(tmp_path):
    figure = tmp_path / "a.png"
    figure.write_bytes(b"\x89PNG one")
    findings = {"one": "- **Half** of 3 ± 1\n- second & last\n", "two": "- <b>no</b>\n", "none": ""}
    pages = {study: f"../{study}/{study}.html" for study in findings}
    html = findings_page(findings, dict.fromkeys(findings, figure), pages)
    assert (
        html.count("<section") == html.count("<img") == 2 and "none" not in html.partition("h1")[2]
    )
    assert "<li><strong>Half</strong> of 3 ± 1</li>" in html and "second &amp; last" in html
    assert "&lt;b&gt;no" in html and "<b>no" not in html
    assert html.count('href="../two/two.html"') == 2


@pytest.mark.parametrize("study", STUDIES.values())
def test_a_page_begins_with_its_finding(study) -> None:
    environment = kit._environment()
    source = environment.loader.get_source(environment, f"{study}/page.md.j2")[0]
    include = f'{{% include "{study}/finding.md.j2" %}}'
    assert include in source.partition("\n## ")[0] or include in source.partition("## In short")[2]
