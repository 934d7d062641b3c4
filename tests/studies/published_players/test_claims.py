"""What becomes of claims: by hand, and of the start that their tables have."""

import numpy as np
import pandas as pd
import pytest

from msdensity.stats.paired import difference_error, p_value, z_score
from msdensity.stats.testing import DIFFERS, LEVEL
from msdensity.studies.published_players.claims import judged_pairs, way_name
from msdensity.studies.published_players.columns import PAIR_COLUMNS
from msdensity.studies.published_players.questions import QUESTIONS

GAMES = 10_000


def pair(question: str, board: str, first: int, second: int, one: int, other: int) -> dict:
    asked = QUESTIONS[question]
    return {
        "question": f"{asked.title} ({asked.source})",
        "board": board,
        "mines": 10,
        "first": way_name(asked, first),
        "second": way_name(asked, second),
        "games": GAMES,
        "both": 3000,
        "first_only": one,
        "second_only": other,
        "neither": GAMES - 3000 - one - other,
        "difference": (one - other) / GAMES,
        "difference_se": difference_error(one, other, GAMES),
        "z": z_score(one, other),
        "p_value": p_value(one, other),
    }


def judged(*rows: dict) -> pd.DataFrame:
    return judged_pairs(pd.DataFrame(rows, columns=list(PAIR_COLUMNS)))


def test_a_claim_of_who_wins_more_is_judged_in_either_order() -> None:
    table = judged(
        pair("openers", "9x9", 0, 1, 700, 500),
        pair("openers", "16x16", 1, 0, 700, 500),
        pair("openers", "16x30", 0, 1, 510, 500),
        pair("constraints", "9x9", 0, 3, 700, 500),
    )
    assert table["verdict"].tolist() == ["holds", "contradicted", "not decided", "no claim"]
    assert (table["together"] >= table["p_value"]).all()
    # Not decided: what is missed with 90 % probability is far above the difference.
    assert table["detectable"].iloc[2] > DIFFERS * table["difference_se"].iloc[2] > 0.001


def test_claims_are_judged_together() -> None:
    """A pair that is sure by itself is not among 40 pairs."""
    alone = pair("openers", "9x9", 0, 1, 606, 490)
    assert 1e-3 / 40 < alone["p_value"] < LEVEL
    assert judged(alone)["verdict"].tolist() == ["holds"]
    many = [pair("constraints", "9x9", 1, 2, 500, 500 + i % 3) for i in range(39)]
    assert judged(alone, *many)["verdict"].iloc[0] == "not decided"


@pytest.mark.parametrize(
    "one, other, verdict", [(960, 500, "agrees"), (500, 960, "differs"), (500, 500, "differs")]
)
def test_a_printed_number_is_compared_with_the_number(one: int, other: int, verdict: str) -> None:
    row = judged(pair("constraints", "16x30", 0, 1, 1200 + one, 1000 + other)).iloc[0]
    assert row["points"] == pytest.approx(0.07)
    z = (row["difference"] - 0.07) / row["z_claim"]  # the error of both sides and the rounding
    ours = difference_error(1200 + one, 1000 + other, GAMES)
    theirs = ours / row["error_ratio"] * (GAMES / 100_000) ** 0.5
    assert z == pytest.approx(np.sqrt(ours**2 + theirs**2 + 0.01**2 / 12))
    assert row["verdict"] == verdict


def test_004_is_judged_under_the_start_of_its_tables() -> None:
    asked = QUESTIONS["graphical"]
    assert way_name(asked, 4) == "coupled_subsets corner first_zero"
    assert [claim.points for claim in asked.claims[:3]] == [0.9, 4.3, 4.6]
    # Constraints are claimed to win more above beginner, and are the second of the pair.
    row = judged(pair("graphical", "8x8", 3, 4, 490, 400)).iloc[0]
    assert row["points"] == pytest.approx(0.009) and row["verdict"] == "agrees"
    row = judged(pair("graphical", "13x15", 3, 4, 370, 800)).iloc[0]
    assert row["points"] == pytest.approx(-0.043) and abs(row["z_claim"]) < 0.1


def test_every_claim_names_two_ways_and_a_board() -> None:
    for question in QUESTIONS.values():
        boards = {"", *(board for board, _ in question.boards)}
        for claim in question.claims:
            assert claim.more != claim.less
            assert max(claim.more, claim.less) < len(question.ways) and claim.board in boards
            assert (claim.points is None) == (claim.games == 0)
