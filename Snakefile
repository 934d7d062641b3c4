# From a list of boards to win rates, critical densities and figures.
#   snakemake --cores 16                                               all boards of the paper
#   snakemake --cores 2 --configfile workflow/config/smoke.yaml        a few small boards
# Named targets: sweeps, win_rates, fits, tables, figures, first_click, inference, players,
# reproduction, asymptotics, densities.

import os
import re

from snakemake.common.configfile import load_configfile
from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

from msdensity.errors import InputError
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs import jobs
from msdensity.runs.checkpoint import remove_finished
from msdensity.runs.config import check_file, check_folders, load_config

min_version("9.0")

# Only without --configfile: Snakemake would merge the two files key by key, and a key left out of
# the one given would silently keep the paper's value.
if not workflow.overwrite_configfiles:

    configfile: "workflow/config/paper.yaml"


CONFIG_FILES = workflow.overwrite_configfiles or ["workflow/config/paper.yaml"]
try:
    for path in CONFIG_FILES:
        check_file(path)
    CONFIG = load_config(dict(config))
except InputError as error:
    raise WorkflowError(f"config: {error}") from None


def settings_of(load, path):
    """What a study's file says; a mistake in it is one line, as in the configuration."""
    try:
        return load(path)
    except InputError as error:
        raise WorkflowError(str(error) if path in str(error) else f"{path}: {error}") from None


# For the records of where results come from: the one file that holds the configuration, if any.
os.environ.pop("MSDENSITY_CONFIGFILE", None)
if len(CONFIG_FILES) == 1:
    if load_configfile(CONFIG_FILES[0]) == dict(config):
        os.environ["MSDENSITY_CONFIGFILE"] = os.path.relpath(CONFIG_FILES[0])

DATA = f"data/{CONFIG.name}"
FIGURES = f"figures/{CONFIG.name}"

BOARDS = dict(zip(CONFIG.board_names, CONFIG.boards))
PLAYERS = dict(zip(CONFIG.labels, CONFIG.players))

# What reading and fitting the win rates of all boards takes beyond those of a few.
ROWS = sum(board.cells for board in CONFIG.boards) * len(PLAYERS)
TABLES_MB = jobs.tables_mb(ROWS)
TABLES_MINUTES = len(BOARDS) * len(PLAYERS) // 60


report: "workflow/report/workflow.rst"


wildcard_constraints:
    board="|".join(BOARDS),
    label="|".join(map(re.escape, PLAYERS)),


include: "workflow/rules/steps.smk"
include: "workflow/rules/sweep.smk"
include: "workflow/rules/paper.smk"
include: "workflow/rules/published_players.smk"
include: "workflow/rules/reproduction.smk"
include: "workflow/rules/asymptotics.smk"
include: "workflow/rules/densities.smk"


try:
    check_folders(
        CONFIG,
        {
            "reproduction": STUDY.name,
            "players": PLAYERS_STUDY.name,
            "asymptotics": ASYMPTOTICS_STUDY.name,
            "densities": DENSITIES_STUDY.name,
        },
    )
except InputError as error:
    raise WorkflowError(f"config: {error}") from None


onsuccess:
    # Not earlier: Snakemake makes a result again if it is killed before it has noted it.
    for folder in ("data", "figures"):
        remove_finished(folder)


rule all:
    default_target: True
    input:
        rules.fits.output,
        rules.tables.input,
        rules.figures.input,
        rules.first_click.input,
