"""What a start of the workflow does about an earlier run, and what Ctrl-C does."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from msdensity.runs.resume import stop_once, work_in


def start(folder: Path, code: str = "input()", *, first: bool = True) -> subprocess.Popen:
    """Return a process that works in the folder until it reads a line."""
    code = (
        "from msdensity.runs.resume import say_kept, stop_once, work_in\n"
        f"print(work_in({str(folder)!r}, {first}), flush=True)\n{code}"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def locks_of(folder: Path) -> list[Path]:
    (folder / "locks").mkdir(parents=True, exist_ok=True)
    for name in ("0.input.lock", "0.output.lock"):
        (folder / "locks" / name).write_text("data/a.csv\n")
    return sorted((folder / "locks").iterdir())


@pytest.mark.parametrize("first", [True, False], ids=["a run", "a job that outlived its run"])
def test_locks_go_when_nobody_works_in_the_folder(tmp_path, first):
    with start(tmp_path, first=first) as other:
        assert other.stdout.readline() == "False\n"
        locks = locks_of(tmp_path)
        with start(tmp_path) as second:
            assert second.stdout.readline() == "False\n"
            assert all(map(Path.exists, locks))
            second.communicate("\n")
        other.kill()
    assert work_in(tmp_path)
    assert not any(map(Path.exists, locks))
    locks_of(tmp_path)
    assert not work_in(tmp_path)  # they are our own now


def test_a_run_of_another_host_keeps_its_locks(tmp_path):
    locks = locks_of(tmp_path)
    (tmp_path / "msdensity.lock").write_text("elsewhere")
    assert not work_in(tmp_path)
    assert all(map(Path.exists, locks))


def test_a_folder_that_cannot_be_written_is_left_to_snakemake(tmp_path):
    (tmp_path / "file").touch()
    assert not work_in(tmp_path / "file")


def test_the_first_interrupt_ends_a_run_and_the_second_does_nothing(capsys):
    before, said = signal.getsignal(signal.SIGINT), []
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stop_once(lambda: said.append("kept"))
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert said == ["kept"]
    finally:
        signal.signal(signal.SIGINT, before)


def test_sigterm_says_what_is_kept_and_leaves_the_rest_to_snakemake():
    before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)}
    done = []
    try:
        signal.signal(signal.SIGTERM, lambda number, frame: done.append(number))
        stop_once(lambda: done.append("kept"))
        for _ in range(2):
            signal.raise_signal(signal.SIGTERM)
        assert done == ["kept", signal.SIGTERM, signal.SIGTERM]
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        stop_once(lambda: None)
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
