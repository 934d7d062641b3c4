"""Which rows count, compared with all possible choices; contradictions, compared with algebra."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.kernel.measures import MEASURES
from msdensity.runs.counts import Counts
from msdensity.runs.cover import contradictions, cover
from msdensity.runs.rows import Row, contradicting, merge

TASK = Task(Board((3, 3)), 1)
SPAN = st.tuples(st.integers(0, 12), st.integers(1, 6))
SPANS = st.lists(SPAN, min_size=1, max_size=7, unique=True)


def counts(first: int, games: int, wrong: int = 0) -> Counts:
    """The right sums (each game adds its number modulo 3), plus an error for wrong rows."""
    total = sum(game % 3 for game in range(first, first + games))
    return Counts(TASK.task_id, first, games, [wrong, total, *[0] * (len(MEASURES) - 2)])


def row(first: int, games: int, wrong: int = 0, line: int = 0) -> Row:
    return Row(TASK, counts(first, games, wrong), place=("x.csv", line))


def by_trying_all(rows: list[Counts]) -> list[Counts]:
    """The rows that share no game and hold the most games; of several choices, the first."""
    choices = []
    for size in range(len(rows) + 1):
        for choice in combinations(sorted(rows, key=lambda r: (r.first_game, -r.games)), size):
            if all(a.stop <= b.first_game for a, b in pairwise(choice)):
                order = [(r.first_game, -r.games) for r in choice]
                choices.append((-sum(r.games for r in choice), order, choice))
    return list(min(choices)[2])


@given(SPANS)
def test_the_rows_that_count_are_the_best_of_all_choices(spans) -> None:
    rows = [counts(*span) for span in spans]
    assert [rows[i] for i in cover(rows)] == by_trying_all(rows)


@given(SPANS, st.randoms(use_true_random=False))
def test_no_order_of_rows_and_no_copy_matters(spans, random) -> None:
    rows = [row(*span) for span in spans]
    more = [*rows, *random.choices(rows, k=3)]
    random.shuffle(more)
    assert merge(more) == merge(rows)
    assert merge(merge(rows)) == merge(rows)


@given(SPANS, st.integers(1, 5))
def test_games_played_into_gaps_do_not_change_which_rows_count(spans, size) -> None:
    """A run that tops up adds rows one by one, and none may change which rows count."""
    rows = [row(*span) for span in spans]
    held = sum(each.counts.games for each in merge(rows))
    gaps = set(range(20)) - {
        g for r in merge(rows) for g in range(r.counts.first_game, r.counts.stop)
    }
    while gaps:
        first = min(gaps)
        games = next(n for n in range(1, size + 1) if n == size or first + n not in gaps)
        rows.append(row(first, games))
        held += games
        gaps -= set(range(first, first + games))
        assert sum(each.counts.games for each in merge(rows)) == held
    assert merge(rows) == [row(0, 20)]


@given(SPANS)
def test_right_rows_contradict_nothing(spans) -> None:
    assert contradictions([counts(*span) for span in spans]) == []


def agree(rows: list[Counts]) -> bool:
    """Whether sums over all earlier games exist such that every row is a difference of two."""
    ends = sorted({end for each in rows for end in (each.first_game, each.stop)})
    signs = np.zeros((len(rows), len(ends)), int)
    for i, each in enumerate(rows):
        signs[i, ends.index(each.first_game)], signs[i, ends.index(each.stop)] = -1, 1
    grown = np.array([each.measures[:2] for each in rows])
    both = np.linalg.matrix_rank(np.hstack([signs, grown]))
    return bool(both == np.linalg.matrix_rank(signs))


@given(st.lists(SPAN, min_size=2, max_size=8), st.integers(0, 7))
def test_a_wrong_row_is_noticed_where_algebra_can_tell(spans, place) -> None:
    rows = [counts(*span) for span in dict.fromkeys(spans)]
    place %= len(rows)
    rows[place] = counts(rows[place].first_game, rows[place].games, wrong=1)
    found = contradictions(rows)
    assert (not found) == agree(rows)
    for i, others in found:
        # The two ways between the same games disagree, and the wrong row is on one of them.
        assert place in {i, *others}
        assert not agree([rows[i], *(rows[j] for j in others)])
    # Every chain of rows from end to end of another is looked at.
    for size in range(1, 4):
        for chain in combinations(sorted(rows, key=lambda r: r.first_game), size):
            if all(a.stop == b.first_game for a, b in pairwise(chain)):
                for each in rows:
                    if (each.first_game, each.stop) == (chain[0].first_game, chain[-1].stop):
                        wins = sum(r.wins for r in chain)
                        assert wins == each.wins or found


def test_lines_that_contradict_each_other_are_named() -> None:
    rows = [row(0, 100, line=2), row(100, 100, line=3), row(0, 200, wrong=1, line=4)]
    with pytest.raises(InputError) as refused:
        merge(rows)
    assert str(refused.value) == (
        "board 3x3 with mines=1: line 4 of ledger x.csv (games 0..199) has other sums than line 2"
        " of ledger x.csv (games 0..99), line 3 of ledger x.csv (games 100..199), for the same"
        " games: `msdensity verify` replays them and says which line is wrong; delete that line"
    )
    with pytest.raises(InputError, match=r"line 3 .* has other sums than line 2 "):
        merge([row(5, 9, line=2), row(5, 9, wrong=1, line=3)])
    # Three rows from 0 to 300 by two ways, none of them whole.
    ways = [row(0, 200), row(200, 100), row(0, 100), row(100, 200, wrong=1)]
    assert len(contradicting(ways)) == 1


def test_many_rows_are_handled_quickly() -> None:
    """Two copies of a long run, cut in different ways."""
    rows = [row(first, 7) for first in range(0, 7 * 3000, 7)]
    rows += [row(first, 6) for first in range(0, 7 * 3000, 6)]
    assert merge(rows) == [row(0, 7 * 3000)]
