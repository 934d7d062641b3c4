"""A mistake on the command line: one line that says what is allowed."""

import pytest

from msdensity.cli import main

SETUP = ["play", "--board", "6x8", "--mines", "9", "--seed", "3"]
PLAY = [*SETUP, "--games", "700"]


@pytest.mark.parametrize(
    "argv,message",
    [
        ([*PLAY, "--mines", "48"], "mines=48 must be in 1..47 for a 6x8 board"),
        ([*PLAY, "--games", "0"], "games=0 must be a whole number in 1.."),
        ([*PLAY, "--threads", "0"], "threads=0 must be"),
        ([*PLAY, "--first-game", "-1"], "first_game=-1 must be"),
        ([*PLAY, "--seed", "-1"], "seed=-1 must be"),
        ([*PLAY, "--player", "nobody"], "player='nobody' must be one of"),
        ([*PLAY, "--player", "wieghted"], "(did you mean 'weighted'?)"),
        ([*PLAY, "--board", "0x5"], "board='0x5' must have sides in 1.."),
        (PLAY[:3] + PLAY[5:], "mines must be given for board 6x8"),
        ([*PLAY, "--option", "ties"], "option='ties' must be KEY=VALUE"),
        ([*PLAY, "--option", "ties=best"], "ties='best' of player weighted must be one of"),
        ([*PLAY, *["--option", "ties=random"] * 2], "must be given once"),
        ([*PLAY, "--start", "sure"], "start='sure' must be one of"),
        ([*PLAY, "--first-click", "middle"], "first_click='middle' must be one of"),
        ([*PLAY, "--first-click", "6,0"], "coordinate=6 must be a whole number in 0..5"),
        ([*PLAY, "--first-click", "cell:48"], "first_click=cell:48 must be in cell:0..cell:47"),
        ([*PLAY, "--board", "6by8"], "board='6by8' must be rows x columns"),
        ([*PLAY, "--board", "6x8-torus8", "--topology", "square4"], "must be left out"),
        ([*PLAY, "--topology", "round"], "topology='round' must be one of"),
        ([*SETUP, "--show", "-1"], "g=-1 must be"),
        ([*PLAY, "--start", "zero", "--mines", "47"], "mines=47 must be in 0..44"),
        ([*PLAY, "--games", str(10**30)], f"games={10**30} must be a whole number in 1.."),
        ([*PLAY, "--threads", str(10**9)], "threads=1000000000 must be a whole number in 1..1024"),
        ([*PLAY, "--first-click", "1," + "9" * 5000], "must be 2 numbers, from 0 on"),
        ([*PLAY, "--first-click", "cell:" + "9" * 5000], "first_click='cell:999"),
        ([*PLAY, "--board", "9" * 5000 + "x8"], "must have sides in 1..2147483647"),
        (["rho50", "--board", "5x5", "--pilot-games", str(10**30)], f"games={10**30} must be"),
        (["play", "--board", "30000x30000", "--mines", "9"], "30000x30000 needs about 147 GB of"),
        (["rho50", "--board", "5x5", "--threads", str(10**9)], "threads=1000000000 must be"),
        (["rho50", "--board", "5x5", "--error", "nan"], "error=nan must be in (0, 1)"),
        (["play", "--mines", "9"], "board must be given: rows x columns, such as 16x30"),
        ([*PLAY, "--show", "5"], "games=700 must be left out: --show shows one game"),
        ([*SETUP, "--show", "5", "--first-game", "0"], "first_game=0 must be left out"),
        (["verify", "--all", "--rows", "3"], "rows=3 must be left out: --all"),
        (["bench", "--start", "--player", "listing"], "player=listing must be left out"),
        ([*PLAY, "--first-click", "center"], "(did you mean 'centre'?)"),
        ([*PLAY, "--first-click", "0,0,0"], "must be 2 numbers, from 0 on, such as 0,0"),
        ([*PLAY, "--start", "zeor"], "(did you mean 'zero'?)"),
        (["play", "expret"], "one of beginner, intermediate, expert (did you mean 'expert'?)"),
        (["play", "3x3x3", "--mines", "3"], "give another one, such as 3x3x3-cubic26"),
        (["bench", "--player", "singl"], "(did you mean 'single_point'?)"),
        (["verify", "--seed", "-1"], "seed=-1 must be a whole number at least 0"),
        (["analyse", "a\0b"], "must be a readable text file: embedded null byte"),
        (["analyse", "/dev/null", "--shape", "9" * 5000], "must be sides such as 3x4x5"),
        (["analyse", "/nowhere/at/all"], "file='/nowhere/at/all' must be a readable text file"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, argv, message) -> None:
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith(f"msdensity {argv[0]}: ")
    assert message in captured.err


@pytest.mark.parametrize(
    "argv",
    [
        *([], ["dance"], ["players", "x"]),
        *([*PLAY, "--speed", "9"], [*PLAY, "6x8"], ["play", "6x8", "6x8"], ["play", "--speed"]),
    ],
)
def test_unknown_arguments_are_status_2(capsys, argv) -> None:
    with pytest.raises(SystemExit) as stop:
        main(argv)
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("msdensity") and error.endswith(" --help\n") and error.count("\n") == 1


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["paly"], "command 'paly' must be one of play, density, rho50"),
        (["paly"], "(did you mean 'play'?)"),
        ([*PLAY, "--mines", "0.2"], "such as 1000 or 1e4; a density is not allowed"),
        (["analyse", "--mines", "10%"], "a density is not allowed"),
        ([*PLAY, "--games", "many"], "'many' must be a whole number"),
        ([*PLAY, "--games", "1e99"], "must be a whole number of at most 40 digits"),
        ([*PLAY, "--games", "1.5"], "'1.5' must be a whole number"),
        ([*PLAY, "--games", "nan"], "'nan' must be a whole number"),
    ],
)
def test_a_mistake_is_one_line_that_suggests_the_right_word(capsys, argv, message) -> None:
    with pytest.raises(SystemExit) as stop:
        main(argv)
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_a_file_that_is_no_player_is_named_with_its_function(capsys, tmp_path, monkeypatch) -> None:
    (tmp_path / "careful.py").write_text("def choose(view, safeties): ...\n")
    monkeypatch.chdir(tmp_path)
    for name in ("careful", "careful.py"):
        assert main([*PLAY, "--player", name]) == 2
        assert "such as careful:choose for the function choose" in capsys.readouterr().err


def test_help_is_a_word_too(capsys) -> None:
    for words, start in (
        (["help"], "usage: msdensity ["),
        (["help", "play"], "usage: msdensity play "),
    ):
        with pytest.raises(SystemExit) as stop:
            main(words)
        assert not stop.value.code
        assert capsys.readouterr().out.startswith(start)
