"""`msdensity exact`: every number of mines, the best of all players, refusals before any row."""

import json
from fractions import Fraction

import pytest

import msdensity as md
from msdensity.cli import main


def test_every_number_of_mines_has_a_row_with_its_fraction(capsys) -> None:
    assert main(["exact", "3x4", "--optimal"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["mines", "win", "rate", "best", "win", "rate", "as", "a", "fraction"]
    for mines, row in enumerate(rows, 1):
        number, rate, best, fraction = row.split()
        exact = md.exact_win_rate("3x4", mines)
        assert (int(number), Fraction(fraction)) == (mines, exact)
        assert rate == f"{float(exact):.12f}"
        assert best == f"{float(md.optimal_win_probability('3x4', mines)):.12f}"
    assert len(rows) == 11


def test_the_options_and_the_rules_reach_the_count(capsys) -> None:
    words = "exact 3x4 --mines 3 --option ties=random --first-click 0,1 --start unprotected --json"
    assert main(words.split()) == 0
    facts = json.loads(capsys.readouterr().out)
    (row,) = facts.pop("rows")
    assert facts == {
        **{"board": "3x4", "player": "weighted", "options": {"ties": "random"}},
        **{"first_click": "cell:1", "start": "unprotected"},
    }
    exact = md.exact_win_rate("3x4", 3, ("weighted", {"ties": "random"}), "cell:1", "unprotected")
    assert Fraction(row["fraction"]) == exact == Fraction(row["won"]) / row["layouts"]
    assert row["layouts"] == 220


@pytest.mark.parametrize(
    "words,message",
    [
        ("3x4 --player equation", "player=equation must not draw at random"),
        ("9x9", "cells=81 of board 9x9 must be at most 64"),
        ("6x6", "mines=7 of board 6x6 gives 6,724,520 layouts, must be at most 6,000,000"),
        ("3x4 --mines 0.2", "a density is not allowed"),
        ("4x4 --start zero --mines 13", "mines=13 must be a whole number in 1..12"),
        ("4x4 --budget 0", "budget=0 must be a whole number in 1.."),
        (
            "3x4 --optimal --start first_zero",
            "start=first_zero must be safe, zero or unprot",
        ),
        ("4x4 --mines 5 --option ties=random --budget 3", "budget=3 must be larger"),
        ("--board 3x4 --seed 1", "unknown arguments: --seed 1"),
    ],
)
def test_what_cannot_be_counted_is_one_line(words: str, message: str, capsys) -> None:
    try:
        status = main(["exact", *words.split()])
    except SystemExit as stop:  # of a word that the parser does not know
        status = stop.code
    assert status == 2
    out, error = capsys.readouterr()
    assert message in error and error.count("\n") == 1
    assert out == "" or "larger" in message  # that the budget is too small, only the search says
