"""Counter-based random streams: value i of a game's stream is a function of (key, game, i).

The generator is SplitMix64 with a different odd increment for each stream (Steele, Lea and Flood,
"Fast splittable pseudorandom number generators", OOPSLA 2014), so streams that happen to start
close together still differ.
"""

import numpy as np

from msdensity.kernel.compiler.bits import bits
from msdensity.kernel.compiler.jit import compiled, small

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@small
def mix(z):
    """Scramble 64 bits (a bijection)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@small
def next_bits(stream):
    """Return the next 64 random bits."""
    stream.state += stream.gamma
    return mix(stream.state)


@compiled
def start_stream(stream, key, game):
    """Set a stream to its beginning for game number `game` of the task with this key."""
    state = mix(key ^ mix(np.uint64(game) * GOLDEN + np.uint64(0xD1B54A32D192ED03)))
    gamma = mix(state ^ np.uint64(0x8CB92BA72F3D8DD7)) | np.uint64(1)
    # an increment with few 01 and 10 bit pairs mixes badly: as published, flip every second bit
    if bits(gamma ^ (gamma >> np.uint64(1))) < 24:
        gamma ^= np.uint64(0xAAAAAAAAAAAAAAAA)
    stream.state = state
    stream.gamma = gamma


@small
def below(stream, n):
    """Return an integer uniform on 0..n-1 exactly, 1 <= n < 2**31 (Lemire's rejection)."""
    bound = np.uint64(n)
    low32 = np.uint64(0xFFFFFFFF)
    product = (next_bits(stream) >> np.uint64(32)) * bound
    if (product & low32) < bound:
        threshold = (np.uint64(0x100000000) - bound) % bound
        while (product & low32) < threshold:
            product = (next_bits(stream) >> np.uint64(32)) * bound
    return np.int64(product >> np.uint64(32))
