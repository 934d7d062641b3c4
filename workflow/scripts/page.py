"""Write the page of a study and its finding: its tables and figures, put into words."""

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
    given = options(snakemake.params)
    made = {
        snakemake.output.page: page(tables=tables, figures=figures, **given),
        snakemake.output.finding: page.finding(tables, given["settings"]),
    }
    for path, text in made.items():
        with atomic_write(path) as file:
            file.write(text)
