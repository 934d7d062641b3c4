"""Decisions, guesses and beliefs of the players of 004 beside those of another program.

Its counts are in tests/data/belief: `decisions.csv` (without rules of single numbers from shares
of few digits), `guess_bins.csv`, `outcomes.csv` and `accuracy.csv`, of seed 1. Where games are
compared they have another seed, so that both counts are independent.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from msdensity.files.tables import check_table
from msdensity.games.analysis import analyse
from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.studies.published_players.beliefs.columns import POSITION_COLUMNS, TABLES
from msdensity.studies.published_players.beliefs.decisions import count_decisions
from msdensity.studies.published_players.beliefs.errors import (
    GRID,
    position_errors,
    position_table,
    regret,
)
from msdensity.studies.published_players.beliefs.guesses import (
    bin_of,
    count_bins,
    count_converged,
    fewest_guesses,
)
from msdensity.studies.published_players.beliefs.traces import believe, trace_guesses
from msdensity.studies.published_players.beliefs.ways import (
    ALONE,
    EXACT,
    LBP,
    LBP_MC,
    PRIOR,
    error_tasks,
    tasks,
)
from msdensity.studies.published_players.play import OUTCOMES, estimate, play_sets
from msdensity.studies.published_players.settings import CORNER
from places import DATA
from sizes import sizes

SEED = 2
FALSE_ALARM = 1e-4
"""Of each test of random numbers here."""


def stored(name: str, **where: object) -> pd.DataFrame:
    table = pd.read_csv(DATA / "belief" / f"{name}.csv", keep_default_na=False)
    for column, value in where.items():
        table = table[table[column] == value]
    assert len(table), where
    return table


def task_of(player: str, options: str, board: str, mines: int, start: str) -> Task:
    chosen = dict(word.split("=") for word in options.split())
    return Task(Board.parse(board), mines, player, chosen, Rules("corner", start), SEED)


KINDS = ["marginalization", "iteration_1", "iteration_2", "iteration_3", "guess"]


def decisions_differ(player: str, played: str, kept: str, board: str, games: int) -> float:
    """Return the p-value of the same decisions a game, by options `played` here and `kept` there.

    Decisions of one game are dependent: their covariance is that of our games. The 2nd and the 3rd
    iteration are one kind, because the 3rd is so rare.
    """
    start = "first_zero_by_columns"
    (row,) = stored("decisions", player=player, options=kept, board=board, start=start).to_dict(
        "records"
    )
    together = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    counts = count_decisions(task_of(player, played, board, row["mines"], start), games) @ together
    theirs = np.array([row[kind] for kind in KINDS]) @ together / row["games"]
    difference = counts.mean(axis=0) - theirs
    seen = counts.std(axis=0) > 0
    covariance = np.cov(counts[:, seen], rowvar=False) * (1 / games + 1 / row["games"])
    statistic = difference[seen] @ np.linalg.solve(covariance, difference[seen])
    return float(stats.chi2.sf(statistic, seen.sum()))


@pytest.mark.statistical
@pytest.mark.parametrize("board,games", sizes(("8x8", 2000), ("8x8", 20_000)))
@pytest.mark.parametrize("options", ["", "singles=never"])
@pytest.mark.parametrize("player", ["lbp", "lbp_mc"])
def test_decisions_are_those_of_another_program(player, options, board, games) -> None:
    assert decisions_differ(player, options, options, board, games) > FALSE_ALARM


@pytest.mark.campaign
@pytest.mark.statistical
@pytest.mark.parametrize("board", ["13x15", "16x30"])
@pytest.mark.parametrize("options", ["", "singles=never"])
@pytest.mark.parametrize("player", ["lbp", "lbp_mc"])
def test_decisions_on_large_boards_are_those_of_another_program(player, options, board) -> None:
    assert decisions_differ(player, options, options, board, 20_000) > FALSE_ALARM


@pytest.mark.statistical
@pytest.mark.parametrize(
    "player,played,kept",
    [
        ("lbp", "iterations=0", ""),
        ("lbp", "", "singles=never"),
        ("lbp_mc", "potential=hard", ""),
        pytest.param("lbp_mc", "clique_size=8", "", marks=pytest.mark.campaign),
    ],
)
def test_decisions_of_another_variant_are_rejected(player, played, kept) -> None:
    games = 30_000 if "clique_size" in played else 3000
    assert decisions_differ(player, played, kept, "8x8", games) < 1e-6


def bins_of(task: Task, games: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the bins and the convergence of guesses beside a number."""
    guesses, converged = [], []
    for each, states, numbers in trace_guesses(task, games):
        near = each["beside"]
        guesses.append(each[near])
        converged.append(believe(task, states[near], numbers[near], 3)[0])
    found = np.concatenate(guesses)
    still = count_converged(task, games, found["game"].copy(), np.concatenate(converged))
    return count_bins("any", task, games, found), still


