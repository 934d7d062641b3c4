"""The target `players`: its jobs, in a temporary copy of the repository."""

import pytest
import yaml

from msdensity.players.registry import PLAYERS
from msdensity.studies.published_players.questions import QUESTIONS
from msdensity.studies.published_players.resolution.methods import PLACES
from msdensity.studies.published_players.settings import load_settings
from places import ROOT
from repository import NOTHING, copy_of, jobs, snakemake

pytestmark = pytest.mark.workflow

CONFIG = "workflow/config/players.yaml"


@pytest.mark.campaign
def test_every_table_question_and_player_has_its_own_job(tmp_path) -> None:
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
    assert started["figure_players"] == 4 and started["players_page"] == 1
    assert started["figure_players_beliefs"] == 2
    for rule in ("decisions", "guesses", "errors"):
        assert started[f"players_belief_{rule}"] == 1
    assert started["players_resolution_place"] == len(PLACES)


@pytest.mark.campaign
def test_an_own_player_is_played_again_when_its_file_changes(tmp_path) -> None:
    folder = copy_of(ROOT, tmp_path / "main")
    source = "def choose(view, safeties):\n    return divmod(int(view.covered.argmax()), 3)\n"
    (folder / "own_player.py").write_text(source)
    players = [{"player": "weighted"}, {"player": "own_player:choose"}]
    config = {"name": "own", "boards": ["3x3"], "games": 50, "players": players}
    assert jobs(snakemake(folder, config, "fits"))["sweep_small"] == 2
    assert NOTHING in snakemake(folder, config, "fits")
    (folder / "own_player.py").write_text(source + "# changed\n")
    assert jobs(snakemake(folder, config, "fits"))["sweep_small"] == 1
    assert len(list((folder / "data/own/win_rates").glob("3x3.own_player:choose-source_*"))) == 2
