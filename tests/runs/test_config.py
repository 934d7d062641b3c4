import dataclasses
from pathlib import Path
from typing import Any

import pytest

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.runs.config import STUDY_FILES, Config, check_folders, load_config, study_of
from places import ROOT


def config(**changes: Any) -> Config:
    return load_config({"name": "test", "boards": ["3x3"], **changes})


def test_the_smoke_configuration_is_what_it_says() -> None:
    smoke = load_config(ROOT / "workflow/config/smoke.yaml")
    strips = ("1x2", "1x3", "1x4", "1x5", "1x6")
    assert smoke.board_names == (*strips, "2x10", "3x3", "4x4", "5x5", "6x6")
    assert (smoke.name, smoke.games, smoke.labels) == ("smoke", 300, ("weighted",))


def test_the_paper_configuration_has_all_boards_up_to_ten_and_strips_up_to_fifty() -> None:
    paper = load_config(ROOT / "workflow/config/paper.yaml")
    sides = {(p, q) for p in range(1, 11) for q in range(p, 11)} - {(1, 1)}
    sides |= {(1, q) for q in range(11, 51)}
    assert {board.shape for board in paper.boards} == sides
    assert len(paper.boards) == len(sides) == 94
    assert paper.games == 1000
    assert paper.labels == ("weighted", "weighted-ties_random")
    assert sum(len(paper.tasks(board, "weighted")) for board in paper.boards) == sum(
        p * q - 1 for p, q in sides
    )


def test_the_defaults_are_those_of_the_paper() -> None:
    paper = load_config(ROOT / "workflow/config/paper.yaml")
    default = load_config({"name": "paper", "seed": paper.seed})
    assert set(default.boards) < set(paper.boards)
    assert len(default.boards) == 54
    left_out = {"boards": default.boards, "players": paper.players[:1]} | dict.fromkeys(
        ("first_click_study", "inference_study")
    )
    assert default == paper.model_copy(update=left_out)


@pytest.mark.parametrize("topology", ["", "-torus8", "-square4", "-hexagonal"])
@pytest.mark.parametrize("first_click", ["corner", "centre", "random", "random_edge", "cell:5"])
@pytest.mark.parametrize("start", ["safe", "zero", "unprotected"])
def test_every_task_can_be_played_and_one_mine_more_could_not(
    topology: str, first_click: str, start: str
) -> None:
    board = Board.parse(f"4x5{topology}")
    given = config(boards=[board.name], first_click=first_click, start=start)
    tasks = given.tasks(board, "weighted")
    assert [task.mines for task in tasks] == list(range(1, len(tasks) + 1))
    play_batch(tasks[-1], 0, 3)  # must not raise
    beyond = len(tasks) + 1
    if start == "zero":
        with pytest.raises(InputError, match=f"mines={beyond} must be in 0..{beyond - 1}"):
            play_batch(dataclasses.replace(tasks[-1], mines=beyond), 0, 1)
    else:
        assert beyond == board.cells  # no safe cell would be left


def test_boards_without_room_or_first_cell_are_refused_before_play() -> None:
    with pytest.raises(InputError, match=r"start=zero must leave .* all 9 cells of board 3x3"):
        config(boards=["5x5", "3x3"], start="zero", first_click="centre")
    with pytest.raises(InputError, match=r"a board of shape \(2, 3\) has no such cell"):
        config(boards=["5x5", "2x3"], first_click="random_interior")


def test_every_key_reaches_the_configuration() -> None:
    given = config(
        seed=7,
        games=11,
        boards=["5x4", "4x5", "3x3-torus8", {"p": [1, 2], "q": [1, 3]}],
        players=[{"player": "weighted", "ties": "random"}, {"player": "weighted"}],
        first_click="centre",
        start="unprotected",
        batch=13,
        bootstrap=0,
    )
    assert (given.seed, given.games, given.batch, given.bootstrap) == (7, 11, 13, 0)
    assert config(games=1000.0, seed=1e3) == config(games=1000, seed=1000)
    names = ("1x2", "1x3", "2x2", "2x3", "3x3-torus8", "4x5")
    assert given.board_names == names
    assert given.labels == ("weighted-ties_random", "weighted")
    tasks = given.tasks("4x5", "weighted-ties_random")
    assert [task.mines for task in tasks] == list(range(1, 20))
    assert tasks == given.tasks(Board((4, 5)), ("weighted", {"ties": "random"}))
    first = tasks[0]
    assert (first.seed, first.options) == (7, {"ties": "random"})
    assert (first.rules.first_click, first.rules.start) == ("centre", "unprotected")


