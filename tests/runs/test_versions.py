"""Ledgers of other versions of the kernel are read and kept; this version begins its own beside."""

import io
import json
import os
import signal
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from faulty import TASKS, in_a_child, play
from older import as_played_by

from msdensity.cli import main
from msdensity.errors import InputError
from msdensity.files.tables import read_table, required
from msdensity.games.boards import Board
from msdensity.kernel.measures import MEASURES
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs import verify as verifying
from msdensity.runs.config import load_config
from msdensity.runs.jobs import ledgers, siblings
from msdensity.runs.ledger import Ledger, LedgerWarning, read_ledger, render, version_of
from msdensity.runs.plan import check_ledgers, holds, plan
from msdensity.runs.sweep import play_table, top_up
from msdensity.runs.verify import verify
from msdensity.runs.versions import SAME_SINCE, is_own, own_ledger
from msdensity.runs.win_rates import stored_win_rates
from msdensity.stats.columns import WIN_RATE_COLUMNS
from msdensity.studies.asymptotics.play import pilot
from msdensity.studies.asymptotics.settings import Entry

OLD = KERNEL_VERSION - 1
GAMES = 70
QUIET = {"play": play, "log": io.StringIO(), "batch": 35}
BESIDE = f"kernel{KERNEL_VERSION}"

pytestmark = pytest.mark.filterwarnings("error::msdensity.runs.ledger.LedgerWarning")


def sweep(path: Path, games: int = GAMES) -> int:
    return top_up(TASKS, games, path, **QUIET)  # type: ignore[arg-type]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A ledger that another version played."""
    path = tmp_path / "data/t/ledger/3x3.weighted.csv"
    sweep(path)
    as_played_by(path, OLD)
    return path


@pytest.fixture
def own(old: Path) -> Path:
    return old.with_name(f"3x3.weighted.{BESIDE}.csv")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory) -> bytes:
    """The ledger of the same games in a folder without an older one."""
    path = tmp_path_factory.mktemp("fresh") / "3x3.weighted.csv"
    sweep(path)
    return path.read_bytes()


def begin(path: Path, games: int = GAMES) -> str:
    """Play, and return the one warning."""
    with pytest.warns(LedgerWarning) as said:
        sweep(path, games)
    (warning,) = said
    assert warnings.formatwarning(
        str(warning.message), LedgerWarning, warning.filename, warning.lineno
    ).splitlines() == [f"{path}:0: LedgerWarning: {warning.message}"]
    return str(warning.message)


def test_a_run_begins_beside_an_older_ledger_and_says_so_once(old, own, fresh) -> None:
    before = old.read_bytes()
    assert begin(old) == (
        f"ledger {old} was played by kernel_version={OLD} and stays as it is; games of this"
        f" version, {KERNEL_VERSION}, go to {own}"
    )
    assert (old.read_bytes(), own.read_bytes()) == (before, fresh)
    assert sweep(old) == 0  # the same command finds them
    assert sweep(old, GAMES + 1) == len(TASKS)
    assert old.read_bytes() == before
    assert {path.name for path in old.parent.iterdir()} == {
        *(old.name, own.name, f"{own.name}.lock", f"{old.name}.lock"),
        *("3x3.weighted.cpu.csv", f"3x3.weighted.{BESIDE}.cpu.csv"),
    }


def test_a_fresh_ledger_has_the_plain_name_also_of_a_later_version(tmp_path) -> None:
    path = tmp_path / "3x3.weighted.csv"
    sweep(path)
    assert own_ledger(path) == path and version_of(path) == KERNEL_VERSION
    as_played_by(path, KERNEL_VERSION + 1)  # as after a return to this version
    begin(path)
    assert version_of(tmp_path / f"3x3.weighted.{BESIDE}.csv") == KERNEL_VERSION


