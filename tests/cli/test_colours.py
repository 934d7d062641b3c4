"""`msdensity play --show` in a terminal: the board in colours after every move."""

import re
import sys

from msdensity.cli import main
from msdensity.cli.colours import board_lines, game_lines
from msdensity.games.game import play_game
from msdensity.games.tasks import Task

PLAYED = play_game(Task("6x8", 9, seed=3), 5)


def plain(line: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


def test_the_board_stands_after_every_move_that_changes_it() -> None:
    lines = [plain(line) for line in game_lines(PLAYED, colour=True)]
    moves = [i for i, line in enumerate(lines) if re.match(r" +\d+ (open|flag)", line)]
    assert len(moves) == len(PLAYED.moves)
    boards = 0
    for k, i in enumerate(moves):
        game = PLAYED.game(k + 1)
        if game.view() != PLAYED.game(k).view():
            shown = [row[::2].replace(" ", "0") for row in lines[i + 1 : i + 7]]
            assert shown == game.view()
            boards += 1
        else:
            assert k + 1 == len(moves) or moves[k + 1] == i + 1
    assert len(lines) == 1 + len(moves) + 6 * boards


def test_new_cells_and_flags_have_a_colour_of_their_own() -> None:
    (line,) = board_lines(["1F.0"], {(0, 0)}, colour=True)
    grounds = re.findall(r"48;5;(\d+)m", line)
    assert len(set(grounds)) == 4
    assert board_lines(["1F.0"], set(), colour=False) == ["1 F . 0"]


def test_only_a_terminal_gets_boards_and_colours(capsys, monkeypatch) -> None:
    words = ["play", "6x8", "--mines", "9", "--seed", "3", "--show", "5"]
    assert main(words) == 0
    assert "\x1b[" not in (out := capsys.readouterr().out)
    assert len(out.splitlines()) == 1 + len(PLAYED.moves) + 6
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert main(words) == 0
    assert "\x1b[38;5;" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(words) == 0
    assert "\x1b[" not in (out := capsys.readouterr().out)
    assert len(out.splitlines()) > 1 + len(PLAYED.moves) + 6
