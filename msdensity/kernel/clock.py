"""Where the time of a game goes, by layer, and what it does how often: only in a profiling kernel.

With MSDENSITY_PROFILE=1 in the environment, the kernel is compiled (into a separate cache folder)
with readings of the processor's cycle counter at the borders between layers. Without it, `tick` and
`tally` compile to nothing. `msdensity bench --profile` starts such a process.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from msdensity.kernel.compiler.jit import small
from msdensity.kernel.state import LAST_TICK

PROFILE = os.environ.get("MSDENSITY_PROFILE") == "1"


@intrinsic
def cycles(typing_context: Any) -> Any:
    """Return the processor's cycle counter."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(64), [])
        return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", (), kind), [])

    return types.int64(), generate


@small
def tick(ws, layer):
    """Add the cycles since the last tick to a layer (an index of state.LAYERS)."""
    if PROFILE:
        now = cycles()
        ws.layers[layer] += now - ws.layers[LAST_TICK]
        ws.layers[LAST_TICK] = now


ONE = np.int64(1)


@small
def tally(ws, what, number):
    """Add a number to a count (an index of state.COUNTS)."""
    if PROFILE:
        ws.counts[what] += number
