"""Batches of a job without a ledger are not played again by the next attempt."""

import os
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.files.tables import read_table
from msdensity.games.boards import Board, Rules
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Setup, Task
from msdensity.runs import checkpoint
from msdensity.runs.checkpoint import Checkpoint
from msdensity.runs.measure import pilot
from msdensity.studies.clicks.play import play_map, play_replays
from msdensity.studies.clicks.settings import Settings as ClickSettings
from msdensity.studies.definitions.play import play_games as play_definitions
from msdensity.studies.definitions.play import play_layouts
from msdensity.studies.definitions.settings import Settings as DefinitionSettings
from msdensity.studies.difficulty.play import play_classes, play_spots
from msdensity.studies.difficulty.settings import Settings as DifficultySettings
from msdensity.studies.paper.first_click import count_zeros
from msdensity.studies.paper.inference import inference_table
from msdensity.studies.percolation.play import play_front, play_games, play_sites, play_zeros
from msdensity.studies.percolation.settings import Settings as PercolationSettings
from msdensity.studies.perfect.play import count_exact, count_optima, play_ladder, search_clicks
from msdensity.studies.perfect.settings import Settings as PerfectSettings
from msdensity.studies.published_players.columns import PUBLISHED_COLUMNS
from msdensity.studies.published_players.figure_5 import points_table
from msdensity.studies.published_players.formulas import formulas_table
from msdensity.studies.published_players.measures import measures_table
from msdensity.studies.published_players.questions import pairs_table
from msdensity.studies.published_players.results import study_table
from msdensity.studies.published_players.settings import Settings
from msdensity.studies.reproduction.play import outcome_row, play_ends
from msdensity.studies.reproduction.quoted import quoted_tables
from places import ROOT

SOURCES = "0123456789abcdef"
WHATS = [f"squares of {i}" for i in range(20)]


def squares(what: str) -> list[int]:
    i = int(what.rsplit(maxsplit=1)[-1])
    return [-i, *range(i), 2**60 + i]


def refuse() -> list[int]:
    raise AssertionError("played again")


def attempt(path: Path, whats: Sequence[str] = WHATS, sources: str = SOURCES) -> int:
    """Return how many batches were played; all numbers must be right."""
    played = []

    def play(what: str) -> list[int]:
        played.append(what)
        return squares(what)

    with Checkpoint(path, sources) as keep:
        for what in whats:
            assert keep(what, lambda what=what: play(what)) == squares(what)
    return len(played)


def test_batches_of_an_earlier_attempt_are_not_played_again(tmp_path) -> None:
    path = tmp_path / "unfinished" / "x.csv"
    assert attempt(path, WHATS[:7]) == 7
    assert attempt(path) == len(WHATS) - 7
    assert attempt(path) == 0
    # In any order.
    assert attempt(path, WHATS[::-1]) == 0


def test_nothing_is_made_before_the_first_batch(tmp_path) -> None:
    path = tmp_path / "unfinished" / "x.csv"
    with Checkpoint(path, SOURCES):
        pass
    assert not path.parent.exists()


def test_a_checkpoint_is_removed_at_the_end_of_a_run_if_its_result_exists(tmp_path) -> None:
    done, other = (checkpoint.unfinished_path(tmp_path / "a" / name) for name in ("x.csv", "y.csv"))
    attempt(done)
    attempt(done, sources="fedcba9876543210")
    attempt(other)
    (tmp_path / "a" / "x.csv").touch()
    checkpoint.remove_finished(tmp_path)
    assert sorted(each.name for each in other.parent.iterdir()) == [
        f"y.csv.{SOURCES}.part",
        "y.csv.lock",
    ]
    assert attempt(other) == 0
    (tmp_path / "a" / "y.csv").touch()
    checkpoint.remove_finished(tmp_path)
    assert not other.parent.exists()
    checkpoint.remove_finished(tmp_path / "none")


def test_a_checkpoint_that_another_run_holds_stays(tmp_path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "data")
    result = tmp_path / "data" / "fits.csv"
    result.touch()
    with Checkpoint(checkpoint.unfinished_path(result), "1") as keep:
        keep("batch", lambda: [1])
        checkpoint.remove_finished(tmp_path / "linked")
        assert keep.path.exists()
        keep("other batch", lambda: [2])
    checkpoint.remove_finished(tmp_path / "linked")
    assert not checkpoint.unfinished_path(result).parent.exists()


def test_a_checkpoint_that_cannot_be_removed_does_not_stop_a_run(tmp_path) -> None:
    """For example in a read-only folder."""
    attempt(checkpoint.unfinished_path(tmp_path / "x.csv"))
    (tmp_path / "x.csv").touch()
    (tmp_path / "unfinished" / "x.csv.other.part").mkdir()
    checkpoint.remove_finished(tmp_path)


