"""Many jobs that start together on a machine without machine code compile once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import msdensity

JOB = """
import json, resource
from msdensity.kernel.deal import deal, deal_game
deal((3, 3), "square8", 1, "corner", "safe", (1, 2), 0)
stats = deal_game.stats
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "seconds": used.ru_utime + used.ru_stime,
    "compiled": sum(stats.cache_misses.values()),
    "read": sum(stats.cache_hits.values()),
}))
"""


def run_together(count: int, cache: Path) -> list[dict[str, float]]:
    """Start `count` processes at once with this folder for machine code; return what they say."""
    package = Path(msdensity.__file__).parent.parent
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(package)}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", JOB], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(count)
    ]
    answers = [process.communicate(timeout=600)[0] for process in processes]
    assert all(process.returncode == 0 for process in processes)
    return [json.loads(answer) for answer in answers]


@pytest.mark.slow
def test_many_cold_processes_compile_once(tmp_path: Path) -> None:
    (alone,) = run_together(1, tmp_path / "alone")
    assert (alone["compiled"], alone["read"]) == (1, 0)
    jobs = run_together(16, tmp_path / "together")
    assert sum(job["compiled"] for job in jobs) == 1
    assert sum(job["read"] for job in jobs) == 15
    assert all(job["compiled"] + job["read"] == 1 for job in jobs)
    (warm,) = run_together(1, tmp_path / "together")
    compiling = alone["seconds"] - warm["seconds"]
    total = sum(job["seconds"] for job in jobs)
    assert compiling > 0.5 * warm["seconds"]  # else the next line could not tell
    assert total < 16 * warm["seconds"] * 1.5 + 2 * compiling < 16 * alone["seconds"]
