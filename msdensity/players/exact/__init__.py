"""All layouts of a small board at once: what a player wins of them, exactly."""
