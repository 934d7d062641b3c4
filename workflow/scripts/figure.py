"""Draw the figures of a rule, each by the function that has the name of its files in FIGURES."""

from inspect import signature
from pathlib import Path

from job import job
from msdensity.runs.steps import call, load
from msdensity.studies.plot import save_figure

figures, tables = load(snakemake.params.step)
with job(snakemake):
    for name in dict.fromkeys(Path(path).stem for path in snakemake.output):
        wanted = signature(figures[name]).parameters
        inputs = {table: path for table, path in snakemake.input.items() if table in wanted}
        figure = call(figures[name], tables, inputs, {}, {})
        save_figure(figure, *(path for path in snakemake.output if Path(path).stem == name))
