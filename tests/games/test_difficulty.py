"""What games take: game by game against plain rules, and over all layouts of small boards."""

import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from brute_force import neighbour_lists
from plain_rules import STEPS
from plain_rules import Board as Known

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.difficulty import CLASSES, COUNTS, ENDS, class_counts, opened_alone
from msdensity.games.front import RULES
from msdensity.games.layouts import count_wins
from msdensity.games.play import kernel_task, play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.deal import deal
from sizes import sizes


def count(board: Known, mines: int) -> bool:
    """Decide cells by all layouts of the whole board with its number of mines, one by one."""
    unknown = [c for c in range(len(board.near)) if c not in board.opened | board.marked]
    numbers = board.numbers()
    ever: set[int] = set()
    always = set(unknown)
    for layout in itertools.combinations(unknown, mines - len(board.marked)):
        if all(len(cells.intersection(layout)) == missing for cells, missing in numbers):
            ever.update(layout)
            always.intersection_update(layout)
    return board.decide(set(unknown) - ever, False) | board.decide(always, True)


def slow_class(near: list[list[int]], mined: list[int], first: int) -> tuple[str, bool]:
    """Return the class of a layout, and whether pairs open it and unit refutation does not."""
    opens = {}
    for rules in (*RULES, "count"):
        board = Known(near, mined, [first])
        while count(board, len(mined)) if rules == "count" else STEPS[rules](board):
            pass
        opens[rules] = len(board.opened) == len(near) - len(mined)
    nested = (("zeros", "single"), ("single", "pairs"), ("single", "unit"), ("pairs", "complete"))
    for weaker, stronger in (*nested, ("unit", "complete"), ("complete", "count")):
        assert opens[weaker] <= opens[stronger]
    name = next((rules for rules, opened in opens.items() if opened), "guess")
    return name, opens["pairs"] and not opens["unit"]


def slow_counts(task: Task, games: int) -> Counter[str]:
    near = neighbour_lists(task.board.shape, task.board.topology)
    (first,) = {int(deal(kernel_task(task), g)[1]) for g in range(games)}
    counts: Counter[str] = Counter()
    for g in range(games):
        mined = np.flatnonzero(deal(kernel_task(task), g)[0]).tolist()
        name, pairs_alone = slow_class(near, mined, first)
        counts.update([name, *["pairs_not_unit"] * pairs_alone])
    return counts


TORUS = Task("5x5-torus8", 6, rules=Rules("centre", "zero"), seed=1)
"""All classes come up here."""


@pytest.mark.parametrize("each", sizes(1, 8))
def test_games_of_each_class_are_what_plain_rules_say(each: int) -> None:
    near = neighbour_lists(TORUS.board.shape, TORUS.board.topology)
    seen: Counter[str] = Counter()
    for g in itertools.count():
        counts = class_counts(TORUS, g, 1)
        name = next(name for name in CLASSES if counts[name])
        seen[name] += 1
        if seen[name] <= each:
            mined, first = deal(kernel_task(TORUS), g)
            slow = slow_class(near, np.flatnonzero(mined).tolist(), int(first))
            assert slow == (name, bool(counts["pairs_not_unit"])), g
        if all(seen[name] >= each for name in CLASSES):
            break
    assert g < 2000 * each


