"""Write the page of all findings."""

from pathlib import Path

from job import job
from msdensity.files.atomic import atomic_write
from msdensity.studies.findings.page import findings_page

with job(snakemake):
    files = dict(snakemake.input.items())
    pages = snakemake.params.pages
    text = findings_page(
        {study: Path(files[f"finding_{study}"]).read_text(encoding="utf-8") for study in pages},
        {study: files[f"figure_{study}"] for study in pages},
        pages,
    )
    with atomic_write(snakemake.output[0]) as file:
        file.write(text)
