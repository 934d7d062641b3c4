"""What makes a rule run again: the code that its step imports, and no other code.

The real Snakefile, with all jobs noted as done (see planned.py); the steps and the modules of the
package, each against each.
"""

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from msdensity.kernel.compiler.sources import PACKAGE
from msdensity.runs import steps
from places import ROOT
from repository import copy_of
from sizes import sizes

pytestmark = pytest.mark.workflow

SOURCES = sorted(
    path.relative_to(PACKAGE).as_posix()
    for path in PACKAGE.rglob("*")
    if path.suffix in (".py", ".mplstyle", ".j2")
)
PLAYS = {"sweep_small", "pilots", "first_click_games", "inference_games"} | {
    *(f"players_{name}" for name in ("table", "pairs", "measures", "curves", "points", "formulas")),
    *(f"players_belief_{name}" for name in ("decisions", "guesses", "errors")),
    *(f"players_resolution_{name}" for name in ("place", "guesses", "cost")),
    *(f"reproduction_{name}" for name in ("sweep", "quoted", "ends")),
    *(f"asymptotics_{name}" for name in ("pilot", "rho50_games", "low_density_games")),
    *(f"asymptotics_{name}_games" for name in ("curves", "listing", "conditional")),
    "densities_games",
    *(f"clicks_{name}" for name in ("maps", "slopes", "replays")),
    *(f"patterns_{name}" for name in ("slopes_games", "lines_games")),
    *(f"percolation_{name}" for name in ("fronts", "zeros", "sites", "games")),
    *(f"topologies_{name}_games" for name in ("rho50", "law")),
    *(f"definitions_{name}" for name in ("games", "layouts", "cost")),
    *(f"difficulty_{name}" for name in ("classes", "spots")),
    *(f"perfect_{name}" for name in ("optima", "exact", "clicks", "ladder")),
}
"""The rules that play; all others follow from what these made."""
Change = tuple[str, str, str]
"""File, old text (empty: at the end), new text."""


class DryRuns:
    """Dry runs in a copy of the repository in which every job is done."""

    def __init__(self, folder: Path) -> None:
        """Start them; `rules`: of each rule its step, its params, and the rules before it."""
        copy_of(ROOT, folder)
        answers, errors = folder / "answers", folder / "errors"
        answers.touch()
        self.process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("planned.py"), answers],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors.open("w"),
            text=True,
        )
        self.errors, self.answers = errors, answers.open(encoding="utf-8")
        self.rules: dict[str, dict] = self._answer()

    def _answer(self) -> dict:
        line = ""
        while not line.endswith("\n"):
            line += self.answers.readline()
            if not line and self.process.poll() is not None:
                raise AssertionError(self.errors.read_text())
        return json.loads(line)

    def planned(self, *changes: Change, notes: bool = True) -> set[str]:
        """Return the rules that a dry run plans after these changes, which are undone then.

        notes: whether Snakemake's own are there, which say how files were made.
        """
        assert self.process.stdin is not None
        print(json.dumps([changes, notes]), file=self.process.stdin, flush=True)
        return set(self._answer())

    def expected(self, module: str) -> set[str]:
        """Return the rules whose step imports a file of the package, and those after them."""
        rules = {
            name
            for name, rule in self.rules.items()
            if name not in PLAYS and rule["step"] and module in closure(rule["step"])
        }
        while more := {n for n, rule in self.rules.items() if rules & {*rule["after"]}} - rules:
            rules |= more
        return rules


@pytest.fixture(scope="module")
def dry_runs(tmp_path_factory) -> Iterator[DryRuns]:
    runs = DryRuns(tmp_path_factory.mktemp("stale") / "main")
    yield runs
    runs.process.kill()
    runs.process.wait()


