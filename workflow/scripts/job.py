"""What every script does around its work."""

import hashlib
import json
import os
from contextlib import contextmanager
from pathlib import Path

from msdensity.files.atomic import remove_leftovers
from msdensity.runs.checkpoint import Unfinished, unfinished_path
from msdensity.runs.ledger import CPU_SECONDS_ELSEWHERE, READ
from msdensity.runs.records import begin_record, record_path, write_records
from msdensity.runs.win_rates import MORE_GAMES


@contextmanager
def job(snakemake):
    """Send warnings and tracebacks to the log; put on record where results come from.

    That is from the code and the inputs that are there at the beginning, and from ledgers, of which
    Snakemake knows nothing.

    Yield what keeps the batches of a job without a ledger, so that an attempt that was killed does
    not start anew: a `Keep`, which makes no file before its first batch. The run removes it at its
    end.
    """
    with open(snakemake.log[0], "w", encoding="utf-8") as log:
        os.dup2(log.fileno(), 2)
    # What an attempt that was killed had begun to write.
    for path in snakemake.output:
        remove_leftovers(Path(path))
        remove_leftovers(record_path(path))
    begun = begin_record(
        rule=snakemake.rule,
        inputs=snakemake.input,
        params=dict(snakemake.params.items()),
        config=snakemake.config,
        configfile=os.environ.get("MSDENSITY_CONFIGFILE"),
    )
    versions = json.dumps([begun["code"]["sources"], begun["packages"]], sort_keys=True)
    version = hashlib.blake2b(versions.encode(), digest_size=8).hexdigest()
    with Unfinished(unfinished_path(snakemake.output[0]), version) as keep:
        yield keep
        elsewhere = sum(CPU_SECONDS_ELSEWHERE) + keep.cpu_seconds_before
        write_records(
            snakemake.output,
            begun,
            ledgers=READ,
            cpu_seconds_elsewhere=elsewhere,
            more_games=MORE_GAMES,
        )
