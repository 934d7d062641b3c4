"""Ledgers of another run are seen before a run or a plan starts, in every study."""

from dataclasses import replace
from typing import Any

import pytest
from older import as_played_by

from msdensity.errors import InputError
from msdensity.games.boards import Rules
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.config import PAPER, STUDIES
from msdensity.runs.jobs import ledger_path
from msdensity.runs.ledger import require_same_run
from msdensity.runs.plan import check_ledgers, plan, plan_of
from msdensity.runs.studies import load_any
from msdensity.runs.sweep import top_up
from msdensity.studies.asymptotics import workloads as asymptotics
from msdensity.studies.clicks import workloads as clicks
from msdensity.studies.definitions import workloads as definitions
from msdensity.studies.densities import workloads as densities
from msdensity.studies.difficulty import workloads as difficulty
from msdensity.studies.paper import workloads as paper
from msdensity.studies.patterns import workloads as patterns
from msdensity.studies.percolation import workloads as percolation
from msdensity.studies.perfect import workloads as perfect
from msdensity.studies.published_players import workloads as players
from msdensity.studies.reproduction import workloads as reproduction
from msdensity.studies.topologies import workloads as topologies
from places import ROOT

MODULES: dict[str, Any] = {
    PAPER: paper,
    "players": players,
    "reproduction": reproduction,
    "asymptotics": asymptotics,
    "densities": densities,
    "clicks": clicks,
    "patterns": patterns,
    "percolation": percolation,
    "topologies": topologies,
    "definitions": definitions,
    "difficulty": difficulty,
    "perfect": perfect,
}


def small(study: str) -> Any:
    return load_any(ROOT / f"workflow/config/smoke{'' if study == PAPER else f'_{study}'}.yaml")


@pytest.fixture(autouse=True)
def published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_every_study_has_its_module() -> None:
    assert MODULES.keys() == {PAPER, *STUDIES}


@pytest.mark.parametrize("study", MODULES)
def test_what_a_study_plays_is_of_the_runs_that_it_may_have_stored(study, tmp_path) -> None:
    settings, data = small(study), tmp_path / small(study).name
    pairs = dict(MODULES[study].stored(settings, data))
    for path in pairs:  # the paper's plan lists only ledgers that exist
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    planned = [
        (path, work.tasks)
        for work in MODULES[study].workloads(settings, data)
        for path in work.ledgers
    ]
    assert {path for path, _ in planned} == pairs.keys()
    for path, tasks in planned:
        require_same_run(path, [pairs[path], *tasks])


@pytest.mark.parametrize("study", MODULES)
def test_a_changed_seed_is_one_error_that_names_the_ledger_and_both_seeds(study, tmp_path) -> None:
    settings = small(study)
    folders = set()
    for path, task in MODULES[study].stored(settings, tmp_path / settings.name):
        if path.parent not in folders:
            folders.add(path.parent)
            top_up([task], 1, path)
            check_ledgers(settings, tmp_path)
            other = settings.model_copy(update={"seed": 5})
            if study == "reproduction":
                sweep = settings.sweep.model_copy(update={"seed": 5})
                strips = settings.strips.model_copy(update={"seed": 5})
                other = settings.model_copy(update={"sweep": sweep, "strips": strips})
            before = path.read_bytes()
            with pytest.raises(
                InputError, match=rf"{path.name} has seed={task.seed} and would get"
            ):
                check_ledgers(other, tmp_path)
            with pytest.raises(InputError, match="give the configuration another name, or move"):
                plan(other, tmp_path)
            assert path.read_bytes() == before
            path.unlink()


NO_LEDGER = {"percolation", "definitions", "difficulty", "perfect"}


@pytest.mark.parametrize("study", sorted(MODULES.keys() - NO_LEDGER))
def test_a_ledger_of_another_kernel_version_is_no_error_and_counts_nothing(study, tmp_path) -> None:
    settings, data = small(study), tmp_path / small(study).name
    path, _ = next(iter(MODULES[study].stored(settings, data)))

    def there() -> int:
        own = (work for work in MODULES[study].workloads(settings, data) if path in work.ledgers)
        return sum(cost.there for cost in plan_of(own).costs)

    path.parent.mkdir(parents=True)
    path.touch()  # the paper's plan lists only ledgers that exist
    works = MODULES[study].workloads(settings, data)
    top_up([next(work.tasks[0] for work in works if path in work.ledgers)], 1, path)
    assert there() == 1
    as_played_by(path, KERNEL_VERSION - 1)
    assert f"{path} was played by kernel_version=" in check_ledgers(settings, tmp_path)
    assert there() == 0


def test_a_part_of_a_large_board_and_the_rules_count_too(tmp_path) -> None:
    settings = small(PAPER)
    path, task = next(iter(paper.stored(settings, tmp_path / settings.name)))
    part = ledger_path(path.parent, task.board.name, task.label, 500)
    top_up([replace(task, rules=Rules("centre"))], 1, part)
    with pytest.raises(InputError, match=f"{part.name} has first_click=centre"):
        check_ledgers(settings, tmp_path)


@pytest.mark.parametrize("cut", [1, 200, -1])
def test_a_ledger_without_a_complete_row_passes(tmp_path, cut) -> None:
    settings = small(PAPER)
    path, task = next(iter(paper.stored(settings, tmp_path / settings.name)))
    top_up([replace(task, seed=5)], 1, path)
    path.write_bytes(path.read_bytes()[:cut])
    check_ledgers(settings, tmp_path)
