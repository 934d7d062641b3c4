"""Exact win rates of tasks in a table, joined to games that were played."""

import pandas as pd
import pytest

import msdensity as md
from msdensity.files.tables import write_table
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.exact_rates import exact_table
from msdensity.stats.columns import EXACT_COLUMNS
from msdensity.stats.exact_rates import exact_test, is_exact
from msdensity.studies.paper.exact import count_exactly

RATES = md.sweep("2x3", games=400, seed=3, threads=1)


def test_every_row_of_a_board_is_counted_and_the_games_agree(tmp_path) -> None:
    both = md.with_exact(RATES)
    assert is_exact(both).all() and both["wins"].equals(RATES["wins"])
    for row in both.itertuples():
        assert row.win_rate == float(md.exact_win_rate("2x3", row.mines))
    test = exact_test(both)
    assert test["impossible"].item() == 0 and test["p_value"].item() > 1e-4
    md.write_table(tmp_path / "t.csv", both)
    assert md.read_table(tmp_path / "t.csv")["exact"].equals(both["exact"])
    assert md.with_exact(RATES, cells=5).equals(RATES)
    assert md.with_exact(RATES, ("weighted", {"ties": "random"})).equals(RATES)


def test_a_table_of_exact_win_rates_has_the_same_bytes_whatever_the_seed(tmp_path) -> None:
    tables = [exact_table([md.Task("2x3", m, seed=seed) for m in range(1, 6)]) for seed in (0, 7)]
    assert tables[0].equals(tables[1])
    assert (tables[0]["kernel_version"] == KERNEL_VERSION).all()
    assert tables[0]["layouts"].tolist() == [5, 10, 10, 5, 1]
    of_step = count_exactly(["2x3"], [("weighted", {})], "corner", "safe")
    for name, table in (("a", tables[0]), ("b", of_step)):
        write_table(tmp_path / name, table, EXACT_COLUMNS)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_player_that_draws_is_left_out_by_the_step_and_refused_by_the_call(capsys) -> None:
    table = count_exactly(["2x3"], [("equation", {})], "corner", "safe")
    assert not len(table) and list(table.columns) == list(EXACT_COLUMNS)
    assert "not counted: 2x3 by equation: " in capsys.readouterr().err
    other = pd.DataFrame(RATES).assign(player="equation")
    with pytest.raises(md.InputError, match="must not draw at random"):
        md.with_exact(other, "equation")
    counted = md.with_exact(RATES.assign(player="single_point"), "single_point")
    assert is_exact(counted).all()


@pytest.mark.parametrize(
    "change,message",
    [
        (lambda t: t.assign(topology="torus8"), "topology=torus8 of board 2x3 must be square8"),
        (lambda t: t.assign(mines=[[1], *range(2, 6)]), "'mines' must be int64, holds a list"),
        (lambda t: t.assign(start=[[], *["safe"] * 4]), "'start' must be str, holds a list"),
        (lambda t: pd.concat([t, t[["board"]]], axis=1), "has column 'board' twice"),
    ],
)
def test_a_table_that_is_none_is_refused(change, message) -> None:
    with pytest.raises(md.InputError, match=message):
        md.with_exact(change(RATES))


def test_columns_of_categories_are_read_as_their_values() -> None:
    columns = ("board", "mines", "seed", "win_rate")
    table = RATES.assign(**{name: RATES[name].astype("category") for name in columns})
    assert is_exact(md.with_exact(table)).all()
