"""Count the certain cells that the text's inference misses."""

from job import job
from msdensity.files.tables import write_table
from msdensity.runs.config import load_config
from msdensity.studies.paper.columns import INFERENCE_COLUMNS
from msdensity.studies.paper.inference import inference_table

with job(snakemake) as work:
    config = load_config(snakemake.config)
    study = config.inference_study
    table = inference_table(study.mines, study.games, config.seed, work.keep)
    write_table(snakemake.output[0], table, INFERENCE_COLUMNS)
