"""Memory that each thread has for itself."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Made = TypeVar("Made")


def per_thread(make: Callable[[Key], Made]) -> Callable[[Key], Made]:
    """Return `make` with a memory: each thread gets its own result, and keeps the last one.

    The result is made anew where the argument is another object than before.
    """
    local = threading.local()

    def of_this_thread(key: Key) -> Made:
        if getattr(local, "key", None) is not key:
            local.key = local.made = None  # freed before more is taken
            local.made = make(key)
            local.key = key
        return local.made

    return of_this_thread
