"""The record of what was played: one CSV file for each board and player, a row for each batch.

Rows are only ever appended, so the file is the checkpoint; when a target is met `compact` gives it
the one form that does not depend on batches, threads, order or interruptions.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import hashlib
import io
import json
import os
import stat
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

import pandas as pd

from msdensity.errors import InputError
from msdensity.files.atomic import atomic_write, remove_leftovers
from msdensity.files.journal import Tail
from msdensity.files.lock import PATIENCE_SECONDS, Lock, claim_of
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import Task
from msdensity.kernel.limits import check_memory
from msdensity.kernel.measures import MEASURES
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.counts import Counts
from msdensity.runs.jobs import siblings

_TASK_COLUMNS = (
    "task_id",
    "board",
    "topology",
    "mines",
    "player",
    "options",
    "first_click",
    "start",
    "seed",
    "kernel_version",
)

COLUMNS = (*_TASK_COLUMNS, "first_game", "games", *MEASURES, "check")
"""Columns of a ledger. `options` is JSON with all defaults; `check` is the row's checksum."""

_TEXT = ("task_id", "board", "topology", "player", "options", "first_click", "start")

_HEADER = ",".join(COLUMNS).encode()

_NOTES_HEADER = "task_id,first_game,games,cpu_seconds\n"

_ALL_GAMES = range(2**63 - 1)

_BYTES_READ = 20
"""Of memory for each byte of a ledger that is read."""

READ: set[Path] = set()
"""The ledgers that this process has read, for the record of where its results come from."""

CROWDED_LINES = 20_000
"""Appended before a long run puts its ledger in order: reading it must not outgrow memory."""

CPU_SECONDS_ELSEWHERE: list[float] = []
"""CPU seconds of games that other processes have played for this one, for the same record."""


class LedgerWarning(UserWarning):
    """The last line of a ledger was torn and is left out; its games are played again."""


@dataclass(frozen=True)
class Row:
    """Some games of a task, as this or an earlier version of the kernel played them.

    counts.task_id is the task's under that version.
    """

    task: Task
    counts: Counts
    kernel_version: int = KERNEL_VERSION


@dataclass(frozen=True)
class Contents:
    """A ledger as read: rows sorted by mines and game, those that adjoin merged.

    size: bytes up to the end of the last good line; canonical: whether the file is what `compact`
    would write; torn: whether a last line was left out.
    """

    rows: tuple[Row, ...] = ()
    size: int = 0
    canonical: bool = True
    torn: bool = False


def merge(rows: Iterable[Row]) -> list[Row]:
    """Return the rows sorted by mines and first game, adjoining ones of a task added up.

    Raises InputError if two rows hold the same game, for then a count would be doubled.
    """
    merged: list[Row] = []
    for row in sorted(rows, key=lambda row: (row.task.mines, row.task.task_id, _range(row))):
        last = merged[-1] if merged and merged[-1].task == row.task else None
        if last is None or row.counts.first_game > last.counts.stop:
            merged.append(row)
            continue
        try:
            merged[-1] = replace(last, counts=last.counts + row.counts)
        except InputError as error:
            raise InputError(
                f"board {row.task.board.name} with mines={row.task.mines}: {error}; delete one of"
                " the rows"
            ) from error
    return merged


def read_ledger(
    path: str | os.PathLike[str], any_version: bool = False, on_record: bool = True
) -> Contents:
    """Return what the ledger holds; a file that does not exist holds nothing.

    any_version: read what other versions of the kernel played too; nothing can be added to it.
    on_record: whether the caller's results come from it (READ).

    A last line that a crash tore is left out with a LedgerWarning. Raises InputError, saying what
    to do, for any other damage, for games held twice, and for a ledger of another kernel version,
    of other columns or of more than one run.
    """
    path = Path(path)
    if on_record:
        READ.add(path)
    contents = _read(path, any_version)
    if contents.torn and on_record:
        warnings.warn(f"ledger {path}: torn last line left out", LedgerWarning, stacklevel=2)
    return contents


def ledger_table(*paths: str | os.PathLike[str]) -> pd.DataFrame:
    """Return the merged rows of a ledger as a table with COLUMNS but `check`; errors as above.

    Of any kernel version, which is a column. Several ledgers are those that share a board and a
    player; they are merged one after the other, for there may be hundreds.
    """
    merged: list[Row] = []
    for path in paths:
        merged = merge([*merged, *read_ledger(path, True).rows])
    rows = [(*_task_fields(row), *_numbers(row)) for row in merged]
    table = pd.DataFrame(rows, columns=list(COLUMNS[:-1]))
    return table.astype({name: "str" if name in _TEXT else "int64" for name in table.columns})


