"""Price every fault of the listing from the games of its variants."""

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.studies.reproduction.ablation import ABLATION_COLUMNS, ablation_table
from msdensity.studies.reproduction.play import OUTCOME_COLUMNS, read_ends
from msdensity.studies.reproduction.settings import load_settings

with job(snakemake):
    study = load_settings(snakemake.params.config)
    ends = {
        name: read_ends(read_table(path, OUTCOME_COLUMNS))
        for name, path in zip(snakemake.params.variants, snakemake.input.ends, strict=True)
    }
    boards = {board.name: board.cells for board in study.ablation.boards}
    table = ablation_table(
        ends,
        boards,
        (snakemake.params.spot[0], int(snakemake.params.spot[1])),
        study.ablation.games,
        snakemake.params.replicates,
    )
    write_table(snakemake.output[0], table, ABLATION_COLUMNS)
