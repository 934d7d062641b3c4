"""A full disk and a folder that cannot be written, real ones: small file systems in memory."""

import errno
import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from faulty import in_a_child, sweep, sweep_and_tell
from small_disk import small_disk

from msdensity.errors import InputError
from msdensity.files.atomic import atomic_write
from msdensity.files.tables import write_table
from msdensity.runs.records import begin_record, write_records
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS

pytestmark = pytest.mark.filterwarnings("ignore:ledger")


def test_a_full_disk_leaves_no_part_of_a_table_page_or_record(tmp_path, tally) -> None:
    """Existing files stay; no part of a new file is written."""
    found = tally("disk full in a table, page or record (tmpfs)")
    sides = np.arange(1, 4001)
    table = pd.DataFrame({"p": sides, "q": sides, "P": 1 / sides})

    def page(path: Path) -> None:
        with atomic_write(path) as file:
            file.write("word " * 20_000)

    def record(path: Path) -> None:
        begun = begin_record(
            rule="rule",
            inputs=[],
            params={"text": "x" * 100_000},
            config={},
            configfile=None,
        )
        write_records([os.fspath(path)], begun, folder=path.parent / "provenance")

    for name, write, made in (
        ("table.csv", lambda path: write_table(path, table, PUBLISHED_COLUMNS), "table.csv"),
        ("page.html", page, "page.html"),
        ("old.csv", record, "provenance"),
    ):
        with small_disk(tmp_path / name) as disk:
            path = disk / name
            for before in ("old", None):
                path.unlink(missing_ok=True)
                if before is not None or name == "old.csv":
                    path.write_text("old")
                with pytest.raises(OSError) as caught:
                    write(path)
                assert caught.value.errno == errno.ENOSPC
                assert "the file is as it was: make room and run again" in str(caught.value)
                found.trials += 1
                files = [each for each in disk.rglob("*") if each.is_file()]
                found.complete += any(each != path for each in files)
                if path in files:
                    found.complete += path.read_text() != "old"
                else:
                    assert made == name and before is None
    assert found.clean


def test_a_folder_that_cannot_be_written(tmp_path, whole, tally) -> None:
    found = tally("read-only data folder (tmpfs)")
    with small_disk(tmp_path / "disk") as disk:
        path = disk / "ledger.csv"
        status, finished, _ = in_a_child(lambda told: sweep_and_tell(path, told), kill_after=0.1)
        read_only = ["mount", "-o", "remount,ro", str(disk)]
        subprocess.run(read_only, check=True)
        done = path.exists() and path.read_bytes() == whole  # before it was killed
        if status and not done:
            with pytest.raises(InputError, match="cannot be written: Read-only file system"):
                sweep(path)
        found.judge(path, finished, whole)
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        sweep(path)
        assert path.read_bytes() == whole
        subprocess.run(read_only, check=True)
        # A finished ledger needs no writing.
        assert sweep(path) == 0
        found.judge(path, [], whole)
    assert found.clean
