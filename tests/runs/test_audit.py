"""Results that do not agree with the ledgers or their records are named; others are not."""

import json
import os
import shutil
from pathlib import Path

import pytest

from msdensity.cli import main
from msdensity.files.tables import read_table, read_tables, write_table
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import Task
from msdensity.runs.records import begin_record, record_path, write_records
from msdensity.runs.sweep import play_table
from msdensity.runs.verify import verify
from msdensity.stats.columns import CORRECTED_COLUMNS, WIN_RATE_COLUMNS
from msdensity.stats.correction import w_correction

RAW, ALL = Path("data/run/win_rates/3x3.csv"), Path("data/run/win_rates.csv")


def ledger(side: int) -> Path:
    return Path(f"data/run/ledger/{side}x{side}.csv")


def record(output: Path, *inputs: Path) -> None:
    begun = begin_record(rule="test", inputs=inputs, params={}, config={}, configfile=None)
    write_records([str(output)], begun)


@pytest.fixture
def finished(tmp_path, monkeypatch) -> Path:
    """A small run: ledgers, a raw table, a table made from it and a figure, with their records."""
    monkeypatch.chdir(tmp_path)
    for side in (3, 4):
        tasks = [Task(Board((side, side)), m, seed=9) for m in range(1, side * side)]
        table = play_table({ledger(side): tasks}, 50).table
        path = RAW.with_name(f"{side}x{side}.csv")
        write_table(path, table, WIN_RATE_COLUMNS)
        record(path, ledger(side))
    parts = [RAW, RAW.with_name("4x4.csv")]
    write_table(ALL, w_correction(read_tables(parts, WIN_RATE_COLUMNS)), CORRECTED_COLUMNS)
    record(ALL, *parts)
    figure = Path("figures/run/squares.png")
    figure.parent.mkdir(parents=True)
    figure.write_bytes(b"picture")
    record(figure, ALL)
    return tmp_path


def faults(*, where: str = "data") -> list[str]:
    return list(verify(where, 5, seed=1).audit.faults)


def test_an_untouched_run_has_no_fault(finished, capsys):
    found = verify("data", 5, seed=1)
    assert found.ok and found.audit.faults == ()
    assert (found.audit.tables, found.audit.rows, found.audit.results) == (3, 2 * (8 + 15), 4)
    assert main(["verify"]) == 0
    words = capsys.readouterr().out
    assert (
        "46 rows of 3 tables compared with the ledgers, 4 files with their records: no fault"
        in words
    )
    assert "is found with a chance of 87% by this sample" in words
    assert main(["verify", "--all"]) == 0
    assert "chance" not in capsys.readouterr().out


def test_a_study_without_ledgers_is_compared_with_its_records(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    table = Path("data/run/counted.csv")
    table.parent.mkdir(parents=True)
    table.write_text("a,b\n1,2\n")
    record(table)
    assert main(["verify"]) == 0
    assert "1 files with their records: no fault" in capsys.readouterr().out
    edit(table, "1,2", "1,3")
    assert main(["verify"]) == 1
    assert f"{table} was changed since rule test made it" in capsys.readouterr().out


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_more_wins_in_a_table_are_found_with_and_without_records(finished):
    table = read_table(RAW, WIN_RATE_COLUMNS)
    table.loc[2, "wins"] += 1
    table.loc[2, "win_rate"] = table.loc[2, "wins"] / 50
    write_table(RAW, table, WIN_RATE_COLUMNS)
    played = table.loc[2, "wins"]
    line = f"{RAW}, line 4: wins is {played} in the table, {played - 1} in the ledgers"
    assert faults() == [
        line,
        f"{ALL} was made from another {RAW}: run Snakemake again",
        f"{RAW} was changed since rule test made it",
    ]
    shutil.rmtree("provenance")
    assert faults() == [line]
    assert main(["verify"]) == 1


@pytest.mark.parametrize("path", [ALL, Path("figures/run/squares.png")])
def test_an_edited_result_of_any_stage_is_found(finished, path):
    path.write_bytes(path.read_bytes() + b" ")
    assert f"{path} was changed since rule test made it" in faults()
    assert faults(where="data/run") == faults()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda lines: lines[:4] + lines[5:], "board 3x3, player weighted: lacks mines=4, which"),
        (lambda lines: lines[:3], "lacks mines=3, 4, 5, 6, 7 and 1 more, which the ledgers hold"),
        (lambda lines: [*lines, lines[2]], "line 10: the row is there twice"),
    ],
    ids=["deleted", "cut", "twice"],
)
def test_deleted_and_repeated_rows_are_found_without_records(finished, change, fault):
    shutil.rmtree("provenance")
    RAW.write_text("".join(change(RAW.read_text().splitlines(keepends=True))))
    (said,) = faults()
    assert str(RAW) in said and fault in said


