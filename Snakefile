# From a list of boards to win rates, critical densities and figures.
#   snakemake --cores 16                                               all boards of the paper
#   snakemake --cores 2 --configfile workflow/config/smoke.yaml        a few small boards
#   snakemake --cores 2 --configfile workflow/config/players.yaml      another study by itself
# Named targets: sweeps, win_rates, fits, tables, figures, first_click, inference; each other study
# by its name; studies, findings.

import os
import re
import shlex
import sys

from snakemake.common.configfile import load_configfile
from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

from msdensity.errors import InputError
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs import jobs
from msdensity.runs.checkpoint import remove_finished
from msdensity.runs.config import PAPER, STUDIES, check_file, check_folders, load_config, study_of
from msdensity.runs.plan import check_ledgers
from msdensity.runs.resume import do_stopped_jobs_again, say_kept, stop_once, work_in
from msdensity.runs.stale import ask_records
from msdensity.runs.studies import load_study

min_version("9.0")

do_stopped_jobs_again(workflow)
ask_records(workflow)
# The log of a job that failed says why.
for handler in logger.handlers:
    if hasattr(handler.formatter, "show_failed_logs"):
        handler.formatter.show_failed_logs = True

if not os.path.samefile(workflow.basedir, os.curdir):
    raise WorkflowError(
        f"start snakemake in the folder of its Snakefile, without -s and --directory: cd"
        f" {shlex.quote(str(workflow.basedir))}"
    )

# Snakemake puts the path of Python into shell commands as it is, without quotes.
if shlex.quote(sys.executable) != sys.executable:
    short = os.path.relpath(sys.executable)
    if shlex.quote(short) != short:
        raise WorkflowError(
            f"the path of Python, {sys.executable}, has a character that a shell does not take as it"
            " is: make the virtual environment in a folder of another name, or in this one"
        )
    sys.executable = short

# Not on other hosts, which the file of one host does not see.
if not workflow.remote_exec and work_in(".snakemake", first=workflow.is_main_process):
    logger.info("an earlier run was killed: its locks are removed, and its games are kept")

# Only without --configfile: Snakemake would merge the two files key by key, and a key left out of
# the one given would silently keep the paper's value.
if not workflow.overwrite_configfiles:

    configfile: "workflow/config/paper.yaml"


CONFIG_FILES = workflow.overwrite_configfiles or ["workflow/config/paper.yaml"]

# For the records of where results come from: the one file that holds the configuration, if any.
os.environ.pop("MSDENSITY_CONFIGFILE", None)

try:
    for path in CONFIG_FILES:
        check_file(path)
    if len(CONFIG_FILES) == 1 and load_configfile(CONFIG_FILES[0]) == dict(config):
        os.environ["MSDENSITY_CONFIGFILE"] = os.path.relpath(CONFIG_FILES[0])
    STUDY_TO_MAKE = study_of(config)
    if STUDY_TO_MAKE == PAPER:
        CONFIG = load_config(dict(config))
        STUDIES_TO_MAKE = list(STUDIES)
    elif "MSDENSITY_CONFIGFILE" in os.environ:
        paper = load_configfile("workflow/config/paper.yaml")
        studies = {STUDY_TO_MAKE: os.environ["MSDENSITY_CONFIGFILE"]}
        CONFIG = load_config(dict(paper) | {"studies": studies})
        STUDIES_TO_MAKE = [STUDY_TO_MAKE]
    else:
        raise InputError(
            f"study={STUDY_TO_MAKE}: its settings must be one file, without --config or a second file"
        )
except InputError as error:
    raise WorkflowError(f"config: {error}") from None


def settings_of(study):
    """What a study's file says; a mistake in it is one line, as in the configuration."""
    path = CONFIG.studies[study]
    try:
        return load_study(study, path)
    except InputError as error:
        raise WorkflowError(str(error) if path in str(error) else f"{path}: {error}") from None


DATA = f"data/{CONFIG.name}"
FIGURES = f"figures/{CONFIG.name}"

BOARDS = dict(zip(CONFIG.board_names, CONFIG.boards))
PLAYERS = dict(zip(CONFIG.labels, CONFIG.players))

# What reading and fitting the win rates of all boards takes beyond those of a few.
ROWS = sum(board.cells for board in CONFIG.boards) * len(PLAYERS)
TABLES_MB = jobs.tables_mb(ROWS)
TABLES_MINUTES = len(BOARDS) * len(PLAYERS) // 60


wildcard_constraints:
    board="|".join(BOARDS),
    label="|".join(map(re.escape, PLAYERS)),


include: "workflow/rules/steps.smk"

# A file of another study makes that study alone: no other rule could make what its record says.
if STUDY_TO_MAKE == PAPER:

    report: "workflow/report/workflow.rst"

    include: "workflow/rules/sweep.smk"
    include: "workflow/rules/paper.smk"


for study in STUDIES_TO_MAKE:

    include: f"workflow/rules/{STUDIES[study]}.smk"


def asked_for(study):
    """Whether this run makes a study, as far as its command line shows: if in doubt, yes."""
    words = ("studies", study, settings_of(study).name)
    return study == STUDY_TO_MAKE or any(word in text for word in words for text in sys.argv)


try:
    check_folders(CONFIG, {study: settings_of(study).name for study in STUDIES_TO_MAKE})
    # Before a job starts, which would remove tables and then fail. The jobs themselves know it.
    if workflow.is_main_process:
        for settings in [
            *([CONFIG] if STUDY_TO_MAKE == PAPER else []),
            *(settings_of(study) for study in STUDIES_TO_MAKE if asked_for(study)),
        ]:
            if beside := check_ledgers(settings):
                logger.warning(beside)
except InputError as error:
    raise WorkflowError(f"config: {error}") from None


onstart:
    stop_once(say_kept)


onsuccess:
    # Not earlier: Snakemake makes a result again if it is killed before it has noted it.
    for name in [CONFIG.name, *(settings_of(study).name for study in STUDIES_TO_MAKE)]:
        for folder in ("data", "figures"):
            remove_finished(f"{folder}/{name}")


if STUDY_TO_MAKE == PAPER:

    include: "workflow/rules/findings.smk"


rule studies:
    input:
        [getattr(rules, study).input for study in STUDIES_TO_MAKE],
        rules.findings.output if STUDY_TO_MAKE == PAPER else [],


rule all:
    default_target: True
    input:
        (
            [rules.fits.output, rules.tables.input, rules.figures.input, rules.first_click.input]
            if STUDY_TO_MAKE == PAPER
            else rules.studies.input
        ),