def cpu_seconds(path: str | os.PathLike[str]) -> float:
    """Return the CPU seconds noted beside a ledger for all that was ever played for it; 0 if none.

    A note, not a result: lines that a crash tore are passed over.
    """
    return sum((cpu for *_, cpu in _notes(Path(path).with_suffix(".cpu.csv"))), 0.0)


def _notes(path: Path) -> Iterator[tuple[str, int, int, float]]:
    """Yield task_id, first game, games and CPU seconds of all lines that are whole."""
    with (
        contextlib.suppress(OSError, ValueError),  # a name that no file can have
        open(path, encoding="utf-8", errors="replace") as file,
    ):
        for line in file:
            fields = line.split(",")
            if len(fields) == 4 and line.endswith("\n"):
                with contextlib.suppress(ValueError):
                    yield fields[0], int(fields[1]), int(fields[2]), float(fields[3])


def note_cpu_seconds_elsewhere(seconds: float) -> None:
    """Keep in mind that another process has played for this one."""
    CPU_SECONDS_ELSEWHERE.append(seconds)


def require_same_run(path: Path, tasks: Iterable[Task]) -> None:
    """Raise InputError unless the tasks differ in the number of mines only."""
    first: dict[str, str | int] = {}
    for task in tasks:
        facts = dict(zip(_TASK_COLUMNS, _facts(task), strict=True))
        first = first or facts
        for name, value in facts.items():
            if value != first[name] and name not in ("task_id", "mines"):
                raise InputError(
                    f"ledger {path} has {name}={first[name]} and would get {name}={value}: give"
                    " the configuration another name, or move the ledger away"
                )


class Ledger:
    """The one writer of a ledger: `with Ledger(path) as ledger` holds its lock.

    games: those that it may get, all of them if not said. Entering makes the folder if missing; it
    raises InputError if another process writes the ledger, or a sibling (see `jobs.siblings`) that
    may get some of the same games, if the folder cannot be written, and as `read_ledger` does.
    `contents` is what the ledger held on entry.
    """

    def __init__(self, path: str | os.PathLike[str], games: range = _ALL_GAMES) -> None:
        # A link and what it names are one ledger, with one lock.
        self.path = Path(os.path.realpath(path)) if os.path.islink(path) else Path(path)
        self.contents = Contents()
        self._games = games
        claim = f"games {games.start} {games.stop}"
        self._lock = Lock(_lock_path(self.path), f"ledger {self.path}", claim)
        self._tail: Tail | None = None
        self._appended = 0

    def __enter__(self) -> Ledger:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.take()
        except OSError as error:
            raise InputError(f"ledger {self.path} cannot be written: {error.strerror}") from error
        try:
            # After the own lock is taken: of two that start at once, one at least sees the other.
            self._require_no_sibling_at_work()
            for path in (self.path, self._notes):
                remove_leftovers(path)
            self.contents = read_ledger(self.path)
            self._tail = Tail(self.path, self.contents.size)
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._release()

    def append(self, rows: Sequence[Row]) -> None:
        """Add rows to the end of the file, in one write that is on the disk on return.

        Raises OSError, with the file as it was before, if the disk is full or fails; InputError,
        with the file as it is, if another process has it now. Ctrl-C leaves in the file what was
        written.
        """
        if not rows:
            return
        tail = self._writable_tail()
        self._lock.require()
        tail.append(_header_if(tail.size == 0) + b"".join(map(_line, rows)))
        self._lock.require()
        self._appended += len(rows)

    @property
    def crowded(self) -> bool:
        """Whether so much was appended that it is time to put the ledger in order."""
        return self._appended > max(CROWDED_LINES, len(self.contents.rows))

    def put_in_order(self) -> None:
        """Merge the rows that adjoin and the notes of CPU time, in the middle of a run."""
        self.compact()
        self.contents = _read(self.path)
        self._appended = 0
        path = self._notes
        sums: dict[str, tuple[int, int, float]] = {}
        for task_id, first, games, cpu in _notes(path):
            start, count, seconds = sums.get(task_id, (first, 0, 0.0))
            sums[task_id] = (min(start, first), count + games, seconds + cpu)
        with contextlib.suppress(OSError), atomic_write(path) as file:
            file.write(_NOTES_HEADER)
            file.writelines(
                f"{task_id},{first},{games},{cpu:.6f}\n"
                for task_id, (first, games, cpu) in sums.items()
            )

    def compact(self) -> bool:
        """Rewrite the file in its one canonical form; return whether that changed it.

        The old file stays until the new one is complete on the disk.
        """
        tail = self._writable_tail()

        def still_ours() -> None:
            self._lock.require()
            tail.require()

        still_ours()
        contents = _read(self.path)
        if contents.canonical:
            return False
        data = render(contents.rows)
        with atomic_write(self.path, still_ours) as file:
            file.write(data.decode())
        self._tail = Tail(self.path, len(data))
        return True

    def append_cpu_seconds(self, rows: Sequence[Row], seconds: Sequence[float]) -> None:
        """Note beside the ledger what each row cost; a note that cannot be written is dropped."""
        path = self._notes
        with contextlib.suppress(OSError), open(path, "a", encoding="utf-8", newline="\n") as file:
            if file.tell() == 0:
                file.write(_NOTES_HEADER)
            file.writelines(
                f"{row.task.task_id},{row.counts.first_game},{row.counts.games},{cpu:.6f}\n"
                for row, cpu in zip(rows, seconds, strict=True)
            )

    def _require_no_sibling_at_work(self) -> None:
        for sibling in siblings(self.path):
            place = _lock_path(sibling)
            try:
                claim = _claim(claim_of(place))
            except OSError as error:
                raise InputError(f"lock {place} cannot be read: {error.strerror}") from error
            if claim.start < self._games.stop and self._games.start < claim.stop:
                what = (
                    f"ledger {self.path} may not get games {self._games.start} to"
                    f" {self._games.stop - 1} yet: ledger {sibling}, which may get some of them,"
                )
                # To take it tells whether its holder is alive, and one that was only frozen will
                # find out that it has lost it.
                lock = Lock(place, what)
                try:
                    # Of two that start at once and refuse each other, one gives up first.
                    lock.take((4 if self.path < sibling else 1) * PATIENCE_SECONDS)
                except OSError as error:
                    raise InputError(f"{what} has a lock: {error.strerror}") from error
                lock.release()

    @property
    def _notes(self) -> Path:
        return self.path.with_suffix(".cpu.csv")

    def _writable_tail(self) -> Tail:
        if self._tail is None:
            raise ValueError("a ledger is written inside `with Ledger(path) as ledger` only")
        return self._tail

    def _release(self) -> None:
        self._tail = None
        self._lock.release()


