"""Write the numbers that texts quote, as JSON."""

import json

from job import job
from msdensity.files import atomic_write
from msdensity.published import quoted_numbers
from msdensity.tables import (
    CORRECTED_COLUMNS,
    EXTRAPOLATION_COLUMNS,
    FIT_COLUMNS,
    PUBLISHED_COLUMNS,
    SERIES_COLUMNS,
    read_table,
)

with job(snakemake):
    columns = (
        CORRECTED_COLUMNS,
        FIT_COLUMNS,
        EXTRAPOLATION_COLUMNS,
        SERIES_COLUMNS,
        PUBLISHED_COLUMNS,
    )
    tables = [
        read_table(path, of) for path, of in zip(snakemake.input.tables, columns, strict=True)
    ]
    with atomic_write(snakemake.output[0]) as file:
        json.dump(quoted_numbers(*tables), file, indent=1)
