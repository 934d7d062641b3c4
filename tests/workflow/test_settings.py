"""Settings of the workflow: a mistake is one line, and a file replaces the paper's."""

import json
import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

from msdensity.files.tables import write_table
from msdensity.runs.config import STUDIES, load_config
from msdensity.runs.provenance import find
from msdensity.runs.sweep import play_table, top_up
from msdensity.stats.columns import WIN_RATE_COLUMNS
from places import ROOT
from repository import CONFIGFILE, SMOKE, command, copy_of, jobs, rows, snakemake

pytestmark = pytest.mark.workflow


@pytest.fixture(scope="module")
def clean(tmp_path_factory) -> Path:
    """A copy in which nothing has run; tests must not change it."""
    return copy_of(ROOT, tmp_path_factory.mktemp("clean") / "main")


def some(values: Iterable) -> list:
    """Return the values of a parameter; the tests of all but the first are campaigns."""
    first, *others = values
    others = [value if isinstance(value, tuple) else (value,) for value in others]
    return [first, *(pytest.param(*value, marks=pytest.mark.campaign) for value in others)]


BAD = {
    "gmaes": ({"gmaes": 5}, "unknown key 'gmaes': did you mean 'games'?"),
    "games": ({"games": 0}, "games=0 must be a whole number in 1.."),
    "player": ({"players": [{"player": "wieghted"}]}, "player='wieghted' must be one of"),
    "option": ({"players": [{"player": "weighted", "ties": "best"}]}, "ties='best'"),
    "board": ({"boards": ["1x1"]}, "boards[0]: '1x1' must have at least 2 cells"),
    "cell": ({"first_click": "cell:9"}, "first_click=cell:9 must be in cell:0..cell:1"),
    "name": ({"name": "../x"}, "name='../x' must be letters"),
}


@pytest.mark.parametrize("name", some(STUDIES))
def test_a_mistake_in_the_file_of_a_study_is_one_line(clean: Path, name: str) -> None:
    text = (clean / SMOKE["studies"][name]).read_text()
    (clean / f"wrong_{name}.yaml").write_text(text.replace("name:", "naem:"))
    studies = SMOKE["studies"] | {name: f"wrong_{name}.yaml"}
    printed = snakemake(clean, SMOKE | {"studies": studies}, "--dry-run", ok=False)
    assert f"wrong_{name}.yaml" in printed and "naem" in printed
    assert "Traceback" not in printed and "InputError" not in printed


def test_a_changed_seed_starts_nothing_and_deletes_nothing(clean: Path, tmp_path: Path) -> None:
    folder = copy_of(clean, tmp_path / "main")
    table = folder / "data/smoke/win_rates/3x3.weighted.csv"
    table.parent.mkdir(parents=True)
    table.touch()
    task = load_config(SMOKE).tasks("3x3", "weighted")[0]
    ledger = "data/smoke/ledger/3x3.weighted.csv"
    top_up([task], 1, folder / ledger)
    printed = snakemake(folder, SMOKE | {"seed": 5}, ok=False)
    assert f"config: ledger {ledger} has seed={SMOKE['seed']} and would get seed=5: " in printed
    assert table.exists() and not (folder / "logs").exists()


def test_another_folder_than_that_of_the_snakefile_is_one_line(clean: Path, tmp_path: Path) -> None:
    line = [sys.executable, "-m", "snakemake", "-n", "-s", str(clean / "Snakefile")]
    run = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    printed = run.stdout + run.stderr
    assert run.returncode == 1 and "Traceback" not in printed
    assert f"in the folder of its Snakefile, without -s and --directory: cd {clean}" in printed


