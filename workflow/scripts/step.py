"""A step that plays nothing: read the tables it names, call its function, write what it returns."""

from job import job
from msdensity.runs.steps import call, load, options, write

function, tables = load(snakemake.params.step)
with job(snakemake):
    given = options(snakemake.params)
    made = call(function, tables, snakemake.input, given, dict(snakemake.wildcards.items()))
    write(made, tables, snakemake.output)
