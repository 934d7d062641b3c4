"""P and rho50 of the curves of players, and how these curves are played."""

import pytest

from msdensity.files.tables import check_table
from msdensity.stats.columns import CORRECTED_COLUMNS
from msdensity.stats.rho50.fit import fit_rho50
from msdensity.studies.published_players.curves import play_curves
from msdensity.studies.published_players.density import CROSSING_COLUMNS, density_table
from msdensity.studies.published_players.settings import Settings


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
    row, curve = table.iloc[1], whole[whole["board"] == "4x4"]
    fit = fit_rho50(curve)  # the same as everywhere
    assert list(row[list(CROSSING_COLUMNS)]) == pytest.approx(
        [fit.rho50, fit.error, fit.interval.low, fit.interval.high]
    )
