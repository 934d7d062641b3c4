"""What the workflow loads at every job to read the study."""

import subprocess
import sys

HEAVY = {"numba", "joblib", "matplotlib", "pandas", "scipy", "statsmodels"}


def loaded_by(statement: str) -> set[str]:
    """Return which of the heavy libraries a fresh Python has loaded after `statement`."""
    code = f"{statement}\nimport sys\nprint(*({HEAVY!r} & sys.modules.keys()))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return set(run.stdout.split())


def test_reading_the_study_loads_nothing_heavy() -> None:
    assert loaded_by("from msdensity.players_study import QUESTIONS, load_study") == set()


def test_what_the_page_is_made_from_loads_no_kernel() -> None:
    loaded = loaded_by("from msdensity.players_study import page, curves_table, density_table")
    assert "pandas" in loaded  # negative control
    assert not loaded & {"numba", "joblib", "matplotlib"}
