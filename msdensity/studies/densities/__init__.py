"""Three densities of a board: half the games won, half won without a guess, and P."""
