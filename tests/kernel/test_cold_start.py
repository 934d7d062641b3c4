"""A first game: jobs that start together compile once, and none loads what it does not need."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import msdensity
from sizes import sizes

JOB = """
import json, resource
from msdensity.kernel.batch import KernelTask
from msdensity.kernel.deal import deal, deal_games
deal(KernelTask((3, 3), "square8", 1, "corner", "safe", (1, 2)), 0)
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "compiled": sum(deal_games.stats.cache_misses.values()),
    "read": sum(deal_games.stats.cache_hits.values()),
    "seconds": used.ru_utime + used.ru_stime,
}))
"""
# As on a shared file system without locks.
REFUSED_LOCK = """
import fcntl
def refuse(*_): raise OSError(37, "No locks available")
fcntl.flock = refuse
"""


def run_together(job: str, count: int, cache: Path) -> list[dict[str, float]]:
    """Start `count` processes at once with this cache folder; return what they print."""
    package = Path(msdensity.__file__).parent.parent
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(package)}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", job], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(count)
    ]
    answers = [process.communicate(timeout=600)[0] for process in processes]
    assert all(process.returncode == 0 for process in processes)
    return [json.loads(answer) for answer in answers]


@pytest.mark.parametrize("count", sizes(2, 4))
def test_many_cold_processes_compile_once(tmp_path: Path, count: int) -> None:
    """Counted, not timed: the counts of compiled and read code do not depend on other load."""
    jobs = run_together(JOB, count, tmp_path)
    assert sum(job["compiled"] for job in jobs) == 1
    assert sum(job["read"] for job in jobs) == count - 1
    assert all(job["compiled"] + job["read"] == 1 for job in jobs)
    seconds = sorted(job["seconds"] for job in jobs)
    print(f"CPU seconds of {count} cold processes: {', '.join(f'{s:.1f}' for s in seconds)}")


@pytest.mark.campaign
def test_without_locks_each_job_compiles_and_plays(tmp_path: Path) -> None:
    """Also the control of the test above: without the lock, jobs compile more than once."""
    jobs = run_together(REFUSED_LOCK + JOB, 2, tmp_path)
    assert all(job["compiled"] + job["read"] == 1 for job in jobs)
    assert sum(job["compiled"] for job in jobs) == 2
    assert run_together(REFUSED_LOCK + JOB, 1, tmp_path)[0]["read"] == 1


# Runs the job again, with its machine code on disk, and looks at what that has loaded.
LOADED = """
import json, sys
from numba.np import arraymath, linalg
names = {"scipy.linalg", "pandas", "matplotlib"}
early = sorted(names & sys.modules.keys())
linalg.ensure_blas()
print(json.dumps({
    "read": sum(deal_games.stats.cache_hits.values()),
    "early": early,
    "blas": arraymath._HAVE_BLAS,
    "later": "scipy.linalg.cython_blas" in sys.modules,
    "collections": gc.get_threshold() == usual,
}))
"""


def test_a_first_game_loads_no_scipy_and_numba_still_has_its_linear_algebra(tmp_path: Path) -> None:
    """Fails if a new Numba imports scipy elsewhere: then change `_without_scipy` of `cache`."""
    job = "import gc; usual = gc.get_threshold()" + JOB.replace("print", "str") + LOADED
    expected = {"early": [], "blas": True, "later": True, "collections": True}
    for read in 0, 1:  # also where nothing is on disk
        assert run_together(job, 1, tmp_path) == [expected | {"read": read}]
