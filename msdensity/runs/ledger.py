"""The record of what was played: one CSV file for each board and player, a row for each batch.

Rows are only appended, so the file is the checkpoint. When all games are played, `compact` gives it
the one form that does not depend on batches, threads, order or interruptions. Ledgers of the same
games may be copied, joined by `cat`, or overlap: each game counts once (`runs.cover`).
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from msdensity.errors import InputError
from msdensity.files.atomic import remove_leftovers
from msdensity.files.journal import Journal, Seal, read_bytes
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import Task
from msdensity.kernel.limits import check_memory
from msdensity.kernel.measures import MEASURES
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.counts import Counts
from msdensity.runs.cpu_notes import add_notes, notes_path, sum_notes
from msdensity.runs.rows import Row, by_task, join, merge, overlap, settle

_TASK_COLUMNS = (
    *("task_id", "board", "topology", "mines", "player", "options"),
    *("first_click", "start", "seed", "kernel_version"),
)

COLUMNS = (*_TASK_COLUMNS, "first_game", "games", *MEASURES, "check")
"""Columns of a ledger. `options` is JSON, see `Task.own_options`; `check` is the row's checksum."""

_HEADER = ",".join(COLUMNS).encode()

_SEAL = Seal(b",", lambda text: hashlib.blake2b(text).hexdigest()[:8].encode())

_BYTES_READ = 20
"""Bytes of memory needed for each byte of a ledger that is read."""

_ROWS_UNMERGED = 50_000
"""Rows of several ledgers that are kept before adjacent ones are merged."""

_MAX_LINE = 100_000
"""Bytes of a line that are read to see whose ledger it is."""

MAX_LINES = 20_000
"""Lines that a run appends before it compacts its ledger, so that reading it fits in memory."""


class LedgerWarning(UserWarning):
    """A ledger's games are played again: its torn last line, or those of another kernel version."""


@dataclass(frozen=True)
class Contents:
    """A ledger as read: rows sorted by mines and game, adjacent ones merged.

    left: rows that do not count, because others overlap them; size: bytes up to the end of the last
    good line; canonical: whether the file is what `compact` would write; torn: whether a torn last
    line was left out.
    """

    rows: tuple[Row, ...] = ()
    left: tuple[Row, ...] = ()
    size: int = 0
    canonical: bool = True
    torn: bool = False


def read_ledger(path: str | os.PathLike[str], any_version: bool = False) -> Contents:
    """Return what the ledger holds; a file that does not exist holds nothing.

    any_version: read the games of other versions of the kernel too; nothing can be added to these.

    A last line that a crash tore is left out with a LedgerWarning. Raises InputError, which says
    what to do, for any other damage, for rows that contradict each other, and for a ledger of
    another kernel version, with other columns or of more than one run.
    """
    return _warned(_read(Path(path), any_version)).contents()


def read_rows(path: str | os.PathLike[str]) -> list[Row]:
    """Return the rows of a ledger of any version line by line, even contradictory ones."""
    return _warned(_read(Path(path), True)).rows


def _warned(lines: _Lines) -> _Lines:
    if lines.torn:
        warnings.warn(f"ledger {lines.path}: torn last line left out", LedgerWarning, stacklevel=3)
    return lines


def read_together(
    paths: Iterable[str | os.PathLike[str]],
    any_version: bool = False,
    tasks: Sequence[Task] = (),
) -> tuple[list[Row], list[Row]]:
    """Return rows of several ledgers, read as one set, as `settle` does; errors as above.

    tasks: tasks of the run that all ledgers must belong to, if given. There may be hundreds of
    ledgers, so memory holds only merged rows, and all rows of the tasks whose rows overlap. Other
    processes may be writing: a line that is not complete yet is left out without a warning.
    """
    places = [Path(path) for path in paths]
    rows: list[Row] = []
    overlapping: set[str] = set()

    def merged(rows: list[Row]) -> list[Row]:
        groups = list(by_task(rows))
        overlapping.update(own[0].counts.task_id for own in groups if overlap(own))
        return [
            row for own in groups if own[0].counts.task_id not in overlapping for row in join(own)
        ]

    most = _ROWS_UNMERGED
    for path in places:
        more = _read(path, any_version).rows
        if tasks:
            require_same_run(path, [*dict.fromkeys(row.task for row in more), *tasks])
        rows += more
        if len(rows) > most:
            rows = merged(rows)
            most = max(_ROWS_UNMERGED, 2 * len(rows))  # rows that do not adjoin stay as many
    rows = merged(rows)
    if not overlapping:
        return rows, []
    again = (row for path in places for row in _read(path, any_version).rows)
    return settle([*rows, *(row for row in again if row.counts.task_id in overlapping)])


