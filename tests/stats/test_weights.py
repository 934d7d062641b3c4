"""The mean weight and its error are those of the weights, and impossible sums are refused."""

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.kernel.measures import PRODUCT_SCALE, Z_SCALE
from msdensity.stats.weights import weighted_rate

WEIGHTS = np.array([1, 1, 0.5, 0.25, 1, 0, 0.75, 1])
WON = np.array([1, 1, 0, 0, 1, 0, 1, 0])


def sums() -> dict[str, int]:
    z = WEIGHTS - WON
    return {
        "games": len(WON),
        "wins": int(WON.sum()),
        "z0": round(z.sum() * Z_SCALE),
        "z0_z0": round((z * z).sum() * PRODUCT_SCALE),
        "win_z0": round((z * WON).sum() * PRODUCT_SCALE),
    }


def test_mean_and_error_are_those_of_the_weights() -> None:
    found = weighted_rate(sums())
    assert found.rate == WEIGHTS.mean() and found.plain == WON.mean()
    assert found.error == pytest.approx(WEIGHTS.std(ddof=1) / 8**0.5, rel=1e-12)
    assert found.plain_error == pytest.approx(WON.std(ddof=1) / 8**0.5, rel=1e-12)
    assert found.gain == pytest.approx(WON.var() / WEIGHTS.var(), rel=1e-12)


def test_equal_weights_have_no_error() -> None:
    found = weighted_rate({"games": 5, "wins": 5, "z0": 0, "z0_z0": 0, "win_z0": 0})
    assert (found.rate, found.error, found.gain) == (1, 0, np.inf)


@pytest.mark.parametrize("name", ["wins", "z0", "z0_z0", "win_z0"])
def test_a_missing_or_impossible_sum_is_one_error(name: str) -> None:
    counts = sums()
    with pytest.raises(InputError, match=f"counts lack the measure '{name}'"):
        weighted_rate({key: value for key, value in counts.items() if key != name})
    with pytest.raises(InputError, match="must be"):
        weighted_rate(counts | {name: -(10**8)})
