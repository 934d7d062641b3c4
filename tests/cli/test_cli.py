"""The command `msdensity`: what it prints, and one line for what it cannot do."""

import json
import math
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

import msdensity
from msdensity import Board, Rules, Task, analyse, play_game, wilson
from msdensity.cli import bench, main
from msdensity.cli.play import count_games
from msdensity.games.play import boards_without_zero, play_batch
from msdensity.kernel.compiler.jit import CACHE_FOLDER
from msdensity.kernel.measures import MEASURES
from msdensity.players.registry import PLAYERS

SETUP = ["play", "--board", "6x8", "--mines", "9", "--seed", "3"]
PLAY = [*SETUP, "--games", "700"]


def printed(capsys, *argv: str, status: int = 0) -> dict:
    assert main([*argv, "--json"]) == status
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    return json.loads(out)


def test_play_prints_the_measures_of_the_games(capsys) -> None:
    facts = printed(capsys, *PLAY)
    task = Task(Board((6, 8)), 9, seed=3)
    measures = play_batch(task, 0, 700)
    assert {name: facts[name] for name in MEASURES} == measures
    assert facts["games"] == 700
    assert facts["board"] == "6x8"
    assert facts["options"] == {"ties": "ordered"}
    assert facts["task_id"] == task.task_id
    assert facts["win_rate"] == measures["wins"] / 700
    low, high = wilson(measures["wins"], 700)
    assert (facts["win_rate_low"], facts["win_rate_high"]) == (low, high)
    assert (
        facts["reduced_win_rate_low"] < facts["reduced_win_rate"] < facts["reduced_win_rate_high"]
    )
    assert abs(facts["reduced_win_rate"] - facts["win_rate"]) < 0.05
    assert abs(facts["safety_z"]) < 4
    assert facts["cpu_seconds"] > 0
    assert facts["cpu_microseconds_per_game"] == pytest.approx(facts["cpu_seconds"] / 700e-6)


def test_threads_and_ranges_change_no_count(capsys) -> None:
    whole = printed(capsys, *PLAY, "--threads", "2")
    assert {n: whole[n] for n in MEASURES} == {n: printed(capsys, *PLAY)[n] for n in MEASURES}
    rest = printed(capsys, *SETUP, "--games", "300", "--first-game", "400")
    first = printed(capsys, *SETUP, "--games", "400")
    assert (rest["first_game"], rest["games"]) == (400, 300)
    for name in MEASURES:
        assert first[name] + rest[name] == whole[name]


@pytest.mark.parametrize(
    "given,rules,options,board",
    [
        (["--option", "ties=random"], Rules(), {"ties": "random"}, "6x8"),
        (["--start", "zero"], Rules(start="zero"), {}, "6x8"),
        (["--start", "first_zero"], Rules(start="first_zero"), {}, "6x8"),
        (["--first-click", "centre"], Rules("centre"), {}, "6x8"),
        (["--first-click", "2,5"], Rules("cell:21"), {}, "6x8"),
        (["--first-click", "(2, 5)"], Rules("cell:21"), {}, "6x8"),
        (["--topology", "torus8"], Rules(), {}, "6x8-torus8"),
    ],
)
def test_every_option_reaches_the_kernel(capsys, given, rules, options, board) -> None:
    facts = printed(capsys, *PLAY, *given)
    task = Task(Board.parse(board), 9, "weighted", options, rules, 3)
    assert facts["task_id"] == task.task_id
    assert {name: facts[name] for name in MEASURES} == play_batch(task, 0, 700)
    assert facts["opened"] != printed(capsys, *PLAY)["opened"]


@pytest.mark.parametrize("place", [1, 3, 5])
def test_the_board_is_a_word_or_an_option(capsys, place) -> None:
    words = ["play", "--mines", "9", "--seed", "3", "--games", "9"]
    task_id = printed(capsys, *words, "--board", "6x8")["task_id"]
    assert printed(capsys, *words[:place], "6x8", *words[place:])["task_id"] == task_id
    assert printed(capsys, "density", "--board", "8x8") == printed(capsys, "density", "8x8")
    assert printed(capsys, "rho50", "6x6", "--plan-only")["games_each"]