def require_first_row(path: Path, task: Task) -> None:
    """Raise InputError if the first row of a ledger is not of the task's run; reads only that row.

    A ledger without a complete row passes.
    """
    try:
        row = _parse(line, {}, False) if (line := _first_row(path)) else None
    except InputError as error:
        raise InputError(f"ledger {path}: line 2 {error}") from error
    require_same_run(path, [row.task, task] if row else [])


def version_of(path: Path) -> int | None:
    """Return the version of the kernel that played a ledger, by its first row.

    None without a complete row that matches its check value: whoever reads the whole file says so.
    """
    with contextlib.suppress(ValueError, IndexError, csv.Error):
        text = _SEAL.text(_first_row(path)) or b""
        return int(next(csv.reader([text.decode()]))[_TASK_COLUMNS.index("kernel_version")])
    return None


def _first_row(path: Path) -> bytes:
    """Return the line after the header of a ledger; empty if it is not there or not complete."""
    if not os.path.isfile(path):  # a pipe would make us wait
        return b""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        header, line = (file.readline(_MAX_LINE) for _ in range(2))
        if _text(header.removesuffix(b"\n")) == _HEADER and line.endswith(b"\n"):
            return _text(line.removesuffix(b"\n"))
    return b""


def require_same_run(path: Path, tasks: Iterable[Task]) -> None:
    """Raise InputError unless the tasks differ in the number of mines only."""
    first: dict[str, str | int] = {}
    for task in tasks:
        facts = dict(zip(_TASK_COLUMNS, task_facts(task), strict=True))
        first = first or facts
        for name, value in facts.items():
            if value != first[name] and name not in ("task_id", "mines"):
                raise InputError(
                    f"ledger {path} has {name}={first[name]} and would get {name}={value}: give"
                    " the configuration another name, or move the ledger"
                )


