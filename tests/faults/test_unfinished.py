"""Jobs of studies, which keep no ledger: kill -9 and full disks lose no batch that was safe."""

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml
from faulty import counting, in_a_child
from small_disk import KILOBYTES, fill, small_disk
from test_workflow import ROOT, SMOKE, command, copy_of, results, snakemake

from msdensity.files.journal import Tail
from msdensity.runs import checkpoint as unfinished
from msdensity.runs.checkpoint import Unfinished, read

pytestmark = pytest.mark.slow

SOURCES = "0123456789abcdef"
WHATS = range(60)


def numbers(what: int) -> list[int]:
    return [what * i for i in range(what)]


def write(path: Path, told: int) -> None:
    """Play all there is; tell of each batch once it is safe."""
    unfinished.WRITE_SECONDS, unfinished.MOST_SHARE = 0.0, 1e9

    class Telling(Tail):
        def append(self, data: bytes) -> None:
            super().append(data)
            for line in data.splitlines():
                os.write(told, line.partition(b"\t")[0] + b"\n")

    unfinished.Tail = Telling  # type: ignore[misc]
    with Unfinished(path, SOURCES) as keep:
        for what in WHATS:
            keep(str(what), lambda what=what: numbers(what))


def part(path: Path) -> Path:
    return path.with_name(f"{path.name}.{SOURCES}.part")


def wrong(path: Path, safe: Iterable[tuple[int, ...]]) -> tuple[int, int]:
    """How many of the batches that were safe are not there, and how many have other numbers."""
    there, _ = read(part(path))
    lost = sum(str(what) not in there for (what,) in safe)
    return lost, sum(found != numbers(int(what)) for what, (_, found) in there.items())


def test_the_trial_sees_what_it_has_to_see(tmp_path) -> None:
    path = tmp_path / "x"
    in_a_child(lambda told: write(path, told))
    assert wrong(path, [(what,) for what in WHATS]) == (0, 0)
    assert wrong(path, [(60,)]) == (1, 0)
    with Unfinished(path, SOURCES) as keep:
        keep("61", lambda: [1])
    assert wrong(path, []) == (0, 1)


def test_a_kill_in_any_call_of_the_system(tmp_path, tally) -> None:
    chance = random.Random(5)
    _, _, told = in_a_child(counting(tmp_path / "dry", lambda calls: False, chance, write))
    calls = int(told.removeprefix("calls "))
    assert calls > 100
    found = tally("kill -9 of a study, writes cut at any byte")
    for trial in range(60):
        path = tmp_path / str(trial)
        for point in (chance.randint(1, calls), chance.randint(1, calls)):
            work = counting(path, lambda n, p=point: n == p, chance, write)
            status, safe, error = in_a_child(work)
            assert status in (0, -signal.SIGKILL), error
            lost, other = wrong(path, safe)
            found.trials += 1
            found.lost += lost
            found.doubled += other
        there, _ = read(part(path))
        status, played, error = in_a_child(lambda told, path=path: write(path, told))
        assert status == 0, error
        # No batch again that was there.
        found.doubled += len(played) != len(WHATS) - len(there)
        found.complete += set(read(part(path))[0]) != set(map(str, WHATS))
    assert found.clean


def test_a_full_disk(tmp_path, tally) -> None:
    found = tally("disk full in a study (tmpfs)")
    for trial in range(10):
        with small_disk(tmp_path / str(trial)) as disk:
            ballast = fill(disk, KILOBYTES - 16 - 4 * (trial % 3))
            path = disk / "x"
            status, safe, error = in_a_child(lambda told, path=path: write(path, told))
            if status:
                assert "make room and run again" in error or "cannot be written" in error
            lost, other = wrong(path, safe)
            found.trials += 1
            found.lost += lost
            found.doubled += other
            ballast.unlink()
            status, _, error = in_a_child(lambda told, path=path: write(path, told))
            assert status == 0, error
            found.complete += set(read(part(path))[0]) != set(map(str, WHATS))
    assert found.clean


TARGETS = {
    "data/players/tables/000_5.1.csv": "tables",
    "data/players/pairs/guessing.csv": "pairs",
}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> Path:
    folder = small_study(tmp_path_factory.mktemp("whole") / "main")
    snakemake(folder, SMOKE, *TARGETS)
    return folder


def small_study(folder: Path) -> Path:
    copy_of(ROOT, folder)
    study = folder / "workflow/config/players.yaml"
    values = yaml.safe_load(study.read_text()) | {"games": 20_000}
    study.write_text(yaml.safe_dump(values))
    return folder


@pytest.mark.workflow
@pytest.mark.parametrize("target", TARGETS)
def test_a_job_in_snakemake(tmp_path, undisturbed, tally, target) -> None:
    """The whole run is killed in the middle of a study, three times."""
    found = tally("kill -9 of a study in snakemake")
    folder = small_study(tmp_path / "main")
    path = folder / target
    kept = tmp_path / "kept"
    line, environment = command(folder, SMOKE, "--cores=2", "--rerun-incomplete", target)
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
        # All that an earlier attempt had made safe stands there as it was.
        found.lost += there[: len(before)] != before
        before = there
        snakemake(folder, SMOKE, "--unlock")
        # What else names the file outlives it.
        kept.unlink(missing_ok=True)
        os.link(next(path.parent.glob(f"unfinished/{path.name}.*.part")), kept)
    snakemake(folder, SMOKE, "--rerun-incomplete", target)
    there = kept.read_bytes().splitlines()
    whats = [each.partition(b"\t")[0] for each in there]
    found.doubled += len(whats) != len(set(whats))
    found.lost += there[: len(before)] != before
    assert not (path.parent / "unfinished").exists()
    found.doubled += results(folder)[target] != results(undisturbed)[target]
    assert found.clean


def lines(result: Path) -> list[bytes]:
    """The whole lines of what is kept for a result, none if there is nothing."""
    for place in result.parent.glob(f"unfinished/{result.name}.*.part"):
        return place.read_bytes().split(b"\n")[:-1]
    return []
