"""The files in a folder and all below it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def files_in(folder: str | os.PathLike[str], ending: str) -> Iterator[Path]:
    """Yield the files with an ending in a folder and all below it, by name, also behind links.

    A file is one too. A folder that links lead to twice is read once.
    """
    root = Path(folder)
    if not os.path.isdir(root):
        yield root
        return
    seen = set()
    for place, folders, names in os.walk(root, followlinks=True):
        here = os.path.realpath(place)
        if here in seen:
            folders.clear()
            continue
        seen.add(here)
        folders.sort()
        yield from (Path(place) / name for name in sorted(names) if name.endswith(ending))