def guesses_differ(ours: pd.DataFrame, player: str, board: str, reading: str) -> tuple[float, int]:
    """Return the p-value of the same success in all bins with enough guesses, and their number.

    Guesses of one game are dependent: the errors are those of our games, for both programs.
    """
    theirs = stored("guess_bins", player=player, board=board)
    both = ours.merge(theirs, on=["bin_low", "bin_high"], suffixes=("", "_kept"))
    both = both[(both["guesses"] >= 30) & (both["guesses_kept"] >= 30)]
    share = 100 * both[f"{reading}_kept"] / both["guesses_kept"]
    value, error = {"survived": ("percent", "se"), "won": ("won_percent", "won_se")}[reading]
    error = both[error] * np.sqrt(1 + both["guesses"] / both["guesses_kept"])
    statistic = float((((both[value] - share) / error) ** 2).sum())
    return float(stats.chi2.sf(statistic, len(both))), len(both)


@pytest.mark.statistical
@pytest.mark.parametrize(
    "board,mines,games",
    [
        ("8x8", 10, 4000),
        pytest.param("13x15", 40, 10_000, marks=pytest.mark.campaign),
        pytest.param("16x30", 99, 10_000, marks=pytest.mark.campaign),
    ],
)
@pytest.mark.parametrize("player", ["lbp", "lbp_mc"])
def test_guesses_succeed_as_in_another_program(player, board, mines, games) -> None:
    """Also as often as many beliefs converge. The control: guesses of the other player."""
    start = "first_zero_by_columns"
    ours, still = bins_of(task_of(player, "", board, mines, start), games)
    check_table(ours, TABLES["belief_guesses"], "bins")
    for reading in ("survived", "won"):
        p, bins = guesses_differ(ours, player, board, reading)
        assert p > FALSE_ALARM and bins >= 4
    other = {"lbp": "lbp_mc", "lbp_mc": "lbp"}[player]
    assert guesses_differ(ours, other, board, "survived")[0] < 1e-6
    check_table(still, TABLES["belief_convergence"], "convergence")
    (row,) = stored("outcomes", player=player, board=board).to_dict("records")
    positions = row["guesses"] - row["random_guesses"]
    three = still.iloc[0]
    table = [
        [three["converged"], three["positions"] - three["converged"]],
        [row["converged"], positions - row["converged"]],
    ]
    # Positions of a game are dependent, though little: a quarter more than by chance is allowed.
    statistic = stats.chi2_contingency(table, correction=False).statistic / 1.25**2
    assert stats.chi2.sf(statistic, 1) > FALSE_ALARM
    assert still["converged"].iloc[1] >= three["converged"]


@pytest.mark.statistical
@pytest.mark.parametrize("games", sizes(4000, 20_000))
@pytest.mark.parametrize("player", ["lbp", "lbp_mc"])
def test_games_end_as_in_table_12_of_another_program(player, games) -> None:
    for board, mines in (("8x8", 10), ("13x15", 40)):
        task = task_of(player, "", board, mines, "first_zero")
        sets, _ = play_sets(task, games)
        sums = play_batch(task, 0, games)
        shares = [estimate(name, sets, task)[0] for name in OUTCOMES]
        counts = np.array(shares) * games / 100
        assert counts.sum() == pytest.approx(games)
        assert counts[1:].sum() == pytest.approx(sums["wins"])
        assert counts[2] == pytest.approx(sums["no_guess_wins"])
        (row,) = stored("outcomes", player=player, board=board).to_dict("records")
        theirs = [row[name.removesuffix("_percent")] for name in OUTCOMES]
        table = np.array([counts, theirs])
        assert stats.chi2_contingency(table, correction=False).pvalue > FALSE_ALARM
        assert stats.chi2_contingency([counts[[1, 0, 2]], theirs]).pvalue < 1e-6  # out of order


