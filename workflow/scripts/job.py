"""What every script does around its work."""

import hashlib
import json
import os
import signal
import sys
from contextlib import contextmanager
from pathlib import Path

# Until the work begins, Ctrl-C ends the script at once: a traceback from its imports helps nobody.
STOPS = signal.getsignal(signal.SIGINT) == signal.default_int_handler
if STOPS:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# A notebook that starts the workflow hands on its own backend, which no job needs.
os.environ.pop("MPLBACKEND", None)

from msdensity.errors import InputError
from msdensity.files.atomic import remove_leftovers
from msdensity.runs.checkpoint import Checkpoint, unfinished_path
from msdensity.runs.records import begin_record, record_path, write_records


class Work:
    """A job at work.

    keep: a `Keep` for the batches of a job without a ledger, so that the next attempt goes on after
    a kill; it makes no file before its first batch, and the run removes it at its end.
    """

    def __init__(self, keep):
        self.keep = keep
        self.ledgers = set()
        self.more_games = set()

    def used(self, *played):
        """Put on record which ledgers the results come from (each a `Played`)."""
        for each in played:
            self.ledgers.update(each.ledgers)
            self.more_games |= each.more_games


@contextmanager
def job(snakemake):
    """Send warnings and tracebacks to the log; put on record where results come from; yield `Work`.

    That is from the code and the inputs that are there at the beginning, and from ledgers, of which
    Snakemake knows nothing.
    """
    with open(snakemake.log[0], "w", encoding="utf-8") as log:
        os.dup2(log.fileno(), 2)
    # What an attempt that was killed had begun to write.
    for path in snakemake.output:
        remove_leftovers(Path(path))
        remove_leftovers(record_path(path))
    try:
        if STOPS:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        begun = begin_record(
            rule=snakemake.rule,
            inputs=snakemake.input,
            params=dict(snakemake.params.items()),
            config=snakemake.config,
            configfile=os.environ.get("MSDENSITY_CONFIGFILE"),
        )
        versions = json.dumps([begun["code"]["sources"], begun["packages"]], sort_keys=True)
        version = hashlib.blake2b(versions.encode(), digest_size=8).hexdigest()
        with Checkpoint(unfinished_path(snakemake.output[0]), version) as keep:
            work = Work(keep)
            yield work
            write_records(
                snakemake.output,
                begun,
                ledgers=work.ledgers,
                cpu_seconds_before=keep.cpu_seconds_before,
                more_games=work.more_games,
            )
    except (InputError, OSError) as error:  # they say what to do; where they come from helps nobody
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print("stopped", file=sys.stderr, flush=True)
        raise SystemExit(130) from None