def test_three_versions_lie_side_by_side(old, own) -> None:
    third = old.with_name(f"3x3.weighted.kernel{KERNEL_VERSION + 1}.csv")
    third.write_bytes(old.read_bytes())
    bytes_of_third = as_played_by(third, KERNEL_VERSION + 1)
    begin(old)
    assert [version_of(path) for path in (old, own, third)] == [
        *(OLD, KERNEL_VERSION, KERNEL_VERSION + 1)
    ]
    assert third.read_bytes() == bytes_of_third
    assert siblings(old) == [own] and siblings(own) == []
    assert ledgers(old.parent, "3x3", "weighted") == [own]
    for version, path in ((OLD, old), (KERNEL_VERSION, own), (KERNEL_VERSION + 1, third)):
        table = stored_win_rates(old.parent, GAMES, version)
        assert table.equals(stored_win_rates(path, GAMES, version))
        assert set(table["kernel_version"]) == {version} and len(table) == len(TASKS)


@pytest.mark.parametrize("kept", [0, 50, -1])
def test_a_ledger_without_a_complete_row_is_of_no_version(tmp_path, fresh, kept) -> None:
    path = tmp_path / "3x3.weighted.csv"
    path.write_bytes(fresh[:kept] if kept >= 0 else fresh.splitlines(keepends=True)[0])
    assert version_of(path) is None and is_own(path) and own_ledger(path) == path


def test_the_own_ledger_is_found_where_the_older_one_is_gone(old, own) -> None:
    begin(old)
    old.unlink()
    assert own_ledger(old) == own
    assert sweep(old) == 0


def test_a_damaged_first_row_is_an_error_and_no_other_version(old) -> None:
    damaged = old.read_bytes().replace(b",weighted,", b",weighten,", 1)
    old.write_bytes(damaged)
    with pytest.raises(InputError, match="line 2 does not match its check value"):
        sweep(old)
    assert old.read_bytes() == damaged


def test_a_pipe_in_the_place_of_a_ledger_is_refused_at_once(tmp_path) -> None:
    path = tmp_path / "3x3.weighted.csv"
    os.mkfifo(path)
    with pytest.raises(InputError, match="cannot be read: No regular file"):
        sweep(path)


@pytest.mark.parametrize("appends", [0, 1, 5])
def test_a_kill_at_any_batch_loses_nothing_of_either(old, own, fresh, appends) -> None:
    before = old.read_bytes()

    def killed(report: int) -> None:
        real, calls = Ledger.append, 0

        def append(ledger: Ledger, *arguments: object) -> None:
            nonlocal calls
            calls += 1
            if calls > appends:
                os.kill(os.getpid(), signal.SIGKILL)
            real(ledger, *arguments)  # type: ignore[arg-type]

        Ledger.append = append  # type: ignore[method-assign, assignment]
        warnings.simplefilter("ignore")
        sweep(old)

    assert in_a_child(killed)[0] == -signal.SIGKILL
    assert own.exists() == (appends > 0)
    if appends:
        own.write_bytes(own.read_bytes()[:-3])  # and tore the last line
        with pytest.warns(LedgerWarning, match="torn last line left out"):
            sweep(old)
    else:
        begin(old)
    assert (old.read_bytes(), own.read_bytes()) == (before, fresh)


def test_parts_of_a_board_begin_beside_their_older_parts(tmp_path, fresh) -> None:
    base, part = (tmp_path / f"3x3.weighted{name}.csv" for name in ("", ".from30"))
    top_up(TASKS, 30, base, **QUIET)  # type: ignore[arg-type]
    top_up(TASKS, GAMES, part, first_game=30, **QUIET)  # type: ignore[arg-type]
    before = as_played_by(base, OLD), as_played_by(part, OLD)
    with pytest.warns(LedgerWarning):
        top_up(TASKS, GAMES, part, first_game=30, **QUIET)  # type: ignore[arg-type]
    begin(base)
    own = [tmp_path / f"3x3.weighted{name}.{BESIDE}.csv" for name in ("", ".from30")]
    assert [sum(each.counts.games for each in read_ledger(path).rows) for path in own] == [
        *(30 * len(TASKS), 40 * len(TASKS))
    ]
    assert (base.read_bytes(), part.read_bytes()) == before
    played = play_table({base: TASKS}, GAMES, **QUIET)  # type: ignore[arg-type]
    assert played.ledgers == tuple(own)
    assert set(played.table["kernel_version"]) == {KERNEL_VERSION}
    whole = tmp_path / "whole.csv"
    whole.write_bytes(fresh)
    assert played.table.equals(play_table({whole: TASKS}, GAMES, **QUIET).table)  # type: ignore[arg-type]


