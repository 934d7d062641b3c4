"""Arrays and tables in, fits and intervals out: no games, no settings, no figures.

The critical density P of a board: `logistic`. The density at which half the games are won:
`rho50.fit`. The limit of square boards: `hyperbola`; of 1 x q boards: `series`.
"""
