"""README.md begins with what the studies found, in their own words and numbers."""

import re

import pytest

from places import ROOT

FINDINGS = sorted((ROOT / "figures/readme").glob("*.md"))


def first_item(markdown: str) -> str:
    """Return the first item of a list, in one line."""
    return " ".join(re.split(r"^- ", markdown, flags=re.M)[1].split())


def test_findings_are_committed_with_their_records() -> None:
    assert len(FINDINGS) == 3
    assert all(path.with_name(f"{path.name}.json").is_file() for path in FINDINGS)


@pytest.mark.parametrize("path", FINDINGS, ids=lambda path: path.stem)
def test_the_readme_quotes_each_finding(path) -> None:
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"- {first_item(path.read_text(encoding='utf-8'))}" in readme
