"""The program of paper 001, Annex A.1, as it runs: the player that made the published win rates."""