@pytest.mark.parametrize(
    ("board", "mines", "rules", "games"),
    [
        *sizes(
            ("4x4", 4, Rules("corner", "safe"), 60),
            ("4x4", 4, Rules("corner", "safe"), 2000),
        ),
        *sizes(
            ("4x6-hexagonal", 5, Rules("cell:7", "zero"), 12),
            ("4x6-hexagonal", 5, Rules("cell:7", "zero"), 100),
        ),
        pytest.param("5x5-torus8", 6, Rules("centre", "zero"), 80, marks=pytest.mark.campaign),
    ],
)
def test_games_are_of_the_class_that_plain_rules_say(board, mines, rules, games) -> None:
    task = Task(Board.parse(board), mines, "weighted", {}, rules, 1)
    counts, wanted = class_counts(task, 0, games), slow_counts(task, games)
    assert {name: counts[name] for name in (*CLASSES, "pairs_not_unit")} == {
        name: wanted[name] for name in (*CLASSES, "pairs_not_unit")
    }
    assert sum(counts[name] for name in CLASSES) == games
    assert sum(counts[name] for name in ENDS) == counts["guess"] > 0
    assert counts["lost_0"] == counts["approximate"] == 0
    # The player and the sets of rules, each alone, count the same.
    alone, whole = opened_alone(counts), play_batch(task, 0, games)
    assert alone["count"] == whole["no_guess_wins"] and alone["guess"] == whole["wins"]
    for name in RULES:
        own = Task(task.board, mines, "inference", {"rules": name}, rules, 1)
        assert alone[name] == play_batch(own, 0, games)["wins"]


@pytest.mark.parametrize(
    ("board", "mines", "rules", "games"),
    [
        ("3x4", 3, Rules("corner"), 3000),
        pytest.param("5x5", 2, Rules("centre", "zero"), 2500, marks=pytest.mark.campaign),
    ],
)
def test_all_layouts_give_the_exact_shares(board, mines, rules, games) -> None:
    """Every layout comes up, and its class is that of plain rules: the shares are fractions.

    Dealt games keep to them within 5 standard errors (a false alarm in 1.7 million, each class);
    those with one mine more, as the control, are beyond.
    """
    near = neighbour_lists(Board(board).shape)
    first, spared = 0, {0}
    if rules.start == "zero":
        first = Board(board).cells // 2
        spared = {first, *near[first]}
    free = [c for c in range(len(near)) if c not in spared]
    layouts = [*itertools.combinations(free, mines)]
    classes = {layout: slow_class(near, list(layout), first)[0] for layout in layouts}
    exact = Counter(classes.values())
    known = count_wins(Board(board), free, mines, first)
    assert known.layouts == len(layouts)
    assert known.no_guess_won == len(layouts) - exact["guess"]

    def off(counts: Mapping[str, int]) -> float:
        """Return the largest distance of counts from the exact shares, in standard errors."""
        found = []
        for name in CLASSES:
            share = exact[name] / len(layouts)
            error = max(games * share * (1 - share), 1e-9) ** 0.5
            found.append(abs(counts[name] - games * share) / error)
        return max(found)

    task = Task(board, mines, "weighted", {}, rules, 3)
    total: Counter[str] = Counter()
    seen = set()
    for g in range(games):
        layout = tuple(np.flatnonzero(deal(kernel_task(task), g)[0]).tolist())
        counts = class_counts(task, g, 1)
        assert counts[classes[layout]] == 1
        seen.add(layout)
        total.update(counts)
    assert seen == set(layouts)
    assert off(total) < 5 < off(class_counts(replace(task, mines=mines + 1), 0, games))


def test_a_mined_first_click_and_a_hinted_start_are_counted_too() -> None:
    task = Task("4x4", 3, "weighted", {}, Rules("corner", "unprotected"), 1)
    counts = class_counts(task, 5, 200)
    lost = sum(deal(kernel_task(task), g)[0][0] for g in range(5, 205))
    assert counts["lost_0"] == lost > 0
    hinted = class_counts(Task("4x4", 3, rules=Rules(start="first_zero")), 0, 50)
    assert sum(hinted[name] for name in CLASSES) == 50


def test_batches_add_up_and_a_player_that_is_not_known_to_know_is_refused() -> None:
    task = Task("6x6", 7, seed=2)
    parts = Counter(class_counts(task, 0, 30))
    parts.update(class_counts(task, 30, 50))
    assert {name: parts[name] for name in COUNTS} == class_counts(task, 0, 80)
    with pytest.raises(InputError, match="player='single_point' must be weighted"):
        class_counts(Task("6x6", 7, "single_point"), 0, 1)
