"""Say what will be played and what it costs."""

import sys

from job import job
from msdensity.asymptotics.columns import PLAN_COLUMNS, POINT_COLUMNS
from msdensity.asymptotics.games import plan_table, report_plan
from msdensity.asymptotics.study import load_study
from msdensity.tables import read_tables, write_table

with job(snakemake):
    study = load_study(snakemake.params.study)
    points = read_tables(snakemake.input.points, POINT_COLUMNS)
    plan = plan_table(study.entries, points, study.precision, study.low_density, study.curves)
    print(report_plan(plan), flush=True)
    print(report_plan(plan), file=sys.stderr)
    write_table(snakemake.output[0], plan, PLAN_COLUMNS)
