"""Top up the ledger of one range of games on a large board."""

import json

from job import job
from msdensity.files.atomic import atomic_write
from msdensity.runs.config import load_config
from msdensity.runs.jobs import ledger_path
from msdensity.runs.sweep import top_up
from msdensity.runs.versions import own_ledger

config, names = load_config(snakemake.config), snakemake.wildcards
folder, first, end = snakemake.params.ledgers, int(names.first), snakemake.params.games
how = {"batch": config.batch, "threads": snakemake.threads}
with job(snakemake) as work:
    tasks = config.tasks_to_play(names.board, names.label)
    own = ledger_path(folder, names.board, names.label, first)
    top_up(tasks, end, own, first_game=first, **how)
    own = own_ledger(own)
    work.ledgers.add(own)
    with atomic_write(snakemake.output[0]) as file:
        json.dump({"ledger": str(own), "first_game": first, "end": end}, file)
