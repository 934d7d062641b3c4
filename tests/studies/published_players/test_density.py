"""Where the win rate crosses 1/2, and the curves that it is read from."""

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.files.tables import check_table
from msdensity.stats.columns import CORRECTED_COLUMNS
from msdensity.studies.published_players.curves import play_curves
from msdensity.studies.published_players.density import (
    CROSSING_COLUMNS,
    crossing,
    density_table,
    rho50,
)
from msdensity.studies.published_players.settings import Settings


def test_the_first_crossing_by_hand() -> None:
    density = [0.2, 0.4, 0.6, 0.8]
    assert crossing(density, [0.9, 0.6, 0.2, 1.0]) == pytest.approx(0.45)
    assert crossing(density, [0.0, 0.0, 0.0, 1.0]) == pytest.approx(0.1)  # from (0, 1)
    assert np.isnan(crossing(density, [0.9, 0.8, 0.7, 0.6]))
    both = crossing(density, [[0.9, 0.6, 0.2, 0.0], [0.5, 0.4, 0.0, 0.0]])
    assert both == pytest.approx([0.45, 0.2])


@pytest.mark.parametrize("rate", [[0.5, 0.4], [0.5, 0.4, 1.2]])
def test_a_crossing_needs_rates_that_fit(rate) -> None:
    with pytest.raises(InputError, match="win_rate"):
        crossing([0.2, 0.4, 0.6], rate)


@pytest.mark.statistical
def test_the_bootstrap_error_is_that_of_the_games() -> None:
    rng = np.random.default_rng(3)
    density = np.arange(1, 20) / 20
    rate = 1 / (1 + np.exp(12 * (density - 0.33)))
    games = np.full(len(rate), 400)
    drawn = crossing(density, rng.binomial(games, rate, (2000, len(rate))) / games)
    _, error, low, high = rho50(density, (400 * rate).round(), games, 2000, rng)
    # Both from 2,000 draws: a relative error of 1/63 each, 4.5 of both together: 1e-5.
    assert error == pytest.approx(drawn.std(), rel=0.1)
    assert low < crossing(density, rate) < high
    _, few, _, _ = rho50(density, (100 * rate).round(), games // 4, 2000, rng)
    assert few > 1.5 * error  # negative control: a quarter of the games, twice the error


def test_curves_resume_and_are_the_same(tmp_path) -> None:
    given = {"games": 200, "seed": 5, "replicates": 20, "tables": {}}
    study = Settings(study="players", curve_games=60, sides=[3, 4], **given)
    whole = play_curves("double_set", study, tmp_path / "whole").table
    first = Settings(study="players", curve_games=20, sides=[3], **given)
    play_curves("double_set", first, tmp_path / "parts")
    assert play_curves("double_set", study, tmp_path / "parts").table.equals(whole)
    check_table(whole, CORRECTED_COLUMNS, "curves")
    assert len(whole) == 8 + 15 and (whole["games"] == 60).all()
    table = density_table(whole, 20)
    assert density_table(whole, 20).equals(table)
    assert list(table["board"]) == ["3x3", "4x4"]
    assert table[list(CROSSING_COLUMNS)].notna().all(axis=None)
    assert table["rho50"].between(0.1, 0.4).all()
