"""What becomes of the published numbers: by hand, on curves known in advance, and refused."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from msdensity.errors import InputError
from msdensity.files.tables import read_table, write_table
from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.players.registry import PLAYERS
from msdensity.stats.logistic import fit_critical_density, logistic
from msdensity.stats.paired import LOST, REDRAWN, WON, Paired, pair
from msdensity.stats.testing import detectable
from msdensity.studies.reproduction.ablation import ablation_table, read_ends, variants
from msdensity.studies.reproduction.columns import OUTCOME_COLUMNS
from msdensity.studies.reproduction.play import outcome_row, play_ends
from msdensity.studies.reproduction.quoted import luck, luck_as_printed, quoted_tables
from msdensity.studies.reproduction.results import (
    RUN_GAMES,
    RunDensity,
    agreement,
    apart,
    chi_square,
    run_density,
    runs_table,
)
from msdensity.studies.reproduction.settings import load_settings
from places import ROOT
from sizes import sizes


def test_section_8_1_prints_0_where_the_luck_is_1_in_15() -> None:
    assert luck_as_printed(16, 14) == 0
    assert luck(16, 14) == pytest.approx(1 / 15, abs=1e-15)
    assert luck_as_printed(16, 15) == luck(16, 15) == 1
    for cells, mines in ((9, 6), (16, 12)):
        guesses = cells - mines - 1
        one_by_one = math.prod((guesses - k) / (cells - 1 - k) for k in range(guesses))
        assert luck(cells, mines) == pytest.approx(one_by_one, rel=1e-12)
    with pytest.raises(InputError, match=r"mines=16 must be in 1\.\.15"):
        luck(16, 16)


def test_z_and_chi_square_by_hand() -> None:
    run = RunDensity(0.20, 0.003, 0.004)
    assert run.z(0.21) == pytest.approx(2)
    assert math.isnan(RunDensity(1.0, 0.0, 0.0).z(1.0))
    total, degrees, p = chi_square([1, -2, math.nan, 0])
    assert (total, degrees) == (5, 3)
    assert p == pytest.approx(0.1718, abs=1e-4)


@pytest.mark.statistical
@pytest.mark.parametrize("n", sizes(150, 400))
def test_the_spread_of_a_run_is_that_of_independent_runs(n: int) -> None:
    """From a pool of 16,000 games, against n runs from the true curve; seeded."""
    rng = np.random.default_rng(3)
    density = np.arange(1, 36) / 36
    true = logistic(density, 0, 1, 25, 0.22)
    pool = rng.binomial(16_000, true)
    ours = run_density(density, pool, np.full(35, 16_000), n, rng)
    runs = rng.binomial(RUN_GAMES, true, size=(n, 35)) / RUN_GAMES
    P = [fit_critical_density(density, np.where(np.cumsum(r == 0) > 0, 0, r)).P for r in runs]
    spread = np.std(P, ddof=1)
    # standard error of a standard deviation of n values: 1 / sqrt(2 n) of it; false alarm 1e-4
    limit = 3.9 * math.sqrt(1 / (2 * n) + 1 / (2 * n))
    assert abs(math.log(ours.sd / spread)) < limit
    sampling = math.hypot(spread, ours.sd) / math.sqrt(n)
    assert abs(ours.mean - np.mean(P)) < 3.9 * math.hypot(ours.mean_sd, sampling)
    assert ours.mean_sd == pytest.approx(ours.sd / 4)
    # negative control: the spread of runs of four times the games is told apart
    larger = rng.binomial(4 * RUN_GAMES, true, size=(n, 35)) / (4 * RUN_GAMES)
    P = [fit_critical_density(density, np.where(np.cumsum(r == 0) > 0, 0, r)).P for r in larger]
    assert abs(math.log(ours.sd / np.std(P, ddof=1))) > limit


def test_paired_games_by_hand() -> None:
    result = Paired(both=40, first_only=9, second_only=1, neither=50, left_out=3)
    assert result.games == 100
    assert result.difference == pytest.approx(-0.08)
    shares = (12 / 102, 8 / 102)  # with one more game of either kind
    assert result.difference_se == pytest.approx(math.sqrt((shares[0] - shares[1] ** 2) / 102))
    assert result.p_value == pytest.approx(22 / 1024)


def test_paired_games_are_of_the_same_boards() -> None:
    ends = {
        ties: play_ends(Task(Board((4, 4)), 4, "weighted", {"ties": ties}, seed=2), 600, threads)
        for ties, threads in (("ordered", 2), ("random", 1))
    }
    same = pair(ends["ordered"], ends["ordered"])
    assert same.first_only == same.second_only == same.left_out == 0
    assert 0 < same.both < 600 == same.games
    mixed = pair(ends["ordered"], ends["random"])
    assert mixed.both + mixed.first_only == same.both
    assert mixed.first_only + mixed.second_only > 0
    task = Task(Board((4, 4)), 4, "weighted", {"ties": "random"}, seed=2)
    assert (ends["random"] == WON).sum() == play_batch(task, 0, 600)["wins"]


def test_games_that_either_gave_up_are_left_out() -> None:
    first = np.array([WON, WON, LOST, REDRAWN, WON], np.uint8)
    second = np.array([WON, LOST, WON, WON, REDRAWN], np.uint8)
    assert pair(first, second) == Paired(1, 1, 1, 0, left_out=2)
    with pytest.raises(InputError, match="must not be given up"):
        pair(first[3:], second[3:])
    with pytest.raises(InputError, match="must be the same"):
        pair(first, second[:3])


def test_the_ends_of_games_survive_a_file(tmp_path) -> None:
    task = Task(Board((3, 3)), 2, "listing", seed=5)
    ends = np.array([WON, LOST, REDRAWN, LOST], np.uint8)
    table = pd.DataFrame([outcome_row(task, ends)])
    write_table(tmp_path / "ends.csv", table, OUTCOME_COLUMNS)
    again = read_ends(read_table(tmp_path / "ends.csv", OUTCOME_COLUMNS))
    assert list(again) == [("3x3", 2)]
    assert again["3x3", 2].tolist() == ends.tolist()


def test_every_fault_is_fixed_and_tried_alone() -> None:
    found = variants()
    assert set(found) == {"listing", "text"} | {
        f"{how}-{fault}" for how in ("mended", "alone") for fault in PLAYERS["listing"].options
    }
    assert set(found["listing"].values()) == {"on"} and set(found["text"].values()) == {"off"}
    assert found["mended-choose_one"] == found["listing"] | {"choose_one": "off"}
    assert found["alone-choose_one"] == found["text"] | {"choose_one": "on"}


@pytest.mark.statistical
@pytest.mark.parametrize("replicates", sizes(20, 60))
def test_the_cost_of_a_fault_is_that_of_games_drawn_apart(replicates: int) -> None:
    """6x6, seeded: cost in P at a known one, not at 0 (false alarm 1e-4 for each row)."""
    # a standard error from n replicates has n - 1 degrees of freedom
    limit = t.isf(0.5e-4, replicates - 1)
    rng = np.random.default_rng(8)
    cells, games = 36, 1000
    density = np.arange(1, cells) / cells
    draws = {m: rng.random(games) for m in range(1, cells)}

    def player(middle: float) -> dict[tuple[str, int], np.ndarray]:
        rate = logistic(density, 0, 1, 25, middle)
        return {("6x6", m): (draws[m] < rate[m - 1]).astype(np.uint8) for m in range(1, cells)}

    weak, strong = player(0.22), player(0.24)
    ends = {name: strong if name == "text" or "mended" in name else weak for name in variants()}
    table = ablation_table(ends, {"6x6": cells}, [("6x6", 8)], games, replicates)
    assert len(table) == 2 * 2 * len(PLAYERS["listing"].options)
    costs = table[table["mines"].isna()]
    assert (abs(costs["cost"] - 0.02) < limit * costs["cost_se"]).all()
    assert (costs["cost"] > limit * costs["cost_se"]).all()
    # the same games for both: less spread than games drawn apart would have
    apart = run_density(density, *_pool(strong, cells, games), replicates, rng).sd
    assert math.sqrt((costs["cost_se"] ** 2).mean()) < apart
    spot = table[table["mines"] == 8]
    assert spot["cost"].to_numpy() == pytest.approx(
        (spot["without"] - spot["with_fault"]).to_numpy()
    )
    assert (spot["p_value"] < 1e-4).all()


def _pool(player, cells, games):
    wins = [int((player["6x6", m] == WON).sum()) for m in range(1, cells)]
    return wins, [games] * (cells - 1)


def test_quoted_win_rates_beside_ours() -> None:
    quotes = pd.DataFrame(
        {
            "board": ["4x4", "3x3"],
            "mines": [14, 2],
            "win_rate": [0.07, 0.01],
            "decimals": [2, 2],
            "games": [1000, 1000],
            "seconds": [float("nan"), 2.0],
            "section": ["8.1", "-"],
        }
    )
    found, speed = quoted_tables(quotes, [("weighted", {"ties": "ordered"})], Rules(), 1, 4000, 2)
    wins = play_batch(Task(Board((4, 4)), 14, seed=1), 0, 4000)["wins"]
    assert found["wins"].tolist()[0] == wins
    assert found["luck"].iloc[0] == pytest.approx(1 / 15) and found["luck_as_printed"].iloc[0] == 0
    assert found["detectable"].iloc[1] == pytest.approx(
        detectable() * (0.01 - found["win_rate"].iloc[1]) / found["z"].iloc[1]
    )
    assert found["z"].iloc[1] < -10  # negative control: no player wins 1 % of 3x3 with 2 mines
    assert speed["published_us"].iloc[1] == 2000
    assert np.isnan(speed["times_as_fast"].iloc[0]) and speed["times_as_fast"].iloc[1] > 1


def test_table_b2_beside_runs() -> None:
    density = np.arange(1, 9) / 9
    rows = []
    for player, middle in (("near", 0.3), ("far", 0.5)):
        rate = logistic(density, 0, 1, 20, middle)
        rows += [
            {"board": "3x3", "player": player, "mines": m + 1, "density": density[m]}
            | {"games": 4000, "wins": round(4000 * rate[m])}
            for m in range(8)
        ]
    # 1x1 has no P, and nobody played 4x4.
    published = pd.DataFrame({"p": [1, 3, 4], "q": [1, 3, 4], "P": [np.nan, 0.3, 0.2]})
    table = runs_table(pd.DataFrame(rows), published, 40)
    assert table["board"].tolist() == ["3x3", "3x3"] and table["inner"].tolist() == [1, 1]
    near, far = table["z"]
    assert abs(near) < 3.3 < abs(far)
    result = agreement(table).set_index("player")
    assert result.loc["far", "chi_square"] == pytest.approx(far**2)
    assert result.loc["near", "boards"] == 1 and result.loc["near", "degenerate"] == 0
    assert (table["twins"] == "").all()
    (pair,) = apart(table).itertuples()
    assert (pair.boards, pair.left_out) == (1, 0)
    assert pair.second_chi_square == pytest.approx(far**2)
    alike = pd.DataFrame(rows[:8] + [row | {"player": "far"} for row in rows[:8]])
    twins = runs_table(alike, published, 40)
    assert twins["twins"].tolist() == ["far", "near"]
    assert twins["z"].nunique() == twins["P"].nunique() == 1  # the same games, the same row
    (pair,) = apart(twins).itertuples()
    assert (pair.boards, pair.left_out, pair.first_chi_square) == (0, 1, 0)
    with pytest.raises(InputError, match="board 3x3 of near must have 8 rows"):
        runs_table(pd.DataFrame(rows[1:]), published, 40)


def test_a_study_is_read_or_refused(tmp_path) -> None:
    study = load_settings(ROOT / "workflow/config/reproduction.yaml")
    parts = study.parts()
    boards = [board for names in parts.values() for board in names]
    assert len(boards) == len(set(boards)) == 54 + 40
    assert study.config("q4") is study.sweep and study.config("strips") is study.strips
    assert study.sweep.games >= 4 * RUN_GAMES
    text = (ROOT / "workflow/config/reproduction.yaml").read_text(encoding="utf-8")
    for wrong, message in (
        (text.replace("quoted:", "quotes:"), "unknown key 'quotes': did you mean 'quoted'"),
        (text.replace("spot_games: 20000", "spot_games: 0"), "spot_games=0 must be"),
        (text.replace("[6x6, 10x10]", "[6y6]"), "board='6y6' must be"),
        (text.replace("[6x6, 10x10]", "[]"), r"ablation.boards=\[\] must not be empty"),
        (text.replace("games: 100000", "games: 1" + "0" * 30), "quoted.games=1000"),
        (
            text.replace("games: 4000", "gamess: 4000"),
            "unknown key 'gamess' in sweep: did you mean",
        ),
        # open(0) would wait for standard input, and a name would be read as a file.
        (
            "{study: reproduction, sweep: 0, strips: 0, quoted: {games: 1}, ablation: {boards: [],"
            " games: 1, spot_games: 1}}",
            "sweep=0 must be keys and values",
        ),
    ):
        (tmp_path / "wrong.yaml").write_text(wrong, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            load_settings(tmp_path / "wrong.yaml")


def test_run_density_refuses_what_it_cannot_use() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(InputError, match="replicates=1 must be at least 2"):
        run_density([0.5], [1], [2], 1, rng)
    with pytest.raises(InputError, match=r"wins must be in 0\.\.games"):
        run_density([0.5], [3], [2], 2, rng)
    with pytest.raises(InputError, match="games must be above 0"):
        run_density([0.5], [0], [0], 2, rng)
