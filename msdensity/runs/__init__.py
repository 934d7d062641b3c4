"""Many games, kept: settings, ledger, sweep, records of where results come from."""
