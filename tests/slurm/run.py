"""Does a run on a Slurm that loses a node make the same bytes as a run on this machine?

    python tests/slurm/run.py

starts a Slurm of two nodes here, runs some boards through workflow/profiles/cluster, kills one of
the nodes in the middle of a sweep, waits for the end, and compares every ledger, table and figure
with those of a plain local run. Then some boards go through workflow/profiles/slurm. Needs root
and the Debian packages that tests/slurm/install.sh installs. Exits with 1 on any difference.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cluster import Cluster, why_not

sys.path.append(str(Path(__file__).resolve().parents[1]))
from places import ROOT
from repository import SMOKE, command, copy_of, results

LIMIT = 1800
"""Seconds after which the test gives up; on two idle cores it takes some minutes."""

BOARD = "24x24"
"""A board large enough for its own job of some seconds, which loses its node."""

CONFIG = SMOKE | {"boards": [*SMOKE["boards"], BOARD]}
FEW = SMOKE | {"name": "few", "boards": ["5x5", "6x6"]}

# What the profiles do not say, and what in them is meant for a real cluster.
QUICK = ("--seconds-between-status-checks", "1", "--latency-wait", "20")
CLUSTER = (
    *("--profile", "workflow/profiles/cluster", *QUICK, "--jobs", "6"),
    *("--set-threads", "sweep=1", "sweep_small=2"),  # so that the kill does not come too late
)
SLURM = (
    *("--profile", "workflow/profiles/slurm", *QUICK),
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "1"),
)


@contextlib.contextmanager
def snakemake(
    folder: Path, config: dict, *arguments: str, environment: dict[str, str]
) -> Iterator[subprocess.Popen]:
    """Run the workflow in `folder` while the block runs; wait for its end, which must be good."""
    line, own = command(folder, config, *arguments)
    printed = folder / "printed.log"
    with open(printed, "w", encoding="utf-8") as log:
        # A process group of its own, so that a failure here takes its jobs along.
        run = subprocess.Popen(
            line,
            cwd=folder,
            env=environment | {"PYTHONPATH": own["PYTHONPATH"]},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            process_group=0,
        )
    try:
        yield run
        run.wait()
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        raise
    finally:
        if run.returncode != 0:
            logs = [printed, *folder.glob("logs/**/*.log")]
            print(*(f"{log}:\n{log.read_text(errors='replace')[-4000:]}" for log in logs), sep="\n")
    if run.returncode != 0:
        raise RuntimeError(f"Snakemake ended with {run.returncode}")


def kill_a_node(cluster: Cluster, folder: Path, run: subprocess.Popen, tell: bool) -> str:
    """Wait until the board's games are being stored, then kill the node that plays them."""
    ledger = folder / f"data/{CONFIG['name']}/ledger/{BOARD}.weighted.csv"
    while not ledger.exists() or ledger.read_bytes().count(b"\n") < 50:
        if run.poll() is not None:
            raise RuntimeError("the run ended before a node could be killed")
        time.sleep(0.05)
    (job,) = (
        job
        for job in cluster.jobs()
        if job["JobState"] == "RUNNING" and job["JobName"] == "msdensity.sweep"
    )
    node = job["NodeList"]
    killed = cluster.kill_node(node)
    rows = ledger.read_bytes().count(b"\n") - 1
    if tell:
        # As the health check of a real cluster would. Without it the controller finds out by
        # itself, after SlurmdTimeout and some more.
        cluster.scontrol("update", f"nodename={node}", "state=down", "reason=killed")
    print(
        f"killed node {node} at {time.strftime('%H:%M:%S')}, {killed} processes, in job"
        f" {job['JobId']} of {BOARD} after {rows} of its numbers of mines",
        flush=True,
    )
    return node


def hashes(folder: Path, name: str) -> dict[str, str]:
    """Return the SHA-256 of every ledger, table and figure of one configuration."""
    return {
        path: hashlib.sha256(data).hexdigest()
        for path, data in results(folder).items()
        if path.split("/")[1] == name
    }


def compare(local: dict[str, str], slurm: dict[str, str]) -> int:
    """Print both hashes of every file; return how many differ."""
    names = sorted(local.keys() | slurm.keys())
    width = max(map(len, names))
    print(f"{'file':<{width}}  {'local':<16}  {'slurm':<16}  equal")
    different = 0
    for name in names:
        ours, theirs = local.get(name, "-"), slurm.get(name, "-")
        different += ours != theirs
        equal = "yes" if ours == theirs else "NO"
        print(f"{name:<{width}}  {ours[:16]:<16}  {theirs[:16]:<16}  {equal}")
    print(f"{len(names)} files, {different} different")
    return different


def scenario(work: Path, tell: bool) -> int:
    """Run here and there; return how many files differ."""
    begin = time.monotonic()

    def step(what: str) -> None:
        print(f"=== {time.monotonic() - begin:5.1f} s: {what}", flush=True)

    step("a plain local run")
    local = copy_of(ROOT, work / "local")
    with snakemake(local, CONFIG, "--cores", "2", environment=dict(os.environ)):
        pass

    step("a Slurm of two nodes")
    there = copy_of(ROOT, work / "slurm")
    with Cluster() as cluster:
        step("the same through workflow/profiles/cluster")
        with snakemake(there, CONFIG, *CLUSTER, environment=cluster.environment) as run:
            dead = kill_a_node(cluster, there, run, tell)
        jobs = cluster.jobs()
        step("some boards through workflow/profiles/slurm")
        with contextlib.suppress(subprocess.CalledProcessError):
            cluster.scontrol("update", f"nodename={dead}", "state=down", "reason=killed")
        with snakemake(there, FEW, *SLURM, "sweeps", environment=cluster.environment):
            pass
        more = len(cluster.jobs()) - len(jobs)
    step("the end")

    print(f"jobs on each node: {dict(Counter(job['NodeList'] for job in jobs))}")
    print(f"jobs by end: {dict(Counter(job['JobState'] for job in jobs))}")
    print(f"jobs of the last step: {more}")
    different = compare(hashes(local, CONFIG["name"]), hashes(there, CONFIG["name"]))
    few = {name.replace("/few/", "/smoke/"): sha for name, sha in hashes(there, "few").items()}
    return different + compare({name: hashes(local, "smoke")[name] for name in few}, few)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--silent", action="store_true", help="do not tell the controller that the node is down"
    )
    arguments = parser.parse_args()
    if reason := why_not():
        print(reason, file=sys.stderr)
        return 2

    def give_up(*_: object) -> None:
        raise TimeoutError(f"not at the end after {LIMIT} s")

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LIMIT)
    with tempfile.TemporaryDirectory(prefix="msdensity-slurm-") as work:
        return int(scenario(Path(work), not arguments.silent) > 0)


if __name__ == "__main__":
    sys.exit(main())
