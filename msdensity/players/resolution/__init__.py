"""Resolution of clauses (002)."""
