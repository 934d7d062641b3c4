"""Scripts that run as code for another processor."""

import os
import platform
import subprocess
import sys
from functools import lru_cache

import pytest
from numpy._core._multiarray_umath import __cpu_features__

TARGETS = {"generic": "SSE2", "haswell": "AVX2"}
"""Name of a processor -> the feature of this one that it needs. The vectors of rows become four
instructions, or two; this processor may have one."""


@lru_cache
def printed(script: str, target: str | None) -> list[str]:
    """Return the words that a script prints if it is compiled for a target, None for this CPU."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_CPU")}
    if target:
        environment |= {"NUMBA_CPU_NAME": target, "NUMBA_CPU_FEATURES": ""}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def usable(target: str) -> str:
    """Return the target; skips the test if this processor cannot run its code."""
    if platform.machine() != "x86_64" or not __cpu_features__.get(TARGETS[target]):
        pytest.skip(f"this processor cannot run code for {target}")
    return target
