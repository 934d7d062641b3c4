"""The ways to play, one file or folder for each published family.

A player's `play_game` chooses the cells. `registry` names all players without loading Numba, and
`games.play.kernel_player` finds a player's function through it.
"""
