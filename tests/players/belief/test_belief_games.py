"""Games of lbp and lbp_mc: sound moves, counts of another program, the same bytes everywhere."""

import csv

import pytest
from scipy import stats
from targets import TARGETS, printed, usable

from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from places import DATA
from sizes import sizes

START = Rules("corner", "zero")


def play(player: str, options: dict[str, str], board: str, mines: int, games: int):
    return play_batch(Task(Board.parse(board), mines, player, options, START, seed=1), 0, games)


@pytest.mark.parametrize("games", sizes(200, 20_000))
@pytest.mark.parametrize("player", ["lbp", "lbp_mc"])
@pytest.mark.parametrize(
    "board,mines", [("8x8", 10), ("16x30", 99), ("8x8-torus8", 12), ("5x5x5-cubic26", 12)]
)
def test_no_mine_is_opened_as_certain(player, board, mines, games) -> None:
    """The kernel raises if one is; tests/kernel has the control. In three dimensions cliques are
    so large that some are left out."""
    for options in ({}, {"potential": "hard", "iterations": "50"}, {"semiring": "boolean"}):
        sums = play(player, options, board, mines, games // 10 if "x5" in board else games)
        assert sums["wins"] > 0 and sums["certain_pair"] + sums["certain_component"] > 0
        assert "x5" in board or sums["approximate"] == 0


def rows() -> list[dict[str, str]]:
    """Return the counts of the other program: seed 1, the corner shows 0."""
    with open(DATA / "belief" / "games.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def options_of(row: dict[str, str]) -> dict[str, str]:
    return dict(word.split("=") for word in row["options"].split())


def games_of(player: str, options: str, board: str = "") -> list[dict[str, str]]:
    here = (player, options)
    return [
        row
        for row in rows()
        if (row["player"], row["options"]) == here and board in ("", row["board"])
    ]


def chi_square(wins: int, expected: int, games: int) -> float:
    """Return the statistic, of one degree of freedom, of two win counts over as many games."""
    table = [[wins, games - wins], [expected, games - expected]]
    return float(stats.chi2_contingency(table, correction=False).statistic)


VARIANTS = sorted({(row["player"], row["options"]) for row in rows()})
DEFAULTS = [("lbp", ""), ("lbp_mc", "")]


def compare(
    player: str, stored: str, played: dict[str, str], board: str = ""
) -> tuple[float, int, int]:
    """Return (chi-square, boards, differences of the games won without a guess)."""
    total, boards, differ = 0.0, 0, 0
    for row in games_of(player, stored, board):
        games = int(row["games"])
        sums = play(player, played, row["board"], int(row["mines"]), games)
        total += chi_square(sums["wins"], int(row["wins"]), games)
        differ += abs(sums["no_guess_wins"] - int(row["won_without_guess"]))
        boards += 1
    return total, boards, differ


@pytest.mark.statistical
@pytest.mark.parametrize(
    "player,stored",
    [v if v in DEFAULTS else pytest.param(*v, marks=pytest.mark.campaign) for v in VARIANTS],
)
def test_games_end_as_in_another_program(player, stored) -> None:
    """Wins without a guess agree to the game: no tie and no random number is in them.

    With the boolean semiring the other program stopped when beliefs stood still, although more
    cells were still to become certain.
    """
    options = options_of({"options": stored})
    total, boards, differ = compare(player, stored, options)
    assert boards == 3
    assert stats.chi2.sf(total, boards) > 1e-4  # of false alarms in each variant
    if "boolean" not in stored:
        assert differ == 0


@pytest.mark.statistical
@pytest.mark.parametrize(
    "player,stored,played,board",
    [
        ("lbp", "", {"iterations": "0"}, "8x8"),
        ("lbp", "iterations=0", {}, "8x8"),
        ("lbp_mc", "", {"prior": "density"}, "8x8"),
        ("lbp_mc", "semiring=boolean", {}, "13x15"),
    ],
)
def test_the_games_of_another_variant_are_rejected(player, stored, played, board) -> None:
    total, boards, _ = compare(player, stored, played, board)
    assert boards == 1
    assert stats.chi2.sf(total, boards) < 1e-6


SCRIPT = """
from hashlib import sha256
from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.state import make_workspace
from msdensity.kernel.topology import cached_table

for player, options in (
    ("lbp", {"iterations": "10"}),
    ("lbp_mc", {"prior": "density", "clique_size": "20", "guesses": "anywhere"}),
):
    for name, mines in (("16x30", 99), ("12x12-torus8", 25)):
        board = Board.parse(name)
        workspace = make_workspace(cached_table(board.shape, board.topology), recording=True)
        task = Task(board, mines, player, options, Rules("random", "zero"), seed=7)
        written = sha256()
        moves = 0
        for number in range(200):
            sums = play_batch(task, number, 1, workspace)
            trace = workspace.trace[: workspace.game[0]["trace"]]
            moves += len(trace)
            written.update(trace.tobytes() + repr(sums).encode())
        print(moves, written.hexdigest())
"""


@pytest.mark.campaign
def test_games_are_the_same_bytes_for_every_target() -> None:
    """The safety of each guess is a sum of products: it is equal to the last bit."""
    here = printed(SCRIPT, None)
    assert len(set(here)) == 8 and min(map(int, here[::2])) > 10_000
    for target in TARGETS:
        assert printed(SCRIPT, usable(target)) == here
