"""Write the page of the published players."""

from pathlib import Path

from job import job
from msdensity.studies.published_players.files import read_csv
from msdensity.studies.published_players.page import TABLES, page

with job(snakemake):
    tables = {name: read_csv(str(snakemake.input[name])) for name in TABLES}
    figures = {Path(path).stem: path for path in snakemake.input.figures}
    page(tables, figures, snakemake.params.study).write(snakemake.output[0])
