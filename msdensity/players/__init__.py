"""The ways to play, one file per published family; `registry` names them without loading Numba."""