def test_ctrl_c_in_a_write_raises_keyboard_interrupt(tmp_path, monkeypatch) -> None:
    """Also if it comes after the bytes are written and before they are counted."""
    path, write = tmp_path / "x", os.write

    def interrupted(descriptor: int, data: bytes) -> int:
        write(descriptor, data)
        monkeypatch.setattr(os, "write", write)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Checkpoint(path, SOURCES) as keep:
        monkeypatch.setattr(os, "write", interrupted)
        keep(WHATS[0], lambda: squares(WHATS[0]))
    assert attempt(path) == len(WHATS) - 1


def test_a_batch_that_is_asked_for_twice_is_played_once(tmp_path) -> None:
    with Checkpoint(tmp_path / "x", SOURCES) as keep:
        assert keep("a", lambda: [1, 2]) == keep("a", refuse) == [1, 2]


def test_an_error_keeps_the_batches_before_it(tmp_path) -> None:
    path = tmp_path / "x"
    with pytest.raises(ZeroDivisionError), Checkpoint(path, SOURCES) as keep:
        keep(WHATS[0], lambda: squares(WHATS[0]))
        keep(WHATS[1], lambda: squares(WHATS[1]))
        keep(WHATS[2], lambda: [1 // 0])
    assert attempt(path) == len(WHATS) - 2


def test_a_new_version_starts_empty(tmp_path) -> None:
    path = tmp_path / "x"
    attempt(path)
    assert attempt(path, sources="fedcba9876543210") == len(WHATS)
    assert attempt(path, sources="fedcba9876543210") == 0
    # Nothing of the first is lost.
    assert attempt(path) == 0


def part(path: Path) -> Path:
    return path.with_name(f"{path.name}.{SOURCES}.part")


def test_a_number_may_have_any_sign_and_at_most_forty_digits(tmp_path) -> None:
    path = tmp_path / "x"
    for number in (-(10**38), 0, 10**39):
        with Checkpoint(path, SOURCES) as keep:
            keep(str(number), lambda number=number: [number])
        with Checkpoint(path, SOURCES) as keep:
            assert keep(str(number), refuse) == [number]
    with pytest.raises(ValueError, match="one line"), Checkpoint(path, SOURCES) as keep:
        keep("a\tb", lambda: [1])


def test_cpu_seconds_of_earlier_attempts_count(tmp_path) -> None:
    path = tmp_path / "x"

    def busy() -> list[int]:
        return [sum(i * i for i in range(300_000)) % 7]

    with Checkpoint(path, SOURCES) as keep:
        keep("busy", busy)
        assert keep.cpu_seconds_before == 0
    with Checkpoint(path, SOURCES) as keep:
        keep("busy", refuse)
        assert 0.001 < keep.cpu_seconds_before < 10


def test_threads(tmp_path) -> None:
    path = tmp_path / "x"
    with Checkpoint(path, SOURCES) as keep:

        def some(part: int) -> None:
            for what in WHATS[part::4]:
                keep(what, partial(squares, what))

        threads = [threading.Thread(target=some, args=(part,)) for part in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert attempt(path) == 0


def test_a_folder_that_cannot_be_made(tmp_path) -> None:
    (tmp_path / "unfinished").write_text("a file")
    with pytest.raises(InputError, match=r"x\..*\.part cannot be written: "):
        attempt(tmp_path / "unfinished" / "x")
    path = tmp_path / "x"
    part(path).mkdir()
    with pytest.raises(InputError, match=r"x\..*\.part cannot be written: Is a directory"):
        attempt(path)


STUDY = Settings(
    study="players",
    games=200,
    seed=7,
    figure_games=200,
    zero_games=40,
    traced_games=3,
    tables={"000 5.1": [{"player": "double_set", "first_click": "random"}]},
)
CLICKS = ClickSettings(
    study="clicks",
    seed=7,
    maps={"games": 150, "mines": {"4x4": [3]}},
    slope_games=100,
    layouts={"games": 350, "mines": {"4x4": [3]}},
    replays=2,
)
PERCOLATION = PercolationSettings(
    study="percolation",
    seed=7,
    fronts={
        "square8": {"games": {8: 4}, "densities": {"complete": 0.2}, "offsets": [-0.1, 0, 0.2]}
    },
    zeros={8: 1200, 10: 1200},
    sites={8: 5, 10: 5, 12: 5},
    games={"games": {5: 4}, "densities": [0.1, 0.2, 0.3]},
)
DEFINITIONS = DefinitionSettings(
    study="definitions",
    seed=7,
    games={6: 20},
    layouts={6: 20, 7: 20},
    timed={6: 200},
    densities=[0.1, 0.15, 0.2, 0.25, 0.3],
    inference={"density": 0.25, "error": 0.001},
    cascade={"density": 0.1, "error": 0.001},
)
DIFFICULTY = DifficultySettings(
    study="difficulty",
    seed=7,
    starts={"corner": "safe"},
    games={"5x5": 150},
    densities=[0.1, 0.2],
    level_games=1,
    spot_boards=["6x6"],
    win_rates=[0.75],
    rules=["single"],
    players=["weighted"],
    error=0.03,
)
PERFECT = PerfectSettings(
    study="perfect",
    seed=7,
    cells=4,
    players=[{"player": "weighted"}],
    click_cells=4,
    ladder_boards=["2x2"],
    ladder_players=[{"player": "single_point"}],
    exact_layouts=1,
    games=30,
)
PUBLISHED = read_table(ROOT / "data/published/players.csv", PUBLISHED_COLUMNS)
QUOTES = pd.DataFrame(
    [("4x4", 4, 0.5, 1, 100, 1.0, "10.1")],
    columns=["board", "mines", "win_rate", "decimals", "games", "seconds", "section"],
)
TASK = Task(Board((4, 4)), 4, "listing", {}, Rules("corner"), 3)


def own_points(keep: Keep, patch: pytest.MonkeyPatch) -> pd.DataFrame:
    patch.setattr("msdensity.studies.published_players.figure_5._WAYS", (("double_set", {}),))
    return points_table(STUDY, keep)


STUDIES: dict[str, Callable[[Keep, pytest.MonkeyPatch], pd.DataFrame]] = {
    "published tables": lambda keep, _: study_table(PUBLISHED, STUDY, keep),
    "pairs": lambda keep, _: pairs_table("guessing", 150, 7, keep),
    "measures": lambda keep, _: measures_table("double_set", STUDY, keep),
    "points": own_points,
    "formulas": lambda keep, _: formulas_table(STUDY, keep),
    "quoted": lambda keep, _: quoted_tables(
        QUOTES, [("listing", {}), ("weighted", {})], Rules(), 5, 2500, 2, keep
    )[0],
    "ends": lambda keep, _: pd.DataFrame([outcome_row(TASK, play_ends(TASK, 700, 1, keep))]),
    "inference": lambda keep, _: inference_table([(Board((5, 5)), [3, 6])], 4, 1, keep),
    "zeros": lambda keep, _: pd.DataFrame([count_zeros(TASK, 2500, keep)]),
    "clicks": lambda keep, _: play_map(CLICKS, "4x4.3.safe", keep),
    "replays": lambda keep, _: play_replays(CLICKS, keep),
    "fronts": lambda keep, _: play_front(PERCOLATION, "square8.small", keep),
    "crossings of zeros": lambda keep, _: play_zeros(PERCOLATION, keep),
    "sites": lambda keep, _: play_sites(PERCOLATION, keep),
    "percolation games": lambda keep, _: play_games(PERCOLATION, "small", keep),
    "definitions": lambda keep, _: play_definitions(DEFINITIONS, "6", keep),
    "clicks of boards": lambda keep, _: play_layouts(DEFINITIONS, keep),
    "difficulty": lambda keep, _: play_classes(DIFFICULTY, "5x5", keep),
    "sweet spots": lambda keep, _: play_spots(DIFFICULTY, "6x6", keep),
    "optima": lambda keep, _: count_optima(PERFECT, "small", keep),
    "exact wins": lambda keep, _: count_exact(PERFECT, "small", keep),
    "ladder": lambda keep, _: play_ladder(PERFECT, "2x2", keep)["games"],
    "first clicks": lambda keep, _: search_clicks(PERFECT, "small", keep),
    "pilot": lambda keep, _: pd.DataFrame(
        [pilot(Setup(Board((6, 6)), "weighted", {}, Rules(), 1), 100, keep)]
    ).drop(columns="seconds"),
}


@pytest.mark.parametrize("name", STUDIES)
def test_an_interrupted_study_plays_only_the_rest(tmp_path, monkeypatch, name) -> None:
    monkeypatch.setattr(checkpoint, "WRITE_SECONDS", 0.0)
    table, path = STUDIES[name], tmp_path / "x"
    asked: list[str] = []

    def noting(what: str, play: Callable[[], Sequence[int]]) -> list[int]:
        asked.append(what)
        return NO_CHECKPOINT(what, play)

    whole = table(noting, monkeypatch)
    assert len(set(asked)) > 2
    played: list[str] = []
    for stop in (len(set(asked)) // 3, len(set(asked)) - 1, None):
        with Checkpoint(path, SOURCES) as keep:

            def cut(what: str, play: Callable[[], Sequence[int]], keep=keep, stop=stop) -> list:
                def told() -> Sequence[int]:
                    if len(played) == stop:
                        raise KeyboardInterrupt  # in the middle of this batch
                    played.append(what)
                    return play()

                return keep(what, told)

            if stop is None:
                pd.testing.assert_frame_equal(table(cut, monkeypatch), whole, check_exact=True)
            else:
                with pytest.raises(KeyboardInterrupt):
                    table(cut, monkeypatch)
    # All attempts together play no batch more often than one uninterrupted attempt.
    assert set(played) == set(asked)
    assert Counter(played) <= Counter(asked)
