"""Copy results that are committed, each with the record of where it comes from beside it."""

import json
import shutil
from pathlib import Path

from job import job
from msdensity.files.atomic import atomic_write
from msdensity.runs.provenance import find
from msdensity.runs.records import sidecar

with job(snakemake):
    for source, target in zip(snakemake.input, snakemake.output, strict=True):
        record = find(source).record
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        with atomic_write(sidecar(target)) as file:
            json.dump(record, file, indent=1, ensure_ascii=False)
            file.write("\n")
