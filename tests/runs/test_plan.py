"""What a study will cost: counted exactly, timed by a pilot, and nothing written."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from msdensity.cli import main
from msdensity.files.tables import read_table, write_table
from msdensity.games.tasks import Task
from msdensity.runs.config import STUDIES, load_config
from msdensity.runs.plan import Cost, Plan, Workload, holds, plan, plan_of
from msdensity.runs.sweep import top_up
from msdensity.stats.columns import WIN_RATE_COLUMNS
from msdensity.studies.asymptotics import play
from msdensity.studies.asymptotics.columns import GAMES_COLUMNS, POINT_COLUMNS
from msdensity.studies.asymptotics.settings import load_settings
from msdensity.studies.paper.workloads import workloads
from places import ROOT

CONFIG = {"name": "t", "boards": ["3x3", "4x4"], "games": 1000, "seed": 3}


def test_it_counts_what_is_left(tmp_path: Path) -> None:
    config = load_config(CONFIG)
    fresh = plan(config, tmp_path)
    assert [(c.part, c.board, c.games, c.there) for c in fresh.costs] == [
        ("sweep", "3x3", 8000, 0),
        ("pilots", "3x3", 1500, 0),
        ("sweep", "4x4", 15000, 0),
        ("pilots", "4x4", 1500, 0),
    ]
    assert list(tmp_path.iterdir()) == []
    top_up(config.tasks("3x3", "weighted"), 400, tmp_path / "t/ledger/3x3.weighted.csv")
    again = plan(config, tmp_path)
    assert (again.costs[0].games, again.costs[0].there) == (8 * 600, 8 * 400)
    top_up(config.tasks("3x3", "weighted"), 1000, tmp_path / "t/ledger/3x3.weighted.csv")
    done = plan(config, tmp_path).costs[0]
    assert (done.games, done.cpu_seconds) == (0, 0)


def test_exact_win_rates_that_take_seconds_are_planned_until_they_are_there(tmp_path) -> None:
    players = [{"player": "weighted"}, {"player": "single_point"}]
    values = CONFIG | {"boards": ["4x4", "1x17", "1x21"], "players": players}

    def exact(**others: Any) -> list[tuple[str, int, bool]]:
        works = workloads(load_config(values | others), tmp_path)
        found = [work for work in works if work.part == "exact"]
        assert all(work.tasks[0].player == "weighted" for work in found)
        return [(work.tasks[0].board.name, len(work.tasks), work.played) for work in found]

    assert exact() == [("1x17", 16, False)]
    assert exact(exact_cells=21) == [("1x17", 16, False), ("1x21", 20, False)]
    assert exact(exact_cells=0) == exact(exact_cells=16) == []
    ring = tmp_path / "ring.json"
    ring.write_text(json.dumps([[(c - 1) % 18, (c + 1) % 18] for c in range(18)]))
    assert exact(boards=[str(ring)]) == []
    (tmp_path / "exact.csv").touch()
    assert exact() == [("1x17", 16, True)]


def test_the_cost_grows_with_the_board_and_with_the_games() -> None:
    cheap, dear = (plan(load_config(CONFIG | {"boards": [b]})).cpu_seconds for b in ("3x3", "9x9"))
    assert 0 < 10 * cheap < dear  # 10 times the tasks, and larger boards
    many = plan(load_config(CONFIG | {"boards": ["9x9"], "games": 10_000})).cpu_seconds
    assert 3 * dear < many < 30 * dear


def test_work_done_once_for_a_board_is_not_counted_as_time_of_a_game(monkeypatch) -> None:
    """The first game on a board makes its tables: on a large one, a hundred times its time."""
    played = set()

    def play(task: Task, first_game: int, games: int) -> dict[str, int]:
        wait = time.thread_time() + 2e-4 * games + 0.1 * (task.board not in played)
        played.add(task.board)
        while time.thread_time() < wait:
            pass
        return {}

    monkeypatch.setattr("msdensity.games.play.play_batch", play)
    (cost,) = plan_of([Workload("sweep", [Task("3x3", m) for m in range(1, 9)], 1000)]).costs
    # A game takes 200 us; with the tables of the board in it, it would be 14 ms or more.
    assert 200 <= cost.cpu_us < 2000


def test_the_command_prints_it(tmp_path: Path, capsys) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("{name: t, boards: [3x3], games: 10}", encoding="utf-8")
    assert main(["plan", str(path), "--data", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "3x3" in printed and "1,580 games to play, 0 already played" in printed
    path.write_text("{name: t, boards: [3x3], gmaes: 10}", encoding="utf-8")
    assert main(["plan", str(path)]) == 2
    assert "unknown key 'gmaes'" in capsys.readouterr().err


def test_games_of_a_target_of_their_own_are_named(tmp_path: Path, untimed) -> None:
    study = {"games": 2, "mines": {"5x5": [3, 4, 5]}}
    planned = plan(load_config(CONFIG | {"inference_study": study}), tmp_path)
    assert [c.target for c in planned.costs] == 4 * [""] + ["inference"]
    assert "of these, 6 are played by `snakemake inference` alone\n" in planned.report()
    assert "alone" not in plan(load_config(CONFIG), tmp_path).report()


@pytest.fixture
def untimed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No game is played for a plan; each takes 1 ms. The published tables are those of data/."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("msdensity.runs.plan._expected", lambda _, left: sum(left.values()) / 1000)
    yield


def games(planned: Plan) -> dict[str, int]:
    """Return the games left of each part, of all start rules."""
    left: Counter[str] = Counter()
    for cost in planned.costs:
        left[cost.part.removesuffix(" corner").removesuffix(" zero")] += cost.games
    return dict(left)


@pytest.mark.usefixtures("untimed")
def test_it_counts_every_game_of_the_studies_without_ledgers(tmp_path: Path) -> None:
    players = plan(ROOT / "workflow/config/smoke_players.yaml", tmp_path)
    assert games(players) == {
        # on the boards of each; 004 also counts mines game by game, and boards without a 0
        "tables": (2 * 3 + 1 * 3 + 2 * 3 + 2 * (3 + 3 + 3 + 3 + 3) + (2 + 2) + 2 * 1) * 200,
        "pairs": (3 * (3 + 2 + 3 + 4) + 3 * 5) * 200,
        "measures": 17 * 3 * 200,
        "traces": 17 * 3 * 20,
        "cost": 17 * (4 * (100 + 200) + 99 * 100),
        "curves": 17 * (8 + 15 + 24) * 100,
        "points": (30 + 20) * 2 * 200,
        "formulas": 3 * 3 * 2 * 200,
        "decisions": 4 * 3 * 60,
        "guesses": (2 + 4) * 3 * 60,
        "beliefs": 5 * 20,
        "002 positions": 14 * 3,
        "002 guesses": 3 * 3 * 3,
        "002 cost": 14 * 2 + 3 * 5 * 2,
    }
    assert players.cpu_seconds == pytest.approx(sum(games(players).values()) / 1000)
    reproduction = plan(ROOT / "workflow/config/smoke_reproduction.yaml", tmp_path)
    sweep = sum(p * q - 1 for p in range(1, 6) for q in range(p, 6)) * 200
    assert games(reproduction) == {
        "sweep": 3 * (sweep + sum(q - 1 for q in range(6, 21)) * 100),
        "quoted": 2 * 3 * 200,
        "ends": 18 * (7 * 100 + 2 * 200),  # 4x4 up to m = 7, and the boards of 8.1 and 10.2
    }
    assert not [*tmp_path.iterdir()]


@pytest.mark.usefixtures("untimed")
def test_a_table_counts_if_it_holds_as_many_games(tmp_path: Path) -> None:
    file = yaml.safe_load((ROOT / "workflow/config/smoke_players.yaml").read_text())
    folder = tmp_path / "smoke_players/pairs"
    folder.mkdir(parents=True)
    (folder / "guessing.csv").write_text("games,difference\n200,0.5\n")
    assert holds(folder / "guessing.csv", 200) and not holds(folder / "guessing.csv", 300)
    assert not holds(folder / "openers.csv", 200)
    fresh, now = (games(plan(file, data))["pairs"] for data in (tmp_path / "empty", tmp_path))
    assert fresh - now == 2 * 3 * 200
    more = file | {"games": 300}
    assert games(plan(more, tmp_path))["pairs"] == 1.5 * fresh


@pytest.mark.usefixtures("untimed")
def test_the_pilots_decide_what_is_left_of_large_boards(tmp_path: Path) -> None:
    """Before them it is an estimate; what then is played is what the plan said, game by game."""
    values = yaml.safe_load((ROOT / "workflow/config/smoke_asymptotics.yaml").read_text())
    values["boards"] = {"corner": {"squares": [4, 5], "strips": {2: [4]}}}
    values["low_density"]["boards"] = {"zero": {"squares": [12]}}
    values["curves"] |= {"small": [3, 4], "large": []}
    values["listing"]["large"] = [11]
    settings = load_settings(values)
    folder = tmp_path / settings.name

    def left() -> dict[str, int]:
        return games(plan(settings, tmp_path))

    before = plan(values, tmp_path)
    guessed = {cost.part for cost in before.costs if cost.estimate}
    curves = {"curves corner", "listing corner"}
    assert guessed == {"pilot corner", "rho50 corner", *curves}
    assert "decide what they play: pilot corner, rho50 corner, curves corner" in before.report()
    assert all(left().values())
    for part in settings.parts():
        played = play.play_pilots(settings, part, folder / "ledger/pilot")
        write_table(folder / f"points/{part}.csv", played.table, POINT_COLUMNS)
    planned = plan(settings, tmp_path)
    assert games(planned)["pilot"] == 0 < sum(cost.there for cost in planned.costs)
    assert {cost.part for cost in planned.costs if cost.estimate} == curves
    rho50 = []
    for part in settings.parts():
        points = read_table(folder / f"points/{part}.csv", POINT_COLUMNS)
        rho50.append(play.play_rho50(settings, part, points, folder / "ledger/rho50").table)
    assert sum(int(table["games"].sum()) for table in rho50) == games(planned)["rho50"]
    for part in settings.density_parts():
        play.play_low_density(settings, part, folder / "ledger/low_density")
        play.play_conditional(settings, part, folder / "ledger/conditional")
    for part in settings.curve_parts():
        played = play.play_curves(settings, part, folder / "ledger/curves")
        write_table(folder / f"games/curves/{part}.csv", played.table, GAMES_COLUMNS)
    for part in settings.listing_parts():
        played = play.play_listing(settings, part, folder / "ledger/listing")
        write_table(folder / f"games/listing/{part}.csv", played.table, WIN_RATE_COLUMNS)
    assert set(left().values()) == {0}
    assert "estimates" not in plan(settings, tmp_path).report()


@pytest.mark.usefixtures("untimed")
@pytest.mark.parametrize("study", ["paper", *STUDIES])
def test_every_study_has_a_plan(study: str, tmp_path: Path) -> None:
    for name in (study, "smoke" if study == "paper" else f"smoke_{study}"):
        planned = plan(ROOT / f"workflow/config/{name}.yaml", tmp_path)
        assert all(cost.games > 0 == cost.there for cost in planned.costs)


def test_a_long_plan_names_the_costliest_and_sums_up_the_rest() -> None:
    costs = [Cost("ends", f"{q}x{q}", "x" * 50, 10, 5, q / 10, True) for q in range(2, 17)]
    lines = Plan((Cost("sweep", "1x2", "weighted", 0, 7, 0.0), *costs)).report().splitlines()
    assert [line.split()[1] for line in lines[1:13]] == [f"{q}x{q}" for q in range(16, 4, -1)]
    assert len({len(line) for line in lines[:14]}) == 1  # the columns stay in line
    assert lines[13].split() == ["4", "more", "0.9"]
    assert lines[14] == "by part: sweep 0.0 s, ends 13.5 s"
    assert lines[15] == "150 games to play, 82 already played: 13.5 s of one core"
    assert lines[16].endswith("decide what they play: ends")


@pytest.mark.usefixtures("untimed")
def test_the_command_prints_the_plan_of_another_study(tmp_path: Path, capsys) -> None:
    file = "workflow/config/smoke_asymptotics.yaml"
    assert main(["plan", file, "--data", str(tmp_path), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["parts"]["low density zero"] == pytest.approx(
        7 * 3 * 600 / 1000
    )  # boards, densities, games
    assert {"part": "listing corner", "estimate": True}.items() <= facts["boards"][-1].items()
    path = tmp_path / "wrong.yaml"
    path.write_text("study: asymptotic", encoding="utf-8")
    assert main(["plan", str(path)]) == 2
    assert "study='asymptotic' must be one of paper, " in capsys.readouterr().err
