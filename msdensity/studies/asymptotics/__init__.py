"""Larger and larger boards: does the critical density converge? Target `asymptotics`."""