def test_rows_come_before_columns(capsys) -> None:
    """The last cell of the first row of 3 x 5 has column 4; 5 x 3 has no such column."""
    arguments = ["play", "--mines", "2", "--games", "5", "--first-click", "0,4", "--board"]
    assert printed(capsys, *arguments, "3x5")["first_click"] == "cell:4"
    assert main([*arguments, "5x3"]) == 2


def test_play_in_words(capsys) -> None:
    assert main(PLAY) == 0
    out = capsys.readouterr().out
    wins = play_batch(Task(Board((6, 8)), 9, seed=3), 0, 700)["wins"]
    assert "6x8, 9 mines; player weighted, ties=ordered" in out
    assert f"{wins}" in out and f"{100 * wins / 700:.2f} %" in out


def test_hinted_games_come_with_the_boards_that_have_no_zero(capsys) -> None:
    hinted = ["play", "5x5", "--mines", "7", "--start", "first_zero", "--first-game", "40"]
    task = Task(Board((5, 5)), 7, rules=Rules(start="first_zero"))
    expected = boards_without_zero(task, 40, 1000)
    facts = printed(capsys, *hinted)
    assert facts["no_zero"] == expected > 0
    assert "reduced_win_rate" not in facts
    assert main(hinted) == 0
    out = capsys.readouterr().out
    assert f"boards without a 0 {expected} games" in " ".join(out.split())
    assert "safeties" not in out and "no_zero" not in printed(capsys, *hinted[:4])


def test_a_variance_that_is_rounding_noise_is_called_so(capsys) -> None:
    """Who wins on 1 x 2 is known from the guesses: the ratio was 1e16."""
    arguments = ["play", "1x2", "--mines", "1", "--start", "unprotected"]
    assert main(arguments) == 0
    assert "variance / more than 1,000)" in capsys.readouterr().out
    assert printed(capsys, *arguments)["gain"] == 1000
    assert printed(capsys, "play", "3x3", "--mines", "2")["gain"] == pytest.approx(5, abs=1)


