"""Resolution (002): its clauses, its printed rule, and what it decides against exact inference.

The counts in tests/data/resolution are those of another program on the same boards (seed 1).
"""

import csv
import os
import platform
import subprocess
import sys

import numpy as np
import pytest
from resolution_positions import certain, positions, read, verdicts
from scipy import stats

from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.topology import board_table
from msdensity.players.resolution.memory import thread_memory
from places import DATA
from sizes import sizes

TEXT = {"width": "any", "neighbourhood": "growing", "subsumption": "off", "pair_rule": "off"}
KINDS: list[dict[str, str]] = [
    {},
    {"width": "2"},
    {"width": "4"},
    {"width": "any"},
    {"neighbourhood": "2"},
    {"subsumption": "off"},
    {"refutation": "on"},
    {"unit_refutation": "on"},
    {"width": "none", "unit_refutation": "on"},
    TEXT,
    TEXT | {"refutation": "on"},
]


def printed_chaining(clauses: set[frozenset[int]]) -> set[frozenset[int]]:
    """Return all that Algorithms 1 and 2 of 002 derive as printed; literals are +cell or -cell."""
    while True:
        new = {
            (a | b) - {literal, -literal}
            for a in clauses
            for b in clauses
            for literal in a
            if -literal in b
        }
        if new <= clauses:
            return clauses
        clauses = clauses | new


def test_the_printed_rule_decides_cells_that_are_not_certain_and_the_player_does_not() -> None:
    one_of_two = {frozenset({1, 2}), frozenset({-1, -2})}
    units = {clause for clause in printed_chaining(one_of_two) if len(clause) == 1}
    assert units == {frozenset({literal}) for literal in (1, 2, -1, -2)}
    position = read((".1.",))
    assert certain(*position).tolist() == [-1, -1, -1]
    for kind in KINDS:
        assert verdicts(*position, kind).tolist() == [-1, -1, -1]


def test_the_clauses_of_a_number_are_those_of_the_example_in_the_text() -> None:
    """A 2 with three covered cells: clauses (1) to (4); resolution adds none to them."""
    board, states, numbers = read(("2.", ".."))
    verdicts(board, states, numbers, TEXT)
    memory = thread_memory(board_table(board.shape, board.topology))
    kept = memory.counters["clauses"][0]
    clauses = set(zip(memory.pos[:kept].tolist(), memory.neg[:kept].tolist(), strict=True))
    assert clauses == {(0b011, 0), (0b101, 0), (0b110, 0), (0, 0b111)}
    assert kept == 4


def test_two_numbers_decide_the_cells_of_figure_5_5_of_000() -> None:
    assert verdicts(*read(("121", "...")), {}).tolist() == [-1, -1, -1, 1, 0, 1]


BOARDS = [
    ("8x8", 10),
    ("6x7-torus8", 8),
    ("8x9-hexagonal", 14),
    ("4x4x4-cubic6", 12),
    ("8x8-knight", 14),
]


@pytest.mark.parametrize("name,mines", BOARDS)
@pytest.mark.parametrize("games", sizes(6, 60))
def test_every_verdict_is_certain_and_wider_clauses_find_more(
    name: str, mines: int, games: int
) -> None:
    found = np.zeros(len(KINDS), int)
    total = 0
    board = Board.parse(name)
    for states, numbers, truth in positions(board, mines, games):
        total += (truth >= 0).sum()
        for i, kind in enumerate(KINDS):
            verdict = verdicts(board, states, numbers, kind)
            assert (verdict[verdict >= 0] == truth[verdict >= 0]).all(), kind
            found[i] += (verdict >= 0).sum()
    narrow, default, wide = found[1], found[0], found[2]
    assert narrow <= default <= wide <= total
    assert 0.97 * total <= wide > 0


