"""Ledgers of several versions of the kernel side by side: which file is this version's.

No version adds to a ledger of another. A run that finds such a ledger at the place of its own
leaves it as it is, and keeps its games beside it: `4x4.weighted.kernel3.csv` beside
`4x4.weighted.csv`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from msdensity.kernel.measures import CREDITS, MEASURES
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.ledger import version_of

BESIDE = re.compile(r"\.kernel(?P<version>[0-9]+)\.csv$")
"""How the name of a ledger ends that lies beside one of another version."""

SAME_SINCE: Mapping[int, frozenset[str]] = {
    2: frozenset(
        {
            *("wins", "no_guess_wins", "guesses", "guesses_squared", "floating_guesses"),
            *("opened", "redrawn"),
        }
    ),
    3: frozenset(MEASURES) - CREDITS,
}
"""Older version -> the measures that this version counts the same, game by game, unless a position
is beyond the budget of exact counting in one of the two.

`verify` compares these when it replays games of that version. The games of a version that is not
here are not replayed.
"""


def own_ledger(path: str | os.PathLike[str]) -> Path:
    """Return the file of this version's games where a ledger may be of another version.

    That is `path` itself, unless it holds games of another version, or this version has a ledger
    beside it already. It depends on files, not on what a run did: a kill at any moment changes
    nothing.
    """
    root, ending = os.path.splitext(path)
    beside = Path(f"{root}.kernel{KERNEL_VERSION}{ending}")
    return beside if os.path.lexists(beside) or not is_own(path) else Path(path)


def is_own(path: str | os.PathLike[str]) -> bool:
    """Whether this version may add to a ledger: it is not there, has no row, or is its own."""
    return version_of(Path(path)) in (None, KERNEL_VERSION)


def begins_beside(path: str | os.PathLike[str]) -> str:
    """Return a sentence if a run will begin a ledger of this version beside an older one; or ""."""
    own = own_ledger(path)
    if own == Path(path) or os.path.lexists(own):
        return ""
    version = version_of(Path(path))
    return (
        f"ledger {os.fspath(path)} was played by kernel_version={version} and stays as it is; games"
        f" of this version, {KERNEL_VERSION}, go to {own}"
    )
