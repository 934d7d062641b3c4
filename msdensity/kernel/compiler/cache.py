"""Where machine code is kept on disk, and a cache that a damaged or full disk cannot stop.

Code from the cache is executed. So its folder must be ours, and nobody else may write to it.
"""

from __future__ import annotations

import os
import pickle
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.np import linalg


def cache_folder(name: str) -> str:
    """Return the first folder `name` that we own alone and can write, or "" (nothing is cached).

    It is looked for in NUMBA_CACHE_DIR, in the user's cache and, without a home, below the folder
    of temporary files, where everybody may have made a folder or a link of this name before us.
    """
    user_cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    own = filter(None, [os.environ.get("NUMBA_CACHE_DIR"), os.path.join(user_cache, "msdensity")])
    # Absolute, because the process may change its folder later.
    roots = [os.path.realpath(root) for root in own]
    roots.append(os.path.join(tempfile.gettempdir(), f"msdensity-{os.getuid()}"))
    for root in map(Path, roots):
        folder = root / name
        with suppress(OSError):
            root.parent.mkdir(parents=True, exist_ok=True)
            for each in (root, folder):
                each.mkdir(mode=0o700, exist_ok=True)
            if _ours(root) and _ours(folder):
                with tempfile.TemporaryFile(dir=folder):
                    return str(folder)
    return ""


def _ours(folder: Path) -> bool:
    """Whether this is a folder, no link, of this user, that no other user may write."""
    status = os.lstat(folder)
    ours = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
    return ours and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


class _Checked(IndexDataCacheFile):
    """Files of machine code with a check value each: damaged code would end the process."""

    def _load_data(self, name: str) -> Any:
        data = Path(self._data_path(name)).read_bytes()
        check, code = data[:_CHECK], data[_CHECK:]
        if check != blake2b(code, digest_size=_CHECK).digest():
            raise ValueError("damaged")
        return pickle.loads(code)

    def _save_data(self, name: str, data: Any) -> None:
        code = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(blake2b(code, digest_size=_CHECK).digest() + code)


_CHECK = 32
"""Bytes of a check value."""


@contextmanager
def _without_scipy() -> Iterator[None]:
    """Keep scipy.linalg, a third of the start, out while Numba loads its functions of arrays.

    Numba has no setting for this. It imports scipy only to learn whether there is a BLAS (there is:
    we require scipy), and asks again where compiled code uses one.
    """
    ask = getattr(linalg, "ensure_blas", None)  # None: a new Numba asks elsewhere, and starts late
    linalg.ensure_blas = lambda: None
    try:
        yield
    finally:
        linalg.ensure_blas = ask


class MachineCode(FunctionCache):
    """Numba's cache of a function, without its errors.

    What is damaged, as after a power cut, is compiled again and replaced. What cannot be written is
    not kept.
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _Checked(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for a signature; None if there is none that can be read."""
        try:
            with _without_scipy():
                return super().load_overload(sig, target_context)
        except Exception:  # a torn pickle may raise anything
            self._forget()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for a signature, if the disk takes it."""
        try:
            super().save_overload(sig, data)
        except OSError:
            return
        except Exception:  # the index is damaged
            self._forget()
            with suppress(OSError):
                super().save_overload(sig, data)

    def _forget(self) -> None:
        """Remove the index; files that it named are replaced later."""
        with suppress(OSError):
            os.unlink(self._cache_file._index_path)
