"""Machine code: its hash covers every source, and its names are unique; memory for each thread."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from msdensity.kernel.compiler import sources
from msdensity.kernel.compiler.directory import Directory, directory_words, opener
from msdensity.kernel.compiler.jit import compiling, entry
from msdensity.kernel.compiler.threads import per_thread
from places import DATA, ROOT

PAIR = {"whole": "i4", "real": "f8"}
open_pair = opener(Directory("Pair", PAIR))


@entry
def swap(words, i):
    """Exchange item i of both arrays; return both lengths."""
    pair = open_pair(words)
    whole = pair.whole[i]
    pair.whole[i] = np.int32(pair.real[i])
    pair.real[i] = whole
    return len(pair.whole), len(pair.real)


def test_compiled_code_reaches_arrays_by_name() -> None:
    arrays = {"whole": np.arange(5, dtype=np.int32), "real": np.full(3, 7.0)}
    assert swap(directory_words(arrays), 2) == (5, 3)
    assert arrays["whole"].tolist() == [0, 1, 7, 3, 4]
    assert arrays["real"].tolist() == [7, 7, 2]


def test_a_directory_may_change_between_calls() -> None:
    """Within a call it never does, so compiled code need not load it twice (`invariant.load`)."""
    fresh = numba.njit(swap.py_func)  # code from the disk cannot be inspected
    first, second = np.arange(5, dtype=np.int32), np.arange(10, 13, dtype=np.int32)
    words = directory_words({"whole": first, "real": np.full(3, 7.0)})
    assert fresh(words, 2) == (5, 3)
    words[:2] = second.ctypes.data, len(second)
    assert fresh(words, 1) == (3, 3)
    assert second.tolist() == [10, 7, 12]
    assert first.tolist() == [0, 1, 7, 3, 4]
    (code,) = fresh.inspect_llvm().values()
    assert code.count("!invariant.load") >= 4


@pytest.mark.parametrize("changed", ["kernel/rng.py", "players/constraints/reduce.py"])
def test_a_change_in_any_source_changes_the_hash(tmp_path, monkeypatch, changed: str) -> None:
    for folder in ("kernel", "players"):
        shutil.copytree(sources.PACKAGE / folder, tmp_path / folder)
    before = sources.source_hash(1)
    monkeypatch.setattr(sources, "PACKAGE", tmp_path)
    assert sources.source_hash(1) == before
    assert sources.source_hash(2) != before
    (tmp_path / changed).write_text((tmp_path / changed).read_text() + "\n")
    assert sources.source_hash(1) != before


def test_a_failed_allocation_leaves_no_memory_behind() -> None:
    def make(key: list[int]) -> list[int]:
        return [key[0] + 1]

    of_thread = per_thread(make)
    good: list[int] = [1]
    assert of_thread(good) is of_thread(good) == [2]
    with pytest.raises(IndexError):
        of_thread([])
    assert of_thread(good) == [2]


PLAY = """
import json, sys
from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
for player in sys.argv[1:]:
    print(json.dumps(play_batch(Task(Board((10, 10)), 20, player, seed=1), 0, 200)))
"""


@pytest.mark.campaign
def test_cached_code_of_one_player_is_not_run_for_another(tmp_path: Path) -> None:
    """Both loops are closures of one function; machine code is linked by name."""
    stored = json.loads((DATA / "golden_games.json").read_text())["games"]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    for players in (["cellular_automaton"], ["cellular_automaton", "single_point"]):
        output = subprocess.run(
            [sys.executable, "-c", PLAY, *players],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for player, line in zip(players, output.splitlines(), strict=True):
            assert json.loads(line) == stored[f"10x10/20 player={player}"], player


def test_a_first_compilation_is_announced_once_even_on_a_pipe(capsys) -> None:
    def fresh() -> None:
        pass

    for _ in range(2):
        with compiling(fresh):
            pass
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and err.startswith("compiling ") and "fresh, once for this" in err
