"""Ctrl-C while a script of the workflow starts ends it without a traceback."""

import ast
import signal
import subprocess
import sys

import pytest

from places import ROOT

FOLDER = ROOT / "workflow/scripts"
SCRIPTS = sorted(path.name for path in FOLDER.glob("*.py") if path.name != "job.py")


def run(code: str) -> subprocess.CompletedProcess[str]:
    # As from a terminal: what started the tests may ignore SIGINT, which processes inherit.
    start = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    return subprocess.run(
        [sys.executable, "-c", start + code],
        check=False,
        cwd=FOLDER,
        capture_output=True,
        text=True,
    )


def test_ctrl_c_before_the_work_ends_a_script_silently() -> None:
    stopped = run("import job; signal.raise_signal(signal.SIGINT)")
    assert (stopped.returncode, stopped.stderr) == (-signal.SIGINT, "")
    # Without `job` Python prints where it was.
    assert "Traceback" in run("signal.raise_signal(signal.SIGINT)").stderr


def test_a_script_leaves_an_ignored_ctrl_c_ignored() -> None:
    ignored = "signal.signal(signal.SIGINT, signal.SIG_IGN); import job; "
    assert run(ignored + "signal.raise_signal(signal.SIGINT)").returncode == 0


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_imports_job_before_all_that_takes_time(name) -> None:
    imports = [
        node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in ast.parse((FOLDER / name).read_text(encoding="utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    first = next(each for each in imports if each.split(".")[0] not in sys.stdlib_module_names)
    assert first == "job"