def test_one_game_is_shown_move_by_move(capsys) -> None:
    facts = printed(capsys, *SETUP, "--show", "5")
    record = play_game(Task(Board((6, 8)), 9, seed=3), 5)
    assert facts["status"] == record.status
    assert facts["layout"] == record.layout
    assert [move["reason"] for move in facts["moves"]] == [m.reason for m in record.moves]
    guess = next(move for move in facts["moves"] if move["guess"])
    row, column = guess["cell"]
    assert guess["safeties"][row][column] == pytest.approx(guess["safety"])
    assert main([*SETUP, "--show", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("open") and lines[1].endswith("first click")
    assert lines[-6:] == record.game().view()
    assert len(lines) == 1 + len(record.moves) + 6


def test_ctrl_c_keeps_the_games_before_a_gap(monkeypatch) -> None:
    task = Task(Board((6, 8)), 9, seed=3)
    real = play_batch

    def stopping(task, first, games):
        if first >= 20:
            raise KeyboardInterrupt
        return real(task, first, games)

    monkeypatch.setattr("msdensity.games.play.play_batch", stopping)
    counts, stopped = count_games(task, 0, 10_000, 2)
    assert stopped
    assert 1 <= counts["games"] < 10_000
    assert counts["wins"] == real(task, 0, counts["games"])["wins"]


def test_ctrl_c_ends_a_command_within_a_second_and_prints_what_was_played() -> None:
    """As a terminal does: the signal goes to the process in the middle of its games."""
    games = 10**9
    # A shell may have started the tests with SIGINT ignored, which processes inherit.
    start = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    # Compiled first, which takes as long as it takes.
    start += "from msdensity.cli import main; main(['play', '--board', '16x30', '--mines', '99', "
    start += "'--games', '1']); print('ready', flush=True); raise SystemExit(main())"
    command = [sys.executable, "-c", start, "play", "--board", "16x30", "--mines", "99"]
    command += ["--games", str(games), "--seed", "1", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        while process.stdout.readline() != "ready\n":
            assert process.poll() is None
        time.sleep(0.3)  # playing
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        spent = time.monotonic() - begin
    finally:
        process.kill()
    assert process.returncode == 130, err
    # A second is promised on a machine that is free; here others may be using it.
    assert spent < 5
    facts = json.loads(out)
    assert 0 < facts["games"] < games and facts["wins"] > 0


def test_ctrl_c_while_a_command_loads_ends_it_with_one_line(monkeypatch, capsys) -> None:
    def stopping(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("msdensity.cli.import_module", stopping)
    assert main(["play"]) == 130
    assert capsys.readouterr().err == "msdensity: stopped\n"


GRID = ["1.F", "...", "..2"]


def test_analyse_reads_a_file_and_standard_input(capsys, tmp_path, monkeypatch) -> None:
    path = tmp_path / "position.txt"
    path.write_text("\n".join(GRID) + "\n")
    result = analyse(GRID, 3)
    for argument in (str(path), "-"):
        with path.open() as lines:
            monkeypatch.setattr("sys.stdin", lines)
            facts = printed(capsys, "analyse", argument, "--mines", "3")
        assert facts["consistent"] and facts["exact"]
        assert int(facts["configurations"]) == result.configurations
        assert tuple(facts["mines_range"]) == result.mines_range
        assert [tuple(cell) for cell in facts["safe"]] == result.safe
        np.testing.assert_array_equal(np.array(facts["safety"], float), result.safety)
    assert main(["analyse", str(path), "--mines", "3"]) == 0
    assert f"configurations: {result.configurations}" in capsys.readouterr().out


def test_analyse_reads_cells_with_spaces_and_says_what_is_missing(capsys, tmp_path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("1 . F\n\t. .  .\n. . 2\n")
    facts = printed(capsys, "analyse", str(path), "--mines", "3")
    assert facts["configurations"] == str(analyse(GRID, 3).configurations)
    assert main(["analyse", str(path)]) == 0
    assert capsys.readouterr().out.endswith(": give mines (--mines)\n")
    path.write_text("1?\n")
    assert main(["analyse", str(path)]) == 2
    assert "use . for an unknown cell and F for a flag" in capsys.readouterr().err


def test_analyse_takes_every_option(capsys, tmp_path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("\n".join(GRID))
    name = str(path)
    for given, result in (
        (["--mines", "3", "--ignore-flags"], analyse(GRID, 3, trust_flags=False)),
        (["--mines", "3", "--topology", "square4"], analyse(GRID, 3, "square4")),
        ([], analyse(GRID, None)),
    ):
        facts = printed(capsys, "analyse", name, *given, status=int(not result.consistent))
        assert facts["configurations"] == (
            None if result.configurations is None else str(result.configurations)
        )
        assert [tuple(cell) for cell in facts["mined"]] == result.mined
    shaped = ["analyse", name, "--topology", "cubic6", "--shape", "3x1x3", "--mines", "3"]
    facts = printed(capsys, *shaped, status=1)
    assert facts["reason"] == analyse(GRID, 3, "cubic6", shape=(3, 1, 3)).reason


def test_analyse_says_why_a_position_is_impossible(capsys, tmp_path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("3.\n")
    assert main(["analyse", str(path), "--mines", "1"]) == 1
    assert "impossible: the 3 at (0, 0) cannot be met" in capsys.readouterr().out


def test_analyse_prints_numbers_of_any_length(capsys, tmp_path) -> None:
    path = tmp_path / "large.txt"
    path.write_text(("." * 200 + "\n") * 200)
    facts = printed(capsys, "analyse", str(path), "--mines", "9000")
    assert len(facts["configurations"]) > 4300  # where Python refuses unless asked
    most = sys.get_int_max_str_digits()
    assert most > 0  # as it was
    sys.set_int_max_str_digits(0)
    assert facts["configurations"] == str(math.comb(40000, 9000))
    sys.set_int_max_str_digits(most)
    assert main(["analyse", str(path), "--mines", "9000"]) == 0
    digits = len(facts["configurations"])
    assert f"e{digits - 1}" in capsys.readouterr().out


def test_players_lists_the_registry(capsys) -> None:
    facts = printed(capsys, "players")
    assert set(facts) == set(PLAYERS)
    assert facts["weighted"]["options"]["ties"]["choices"] == ["ordered", "random"]
    assert main(["players"]) == 0
    out = capsys.readouterr().out
    for player in PLAYERS.values():
        assert player.source in out
        assert all(f"{option}=" in out for option in player.options)


def test_warmup_compiles_every_player(capsys, monkeypatch) -> None:
    compiled: set[str] = set()
    monkeypatch.setattr("msdensity.kernel.compiler.jit._compiled", compiled)
    facts = printed(capsys, "warmup")
    assert facts["cache"] == (CACHE_FOLDER or None)
    assert {f"player {name}" for name in PLAYERS} < set(facts["seconds_by_entry"])
    for entry in ("play_games", "play_games_in_planes"):  # for boards of both kinds
        assert f"msdensity.players.weighted.{entry}" in compiled
    assert facts["seconds"] >= max(facts["seconds_by_entry"].values())
    assert main(["warmup"]) == 0
    assert str(CACHE_FOLDER) in capsys.readouterr().out


def test_bench_times_the_games_of_its_boards(capsys, monkeypatch) -> None:
    monkeypatch.setattr(bench, "BOARDS", (("3x3", 2), ("4x4", 3)))
    monkeypatch.setattr(bench, "ROUND_SECONDS", 0.001)
    assert main(["bench", "--json"]) == 0
    costs = json.loads(capsys.readouterr().out)["table"]
    assert [(cost["board"], cost["mines"]) for cost in costs] == [("3x3", 2), ("4x4", 3)]
    assert all(cost["cpu_us"] > 0 and 0 <= cost["win_rate"] <= 1 for cost in costs)
    assert main(["bench"]) == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("4x4/3 ")


def test_bench_times_a_first_game(monkeypatch, capsys) -> None:
    monkeypatch.setattr(bench, "ROUNDS", 1)
    assert min(bench.warm_start().values()) > 0
    times = {"wall_seconds": 1.23456, "cpu_seconds": 2.34567}
    monkeypatch.setattr(bench, "warm_start", lambda: times)
    assert main(["bench", "--start"]) == 0
    assert capsys.readouterr().out.endswith(" first game: 1.23 s, 2.35 s of CPU\n")
    assert main(["bench", "--start", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"warm_start": times}


@pytest.mark.campaign
def test_bench_gives_every_layer_its_share() -> None:
    found = bench.profile("4x4", 3)
    assert sum(found["shares"].values()) == pytest.approx(1)
    assert found["counts"]["visits"] >= 1
    assert found["counts"]["sweeps"] >= found["counts"]["visits"]


@pytest.mark.parametrize("command", ["play", "analyse", "warmup", "players"])
def test_help_explains_every_option(capsys, command) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert "--json" in capsys.readouterr().out


def test_help_loads_no_numba_and_the_module_runs() -> None:
    code = "import sys; sys.argv = ['msdensity', 'players']; import runpy\n"
    code += "try: runpy.run_module('msdensity', run_name='__main__')\n"
    code += "except SystemExit as stop: assert not stop.code\n"
    code += "print(sorted({'numba', 'numpy', 'pandas', 'joblib'} & sys.modules.keys()))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.splitlines()[-1] == "[]"
    assert run.stdout.startswith("weighted: ")


def test_numbers_that_are_not_finite_are_null_in_json(capsys) -> None:
    def strange(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    argv = ["play", "--board", "2x2", "--mines", "1", "--games", "2", "--seed", "0", "--json"]
    assert main(argv) == 0
    facts = json.loads(capsys.readouterr().out, parse_constant=strange)
    assert facts["safety_z"] is None and not facts["safety_tested"]
    assert main(["rho50", "--board", "1x3", "--error", "0.1", "--json"]) == 1
    facts = json.loads(capsys.readouterr().out, parse_constant=strange)
    assert facts["wanted_error"] == 0.1


def test_few_games_raise_no_alarm_and_no_interval_without_width(capsys) -> None:
    """100 of 100 games won, where the safeties promise a loss or two: z would be above 5."""
    argv = ["play", "--board", "8x8", "--mines", "3", "--games", "100", "--seed", "113"]
    facts = printed(capsys, *argv)
    assert facts["wins"] == 100 and facts["safety_z"] > 4
    assert not facts["safety_tested"] and "fewer than 30 wins or losses" in facts["reduced_note"]
    assert main(argv) == 0
    text = capsys.readouterr().out
    assert "WRONG" not in text and "no test: fewer than 300 losses by guess expected" in text
    assert "plain rate: fewer than 30 wins or losses" in text


def test_a_topology_for_a_custom_board_is_refused(tmp_path, capsys) -> None:
    file = tmp_path / "ring.json"
    file.write_text(json.dumps([[(c - 1) % 10, (c + 1) % 10] for c in range(10)]))
    argv = ["play", "--board", str(file), "--mines", "2", "--games", "10"]
    assert main(argv) == 0
    assert main([*argv, "--topology", "torus"]) == 2
    assert "topology='torus' must be left out for board 10-table-" in capsys.readouterr().err


def test_a_coarse_error_of_rho50_is_reached_or_gives_a_warning(capsys) -> None:
    for error in ("0.05", "0.01"):
        facts = printed(capsys, "rho50", "--board", "10x10", "--error", error)
        assert min(facts["games_each"]) >= 100
        assert facts["error"] < 1.25 * float(error)
    assert main(["rho50", "--board", "10x10", "--error", "0.1", "--pilot-games", "0"]) == 2
    assert "pilot_games=0 must be a whole number in 100.." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("written", "board", "mines", "games"),
    [
        (["--board", "expert", "--games", "1e2"], "16x30", 99, 100),
        (["--board", "Expert", "--games", "2"], "16x30", 99, 2),
        (["3x3x3", "--topology", "cubic26", "--mines", "3", "--games", "2"], "3x3x3-cubic26", 3, 2),
        (["--board", "beginner", "--mines", "1_1", "--games", "20"], "9x9", 11, 20),
        (["--board", "4 X 5", "--mines", "3", "--games", "1,000"], "4x5", 3, 1000),
        (["--board", "4\u00d75-torus8", "--mines", "3", "--games", "10.0"], "4x5-torus8", 3, 10),
    ],
)
def test_boards_and_numbers_are_taken_as_people_write_them(capsys, written, board, mines, games):
    facts = printed(capsys, "play", *written)
    assert (facts["board"], facts["mines"], facts["games"]) == (board, mines, games)


def test_the_version_is_printed(capsys) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert not stop.value.code
    assert capsys.readouterr().out == f"msdensity {msdensity.__version__}\n"


def test_certain_cells_beyond_the_exact_budget_are_shown(capsys, monkeypatch, tmp_path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("\n".join(GRID))
    found = replace(analyse(GRID, 3), exact=False)
    monkeypatch.setattr("msdensity.games.analysis.analyse", lambda *_, **__: found)
    assert main(["analyse", str(path), "--mines", "3"]) == 0
    text = capsys.readouterr().out
    assert "there may be more certain cells" in text
    assert all(f"{row},{column}" in text for row, column in [*found.safe, *found.mined])


def test_the_plan_as_json(capsys, tmp_path) -> None:
    path = tmp_path / "my.yaml"
    path.write_text("{name: mine, boards: [2x3], games: 10}")
    facts = printed(capsys, "plan", str(path), "--data", str(tmp_path))
    assert facts["boards"][0]["games"] == 50 and facts["cpu_seconds"] > 0
    assert {*facts["parts"]} == {"sweep", "pilots"}


@pytest.mark.parametrize("command", ["plan", "verify"])
def test_the_help_says_that_a_file_can_run_code(command, capsys) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert "Runs the code of own players" in " ".join(capsys.readouterr().out.split())
