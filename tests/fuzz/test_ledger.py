"""Ledgers: damage and edits never add games and never give another error."""

import csv
import io
import warnings
from pathlib import Path

import pytest
from fuzz.mutations import NUMBERS, WORDS, mutated
from fuzz.outcomes import REFUSED, answer, fuzzed
from hypothesis import strategies as st

from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import Task
from msdensity.kernel.measures import MEASURES
from msdensity.runs import checkpoint, ledger
from msdensity.runs.counts import Counts
from msdensity.runs.cpu_notes import cpu_seconds
from msdensity.runs.ledger import COLUMNS, LedgerWarning, read_ledger, render
from msdensity.runs.rows import Row, merge
from msdensity.runs.verify import verify
from msdensity.runs.win_rates import ledger_table

pytestmark = pytest.mark.filterwarnings("ignore::msdensity.runs.ledger.LedgerWarning")


TASKS = [
    Task(Board((3, 4)), mines, "weighted", {"ties": "random"}, Rules("cell:5", "zero"), 7)
    for mines in (1, 2)
]


def row(task: Task, first: int, games: int) -> Row:
    values = {name: games for name in MEASURES}
    return Row(task, Counts(task.task_id, first, games, values))  # type: ignore[arg-type]


ROWS = [row(TASKS[0], 0, 100), row(TASKS[0], 200, 50), row(TASKS[1], 0, 300)]
DATA = render(ROWS)
GAMES = {task.task_id: sum(r.counts.games for r in ROWS if r.task == task) for task in TASKS}


def read_bytes(path: Path, data: bytes) -> object:
    path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LedgerWarning)
        found = answer("read_ledger", read_ledger, path)
        again = answer("read_ledger", read_ledger, path)
        assert found is again is REFUSED or found == again
        table = answer("ledger_table", ledger_table, path)
    if found is not REFUSED:
        assert table is REFUSED or len(table) == len(found.rows)
        path.write_bytes(render(found.rows))
        assert render(read_ledger(path).rows) == path.read_bytes()
    return found


ANY = st.binary(max_size=200) | st.binary(max_size=100).map(lambda x: DATA + x)


@fuzzed(data=mutated([DATA]) | ANY)
def test_damage_never_adds_games(tmp_path_factory, data: bytes) -> None:
    found = read_bytes(tmp_path_factory.getbasetemp() / "damaged.csv", data)
    if found is not REFUSED:
        games = dict.fromkeys(GAMES, 0)
        for each in found.rows:
            games[each.task.task_id] += each.counts.games
        assert all(games[name] <= GAMES[name] for name in GAMES)


@st.composite
def edited(draw: st.DrawFn) -> bytes:
    """A ledger with fields changed by someone who can compute its check values."""
    header, *lines = DATA.decode().splitlines()
    rows = [fields[:-1] for fields in csv.reader(lines)]
    for _ in range(draw(st.integers(1, 2))):
        fields = draw(st.sampled_from(rows))
        if fields:
            fields[draw(st.integers(0, len(fields) - 1))] = draw(
                st.sampled_from([*NUMBERS, *WORDS, *OPTIONS]) | st.text(max_size=4) | NUMBER
            )
        if draw(st.integers(0, 9)) == 0:
            del fields[draw(st.integers(0, len(COLUMNS))) :]
    data = header.encode() + b"\n"
    for fields in rows:
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="").writerow(fields)
        text = buffer.getvalue().replace("\n", " ").encode(errors="replace")
        data += ledger._SEAL.line(text)
    return data


NUMBER = st.integers(-(10**20), 10**20).map(str)
OPTIONS = (
    *('{"ties":"ordered"}', '{"ties":1}', '{"ties":[]}', "[1]", "null", '{"ties":NaN}', '"ties"'),
    *('{"a":1,"a":2}', "1" * 5000, "Infinity", '{"ties":"\\ud800"}'),
)


@fuzzed(data=edited())
def test_edits_with_a_right_check_value(tmp_path_factory, data: bytes) -> None:
    read_bytes(tmp_path_factory.getbasetemp() / "edited.csv", data)


@fuzzed(data=edited() | mutated([DATA]))
def test_a_damaged_ledger_is_verified_or_refused(tmp_path_factory, data: bytes) -> None:
    folder = tmp_path_factory.getbasetemp() / "verify"
    folder.mkdir(exist_ok=True)
    (folder / "ledger.csv").write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:  # games are played elsewhere
        patch.setattr("msdensity.games.play.play_batch", lambda *_: dict.fromkeys(MEASURES, 0))
        answer("verify", verify, folder, 5, 1)


@fuzzed(ends=st.lists(st.integers(1, 10**6), min_size=1, max_size=5), task=st.sampled_from(TASKS))
def test_what_is_written_is_read_back(tmp_path_factory, ends: list[int], task: Task) -> None:
    first, rows = 0, []
    for games in ends:
        rows.append(row(task, first, games))
        first += games + games % 2
    path = tmp_path_factory.getbasetemp() / "written.csv"
    path.write_bytes(render(rows))
    assert list(read_ledger(path).rows) == merge(rows)


KEPT = {f"sets {task.task_id} 0 100": [-(10**12), 0, task.mines] for task in TASKS}
PART = b"".join(checkpoint._line(what, 12345, found) for what, found in KEPT.items())


@fuzzed(data=st.binary(max_size=100) | mutated([PART]))
def test_the_part_of_an_unfinished_job(tmp_path_factory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "x.part"
    path.write_bytes(data)
    found, size = answer("read of unfinished jobs", checkpoint.read, path)
    # Nothing but what was there, and whole lines of it.
    assert all(KEPT[what] == numbers for what, (_, numbers) in found.items())
    assert size == 0 or data[:size].endswith(b"\n")


@fuzzed(data=st.binary(max_size=200))
def test_the_note_of_cpu_seconds(tmp_path_factory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "note.csv"
    path.with_suffix(".cpu.csv").write_bytes(data)
    assert isinstance(answer("cpu_seconds", cpu_seconds, path), float)