def _lock_path(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _claim(text: str | None) -> range:
    """Return the games that a holder of a lock may add: none if it is free, all if not said."""
    if text is None:
        return range(0)
    words = text.split()
    if len(words) == 3 and words[0] == "games" and all(map(str.isdecimal, words[1:])):
        return range(int(words[1]), int(words[2]))
    return _ALL_GAMES


def render(rows: Iterable[Row]) -> bytes:
    """Return the bytes of a ledger with these rows; of an empty one, none."""
    lines = [_line(row) for row in merge(rows)]
    return b"".join([_header_if(bool(lines)), *lines])


def _header_if(wanted: bool) -> bytes:
    return _HEADER + b"\n" if wanted else b""


def _task_fields(row: Row) -> tuple[str | int, ...]:
    return _facts(row.task, row.kernel_version)


def _facts(task: Task, kernel_version: int = KERNEL_VERSION) -> tuple[str | int, ...]:
    options = json.dumps(dict(task.options), sort_keys=True, separators=(",", ":"))
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


def _range(row: Row) -> tuple[int, int]:
    return (row.counts.first_game, row.counts.games)


def _numbers(row: Row) -> tuple[int, ...]:
    return (*_range(row), *row.counts.measures)


def _line(row: Row) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow((*_task_fields(row), *_numbers(row)))
    text = buffer.getvalue().encode()
    return text + b"," + _check(text) + b"\n"


def _check(text: bytes) -> bytes:
    return hashlib.blake2b(text).hexdigest()[:8].encode()


def _read(path: Path, any_version: bool = False) -> Contents:
    try:
        there = os.stat(path)
        # A pipe would be waited for, a device have no end.
        if not stat.S_ISREG(there.st_mode):
            kind = errno.EISDIR if stat.S_ISDIR(there.st_mode) else errno.EINVAL
            raise OSError(kind, os.strerror(kind) if kind == errno.EISDIR else "No regular file")
        check_memory(f"ledger {path} of {there.st_size:,} bytes", _BYTES_READ * there.st_size)
        data = path.read_bytes()
    except FileNotFoundError:
        return Contents()
    except OSError as error:
        raise InputError(f"ledger {path} cannot be read: {error.strerror}") from error
    header, end, body = data.partition(b"\n")
    if not end and _HEADER.startswith(header):
        return Contents(torn=bool(data), canonical=not data)
    if header != _HEADER:
        raise InputError(_other_columns(path, header))
    lines = body.split(b"\n")
    torn = lines.pop() != b""
    if lines and not torn and not _is_whole(lines[-1]):
        torn = True
        lines.pop()
    known: dict[tuple[str, ...], tuple[Task, int]] = {}
    try:
        rows = []
        for number, line in enumerate(lines, start=2):
            try:
                rows.append(_parse(line, known, any_version))
            except InputError as error:
                raise InputError(f"line {number} {error}") from error
        merged = merge(rows)
        versions = sorted({version for _, version in known.values()})
        if len(versions) > 1:
            raise InputError(f"kernel_version={versions} must be one: {_MOVE}")
    except InputError as error:
        raise InputError(f"ledger {path}: {error}") from error
    require_same_run(path, [task for task, _ in known.values()])
    size = len(_HEADER) + 1 + sum(len(line) + 1 for line in lines)
    return Contents(tuple(merged), size, data == render(merged), torn)


def _is_whole(line: bytes) -> bool:
    text, _, check = line.rpartition(b",")
    return check == _check(text)


def _parse(line: bytes, known: dict[tuple[str, ...], tuple[Task, int]], any_version: bool) -> Row:
    if not _is_whole(line):
        raise InputError(f"does not match its check value, so it was edited or damaged: {_RESTORE}")
    width = len(_TASK_COLUMNS)
    try:
        # As text that must come out again, for int() alone takes "1_0" and " 1" too.
        (fields,) = csv.reader([line.decode()], strict=True)
        described, numbers = tuple(fields[:width]), [int(field) for field in fields[width:-1]]
        if max(map(abs, numbers)) >= 2**63 or sum(numbers[:2]) >= 2**63:
            raise ValueError("more than 64 bits")
        if described[1].endswith(".json"):  # which would be opened
            raise ValueError("not the name of a board")
        if described not in known:
            known[described] = _task(dict(zip(_TASK_COLUMNS, described, strict=True)), any_version)
        task, version = known[described]
        first_game, games, *measures = numbers
        row = Row(task, Counts(described[0], first_game, games, tuple(measures)), version)
        same = line.rpartition(b",")[0].endswith("".join(f",{n}" for n in numbers).encode())
    except (ValueError, TypeError, RecursionError, csv.Error) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"is not a line of a ledger: {_RESTORE}") from error
    if not same:
        raise InputError(f"is not written as a ledger is: {_RESTORE}")
    return row