def rows_of(name: str) -> list[dict[str, str]]:
    with open(DATA / "resolution" / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def kind_of(row: dict[str, str]) -> dict[str, str]:
    return dict(part.split("=") for part in row["options"].split())


def covered(row: dict[str, str], kind: dict[str, str]) -> tuple[int, int, int]:
    """Return how many positions, certain cells and cells that resolution finds there are."""
    board = Board.parse(row["board"])
    counts = np.zeros(3, int)
    for states, numbers, truth in positions(board, int(row["mines"]), int(row["games"])):
        verdict = verdicts(board, states, numbers, kind)
        counts += 1, (truth >= 0).sum(), ((verdict >= 0) & (verdict == truth)).sum()
    return tuple(counts.tolist())


@pytest.mark.campaign
@pytest.mark.parametrize("row", rows_of("coverage.csv"), ids=lambda row: row["options"])
def test_the_certain_cells_found_are_those_counted_elsewhere(row: dict[str, str]) -> None:
    counts = int(row["positions"]), int(row["certain"]), int(row["found"])
    assert covered(row, kind_of(row)) == counts
    assert covered(row, {"width": "2", "neighbourhood": "2"}) != counts  # the control


def batch(row: dict[str, str], **others: str) -> dict[str, int]:
    board = Board.parse(row["board"])
    plain = row["options"].startswith(("width=2", "neighbourhood=2", "pair_rule"))
    options = {"unit_refutation": "off" if plain else "on"} | kind_of(row) | others
    rules = Rules("corner", "safe")
    task = Task(board, int(row["mines"]), "resolution", options, rules, seed=1)
    return play_batch(task, 0, int(row["games"]))


GAMES = [row for row in rows_of("games.csv") if not row["options"].endswith("guess=random")]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, marks=() if row["board"] == "8x8" else pytest.mark.campaign)
        for row in GAMES
    ],
    ids=lambda row: f"{row['board']}/{row['mines']} {row['options']}",
)
def test_as_many_games_need_no_guess_as_counted_elsewhere(row: dict[str, str]) -> None:
    """They do not depend on the rule for guesses, so that the counts are equal."""
    assert batch(row)["no_guess_wins"] == int(row["no_guess_wins"])


@pytest.mark.statistical
@pytest.mark.campaign
def test_win_rates_are_those_counted_elsewhere() -> None:
    """Both guess on the same boards, at random among equals: chi-square of wins is at most that."""
    rows = [row for row in GAMES if row["options"] == ""]

    def chi_square(**others: str) -> float:
        total = 0.0
        for row in rows:
            n, theirs, ours = int(row["games"]), int(row["wins"]), batch(row, **others)["wins"]
            table = [[theirs, n - theirs], [ours, n - ours]]
            total += stats.chi2_contingency(table, correction=False).statistic
        return total

    limit = stats.chi2.isf(1e-3, len(rows))
    assert chi_square() < limit
    assert chi_square(guess="random") > limit  # 3 to 8 points fewer: the control


@pytest.mark.campaign
@pytest.mark.parametrize("name,mines", [("10x10", 20), *BOARDS])
def test_no_mine_is_opened_as_certain_in_20_000_games(name: str, mines: int) -> None:
    """The kernel raises if one is (tests/kernel has the control)."""
    task = Task(Board.parse(name), mines, "resolution", {}, Rules("random", "safe"), seed=8)
    assert 0 < play_batch(task, 0, 20_000)["wins"] < 20_000


SUMS = """
from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
for options in ({}, {"width": "any"}, {"mine_count": "on"}, {"guess": "random"}):
    for name, mines in (("10x10", 20), ("16x30", 99), ("6x7-torus8", 8)):
        print(play_batch(Task(Board.parse(name), mines, "resolution", options, seed=7), 0, 150))
"""


@pytest.mark.campaign
def test_games_are_the_same_for_every_processor() -> None:
    if platform.machine() != "x86_64":
        pytest.skip("the name of a processor below is of x86_64")
    printed = set()
    plain = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_CPU")}
    for target in ({}, {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}):
        command = [sys.executable, "-c", SUMS]
        done = subprocess.run(command, env=plain | target, capture_output=True, check=True)
        assert len(set(done.stdout.splitlines())) == 12
        printed.add(done.stdout)
    assert len(printed) == 1
