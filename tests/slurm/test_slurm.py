"""The workflow on a Slurm of two nodes, one of which dies in the middle of a sweep."""

import subprocess
import sys
from pathlib import Path

import pytest
from slurm.cluster import why_not

pytestmark = [pytest.mark.workflow, pytest.mark.campaign]

HERE = Path(__file__).resolve().parent


def test_a_lost_node_changes_no_byte():
    if reason := why_not():
        pytest.skip(reason)
    run = subprocess.run(
        [sys.executable, HERE / "run.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=2000,  # it gives up by itself before
        check=False,
    )
    print(run.stdout)
    assert run.returncode == 0, run.stdout[-10_000:]
    assert "killed node" in run.stdout
