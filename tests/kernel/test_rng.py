"""Random streams against published values and a transcription in Python's integers."""

import numpy as np
import pytest
from scipy import stats

from msdensity.kernel.compiler.jit import compiling, entry
from msdensity.kernel.rng import below, next_bits, start_stream
from msdensity.kernel.state import make_workspace, open_workspace
from msdensity.kernel.topology import neighbour_table

WORDS = 2**64
GOLDEN = 0x9E3779B97F4A7C15
SEED_0 = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F)
"""The first values of SplitMix64 from state 0, the same in every implementation."""


@entry
def draw(ws_words, key, game, bound, values):
    """Fill `values` from a stream, unbounded if bound is 0; key 0 continues the current stream."""
    stream = open_workspace(ws_words).stream[0]
    if key > 0:
        start_stream(stream, key, game)
    for i in range(len(values)):
        values[i] = below(stream, bound) if bound > 0 else np.int64(next_bits(stream))


def drawn(key: int, game: int, bound: int, count: int, state: int = 0) -> np.ndarray:
    workspace = make_workspace(neighbour_table((1, 1)))
    workspace.stream[0] = (state, GOLDEN)
    values = np.zeros(count, np.int64)
    with compiling(draw):
        draw(workspace.words, np.uint64(key), game, bound, values)
    return values


def test_the_generator_is_splitmix64() -> None:
    assert tuple(drawn(0, 0, 0, 3).astype(np.uint64).tolist()) == SEED_0


def test_streams_of_games_and_keys_are_those_of_the_formula() -> None:
    def mix(z: int) -> int:
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORDS
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORDS
        return z ^ (z >> 31)

    streams = set()
    for key, game in ((1, 0), (1, 1), (2, 0), (WORDS - 1, 10**15)):
        state = mix(key ^ mix((game * GOLDEN + 0xD1B54A32D192ED03) % WORDS))
        gamma = mix(state ^ 0x8CB92BA72F3D8DD7) | 1
        if (gamma ^ (gamma >> 1)).bit_count() < 24:
            gamma ^= 0xAAAAAAAAAAAAAAAA
        expected = [mix((state + i * gamma) % WORDS) for i in range(1, 5)]
        assert drawn(key, game, 0, 4).astype(np.uint64).tolist() == expected
        streams.add(expected[0])
    assert len(streams) == 4


@pytest.mark.statistical
@pytest.mark.parametrize("bound", [2, 7, 3 << 29])
def test_a_bounded_integer_is_uniform(bound: int) -> None:
    """Without rejection, v % 3 of the last would be 0, 1, 2 in the shares 3 : 3 : 2."""
    values = drawn(5, bound, bound, 30_000)
    assert values.min() >= 0 and values.max() < bound
    counts = np.bincount(values % 3 if bound > 7 else values)
    assert len(counts) == (3 if bound > 7 else bound)
    assert stats.chisquare(counts).pvalue > 1e-4
    if bound > 7:  # control
        raw = (drawn(5, bound, 0, 30_000).astype(np.uint64) >> np.uint64(32)).astype(object)
        biased = np.bincount([(int(r) * bound >> 32) % 3 for r in raw])
        assert stats.chisquare(biased).pvalue < 1e-4