def test_boards_and_players_given_twice_count_once() -> None:
    twice = config(
        boards=["3x3", "4x3", "3x4", {"p": [3, 3], "q": [3, 4]}],
        players=[{"player": "weighted"}, {"player": "weighted", "ties": "ordered"}],
    )
    assert twice.board_names == ("3x3", "3x4")
    assert twice.labels == ("weighted",)


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"gamse": 5}, "unknown key 'gamse': did you mean 'games'?"),
        ({"xyzzy": 5}, "unknown key 'xyzzy': the keys are study, name, seed, games"),
        # The misspelt key is named even if another value is wrong.
        ({"games": 0, "bord": 5}, "unknown key 'bord': did you mean 'boards'?"),
        ({"games": 0}, "games=0 must be a whole number in 1..1000000000000"),
        ({"games": -5}, "games=-5 must be a whole number in 1.."),
        ({"games": "1,000"}, "games='1,000' must be a whole number"),
        ({"games": True}, "games=True must be a whole number"),
        ({"games": float("nan")}, "games=nan must be a whole number"),
        ({"games": float("inf")}, "games=inf must be a whole number"),
        ({"games": None}, "games=None must be a whole number"),
        ({"games": 10**5000}, "config holds an integer of 16610 bits"),
        ({"games": 1.5}, "games=1.5 must be a whole number"),
        ({"batch": 0}, "batch=0 must be a whole number in 1.."),
        ({"bootstrap": -1}, "bootstrap=-1 must be a whole number in 0.."),
        ({"seed": -1}, "seed=-1 must be a whole number in 0..9223372036854775807"),
        ({"name": "a/b"}, "name='a/b' must be letters, digits, - and _"),
        ({"name": "a\n"}, "must be letters, digits, - and _"),
        ({"name": ""}, "name='' must be"),
        ({"name": 5}, "name=5 must be letters, digits"),
        ({"boards": []}, "boards=[] must not be empty"),
        ({"boards": "3x3"}, "boards='3x3' must be a list"),
        ({"boards": ["0x3"]}, "boards[0]: board='0x3' must have sides in 1.."),
        # What YAML 1.1 makes of an unquoted 0x3.
        ({"boards": [3]}, "boards[0]: board=3 must be rows x columns"),
        ({"boards": ["3x3", "3"]}, "boards[1]: board='3' must be rows x columns"),
        ({"boards": ["axb"]}, "boards[0]: board='axb'"),
        ({"boards": ["1x1"]}, "boards[0]: '1x1' must have at least 2 cells"),
        ({"boards": [{"p": [1, 1], "q": [1, 1]}]}, "must hold a board"),
        ({"boards": [{"p": [5, 6], "q": [3, 4]}]}, "must hold a board with p <= q"),
        ({"boards": [{"p": [3, 2], "q": [3, 4]}]}, "boards[0].p=[3, 2] must be in rising order"),
        (
            {"boards": [{"p": [0, 2], "q": [3, 4]}]},
            "boards[0].p[0]=0 must be a whole number in 1..1000",
        ),
        ({"boards": [{"p": ["a", 2], "q": [3, 4]}]}, "boards[0].p[0]='a' must be a whole number"),
        ({"boards": [{"p": [1], "q": [3, 4]}]}, "boards[0].p=[1] must have 2 values"),
        ({"boards": [{"p": [1, 2], "q": [1, 2, 3]}]}, "boards[0].q=[1, 2, 3] must have 2 values"),
        ({"boards": [{"p": [1, 2]}]}, "boards[0] must have the key 'q'"),
        ({"boards": [{"p": [1, 2], "qq": [1, 2]}]}, "unknown key 'qq' in boards[0]"),
        ({"players": []}, "players=[] must not be empty"),
        ({"players": ["weighted"]}, "players[0]='weighted' must be keys and values"),
        ({"players": [{"player": "best"}]}, "players[0]: player='best' must be one of"),
        ({"players": [{"player": "weighted", "ties": "x"}]}, "players[0]: ties='x'"),
        (
            {"players": [{"player": "weighted", "tie": "x"}]},
            "unknown key 'tie' in players[0]: did you mean 'ties'?",
        ),
        ({"players": [{"ties": "random"}]}, "players[0] must have the key 'player'"),
        ({"first_click": "middle"}, "first_click='middle' must be one of corner"),
        ({"start": "lucky"}, "start='lucky' must be one of safe"),
        ({"first_click": "cell:9"}, "first_click=cell:9 must be in cell:0..cell:8"),
        ({"first_click": "cell:1", "boards": ["4x3"]}, "must have p <= q with first_click=cell:1"),
        ({"start": "first_zero", "boards": ["4x3"]}, "4x3 must have p <= q with start=first_zero"),
        (
            {"start": "first_zero", "first_click": "centre"},
            "first_click=centre must be corner (the default) with start=first_zero",
        ),
    ],
)
def test_bad_input_gives_one_line_that_names_the_field(changes: dict, part: str) -> None:
    with pytest.raises(InputError) as caught:
        config(**changes)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_configuration_has_a_name() -> None:
    with pytest.raises(InputError, match="config must have the key 'name'"):
        load_config({"games": 5})


