"""Deduction by one set of rules, without the number of mines and without a guess."""