@pytest.mark.campaign
def test_an_environment_in_a_folder_with_a_blank_and_an_apostrophe(tmp_path: Path) -> None:
    folder = copy_of(ROOT, tmp_path / "it's a folder/main")
    for place, ok in ((folder, True), (tmp_path / "it's another", False)):
        # pip takes long; the packages are those of this environment.
        venv.create(place / ".venv", symlinks=True)
        (packages,) = (place / ".venv").glob("lib/python*/site-packages")
        (packages / "here.pth").write_text(sysconfig.get_path("purelib"))
        line, environment = command(folder, SMOKE, "--cores=2", "data/smoke/pilots.csv")
        line[0] = str(place / ".venv/bin/python")
        run = subprocess.run(
            line, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert (run.returncode == 0) is ok, run.stderr
        assert ("has a character that a shell does not take as it is" in run.stderr) is not ok


def own_copy(study: str) -> dict:
    """Return the small settings of a study under another name."""
    text = (ROOT / SMOKE["studies"][study]).read_text(encoding="utf-8")
    return yaml.safe_load(text) | {"name": "mine"}


@pytest.mark.parametrize("study", some(STUDIES))
def test_the_file_of_a_study_makes_that_study_alone(clean: Path, study: str) -> None:
    printed = snakemake(clean, own_copy(study), "--dry-run")
    started = jobs(printed)
    assert started.pop("all") == 1
    assert {name.removeprefix("figure_").partition("_")[0] for name in started} == {study}
    assert f"data/mine/{study}.html" in printed and f"data/smoke_{study}" not in printed


@pytest.mark.campaign
@pytest.mark.parametrize("study", STUDIES)
def test_the_file_of_a_study_needs_no_target_but_may_name_it(clean: Path, study: str) -> None:
    started = jobs(snakemake(clean, own_copy(study), "--dry-run"))
    assert started.pop("all") == 1
    by_name = jobs(snakemake(clean, own_copy(study), "--dry-run", study))
    assert by_name.pop(study) == 1 and by_name == started
    file = ("--configfile", SMOKE["studies"][study], "--cores=1")
    printed = snakemake(clean, SMOKE, "--dry-run", *file)
    assert jobs(printed).pop("all") == 1 and f"data/smoke_{study}/{study}.html" in printed


REFUSED = {
    "unknown": ({"study": "plyers"}, "config: study='plyers' must be one of paper, reproduction,"),
    "another": ({"study": "asymptotics"}, "config.yaml: unknown key 'ablation'"),
    "the paper's": ({"study": "paper"}, "config: unknown key 'ablation'"),
    "a key": ({"quotes": 5}, "config.yaml: unknown key 'quotes': did you mean 'quoted'?"),
    "a folder": ({"name": "players"}, "config: studies.reproduction: name='players' in"),
    "the paper's folder": ({"name": "Paper"}, "name='Paper' in config.yaml must be none of"),
}


@pytest.mark.parametrize(("change", "message"), some(REFUSED.values()))
def test_a_mistake_in_the_file_of_a_study_by_itself_is_one_line(clean, change, message) -> None:
    printed = snakemake(clean, own_copy("reproduction") | change, "--dry-run", ok=False)
    assert message in printed
    assert printed.count("Error") == 1 and "Traceback" not in printed


@pytest.mark.campaign
@pytest.mark.parametrize("more", [["--config", "name=other"], ["--configfile", "smoke.yaml"]])
def test_the_settings_of_a_study_are_one_file(clean: Path, more: list[str]) -> None:
    """Its jobs read the file, not what Snakemake makes of several."""
    (clean / "smoke.yaml").write_text("name: other\n")
    line = ["config.yaml", *more[1:], "--cores=2"] if more[0] == "--configfile" else more
    before = ["--configfile"] if more[0] == "--configfile" else []
    printed = snakemake(clean, own_copy("players"), "--dry-run", *before, *line, ok=False)
    assert "config: study=players: its settings must be one file" in printed


@pytest.mark.campaign
def test_the_record_of_a_study_by_itself_names_the_command_that_makes_it(
    tmp_path, monkeypatch
) -> None:
    folder = copy_of(ROOT, tmp_path / "main")
    values = own_copy("reproduction")
    values["quoted"] = {"games": 20}
    name = "data/mine/quoted.csv"
    snakemake(folder, values, name)
    monkeypatch.chdir(folder)
    found = find(name)
    assert found.record["config"] == values and found.record["configfile"] == "config.yaml"
    assert (found.config, set(found.settings.values())) == ("unchanged", {"unchanged"})
    assert "config   mine (config.yaml, unchanged)" in found.report()
    line = found.command().rpartition("&& ")[2].split()[1:]
    assert line == ["--cores", "16", "--configfile", "config.yaml", "--force", name]
    (folder / name).write_bytes(b"lost")
    assert jobs(snakemake(folder, values, *line)) == {"reproduction_quoted": 1}
    assert find(name).record["sha256"] == found.record["sha256"]


@pytest.mark.campaign
def test_a_configuration_in_json_with_tabs(clean: Path) -> None:
    config = json.dumps(SMOKE, indent="\t")
    (clean / "tabs.json").write_text(config)
    # The last file that is named counts.
    printed = snakemake(clean, SMOKE, "--dry-run", "--configfile", "tabs.json", "--cores=1")
    assert "sweep" in printed


@pytest.mark.parametrize(("change", "message"), some(BAD.values()), ids=BAD)
def test_a_bad_config_gives_one_error_and_starts_nothing(clean, change, message):
    printed = snakemake(clean, SMOKE | change, ok=False)
    assert printed.count("Error") == 1
    assert "Traceback" not in printed
    assert f"config: {message}" in printed or message in printed
    assert not (clean / "logs").exists()
    made = [path for path in (clean / "figures").glob("*") if path.name != "readme"]
    assert not made
    assert [path.name for path in (clean / "data").iterdir()] == ["published"]


@pytest.mark.campaign
def test_a_config_file_replaces_the_papers(tmp_path):
    # Merged into the paper's file, key by key, it would take the seed from there.
    folder = copy_of(ROOT, tmp_path / "main")
    snakemake(folder, {"name": "bare", "boards": ["1x2"], "games": 1}, "sweeps")
    ledger = rows(folder / "data/bare/ledger/1x2.weighted.csv")
    paper = yaml.safe_load((ROOT / "workflow/config/paper.yaml").read_text(encoding="utf-8"))
    assert [row["seed"] for row in ledger] == ["0"]
    assert paper["seed"] != 0


def test_the_default_is_the_paper(clean):
    line, environment = command(clean, {}, "--cores=2", "--dry-run", "sweeps")
    run = subprocess.run(
        [part for part in line if part not in CONFIGFILE],
        cwd=clean,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    printed = run.stdout + run.stderr
    assert jobs(printed) == {"sweep_small": 2, "sweeps": 1}
    # p <= q <= 10 without 1x1, and 1 x q up to 50; two players
    assert len(set(re.findall(r"win_rates/(\d+x\d+)\.weighted[.-]", printed))) == 94


@pytest.mark.campaign
def test_a_custom_board(tmp_path):
    """The jobs know it from the configuration."""
    folder = copy_of(ROOT, tmp_path / "main")
    ring = [[(cell - 1) % 9, (cell + 1) % 9] for cell in range(9)]
    (folder / "ring.json").write_text(json.dumps(ring))
    config = {"name": "own", "games": 60, "boards": ["ring.json"], "players": SMOKE["players"]}
    snakemake(folder, config, "sweeps")
    (path,) = (folder / "data/own/win_rates").glob("*.csv")
    here = load_config(config | {"boards": [str(folder / "ring.json")]})
    (board,), (label,) = here.board_names, here.labels
    tasks = {tmp_path / "here.csv": here.tasks(board, label)}
    write_table(tmp_path / "rates.csv", play_table(tasks, 60).table, WIN_RATE_COLUMNS)
    assert path.read_bytes() == (tmp_path / "rates.csv").read_bytes()
    (record,) = (folder / "provenance/data/own/win_rates").glob("*.json")
    assert f"data/own/ledger/{board}.{label}.csv" in json.loads(record.read_text())["inputs"]