@pytest.mark.parametrize(
    ("text", "part"),
    [("[1, 2", "must be YAML"), ("- a\n- b\n", "must hold keys"), ("", "must hold keys")],
)
def test_a_file_that_is_not_a_configuration_is_refused(
    tmp_path: Path, text: str, part: str
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=part) as caught:
        load_config(path)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="No such file"):
        load_config(tmp_path / "missing.yaml")


def test_only_configured_boards_and_players_have_tasks() -> None:
    with pytest.raises(InputError, match="board=4x4 must be one of 3x3"):
        config().tasks("4x4", "weighted")
    with pytest.raises(InputError, match="player=weighted-ties_random must be one of weighted"):
        config().tasks("3x3", "weighted-ties_random")


def test_a_mapping_passed_in_is_left_as_it_was() -> None:
    given = {"name": "test"}
    load_config(given)
    assert given == {"name": "test"}


def test_large_boards_are_split_into_jobs_of_about_an_hour() -> None:
    small = config(boards=["9x9"], games=10**6)
    assert small.first_games("9x9", "weighted") == range(0, 10**6, 2_000_000)
    large = config(boards=["100x100"], games=1000, players=[{"player": "weighted"}])
    jobs = large.first_games("100x100", "weighted")
    assert jobs == range(0, 1000, 100)
    # More games: more jobs, the same ones.
    more = config(boards=["100x100"], games=2000, players=[{"player": "weighted"}])
    assert list(more.first_games("100x100", "weighted"))[: len(jobs)] == list(jobs)
    slow = config(boards=["100x100"], games=1000, players=[{"player": "listing"}])
    assert slow.first_games("100x100", "listing").step < jobs.step
    assert config(boards=["9x9"], games=10, games_per_job=4).first_games(
        "9x9", "weighted"
    ) == range(0, 10, 4)


def test_the_backend_is_threading_or_left_out() -> None:
    with pytest.warns(FutureWarning, match="the key backend has no effect") as warned:
        assert config(backend="threading") == config()
    assert len(warned) == 1
    for gone in ("loky", "dask", 5):
        with pytest.raises(
            InputError, match=rf"backend='?{gone}'? must be .* executor of Snakemake"
        ):
            config(backend=gone)


def test_studies_are_left_out_by_default_and_checked() -> None:
    assert config().first_click_study is None
    assert config().inference_study is None
    given = config(
        first_click_study={"games": 5, "mines": {"5x4": [7, 3], "3x3": [1], "4x5": [3, 2]}},
        inference_study={"games": 6, "mines": {"16x30": [99]}},
    )
    assert given.first_click_study is not None and given.inference_study is not None
    assert given.first_click_study.games == 5
    assert given.first_click_study.mines == ((Board((3, 3)), (1,)), (Board((4, 5)), (2, 3, 7)))
    assert given.inference_study.mines == ((Board((16, 30)), (99,)),)


