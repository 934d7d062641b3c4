"""A player that deduces by one set of rules and stops where it would have to guess.

The option `rules` names the set, see `rules`. A game that stops is not won.
"""

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.play import game_loop
from msdensity.players.inference.memory import open_memory
from msdensity.players.inference.rules import deduce_by_rules


@compiled
def play_inference(table, ws, wm):
    """Play from after the first click to the end, or to the first guess."""
    deduce_by_rules(table, ws, wm, ws.option[0])


loop = game_loop(play_inference, open_memory)


@entry
def play_games(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return loop(table, ws, memory, first_game, games)
