"""A small file system in memory: a disk that is soon full."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

KILOBYTES = 64


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Mount a file system of 64 KB at `folder`."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={KILOBYTES}k", "tmpfs", str(folder)]
    try:
        made = subprocess.run(mount, capture_output=True, text=True, check=False)
        reason = made.stderr.strip() if made.returncode else ""
    except OSError as error:
        reason = str(error)
    if reason:
        pytest.skip(f"no file system can be mounted here: {reason}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
