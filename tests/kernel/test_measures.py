"""Every measure has a name for its place, and the place is that of its name."""

from msdensity.kernel import measures


def test_places_are_those_of_the_names() -> None:
    places = {name: getattr(measures, name.upper()) for name in measures.MEASURES}
    assert list(places.values()) == list(range(len(measures.MEASURES)))
    assert {"z0", "z0_z1", "win_z2"} < measures.SIGNED < set(measures.MEASURES)
    assert not {"z0_z0", "z1_z1", "z2_z2", "wins"} & measures.SIGNED
