"""What all figures share: the same bytes under any settings of the user."""

import matplotlib as mpl
import pandas as pd

from msdensity.studies.plot import save_figure, styled

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
