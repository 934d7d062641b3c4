"""Write the page of a study: its tables and figures, put into words by its template."""

from importlib import import_module
from pathlib import Path

from job import job
from msdensity.files.atomic import atomic_write

study = f"msdensity.studies.{snakemake.params.study}"
says = import_module(f"{study}.page")
settings = import_module(f"{study}.settings").load_settings(snakemake.params.settings)

with job(snakemake):
    tables = {name: read(snakemake.input[name]) for name, read in says.TABLES.items()}
    figures = {Path(path).stem: path for path in snakemake.input.figures}
    text = says.page(tables, settings, figures, snakemake.params.settings)
    with atomic_write(snakemake.output[0]) as file:
        file.write(text)
