"""The target `percolation`: how far a board opens without a guess, by each set of rules."""
