"""The target `players`: its jobs, in a temporary copy of the repository."""

import os
import shutil
import subprocess
import sys

import pytest
import yaml

from msdensity.players.registry import PLAYERS
from msdensity.studies.published_players.questions import QUESTIONS
from msdensity.studies.published_players.settings import load_settings
from places import ROOT

pytestmark = [pytest.mark.workflow, pytest.mark.slow]

CONFIG = "workflow/config/players.yaml"


def test_every_table_question_and_player_has_a_job_of_its_own(tmp_path) -> None:
    for name in ("Snakefile", "workflow", "msdensity", "data/published"):
        source, target = ROOT / name, tmp_path / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, target)
    values = yaml.safe_load((ROOT / CONFIG).read_text(encoding="utf-8"))
    values["tables"].pop("000 5.1")
    (tmp_path / CONFIG).write_text(yaml.safe_dump(values), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores=2", "--nocolor", "--dry-run", "players"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    counts = {}
    for line in run.stdout.partition("Job stats:")[2].splitlines()[3:]:
        rule, _, count = line.partition(" ")
        if not rule:
            break
        counts[rule] = int(count)
    assert counts["players_table"] == len(load_settings(ROOT / CONFIG).tables) - 1
    assert counts["players_pairs"] == len(QUESTIONS)
    assert counts["players_measures"] == counts["players_curves"] == len(PLAYERS)
    assert counts["figure_players"] == 3 and counts["players_page"] == 1
