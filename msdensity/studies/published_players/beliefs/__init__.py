"""Document 004 beyond its Tables 7 to 9: decisions, guesses and beliefs of lbp and lbp_mc."""
