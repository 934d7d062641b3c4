"""Play one published table and set every number of it beside ours."""

from job import job
from msdensity.players_study import load_study, read_csv, study_table, write_csv

with job(snakemake) as keep:
    study = load_study(snakemake.params.study).only(snakemake.params.table)
    published = read_csv(snakemake.input.published)
    write_csv(snakemake.output[0], study_table(published, study, keep))
