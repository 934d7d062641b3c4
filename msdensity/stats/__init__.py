"""Arrays and tables in, fits and intervals out: no games, no settings, no figures."""
