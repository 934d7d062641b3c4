"""Count the certain cells that the text's inference misses."""

from job import job
from msdensity.config import load_config
from msdensity.inference_study import inference_table
from msdensity.tables import INFERENCE_COLUMNS, write_table

with job(snakemake) as keep:
    config = load_config(snakemake.config)
    study = config.inference_study
    table = inference_table(study.mines, study.games, config.seed, keep)
    write_table(snakemake.output[0], table, INFERENCE_COLUMNS)
