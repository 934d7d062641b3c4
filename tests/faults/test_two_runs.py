"""Two runs of the real Snakemake at once: on one folder, and of two clones on one data folder."""

import subprocess
from pathlib import Path

import pytest

from places import ROOT
from repository import SMOKE, command, copy_of, results, snakemake

pytestmark = [pytest.mark.workflow, pytest.mark.campaign]

CONFIG = SMOKE | {"boards": ["3x3", "4x4", "6x6"], "games": 20_000, "batch": 500}
TARGETS = ("fits", "rho50")


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> dict[str, bytes]:
    folder = copy_of(ROOT, tmp_path_factory.mktemp("alone") / "main")
    snakemake(folder, CONFIG, *TARGETS)
    return results(folder)


def at_once(*folders: Path) -> list[tuple[int, str]]:
    """Run the workflow in each folder at the same time; return statuses and what was printed."""
    runs = []
    for folder in folders:
        line, environment = command(folder, CONFIG, "--cores=1", *TARGETS)
        runs.append(
            subprocess.Popen(
                line,
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
    printed = [run.communicate(timeout=300)[0] for run in runs]
    return [(run.returncode, text) for run, text in zip(runs, printed, strict=True)]


def test_one_folder(tmp_path, alone) -> None:
    folder = copy_of(ROOT, tmp_path / "main")
    ended = at_once(folder, folder)
    assert {status for status, _ in ended} <= {0, 1}
    assert all(status == 0 or "Directory cannot be locked" in text for status, text in ended)
    snakemake(folder, CONFIG, *TARGETS)
    assert results(folder) == alone


def test_two_clones_on_one_data_folder(tmp_path, alone) -> None:
    """Snakemake's lock is of a clone; ledgers, checkpoints and tables guard themselves."""
    shared = copy_of(ROOT, tmp_path / "shared")
    clones = [copy_of(ROOT, tmp_path / name) for name in ("one", "two")]
    for clone in clones:
        (clone / "data").rename(clone / "own data")
        (clone / "data").symlink_to(shared / "data")
    # Of a clone that is refused Snakemake removes the outputs, which the other may have just made.
    refused = ("is being written by process", "removed while", "some output files are missing")
    for status, text in at_once(*clones):
        assert status == 0 or any(why in text for why in refused)
        assert "Traceback" not in text
    for clone in clones:  # one after the other, both go on to the same end
        snakemake(clone, CONFIG, *TARGETS)
        assert results(clone) == alone
