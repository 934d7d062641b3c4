"""The workflow on a Slurm of two nodes, one of which dies in the middle of a sweep."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.workflow, pytest.mark.campaign]

HERE = Path(__file__).resolve().parent


def why_not() -> str:
    """Return what `why_not` of cluster.py does; the folders of the tests are not packages."""
    spec = importlib.util.spec_from_file_location("slurm_cluster", HERE / "cluster.py")
    cluster = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cluster)
    return cluster.why_not()


def test_a_lost_node_changes_no_byte():
    if reason := why_not():
        pytest.skip(reason)
    run = subprocess.run(
        [sys.executable, HERE / "run.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=700,  # it gives up by itself before
        check=False,
    )
    print(run.stdout)
    assert run.returncode == 0, run.stdout[-10_000:]
    assert "killed node" in run.stdout
