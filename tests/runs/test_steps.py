"""Steps: what a rule passes reaches the function, or is an error."""

import json
import sys
from types import SimpleNamespace

import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.files.own_code import load_own_code
from msdensity.files.tables import Column, write_table
from msdensity.runs.steps import call, load, models_hash, options, sources, write
from places import ROOT

COLUMNS = {"x": Column("int64"), "y": Column("float64", missing=True)}
TABLES = {"first": COLUMNS, "second": COLUMNS}


def total(first: pd.DataFrame, factor: int, threads: int = 1) -> pd.DataFrame:
    return pd.DataFrame({"x": [first["x"].sum() * factor], "y": [threads / 3]})


@pytest.fixture
def paths(tmp_path) -> list[str]:
    names = [str(tmp_path / f"{i}.csv") for i in range(2)]
    for i, name in enumerate(names):
        write_table(name, pd.DataFrame({"x": [i + 1], "y": [0.5]}), COLUMNS)
    return names


def test_tables_and_options_reach_the_function(paths, tmp_path) -> None:
    made = call(total, TABLES, {"first": paths}, {"factor": 10}, {"threads": 2, "keep": None})
    assert made["x"].tolist() == [30] and made["y"].tolist() == [2 / 3]
    # The options of the rule take precedence over what is offered.
    made = call(total, TABLES, {"first": paths[0]}, {"factor": 1, "threads": 3}, {"threads": 2})
    assert made["y"].tolist() == [1]
    write(made, TABLES, {"second": str(tmp_path / "made.csv")})
    assert (tmp_path / "made.csv").read_text() == "x,y\n1,1.0\n"


@pytest.mark.parametrize(
    ("inputs", "given"), [(["first", "second"], {"factor": 1}), (["first"], {"factor": 1, "q": 2})]
)
def test_a_table_or_an_option_that_is_not_taken_is_an_error(paths, inputs, given) -> None:
    with pytest.raises(TypeError, match=r"step total takes no (second|q)$"):
        call(total, TABLES, dict.fromkeys(inputs, paths[0]), given, {})


def test_several_tables_numbers_and_wrong_tables(tmp_path) -> None:
    table = pd.DataFrame({"x": [1], "y": [None]})
    outputs = {name: str(tmp_path / f"{name}.csv") for name in TABLES}
    write({"first": table, "second": table, "third": table}, TABLES, outputs)
    assert (tmp_path / "second.csv").read_text() == "x,y\n1,\n"
    write({"a": 1}, TABLES, {"numbers": str(tmp_path / "numbers.json")})
    assert json.loads((tmp_path / "numbers.json").read_text()) == {"a": 1}
    with pytest.raises(InputError, match="lacks column"):
        write(table[["x"]], TABLES, {"first": outputs["first"]})


def test_settings_are_read_and_params_for_snakemake_are_left_out(tmp_path) -> None:
    class Params(SimpleNamespace):
        def items(self):
            return vars(self).items()

    params = Params(
        step="studies.reproduction.play:play_sweep",
        settings=str(ROOT / "workflow/config/smoke_reproduction.yaml"),
        seed=1,
        kernel_version=2,
        depends="x",
        ledgers="data",
    )
    given = options(params)
    assert set(given) == {"settings", "ledgers"}
    assert given["settings"].name == "smoke_reproduction"


def test_a_step_is_a_function_with_the_tables_of_its_room() -> None:
    function, tables = load("stats.logistic:fits_table")
    assert function.__name__ == "fits_table" and "win_rates" in tables
    figures, tables = load("studies.reproduction.figures:FIGURES")
    assert "ablation" in figures and "ablation" in tables
    names = {path.name for path in sources("studies.reproduction.figures:FIGURES")}
    assert {"figures.py", "paper.mplstyle", "plot.py", "columns.py"} <= names
    assert not {"state.py", "registry.py"} & names  # the kernel, and the players


def test_the_hash_of_models_is_that_of_their_files(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "one_model", raising=False)
    load_own_code.cache_clear()
    source = "from msdensity.stats.models import MODELS\nmine = MODELS['weibull']\n"
    (tmp_path / "one_model.py").write_text(source)
    assert models_hash(["logistic", "weibull"]) == ""
    before = models_hash(["logistic", "one_model:mine"])
    assert before and models_hash(["one_model:mine"]) == before
    (tmp_path / "one_model.py").write_text(source + "# other\n")
    load_own_code.cache_clear()  # as in a new process
    assert models_hash(["one_model:mine"]) != before
