"""A density beside its mines is written with all digits, because it is checked against these."""

from importlib import import_module

import pytest

from msdensity.runs.config import STUDIES


@pytest.mark.parametrize("study", STUDIES)
def test_a_density_beside_its_mines_is_exact(study) -> None:
    folder = {"players": "published_players"}.get(study, study)
    tables = import_module(f"msdensity.studies.{folder}.columns").TABLES
    for columns in tables.values():
        if {"mines", "density", "board"} <= {*columns}:
            assert columns["density"].exact
