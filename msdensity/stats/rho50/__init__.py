"""The density at which half the games are won: curve, fit, checks, variance reduction, design."""
