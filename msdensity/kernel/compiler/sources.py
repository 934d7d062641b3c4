"""A hash of the sources that decide how a game ends; does not load Numba."""

from __future__ import annotations

import hashlib
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent.parent


def source_hash(*settings: object) -> str:
    """Return 16 hex digits that change with the sources of kernel and players and the settings."""
    digest = hashlib.blake2b(repr(settings).encode(), digest_size=8)
    for folder in ("kernel", "players"):
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            digest.update(
                path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0"
            )
    return digest.hexdigest()
