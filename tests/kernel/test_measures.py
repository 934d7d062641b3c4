"""Every measure has a constant with its index, and the index is right."""

from msdensity.kernel import measures


def test_indices_are_those_of_the_names() -> None:
    places = {name: getattr(measures, name.upper()) for name in measures.MEASURES}
    assert list(places.values()) == list(range(len(measures.MEASURES)))
    assert {"z0", "z0_z1", "win_z2"} < measures.SIGNED < set(measures.MEASURES)
    assert not {"z0_z0", "z1_z1", "z2_z2", "wins"} & measures.SIGNED
