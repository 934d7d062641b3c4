"""Plots of fits: points with 95 % intervals, the curve with its 95 % band, residuals below.

Only the functions import matplotlib, so that a fit that is not drawn does not load it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from msdensity.errors import InputError, shown
from msdensity.stats.fit import Fit, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NORMAL = 1.96
"""Half of a 95 % interval in standard errors."""

LOOK: dict[str, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "font.size": 9,
    "axes.labelsize": 9,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
    "savefig.dpi": 200,
}

POINTS, CURVE = "0.15", "#0072B2"

EXACT = "x"
"""The marker of exact win rates, which no player has."""


def draw(fit: Fit, ax: Any = None) -> Figure:
    """Return the figure of a fit; `ax` as for `Fit.plot`. Raises InputError for anything else."""
    from matplotlib import style
    from matplotlib.figure import Figure

    picture = fit.picture()
    with style.context(LOOK):
        if ax is None:
            figure = Figure(figsize=(5.2, 4.4))
            top, bottom = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1.1))
        else:
            top, bottom = _axes(ax)
            figure = cast("Figure", top.get_figure(root=True))
        _draw_curve(top, picture)
        if bottom is not None:
            _draw_residuals(bottom, picture)
        (top if bottom is None else bottom).set_xlabel(picture.labels[0])
    return figure


def _axes(ax: Any) -> tuple[Axes, Axes | None]:
    from matplotlib.axes import Axes

    axes = [ax] if isinstance(ax, Axes) else list(ax) if isinstance(ax, Iterable) else []
    if len(axes) not in (1, 2) or not all(isinstance(each, Axes) for each in axes):
        raise InputError(f"ax={shown(ax)} must be axes of matplotlib, one or two")
    return axes[0], axes[1] if len(axes) == 2 else None


def _draw_curve(ax: Axes, picture: Picture) -> None:
    from matplotlib.ticker import MaxNLocator

    bars = np.maximum([picture.y - picture.low, picture.high - picture.y], 0)
    known = np.isfinite(bars).all()
    # Many points are small, so that they do not hide the curve.
    size = 3.5 if len(picture.x) < 40 else 2.2
    exact = np.zeros(len(picture.x), bool) if picture.exact is None else picture.exact
    if not exact.all():
        ax.errorbar(
            picture.x[~exact],
            picture.y[~exact],
            yerr=bars[:, ~exact] if known else None,
            fmt="o",
            color=POINTS,
            markersize=size,
            elinewidth=0.8,
            label="measured, 95 % intervals" if known else "measured",
            zorder=3,
        )
    if exact.any():
        x, y = picture.x[exact], picture.y[exact]
        ax.plot(x, y, EXACT, color=POINTS, markersize=1.8 * size, label="exact", zorder=3)
    if picture.added:
        x, y = zip(*picture.added, strict=True)
        ax.plot(
            x, y, "o", color=POINTS, markerfacecolor="white", markersize=4, label="added by the fit"
        )
    if np.isfinite(picture.curve).all() and len(picture.line):
        ax.plot(picture.line, picture.curve, color=CURVE, linewidth=1.3, label="fit", zorder=2)
        half = NORMAL * picture.error
        if np.isfinite(half).all():
            low, high = picture.curve - half, picture.curve + half
            look: dict[str, Any] = {"color": CURVE, "alpha": 0.2, "linewidth": 0}
            ax.fill_between(picture.line, low, high, label="95 % band of the fit", **look)
    for place, label in picture.marks:
        if np.isfinite(place):
            ax.axvline(place, color=CURVE, linestyle=":", linewidth=1, label=label, zorder=1)
    if (picture.x == np.rint(picture.x)).all():
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylabel(picture.labels[1])
    handles, labels = ax.get_legend_handles_labels()
    first = sorted(range(len(labels)), key=lambda i: not labels[i].startswith("measured"))
    ax.legend([handles[i] for i in first], [labels[i] for i in first], loc="best")


def _draw_residuals(ax: Axes, picture: Picture) -> None:
    """Draw the residuals; if the curve is right, nearly all lie within the shaded 95 %."""
    ax.axhspan(-NORMAL, NORMAL, color=CURVE, alpha=0.12, linewidth=0)
    ax.axhline(0, color=CURVE, linewidth=0.8)
    finite = np.isfinite(picture.residuals)
    size = 3.5 if len(picture.x) < 40 else 2.2
    ax.plot(picture.x[finite], picture.residuals[finite], "o", color=POINTS, markersize=size)
    reach = 1.1 * np.abs(picture.residuals[finite]).max(initial=NORMAL + 0.5)
    ax.set_ylim(-reach, reach)
    ax.set_ylabel(f"residual /\n{picture.unit}")
