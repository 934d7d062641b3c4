"""All results have the same bytes on another CPU, which variables of the libraries imitate."""

from pathlib import Path

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__

from places import ROOT
from repository import SMOKE, copy_of, results, snakemake

pytestmark = pytest.mark.workflow

CPU_TIME = ("plan.csv", "speed.csv", "cost", ".html")
"""Parts of the names of files that hold measured CPU times."""

TARGETS = ("fits", "extrapolation", "tables", "figures", "reproduction", "densities")
"""Every kind of fit; the other studies take three times as long."""

FEATURES = [*__cpu_dispatch__]

# A machine without AVX-512, then one with nothing but what every x86-64 has.
VARIANTS = {
    "Haswell": {
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": " ".join(f for f in FEATURES if "512" in f or f == "X86_V4"),
    },
    "oldest": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": " ".join(FEATURES),
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX512VL",
        "LC_ALL": "C",
    },
}


@pytest.fixture(scope="module")
def here(tmp_path_factory) -> Path:
    """A copy in which the smoke workflow has run on this CPU."""
    folder = copy_of(ROOT, tmp_path_factory.mktemp("here") / "main")
    snakemake(folder, SMOKE, *TARGETS)
    return folder


@pytest.mark.campaign
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_file_is_the_same_on_another_cpu(here, variant, tmp_path, monkeypatch):
    there = copy_of(here, tmp_path / "there")
    for name, value in VARIANTS[variant].items():
        monkeypatch.setenv(name, value)
    # Everything again but the games, which are in the ledgers.
    snakemake(there, SMOKE, *TARGETS, "--forceall")
    first, second = results(here), results(there)
    assert first.keys() == second.keys() and len(first) > 100
    differ = [name for name in first if first[name] != second[name]]
    assert [name for name in differ if not any(part in name for part in CPU_TIME)] == []
