"""One folder for each question; each plays, fits, draws and writes its page."""