@pytest.mark.parametrize(
    "board,mines,games",
    [
        ("8x8", 10, 950),
        pytest.param("10x10", 20, 480, marks=pytest.mark.campaign),
        pytest.param("16x30", 99, 190, marks=pytest.mark.campaign),
    ],
)
def test_errors_of_beliefs_are_those_of_another_program(board, mines, games) -> None:
    """To the last digit: seed 1 gives the same positions, and neither side draws any number."""
    players = (LBP, LBP_MC, PRIOR, ALONE)
    (exact,) = tasks((EXACT,), ((board, mines),), CORNER, 1)
    errors, regrets = position_errors(exact, tasks(players, ((board, mines),), CORNER, 1), games)
    kept = stored("accuracy", board=board, mines=mines)
    assert len(kept) == len(players)
    for row in kept.to_dict("records"):
        own = errors[(errors["player"] == row["player"]) & (errors["distance"] == "1")]
        own = own.head(row["positions"])
        chosen = regrets.loc[regrets["player"] == row["player"], "regret"].head(row["positions"])
        cells = own["cells"].sum()
        assert (len(own), cells) == (row["positions"], row["cells"])
        found = {
            "mean_abs_error": own["sum_abs"].sum() / cells,
            "bias": own["sum"].sum() / cells,
            "max_error": own["largest"].max(),
            "regret": chosen.mean(),
        }
        assert found == {name: pytest.approx(row[name], abs=6e-7) for name in found}
        far = errors[(errors["player"] == row["player"]) & (errors["distance"] != "1")]
        assert set(far["distance"]) == {"2", "3 or more"} and (far["cells"] > 0).all()


def test_errors_by_distance_are_those_of_cells_taken_one_by_one() -> None:
    exact_task, judged = error_tasks(3)[2]
    errors, _ = position_errors(exact_task, judged[1:2], 4)
    (chunk,) = trace_guesses(exact_task, 4)
    steps: dict[str, list[float]] = {"1": [], "2": [], "3 or more": []}
    for state, number in zip(chunk.states, chunk.numbers, strict=True):
        rows = ["".join(line) for line in _rows(state, number)]
        safety = analyse(rows, exact_task.mines).safety
        _, belief = believe(judged[1], state[None], number[None], 3)
        opened = np.argwhere(state.reshape(10, 10) == 1)
        for cell in np.argwhere(state.reshape(10, 10) == 0):
            step = int(np.abs(opened - cell).max(axis=1).min())
            off = belief[0].reshape(10, 10)[tuple(cell)] - safety[tuple(cell)]
            steps[str(step) if step < 3 else "3 or more"].append(float(off))
    assert all(len(each) > 10 for each in steps.values())
    for distance, each in steps.items():
        own = errors[errors["distance"] == distance]
        assert own["cells"].sum() == len(each)
        assert own["sum"].sum() == pytest.approx(sum(each))
        assert own["sum_abs"].sum() == pytest.approx(sum(map(abs, each)))
        assert own["largest"].max() == pytest.approx(max(map(abs, each)))


def _rows(state: np.ndarray, number: np.ndarray) -> np.ndarray:
    text = np.where(state == 1, number.astype(str), np.where(state == 2, "F", "."))
    return text.reshape(10, 10)


def test_regret_is_that_of_the_mean_of_equal_beliefs() -> None:
    exact = np.array([0.9, 0.5, 0.7, 0.1])
    assert regret(exact, exact) == 0
    assert regret(exact, np.array([0.1, 0.8, 0.8 + 1e-12, 0.2])) == pytest.approx(0.3)
    assert regret(exact, np.array([0.1, 0.8, 0.8 + 1e-6, 0.2])) == pytest.approx(0.2)


