"""A table is known by its header."""

from pathlib import Path

import pandas as pd
import pytest

import msdensity as md
from msdensity.runs.records import begin_record, write_records
from msdensity.stats.columns import CORRECTED_COLUMNS
from msdensity.stats.logistic import fits_table
from msdensity.stats.model_tables import model_tables


def test_the_fits_of_the_paper_and_of_other_models_are_known(tmp_path: Path) -> None:
    rates = md.sweep("3x3", games=50)
    for fits in (fits_table(rates, 3), model_tables(rates, ["weibull"], 3)["fits"]):
        md.write_table(tmp_path / "fits.csv", fits)
        assert md.read_table(tmp_path / "fits.csv")["P"].equals(fits["P"].round(6))


def test_a_table_is_read_by_its_header(tmp_path: Path) -> None:
    table = md.sweep("2x3", games=10)
    md.write_table(tmp_path / "t.csv", table)
    again = md.read_table(tmp_path / "t.csv")
    pd.testing.assert_frame_equal(again, table, rtol=5e-6)
    assert md.read_table(tmp_path / "t.csv", CORRECTED_COLUMNS).equals(again)
    with pytest.raises(md.InputError, match=r"must have those of a known table"):
        md.write_table(tmp_path / "u.csv", table.rename(columns={"mines": "miens"}))
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(md.InputError, match=r"t.csv has the columns \['a', 'b'\]"):
        md.read_table(tmp_path / "t.csv")


def test_a_table_that_was_cut_at_the_end_of_a_row_is_refused_by_its_record(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("data/run/win_rates.csv")
    md.write_table(path, md.sweep("2x3", games=10))
    begun = begin_record(rule="join", inputs=[], params={}, config={}, configfile=None)
    write_records([str(path)], begun)
    assert len(md.read_table(path)) == len(md.read_table(path.absolute())) == 5
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-2]))
    for name in (path, path.absolute()):
        with pytest.raises(
            md.InputError, match=r"win_rates\.csv was changed since rule join made it"
        ):
            md.read_table(name)
    Path("provenance/data/run/win_rates.csv.json").unlink()
    assert len(md.read_table(path)) == 3