@cache
def imports(name: str) -> set[str]:
    """Return the files that a file of the package imports, by its syntax tree."""
    names = set()
    for node in ast.walk(ast.parse((PACKAGE / name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            node.body.clear()  # walked later
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    files = set()
    for module in names:
        parts = module.split(".")
        if parts[0] == "msdensity":
            files |= {
                "/".join([*parts[1:depth], "__init__.py"]) for depth in range(1, len(parts) + 1)
            }
            files |= {"/".join(parts[1:]) + ".py"}
    return {name for name in files if name in SOURCES}


@cache
def closure(step: str) -> set[str]:
    """Return the files that the step depends on, without the kernel and the players."""
    module = step.partition(":")[0].split(".")
    room = module[: 2 if module[0] == "studies" else 1]
    open_ends = {"/".join(module) + ".py", "/".join([*room, "columns.py"]), "__init__.py"}
    for parts in (module, room):
        open_ends |= {"/".join([*parts[:depth], "__init__.py"]) for depth in range(1, len(parts))}
    open_ends |= {"/".join([*room, "__init__.py"])}
    files: set[str] = set()
    while open_ends:
        name = open_ends.pop()
        if name in files or name.startswith(("kernel/", "players/")):
            continue
        files.add(name)
        if name.endswith(".py"):
            open_ends |= imports(name)
            open_ends |= {
                data
                for data in SOURCES
                if data.endswith((".mplstyle", ".j2"))
                and f'"{data.removeprefix("studies/")}"' in (PACKAGE / name).read_text()
            }
    return files


def test_a_rule_plays_or_names_its_step_and_sources(dry_runs) -> None:
    """A rule that plays runs again for the kernel's version, the seed and what is played."""
    for name, rule in dry_runs.rules.items():
        if name in PLAYS:
            assert {"seed", "kernel_version"} <= {*rule["params"]}
            assert "sources" not in rule["params"]
        else:
            assert {"step", "sources"} <= {*rule["params"]}
    assert PLAYS <= {*dry_runs.rules}


@pytest.mark.parametrize("every", sizes(40, 1))
def test_every_step_is_hashed_over_what_it_imports_and_no_more(dry_runs, tmp_path, every) -> None:
    """Each step against each file, in the quick run every fortieth, with one byte changed."""
    package = tmp_path / "msdensity"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    made_of = {
        rule["step"]: closure(rule["step"]) for rule in dry_runs.rules.values() if rule["step"]
    }
    assert len(made_of) > 35
    # One step for each module: the others of a module are made of the same files.
    one_of = {step.partition(":")[0]: step for step in made_of}
    assert all(made_of[step] == made_of[one_of[step.partition(":")[0]]] for step in made_of)
    whole = {step: steps.sources_hash(step, package) for step in made_of}
    assert all(whole[step] == whole[one_of[step.partition(":")[0]]] for step in made_of)
    before = {step: whole[step] for step in one_of.values()}
    assert len({*before.values()}) > 20

    def changed(*names: str) -> set[str]:
        data = {name: (package / name).read_bytes() for name in names}
        for name in names:
            (package / name).write_bytes(data[name] + b"\n")
        steps.sources_hash.cache_clear()
        stale = {step for step in before if steps.sources_hash(step, package) != before[step]}
        for name in names:
            (package / name).write_bytes(data[name])
        return stale

    used = set().union(*made_of.values())
    for name in sorted(used)[::every]:
        assert changed(name) == {step for step in before if name in made_of[step]}, name
    assert len({*SOURCES} - used) > 50
    assert changed(*({*SOURCES} - used)) == changed() == set()


@pytest.mark.parametrize(
    "module",
    [
        "stats/logistic.py",
        "files/tables.py",
        "studies/page.py",
        "studies/published_players/density.py",
    ],
)
def test_a_changed_byte_plans_what_imports_it_and_what_follows(dry_runs, module) -> None:
    planned = dry_runs.planned((f"msdensity/{module}", "", "\n"))
    assert planned == dry_runs.expected(module)
    assert planned and planned.isdisjoint(PLAYS)
    assert (planned == {*dry_runs.rules} - PLAYS) is (module == "files/tables.py")


@pytest.mark.campaign
def test_other_files_and_times_plan_nothing(dry_runs) -> None:
    """The kernel, the players and modules that only play do not count either."""
    assert dry_runs.planned() == set()
    files = [*SOURCES, "workflow/rules/paper.smk"]
    same: list[Change] = [
        (name if "/rules/" in name else f"msdensity/{name}", "", "") for name in files
    ]
    assert dry_runs.planned(*same) == set()
    steps_of = {r["step"] for name, r in dry_runs.rules.items() if name not in PLAYS and r["step"]}
    others = {*SOURCES} - set().union(*map(closure, steps_of))
    assert {"kernel/rng.py", "players/weighted.py", "cli/play.py", "runs/checkpoint.py"} <= others
    assert dry_runs.planned(*((f"msdensity/{name}", "", "\n") for name in others)) == set()


def test_a_large_board_has_its_own_job(dry_runs) -> None:
    planned = dry_runs.planned(("workflow/config/smoke.yaml", "boards: [", "boards: [12x30, "))
    assert "sweep" in planned and "sweep_small" not in planned


STUDY = "workflow/config/smoke_players.yaml"
ABOUT = {"players_table", "players_pairs", "players_measures"}


@pytest.mark.parametrize(
    "notes", [True, pytest.param(False, marks=pytest.mark.campaign)], ids=["", "without notes"]
)
@pytest.mark.parametrize(
    ("changes", "plans"),
    [
        (
            [(STUDY, "seed: 20240503", "seed: 5")],
            lambda name: name.startswith("players_"),
        ),
        ([(STUDY, "\ngames: 200", "\ngames: 300")], ABOUT.__contains__),
        ([(STUDY, "replicates: 10", "replicates: 12")], lambda name: False),
        (
            [("workflow/config/smoke.yaml", "seed: 20240503", "seed: 5")],
            lambda name: name in ("sweep_small", "pilots", "first_click_games", "inference_games"),
        ),
        ([("workflow/config/smoke.yaml", "games: 300", "games: 301")], "sweep_small".__eq__),
    ],
    ids=["the seed of a study", "games of a study", "replicates", "the seed", "games"],
)
def test_games_are_planned_by_seed_and_setup(
    dry_runs, changes: list[Change], plans: Callable[[str], bool], notes: bool
) -> None:
    planned = dry_runs.planned(*changes, notes=notes)
    assert planned & PLAYS == {name for name in PLAYS if plans(name)}
    assert planned - PLAYS  # what follows from it


@pytest.mark.campaign
def test_more_games_are_planned_without_snakemakes_notes(dry_runs) -> None:
    """In a copy without `.snakemake`, or after its removal."""
    assert dry_runs.planned(notes=False) == set()
    more = ("workflow/config/smoke.yaml", "games: 300", "games: 301")
    assert "sweep_small" in dry_runs.planned(more, notes=False)


RECORD = "provenance/data/smoke/fits.csv.json"


@pytest.mark.campaign
@pytest.mark.parametrize(
    "change",
    [
        ("data/smoke/fits.csv", "", "another byte\n"),
        (RECORD, '"schema"', '"no schema"'),
        (RECORD, "data/smoke/win_rates.csv", "data/smoke/other.csv"),
        ("workflow/config/smoke.yaml", "bootstrap: ", "bootstrap: 1"),
        ("msdensity/stats/logistic.py", "", "\n"),
    ],
    ids=["its bytes", "its record", "an input", "a param", "the code"],
)
def test_without_snakemakes_notes_the_record_of_a_file_decides(dry_runs, change) -> None:
    planned = dry_runs.planned(change, notes=False)
    assert "fits" in planned and "sweep_small" not in planned


@pytest.mark.campaign
@pytest.mark.parametrize("module", SOURCES)
def test_every_module_plans_what_imports_it_and_what_follows(dry_runs, module) -> None:
    assert dry_runs.planned((f"msdensity/{module}", "", "\n")) == dry_runs.expected(module)