def test_bins_are_closed_above() -> None:
    stated = [0.0, 0.1, 0.4, 0.4 + 1e-12, 0.41, 0.5, 0.5 - 1e-12, 0.501, 0.9999, 1.0]
    assert bin_of(stated).tolist() == [1, 1, 4, 4, 5, 5, 5, 6, 10, 10]


def test_decimals_say_how_few_guesses_there_can_be() -> None:
    found = [fewest_guesses(value) for value in (38.50, 44.03, 50.00, 72.73, 80.99, 85.71)]
    assert found == [187, 134, 2, 11, 121, 7]


def test_a_bin_counts_its_guesses_game_by_game() -> None:
    """Two guesses in game 0, both right; one in game 2, wrong: the error is that of two games."""
    from msdensity.studies.published_players.beliefs.traces import GUESS_TYPE

    each = np.array(
        [(0, 0.65, True, True, True), (0, 0.7, True, True, True), (2, 0.61, True, False, False)],
        GUESS_TYPE,
    )
    (row,) = count_bins("any", Task("8x8", 10, "lbp"), 3, each).to_dict("records")
    assert (row["bin_low"], row["guesses"], row["survived"], row["won"]) == (60, 3, 2, 2)
    assert row["percent"] == row["won_percent"] == pytest.approx(200 / 3)
    assert row["expected"] == pytest.approx(1.96)
    assert row["variance"] == pytest.approx(0.65 * 0.35 + 0.7 * 0.3 + 0.61 * 0.39)
    residual = np.array([2 - 2 / 3 * 2, 0, -2 / 3])
    assert row["se"] == pytest.approx(100 * np.sqrt(1.5 * (residual**2).sum()) / 3)


def test_traced_guesses_are_those_of_the_games() -> None:
    task = Task("8x8", 12, "lbp_mc", {}, Rules("corner", "first_zero"), 5)
    sums = play_batch(task, 0, 250)
    chunks = list(trace_guesses(task, 250))
    each = np.concatenate([chunk.each for chunk in chunks])
    assert len(chunks) == 3 and len(each) == sums["guesses"]
    assert (~each["survived"]).sum() == 250 - sums["wins"]
    assert each["game"].max() > 200 and (np.diff(each["game"]) >= 0).all()
    won = {int(game) for game in each["game"][each["won"]]}
    assert len(won) == sums["wins"] - sums["no_guess_wins"]
    for chunk in chunks:
        near = chunk.each["beside"]
        _, belief = believe(task, chunk.states[near], chunk.numbers[near], 3)
        exposed = np.nanmax(belief, axis=1)
        assert (chunk.each["safety"][near] <= exposed + 1e-9).all()  # a floating cell may be better
        stated = np.abs(belief - chunk.each["safety"][near][:, None])
        assert np.nanmin(stated, axis=1).max() < 1e-12


def test_table_11_has_one_arrangement_of_3_mines_and_three_of_2() -> None:
    table = check_table(position_table(), POSITION_COLUMNS, "position")
    wide = table.pivot(index=["mines", "player"], columns="cell", values="safety")
    for mines, number in ((2, 3), (3, 1)):
        own = table[table["mines"] == mines]
        assert set(own["configurations"]) == {number}
        assert wide.loc[mines, "lbp_mc-all_cells_on"].tolist() == pytest.approx(
            wide.loc[mines, "exact"].tolist()
        )
    # 004 prints mines beside the 2 and below the middle for 3 mines.
    exact = wide.xs("exact", level="player")
    mined = {"top left", "top right", "bottom middle"}
    assert {cell for cell in exact if exact.loc[3, cell] == 0} == mined
    assert {cell for cell in exact if exact.loc[3, cell] == 1} == set(exact) - mined
    # Its two mines, left and right in the middle row, are one of three arrangements.
    assert exact.loc[2].round(9).to_dict() == {
        **dict.fromkeys(("top left", "top right", "middle left", "middle right"), round(2 / 3, 9)),
        "centre": round(1 / 3, 9),
        "bottom middle": 1,
    }
    assert wide.loc[2, "lbp_mc"].tolist() == wide.loc[3, "lbp_mc"].tolist()
    assert GRID == (".2.", "...", "1.1")