class Ledger:
    """The one writer of a ledger: `with Ledger(path) as ledger` holds its lock.

    Entering makes the folder if missing; it raises InputError if another process writes the ledger,
    if the folder cannot be written, and as `read_ledger` does. `contents` is what the ledger held
    on entry.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        if os.path.islink(path) and not os.path.exists(path):
            raise InputError(f"ledger {path} is a link to a file that is not there: remove it")
        # A link and its target are one ledger, with one lock.
        self.path = Path(os.path.realpath(path)) if os.path.islink(path) else Path(path)
        self.contents = Contents()
        lock = self.path.with_name(self.path.name + ".lock")
        self._journal = Journal(self.path, lock, f"ledger {self.path}")
        self._entered = False
        self._appended = 0

    def __enter__(self) -> Ledger:
        self._journal.open()
        try:
            for path in (self.path, notes_path(self.path)):
                remove_leftovers(path)
            self.contents = read_ledger(self.path)
            self._journal.start_after(self.contents.size)
        except BaseException:
            self._journal.close()
            raise
        self._entered = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._entered = False
        self._journal.close()

    def append(self, rows: Sequence[Row], cpu_seconds: Sequence[float] = ()) -> None:
        """Add rows to the end of the file, in one write that is on the disk on return.

        cpu_seconds: the cost of each row, which is noted beside the ledger. Raises OSError, and
        leaves the file as it was, if the disk is full or fails; InputError, and does not touch the
        file, if another process has the lock now. Ctrl-C leaves in the file what was written.
        """
        self._require_entered()
        if not rows:
            return
        header = _HEADER + b"\n" if self._journal.empty else b""
        self._journal.append(header + b"".join(map(_line, rows)))
        self._appended += len(rows)
        if cpu_seconds:
            counts = (row.counts for row in rows)
            pairs = zip(counts, cpu_seconds, strict=True)
            add_notes(self.path, ((c.task_id, c.first_game, c.games, s) for c, s in pairs))

    @property
    def needs_compaction(self) -> bool:
        """Whether enough lines were appended to compact the ledger in place."""
        return self._appended > max(MAX_LINES, len(self.contents.rows))

    def compact_in_place(self) -> None:
        """Merge adjacent rows and the notes of CPU time, in the middle of a run.

        Rows that do not count because others overlap them stay in the file.
        """
        self._require_entered()
        self._journal.require()
        contents = self.contents = _read(self.path).contents()
        self._journal.replace(render(contents.rows) + b"".join(map(_line, contents.left)))
        sum_notes(self.path)
        self._appended = 0

    def compact(self) -> bool:
        """Rewrite the file in its one canonical form; return whether that changed it.

        Only for a ledger that has all wanted games, because rows that others overlap are removed.
        The old file stays until the new one is complete on the disk.
        """
        self._require_entered()
        self._journal.require()
        contents = _read(self.path).contents()
        if not contents.canonical:
            self._journal.replace(render(contents.rows))
        return not contents.canonical

    def _require_entered(self) -> None:
        if not self._entered:
            raise ValueError("a ledger can be written only inside `with Ledger(path) as ledger`")


def render(rows: Iterable[Row]) -> bytes:
    """Return the bytes of a ledger with these rows; without rows, no bytes."""
    lines = [_line(row) for row in merge(rows)]
    return b"".join([_HEADER + b"\n", *lines]) if lines else b""


def task_facts(task: Task, kernel_version: int = KERNEL_VERSION) -> tuple[str | int, ...]:
    """Return the values of the first COLUMNS for a task, as a version of the kernel played it."""
    options = json.dumps(task.own_options, sort_keys=True, separators=(",", ":"))
    return (
        task.task_id if kernel_version == KERNEL_VERSION else task.task_id_of(kernel_version),
        task.board.name,
        task.board.topology,
        task.mines,
        task.player,
        options,
        task.rules.first_click,
        task.rules.start,
        task.seed,
        kernel_version,
    )


def _line(row: Row) -> bytes:
    buffer = io.StringIO()
    facts, counts = task_facts(row.task, row.kernel_version), row.counts
    csv.writer(buffer, lineterminator="").writerow(
        (*facts, counts.first_game, counts.games, *counts.measures)
    )
    return _SEAL.line(buffer.getvalue().encode())


@dataclass(frozen=True)
class _Lines:
    """The file of a ledger: its rows, line by line, and its bytes."""

    path: Path
    rows: list[Row]
    data: bytes = b""
    size: int = 0
    torn: bool = False

    def contents(self) -> Contents:
        try:
            rows, left = settle(self.rows)
        except InputError as error:
            raise InputError(f"ledger {self.path}: {error}") from error
        canonical = self.data == render(rows)
        return Contents(tuple(rows), tuple(left), self.size, canonical, self.torn)


def _read(path: Path, any_version: bool = False) -> _Lines:
    def check_size(size: int) -> None:
        check_memory(f"ledger {path} of {size:,} bytes", _BYTES_READ * size)

    data = read_bytes(path, f"ledger {path}", check_size)
    if data is None:
        return _Lines(path, [])
    header, end, _ = data.partition(b"\n")
    if not end and _HEADER.startswith(header):
        return _Lines(path, [], data, torn=bool(data))
    if _text(header) != _HEADER:
        raise InputError(_other_columns(path, header))
    lines = data.split(b"\n")
    torn = lines.pop() != b""
    if not torn and _text(lines[-1]) != _HEADER and _SEAL.text(_text(lines[-1])) is None:
        torn = True
        lines.pop()
    known: dict[tuple[str, ...], tuple[Task, int]] = {}
    rows = []
    try:
        for number, line in enumerate(map(_text, lines), start=1):
            # In ledgers joined by `cat` there are headers between the rows.
            if line == _HEADER:
                continue
            try:
                row = _parse(line, known, any_version)
            except InputError as error:
                raise type(error)(f"line {number} {error}") from error
            rows.append(replace(row, place=(os.fspath(path), number)))
        versions = sorted({version for _, version in known.values()})
        if len(versions) > 1:
            raise InputError(f"kernel_version={versions} must be one: give each a file of its own")
    except InputError as error:
        raise type(error)(f"ledger {path}: {error}") from error
    require_same_run(path, [task for task, _ in known.values()])
    return _Lines(path, rows, data, sum(len(line) + 1 for line in lines), torn)


def _text(line: bytes) -> bytes:
    """Return a line without the carriage return that another system may have put at its end."""
    return line.removesuffix(b"\r")


def _parse(line: bytes, known: dict[tuple[str, ...], tuple[Task, int]], any_version: bool) -> Row:
    text = _SEAL.text(line)
    if text is None:
        raise InputError(f"does not match its check value, so it was edited or damaged: {_RESTORE}")
    width = len(_TASK_COLUMNS)
    try:
        # Compared with the text below, because int() alone accepts "1_0" and " 1" too.
        (fields,) = csv.reader([line.decode()], strict=True)
        described, numbers = tuple(fields[:width]), [int(field) for field in fields[width:-1]]
        if max(map(abs, numbers)) >= 2**63 or sum(numbers[:2]) >= 2**63:
            raise ValueError("more than 64 bits")
        if described[1].endswith(".json"):  # Board.parse would open the file
            raise ValueError("not the name of a board")
        if described not in known:
            known[described] = _task(dict(zip(_TASK_COLUMNS, described, strict=True)), any_version)
        task, version = known[described]
        first_game, games, *measures = numbers
        row = Row(task, Counts(described[0], first_game, games, tuple(measures)), version)
        same = text.endswith("".join(f",{n}" for n in numbers).encode())
    except (ValueError, TypeError, RecursionError, csv.Error) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"is not a line of a ledger: {_RESTORE}") from error
    if not same:
        raise InputError(f"is not in the form of a ledger: {_RESTORE}")
    return row


def _task(fields: Mapping[str, str], any_version: bool) -> tuple[Task, int]:
    version = int(fields["kernel_version"])
    if version != KERNEL_VERSION and not any_version:
        raise InputError(
            f"was played by kernel_version={version}, and games of this version, {KERNEL_VERSION},"
            " are never added to it: a run keeps them in a ledger beside it, and `msdensity table"
            f" --kernel-version {version}` reads it as it is"
        )
    task = Task(
        Board.parse(fields["board"]),
        int(fields["mines"]),
        fields["player"],
        json.loads(fields["options"]),
        Rules(fields["first_click"], fields["start"]),
        int(fields["seed"]),
    )
    for field, fact in zip(fields.values(), task_facts(task, version), strict=True):
        if field != str(fact):
            raise InputError(f"has {field[:40]!r}, which must be {str(fact)!r}: {_RESTORE}")
    return task, version


_RESTORE = "restore the file, or delete the line; its games will be played again"

_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
"""Byte order marks, which some editors put at the start of a file."""


def _other_columns(path: Path, header: bytes) -> str:
    if header.startswith(_MARKS):
        return (
            f"ledger {path} starts with a byte order mark, as some editors write it: save it as"
            " UTF-8 without a byte order mark (BOM)"
        )
    names = header.decode(errors="replace").split(",")
    missing = [name for name in COLUMNS if name not in names]
    if "task_id" not in names:
        what = "is not a ledger"
    elif missing:
        what = f"lacks the columns {', '.join(missing)}, so another version of msdensity wrote it"
    else:
        what = "has other columns than a ledger of this version of msdensity"
    return f"ledger {path} {what}: move or delete it; its games will be played again"
