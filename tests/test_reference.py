"""The pages of docs/reference are what the package makes."""

import runpy

from places import ROOT


def test_the_page_of_the_settings_agrees_with_their_classes() -> None:
    folder = ROOT / "docs" / "reference"
    made = runpy.run_path(str(folder / "config.py"))["reference"]()
    assert (folder / "config.md").read_text(encoding="utf-8") == made
    for key in ("relative_error", "depth_limit", "spot_games", "figure_games"):
        assert made.count(f"| `{key}` |") == 1
