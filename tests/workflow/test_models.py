"""An own model goes through the whole workflow, and its file decides when it runs again."""

from pathlib import Path

import pytest

from places import ROOT
from repository import NOTHING, copy_of, jobs, rows, snakemake

pytestmark = [pytest.mark.workflow, pytest.mark.campaign]

PAGE = (ROOT / "docs/how-to/fit-model.md").read_text(encoding="utf-8")
OWN = PAGE.partition("```python\n")[2].partition("```")[0]
CONFIG = {
    "name": "own",
    "games": 100,
    "bootstrap": 5,
    "boards": ["1x4", "3x3", "4x4", "5x5", "6x6"],
    "models": ["my_models:probit", "logistic", "weibull"],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    folder = copy_of(ROOT, tmp_path_factory.mktemp("models") / "main")
    (folder / "my_models.py").write_text(OWN)
    snakemake(folder, CONFIG)
    return folder


def test_tables_and_figures_use_the_first_model_and_all_are_compared(run) -> None:
    fits, models = (rows(run / f"data/own/{name}.csv") for name in ("fits", "models"))
    assert {row["model"] for row in fits} == {"my_models:probit"}
    assert [row["board"] for row in fits] == CONFIG["boards"]
    assert [row["model"] for row in models[:3]] == CONFIG["models"]
    assert models[0]["P"] == fits[0]["P"]
    assert all(row["L"] for row in models if (row["board"], row["model"]) == ("5x5", "logistic"))
    assert not any(row["L"] for row in fits)
    printed = {(row["p"], row["q"]): row["P"] for row in rows(run / "data/own/table_b2.csv")}
    assert printed["5", "5"] == next(row["P"] for row in fits if row["board"] == "5x5")
    for name in ("win_rates", "figure_9_1", "figure_9_6"):
        assert (run / f"figures/own/{name}.png").read_bytes().startswith(b"\x89PNG")


def test_a_change_of_its_file_makes_the_fits_again_and_what_follows(run) -> None:
    assert NOTHING in snakemake(run, CONFIG, "--dry-run")
    (run / "my_models.py").write_text(OWN + "\n")
    planned = jobs(snakemake(run, CONFIG, "--dry-run"))
    assert {"fits", "extrapolation", "table_b2", "figure_win_rates"} <= set(planned)
    assert not {"sweep_small", "win_rates", "rho50", "table_b1"} & set(planned)
    (run / "my_models.py").write_text(OWN)
    assert NOTHING in snakemake(run, CONFIG, "--dry-run")


def test_a_model_that_is_not_there_is_one_line_before_any_work(run) -> None:
    wrong = CONFIG | {"models": ["my_models:nothing"]}
    printed = snakemake(run, wrong, "--dry-run", ok=False)
    assert "models[0]: model=my_models:nothing: " in printed
    assert "Traceback" not in printed
