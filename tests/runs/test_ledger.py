import errno
import os
import resource
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from faulty import TASKS, in_a_child, row

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import Task
from msdensity.kernel.measures import MEASURES
from msdensity.runs.counts import Counts
from msdensity.runs.ledger import COLUMNS, Ledger, LedgerWarning, read_ledger, render
from msdensity.runs.rows import Row
from msdensity.runs.win_rates import ledger_table, win_rate_table

ONE, TWO, *_ = TASKS
ROWS = [row(TWO, 0, 7), row(ONE, 5, 5), row(ONE, 0, 5), row(TWO, 20, 3)]
MERGED = [row(ONE, 0, 10), row(TWO, 0, 7), row(TWO, 20, 3)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "ledger" / "3x3.weighted.csv"
    with Ledger(path) as ledger:
        for each in ROWS:
            ledger.append([each])
    return path


def damage(path: Path, change: Callable[[list[bytes]], None]) -> None:
    """Change the lines of a ledger, line ends included."""
    lines = path.read_bytes().splitlines(keepends=True)
    change(lines)
    path.write_bytes(b"".join(lines))


def test_rows_are_read_back_sorted_and_merged(path: Path) -> None:
    contents = read_ledger(path)
    assert list(contents.rows) == MERGED
    assert contents.size == path.stat().st_size
    assert not contents.canonical
    assert read_ledger(path.with_name("none.csv")).rows == ()


def test_options_rules_and_topology_are_read_back(tmp_path: Path) -> None:
    task = Task(
        Board((4, 5), "torus8"),
        3,
        "weighted",
        {"ties": "random"},
        Rules("cell:7", "zero"),
        2**63 - 1,
    )
    path = tmp_path / "x.csv"
    with Ledger(path) as ledger:
        ledger.append([row(task, 0, 3)])
    assert read_ledger(path).rows == (row(task, 0, 3),)


def test_compacting_gives_one_form_whatever_the_order(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    with Ledger(other) as ledger:
        ledger.append([row(TWO, 20, 3), row(ONE, 0, 10), row(TWO, 0, 3), row(TWO, 3, 4)])
        assert ledger.compact()
        # The writer goes on after it.
        ledger.append([row(TWO, 7, 1)])
    with Ledger(path) as ledger:
        ledger.append([row(TWO, 7, 1)])
        assert ledger.compact()
    assert read_ledger(other).rows == read_ledger(path).rows
    with Ledger(other) as ledger:
        assert ledger.compact()
    assert other.read_bytes() == path.read_bytes() == render([*MERGED, row(TWO, 7, 1)])
    assert read_ledger(path).canonical


def test_compacting_again_does_not_touch_the_file(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.compact()
    os.utime(path, ns=(1, 1))
    before = path.stat()
    with Ledger(path) as ledger:
        assert not ledger.compact()
    after = path.stat()
    assert (after.st_mtime_ns, after.st_ino) == (1, before.st_ino)


def test_a_crash_in_compaction_leaves_the_ledger(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()

    def fail(*args: object) -> None:
        raise OSError(errno.EIO, "crash")

    with Ledger(path) as ledger, monkeypatch.context() as patch:
        patch.setattr("msdensity.files.atomic.os.replace", fail)
        with pytest.raises(OSError, match="crash"):
            ledger.compact()
    assert path.read_bytes() == before
    assert sorted(each.name for each in path.parent.iterdir()) == [path.name, path.name + ".lock"]


def test_leftovers_of_a_killed_compaction_are_removed(path: Path) -> None:
    leftover = path.with_name(f".{path.name}.12345.tmp")
    leftover.write_text("half a")
    with Ledger(path):
        pass
    assert not leftover.exists()


@pytest.mark.parametrize("cut", [1, 2, 9, 60])
def test_a_torn_last_line_is_dropped_and_cut_off_before_the_next(path: Path, cut: int) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    with pytest.warns(LedgerWarning, match="torn last line"):
        contents = read_ledger(path)
    assert list(contents.rows) == MERGED[:-1]
    assert path.read_bytes() == whole[:-cut]
    with pytest.warns(LedgerWarning), Ledger(path) as ledger:
        ledger.append([ROWS[-1]])
    assert path.read_bytes() == whole
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_ledger(path)


def test_a_last_line_that_fails_its_check_is_torn_too(path: Path) -> None:
    damage(path, lambda lines: lines.__setitem__(-1, b"\0" * 40 + b"\n"))
    with pytest.warns(LedgerWarning):
        assert list(read_ledger(path).rows) == MERGED[:-1]


def test_an_edited_count_is_an_error(path: Path) -> None:
    def edit(lines: list[bytes]) -> None:
        fields = lines[1].split(b",")
        wins = COLUMNS.index("wins")
        fields[wins] = str(int(fields[wins]) + 1).encode()
        lines[1] = b",".join(fields)

    damage(path, edit)
    with pytest.raises(InputError, match=r"line 2 does not match its check value.*delete the line"):
        read_ledger(path)


def test_a_line_torn_in_the_middle_is_an_error(path: Path) -> None:
    damage(path, lambda lines: lines.__setitem__(2, lines[2][:30] + b"\n"))
    with pytest.raises(InputError, match="line 3 does not match"):
        read_ledger(path)


@pytest.mark.parametrize(
    ("header", "part"),
    [
        (b"a,b\n", "is not a ledger"),
        (",".join(COLUMNS).replace("wins,", "", 1).encode() + b"\n", "lacks the columns wins"),
        (",".join((*COLUMNS, "more")).encode() + b"\n", "other columns"),
    ],
)
def test_a_file_with_another_header_is_an_error(path: Path, header: bytes, part: str) -> None:
    damage(path, lambda lines: lines.__setitem__(0, header))
    before = path.read_bytes()
    with pytest.raises(InputError, match=part), Ledger(path):
        pass
    assert path.read_bytes() == before


@pytest.mark.parametrize("code", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_named_and_nothing_is_lost(path: Path, code: str) -> None:
    text = path.read_text()
    path.write_text(text, encoding=code)
    said = "starts with a byte order mark, as some editors write it: save it as UTF-8 without"
    with pytest.raises(InputError, match=said) as refused:
        read_ledger(path)
    assert "delete" not in str(refused.value)
    path.write_text(text)
    assert read_ledger(path).rows


def test_a_ledger_holds_one_run(path: Path) -> None:
    other = Task(Board((3, 3)), 1, seed=9)
    with Ledger(path) as ledger:
        ledger.append([row(other, 0, 3)])
    with pytest.raises(InputError, match="has seed=0 and would get seed=9"):
        read_ledger(path)


def test_a_limit_that_the_system_sets_leaves_the_finished_rows(path: Path) -> None:
    before = path.read_bytes()

    def limited(told: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 50,) * 2)
        with Ledger(path) as ledger:
            ledger.append([row(ONE, 100, 5)])

    assert "File too large; all earlier batches are kept" in in_a_child(limited)[2]
    assert path.read_bytes() == before


def test_a_ledger_is_written_under_its_lock_only(path: Path) -> None:
    with Ledger(path) as ledger:
        pass
    with pytest.raises(ValueError, match="inside"):
        ledger.append([row(ONE, 100, 1)])


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written: "):
        Ledger(tmp_path / "file" / "x.csv").__enter__()


def test_the_table_has_a_line_for_every_merged_row(path: Path) -> None:
    table = ledger_table(path)
    assert list(table.columns) == list(COLUMNS[:-1])
    assert table["mines"].tolist() == [1, 2, 2]
    assert table["games"].tolist() == [10, 7, 3]
    assert table["wins"].tolist() == [each.counts.wins for each in MERGED]
    assert table.dtypes["games"] == "int64"
    assert ledger_table(path.with_name("none.csv")).empty


def test_a_link_and_its_target_have_one_lock(tmp_path) -> None:
    real, link = tmp_path / "real" / "3x3.csv", tmp_path / "3x3.csv"
    real.parent.mkdir()
    real.touch()
    link.symlink_to(real)
    with Ledger(link), pytest.raises(InputError, match="is being written by process"):
        Ledger(real).__enter__()
    with Ledger(link) as ledger:
        assert ledger.path == real.resolve()
    assert link.is_symlink()


def test_a_special_file_is_refused_at_once(tmp_path, monkeypatch) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    for path in (tmp_path / "pipe.csv", Path("/dev/zero")):
        with pytest.raises(InputError, match="cannot be read: No regular file"):
            read_ledger(path)
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read_ledger(tmp_path)
    path = tmp_path / "large.csv"
    with open(path, "wb") as file:
        file.truncate(10**13)
    with pytest.raises(
        InputError, match=r"large.csv of 10,000,000,000,000 bytes needs about 2e\+05"
    ):
        read_ledger(path)


def test_rows_whose_sum_needs_more_than_64_bits_can_be_read_again(tmp_path):
    task, path = Task("3x3", 2), tmp_path / "3x3.weighted.csv"
    most = (5, *[0] * (len(MEASURES) - 2), 2**63 - 1)
    rows = tuple(Row(task, Counts(task.task_id, 10 * i, 10, most)) for i in range(3))
    with Ledger(path) as ledger:
        ledger.append(rows)
        ledger.compact()
    assert read_ledger(path).rows == rows
    with pytest.raises(InputError, match="has 10 games from game 0 on, and 20 behind a gap"):
        win_rate_table(rows, 30)
