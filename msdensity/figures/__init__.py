"""The figures: plot_* draw on given axes, *_figure compose a page, save_figure writes it."""

from msdensity.figures.aspect import aspect_figure, plot_aspect
from msdensity.figures.board import board_figure, plot_board, safety_figure
from msdensity.figures.first_click import first_click_figure
from msdensity.figures.inference import inference_figure
from msdensity.figures.map import map_figure, plot_map
from msdensity.figures.page import STYLE, player_name, save_figure
from msdensity.figures.players import (
    cost_figure,
    density_figure,
    plot_points,
    single_point_figure,
)
from msdensity.figures.reproduction import ablation_figure, degenerate_figure, runs_figure
from msdensity.figures.squares import plot_squares, squares_figure
from msdensity.figures.strips import limits_figure, plot_limits, plot_strips, strips_figure
from msdensity.figures.win_rates import plot_win_rates, win_rate_figure, win_rates_figure

__all__ = [
    "STYLE",
    "ablation_figure",
    "aspect_figure",
    "board_figure",
    "cost_figure",
    "degenerate_figure",
    "density_figure",
    "first_click_figure",
    "inference_figure",
    "limits_figure",
    "map_figure",
    "player_name",
    "plot_aspect",
    "plot_board",
    "plot_limits",
    "plot_map",
    "plot_points",
    "plot_squares",
    "plot_strips",
    "plot_win_rates",
    "runs_figure",
    "safety_figure",
    "save_figure",
    "single_point_figure",
    "squares_figure",
    "strips_figure",
    "win_rate_figure",
    "win_rates_figure",
]
