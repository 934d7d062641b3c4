"""What becomes of the published numbers: `study` says what is played, `runs` compares P with
Table B.2, `quoted` the win rates in the text, `ablation` prices the faults of the listing in games
kept in `outcomes`, `luck` is section 8.1, and `report` writes the page."""

from msdensity.reproduction.ablation import (
    ABLATION_COLUMNS,
    Paired,
    ablation_table,
    pair,
    variants,
)
from msdensity.reproduction.luck import luck, luck_as_printed
from msdensity.reproduction.runs import (
    RUN_COLUMNS,
    RUN_GAMES,
    RunDensity,
    agreement,
    chi_square,
    run_density,
    runs_table,
)
from msdensity.reproduction.study import Study, load_study

__all__ = [
    "ABLATION_COLUMNS",
    "RUN_COLUMNS",
    "RUN_GAMES",
    "Paired",
    "RunDensity",
    "Study",
    "ablation_table",
    "agreement",
    "chi_square",
    "load_study",
    "luck",
    "luck_as_printed",
    "pair",
    "run_density",
    "runs_table",
    "variants",
]
