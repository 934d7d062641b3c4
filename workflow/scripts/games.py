"""A step that plays: apart from step.py, because a rule runs again after an edit of its script."""

from inspect import signature

from job import job
from msdensity.runs.config import load_config
from msdensity.runs.steps import call, load, options, write
from msdensity.runs.sweep import Played

function, tables = load(snakemake.params.step)
with job(snakemake) as work:
    offered = dict(snakemake.wildcards.items()) | {
        "seed": snakemake.params.seed,
        "threads": snakemake.threads,
        "keep": work.keep,
    }
    if "config" in signature(function).parameters:
        offered["config"] = load_config(snakemake.config)  # not if a study's file is given
    made = call(function, tables, snakemake.input, options(snakemake.params), offered)
    if isinstance(made, Played):
        work.used(made)
        made = made.table
    write(made, tables, snakemake.output)
