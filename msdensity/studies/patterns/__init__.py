"""The target `patterns`: the smallest sets of mines that force a guess, and what they cost."""
