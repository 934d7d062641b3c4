"""The command line: any words give a result, or an exit status that is not 0 and why."""

import io
from contextlib import redirect_stderr, redirect_stdout

import pytest
from fuzz.mutations import NUMBERS, WORDS
from fuzz.outcomes import answer, fuzzed
from hypothesis import strategies as st

from msdensity.cli import main
from msdensity.kernel.measures import MEASURES

ODD = st.sampled_from([*NUMBERS, *WORDS, "-1", "--", "-", "@x"]) | st.text(max_size=6)
NUMBER = st.integers(-2, 12).map(str) | st.sampled_from([str(10**k) for k in (3, 9, 12, 18, 30)])
VALUES = {
    "--board": st.sampled_from(["4x5", "3x3-torus8", "30000x30000", "2x2x2-box", "none.json"]),
    "--mines": NUMBER,
    "--games": NUMBER,
    "--first-game": NUMBER,
    "--show": st.integers(0, 9).map(str),
    "--player": st.sampled_from(["weighted", "double_set", "listing"]),
    "--option": st.sampled_from(["ties=random", "ties=x", "=", "ties"]),
    "--topology": st.sampled_from(["torus8", "box", "x"]),
    "--first-click": st.sampled_from(["centre", "1,2", "9,9", "cell:3", "1,", ","]),
    "--start": st.sampled_from(["zero", "safe"]),
    "--seed": NUMBER,
    "--threads": NUMBER,
    "--error": st.sampled_from(["0.1", "1e-300", "nan", "0", "inf", "-1"]),
    "--pilot-games": NUMBER,
    "--rows": NUMBER,
    "--data": st.just("/nowhere"),
    "--records": st.just("/nowhere"),
    "--shape": st.sampled_from(["1x2", "x", "1x1x2"]),
}
SWITCHES = ("--json", "--plan-only", "--ignore-flags", "--config", "--help")
COMMANDS = ("play", "rho50", "analyse", "plan", "provenance", "verify", "players", "bench")


@st.composite
def command_line(draw: st.DrawFn) -> list[str]:
    words = [draw(st.sampled_from(COMMANDS) | ODD)]
    if words[0] in ("play", "rho50"):
        words += ["--board", "4x5"]
    if words[0] == "play":
        words += ["--mines", "3", "--games", "2"]
    for _ in range(draw(st.integers(0, 3))):
        if draw(st.integers(0, 4)) == 0:
            words.append(draw(st.sampled_from(SWITCHES) | ODD))
        else:
            key = draw(st.sampled_from(sorted(VALUES)))
            words += [key, draw(VALUES[key] | VALUES[key] | ODD)]
    return words


def run(words: list[str]) -> int:
    try:
        return main(words)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1


@fuzzed(words=command_line() | st.lists(ODD, max_size=4))
def test_any_words(tmp_path_factory, words: list[str]) -> None:
    """With games that cost nothing: what is read is tested here, not what is played."""

    def played(task, first, games, workspace=None):
        # Of a game that is to be shown there are no moves, so it is not won.
        won = workspace is None and 4 * task.mines < 20
        return dict.fromkeys(MEASURES, 0) | {"wins": games if won else 0}

    def count(task, first, games, threads):
        counts = {"games": games, **played(task, first, games)}
        return counts | {"cpu_seconds": 0.1, "halves": (counts, {})}, False

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.getbasetemp())  # `verify` reads the ledgers of this folder
        patch.setattr("msdensity.games.play.play_batch", played)
        patch.setattr("msdensity.cli.play.count_games", count)
        patch.setattr("msdensity.cli.bench.table", lambda *a, **k: [])
        times = {"wall_seconds": 0.0, "cpu_seconds": 0.0}
        patch.setattr("msdensity.cli.bench.warm_start", lambda: times)
        patch.setattr("msdensity.cli.bench.profile", lambda *a, **k: 0.0)
        patch.setattr("sys.stdin", io.StringIO(".1\n..\n"))
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = answer("main", run, words)
    # 1: there is no answer, such as a fit of games that cannot be fitted; 2: the words are wrong.
    assert status in (0, 1, 2)
    if status:
        assert err.getvalue() if status == 2 else out.getvalue()
