"""Copy the repository and run its workflow with Snakemake."""

import csv
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import yaml

from places import ROOT

PARTS = ("Snakefile", "profiles", "workflow", "msdensity", "data")
SMOKE = yaml.safe_load((ROOT / "workflow/config/smoke.yaml").read_text(encoding="utf-8"))
PAPER = yaml.safe_load((ROOT / "workflow/config/paper.yaml").read_text(encoding="utf-8"))
NOTHING = "Nothing to be done"
CONFIGFILE = ("--configfile", "config.yaml")


def copy_of(source: Path, target: Path) -> Path:
    """Copy the repository, or a copy in which the workflow has run, with the times of files."""
    ignore = shutil.ignore_patterns("__pycache__")
    target.mkdir(parents=True)
    for path in source.iterdir():
        if source == ROOT and path.name not in PARTS:
            continue
        if source == ROOT and path.name == "data":  # without what was made here
            shutil.copytree(path / "published", target / "data/published")
        elif path.is_dir():
            shutil.copytree(path, target / path.name, ignore=ignore)
        else:
            shutil.copy2(path, target)
    return target


def command(folder: Path, config: dict, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """Return the command line and the environment that run the workflow in `folder`."""
    (folder / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    line = [sys.executable, "-m", "snakemake", *CONFIGFILE, "--nocolor", *arguments]
    # The jobs import the package from one place; otherwise Numba would compile it for every copy.
    return line, os.environ | {"PYTHONPATH": str(ROOT)}


def snakemake(folder: Path, config: dict, *arguments: str, ok: bool = True) -> str:
    """Run the workflow in `folder` and return what it printed."""
    if not any(argument.startswith("--cores") for argument in arguments):
        arguments = ("--cores=2", *arguments)
    line, environment = command(folder, config, *arguments)
    run = subprocess.run(
        line,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    printed = run.stdout + run.stderr
    logs = [path.read_text() for path in sorted(folder.glob("logs/**/*.log"))] if ok else []
    assert (run.returncode == 0) is ok, "\n".join([printed, *logs])
    return printed


def jobs(printed: str) -> Counter:
    """Return how many jobs of each rule the run started, from Snakemake's own table."""
    counts: Counter = Counter()
    _, _, table = printed.partition("Job stats:")
    for line in table.splitlines()[3:]:
        name, _, count = line.partition(" ")
        if name in ("total", ""):
            break
        counts[name] = int(count)
    return counts


def results(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files that must not depend on how the work was done."""
    files = {}
    for top in ("data", "figures"):
        for path in sorted((folder / top).rglob("*")):
            if path.is_file() and not path.name.endswith((".cpu.csv", ".lock")):
                files[path.relative_to(folder).as_posix()] = path.read_bytes()
    return files


def times(folder: Path) -> dict[str, int]:
    return {name: (folder / name).stat().st_mtime_ns for name in results(folder)}


def rows(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def played(folder: Path) -> list[tuple[str, int, int]]:
    """Return (ledger, first game, games) of every batch ever played in `folder`."""
    return [
        (path.name.removesuffix(".cpu.csv"), int(row["first_game"]), int(row["games"]))
        for path in sorted(folder.glob("data/*/ledger/*.cpu.csv"))
        for row in rows(path)
    ]
