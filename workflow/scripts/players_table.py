"""Play one published table and set every number of it beside ours."""

from job import job
from msdensity.studies.published_players.files import read_csv, write_csv
from msdensity.studies.published_players.results import study_table
from msdensity.studies.published_players.settings import load_settings

with job(snakemake) as work:
    study = load_settings(snakemake.params.study).only(snakemake.params.table)
    published = read_csv(snakemake.input.published)
    write_csv(snakemake.output[0], study_table(published, study, work.keep))