def test_a_plan_counts_the_games_of_this_version_alone(tmp_path) -> None:
    config = load_config({"name": "t", "boards": ["3x3"], "games": GAMES})
    (tmp_path / "t/ledger").mkdir(parents=True)
    path = tmp_path / "t/ledger/3x3.weighted.csv"
    tasks = config.tasks("3x3", "weighted")
    top_up(tasks, GAMES, path)
    assert plan(config, tmp_path).costs[0].there == 8 * GAMES
    as_played_by(path, OLD)
    with pytest.warns(LedgerWarning, match=f"{path} was played by kernel_version={OLD}"):
        assert plan(config, tmp_path).costs[0].there == 0
    assert "(the first" not in check_ledgers(config, tmp_path)
    with pytest.warns(LedgerWarning):
        top_up(tasks, 30, path)
    assert plan(config, tmp_path).costs[0].there == 8 * 30
    assert check_ledgers(config, tmp_path) == ""


def test_one_sentence_stands_for_all_older_ledgers(tmp_path) -> None:
    config = load_config({"name": "t", "boards": ["3x3", "2x3", "2x4"], "games": 1})
    for board in ("3x3", "2x3", "2x4"):
        path = tmp_path / f"t/ledger/{board}.weighted.csv"
        top_up(config.tasks(board, "weighted"), 1, path, log=io.StringIO())
        as_played_by(path, OLD)
    said = check_ledgers(config, tmp_path)
    assert said.startswith(f"ledger {tmp_path}/t/ledger/2x3.weighted.csv was played by ")
    assert said.endswith(" (the first of 3 such ledgers)") and "\n" not in said


