"""Best play, exactly, by a search over the sets of layouts that a player can still face."""
