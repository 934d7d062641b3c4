"""The version of the kernel rises between two runs of the real workflow."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from msdensity.cli import main
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.verify import verify
from places import ROOT
from repository import NOTHING, SMOKE, command, copy_of, jobs, results, rows, snakemake

pytestmark = [pytest.mark.workflow, pytest.mark.campaign]

SMALL = SMOKE | {"boards": ["3x3", "4x5"], "batch": 50}
SPLIT = SMOKE | {"boards": ["3x12"], "games_per_job": 200, "batch": 50}
TARGET = "win_rates"
RAISED = KERNEL_VERSION + 1
RAISE = f"""
import msdensity.kernel.version

msdensity.kernel.version.KERNEL_VERSION = {RAISED}
"""
KILL = """
import os
import signal

from msdensity.runs.ledger import Ledger

append = Ledger.append


def once(ledger, *arguments):
    append(ledger, *arguments)
    if not os.path.exists("killed"):
        open("killed", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)


Ledger.append = once
"""


def raised(folder: Path, config: dict, *arguments: str, kill: str = "", ok: bool = True) -> str:
    """Run the workflow as a checkout of the next version does; return what it printed."""
    site = folder / "site"
    site.mkdir(exist_ok=True)
    (site / "sitecustomize.py").write_text(RAISE + kill)
    line, environment = command(folder, config, "--cores=2", TARGET, *arguments)
    environment["PYTHONPATH"] = f"{site}{os.pathsep}{ROOT}"
    run = subprocess.run(
        line, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    printed = run.stdout + run.stderr
    assert (run.returncode == 0) is ok, printed
    return printed


def said(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if "kernel_version" in line]


@pytest.mark.parametrize(
    ("config", "ledgers", "started"),
    [
        (SMALL, ["3x3.weighted", "4x5.weighted"], {"sweep_small": 1}),
        (SPLIT, ["3x12.weighted", "3x12.weighted.from200"], {"sweep": 1, "sweep_part": 2}),
    ],
    ids=["boards that share a job", "a board of several jobs"],
)
def test_the_next_version_begins_beside_and_the_old_one_stays(
    tmp_path, monkeypatch, capsys, config, ledgers, started
):
    folder = copy_of(ROOT, tmp_path / "main")
    snakemake(folder, config, TARGET)
    old = {n: d for n, d in results(folder).items() if n.startswith("data/smoke/ledger/")}
    tables = {n: rows(folder / n) for n in results(folder) if "smoke/win_rates/" in n}
    assert [Path(name).stem for name in old] == ledgers

    # One line before anything is played, also where nothing will be played.
    dry = raised(folder, config, "--dry-run")
    (line,) = said(dry)
    assert line == (
        f"ledger data/smoke/ledger/{ledgers[0]}.csv was played by kernel_version={KERNEL_VERSION}"
        f" and stays as it is; games of this version, {RAISED}, go to"
        f" data/smoke/ledger/{ledgers[0]}.kernel{RAISED}.csv (the first of 2 such ledgers)"
    )
    assert started.items() <= jobs(dry).items()

    # A job is killed with its first batch on the disk; the same command goes on.
    raised(folder, config, kill=KILL, ok=False)
    raised(folder, config)
    again = raised(folder, config)
    assert NOTHING in again and not said(again)
    now = results(folder)
    assert {name: now[name] for name in old} == old
    own = {name.replace(".csv", f".kernel{RAISED}.csv") for name in old}
    assert {name for name in now if "/ledger/" in name} == {*old, *own}
    for name, table in tables.items():
        expected = [row | {"kernel_version": str(RAISED)} for row in table]
        assert rows(folder / name) == expected
        record = json.loads((folder / f"provenance/{name}.json").read_text())
        inputs = {path for path in record["inputs"] if "/ledger/" in path}
        assert inputs == own

    monkeypatch.chdir(folder)
    capsys.readouterr()
    found = verify("data/smoke", None)
    assert found.ok, found.report()
    assert found.ledgers == 4 and found.audit.faults == ()
    assert main(["table", "data/smoke", "--kernel-version", str(KERNEL_VERSION)]) == 0
    (folder / "old.csv").write_text(capsys.readouterr().out)
    kept = [row for table in tables.values() for row in table]
    key = lambda row: (row["board"], int(row["mines"]))  # noqa: E731
    assert sorted(rows(folder / "old.csv"), key=key) == sorted(kept, key=key)
