"""Beliefs of graphical models (004): cliques, their configurations, messages, two players."""
