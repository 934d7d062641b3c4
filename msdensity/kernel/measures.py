"""The sums of a batch of games: additive integers, so that batches merge exactly."""

MEASURES = (
    "wins",
    "no_guess_wins",
    "guesses",
    "guesses_squared",
    "floating_guesses",
    "opened",
    "mines_marked",
    "certain_single",
    "certain_pair",
    "certain_component",
    "certain_global",
    "approximate",
    "redrawn",
    "z0",
    "z1",
    "z2",
    "z0_z0",
    "z0_z1",
    "z0_z2",
    "z1_z1",
    "z1_z2",
    "z2_z2",
    "win_z0",
    "win_z1",
    "win_z2",
)
"""Names of the sums of a batch.

`wins` games won; `no_guess_wins` games won with no guess after the first click; `guesses` and
`guesses_squared` sum and sum of squares over games of the guesses after the first click;
`floating_guesses` guesses of a floating cell; `opened` safe cells opened; `mines_marked` mines
proved; `certain_*` cells decided by the rule named (single cell, pair of cells, one component,
global mine count), with cascades of a 0 under `certain_single`; `approximate` games in which some
position exceeded the budget of exact counting; `redrawn` boards given up and dealt again (by
players whose program does so).

Z_k of a game, k = 0, 1, 2, is the sum over its guesses of ((1 if the cell was safe, else 0) -
safety) * (share of the safe cells that were still unknown)^k. Its mean is 0 if every safety is
right, so it reduces the variance of the win rate and tests the safeties. `z*` are the sums of Z_k
in units of 1/Z_SCALE; `z*_z*` those of products and `win_z*` those over games won in units of
1/PRODUCT_SCALE. All are 0 for a player that states no exact safeties, and under a start at the
first 0, which makes every stated safety inexact. The player `conditional` has three other Z, whose
means are 0 too.
"""

(
    WINS,
    NO_GUESS_WINS,
    GUESSES,
    GUESSES_SQUARED,
    FLOATING_GUESSES,
    OPENED,
    MINES_MARKED,
    CERTAIN_SINGLE,
    CERTAIN_PAIR,
    CERTAIN_COMPONENT,
    CERTAIN_GLOBAL,
    APPROXIMATE,
    REDRAWN,
    Z0,
    Z1,
    Z2,
    Z0_Z0,
    Z0_Z1,
    Z0_Z2,
    Z1_Z1,
    Z1_Z2,
    Z2_Z2,
    WIN_Z0,
    WIN_Z1,
    WIN_Z2,
) = range(len(MEASURES))
"""Index of each measure in MEASURES."""

CREDITS = frozenset(
    {"mines_marked", "certain_single", "certain_pair", "certain_component", "certain_global"}
)
"""Measures that depend on the order in which a player applies its rules, not only on its moves."""

SIGNED = frozenset(name for name in MEASURES if "z" in name) - {"z0_z0", "z1_z1", "z2_z2"}
"""Measures that may be negative."""

Z_SCALE = 1 << 20

PRODUCT_SCALE = 1 << 16
"""Whole numbers add up to the same sum in any order; 10^9 games stay far below 2^63."""
