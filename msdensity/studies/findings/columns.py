"""The page of findings has no tables of its own."""

from msdensity.files.tables import Column

TABLES: dict[str, dict[str, Column]] = {}
