"""Write the page of the published players."""

import os
from pathlib import Path

from msdensity.players_study import page, read_csv
from msdensity.players_study.html_page import TABLES

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

tables = {name: read_csv(str(snakemake.input[name])) for name in TABLES}
figures = {Path(path).stem: path for path in snakemake.input.figures}
page(tables, figures).write(snakemake.output[0])
