"""Records of where results come from: complete, found again, honest about changes."""

import io
import json
import os
import shlex
import sys
from pathlib import Path

import pytest
import yaml

from msdensity.cli import main
from msdensity.errors import InputError
from msdensity.files.own_code import load_own_code
from msdensity.runs import records
from msdensity.runs.provenance import find
from msdensity.runs.records import begin_record, record_path, write_records
from places import ROOT

CONFIG = {"name": "tiny", "seed": 5, "games": 10}


def make(path, inputs=(), rule="rule", **more):
    """Make a result and its record, as a job does at its end."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(f"{path} {inputs}")
    options = {"params": {}, "config": CONFIG, "configfile": "tiny.yaml"} | more
    write_records([os.fspath(path)], begin_record(rule=rule, inputs=inputs, **options))


def change(path, **changes):
    record = record_path(path)
    record.write_text(json.dumps(json.loads(record.read_text()) | changes))


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tiny.yaml").write_text(yaml.safe_dump(CONFIG))
    Path("data/tiny/ledger").mkdir(parents=True)
    Path("data/tiny/ledger/x.csv").write_text("games")
    notes = "task_id,first_game,games,cpu_seconds\na,0,10,1.5\na,10,10,2.25\na,20,1"
    Path("data/tiny/ledger/x.cpu.csv").write_text(notes)  # the last line is torn
    make("data/tiny/games.csv", ["data/tiny/ledger/x.csv"], rule="games", params={"seed": 5})
    make("data/tiny/fits.csv", ["data/tiny/games.csv"], rule="fits")
    make("figures/tiny/x.pdf", ["data/tiny/fits.csv", "data/tiny/games.csv"], rule="figure")
    return tmp_path


def test_a_record_names_everything_that_made_a_file(made):
    found = find("figures/tiny/x.pdf")
    record = found.record
    assert record["rule"] == "figure"
    assert found.seeds == (5,)
    assert record["config"] == CONFIG
    assert record["kernel"] == {
        "version": records.KERNEL_VERSION,
        "sources": records.source_hash(),
    }
    assert record["packages"].keys() >= {"Python", "numpy", "numba", "snakemake"}
    assert record["date"].endswith(" UTC")
    assert set(record["inputs"]) == {"data/tiny/fits.csv", "data/tiny/games.csv"}
    assert record["code"].keys() == {"version", "commit", "dirty", "sources", "edited_meanwhile"}
    assert record["cpu_seconds"] > 0


def test_time_is_summed_over_all_earlier_jobs_each_once(made):
    names = ("data/tiny/games.csv", "data/tiny/fits.csv", "figures/tiny/x.pdf")
    for seconds, name in zip((100, 20, 3), names, strict=True):
        change(name, cpu_seconds=seconds)
    found = find("figures/tiny/x.pdf")
    assert found.jobs == 123
    assert found.games == 1.5 + 2.25


def test_the_report_is_words_and_the_command_makes_the_file(made, capsys):
    assert main(["provenance", "figures/tiny/x.pdf"]) == 0
    text = capsys.readouterr().out
    for part in ("as it was made", "rule figure", "seed   5", "kernel   version", "numpy", "UTC"):
        assert part in text
    assert "config   tiny (tiny.yaml, unchanged)" in text
    assert "snakemake --cores 16 --configfile tiny.yaml --force figures/tiny/x.pdf" in text
    assert main(["provenance", "figures/tiny/x.pdf", "--config"]) == 0
    assert yaml.safe_load(capsys.readouterr().out) == CONFIG
    assert main(["provenance", "figures/tiny/x.pdf", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sha256"] == records.sha256("figures/tiny/x.pdf")


def test_a_file_that_was_changed_is_named(made, capsys):
    Path("figures/tiny/x.pdf").write_text("other")
    assert find("figures/tiny/x.pdf").changed
    assert main(["provenance", "figures/tiny/x.pdf"]) == 1
    assert "CHANGED since it was made" in capsys.readouterr().out


def test_inputs_that_were_changed_or_are_gone_are_named(made):
    Path("data/tiny/games.csv").write_text("other")
    Path("data/tiny/fits.csv").unlink()
    found = find("figures/tiny/x.pdf")
    assert not found.changed
    assert found.inputs == {"data/tiny/fits.csv": "gone", "data/tiny/games.csv": "changed"}


def edit_before_use(path):
    """Edit a file, and use it in a job of a version that did not look at records."""
    record = record_path(path)
    text = record.read_text()
    record.unlink()
    Path(path).write_text("edited")
    make("data/tiny/series.csv", [path], rule="series")
    record.write_text(text)


def test_a_job_refuses_an_input_that_was_edited(made):
    fits = Path("data/tiny/fits.csv")
    fits.write_text("edited")
    with pytest.raises(InputError) as refused:
        make("data/tiny/series.csv", [fits])
    assert str(refused.value) == (
        "input data/tiny/fits.csv was changed since rule fits made it: make it again with"
        " `snakemake --cores 16 --configfile tiny.yaml --force data/tiny/fits.csv`; if the change"
        " is wanted, delete provenance/data/tiny/fits.csv.json, and the file counts as your own"
    )
    record_path(fits).unlink()
    make("data/tiny/series.csv", [fits])
    make(fits, ["data/tiny/games.csv"], rule="fits")
    make("data/tiny/series.csv", [fits])


def test_an_input_that_was_edited_before_it_was_used_is_named(made, capsys):
    edit_before_use("data/tiny/fits.csv")
    make("figures/tiny/y.pdf", ["data/tiny/series.csv"])
    assert main(["provenance", "figures/tiny/y.pdf"]) == 1
    said = "data/tiny/fits.csv was EDITED before it was used: its record has other bytes"
    assert said in capsys.readouterr().out
    assert main(["provenance", "figures/tiny/x.pdf"]) == 0
    assert "EDITED" not in capsys.readouterr().out


def test_a_copy_is_recognised_by_its_content(made, tmp_path_factory):
    copy = tmp_path_factory.mktemp("elsewhere") / "figure 1.pdf"
    copy.write_bytes(Path("figures/tiny/x.pdf").read_bytes())
    found = find(copy)
    assert found.record["file"] == "figures/tiny/x.pdf"
    assert not found.changed


def test_own_code_is_recorded_and_a_change_of_it_is_named(made, monkeypatch, capsys):
    Path("my_code.py").write_text("def choose(view, safeties): ...\n")
    load_own_code.cache_clear()
    monkeypatch.setattr("msdensity.files.own_code._files", {})
    load_own_code("player", "my_code:choose")
    monkeypatch.delitem(sys.modules, "my_code")
    make("data/own/games.csv")
    monkeypatch.setattr("msdensity.files.own_code._files", {})
    make("data/own/fits.csv", ["data/own/games.csv"])
    assert find("data/own/fits.csv").own_files == {"my_code.py": "unchanged"}
    Path("my_code.py").write_text("def choose(view, safeties): return (0, 0)\n")
    assert main(["provenance", "data/own/fits.csv"]) == 0
    assert "own code   my_code.py (changed)\n" in capsys.readouterr().out
    make("data/own/other.csv")
    assert "own code   none\n" in find("data/own/other.csv").report()


def test_settings_of_a_study_are_recorded_with_their_contents(made):
    Path("study.yaml").write_text("seed: 77\nsides: {1: [1, 2]}\n")
    params = {"study": "study.yaml", "seed": 77, "tasks": {1, 2}.__iter__}
    make("data/study/games.csv", params=params)
    make("data/study/x.csv", ["data/study/games.csv"])
    record = find("data/study/games.csv").record
    assert record["params"]["study"] == {"study.yaml": {"seed": 77, "sides": {"1": [1, 2]}}}
    found = find("data/study/x.csv")
    assert found.settings == {"study.yaml": "unchanged"}
    assert "study.yaml (unchanged)" in found.report()
    Path("study.yaml").write_text("seed: 78\nsides: {1: [1, 2]}\n")
    assert find("data/study/x.csv").settings == {"study.yaml": "changed"}
    Path("study.yaml").write_text("[")
    assert find("data/study/x.csv").settings == {"study.yaml": "changed"}
    Path("study.yaml").unlink()
    assert find("data/study/x.csv").settings == {"study.yaml": "gone"}


def test_the_seeds_are_those_of_the_games_whatever_the_configuration_says(made, capsys):
    """A study has its own seed; the configuration's seed plays no game of it."""
    make("data/study/games.csv", params={"seed": 77})
    make("data/study/x.csv", ["data/study/games.csv"])
    make("data/study/both.csv", ["data/study/games.csv", "data/tiny/fits.csv"])
    make("data/study/drawing.csv")
    assert find("data/study/x.csv").seeds == (77,)
    assert find("data/study/both.csv").seeds == (5, 77)
    assert find("data/study/drawing.csv").seeds == ()
    assert main(["provenance", "data/study/x.csv"]) == 0
    assert "seed   77\n" in capsys.readouterr().out
    assert main(["provenance", "data/study/drawing.csv"]) == 0
    assert "seed   none: nothing was played or drawn for it\n" in capsys.readouterr().out
    assert main(["provenance", "data/study/both.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seeds"] == [5, 77]


def test_without_a_configuration_file_the_command_says_how_to_get_one(made):
    make("data/tiny/y.csv", configfile=None)
    found = find("data/tiny/y.csv")
    assert "--configfile config.yaml" in found.command()
    assert "what this command prints with --config" in found.report()
    assert "config   tiny (no file)" in found.report()


@pytest.mark.parametrize(
    ("text", "state"),
    [("{name: tiny, seed: 5, games: 20}", "changed"), ("[", "changed"), (None, "gone")],
)
def test_a_changed_configuration_is_not_used_to_make_a_file_again(made, text, state):
    if text is None:
        Path("tiny.yaml").unlink()
    else:
        Path("tiny.yaml").write_text(text)
    report = find("figures/tiny/x.pdf").report()
    assert f"config   tiny (tiny.yaml, {state})" in report
    assert "--configfile config.yaml --force figures/tiny/x.pdf" in report
    assert "what this command prints with --config" in report


def test_code_inputs_and_settings_are_those_at_the_start_of_the_job(made, monkeypatch, capsys):
    """A job of hours, in which a commit is made and files are edited."""
    Path("study.yaml").write_text("seed: 1\n")
    begun = begin_record(
        rule="late",
        inputs=["data/tiny/fits.csv", "data/tiny/ledger/x.csv"],
        params={"study": "study.yaml"},
        config=CONFIG,
        configfile="tiny.yaml",
    )
    commit, fits = begun["code"]["commit"], records.sha256("data/tiny/fits.csv")
    Path("study.yaml").write_text("seed: 2\n")
    Path("data/tiny/fits.csv").write_text("edited")
    Path("data/tiny/ledger/x.csv").write_text("more games")  # by the job itself
    monkeypatch.setattr(records, "_sources", lambda: "edited")
    Path("late.csv").write_text("late")
    write_records(["late.csv"], begun, ledgers=["data/tiny/ledger/x.csv"])
    found = find("late.csv")
    assert found.record["code"]["commit"] == commit
    assert found.record["params"]["study"] == {"study.yaml": {"seed": 1}}
    assert found.record["inputs"]["data/tiny/fits.csv"] == fits
    assert found.inputs == {"data/tiny/fits.csv": "changed", "data/tiny/ledger/x.csv": "unchanged"}
    assert found.record["code"]["edited_meanwhile"] is True
    assert "EDITED while the job ran" in found.report()
    assert "EDITED" not in find("figures/tiny/x.pdf").report()


def test_the_record_of_a_file_made_again_is_not_used_for_the_earlier_file(made):
    make("data/tiny/games.csv", rule="games again", params={"seed": 222})
    assert find("data/tiny/games.csv").seeds == (222,)
    found = find("figures/tiny/x.pdf")
    # The games behind the fits were earlier ones too, whose record is gone.
    assert found.seeds == ()
    assert found.inputs["data/tiny/games.csv"] == "changed"


def test_the_command_runs_in_a_shell(made, monkeypatch):
    Path("my configs").mkdir()
    Path("my configs/a b.yaml").write_text(yaml.safe_dump(CONFIG))
    make("figures/a b's.pdf", configfile="my configs/a b.yaml")
    command = find("figures/a b's.pdf").command().rpartition("&& ")[2]
    assert shlex.split(command) == [
        *("snakemake", "--cores", "16", "--configfile", "my configs/a b.yaml"),
        *("--force", "figures/a b's.pdf"),
    ]


def test_tables_with_more_games_than_configured_are_reported(made, tmp_path):
    from msdensity.games.boards import Board
    from msdensity.games.tasks import Task
    from msdensity.runs.sweep import play_table

    ledger = {tmp_path / "2x3.csv": [Task(Board((2, 3)), mines) for mines in range(1, 6)]}
    assert play_table(ledger, 20, log=io.StringIO()).more_games == set()
    played = play_table(ledger, 7, log=io.StringIO())
    assert played.more_games == {20} and played.ledgers == tuple(ledger)
    begun = begin_record(rule="r", inputs=[], params={}, config=CONFIG, configfile="tiny.yaml")
    write_records(["data/tiny/fits.csv"], begun, more_games=played.more_games)
    assert "hold up to 20 games for a number of mines" in find("figures/tiny/x.pdf").report()
    make("data/tiny/fits.csv", ["data/tiny/games.csv"], rule="fits")
    assert "hold up to" not in find("figures/tiny/x.pdf").report()


def test_a_record_beside_a_file_goes_with_it(made, tmp_path_factory, monkeypatch):
    """As for the figures that README shows, in a checkout where nothing was made."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    record = record_path("figures/tiny/x.pdf").read_bytes()
    (elsewhere / "y.pdf").write_bytes(Path("figures/tiny/x.pdf").read_bytes())
    records.sidecar(elsewhere / "y.pdf").write_bytes(record)
    assert find("figures/tiny/x.pdf").whole
    monkeypatch.chdir(elsewhere)
    found = find("y.pdf")
    assert found.record == json.loads(record)
    assert not found.whole
    assert (
        "5 in the configuration; some files that it was made from have no record" in found.report()
    )
    (elsewhere / "y.pdf").write_text("another")
    with pytest.raises(InputError, match="has no record"):
        find("y.pdf")


@pytest.mark.parametrize("name", ["figure_9_1", "figure_9_6"])
def test_the_figures_of_the_readme_have_their_records(name):
    found = find(ROOT / f"figures/readme/{name}.png")
    assert found.record["rule"] == name
    assert found.record["code"]["commit"] and not found.record["code"]["dirty"]


def test_the_time_of_other_processes_counts(made):
    begun = begin_record(rule="far", inputs=[], params={}, config=CONFIG, configfile=None)
    Path("far.csv").write_text("far")
    write_records(["far.csv"], begun, cpu_seconds_before=1e6)
    assert 1e6 < find("far.csv").record["cpu_seconds"] < 1.1e6


@pytest.mark.parametrize(
    "changes",
    [
        {"rule": None},
        {"cpu_seconds": "1"},
        {"code": {}},
        {"code": []},
        {"kernel": {"version": 1}},
        {"packages": {"numpy": 1}},
        {"inputs": []},
        {"inputs": {"a": None}},
        {"config": []},
        {"configfile": 5},
        {"schema": 2},
        {"schema": [1]},
    ],
)
def test_a_record_of_another_form_is_one_error(made, changes):
    change("figures/tiny/x.pdf", **changes)
    with pytest.raises(InputError, match="cannot be read: make its file again"):
        find("figures/tiny/x.pdf")


@pytest.mark.parametrize("data", [b"", b"[", b"[]", b"\xff", b"5", b"[" * 100_000, b"1" * 5000])
def test_bytes_that_are_no_record_are_one_error(made, data):
    record_path("figures/tiny/x.pdf").write_bytes(data)
    with pytest.raises(InputError, match="cannot be read: make its file again"):
        find("figures/tiny/x.pdf")


def test_inputs_with_odd_names_and_long_chains_end(made):
    file = Path("table.csv")
    make(file)
    change(file, inputs={"a\0b": "x", "a\0.csv": "x", "../" * 50 + "none": "x", ".": "x"})
    assert set(find(file).inputs.values()) == {"gone"}
    record = json.loads(record_path(file).read_text())
    for i in range(1500):  # deeper than Python's own stack
        inputs = {f"{i + 1}.csv": record["sha256"]}
        text = json.dumps(record | {"date": str(i), "inputs": inputs})
        record_path(f"{i}.csv").write_text(text)
    change(file, inputs={"0.csv": record["sha256"]})
    assert find(file).jobs == pytest.approx(1501 * record["cpu_seconds"])


def test_a_file_that_was_never_made_is_one_clear_error(made, tmp_path):
    with pytest.raises(InputError, match="must be an existing table, figure or page"):
        find("figures/tiny/none.pdf")
    (tmp_path / "own.csv").write_text("mine")
    with pytest.raises(
        InputError, match=r"has no record in provenance/: .* `msdensity verify` checks"
    ):
        find("own.csv")


def test_settings_outside_the_folder_are_recorded_by_name_and_contents_alone(made, monkeypatch):
    Path("run").mkdir()
    monkeypatch.chdir("run")
    make("x.csv", params={"settings": "../tiny.yaml"}, configfile="../tiny.yaml")
    text = record_path("x.csv").read_text()
    assert ".." not in text and str(made) not in text
    found = find("x.csv")
    assert found.record["configfile"] == "tiny.yaml"
    assert found.record["params"] == {"settings": {"tiny.yaml": CONFIG}}
    assert "--configfile config.yaml" in found.command()  # as --config prints it


@pytest.mark.parametrize(
    "changes",
    [
        {"code": {"commit": "main; touch broken"}},
        {"code": {"commit": "--orphan"}},
        {"file": "--snakefile=/tmp/other"},
        {"configfile": "--snakefile=/tmp/other"},
    ],
)
def test_a_record_whose_command_would_do_something_else_is_refused(made, changes):
    place = record_path("figures/tiny/x.pdf")
    record = json.loads(place.read_text())
    if "code" in changes:
        changes = {"code": record["code"] | changes["code"]}
    place.write_text(json.dumps(record | changes))
    with pytest.raises(InputError, match="cannot be read: make its file again"):
        find("figures/tiny/x.pdf")


def test_a_report_has_no_control_characters(made, capsys):
    place = record_path("figures/tiny/x.pdf")
    record = json.loads(place.read_text())
    bad = "\x1b[2J\rfine\n        seed   6"
    change(
        "figures/tiny/x.pdf",
        rule=bad,
        date=bad,
        system=bad,
        configfile=bad,
        inputs={bad: bad},
        packages={bad: bad},
        config={"name": bad},
        code=record["code"] | {"dirty": [bad], "version": bad},
    )
    main(["provenance", "figures/tiny/x.pdf"])
    printed = capsys.readouterr().out
    assert all(line.isprintable() for line in printed.splitlines())
    assert printed.count("\n        seed   ") == 1


def test_a_result_that_another_run_removed_is_one_line(made):
    begun = begin_record(rule="r", inputs=[], params={}, config=CONFIG, configfile=None)
    with pytest.raises(
        InputError, match=r"gone.csv was removed while its job worked: does another"
    ):
        write_records(["gone.csv"], begun)
    assert not record_path("gone.csv").exists()
