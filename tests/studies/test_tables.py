"""A table is known by its header."""

from pathlib import Path

import pytest

import msdensity as md
from msdensity.stats.columns import CORRECTED_COLUMNS


def test_a_table_is_read_by_its_header(tmp_path: Path) -> None:
    table = md.sweep("2x3", games=10)
    md.write_table(tmp_path / "t.csv", table)
    assert md.read_table(tmp_path / "t.csv").equals(table)
    assert md.read_table(tmp_path / "t.csv", CORRECTED_COLUMNS).equals(table)
    with pytest.raises(md.InputError, match=r"must have those of a known table"):
        md.write_table(tmp_path / "u.csv", table.rename(columns={"mines": "miens"}))
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(md.InputError, match=r"t.csv has the columns \['a', 'b'\]"):
        md.read_table(tmp_path / "t.csv")
