"""Write the page of a study: its tables and figures, put into words by its template."""

from pathlib import Path

from job import job
from msdensity.files.atomic import atomic_write
from msdensity.files.tables import read_table
from msdensity.runs.steps import load, options

page, columns = load(snakemake.params.step)
with job(snakemake):
    read = dict(snakemake.input.items())
    figures = {Path(path).stem: path for path in read.pop("figures")}
    tables = {name: read_table(path, columns[name]) for name, path in read.items()}
    text = page(tables=tables, figures=figures, **options(snakemake.params))
    with atomic_write(snakemake.output[0]) as file:
        file.write(text)
