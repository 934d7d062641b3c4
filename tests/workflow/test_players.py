"""The target `players`: its jobs, in a temporary copy of the repository."""

import pytest
import yaml

from msdensity.players.registry import PLAYERS
from msdensity.studies.published_players.questions import QUESTIONS
from msdensity.studies.published_players.settings import load_settings
from places import ROOT
from repository import copy_of, jobs, snakemake

pytestmark = pytest.mark.workflow

CONFIG = "workflow/config/players.yaml"


def test_every_table_question_and_player_has_a_job_of_its_own(tmp_path) -> None:
    folder = copy_of(ROOT, tmp_path / "main")
    values = yaml.safe_load((folder / CONFIG).read_text(encoding="utf-8"))
    values["tables"].pop("000 5.1")
    (folder / CONFIG).write_text(yaml.safe_dump(values), encoding="utf-8")
    config = {"name": "any", "boards": ["1x2"]}
    started = jobs(snakemake(folder, config, "--dry-run", "players"))
    assert started["players_table"] == len(load_settings(ROOT / CONFIG).tables) - 1
    assert started["players_pairs"] == len(QUESTIONS)
    for rule in ("measures", "curves", "density"):
        assert started[f"players_{rule}"] == len(PLAYERS)
    assert started["figure_players"] == 3 and started["players_page"] == 1
