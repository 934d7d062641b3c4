"""The target `difficulty`: what games take, and with how many mines a share of them is won."""
