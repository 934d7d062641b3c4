"""Write the numbers that texts quote, as JSON."""

import json

from job import job
from msdensity.files.atomic import atomic_write
from msdensity.files.tables import read_table
from msdensity.stats.columns import (
    CORRECTED_COLUMNS,
    EXTRAPOLATION_COLUMNS,
    FIT_COLUMNS,
    SERIES_COLUMNS,
)
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from msdensity.studies.paper.tables import quoted_numbers

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
