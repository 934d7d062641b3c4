"""Ledgers as another version of the kernel would have left them."""

from dataclasses import replace
from pathlib import Path

from msdensity.runs.ledger import read_ledger, render


def as_played_by(path: Path, version: int) -> bytes:
    """Rewrite a ledger as one of another version; return its bytes."""
    rows = [
        replace(
            row,
            kernel_version=version,
            counts=replace(row.counts, task_id=row.task.task_id_of(version)),
        )
        for row in read_ledger(path, any_version=True).rows
    ]
    path.write_bytes(render(rows))
    return path.read_bytes()
