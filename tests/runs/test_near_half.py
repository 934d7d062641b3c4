"""The numbers of mines near half the games won, against the win rates of many games."""

import msdensity as md
from msdensity.runs.near_half import near_half


def test_all_mines_near_half_are_selected_and_few_others() -> None:
    for board, player in (("8x8", "weighted"), ("12x12", "weighted"), ("8x8", "double_set")):
        tasks = [md.Task(board, m, player, seed=9) for m in range(1, md.Board(board).cells)]
        chosen = [task.mines for task in near_half(tasks)]
        games = 1000
        rate = {t.mines: md.play_batch(t, 0, games)["wins"] / games for t in tasks}
        # .03 and .97 are 3 standard errors of the pilot from .01 and .99: false alarm .002 each
        needed = [m for m in rate if 0.03 < rate[m] < 0.97 and 4 * m < 3 * len(tasks)]
        assert set(needed) <= set(chosen)
        assert chosen == list(range(chosen[0], chosen[-1] + 1))
        # .002 is 4 losses of 400 where 0.8 are expected: false alarm .009; one more at each end
        near = [m for m in rate if 0.002 < rate[m] < 0.998]
        assert near[0] - 1 <= chosen[0] and chosen[-1] <= near[-1] + 1
        assert 2 * len(chosen) < len(tasks)
        assert near_half(tasks[::-1]) == near_half(tasks)


def test_small_boards_keep_something() -> None:
    for board in ("1x2", "2x2", "1x5"):
        tasks = [md.Task(board, m) for m in range(1, md.Board(board).cells)]
        assert set(near_half(tasks)) <= set(tasks) and near_half(tasks)
