"""What a batch of games is summed up in: additive integers, so that batches merge exactly."""

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
)
"""Names, in the order the kernel writes them.

`wins` games won; `no_guess_wins` games won with no guess after the first click; `guesses` and
`guesses_squared` sum and sum of squares over games of the guesses after the first click;
`floating_guesses` guesses of a floating cell; `opened` safe cells opened; `mines_marked` mines
proved; `certain_*` cells decided by the rule named (single cell, pair of cells, one component,
global mine count), cascades of a 0 included under `certain_single`; `approximate` games in which
some position exceeded the budget of exact counting; `redrawn` boards given up and dealt again
(by players whose program does so).
"""
