"""What all figures share: the same bytes under any settings of the user."""

import matplotlib as mpl
import pandas as pd

from msdensity.studies.plot import legend_name, save_figure, styled

OTHERS = {
    "axes.grid": True,
    "axes.unicode_minus": False,
    "figure.autolayout": True,
    "font.family": "serif",
    "font.size": 17,
    "image.cmap": "gray",
    "lines.linestyle": ":",
    "mathtext.fontset": "stix",
    "pdf.compression": 0,
    "savefig.bbox": "tight",
    "savefig.transparent": True,
    "text.usetex": True,
    "xtick.direction": "in",
}


@styled
def line(table: pd.DataFrame) -> mpl.figure.Figure:
    figure = mpl.figure.Figure(figsize=(3, 2))
    ax = figure.subplots()
    ax.plot(table["x"], -table["x"])
    ax.set_xlabel("$\\rho$ of a board")
    return figure


def test_the_settings_of_a_user_change_no_byte(tmp_path):
    table = pd.DataFrame({"x": [1, 2, 4]})
    names = [f"figure.{ending}" for ending in ("png", "pdf")]
    for folder in ("plain", "changed"):
        (tmp_path / folder).mkdir()
    save_figure(line(table), *(tmp_path / "plain" / name for name in names))
    with mpl.rc_context(OTHERS):
        save_figure(line(table), *(tmp_path / "changed" / name for name in names))
        assert mpl.rcParams["text.usetex"]  # ours end with the figure
    for name in names:
        assert (tmp_path / "plain" / name).read_bytes() == (
            tmp_path / "changed" / name
        ).read_bytes()


def test_a_legend_shows_the_hash_of_a_file_only_to_tell_two_versions_apart():
    old, new = (f"mine:choose-source_{digit * 12}" for digit in "1f")
    others = ["weighted", "weighted-ties_random"]
    assert legend_name(old, [old, *others]) == legend_name(old) == "mine:choose"
    assert legend_name(old, [old, new]) == f"mine:choose, source {'1' * 12}"
    assert legend_name(f"{new}-version_2", [new, f"{new}-version_2"]) == "mine:choose, version 2"
