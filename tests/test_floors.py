"""The floors of the package: who may import whom, which library, and what a fresh Python loads."""

import ast
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

import msdensity

PACKAGE = Path(msdensity.__file__).parent
FLOORS = (
    {"errors"},
    {"kernel", "files"},
    {"players", "stats"},
    {"games"},
    {"runs"},
    {"studies"},
    {"cli", "viewer"},
)
"""Rooms from the ground up. A room imports only from the floors below it. What a user starts is on
the seventh floor: the commands, and the workflow, which nothing imports."""
STUDY_KIT = {"plot", "page", "paper"}
"""What a study may use of the room of studies besides its own folder."""
ONLY = {
    "numba": ("kernel/*", "players/*", "cli/warmup.py", "cli/bench.py"),
    "joblib": ("runs/parallel.py",),
    "jinja2": ("studies/page.py",),
    "markdown_it": ("studies/page.py",),
    "matplotlib": ("stats/plot.py", "studies/plot.py", "studies/*/figures*"),
    "pandas": ("files/*", "stats/*", "runs/*", "studies/*", "cli/*"),
    "scipy": ("stats/*", "studies/*", "players/constraints/*"),
    "pydantic": ("runs/config.py", "runs/settings.py", "studies/*/settings.py"),
    "snakemake": (),
    "starlette": ("viewer/server.py",),
    "uvicorn": ("viewer/serve.py",),
    "anywidget": ("viewer/widget.py",),
}
"""Library -> the files that may import it."""
LIGHT = {
    ("errors",): {"numpy", "yaml", "pandas", "scipy", "numba", "joblib", "matplotlib"},
    ("files/*", "runs/config.py", "runs/jobs.py", "players/registry.py", "studies/*/settings.py"): {
        *("scipy", "statsmodels", "numba", "joblib", "matplotlib")
    },
    ("games/exact.py",): {"numba"},  # `why_not_exact` counts nothing
    ("games/*", "cli/play.py", "cli/analyse.py", "cli/view.py"): {
        *("pandas", "pydantic", "statsmodels"),
        *("joblib", "matplotlib"),
    },
    ("stats/*", "studies/*/results.py", "studies/*/page.py", "studies/page.py"): {
        *("numba", "joblib", "matplotlib")
    },
}
"""Modules -> the libraries that a fresh Python has not loaded after importing them all."""

SOURCES = sorted(PACKAGE.rglob("*.py"))
NAMES = [path.relative_to(PACKAGE).as_posix() for path in SOURCES]


def imports(path: Path) -> set[str]:
    """Return the modules that a source file imports anywhere."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def wrong_way(name: str, imported: set[str]) -> list[str]:
    """Return the modules of the package that a file of this name must not import."""
    room, *rest = name.removesuffix(".py").split("/")
    floor = {r: level for level, rooms in enumerate(FLOORS) for r in rooms}
    wrong = []
    for module in imported:
        package, _, inside = module.partition(".")
        if package != "msdensity" or room in ("__init__", "__main__") or inside == "__version__":
            continue
        other, *deeper = inside.split(".")
        if other not in floor:  # the package's __init__.py
            wrong += [module]
        elif other != room:
            wrong += [module] * (floor[other] >= floor[room])
        elif room == "studies" and rest and deeper[0] != rest[0]:
            wrong += [module] * (deeper[0] not in STUDY_KIT)
    return wrong


def loaded_by(statement: str, libraries: set[str]) -> set[str]:
    """Return which of the libraries a fresh Python has loaded after `statement`."""
    code = f"{statement}\nimport sys\nprint(*({libraries!r} & sys.modules.keys()))"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    return set(run.stdout.split())


def test_the_root_has_few_names_and_each_has_a_floor():
    names = {path.name for path in PACKAGE.iterdir() if path.name != "__pycache__"}
    rooms = {name.removesuffix(".py") for name in names if "." not in name or name == "errors.py"}
    assert rooms == set().union(*FLOORS)
    assert len(names) <= 13
    assert len(FLOORS) <= 7


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_imports_go_down(path):
    name = path.relative_to(PACKAGE).as_posix()
    imported = imports(path)
    assert not wrong_way(name, imported)
    for library, allowed in ONLY.items():
        if any(module.partition(".")[0] == library for module in imported):
            assert any(fnmatch(name, pattern) for pattern in allowed), library


def test_the_check_of_floors_sees_an_import_upwards_sideways_and_of_another_study():
    assert wrong_way("kernel/state.py", {"msdensity.games.tasks"})
    assert wrong_way("stats/series.py", {"msdensity.players.registry"})
    assert wrong_way("studies/reproduction/page.py", {"msdensity.studies.asymptotics.terms"})
    assert wrong_way("runs/sweep.py", {"msdensity.Task"})
    assert not wrong_way("studies/reproduction/page.py", {"msdensity.studies.paper.columns"})


@pytest.mark.parametrize("patterns", LIGHT, ids=lambda patterns: patterns[0])
def test_a_fresh_python_loads_no_more_than_the_room_needs(patterns):
    names = [
        n
        for n in NAMES
        if any(fnmatch(n.removesuffix(".py"), p.removesuffix(".py")) for p in patterns)
    ]
    assert names
    modules = [f"msdensity.{n.removesuffix('.py').replace('/', '.')}" for n in names]
    assert loaded_by(f"import {', '.join(modules)}", LIGHT[patterns]) == set()


def test_public_names_load_no_more_than_they_need():
    libraries = "numba joblib matplotlib pandas scipy statsmodels snakemake pydantic"
    heavy = set(libraries.split())
    assert loaded_by("import msdensity", heavy) == set()
    games = loaded_by("import msdensity; msdensity.play_game; msdensity.analyse", heavy)
    assert "numba" in games and not games & {"pydantic", "pandas"}
    assert loaded_by("import msdensity; msdensity.load_config", heavy) == {"pydantic"}
    fit = loaded_by("import msdensity; msdensity.fit_critical_density", heavy)
    assert "scipy" in fit  # the check sees what is loaded
    assert not fit & {"numba", "joblib", "matplotlib"}


@pytest.mark.parametrize("name", msdensity.__all__)
def test_every_public_name_exists(name):
    assert getattr(msdensity, name) is not None
    assert name in dir(msdensity)


@pytest.mark.parametrize("name", msdensity._OLD)
def test_a_name_of_the_last_release_says_where_it_is_now(name):
    with pytest.warns(
        DeprecationWarning, match=rf"{name} goes .* msdensity\.{msdensity._OLD[name]}"
    ):
        assert getattr(msdensity, name) is not None
    assert name not in msdensity.__all__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'boards'"):
        msdensity.boards  # noqa: B018
