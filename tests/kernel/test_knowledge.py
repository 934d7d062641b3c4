"""Opening and marking: the counts updated move by move equal those counted from scratch."""

import numpy as np
from layers import MARKED_AT, OPENED, lay_out, neighbours, random_rows

from msdensity.kernel.state import (
    EXPOSED,
    GUESS,
    LOST,
    MARKED,
    OPEN,
    PLAYING,
    SINGLE,
    UNKNOWN,
    WON,
)


def test_counts_are_those_of_the_board() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        rows = random_rows(rng, 4, 5, mines=int(rng.integers(1, 8)), opened=int(rng.integers(12)))
        text, near = "".join(rows), neighbours(rows)
        mine = text.index("*")
        ws, _ = lay_out(rows, MARKED_AT, mine)
        state, exposed = ws.cell["state"], 0
        assert [OPEN if c == "+" else UNKNOWN for c in text] == np.where(
            state == MARKED, UNKNOWN, state
        ).tolist()
        for c in range(20):
            marked = sum(state[d] == MARKED for d in near[c])
            number = sum(text[d] == "*" for d in near[c])
            assert ws.cell["unknown"][c] == sum(state[d] == UNKNOWN for d in near[c])
            assert ws.cell["remaining"][c] == number * (state[c] == OPEN) - marked
            beside = any(state[d] == OPEN and any(text[e] == "*" for e in near[d]) for d in near[c])
            if state[c] == UNKNOWN:
                assert bool(ws.cell["flags"][c] & EXPOSED) == beside
                exposed += beside
        game = ws.game[0]
        assert (game["exposed"], game["unknown"]) == (exposed, (state == UNKNOWN).sum())
        assert game["mines_left"] == text.count("*") - 1
        assert game["safe_left"] == text.count("-")
        assert game["status"] == (PLAYING if "-" in text else WON)
        assert (ws.reasons[SINGLE], ws.reasons[GUESS]) == (1, text.count("+"))


def test_cells_with_the_same_witnesses_have_the_same_name() -> None:
    rows = ["-----", "-+-+-", "*----"]
    ws, near = lay_out(rows, OPENED)[0], neighbours(rows)
    names: dict[tuple[int, ...], set[int]] = {}
    for c in np.flatnonzero(ws.cell["flags"] & EXPOSED):
        witnesses = tuple(d for d in near[c] if d == 6)  # the cell at 8 shows 0: no witness
        names.setdefault(witnesses, set()).add(int(ws.link["witnesses"][c]))
    assert sorted(map(len, names)) == [1]
    assert all(len(group) == 1 for group in names.values())


def test_the_last_safe_cell_wins() -> None:
    assert lay_out(["+*"], OPENED)[0].game["status"] == WON
    assert lay_out(["-*"], OPENED)[0].game["status"] == PLAYING
    assert lay_out(["++"], OPENED)[0].game["status"] not in (LOST, PLAYING)
