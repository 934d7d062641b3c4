"""Links that somebody else put into a data folder lead no write to another file."""

import os
from pathlib import Path

import pytest

from msdensity.errors import InputError
from msdensity.files.atomic import atomic_write, temporary_path
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.kernel.measures import MEASURES
from msdensity.runs.checkpoint import Checkpoint
from msdensity.runs.cpu_notes import notes_path
from msdensity.runs.sweep import top_up

TEXT = "of the user"


@pytest.fixture
def victim(tmp_path) -> Path:
    path = tmp_path / "victim"
    path.write_text(TEXT)
    return path


def games(task, first_game, count):
    return dict.fromkeys(MEASURES, 0)


def play(folder: Path) -> None:
    top_up([Task(Board((3, 3)), 2)], 10, folder / "3x3.csv", play=games)


def test_a_linked_lock_is_refused_and_its_target_stays(tmp_path, victim):
    (tmp_path / "3x3.csv.lock").symlink_to(victim)
    with pytest.raises(InputError, match="It is a link; remove it"):
        play(tmp_path)
    assert victim.read_text() == TEXT


def test_linked_notes_are_dropped(tmp_path, victim):
    notes_path(tmp_path / "3x3.csv").symlink_to(victim)
    play(tmp_path)
    assert victim.read_text() == TEXT and (tmp_path / "3x3.csv").exists()


def test_a_linked_temporary_file_is_replaced(tmp_path, victim):
    temporary_path(tmp_path / "table").symlink_to(victim)
    with atomic_write(tmp_path / "table") as file:
        file.write("new")
    assert (tmp_path / "table").read_text() == "new" and victim.read_text() == TEXT


def test_a_linked_checkpoint_is_refused(tmp_path, victim):
    victim.write_text("")
    keep = Checkpoint(tmp_path / "fits.csv", "1")
    keep.path.symlink_to(victim)
    with pytest.raises(InputError, match="It is a link; remove it"), keep:
        keep("batch", lambda: [1, 2])
    assert victim.read_text() == ""


def test_a_linked_folder_is_followed(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "disk")
    play(tmp_path / "data")
    assert os.path.getsize(tmp_path / "disk" / "3x3.csv") > 0