@pytest.mark.parametrize(
    ("study", "part"),
    [
        (
            {"games": 0, "mines": {"3x3": [1]}},
            "first_click_study.games=0 must be a whole number in 1..",
        ),
        ({"games": 1}, "first_click_study must have the key 'mines'"),
        ({"games": 1, "mines": {}}, "first_click_study.mines={} must be boards, each with a list"),
        ({"games": 1, "mines": {"3x3": []}}, "first_click_study.mines.3x3=[] must not be empty"),
        ({"games": 1, "mines": {"3x3": [9]}}, "mines=9 must be in 1..8 for a 3x3 board"),
        ({"games": 1, "mines": {"2x9": [1]}}, "must be a board of at least 3x3 cells"),
        ({"games": 1, "mines": {"4x4-torus8": [1]}}, "topology square8"),
        ({"games": 1, "mines": {"x": [1]}}, "first_click_study.mines: board='x'"),
        ({"gmaes": 1, "mines": {"3x3": [1]}}, "unknown key 'gmaes' in first_click_study"),
    ],
)
def test_a_study_that_cannot_be_played_is_refused_in_one_line(study: Any, part: str) -> None:
    with pytest.raises(InputError) as caught:
        config(first_click_study=study)
    assert part in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["published", "players", "Reproduction", "asymptotics", "readme"])
def test_a_name_whose_folder_holds_other_results_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"name='{name}' must be none of asymptotics, "):
        config(name=name)


def test_the_settings_of_a_study_are_the_usual_file_unless_another_is_named() -> None:
    assert dict(config().studies) == STUDY_FILES
    assert all((ROOT / path).is_file() for path in STUDY_FILES.values())
    mine = dict(config(studies={"players": "mine.yaml"}).studies)
    assert mine == STUDY_FILES | {"players": "mine.yaml"}
    smoke = load_config(ROOT / "workflow/config/smoke.yaml").studies
    assert dict(smoke) == {name: f"workflow/config/smoke_{name}.yaml" for name in STUDY_FILES}


@pytest.mark.parametrize(
    ("studies", "message"),
    [
        ({"player": "x"}, "unknown key 'player' in studies: did you mean 'players'?"),
        ({"players": 5}, "studies.players=5 must be text"),
        (["players"], r"studies=\['players'\] must be keys and values"),
    ],
)
def test_studies_must_be_paths(studies: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        config(studies=studies)


def test_the_key_study_says_whose_settings_a_file_holds() -> None:
    assert config().study == study_of({}) == "paper"
    assert config(study="paper") == config()
    assert study_of({"study": "players"}) == "players"
    with pytest.raises(InputError, match=r"^study='plyers' must be one of paper, reproduction, "):
        study_of({"study": "plyers"})
    # Not that the first of its keys is unknown.
    with pytest.raises(InputError, match=r"^study='players' must be paper$"):
        config(study="players", curve_games=5)


NAMES = {name: name for name in STUDY_FILES}


@pytest.mark.parametrize(
    ("study", "name"),
    [
        *(("players", name) for name in ("test", "Test", "reproduction", "published")),
        ("asymptotics", "README"),
    ],
)
def test_two_studies_cannot_share_a_folder(study: str, name: str) -> None:
    given = config(studies={study: "mine.yaml"})
    check_folders(given, NAMES)
    check_folders(given, NAMES | {study: "mine"})
    with pytest.raises(InputError, match=rf"studies.{study}: name='{name}' in mine.yaml must be"):
        check_folders(given, NAMES | {study: name})
    with pytest.raises(InputError, match="whose folders hold other results"):
        check_folders(given, {"players": "mine", "reproduction": "mine"})


def test_on_and_off_need_no_quotes(tmp_path: Path) -> None:
    """YAML reads them as true and false."""
    file = tmp_path / "a.yaml"
    text = "name: a\nboards: [3x3]\nplayers: [{player: listing, depth_limit: %s}]\n"
    found = []
    for value in ("off", "'off'", "on", "'on'"):
        file.write_text(text % value)
        found.append(load_config(file).players)
    assert found[0] == found[1] != found[2] == found[3]
    file.write_text(text % "5")
    with pytest.raises(
        InputError, match=r"players\[0\]: depth_limit='5' of player listing must be one of on, off"
    ):
        load_config(file)
