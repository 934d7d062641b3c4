"""The values of perfect play that the package ships, because their search takes long."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from msdensity.files.tables import read_table
from msdensity.studies.perfect.columns import KNOWN_COLUMNS

TABLE = Path(__file__).with_name("known.csv")


def known_values() -> pd.DataFrame:
    """Return the shipped table (KNOWN_COLUMNS); `snakemake known_values` makes it."""
    return read_table(TABLE, KNOWN_COLUMNS)
