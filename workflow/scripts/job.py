"""What every script does around its work."""

import os
from contextlib import contextmanager
from pathlib import Path

from msdensity.files import remove_leftovers
from msdensity.ledger import READ
from msdensity.provenance import record_path, write_records


@contextmanager
def job(snakemake):
    """Send warnings and tracebacks to the log; at the end, put on record where results come from.

    That is from the inputs that Snakemake knows, and from ledgers, of which it knows nothing.
    """
    with open(snakemake.log[0], "w", encoding="utf-8") as log:
        os.dup2(log.fileno(), 2)
    # What an attempt that was killed had begun to write.
    for path in snakemake.output:
        remove_leftovers(Path(path))
        remove_leftovers(record_path(path))
    yield
    write_records(
        snakemake.output,
        rule=snakemake.rule,
        inputs=[*snakemake.input, *READ],
        params=dict(snakemake.params.items()),
        config=snakemake.config,
        configfile=os.environ.get("MSDENSITY_CONFIGFILE"),
    )
