"""All players by name, with their sources and options (pure Python: no Numba)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from msdensity.errors import InputError, OwnFileError, did_you_mean, shown
from msdensity.files.own_code import load_own_code, names_own_code
from msdensity.players.options import (
    ALWAYS,
    BELIEF_OPTIONS,
    DRAWN_TIES,
    SINGLES,
    TIES,
    Option,
    PlayerInfo,
    switch,
)

PLAYERS: dict[str, PlayerInfo] = {
    player.name: player
    for player in (
        PlayerInfo(
            name="weighted",
            source="001, sections 3, 4 and 6 (formulas 4.10 and 4.22, Algorithm 4.2)",
            summary="every certain cell, else the cell of highest exact safety",
            options=TIES,
            draws=DRAWN_TIES,
        ),
        PlayerInfo(
            name="end_game",
            source="000, chapter 7 (a Markov decision process), from at most 100 layouts on",
            summary="as weighted; from at most 100 layouts on the best move, exactly",
            options=TIES,
            draws=DRAWN_TIES,
            memory="end_game",
            cost=1.5,
        ),
        PlayerInfo(
            name="optimal",
            module="end_game",
            source="000, chapter 7 (a Markov decision process), from the first guess on",
            summary="on a board of up to 20 cells the best move, exactly; elsewhere as end_game",
            options=TIES,
            draws=DRAWN_TIES,
            memory="optimal",
            cost=1.5,
        ),
        PlayerInfo(
            name="listing",
            module="listing.player",
            memory="listing.memory",
            source="001, Annex A.1 (Inferrer.cs, Guesser.cs, Solver.cs), as the program runs",
            cost=40,
            summary="the program behind the published win rates; each of its faults is a switch",
            options={
                "no_mine_count": switch("inference without the mine count", "Inferrer.cs 14-27"),
                "contradiction_ignored": switch("HasContradiction is never true", "Inferrer.cs 93"),
                "depth_limit": switch(
                    "one completion of each branch after depth 6", "Guesser.cs 117, 150, 175"
                ),
                "component_weights": switch(
                    "groups weighed separately, over one denominator", "Guesser.cs 265-297"
                ),
                "choose_one": switch("Choose is 1 outside its range", "Guesser.cs 282"),
                "floating_unknown": switch("|U| for |E| in floating safety", "Guesser.cs 304"),
                "guess_after_safe": switch("a guess after cells of score 1", "Solver.cs 34-45"),
                "exact_ties": switch("ties of exact doubles", "Solver.cs 41"),
            },
        ),
        PlayerInfo(
            name="cellular_automaton",
            source="000, section 5.1 (Adamatzky 1997)",
            summary="both single-point rules on all cells at once; stops where it would guess",
            guesses=False,
            options={
                "rule": Option(
                    "general",
                    ("one", "general"),
                    "marks: the only covered neighbour if one mine is missing, or all if as many "
                    "mines are missing as neighbours are covered",
                )
            },
            module="single_point",
            entry="play_automaton",
        ),
        PlayerInfo(
            name="naive_single_point",
            draws=ALWAYS,
            source="000, section 5.2, Algorithm 5.1 (PGMS; Pedersen 2004)",
            summary="both single-point rules around the last opened cell, else a random cell",
            options={
                "again": Option(
                    "second_order",
                    ("second_order", "none", "neighbours"),
                    "looks again at all cells within two steps of a deduction (PGMS), at none "
                    "(Algorithm 5.1), or at the neighbours of each move (Pedersen)",
                ),
                "drawn": Option(
                    "covered",
                    ("covered", "any"),
                    "a guess is drawn from the covered cells, or from all, looking again at opened "
                    "ones (PGMS)",
                ),
            },
            module="single_point",
            entry="play_naive",
        ),
        PlayerInfo(
            name="double_set",
            draws=ALWAYS,
            source="000, section 5.3, Algorithm 5.2",
            summary="both single-point rules wherever they apply, else a guess",
            options={
                "guessing": Option(
                    "random",
                    ("random", "improved"),
                    "a random cell, or a corner, else an edge, else beside an opened cell (5.3.2)",
                )
            },
            module="single_point",
            entry="play_double_set",
        ),
        PlayerInfo(
            name="single_point",
            draws=ALWAYS,
            source="004, section 2.1",
            summary="both single-point rules on the whole board, else a random cell",
            entry="play_scan",
        ),
        PlayerInfo(
            name="coupled_subsets",
            draws=ALWAYS,
            source="000, section 6.2; 004, section 2.3 (Studholme 2000)",
            cost=2,
            summary="all solutions of coupled constraints; crap-shoots at once; else the cell free "
            "in most solutions, or an unconstrained one",
            module="constraints.coupled",
            memory="constraints.memory",
            entry="play_coupled_subsets",
        ),
        PlayerInfo(
            name="connected_components",
            draws=ALWAYS,
            source="000, section 6.3",
            cost=2,
            summary="all solutions of connected constraints, else a corner, an edge or a "
            "constrained cell at random",
            module="constraints.coupled",
            memory="constraints.memory",
            entry="play_connected_components",
        ),
        PlayerInfo(
            name="limited_search",
            draws=ALWAYS,
            module="constraints.limited",
            memory="constraints.memory",
            source="000, section 3.2 (Pedersen 2004)",
            cost=5,
            summary="all solutions of the numbers beside each cell, else the cell that is free in "
            "most of its solutions",
        ),
        PlayerInfo(
            name="csp_report",
            draws=ALWAYS,
            module="constraints.kishore_moris",
            memory="constraints.memory",
            source="003, Algorithm 1",
            cost=2,
            summary="coupled constraints, small subsets solved, crap-shoots at random, else the "
            "cell of lowest estimated chance of a mine",
            options={
                "small": Option(
                    "20", ("20", "10", "all"), "most variables of a subset that is solved"
                )
            },
        ),
        PlayerInfo(
            name="equation",
            draws=ALWAYS,
            module="constraints.equation",
            memory="constraints.memory",
            source="004, section 2.2 (Ramsdell, Programmer's Minesweeper)",
            summary="equations and their differences, else the cell of lowest P(t) = max c/|S|",
            options={
                "global_equation": Option(
                    "off",
                    ("off", "on"),
                    "on: the mines left are an equation once 8 cells are unknown (Ramsdell)",
                )
            },
        ),
        PlayerInfo(
            name="lbp",
            draws=ALWAYS,
            module="belief.player",
            entry="play_lbp",
            memory="belief.memory",
            source="004, section 4 (LBP)",
            cost=3,
            summary="cells certain in a clique, at once or after messages between cliques, else "
            "the cell of the highest belief",
            options=BELIEF_OPTIONS | SINGLES,
        ),
        PlayerInfo(
            name="lbp_mc",
            draws=ALWAYS,
            module="belief.player",
            entry="play_lbp_mc",
            memory="belief.memory",
            source="004, section 4 (LBP-MC)",
            cost=4,
            summary="as lbp, with merged cliques",
            options=BELIEF_OPTIONS
            | {
                "prior": Option(
                    "half",
                    ("half", "density"),
                    "weight of a mine: that of a free cell, or mines left / free cells left (not "
                    "in 004)",
                ),
                "clique_size": Option(
                    "12",
                    ("12", "8", "9", "10", "11", "16", "20"),
                    "most unknown cells of a merged clique, K (4.1.4)",
                ),
                "merge": Option(
                    "first",
                    ("first", "largest"),
                    "the neighbour that is merged: the first that fits, or the one with most "
                    "common cells",
                ),
            }
            | SINGLES,
        ),
        PlayerInfo(
            name="resolution",
            draws=ALWAYS,
            module="resolution.player",
            memory="resolution.memory",
            source="002 (McIntyre 2016), Algorithms 1 to 3",
            cost=8,
            summary="clauses of the numbers resolved in local knowledge bases, else the cell of "
            "lowest max c/|S|",
            options={
                "width": Option(
                    "3",
                    ("3", "2", "4", "any", "none"),
                    "most literals of a clause; any: at most 300 clauses; none: none is resolved",
                ),
                "neighbourhood": Option(
                    "4",
                    ("4", "2", "growing"),
                    "numbers resolved with one another: within 4 or 2 steps of each, or 1, 2, ... "
                    "steps around every fifth row and column, at most 300 clauses (002)",
                ),
                "subsumption": Option(
                    "on",
                    ("off", "on"),
                    "on: clauses that a shorter one implies are dropped; off: at most 300 (002)",
                ),
                "refutation": Option(
                    "off",
                    ("off", "on"),
                    "on: as a last resort a state of each cell is assumed and refuted (002)",
                ),
                "pair_rule": Option(
                    "on",
                    ("off", "on"),
                    "on: two numbers are compared first, which costs little; off: as the text",
                ),
                "guess": Option(
                    "share",
                    ("share", "random"),
                    "the cell of lowest max c/|S| (004, section 2.2), or a random covered cell",
                ),
                "unit_refutation": Option(
                    "on",
                    ("off", "on"),
                    "on: before clauses, a state of each cell is refuted by single numbers alone, "
                    "which costs little; off: as the text",
                ),
                "mine_count": Option(
                    "off",
                    ("off", "on"),
                    "on: the mines left are one more number once 24 cells are unknown; off: as the "
                    "text",
                ),
            },
        ),
        PlayerInfo(
            name="inference",
            module="inference.player",
            memory="inference.memory",
            source="001, section 3, made complete; 002, Algorithm 3 with unit clauses (unit)",
            cost=2,
            summary="what one set of rules decides without the mine count; stops where it would "
            "guess",
            guesses=False,
            options={
                "rules": Option(
                    "complete",
                    ("complete", "unit", "pairs", "single", "zeros"),
                    "every certain cell of a component; single cells, and states that these "
                    "refute; pairs of cells; single cells; the cascade of 0s alone",
                )
            },
        ),
    )
}


ESTIMATORS: dict[str, PlayerInfo] = {
    "conditional": PlayerInfo(
        name="conditional",
        source="001, sections 3, 4 and 6, by conditional Monte Carlo",
        summary="the games of `weighted`, with weights that estimate its win rate",
        options=PLAYERS["weighted"].options,
        memory="forced",
        cost=1.5,
        draws=ALWAYS,
    )
}
"""Not offered as players, because they look at mines: they measure the win rate of one."""


def player_info(name: str) -> PlayerInfo:
    """Return a player of the registry, or a custom one, named "module:function".

    A custom player has the option `source`, whose only value is the hash of its file, and
    `version`, if its function has an attribute of this name. Both are part of a task's identity and
    of the player's label, so that games of an older function are never mixed with those of this
    one. Raises InputError for an unknown name, or a function that cannot be loaded.
    """
    if names_own_code(name):
        code = load_own_code("player", name)
        if not callable(code.value):
            raise InputError(f"player={name} must be a function")
        options = {"source": Option("", (code.source,), "hash of its file")}
        if hasattr(code.value, "version"):
            version = str(code.value.version)
            if not re.fullmatch(r"\w{1,30}", version):
                raise InputError(f"version={shown(version)} of player {name} must be 1..30 letters")
            options["version"] = Option("", (version,), "version of its function")
        return PlayerInfo(name, "a custom function", "", options, cost=100, draws=ALWAYS)
    if isinstance(name, str) and name in ESTIMATORS:
        return ESTIMATORS[name]
    if not isinstance(name, str) or name not in PLAYERS:
        hint = did_you_mean(name, PLAYERS)
        module = name.removesuffix(".py") if isinstance(name, str) else ""
        if module.isidentifier() and os.path.isfile(f"{module}.py"):
            hint = f", such as {module}:choose for the function choose of {module}.py"
        known = ", ".join(sorted(PLAYERS))
        raise InputError(f"player={shown(name)} must be one of {known}, or module:function{hint}")
    return PLAYERS[name]


def resolve(name: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return all options of player `name`, the defaults filled in.

    Raises InputError for an unknown player, option or value.
    """
    known = player_info(name).options
    if not isinstance(options, Mapping):
        raise InputError(f"options={shown(options)} of player {name} must be names with values")
    for key, value in options.items():
        if key not in known:
            allowed = ", ".join(known) or "none"
            raise InputError(f"option {shown(key)} of player {name} must be one of: {allowed}")
        if value not in known[key].choices:
            wrong = f"{key}={shown(value)} of player {name} must be"
            choices = known[key].choices
            if names_own_code(name):
                raise OwnFileError(
                    f"{wrong} {choices[0]}, the {known[key].help}: it has changed since"
                )
            raise InputError(f"{wrong} one of {', '.join(choices)}")
    return {
        key: options.get(key, option.default or option.choices[0]) for key, option in known.items()
    }


def identity(name: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return those of all options of player `name` that are part of a task's identity."""
    known = player_info(name).options
    return {
        key: value
        for key, value in options.items()
        if not (known[key].later and value == known[key].default)
    }


def what_draws(name: str, options: Mapping[str, str]) -> str:
    """Return why the moves of player `name` are drawn at random, "" if they never are.

    options: all of the player's, as `resolve` returns them. A function of one's own may draw.
    """
    chosen = [f"{key}={value}" for key, value in options.items()]
    return next((why for why in player_info(name).draws if why in (*chosen, *ALWAYS)), "")


def label(name: str, options: Mapping[str, str]) -> str:
    """Return a short name for files: the player and the options that are not the default."""
    chosen = resolve(name, options)
    known = player_info(name).options
    parts = [f"{key}_{value}" for key, value in chosen.items() if value != known[key].default]
    return "-".join([name, *parts])


def player_name(label: str) -> str:
    """Return a player's label as a legend shows it: "weighted, ties random"."""
    name, *options = label.split("-")
    return ", ".join([name, *(option.replace("_", " ", 1) for option in options)])
