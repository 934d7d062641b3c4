"""The page of difficulty: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import chi2

from msdensity.games.boards import LEVELS, Rules
from msdensity.games.difficulty import BY_RULES, CLASSES, GUESSER, MOST_GUESSES
from msdensity.stats.intervals import wilson
from msdensity.stats.rho50.fit_object import REJECTED
from msdensity.studies.difficulty.results import spot_name
from msdensity.studies.difficulty.settings import Settings
from msdensity.studies.page import Page, Tables, pm, rows

HALF = 0.5

TAUGHT = ("pairs", GUESSER)
"""Whose sweet spots the finding names: what a player can learn, and the best that is played."""


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    shares, spots, classes = tables["shares"], tables["spots"], tables["classes"]
    first, *others = settings.start_rules()
    return {
        "study": settings,
        "first": first,
        "others": others,
        "player": GUESSER,
        "words": CLASSES,
        "levels": list(rows(_levels(_at(shares, first)))),
        "hard": _rare(_at(classes, first)),
        "trained": list(rows(_most_pairs(_at(classes, first)))),
        "spot": {by: list(rows(_half(_at(spots, first), by))) for by in TAUGHT},
        "starts": [_start(rules, shares, classes, spots) for rules in settings.start_rules()],
        "wanted": [f"{rate:g}" for rate in settings.win_rates],
        "boards": list(settings.boards()),
        "games": int(classes["games"].sum()),
        "spot_games": int(spots["games"].sum()),
        "most": MOST_GUESSES,
        "missing": list(rows(spots[spots["rho"].isna()])),
        "agreement": _agreement(shares, spots),
        "level": REJECTED,
        "tested": int(spots["p_value"].notna().sum()),
        "rejected": int((spots["p_value"] < REJECTED).sum()),
        "missed": int((spots["rho_se"] > 1.25 * settings.error).sum()),
        "not_unit": int(classes["pairs_not_unit"].sum()),
        "unit": int(classes["unit"].sum()),
        "approximate": int(classes["approximate"].sum()),
    }


def _at(table: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Return the rows of a start."""
    return table[(table["first_click"] == rules.first_click) & (table["start"] == rules.start)]