def test_a_table_of_another_version_is_planned_again(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for version in (KERNEL_VERSION, OLD):
        record = {"kernel": {"version": version}, "more_games": [], "own_files": {}}
        monkeypatch.setattr("msdensity.runs.plan.read_record", lambda _, record=record: record)
        Path("provenance").mkdir(exist_ok=True)
        for name in ("pilots.csv", "provenance/pilots.csv.json"):
            Path(name).write_text("games\n5\n")
        assert holds(Path("pilots.csv"), 5) == (version == KERNEL_VERSION)


def test_the_pilot_of_a_large_board_names_the_ledger_that_it_used(tmp_path) -> None:
    entry = Entry(Board((5, 5)), "corner")
    path = tmp_path / f"{entry.name}.csv"
    first = pilot(entry, 1, 20, tmp_path)
    assert first.ledgers == (path,)
    as_played_by(path, OLD)
    with pytest.warns(LedgerWarning):
        again = pilot(entry, 1, 20, tmp_path)
    assert again.ledgers == (tmp_path / f"{entry.name}.{BESIDE}.csv",)
    assert again.table.equals(first.table)


@pytest.fixture
def both(tmp_path) -> Path:
    """A folder with real games of two versions, and a table of each."""
    path = tmp_path / "data/t/ledger/3x3.weighted.csv"
    table = play_table({path: TASKS}, GAMES, log=io.StringIO()).table
    as_played_by(path, OLD)
    table.assign(kernel_version=OLD).to_csv(tmp_path / "data/t/old.csv", index=False)
    with pytest.warns(LedgerWarning):
        again = play_table({path: TASKS}, GAMES, log=io.StringIO()).table
    assert again.equals(table)
    again.to_csv(tmp_path / "data/t/new.csv", index=False)
    return tmp_path / "data"


def test_both_versions_in_a_folder_verify(both, monkeypatch) -> None:
    monkeypatch.setattr(verifying, "SAME_SINCE", {})
    unknown = verify(both, None)
    assert unknown.ok and (unknown.ledgers, unknown.rows, unknown.rows_played) == (2, 16, 8)
    assert unknown.audit.rows == 16 and unknown.others == ((OLD, 8, 0),)
    assert f"8 rows are of kernel_version={OLD}" in unknown.report()
    assert "none was replayed" in unknown.report()
    monkeypatch.setattr(verifying, "SAME_SINCE", {OLD: {"wins", "opened"}})
    found = verify(both, None)
    assert found.ok and found.rows_played == 16 and found.others == ((OLD, 8, 8),)
    assert "8 were replayed, for wins, opened alone" in found.report()
    assert verify(both, 5, seed=1).rows_played == 5


def edited(path: Path, measure: str, version: int) -> None:
    """Change a count of the first row, with a right checksum."""
    first, *rest = read_ledger(path, any_version=True).rows
    counts = first.counts
    measures = dict(zip(MEASURES, counts.measures, strict=True))
    measures[measure] += 1
    first = replace(first, counts=replace(counts, measures=measures))
    assert first.kernel_version == version
    path.write_bytes(render([first, *rest]))


def test_games_beyond_the_budget_may_differ_between_versions(both, monkeypatch) -> None:
    path = both / "t/ledger/3x3.weighted.csv"
    monkeypatch.setattr(verifying, "SAME_SINCE", {OLD: {"wins", "guesses"}})
    edited(path, "guesses", OLD)
    assert verify(both, None).differences
    edited(path, "approximate", OLD)
    assert not verify(both, None).differences


@pytest.mark.parametrize("measure", ["guesses", "certain_pair"])
def test_an_edited_row_of_another_version_is_found(both, monkeypatch, measure) -> None:
    """By a replay if this version counts the measure the same; by the table in any case."""
    edited(both / "t/ledger/3x3.weighted.csv", measure, OLD)
    monkeypatch.setattr(verifying, "SAME_SINCE", {OLD: {"wins", "guesses"}})
    found = verify(both, None)
    assert [each.measure for each in found.differences] == ["guesses"] * (measure == "guesses")
    (fault,) = found.audit.faults
    assert f"t/old.csv, line 2: {measure} is " in fault


def test_rows_of_another_version_that_contradict_each_other_are_named(both) -> None:
    """Also where a replay agrees with both; the same games of two versions contradict nothing."""
    path = both / "t/ledger/3x3.weighted.csv"
    before = path.read_bytes()
    edited(path, "certain_pair", OLD)
    path.write_bytes(before + path.read_bytes())
    (both / "t/old.csv").unlink()
    found = verify(both)
    (fault,) = found.audit.faults
    assert "other sums than line" in fault
    assert fault.endswith(f"the msdensity of kernel_version={OLD} says which line is wrong")
    assert not found.ok


def test_a_name_that_promises_another_version_is_a_fault(both) -> None:
    ledger = both / f"t/ledger/3x3.weighted.{BESIDE}.csv"
    ledger.rename(ledger.with_name("3x3.weighted.kernel99.csv"))
    (fault,) = verify(both).audit.faults
    assert fault.endswith(
        f"holds games of kernel_version {KERNEL_VERSION}, which its name does not say"
    )


def test_the_command_prints_the_table_of_the_version_that_is_asked_for(both, capsys) -> None:
    for words, kept in (([], "new"), (["--kernel-version", str(OLD)], "old")):
        assert main(["table", str(both), "--games", str(GAMES), *words]) == 0
        text = capsys.readouterr().out
        (both / "printed.csv").write_text(text)
        printed = read_table(both / "printed.csv", WIN_RATE_COLUMNS)
        table = read_table(both / f"t/{kept}.csv", WIN_RATE_COLUMNS)
        counts = required(WIN_RATE_COLUMNS)[:-3]
        assert printed[counts].equals(table[counts])
        assert main(["table", str(both), "--json", *words]) == 0
        assert len(json.loads(capsys.readouterr().out)["rows"]) == 8


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--kernel-version", "99"],
            "kernel_version=99 must be one that played the ledgers in data=",
        ),
        (["--kernel-version", "0"], "kernel_version=0 must be"),
        (["--games", "71"], "has 70 games from game 0 on, must have 71"),
    ],
)
def test_a_table_that_no_ledger_gives_is_one_line(both, capsys, words, message) -> None:
    assert main(["table", str(both), *words]) == 2
    printed = capsys.readouterr()
    assert message in printed.err and printed.err.count("\n") == 1 and not printed.out


def test_a_file_with_rows_of_two_versions_is_refused(old, fresh) -> None:
    old.write_bytes(old.read_bytes() + fresh)
    with pytest.raises(
        InputError, match=rf"kernel_version=\[{OLD}, {KERNEL_VERSION}\] must be one"
    ):
        read_ledger(old, any_version=True)


def test_what_stays_the_same_is_a_measure() -> None:
    for version, measures in SAME_SINCE.items():
        assert measures < {*MEASURES}, version
