"""The tables of the reproduction: every column, its type and its range."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import _EXACT, _P_VALUE
from msdensity.studies.paper import columns as paper

RUN_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "p": Column("int64", low=1),
    "q": Column("int64", low=1),
    "P_published": paper.B2_COLUMNS["P_published"],
    "player": Column("str"),
    "games": Column("int64", low=1),
    "P": Column("float64", missing=True, low=0, high=1),
    "P_sd": Column("float64", missing=True, low=0),
    "P_mean_sd": Column("float64", missing=True, low=0),
    "z": Column("float64", missing=True),
    "inner": Column("int64", low=0, high=1),
    "same": Column("float64", low=0, high=1),
    "at_end": Column("float64", low=0, high=1),
    "twins": Column("str", missing=True),
}
"""P over runs by board and player; `games` of the pool for each m; `inner` 1 if in chi-square;
`same` the share of runs that give the published P to four decimals: what counts where `inner` is 0;
`at_end` the share of runs with P = 0 or 1; `twins` the other players that win as many games for
every m, so that the board does not tell them apart."""

QUOTES_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "mines": Column("int64", low=1),
    "win_rate": Column("float64", low=0, high=1),
    "decimals": Column("int64", low=0),
    "games": Column("int64", low=1),
    "seconds": Column("float64", missing=True, low=0),
    "section": Column("str"),
}
"""Quoted win rates: value, printed decimals, games, seconds they took (if stated), section."""

QUOTED_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "mines": Column("int64", low=1),
    "published": Column("float64", low=0, high=1),
    "player": Column("str"),
    "games": Column("int64", low=1),
    "wins": Column("int64", low=0),
    "redrawn": Column("int64", low=0),
    "win_rate": _EXACT,
    "win_rate_low": Column("float64", low=0, high=1),
    "win_rate_high": Column("float64", low=0, high=1),
    "z": Column("float64"),
    "detectable": Column("float64", low=0),
    "luck_as_printed": Column("float64", low=0, high=1),
    "luck": Column("float64", low=0, high=1),
}
"""Quoted win rates beside ours (95 % interval); z has the errors of both and the rounding.

`detectable` is the difference of the two that the test of z finds with 90 % probability."""

SPEED_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "mines": Column("int64", low=1),
    "player": Column("str"),
    "games": Column("int64", low=1),
    "cpu_us": Column("float64", low=0),
    "published_us": Column("float64", missing=True, low=0),
    "times_as_fast": Column("float64", missing=True, low=0),
}
"""CPU microseconds per game here, and elapsed microseconds per game as the paper states them."""

OUTCOME_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "mines": Column("int64", low=1),
    "player": Column("str"),
    "ends": Column("str"),
}
"""A task a row; `ends` holds one digit for each game: LOST, WON or REDRAWN."""

ABLATION_COLUMNS: dict[str, Column] = {
    "fault": Column("str"),
    "where": Column("str"),
    "board": Column("str"),
    "mines": Column("Int64", missing=True, low=1),
    "games": Column("int64", low=1),
    "left_out": Column("int64", low=0),
    "with_fault": Column("float64", missing=True, low=0, high=1),
    "without": Column("float64", missing=True, low=0, high=1),
    "cost": Column("float64", missing=True, low=-1, high=1),
    "cost_se": Column("float64", missing=True, low=0),
    "p_value": _P_VALUE,
}
"""Costs of the faults: win rates where `mines` is given, else P of the board.

`with_fault` and `without` are of the games that neither player gave up (for each m, where of P);
`left_out` are the others. cost = without - with_fault; p_value is of McNemar's exact test.
"""

AGREEMENT_COLUMNS: dict[str, Column] = {
    "player": Column("str"),
    "boards": Column("int64", low=0),
    "chi_square": Column("float64", low=0),
    "p_value": _P_VALUE,
    "mean_z": Column("float64", missing=True),
    "worst_z": Column("float64", missing=True),
    "worst_board": Column("str"),
    "degenerate_possible": Column("int64", low=0),
    "degenerate": Column("int64", low=0),
}
"""How far the published P are from those of each player."""

TABLES: dict[str, dict[str, Column]] = paper.TABLES | {
    "runs": RUN_COLUMNS,
    "agreement": AGREEMENT_COLUMNS,
    "quotes": QUOTES_COLUMNS,
    "quoted": QUOTED_COLUMNS,
    "speed": SPEED_COLUMNS,
    "ends": OUTCOME_COLUMNS,
    "ablation": ABLATION_COLUMNS,
}
"""The tables of the study by the names that steps give them."""
