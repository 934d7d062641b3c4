"""Write the page of the published players."""

from pathlib import Path

from job import job
from msdensity.players_study import page, read_csv
from msdensity.players_study.html_page import TABLES

with job(snakemake):
    tables = {name: read_csv(str(snakemake.input[name])) for name in TABLES}
    figures = {Path(path).stem: path for path in snakemake.input.figures}
    page(tables, figures).write(snakemake.output[0])
