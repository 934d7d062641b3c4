"""The players that keep lists of equations: 000 (coupled subsets), 003 and 004."""
