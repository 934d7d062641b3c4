"""Jobs of studies without a ledger, in Snakemake: kill -9 loses no batch that was on the disk."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
import yaml

from places import ROOT
from repository import SMOKE, command, copy_of, results, snakemake

pytestmark = [pytest.mark.workflow, pytest.mark.campaign]

TARGETS = {
    "data/smoke_players/tables/000_5.1.csv": "tables",
    "data/smoke_players/pairs/guessing.csv": "pairs",
}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> Path:
    folder = small_study(tmp_path_factory.mktemp("whole") / "main")
    snakemake(folder, SMOKE, *TARGETS)
    return folder


def small_study(folder: Path) -> Path:
    copy_of(ROOT, folder)
    study = folder / "workflow/config/smoke_players.yaml"
    values = yaml.safe_load(study.read_text()) | {"games": 20_000}
    study.write_text(yaml.safe_dump(values))
    return folder


@pytest.mark.parametrize("target", TARGETS)
def test_a_job_in_snakemake(tmp_path, undisturbed, tally, target) -> None:
    """The whole run is killed in the middle of a study, three times."""
    found = tally("kill -9 of a study in snakemake")
    folder = small_study(tmp_path / "main")
    path = folder / target
    kept = tmp_path / "kept"
    line, environment = command(folder, SMOKE, "--cores=2", target)
    before: list[bytes] = []
    for _ in range(3):
        run = subprocess.Popen(
            line,
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
        try:
            deadline = time.monotonic() + 120
            while len(lines(path)) <= len(before) + 5:
                assert run.poll() is None and time.monotonic() < deadline
                time.sleep(0.01)
        finally:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait(60)
        found.trials += 1
        found.complete += path.exists()
        there = lines(path)
        # Everything that an earlier attempt had written is still there.
        found.lost += there[: len(before)] != before
        before = there
        # What else names the file outlives it.
        kept.unlink(missing_ok=True)
        os.link(next(path.parent.glob(f"unfinished/{path.name}.*.part")), kept)
    snakemake(folder, SMOKE, target)
    there = kept.read_bytes().splitlines()
    whats = [each.partition(b"\t")[0] for each in there]
    found.doubled += len(whats) != len(set(whats))
    found.lost += there[: len(before)] != before
    assert not (path.parent / "unfinished").exists()
    found.doubled += results(folder)[target] != results(undisturbed)[target]
    assert found.clean


def lines(result: Path) -> list[bytes]:
    """The complete lines of the checkpoint of a result; none if there is no checkpoint."""
    for place in result.parent.glob(f"unfinished/{result.name}.*.part"):
        return place.read_bytes().split(b"\n")[:-1]
    return []
