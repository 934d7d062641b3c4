"""What a reader may do with any input: quickly answer or raise a documented error."""

import faulthandler
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings

from msdensity.errors import InputError

LARGE = 1000
"""With so many examples or more each run tries new ones; a smaller run is always the same."""

SECONDS, SECONDS_OF_THE_CLOCK = 10, 60
"""Seconds of CPU time, which a busy machine does not change, and of a reader that waits."""
_TIMERS = (
    (signal.SIGPROF, signal.ITIMER_PROF, SECONDS),
    (signal.SIGALRM, signal.ITIMER_REAL, SECONDS_OF_THE_CLOCK),
)
REFUSED = object()
examples = 60
counts: dict[str, Counter[str]] = defaultdict(Counter)


def fuzzed(*strategies: Any, **named: Any) -> Callable[..., Any]:
    """Run a test on many inputs, as many as the run was asked for."""

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        profile = settings(
            max_examples=examples,
            derandomize=examples < LARGE,
            database=None,
            deadline=timedelta(seconds=SECONDS_OF_THE_CLOCK),
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        )
        return profile(given(*strategies, **named)(test))

    return decorate


def answer(reader: str, call: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Return what a reader answers, REFUSED where it raises InputError.

    Fails after SECONDS or SECONDS_OF_THE_CLOCK; where the interpreter does not get the word any
    more, ends the process.
    """
    for number, timer, seconds in _TIMERS:
        signal.signal(number, _hang)
        signal.setitimer(timer, seconds)
    faulthandler.dump_traceback_later(2 * SECONDS_OF_THE_CLOCK, exit=True, file=sys.__stderr__)
    try:
        result = call(*arguments, **named)
    except InputError as error:
        assert type(error) is InputError
        assert "\n" not in str(error) and len(str(error)) < 100_000, str(error)
        counts[reader]["InputError"] += 1
        return REFUSED
    finally:
        for _, timer, _ in _TIMERS:
            signal.setitimer(timer, 0)
        faulthandler.cancel_dump_traceback_later()
    counts[reader]["answered"] += 1
    return result


def _hang(number: int, frame: object) -> None:
    raise AssertionError(f"no answer after {SECONDS} s of CPU time or {SECONDS_OF_THE_CLOCK} s")