def _task(fields: Mapping[str, str], any_version: bool) -> tuple[Task, int]:
    version = int(fields["kernel_version"])
    if version != KERNEL_VERSION and not any_version:
        raise InputError(
            f"was played by kernel_version={version}, and this is {KERNEL_VERSION}, whose games end"
            f" differently: {_MOVE}"
        )
    task = Task(
        Board.parse(fields["board"]),
        int(fields["mines"]),
        fields["player"],
        json.loads(fields["options"]),
        Rules(fields["first_click"], fields["start"]),
        int(fields["seed"]),
    )
    for field, fact in zip(fields.values(), _facts(task, version), strict=True):
        if field != str(fact):
            raise InputError(f"has {field[:40]!r}, which must be {str(fact)!r}: {_RESTORE}")
    return task, version


_RESTORE = "restore the file, or delete the line and its games are played again"

_MOVE = (
    "move the ledger away or delete it, and its games are played again; to play or verify it as it"
    " is, use the version of msdensity that made it (`msdensity provenance` of its table names it)"
)


def _other_columns(path: Path, header: bytes) -> str:
    found = header.decode(errors="replace").split(",")
    missing = [name for name in COLUMNS if name not in found]
    if header.endswith(b"\r"):
        what = "has the line ends of another system, so an editor or a program changed it"
    elif "task_id" not in found:
        what = "is not a ledger"
    elif missing:
        what = f"lacks the columns {', '.join(missing)}, so another version of msdensity wrote it"
    else:
        what = "has other columns than a ledger of this version of msdensity"
    return f"ledger {path} {what}: move it away or delete it, and its games are played again"
