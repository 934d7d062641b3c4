"""What every script does around its work."""

import os
from contextlib import contextmanager

from msdensity.ledger import cpu_seconds
from msdensity.provenance import write_records


@contextmanager
def job(snakemake):
    """Send warnings and tracebacks to the log; at the end, put on record where results come from.

    Yields a list for the ledgers that the job tops up, of which Snakemake knows nothing.
    """
    with open(snakemake.log[0], "w", encoding="utf-8") as log:
        os.dup2(log.fileno(), 2)
    ledgers = []
    yield ledgers
    write_records(
        snakemake.output,
        rule=snakemake.rule,
        inputs=[*snakemake.input, *ledgers],
        params=dict(snakemake.params.items()),
        config=snakemake.config,
        configfile=os.environ.get("MSDENSITY_CONFIGFILE"),
        games_cpu_seconds=sum(map(cpu_seconds, ledgers)),
    )
