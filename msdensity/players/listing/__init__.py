"""The program of paper 001, Annex A.1, as it runs: the player of the published win rates."""
