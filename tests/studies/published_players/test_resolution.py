"""What the methods of 002 find of the certain cells, beside the counts of another program."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from resolution_positions import positions
from scipy import stats

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.studies.published_players.measures import ratio
from msdensity.studies.published_players.resolution.figures import levels_figure
from msdensity.studies.published_players.resolution.methods import ADDED, LEVELS, METHODS
from msdensity.studies.published_players.resolution.positions import (
    COUNTS,
    OF_METHOD,
    count_games,
    game_positions,
)
from msdensity.studies.published_players.resolution.results import (
    coverage,
    levels,
    place_tables,
    place_task,
    trace_guesses,
)
from msdensity.studies.published_players.settings import Settings
from places import DATA
from sizes import sizes

THEIRS = pd.read_csv(DATA / "resolution/methods.csv")
COUNTED = list(dict.fromkeys(zip(THEIRS["board"], THEIRS["mines"], strict=True)))
GAMES = 15
THERE = {"board": "10x10", "mines": 10}


@cache
def counted(board: str, mines: int, seed: int, games: int) -> dict[str, np.ndarray]:
    """Return COUNTS of each game, which ends where the number of mines decides a cell."""
    rows = count_games(place_task(board, mines, seed), games, whole=False)
    return dict(zip(COUNTS, rows.T, strict=True))


def theirs(board: str, mines: int) -> pd.DataFrame:
    return THEIRS[(THEIRS["board"] == board) & (THEIRS["mines"] == mines)].set_index("method")


def test_positions_are_those_of_a_plain_program() -> None:
    board, task = Board.parse("6x6"), place_task("6x6", 9, 1)
    ours = [game_positions(task, g, whole=False) for g in range(GAMES)]
    others = list(positions(board, 9, GAMES))
    assert (np.concatenate([own.states for own in ours]) == [each[0] for each in others]).all()
    assert (np.concatenate([own.numbers for own in ours]) == [each[1] for each in others]).all()
    assert (np.concatenate([own.clues for own in ours]) == [each[2] for each in others]).all()
    whole = sum(len(game_positions(task, g).states) for g in range(GAMES))
    assert whole > len(others)  # in one of them the number of mines decides a cell


@pytest.mark.parametrize("method", ["width 2", "width 3", "width 4", "300 clauses"])
def test_on_the_same_boards_the_counts_are_equal(method: str) -> None:
    row = theirs("10x10", 10).loc[method]
    games = counted("10x10", 10, 1, 150)
    ours = {name: each[: row["games"]].sum() for name, each in games.items()}
    assert ours["certain"] == row["certain"] and ours["positions"] == row["positions"]
    for name in ("found", "any_positions"):
        assert ours[f"{method} {name}"] == row[name]


@pytest.mark.statistical
@pytest.mark.parametrize(
    "place,games", [(COUNTED[1], 100), *(sizes(None, (place, 300))[1] for place in COUNTED)]
)
def test_on_other_boards_the_shares_agree(place: tuple[str, int], games: int) -> None:
    """The largest |z| of all methods, errors over games, passes its limit with probability 1e-3."""
    ours, other = counted(*place, 2, games), theirs(*place)

    def z(method: str, beside: str) -> float:
        largest = 0.0
        for above, below in (("found", "certain"), ("any_positions", "certain_positions")):
            value, error = ratio(ours[f"{method} {above}"], ours[below])
            row = other.loc[beside]
            rate = row[above] / row[below]
            pooled = max(error, np.sqrt(rate * (1 - rate) / ours[below].sum()))
            total = pooled * np.sqrt(1 + games / row["games"])
            largest = max(largest, abs(value - rate) / total if total else 0.0)
        return largest

    limit = stats.norm.isf(1e-3 / 2 / (2 * len(other)))
    assert max(z(method, method) for method in other.index) < limit
    assert z("pair rule", "width 3") > limit  # the control
    assert z("width 3", "unit refutation") > (limit if games == 300 else 1)


def test_the_tables_hold_each_position_once_and_nothing_false() -> None:
    games = counted("10x10", 10, 1, 150)
    table = coverage(games, THERE)
    assert (table["found"] <= table["certain"]).all() and (table["false"] == 0).all()
    own = table[table["knowledge"] == "clues"].set_index("method")
    assert own.loc[ADDED, "found"] == (
        own.loc["002, resolution too", "found"] - own.loc["002 forward chaining", "found"]
    )
    assert own.loc["width 3", "share"] > own.loc["002, resolution too", "share"]
    assert (own["share_low"] < own["share"]).all() or own["share"].max() == 100
    hard = levels(games, THERE).set_index("level")
    assert hard["positions"].drop("single numbers").sum() == games["positions"].sum()
    assert hard["percent"].sum() == pytest.approx(100)
    assert hard.loc["pair rule", "positions"] == own.loc["pair rule", "any_positions"]
    decided = hard.loc[list(LEVELS[1:7]), "positions"].sum()
    assert decided == own.loc["pair rule", "certain_positions"]
    figure = levels_figure(levels(games, THERE))
    heights = [bar.get_height() for bar in figure.axes[0].patches]
    assert heights == pytest.approx(hard["percent"].tolist())


def test_a_false_conclusion_would_be_counted() -> None:
    games = counted("10x10", 10, 1, 150)
    wrong = games | {"pair rule false": games["pair rule false"] + 1}
    table = coverage(wrong, THERE).set_index("method")
    assert (table.loc["pair rule", "false"] == 150).all()
    assert len(COUNTS) == len(set(COUNTS)) == 5 + len(LEVELS) + len(METHODS) * len(OF_METHOD)


def test_the_player_that_counts_mines_guesses_needlessly_less_often() -> None:
    """Exact inference never does; `single_point` does, also by the clues alone."""
    sums = {}
    for player in ("weighted", "single_point", "resolution"):
        task = place_task("8x8", 10, 4)
        counts = trace_guesses(type(task)(task.board, 10, player, {}, task.rules, 4), 15)
        assert (counts[:, 1] <= counts[:, 2]).all() and (counts[:, 2] <= counts[:, 0]).all()
        sums[player] = counts.sum(axis=0).tolist()
    assert sums["weighted"][1:] == [0, 0]
    assert sums["single_point"][1] > 0
    assert sums["resolution"][1] <= sums["resolution"][2]
    assert sums["resolution"][2] > 0


def test_another_place_is_refused() -> None:
    with pytest.raises(InputError, match="place='8x8_99' must be one of 8x8_6, 8x8_8"):
        place_tables("8x8_99", Settings.model_construct())
