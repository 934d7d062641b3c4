"""The power of L by which the opened share falls: found, with its error, where it is known."""

import numpy as np
import pandas as pd
import pytest

from msdensity.studies.percolation.opened import opened_power, opened_share, site_power

RHO_C = 0.25
OFFSETS = (-0.25, -0.15, -0.08, 0, 0.08, 0.16, 0.25, 0.4)
SIDES = {32: 400, 64: 400, 128: 200, 256: 100, 512: 50}
DRAWS = 200


def drawn(rng: np.random.Generator, power: float, bend: float = 0.0) -> pd.DataFrame:
    """Fronts whose opened share is an exponential of u with a cosine, no polynomial."""
    rows = []
    for side, games in SIDES.items():
        for offset in OFFSETS:
            mines = round((RHO_C + offset * side**-0.75) * 3 * side**2)
            safe = 3 * side**2 - mines
            u = (mines / (3 * side**2) - RHO_C) * side**0.75
            mean = 0.9 * (side / 32) ** -power * np.exp(-0.8 * u) * (1 + 0.2 * np.cos(4 * u))
            mean *= np.exp(bend * np.log(side / 128) ** 2)
            known = 2 / (3 * side)
            share = known + (1 - known) * rng.normal(mean, 0.2, games)
            opened = np.round(share * safe)
            head = ["square8", side, mines, mines / (3 * side**2), games]
            rows.append([*head, opened.sum(), (opened**2).sum()])
    names = ["topology", "side", "mines", "density", "games", "opened", "opened_squared"]
    return pd.DataFrame(rows, columns=names)


@pytest.mark.parametrize("power", [5 / 48, 0.3])
def test_the_power_and_its_error_are_right(power: float) -> None:
    rng = np.random.default_rng([4, int(1000 * power)])
    found = [opened_power(drawn(rng, power), RHO_C, 0.0) for _ in range(DRAWS)]
    z = np.array([(each.value - power) / each.error for each in found if each])
    assert len(z) == DRAWS
    # Mean and spread of DRAWS normal numbers; both bounds together fail once in 10,000 times.
    assert abs(z.mean()) < 4.1 / np.sqrt(DRAWS) and 0.83 < z.std() < 1.18
    assert np.mean([each.p_value < 0.01 for each in found if each]) < 0.05


def test_a_share_that_follows_no_power_is_rejected() -> None:
    rng = np.random.default_rng(8)
    found = opened_power(drawn(rng, 0.1, bend=-0.2), RHO_C, 0.0)
    assert found and found.p_value < 1e-6


def test_the_error_of_the_critical_density_counts() -> None:
    table = drawn(np.random.default_rng(5), 0.1)
    sure, unsure = (opened_power(table, RHO_C, error) for error in (0.0, 0.002))
    assert sure and unsure and sure.value == unsure.value and unsure.error > 1.5 * sure.error


def test_the_known_columns_do_not_count() -> None:
    table = drawn(np.random.default_rng(6), 0.1)
    table["opened"] = table["games"] * (3 * table["side"] ** 2 - table["mines"])
    assert np.allclose(opened_share(table)[0], 1)
    table["opened"] = table["opened"] * 2 / (3 * table["side"])
    assert np.allclose(opened_share(table)[0], 0)


def test_too_few_boards_have_no_power() -> None:
    table = drawn(np.random.default_rng(7), 0.1)
    assert opened_power(table[table["side"] <= 64], RHO_C, 0.0) is None
    assert opened_power(table[table["mines"] < 0], RHO_C, 0.0) is None


def test_sites_have_the_same_power() -> None:
    side = np.array([32, 64, 128, 256])
    opened = side ** (-5 / 48)
    sites = pd.DataFrame({"side": side, "opened": opened, "opened_se": 0.01})
    found = site_power(sites)
    assert found and found.value == pytest.approx(5 / 48) and found.df == 1
    assert found.error == pytest.approx(
        0.01 / np.sqrt((opened[1:] ** 2 * (np.log(side[1:] / 128)) ** 2).sum()), rel=0.1
    )
    assert site_power(sites[:2]) is None
