"""The whole workflow on a few small boards: what it makes, and what a change makes again."""

import json
import os
import shutil
import subprocess
import sys
from base64 import urlsafe_b64encode
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from msdensity.files.tables import write_table
from msdensity.runs.config import load_config
from msdensity.runs.provenance import find
from msdensity.runs.sweep import play_table
from msdensity.stats.columns import WIN_RATE_COLUMNS
from places import ROOT
from repository import (
    NOTHING,
    SMOKE,
    copy_of,
    jobs,
    played,
    results,
    rows,
    snakemake,
    times,
)
from sizes import sizes

pytestmark = pytest.mark.workflow

CELLS = {board: np.prod([int(side) for side in board.split("x")]) for board in SMOKE["boards"]}
FIGURES = (
    "win_rates",
    "figure_3_1",
    "figure_4_1",
    "first_click",
    *(f"figure_9_{i}" for i in range(1, 7)),
)
TABLES = (
    *("win_rates", "pilots", "reduced", "rho50", "fits", "extrapolation", "series"),
    *("table_b1", "table_b2", "first_click", "exact", "exact_test"),
)


PART = ("fits", "figures/smoke/figure_9_2.pdf")
"""Targets that a few jobs make, from the games to a figure."""


@pytest.fixture(scope="module")
def part(tmp_path_factory) -> Path:
    """A copy in which PART has been made; to be read or copied, never changed."""
    folder = copy_of(ROOT, tmp_path_factory.mktemp("part") / "mein Verzeichnis é")
    snakemake(folder, SMOKE, *PART)
    return folder


@pytest.fixture(scope="module")
def smoke(tmp_path_factory) -> Path:
    """A copy in which the smoke workflow has run; to be read or copied, never changed."""
    folder = copy_of(ROOT, tmp_path_factory.mktemp("smoke") / "main")
    snakemake(folder, SMOKE)
    return folder


@pytest.mark.campaign
def test_smoke_makes_every_file(smoke):
    names = set(results(smoke))
    for board in SMOKE["boards"]:
        assert f"data/smoke/ledger/{board}.weighted.csv" in names
        assert f"data/smoke/win_rates/{board}.weighted.csv" in names
    for name in TABLES:
        assert rows(smoke / f"data/smoke/{name}.csv")
    assert json.loads((smoke / "data/smoke/quoted.json").read_text())["published"]["refitted"]
    for name in FIGURES:
        assert (smoke / f"figures/smoke/{name}.pdf").read_bytes().startswith(b"%PDF")
        assert (smoke / f"figures/smoke/{name}.png").read_bytes().startswith(b"\x89PNG")


def test_the_readme_example_of_a_fit_works(part):
    blocks = (ROOT / "README.md").read_text(encoding="utf-8").split("```python\n")[1:]
    code = blocks[0].partition("```")[0]
    code = code.replace("data/paper", "data/smoke").replace("8x8", "4x4")
    code += "import sys\nassert not {'numba', 'joblib', 'matplotlib'} & sys.modules.keys()\n"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=part,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    (fit,) = (row for row in rows(part / "data/smoke/fits.csv") if row["board"] == "4x4")
    assert run.stdout.startswith(f"P = {float(fit['P']):.4f} ")


@pytest.mark.campaign
def test_a_job_that_was_stopped_is_done_again_without_a_flag(part, tmp_path):
    """Snakemake marks the outputs of a job that works; a kill leaves the mark."""
    folder = copy_of(part, tmp_path / "main")
    output = "data/smoke/win_rates/3x3.weighted.csv"
    mark = folder / ".snakemake/incomplete" / urlsafe_b64encode(output.encode()).decode()
    mark.parent.mkdir(exist_ok=True)
    mark.write_text('{"external_jobid": null}')
    assert jobs(snakemake(folder, SMOKE, "fits", "--dry-run"))["sweep_small"] == 1
    (folder / "Snakefile").write_text(
        (folder / "Snakefile").read_text().replace("do_stopped_jobs_again(workflow)", "")
    )
    refused = snakemake(folder, SMOKE, "fits", "--dry-run", ok=False)
    assert "IncompleteFilesException" in refused


