"""Say what will be played and what it costs."""

import os
import sys

from msdensity.asymptotics.columns import PLAN_COLUMNS, POINT_COLUMNS
from msdensity.asymptotics.games import plan_table, report_plan
from msdensity.asymptotics.study import load_study
from msdensity.tables import read_tables, write_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

study = load_study(snakemake.params.study)
points = read_tables(snakemake.input.points, POINT_COLUMNS)
plan = plan_table(study.entries, points, study.precision, study.low_density, study.curves)
print(report_plan(plan), flush=True)
print(report_plan(plan), file=sys.stderr)
write_table(snakemake.output[0], plan, PLAN_COLUMNS)
