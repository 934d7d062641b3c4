"""What importing a part of the package loads, and what it must not."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import msdensity

PACKAGE = Path(msdensity.__file__).parent
HEAVY = {"numba", "joblib", "matplotlib", "pandas", "scipy", "snakemake"}
ANALYSIS = (
    *("tables", "correction", "fits", "scaling", "series", "published", "inference"),
    *("rho50", "asymptotics", "page"),
)


def loaded_by(statement: str) -> set[str]:
    """Return which of the heavy libraries a fresh Python has loaded after `statement`."""
    code = f"{statement}\nimport sys\nprint(*({HEAVY!r} & sys.modules.keys()))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return set(run.stdout.split())


def imported_by(path: Path) -> set[str]:
    """Return the top-level names of all that the source file `path` imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def tops(names: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


def test_the_package_alone_loads_nothing_heavy():
    assert loaded_by("import msdensity") == set()


def test_the_check_sees_a_heavy_import():
    assert "matplotlib" in loaded_by("import msdensity.figures")


@pytest.mark.parametrize("module", ANALYSIS)
def test_analysis_loads_no_kernel_and_no_plots(module):
    assert not loaded_by(f"import msdensity.{module}") & {"numba", "joblib", "matplotlib"}


def test_using_a_fit_loads_no_kernel():
    assert not loaded_by("import msdensity; msdensity.fit_critical_density") & {"numba", "joblib"}


def test_the_configuration_loads_no_numbers():
    assert loaded_by("import msdensity; msdensity.load_config") == set()


@pytest.mark.parametrize("name", msdensity.__all__)
def test_every_public_name_exists(name):
    assert getattr(msdensity, name) is not None
    assert name in dir(msdensity)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'boards'"):
        msdensity.boards  # noqa: B018


SOURCES = sorted(PACKAGE.rglob("*.py"))
RELATIVE = [path.relative_to(PACKAGE).as_posix() for path in SOURCES]


@pytest.mark.parametrize("path", SOURCES, ids=RELATIVE)
def test_each_module_imports_only_what_its_layer_may(path):
    name = path.relative_to(PACKAGE).as_posix()
    names = imported_by(path)
    own = {n for n in names if n.startswith("msdensity")}
    assert "snakemake" not in tops(names)
    assert "matplotlib" not in tops(names) or name.startswith("figures/")
    assert ("joblib" in tops(names)) == (name == "parallel.py")
    if name.startswith("kernel/"):
        assert {n for n in own if not n.startswith("msdensity.kernel")} <= {"msdensity.errors"}
        assert not tops(names) & {"pandas", "yaml", "scipy"}
    if name.startswith("players/"):
        assert not [n for n in own if n.startswith(("msdensity.config", "msdensity.ledger"))]
