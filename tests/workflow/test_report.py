"""The first page of the report says what the configuration asks for, and no more."""

from types import SimpleNamespace

import pytest
from docutils.core import publish_string
from jinja2 import Environment, StrictUndefined

from places import ROOT

WORDS = (ROOT / "workflow/report/workflow.rst").read_text(encoding="utf-8")


def first_page(config: dict) -> str:
    template = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    ).from_string(WORDS)
    text = template.render(snakemake=SimpleNamespace(config=config))
    publish_string(text, settings_overrides={"halt_level": 2, "report_level": 2})
    return text


@pytest.mark.parametrize(
    ("config", "lines"),
    [
        ({}, ["games: 1000 with every number of mines, seed 0", "player: ``weighted``"]),
        (
            {"boards": ["6x7", {"p": [1, 2], "q": [3, 4]}], "games": 7, "seed": 5},
            [
                "games: 7 with every number of mines, seed 5",
                "boards: ``6x7``",
                "boards: p x q with p in 1..2, q in 3..4 and p <= q",
            ],
        ),
        (
            {"players": [{"player": "my_own:choose"}, {"player": "weighted", "ties": "random"}]},
            ["player: ``my_own:choose``", "player: ``weighted, ties random``"],
        ),
        (
            {"mines": "near_half", "models": ["my_models:probit", "logistic"]},
            [
                "games: 1000 with the numbers of mines near half of the games won, seed 0",
                "model of the win rate: ``my_models:probit``",
                "model of the win rate: ``logistic``",
            ],
        ),
    ],
)
def test_it_lists_boards_players_and_models(config, lines) -> None:
    page = first_page({"name": "mine"} | config)
    assert "configuration\n``mine`` asks for" in page
    for line in lines:
        assert f"\n- {line}\n" in page
