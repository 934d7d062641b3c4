"""Files written by each released version still load; each release adds a folder of them.

So do ledgers of each earlier version of the kernel.
"""

import json
from pathlib import Path

import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.files.tables import as_written, read_table, write_table
from msdensity.games.play import play_batch
from msdensity.kernel.measures import MEASURES
from msdensity.runs import ledger
from msdensity.runs.config import load_config
from msdensity.runs.ledger import read_ledger, read_rows, read_together
from msdensity.runs.provenance import find
from msdensity.runs.records import record_path, sha256
from msdensity.runs.verify import ledgers_in, verify
from msdensity.runs.win_rates import ledger_table, stored_win_rates, win_rate_table
from msdensity.stats import columns as standard
from msdensity.stats.rho50.reduced import REDUCED_COLUMNS, SAFETY_COLUMNS
from msdensity.studies.paper import columns as paper
from msdensity.studies.paper.rho50 import RHO50_COLUMNS
from places import DATA

RELEASED = sorted((DATA / "released").iterdir())
KERNEL_2 = DATA / "kernel2"
"""Games of KERNEL_VERSION 2 by `weighted` on boards of every kind of kernel, 40 for each m."""
KERNEL_3 = DATA / "kernel3"
"""The same of KERNEL_VERSION 3, some of them beyond the budget of exact counting."""
TABLES = {
    "win_rates": standard.CORRECTED_COLUMNS,
    "reduced": REDUCED_COLUMNS,
    "safeties": SAFETY_COLUMNS,
    "rho50": RHO50_COLUMNS,
    "fits": standard.FIT_COLUMNS,
    "extrapolation": standard.EXTRAPOLATION_COLUMNS,
    "series": standard.SERIES_COLUMNS,
    "table_b1": paper.B1_COLUMNS,
    "table_b2": paper.B2_COLUMNS,
    "first_click": paper.FIRST_CLICK_COLUMNS,
}

released = pytest.mark.parametrize("folder", RELEASED, ids=lambda folder: folder.name)


def versions(folder: Path) -> set[int]:
    """Return the versions of the kernel that played the ledgers."""
    paths = (folder / "ledger").glob("*.csv")
    return {int(version) for path in paths for version in ledger_table(path)["kernel_version"]}


@released
def test_every_table_loads_and_is_written_with_six_digits(folder, tmp_path) -> None:
    """Version 0.1.0 wrote all digits of a fit; now six are written."""
    for name, columns in TABLES.items():
        path, again = folder / f"{name}.csv", tmp_path / f"{name}.csv"
        table = read_table(path, columns)
        write_table(again, table, columns)
        written = read_table(again, columns)
        pd.testing.assert_frame_equal(written, table, rtol=5e-6, atol=1e-12)
        assert again.read_text().partition("\n")[0] == path.read_text().partition("\n")[0]


@released
def test_every_ledger_loads_and_gives_its_win_rates(folder) -> None:
    paths = sorted((folder / "ledger").glob("*.csv"))
    assert paths
    config = load_config(folder / "config.yaml")
    made = win_rate_table(read_together(paths, any_version=True)[0], config.games)
    kept = read_table(folder / "win_rates.csv", standard.CORRECTED_COLUMNS)
    keys = ["board", "player", "mines"]
    made, kept = (frame.sort_values(keys, ignore_index=True) for frame in (made, kept))
    pd.testing.assert_frame_equal(made, kept[made.columns])


@released
def test_ledgers_of_another_kernel_can_be_read_but_not_extended(folder, monkeypatch) -> None:
    (played,) = versions(folder)
    monkeypatch.setattr(ledger, "KERNEL_VERSION", played + 1)
    for path in (folder / "ledger").glob("*.csv"):
        assert set(ledger_table(path)["kernel_version"]) == {played}
        assert read_ledger(path, any_version=True).rows
        words = f"kernel_version={played}, and games of this version, {played + 1}, are never added"
        with pytest.raises(InputError, match=words):
            read_ledger(path)


@released
def test_games_of_this_kernel_replay_the_same(folder) -> None:
    if versions(folder) == {ledger.KERNEL_VERSION}:
        assert verify(folder, 1000).ok


def test_ledgers_of_version_2_give_their_table_in_every_version() -> None:
    kept = read_table(KERNEL_2 / "win_rates.csv", standard.WIN_RATE_COLUMNS)
    made = as_written(stored_win_rates(KERNEL_2, 40, 2), standard.WIN_RATE_COLUMNS, "table")
    pd.testing.assert_frame_equal(made, kept)
    assert len(kept) == 13


def test_games_of_version_2_are_counted_the_same_up_to_who_decided_a_cell() -> None:
    """Which rule decides a cell, and how many mines are marked until the end, may differ."""
    assert verify(KERNEL_2, None).ok
    for path in ledgers_in(KERNEL_2):
        for row in read_rows(path):
            now = play_batch(row.task, row.counts.first_game, row.counts.games)
            for counts in (now, dict(zip(MEASURES, row.counts.measures, strict=True))):
                credits = sum(counts[name] for name in MEASURES if name.startswith("certain_"))
                survived = counts["guesses"] - (row.counts.games - counts["wins"])
                decided = counts["opened"] + counts["mines_marked"]
                assert credits == decided - row.counts.games - survived, path


def test_games_of_version_3_within_the_budget_are_counted_the_same() -> None:
    kept = read_table(KERNEL_3 / "win_rates.csv", standard.WIN_RATE_COLUMNS)
    made = as_written(stored_win_rates(KERNEL_3, 40, 3), standard.WIN_RATE_COLUMNS, "table")
    pd.testing.assert_frame_equal(made, kept)
    assert verify(KERNEL_3, None).ok
    same = differ = 0
    for path in ledgers_in(KERNEL_3):
        for row in read_rows(path):
            now = play_batch(row.task, row.counts.first_game, row.counts.games)
            if now == dict(zip(MEASURES, row.counts.measures, strict=True)):
                same += 1
            else:
                assert row.counts["approximate"], path
                differ += 1
    assert same > 3 and differ > 0  # else nothing here is beyond the budget


@released
def test_its_records_can_be_read(folder, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    record = json.loads((folder / "record.json").read_text())
    (tmp_path / "x.csv").write_bytes((folder / "fits.csv").read_bytes())
    assert record["sha256"] == sha256("x.csv")
    place = record_path(record["file"])
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(record))
    assert "rule fits" in find("x.csv").report()