def test_a_board_that_a_joined_table_lacks_is_found_without_records(finished):
    """A record is better evidence than ledgers, which may hold boards of an earlier run too."""
    rows = read_table(ALL, CORRECTED_COLUMNS)
    write_table(ALL, rows[rows["board"] == "3x3"], CORRECTED_COLUMNS)
    record(ALL, RAW)
    assert f"{ALL} lacks" not in " ".join(faults())
    shutil.rmtree("provenance")
    part = RAW.with_name("4x4.csv")
    assert faults() == [f"{ALL} lacks board 4x4, player weighted, which {part} holds"]


def test_ledgers_that_swapped_their_place_of_the_first_click_are_found(finished):
    for made in ("data", "provenance"):
        shutil.rmtree(made)
    for place in ("corner", "centre"):
        path = Path(f"data/run/first_click/3x3.{place}.csv")
        play_table({path: [Task(Board((3, 3)), 2, rules=Rules(place))]}, 40)
    ledgers = [Path(f"data/run/first_click/3x3.{place}.csv") for place in ("centre", "corner")]
    assert faults() == []
    ledgers[0].rename("other")
    ledgers[1].rename(ledgers[0])
    Path("other").rename(ledgers[1])
    assert faults() == [
        f"{ledgers[0]} holds games of first_click corner, which its name does not say",
        f"{ledgers[1]} holds games of first_click centre, which its name does not say",
    ]


def test_a_ledger_of_another_player_than_its_name_says_is_found(finished):
    ledger(3).rename(ledger(3).with_name("3x3.listing.csv"))
    said = "data/run/ledger/3x3.listing.csv holds games of player weighted, which its name"
    assert said in faults()[0]


def test_swapped_ledgers_are_found(finished):
    ledger(3).rename("other")
    ledger(4).rename(ledger(3))
    Path("other").rename(ledger(4))
    named = [
        f"{ledger(a)} holds games of board {b}x{b}, which its name does not say"
        for a, b in ((3, 4), (4, 3))
    ]
    assert faults()[:2] == named


def test_a_table_of_other_ledgers_is_found(finished):
    shutil.rmtree("data/run/ledger")
    tasks = [Task(Board((3, 3)), m, seed=10) for m in range(1, 9)]
    play_table({ledger(3): tasks}, 50)
    found = faults()
    assert found[0] == f"{ALL}, line 2: no ledger holds its games"
    assert f"{ALL}: 18 more rows" in found


@pytest.mark.parametrize("linked", ["data", "data/run", "data/run/ledger", "data/run/win_rates"])
def test_what_lies_behind_links_is_looked_at(finished, linked):
    Path(linked).rename("elsewhere")
    Path(linked).symlink_to(os.path.abspath("elsewhere"))
    assert faults() == []
    edit(RAW, ",50,", ",51,")
    assert any(f"{RAW}, line 2: games is 51" in fault for fault in faults())
    assert f"{RAW} was changed since rule test made it" in faults()


def test_a_circle_of_links_ends(finished):
    Path("data/run/again").symlink_to("..")
    assert faults() == []


def test_the_faults_are_in_the_json(finished, capsys):
    edit(ALL, "3x3", "4x3")
    assert main(["verify", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["audit"]["faults"]


def test_the_same_games_in_two_studies_are_no_fault(finished):
    """They have one task; another study has more of its games."""
    tasks = [Task(Board((3, 3)), m, seed=9) for m in range(1, 9)]
    play_table({Path("data/other/ledger/3x3.csv"): tasks}, 80)
    assert faults() == []
    edit(RAW, ",50,", ",60,")
    assert f"{RAW}, line 2: games is 60 in the table, 50 in the ledgers" in faults()


@pytest.mark.parametrize("name", [".", "data/../data", "link", "data/run"])
def test_a_folder_may_be_named_in_any_way(finished, name):
    Path("link").symlink_to("data")
    figure = Path("figures/run/squares.png")
    assert verify(name, 5, seed=1).audit.results == 4
    figure.write_bytes(b"edited")
    assert faults(where=name) == [f"{figure} was changed since rule test made it"]


def test_ledgers_of_another_study_do_not_vouch(finished):
    shutil.copytree("data/run/ledger", "data/other/ledger")
    shutil.rmtree("data/run/ledger")
    assert f"{RAW}, line 2: no ledger holds its games" in faults()


def test_a_folder_without_records_says_so(finished, capsys):
    shutil.rmtree("provenance")
    assert main(["verify"]) == 0
    assert "No record of these files was found" in capsys.readouterr().out


def test_a_damaged_record_is_one_fault_and_the_others_are_read(finished):
    place = record_path(RAW)
    place.write_text(place.read_text()[:200])
    edit(ALL, "3x3", "3x4")
    said = faults()
    assert f"record {place} cannot be read: make its file again" in said
    assert f"{ALL} was changed since rule test made it" in said
    assert verify("data", 5, seed=1).audit.results == 3
