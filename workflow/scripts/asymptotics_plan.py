"""Say what will be played and what it costs."""

import sys

from job import job
from msdensity.files.tables import read_tables, write_table
from msdensity.studies.asymptotics.columns import PLAN_COLUMNS, POINT_COLUMNS
from msdensity.studies.asymptotics.play import plan_table, report_plan
from msdensity.studies.asymptotics.settings import load_settings

with job(snakemake):
    study = load_settings(snakemake.params.study)
    points = read_tables(snakemake.input.points, POINT_COLUMNS)
    plan = plan_table(study.entries, points, study.precision, study.low_density, study.curves)
    print(report_plan(plan), flush=True)
    print(report_plan(plan), file=sys.stderr)
    write_table(snakemake.output[0], plan, PLAN_COLUMNS)
