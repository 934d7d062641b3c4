"""A Slurm of two nodes on this machine, from the Debian packages slurm-wlm and munge."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

NODES = ("n1", "n2")
CPUS = 16
"""Cores of each node, whatever the machine has: as many as one job of the workflow may need."""

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scontrol")

# Every wait of Slurm is cut short; a real cluster has minutes where this has seconds.
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
# What the machine or container may not offer: control groups, accounting, systemd.
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
# Cores are shared out, memory is not; the next job goes to the node with the fewest.
SelectType=select/cons_tres
SelectTypeParameters=CR_Core,CR_LLN
SlurmdParameters=config_overrides
# A node that says nothing for this long is down.
SlurmdTimeout=10
MessageTimeout=5
KillWait=2
ReturnToService=2
# Ended jobs are asked about, and counted at the end.
MinJobAge=3600
SchedulerParameters=sched_interval=2,bf_interval=2
NodeName=DEFAULT CPUs={cpus} RealMemory=8000
NodeName={nodes[0]} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]}
NodeName={nodes[1]} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def why_not() -> str:
    """Return why no cluster can be started here, or "" if one can."""
    absent = [program for program in PROGRAMS if not _program(program)]
    if absent:
        return f"not installed: {', '.join(absent)} (tests/slurm/install.sh installs them)"
    if os.geteuid() != 0:
        return "only root can start the daemons of Slurm"
    for plugin in ("cluster-generic", "slurm"):
        name = f"snakemake-executor-plugin-{plugin}"
        if importlib.util.find_spec(name.replace("-", "_")) is None:
            return f"not installed: {name}"
    return ""


class Cluster:
    """`with Cluster() as cluster:` runs munged, slurmctld and a slurmd for each of NODES.

    At the end, whatever it is, all processes that belong to it are killed and its folder is
    removed. `environment` is that in which sbatch and the like find it.
    """

    def __init__(self) -> None:
        self.folder = Path()
        self.environment: dict[str, str] = {}
        self._daemons: list[subprocess.Popen] = []

    def __enter__(self) -> Cluster:
        self.folder = Path(tempfile.mkdtemp(prefix="slurm-test-"))
        self.folder.chmod(0o755)  # munged wants a socket that everyone can reach
        try:
            self._start()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def scontrol(self, *arguments: str) -> str:
        """Return what `scontrol` prints."""
        return subprocess.run(
            ["scontrol", "--oneliner", *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=30,
            check=True,
        ).stdout

    def jobs(self) -> list[dict[str, str]]:
        """Return the facts of every job ever submitted, such as JobState, JobName and NodeList."""
        return [
            dict(fact.split("=", 1) for fact in line.split() if "=" in fact)
            for line in self.scontrol("show", "job").splitlines()
            if line.startswith("JobId=")
        ]

    def kill_node(self, node: str) -> int:
        """Kill the slurmd of a node and all that runs on it; return how many processes."""
        killed: set[int] = set()
        while pids := self._processes(node) - killed:
            _kill(pids)
            killed |= pids
        return len(killed)

    def _start(self) -> None:
        folder = self.folder
        for name in ("state", *(f"spool.{node}" for node in NODES)):
            (folder / name).mkdir()
        key = folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(1024))
        configuration = folder / "slurm.conf"
        configuration.write_text(
            CONFIGURATION.format(
                host=socket.gethostname().partition(".")[0],
                folder=folder,
                ports=_free_ports(3),
                nodes=NODES,
                cpus=CPUS,
            ),
            encoding="utf-8",
        )
        bin_folder = folder / "bin"
        bin_folder.mkdir()
        # Snakemake's plugin takes SLURM_CONF away from the srun inside a job, for elsewhere the
        # configuration lies in /etc/slurm. This one puts it back.
        srun = bin_folder / "srun"
        srun.write_text(f'#!/bin/sh\nSLURM_CONF={configuration} exec {_program("srun")} "$@"\n')
        srun.chmod(0o755)
        self.environment = os.environ | {
            "SLURM_CONF": str(configuration),
            "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        }
        self._daemon(
            "munged",
            "--foreground",
            "--force",  # also where /tmp or the like is open to more users than it wants
            f"--key-file={key}",
            *(f"--{what}-file={folder}/munge.{what}" for what in ("log", "pid", "seed")),
            f"--socket={folder}/munge.socket",
        )
        self._wait_for("munged", (folder / "munge.socket").exists)
        self._daemon("slurmctld", "-D", "-c")
        for node in NODES:
            self._daemon("slurmd", "-D", "-N", node)
        self._wait_for("idle nodes", self._all_idle)

    def _daemon(self, program: str, *arguments: str) -> None:
        """Start a daemon that stays in the foreground and does not get the terminal's Ctrl-C."""
        with open(self.folder / "daemons.log", "ab") as log:
            daemon = subprocess.Popen(
                [str(_program(program)), *arguments],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._daemons.append(daemon)

    def _all_idle(self) -> bool:
        try:
            nodes = self.scontrol("show", "node").splitlines()
        except subprocess.SubprocessError:
            return False
        return sum(" State=IDLE " in line for line in nodes) == len(NODES)

    def _wait_for(self, what: str, ready) -> None:
        deadline = time.monotonic() + 30
        while not ready():
            if time.monotonic() > deadline:
                logs = [
                    f"{path.name}:\n{path.read_text(errors='replace')[-2000:]}"
                    for path in sorted(self.folder.glob("*.log"))
                ]
                raise RuntimeError("\n".join([f"no {what} after 30 s", *logs]))
            time.sleep(0.1)

    def _processes(self, node: str = "") -> set[int]:
        """Return the processes of this cluster, or of one of its nodes.

        They are known by the name of the folder, which nothing else has, in their environment.
        """
        folder, slurmd = self.folder.name.encode(), b"-N\0" + node.encode() + b"\0"
        on_node = b"SLURMD_NODENAME=" + node.encode() + b"\0"
        found, parents = set(), set()
        for process in Path("/proc").glob("[0-9]*"):
            try:
                environment = (process / "environ").read_bytes()
                command = (process / "cmdline").read_bytes()
                if folder not in environment:
                    continue
                if node and on_node not in environment and not command.endswith(slurmd):
                    continue
                found.add(int(process.name))
                parents.add(int((process / "stat").read_text().rpartition(")")[2].split()[1]))
            except OSError:  # gone in the meantime
                continue
        # A slurmstepd, which watches over a job, hides its environment; it is the job's parent.
        for parent in parents - found:
            with contextlib.suppress(OSError):
                if Path(f"/proc/{parent}/cmdline").read_bytes().startswith(b"slurmstepd"):
                    found.add(parent)
        return found

    def _stop(self) -> None:
        deadline = time.monotonic() + 20
        while (pids := self._processes()) and time.monotonic() < deadline:
            _kill(pids)
            for daemon in self._daemons:
                daemon.poll()
            time.sleep(0.1)
        shutil.rmtree(self.folder, ignore_errors=True)


def _kill(pids: set[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _program(name: str) -> str | None:
    # The daemons are in /usr/sbin, which is not on everyone's path.
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [free.getsockname()[1] for free in sockets]
    for free in sockets:
        free.close()
    return ports