def test_smoke_plays_each_game_once(part):
    games = Counter()
    for ledger, _, count in played(part):
        games[ledger] += count
    assert games == {f"{board}.weighted": (CELLS[board] - 1) * SMOKE["games"] for board in CELLS}


@pytest.mark.campaign
def test_the_study_of_inference_has_its_own_target(smoke, tmp_path):
    folder = copy_of(smoke, tmp_path / "main")
    assert not (folder / "data/smoke/inference.csv").exists()
    started = jobs(snakemake(folder, SMOKE, "inference"))
    assert started == {"inference_games": 1, "figure_inference": 1, "inference": 1}
    assert [row["mines"] for row in rows(folder / "data/smoke/inference.csv")] == ["4", "6"]
    assert (folder / "figures/smoke/inference.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.campaign
def test_every_result_has_a_record_of_where_it_comes_from(smoke, monkeypatch):
    monkeypatch.chdir(smoke)
    ledgers = {name for name in results(smoke) if "/ledger/" in name}
    made = set(results(smoke)) - ledgers
    made = {name for name in made if not name.startswith("data/published/")}
    there = {
        path.relative_to(smoke / "provenance").as_posix().removesuffix(".json")
        for path in (smoke / "provenance").rglob("*.json")
    }
    assert there == made
    for name in sorted(made):
        found = find(name)
        record = found.record
        # Of one position, and of all layouts: without a game.
        drawn = record["rule"] in ("figure_3_1", "figure_4_1", "exact")
        assert found.seeds == (() if drawn else (SMOKE["seed"],))
        assert record["config"] == SMOKE
        assert record["configfile"] == "config.yaml"
        plays = ("pilots", "first_click_games")  # and keeps no ledger
        assert record["inputs"] or record["rule"] in plays or drawn
    sweep = json.loads(
        (smoke / "provenance/data/smoke/win_rates/6x6.weighted.csv.json").read_text()
    )
    assert "data/smoke/ledger/6x6.weighted.csv" in sweep["inputs"]


@pytest.mark.campaign
def test_the_recorded_command_makes_the_same_bytes(smoke, tmp_path):
    folder = copy_of(smoke, tmp_path / "main")
    name = "figures/smoke/figure_9_6.pdf"
    code = f"from msdensity.runs.provenance import find; print(find({name!r}).command())"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    line = run.stdout.strip().rpartition("&& ")[2]
    assert line.startswith("snakemake --cores 16 ")
    (folder / name).write_bytes(b"lost")
    again = subprocess.run(
        [sys.executable, "-m", *line.split()],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert again.returncode == 0, again.stderr
    assert (folder / name).read_bytes() == (smoke / name).read_bytes()


@pytest.mark.campaign
def test_the_report_shows_every_figure_and_table(smoke, tmp_path):
    folder = copy_of(smoke, tmp_path / "main")
    snakemake(folder, SMOKE, "--report", "report.html")
    page = (folder / "report.html").read_text(encoding="utf-8")
    for name in FIGURES:
        assert f"figures/smoke/{name}.png" in page
    for name in TABLES[2:]:
        assert f"data/smoke/{name}.csv" in page
    assert "Figure 9.6 of the paper" in page


@pytest.mark.campaign
@pytest.mark.parametrize("place", [".", "workflow/notebooks", "data/smoke"])
@pytest.mark.parametrize("name", ["inspect_fits", "replay_a_game"])
def test_the_notebooks_run_in_any_folder(smoke, name, place, tmp_path):
    folder = copy_of(smoke, tmp_path / "main")
    source = ROOT / f"workflow/notebooks/{name}.ipynb"
    committed = json.loads(source.read_text(encoding="utf-8"))
    assert not any(cell.get("outputs") for cell in committed["cells"])
    shutil.copy(source, folder / place)
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "notebook", "--inplace"]
    environment = os.environ | {"MSDENSITY_NAME": "smoke", "PYTHONPATH": str(ROOT)}
    subprocess.run([*command, folder / place / f"{name}.ipynb"], env=environment, check=True)
    done = json.loads((folder / place / f"{name}.ipynb").read_text(encoding="utf-8"))
    outputs = [output for cell in done["cells"] for output in cell.get("outputs", [])]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 2
    shown = [output for output in outputs if "text/html" in output.get("data", {})]
    assert shown and not any(output["output_type"] == "error" for output in outputs)


@pytest.mark.parametrize("change", sizes({"batch": 10}, {}))
def test_a_second_run_does_nothing_and_the_batch_size_does_not_matter(part, change):
    before = times(part), played(part)
    assert NOTHING in snakemake(part, SMOKE | change, *PART)
    assert (times(part), played(part)) == before


@pytest.mark.campaign
def test_more_games_plays_only_the_difference(part, tmp_path):
    folder = copy_of(part, tmp_path / "main")
    more = SMOKE | {"games": SMOKE["games"] + 50}
    assert jobs(snakemake(folder, more, "win_rates"))["sweep_small"] == 1
    new = Counter(played(folder)) - Counter(played(part))
    assert {(first, count) for _, first, count in new} == {(SMOKE["games"], 50)}
    for board in SMOKE["boards"]:
        name = f"data/smoke/ledger/{board}.weighted.csv"
        for old, now in zip(rows(part / name), rows(folder / name), strict=True):
            assert (now["task_id"], now["first_game"]) == (old["task_id"], "0")
            assert int(now["games"]) == int(old["games"]) + 50
            assert 0 <= int(now["wins"]) - int(old["wins"]) <= 50
    assert {row["games"] for row in rows(folder / "data/smoke/win_rates.csv")} == {
        str(more["games"])
    }


@pytest.mark.campaign
def test_a_new_board_plays_only_that_board(part, tmp_path):
    folder = copy_of(part, tmp_path / "main")
    before = times(folder), results(folder)
    # The transpose of a board that is there already, and written last: still only 2x3 is new.
    boards = [*SMOKE["boards"], "2x3"]
    assert jobs(snakemake(folder, SMOKE | {"boards": boards}, "win_rates"))["sweep_small"] == 1
    assert {ledger for ledger, _, _ in Counter(played(folder)) - Counter(played(part))} == {
        "2x3.weighted"
    }
    for name in before[1]:
        if "/ledger/" in name:
            assert times(folder)[name] == before[0][name]
        if "/ledger/" in name or "/win_rates/" in name:
            assert results(folder)[name] == before[1][name]


@pytest.mark.campaign
def test_the_first_click_study_plays_only_the_configured_mines(smoke, tmp_path):
    """Also where a run before played other numbers of mines or of games."""
    folder = copy_of(smoke, tmp_path / "main")
    name = "data/smoke/first_click.csv"

    def table(games, mines):
        study = {"first_click_study": {"games": games, "mines": {"4x4": mines}}}
        snakemake(folder, SMOKE | study, name)
        return {(row["mines"], row["games"]) for row in rows(folder / name)}

    assert table(40, [4, 6]) == {("4", "40"), ("6", "40")}
    assert table(40, [4]) == {("4", "40")}
    assert table(60, [4]) == {("4", "60")}
    assert table(60, [4, 6]) == {("4", "60"), ("6", "60")}


@pytest.mark.campaign
def test_jobs_that_share_a_board_make_the_table_of_one_job(tmp_path):
    folder = copy_of(ROOT, tmp_path / "main")
    config = SMOKE | {"boards": ["2x4"], "games": 250, "games_per_job": 100}
    started = jobs(snakemake(folder, config, "sweeps"))
    assert (started["sweep_part"], started["sweep"]) == (3, 1)
    tasks = load_config(config).tasks("2x4", "weighted")
    whole = play_table({tmp_path / "whole.csv": tasks}, 250).table
    write_table(tmp_path / "rates.csv", whole, WIN_RATE_COLUMNS)
    made = folder / "data/smoke/win_rates/2x4.weighted.csv"
    assert made.read_bytes() == (tmp_path / "rates.csv").read_bytes()


@pytest.mark.campaign
def test_jobs_that_share_a_board_change_no_number(smoke, tmp_path):
    folder = copy_of(smoke, tmp_path / "main")
    split = SMOKE | {"boards": ["3x7"], "games": 250, "games_per_job": 100}
    started = jobs(snakemake(folder, split, "win_rates"))
    assert (started["sweep_part"], started["sweep"]) == (3, 1)
    assert [name for name in results(folder) if "ledger/3x7" in name] == [
        f"data/smoke/ledger/3x7.weighted{start}.csv" for start in ("", ".from100", ".from200")
    ]
    before = played(folder)
    assert {first // 100 for ledger, first, _ in before if "3x7" in ledger} == {0, 1, 2}

    # More games: one job is topped up, another is new.
    more = snakemake(folder, split | {"games": 350}, "win_rates")
    assert jobs(more)["sweep_part"] == 2
    new = Counter(played(folder)) - Counter(before)
    assert {(first, games) for _, first, games in new} == {(250, 50), (300, 50)}

    whole = copy_of(ROOT, tmp_path / "whole")
    snakemake(whole, split | {"games": 350, "games_per_job": 350}, "win_rates")
    name = "data/smoke/win_rates/3x7.weighted.csv"
    assert results(folder)[name] == results(whole)[name]

    # One job instead, then other jobs: nothing is played again, and the table is the same.
    before = played(folder)
    for per_job in (350, 40):
        snakemake(folder, split | {"games": 350, "games_per_job": per_job}, "win_rates")
        assert played(folder) == before
        assert results(folder)[name] == results(whole)[name]


ALL = ("tables", "figures/smoke/figure_9_2.pdf", "first_click")


@pytest.mark.parametrize(
    ("batch", "arguments", "targets"),
    [
        pytest.param(
            *(70, ["--cores=2", "--set-threads", "sweep_small=2"], PART),
            marks=pytest.mark.campaign,
        ),
        pytest.param(100, ["--cores=1"], ALL, marks=pytest.mark.campaign),
        pytest.param(
            *(70, ["--cores=2", "--set-threads", "sweep_small=2"], ALL),
            marks=pytest.mark.campaign,
        ),
    ],
    ids=["two threads", "one core, batches of 100", "two threads, batches of 70"],
)
def test_cores_threads_and_batches_change_no_byte(request, tmp_path, batch, arguments, targets):
    other = request.getfixturevalue("part" if targets is PART else "smoke")
    folder = copy_of(ROOT, tmp_path / "main")
    snakemake(folder, SMOKE | {"batch": batch}, *arguments, "--", *targets)
    assert Counter(played(folder)) != Counter(played(other))
    ours, whole = results(folder), results(other)
    assert len(ours) > (30 if targets is ALL else 12)
    assert ours == {name: whole[name] for name in ours}


@pytest.mark.campaign
def test_a_lost_table_is_made_again_without_playing(part, tmp_path):
    folder = copy_of(part, tmp_path / "main")
    (folder / "data/smoke/win_rates/3x3.weighted.csv").unlink()
    # And what a job killed in the middle of writing it leaves.
    (folder / "data/smoke/win_rates/.3x3.weighted.csv.1.tmp").write_text("half a")
    # By name, for Snakemake asks for no table whose results are all there.
    assert jobs(snakemake(folder, SMOKE, "sweeps"))["sweep_small"] == 1
    assert played(folder) == played(part)
    assert results(folder) == results(part)


@pytest.mark.campaign  # tests/runs/test_sweep.py has the same without Snakemake
def test_another_seed_under_the_same_name_is_refused(part, tmp_path):
    folder = copy_of(part, tmp_path / "main")
    ledgers = {name: data for name, data in results(folder).items() if "/ledger/" in name}
    printed = snakemake(folder, SMOKE | {"seed": SMOKE["seed"] + 1}, "sweeps", ok=False)
    assert f"has seed={SMOKE['seed']} and would get seed={SMOKE['seed'] + 1}" in printed
    assert "give the configuration another name" in printed
    assert {name: results(folder)[name] for name in ledgers} == ledgers
