"""Play the curves of rho50_curves.csv: `python tests/data/rho50_curves.py FOLDER`.

FOLDER keeps the ledgers, so that a run resumes. 1,000,000 games for each number of mines take about
45 CPU minutes.
"""

import sys
from pathlib import Path

import pandas as pd

from msdensity.games.tasks import Setup
from msdensity.runs.jobs import ledger_path
from msdensity.runs.sweep import play_table

MINES = {
    "8x8": range(5, 24),
    "10x10": range(12, 33),
    "16x16": range(34, 71, 3),
    "32x32": range(142, 241, 8),
}
"""Numbers of mines from W = .97 to .03; on the large boards, steps of them."""

GAMES, SEED = 1_000_000, 20261129


def curve(name: str, folder: Path) -> pd.DataFrame:
    """Return board, mines, games and wins of a curve."""
    setup = Setup(name, seed=SEED)
    ledger = ledger_path(folder, name, setup.task(1).label)
    played = play_table({ledger: [setup.task(m) for m in MINES[name]]}, GAMES)
    return played.table[["board", "mines", "games", "wins"]]


if __name__ == "__main__":
    table = pd.concat([curve(name, Path(sys.argv[1])) for name in MINES])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)