def _levels(shares: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each level: what guesses, pairs and single cells do. shares: of a start."""
    made = []
    for level in LEVELS:
        own = shares[shares["level"] == level].set_index("hardest")
        if not len(own):
            continue
        guess, single, pairs = (own.loc[name] for name in ("guess", "single", "pairs"))
        row = {"level": level, "board": guess["board"], "mines": guess["mines"]}
        row |= {"guess": guess["share"], "guess_se": guess["share_se"]}
        row |= {"won": guess["alone"], "won_se": guess["alone_se"]}
        row |= {"single": single["alone"], "single_se": single["alone_se"]}
        row |= {"pairs": pairs["alone"], "pairs_se": pairs["alone_se"]}
        row |= {"count": own.loc["count", "share"], "count_se": own.loc["count", "share_se"]}
        made.append(row)
    return pd.DataFrame(made)


def _rare(classes: pd.DataFrame) -> dict[str, Any]:
    """Return the largest share, of a level, of games that take more than pairs, and no mine count.

    classes: of a start. high: the upper end of its 95 % interval; solved: the share of the level's
    games without a guess; empty without a level.
    """
    found: dict[str, Any] = {}
    for level, (board, mines) in LEVELS.items():
        for row in rows(classes[(classes["board"] == board) & (classes["mines"] == mines)]):
            count = row.unit + row.complete
            if count / row.games >= found.get("share", 0):
                high = float(wilson(count, row.games)[1])
                solved = count / max(row.games - row.guess, 1)
                found = {"level": level, "share": count / row.games, "high": high, "solved": solved}
    return found


def _most_pairs(classes: pd.DataFrame) -> pd.DataFrame:
    """Return for each level's board the mines with which pairs are the hardest step most often.

    classes: of a start.
    """
    table = classes.assign(share=classes["pairs"] / classes["games"])
    table["share_se"] = np.sqrt(table["share"] * (1 - table["share"]) / table["games"])
    own = table[table["board"].isin([board for board, _ in LEVELS.values()])]
    best = own.sort_values("share").groupby("board", sort=False).tail(1)
    return best.sort_values("mines")


def _half(spots: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return the sweet spots of 1/2 on the boards of the levels. spots: of a start."""
    boards = {board: level for level, (board, _) in LEVELS.items()}
    own = spots[(spots["win_rate"] == HALF) & (spots["by"] == by) & spots["rho"].notna()]
    own = own[own["board"].isin(list(boards))]
    return own.assign(level=own["board"].map(boards), shown=[_whole(row) for row in rows(own)])


def _whole(row: Any) -> str:
    """Return the whole number of mines of a sweet spot, or two if its error does not tell them."""
    between = row.below + 0.5
    if abs(row.mines - between) <= 2 * row.mines_se:
        return f"{row.below:.0f} or {row.above:.0f}"
    return f"{row.closest:.0f}"


def _agreement(shares: pd.DataFrame, spots: pd.DataFrame) -> dict[str, float]:
    """Return chi-square of the win rates beside sweet spots against the counted ones, both known.

    The curve of a sweet spot gives W at the whole numbers around it, which may be a level's mines.
    """
    own = shares.assign(by=shares["hardest"].replace("guess", GUESSER))
    z: list[float] = []
    for end in ("below", "above"):
        place = ["board", "first_click", "start", "by"]
        both = spots.merge(own, left_on=[*place, end], right_on=[*place, "mines"])
        error = np.hypot(both[f"{end}_rate_se"], both["alone_se"])
        z += ((both[f"{end}_rate"] - both["alone"]) / error).tolist()
    square = float(np.square(z).sum())
    return {"n": len(z), "square": square, "p": float(chi2.sf(square, max(len(z), 1)))}


def _start(
    rules: Rules, shares: pd.DataFrame, classes: pd.DataFrame, spots: pd.DataFrame
) -> dict[str, Any]:
    """Return the tables of one start."""
    return {
        "rules": rules,
        "shares": _shares(_at(shares, rules)),
        "guesses": _guesses(_at(classes, rules)),
        "spots": _spots(_at(spots, rules)),
        "half": _brackets(_at(spots, rules)),
    }


def _shares(shares: pd.DataFrame) -> pd.DataFrame:
    """Return the classes in percent, a column for each level, and what each opens alone."""
    table = pd.DataFrame({"the hardest step": list(CLASSES.values())})
    for (level, board, mines), own in shares.groupby(["level", "board", "mines"], sort=False):
        by = own.set_index("hardest")
        head = f"{level} ({board}, {mines})"
        for what, name in (("%", "share"), ("alone %", "alone")):
            values = 100 * by.loc[list(CLASSES), [name, f"{name}_se"]].to_numpy()
            table[f"{head}, {what}"] = [pm(value, error, ".2f") for value, error in values]
    return table


def _guesses(classes: pd.DataFrame) -> pd.DataFrame:
    """Return how many guesses the games of the levels took, in percent."""
    made = []
    for level, (board, mines) in LEVELS.items():
        for row in rows(classes[(classes["board"] == board) & (classes["mines"] == mines)]):
            shown: dict[str, str] = {"level": level}
            ends = {"no guess": row.games - row.guess}
            for n in range(1, MOST_GUESSES + 1):
                more = " or more" if n == MOST_GUESSES else ""
                for end in ("won", "lost"):
                    ends[f"{n}{more}, {end}"] = getattr(row, f"{end}_{n}")
            for name, count in ends.items():
                share = count / row.games
                shown[f"{name} %"] = pm(100 * share, 100 * np.sqrt(share * (1 - share) / row.games))
            made.append(shown)
    return pd.DataFrame(made)


def _spots(spots: pd.DataFrame) -> pd.DataFrame:
    """Return the sweet spots in mines: boards by rules and players, a column for each win rate."""
    made: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows(spots):
        line = made.setdefault((row.board, row.by), {"board": row.board, "by": spot_name(row.by)})
        line[f"win rate {row.win_rate:g}"] = pm(row.mines, row.mines_se) or "none"
    return pd.DataFrame(list(made.values()))


def _brackets(spots: pd.DataFrame) -> pd.DataFrame:
    """Return the whole numbers of mines around the sweet spots of 1/2 at the levels."""
    made = [_half(spots, by).assign(name=spot_name(by)) for by in dict.fromkeys(spots["by"])]
    table = pd.concat(made) if made else spots.assign(name="", level="")
    order = {level: i for i, level in enumerate(LEVELS)}
    known = set(BY_RULES)
    ranked = table.assign(
        order=table["level"].map(order), guesses=[by not in known for by in table["by"]]
    )
    return ranked.sort_values(["order", "guesses"], kind="stable", ignore_index=True)


page = Page("difficulty", "difficulty/page.md.j2", "difficulty/finding.md.j2", facts)
"""The page: see `Page`."""
