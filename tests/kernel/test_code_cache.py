"""The cache of machine code: whose folder it is, and what damage and a full disk do to it."""

import errno
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from numba.core.caching import IndexDataCacheFile

from msdensity.kernel.compiler import jit
from msdensity.kernel.compiler.cache import cache_folder
from msdensity.kernel.compiler.jit import entry


def add(a, b):
    return a + b


@pytest.fixture
def cache(monkeypatch, tmp_path) -> Path:
    monkeypatch.setattr(jit, "CACHE_FOLDER", str(tmp_path))
    return tmp_path


def from_disk() -> bool:
    """Whether a new process would find the machine code; plays one call."""
    made = entry(add)
    assert made(1, 2) == 3
    return sum(made.stats.cache_hits.values()) == 1


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", ["empty", "torn", "zeros", "one bit", "removed"])
def test_damaged_machine_code_is_compiled_again_and_mended(cache, ending, damage):
    assert not from_disk() and from_disk()
    (path,) = cache.rglob(f"*.{ending}")
    data = path.read_bytes()
    if damage == "removed":
        path.unlink()
    else:
        changes = {"empty": b"", "torn": data[: len(data) // 2], "zeros": bytes(len(data))}
        middle = len(data) // 2
        flipped = bytes([data[middle] ^ 1])
        changes["one bit"] = data[:middle] + flipped + data[middle + 1 :]
        path.write_bytes(changes[damage])
    assert not from_disk() and from_disk()


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_a_disk_that_takes_nothing_stops_no_game(cache, monkeypatch, fault):
    def full(*_):
        raise OSError(fault, os.strerror(fault))

    with monkeypatch.context() as patch:
        patch.setattr(IndexDataCacheFile, "save", full)
        assert not from_disk() and not from_disk()
    assert not from_disk() and from_disk()


def test_a_folder_that_was_removed_is_made_again(cache):
    made = entry(add)
    shutil.rmtree(cache)
    assert made(1, 2) == 3 and from_disk()


def test_a_relative_folder_stays_where_it_was(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "here")
    assert cache_folder("code") == str(tmp_path / "here" / "code")


def shared(monkeypatch, tmp_path) -> Path:
    """Return what a user without a home takes; other users can write in the folder around it."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))  # no folder can be made in there
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    return tmp_path / "tmp" / f"msdensity-{os.getuid()}"


@pytest.mark.parametrize("depth", ["", "code"])
def test_a_folder_that_others_made_or_can_write_is_not_used(monkeypatch, tmp_path, depth):
    root = shared(monkeypatch, tmp_path)
    assert cache_folder("code") == str(root / "code")
    assert (root.stat().st_mode & 0o777, (root / "code").stat().st_mode & 0o777) == (0o700,) * 2
    folder = root / depth
    for mode in (0o777, 0o770):
        folder.chmod(mode)
        assert cache_folder("code") == ""
    folder.chmod(0o700)
    if os.getuid() == 0:  # only root can give a folder away
        os.chown(folder, 12345, -1)
        assert cache_folder("code") == ""
        os.chown(folder, 0, -1)
    assert cache_folder("code") == str(root / "code")
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert cache_folder("code") == ""
