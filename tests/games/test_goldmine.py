"""GoldMine: exact probabilities against all arrangements, and the rules of a game."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.games import goldmine
from msdensity.games.goldmine import GOLD, MINE, NOTHING, Dig, dig, neighbours_of, prospect
from sizes import sizes

BOARDS = [((3, 3), "square8"), ((2, 5), "square4"), ((1, 8), "square8"), ((3, 3), "hexagonal")]


def enumerate_all(near, dug, mines, gold):
    """Return (arrangements, those with a mine, those with gold) by trying all contents."""
    cells = [c for c in range(len(near)) if c not in dug]
    left = gold - sum(held == GOLD for held, _ in dug.values())
    total, mined, golden = 0, dict.fromkeys(cells, 0), dict.fromkeys(cells, 0)
    for contents in itertools.product((NOTHING, MINE, GOLD), repeat=len(cells)):
        if contents.count(MINE) != mines or contents.count(GOLD) != left:
            continue
        held = dict(zip(cells, contents, strict=True)) | {c: h for c, (h, _) in dug.items()}
        if all(sum(held[d] for d in near[w]) == number for w, (_, number) in dug.items()):
            total += 1
            for c in cells:
                mined[c] += held[c] == MINE
                golden[c] += held[c] == GOLD
    return total, mined, golden


def positions(count):
    """Yield (near, dug, mines, gold) of random boards with some cells dug."""
    rng = np.random.default_rng(5)
    for i in range(count):
        near = neighbours_of(*BOARDS[i % len(BOARDS)])
        held = rng.choice([NOTHING, MINE, GOLD], len(near), p=[0.5, 0.2, 0.3])
        shown = (held != MINE) & (rng.random(len(near)) < 0.5)
        dug = {c: (int(held[c]), int(held[near[c]].sum())) for c in np.flatnonzero(shown).tolist()}
        yield near, dug, int((held == MINE).sum()), int((held == GOLD).sum())


@pytest.mark.parametrize("count", sizes(60, 600))
def test_probabilities_are_those_of_all_arrangements(count: int) -> None:
    uncertain = 0
    for near, dug, mines, gold in positions(count):
        found = prospect(near, dug, mines, gold)
        total, mined, golden = enumerate_all(near, dug, mines, gold)
        assert found.arrangements == total > 0
        assert found.mine == {c: Fraction(n, total) for c, n in mined.items()}
        assert found.gold == {c: Fraction(n, total) for c, n in golden.items()}
        uncertain += any(0 < chance < 1 for chance in found.mine.values())
    assert uncertain > count / 3


def test_impossible_positions_have_no_arrangement() -> None:
    impossible = 0
    for near, dug, mines, gold in positions(80):
        if dug:
            w = next(iter(dug))
            wrong = dug | {w: (dug[w][0], dug[w][1] + 1)}
            found = prospect(near, wrong, mines, gold)
            total, _, _ = enumerate_all(near, wrong, mines, gold)
            assert found.arrangements == total
            impossible += total == 0
    assert impossible > 10


def test_a_two_may_be_one_gold_or_two_mines() -> None:
    near = neighbours_of((1, 3))
    dug = {1: (NOTHING, 2)}
    assert prospect(near, dug, 2, 0).mine == {0: 1, 2: 1}
    assert prospect(near, dug, 0, 1).gold == {0: Fraction(1, 2), 2: Fraction(1, 2)}
    assert prospect(near, dug, 1, 1).arrangements == 0


def test_totals_out_of_range_are_refused() -> None:
    near = neighbours_of((2, 2))
    with pytest.raises(InputError, match=r"mines=5 must be a whole number in 0\.\.4"):
        prospect(near, {}, 5, 0)
    with pytest.raises(InputError, match=r"gold=3 must be a whole number in 0\.\.2"):
        prospect(near, {}, 2, 3)
    with pytest.raises(InputError, match=r"mines=4 must be a whole number in 0\.\.3"):
        dig(near, 4, 0, np.random.default_rng(1))
    with pytest.raises(InputError, match=r"gold=4 must be a whole number in 0\.\.3"):
        dig(near, 1, 4, np.random.default_rng(1))


def test_games_follow_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """No cell that is certain is mined, and a game ends with all gold, or with a mine."""
    near = neighbours_of((4, 4))
    games = [dig(near, 4, 5, np.random.default_rng([3, g])) for g in range(60)]
    for each in games:
        assert each.killed or each.score == 5
        assert each.guesses > 0 or not each.killed
    assert {each.killed for each in games} == {True, False}
    again = [dig(near, 4, 5, np.random.default_rng([3, g])) for g in range(60)]
    assert games == again
    assert dig(near, 0, 5, np.random.default_rng(1)).guesses == 0

    def blind(near, dug, mines, gold):
        found = prospect(near, dug, mines, gold)
        return goldmine.Prospect(dict.fromkeys(found.mine, Fraction(0)), found.gold, 1)

    monkeypatch.setattr(goldmine, "prospect", blind)
    reckless = [dig(near, 4, 5, np.random.default_rng([3, g])) for g in range(60)]
    assert any(each.killed and each.guesses == 0 for each in reckless)
    assert sum(e.score for e in reckless) < sum(e.score for e in games)
    assert isinstance(reckless[0], Dig)
