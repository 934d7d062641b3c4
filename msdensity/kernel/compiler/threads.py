"""Memory of one thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Made = TypeVar("Made")


def per_thread(make: Callable[[Key], Made]) -> Callable[[Key], Made]:
    """Return a version of `make` that keeps the last result of each thread.

    The result is made again if the argument is not the same object as before.
    """
    local = threading.local()

    def of_this_thread(key: Key) -> Made:
        if getattr(local, "key", None) is not key:
            local.key = local.made = None  # free it before the next one is made
            local.made = make(key)
            local.key = key
        return local.made

    return of_this_thread
