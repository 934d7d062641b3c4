"""Compile a function that only compiled code calls, without separate machine code.

Numba optimises every function separately and makes machine code of it and of all it calls, even if
only compiled code calls it. This takes nearly half of the time of a cold compile. The library below
only passes its functions on; the entry that they end up in is optimised once, as a whole.
"""

from __future__ import annotations

import itertools
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.typed_passes import InlineOverloads, NopythonRewrites
from numba.core.untyped_passes import GenericRewrites, InlineClosureLikes


class _NoEnvironment:
    """The code generator without the environment of functions that have no machine code."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to set."""


class PartLibrary(JITCodeLibrary):
    """The functions of one part, which are linked into others."""

    @property
    def codegen(self) -> Any:
        return _NoEnvironment(self._codegen)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: there is no machine code."""
        self._ensure_finalized()
        return 0


_numbers = itertools.count()


UNUSED = (InlineClosureLikes, GenericRewrites, NopythonRewrites, InlineOverloads)
"""Passes for what no part has: inner functions, exceptions, expressions of arrays, inlined
overloads. They take a twentieth of a cold compile."""


class PartCompiler(Compiler):
    """Numba's compiler with a library that only passes its functions on."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state.library = PartLibrary(self.state.targetctx.codegen(), f"part{next(_numbers)}")

    def define_pipelines(self) -> Any:
        """Return the passes of Numba without those that change nothing here."""
        (passes,) = super().define_pipelines()
        passes.passes = [entry for entry in passes.passes if entry[0] not in UNUSED]
        passes.finalize()
        return [passes]
