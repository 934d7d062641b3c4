"""A task as the kernel takes it, and what `play` does with the result of a player's entry."""

import threading

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.kernel.batch import FAULTS, KernelTask, Player, play, prepare, thread_workspace
from msdensity.kernel.measures import MEASURES, WINS
from msdensity.kernel.state import GIVEN_UP
from msdensity.kernel.topology import cached_table

TASK = KernelTask((3, 4), "square8", 5, "random_edge", "zero", (1, 2**64 - 1), (3, 0, 1))


def test_the_task_is_written_to_the_workspace() -> None:
    table, workspace = prepare(TASK)
    assert table is cached_table((3, 4), "square8")
    assert workspace is thread_workspace(table)
    task = workspace.task[0]
    assert (task["mines"], task["start_rule"], task["first_cells"]) == (5, 1, 6)
    assert (task["board_key"], task["player_key"]) == TASK.keys
    assert workspace.first_cell[:6].tolist() == [1, 2, 4, 7, 9, 10]
    assert workspace.option[:3].tolist() == [3, 0, 1]


@pytest.mark.parametrize("start,max_mines", [("unprotected", 12), ("safe", 11), ("zero", 6)])
def test_mines_must_fit_beside_the_protected_cells(start: str, max_mines: int) -> None:
    for mines, fits in ((0, True), (max_mines, True), (max_mines + 1, False), (-1, False)):
        task = KernelTask((3, 4), "square8", mines, "random_edge", start, (1, 2))
        if fits:
            prepare(task)
        else:
            with pytest.raises(InputError, match=rf"mines={mines} must be in 0\.\.{max_mines}"):
                prepare(task)


def test_play_calls_the_entry_and_sums_from_zero() -> None:
    table = cached_table((3, 4), "square8")
    memory = thread_workspace(table)  # any memory
    calls = []

    def entry(table_words, ws_words, memory_words, first_game, games):
        calls.append((first_game, games))
        assert table_words is table.words and memory_words is memory.words
        thread_workspace(table).sums[WINS] += games
        return 0

    for _ in range(2):
        sums = play(Player(entry, lambda _: memory), TASK, 5, 3)
        assert sums == dict.fromkeys(MEASURES, 0) | {"wins": 3}
    assert calls == [(0, 0), (5, 3)] * 2  # the first only compiles


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_program_is_an_error(fault: int) -> None:
    def entry(table_words, ws_words, memory_words, first_game, games):
        assert memory_words.dtype == np.int64 and not len(memory_words)
        return fault if games else 0

    with pytest.raises(RuntimeError, match=FAULTS[fault]):
        play(Player(entry), TASK, 0, 1)
    assert GIVEN_UP in FAULTS


def test_each_thread_has_a_workspace_and_keeps_the_last() -> None:
    table, other = cached_table((3, 4), "square8"), cached_table((2, 2), "square8")
    mine = thread_workspace(table)
    theirs = []
    thread = threading.Thread(target=lambda: theirs.append(thread_workspace(table)))
    thread.start()
    thread.join()
    assert thread_workspace(table) is mine and theirs[0] is not mine
    assert len(thread_workspace(other).cell) == 4
    assert thread_workspace(table) is not mine
