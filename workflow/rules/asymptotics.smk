# Larger and larger boards, and what becomes of their critical density; target `asymptotics`.
# Ledgers are the checkpoints: after an interruption, with a new board or with a smaller error only what
# is missing is played. Small boards of a family share a job, because a job takes seconds to start.

from msdensity.games.boards import Board
from msdensity.studies.asymptotics.settings import (
    CONDITIONAL_SEED,
    CURVE_SEED,
    DENSITY_SEED,
    PILOT_SEED,
)

ASYMPTOTICS_FILE = CONFIG.studies["asymptotics"]
ASYMPTOTICS_STUDY = settings_of("asymptotics")
ASYMPTOTICS_PARTS = ASYMPTOTICS_STUDY.parts()
ASYMPTOTICS_DENSITY = ASYMPTOTICS_STUDY.density_parts()
ASYMPTOTICS_CURVES = ASYMPTOTICS_STUDY.curve_parts()
ASYMPTOTICS_LISTING = ASYMPTOTICS_STUDY.listing_parts()
ASYMPTOTICS_DATA = f"data/{ASYMPTOTICS_STUDY.name}"
ASYMPTOTICS_FIGURES = f"figures/{ASYMPTOTICS_STUDY.name}"
# Table -> its step, the tables that it is made from, and whether the settings take part.
ASYMPTOTICS_RESULTS = {
    "rho50": ("results:rho50_and_law_table", ("win_rates", "points"), False),
    "critical": ("results:critical_table", ("curves", "listing"), True),
    "whole_law": ("whole_law:whole_law_table", ("low_density",), True),
    "glm": ("low_density:glm_table", ("low_density",), True),
    "fixed": ("low_density:fixed_table", ("low_density",), True),
    "rises": ("low_density:rise_table", ("low_density",), True),
    "guesses": ("low_density:guess_table", ("low_density",), False),
    "conditional": ("conditional:conditional_table", ("conditional_games",), False),
    "models": ("rivals:models_table", ("rho50",), False),
    "exponents": ("rivals:exponents_table", ("rho50",), False),
    "published": ("rivals:published_table", ("rho50", "critical", "printed"), False),
    "aspect": ("results:aspect_table", ("rho50",), False),
    "strips": ("strips:strips_table", ("rho50",), False),
    "strips_exact": ("strips:exact_table", ("win_rates",), False),
    "strips_published": ("strips:published_strips_table", ("printed",), False),
}
ASYMPTOTICS_DRAWINGS = ("win_rates", "rho50", "law", "fixed_density", "coefficients", "strips")


def asymptotics_memory(parts):
    """Memory of a job, by the largest of its boards."""
    return lambda wildcards, threads: max(
        jobs.memory_mb(getattr(entry, "board", None) or Board((entry, entry)), threads, tasks=1000)
        for entry in parts[wildcards.part]
    )


def asymptotics_games(
    name, message, output, *, step, kind, parts, seed, depends, runtime, **others
):
    """Define a rule that plays the boards of a part; the names of the boards decide too.

    step: in the study's play.py; kind: names the ledgers and the log.
    """
    step_rule(
        f"asymptotics_{name}",
        message,
        played(
            step=f"studies.asymptotics.play:{step}",
            seed=ASYMPTOTICS_STUDY.seed + seed,
            settings=ASYMPTOTICS_FILE,
            depends=lambda wildcards: [
                *(getattr(entry, "name", str(entry)) for entry in parts[wildcards.part]),
                *depends,
            ],
            ledgers=f"{ASYMPTOTICS_DATA}/ledger/{kind}",
        ),
        output=output,
        log=f"{ASYMPTOTICS_STUDY.name}/{kind}.{{part}}",
        wildcards=dict(part="|".join(parts)),
        resources=dict(mem_mb=asymptotics_memory(parts), runtime=runtime),
        runs="games.py",
        **others,
    )


# Before the games, so that the cost is known before it is spent.
asymptotics_games(
    "pilot",
    "Play a pilot for W = 1/2 on {wildcards.part}",
    dict(points=f"{ASYMPTOTICS_DATA}/points/{{part}}.csv"),
    step="play_pilots",
    kind="pilot",
    parts=ASYMPTOTICS_PARTS,
    seed=PILOT_SEED,
    depends=[ASYMPTOTICS_STUDY.pilot_games],
    runtime=jobs.longer(20, ASYMPTOTICS_STUDY.pilot_games, 400),
    priority=10,
)

step_rule(
    "asymptotics_plan",
    "Write what will be played and what it costs",
    made(
        step="studies.asymptotics.cost:plan_table",
        settings=ASYMPTOTICS_FILE,
        depends=str(ASYMPTOTICS_STUDY),
    ),
    input=dict(points=expand(rules.asymptotics_pilot.output[0], part=ASYMPTOTICS_PARTS)),
    output=dict(plan=f"{ASYMPTOTICS_DATA}/plan.csv"),
    log=f"{ASYMPTOTICS_STUDY.name}/plan",
    priority=10,
)

asymptotics_games(
    "rho50_games",
    "Play {wildcards.part} near W = 1/2",
    dict(win_rates=f"{ASYMPTOTICS_DATA}/games/rho50/{{part}}.csv"),
    step="play_rho50",
    kind="rho50",
    parts=ASYMPTOTICS_PARTS,
    seed=0,
    depends=[str(ASYMPTOTICS_STUDY.precision)],
    runtime=jobs.longer(60, ASYMPTOTICS_STUDY.precision.most_cells, 6e9),
    input=dict(points=rules.asymptotics_pilot.output[0]),
    threads=2,
)

asymptotics_games(
    "low_density_games",
    "Play {wildcards.part} at low densities",
    dict(low_density=f"{ASYMPTOTICS_DATA}/games/low_density/{{part}}.csv"),
    step="play_low_density",
    kind="low_density",
    parts=ASYMPTOTICS_DENSITY,
    seed=DENSITY_SEED,
    depends=[
        str(ASYMPTOTICS_STUDY.low_density.densities),
        ASYMPTOTICS_STUDY.low_density.games,
        ASYMPTOTICS_STUDY.low_density.most_cells,
    ],
    runtime=jobs.longer(60, ASYMPTOTICS_STUDY.low_density.most_cells, 6e8),
    threads=2,
)

asymptotics_games(
    "conditional_games",
    "Play {wildcards.part} conditionally at low densities",
    dict(conditional_games=f"{ASYMPTOTICS_DATA}/games/conditional/{{part}}.csv"),
    step="play_conditional",
    kind="conditional",
    parts=ASYMPTOTICS_DENSITY,
    seed=CONDITIONAL_SEED,
    depends=[str(ASYMPTOTICS_STUDY.low_density.conditional)],
    runtime=jobs.longer(60, ASYMPTOTICS_STUDY.low_density.conditional.most_cells, 6e8),
    threads=2,
)

asymptotics_games(
    "curves_games",
    "Play whole curves, {wildcards.part}",
    dict(curves=f"{ASYMPTOTICS_DATA}/games/curves/{{part}}.csv"),
    step="play_curves",
    kind="curves",
    parts=ASYMPTOTICS_CURVES,
    seed=CURVE_SEED,
    depends=[ASYMPTOTICS_STUDY.curves.steps, ASYMPTOTICS_STUDY.curves.games],
    runtime=jobs.longer(60, ASYMPTOTICS_STUDY.curves.games, 1000),
    threads=2,
)

asymptotics_games(
    "listing_games",
    "Play whole curves by the paper's program, {wildcards.part}",
    dict(listing=f"{ASYMPTOTICS_DATA}/games/listing/{{part}}.csv"),
    step="play_listing",
    kind="listing",
    parts=ASYMPTOTICS_LISTING,
    seed=CURVE_SEED,
    depends=[ASYMPTOTICS_STUDY.listing.steps, ASYMPTOTICS_STUDY.listing.games],
    runtime=jobs.longer(60, ASYMPTOTICS_STUDY.listing.games, 1000),
    threads=2,
)

step_rule(
    "asymptotics_listing",
    "Join the games of the paper's program",
    made(step="studies.asymptotics.results:joined_listing"),
    input=dict(listing=expand(rules.asymptotics_listing_games.output[0], part=ASYMPTOTICS_LISTING)),
    output=dict(listing=f"{ASYMPTOTICS_DATA}/listing.csv"),
    log=f"{ASYMPTOTICS_STUDY.name}/listing",
)

step_rule(
    "asymptotics_tables",
    "Join the games and test the safeties",
    made(step="studies.asymptotics.results:joined_tables"),
    input=dict(
        win_rates=expand(rules.asymptotics_rho50_games.output[0], part=ASYMPTOTICS_PARTS),
        low_density=expand(rules.asymptotics_low_density_games.output[0], part=ASYMPTOTICS_DENSITY),
        curves=expand(rules.asymptotics_curves_games.output[0], part=ASYMPTOTICS_CURVES),
    ),
    output=dict(
        win_rates=f"{ASYMPTOTICS_DATA}/win_rates.csv",
        low_density=f"{ASYMPTOTICS_DATA}/low_density.csv",
        curves=f"{ASYMPTOTICS_DATA}/curves.csv",
        safeties=f"{ASYMPTOTICS_DATA}/safeties.csv",
    ),
    log=f"{ASYMPTOTICS_STUDY.name}/tables",
)


ASYMPTOTICS_FILES = {name: f"{ASYMPTOTICS_DATA}/{name}.csv" for name in ASYMPTOTICS_RESULTS}
ASYMPTOTICS_FILES |= dict(rules.asymptotics_tables.output.items())
ASYMPTOTICS_FILES |= dict(listing=rules.asymptotics_listing.output[0])
ASYMPTOTICS_FILES |= dict(printed=PUBLISHED_B2, plan=rules.asymptotics_plan.output[0])
ASYMPTOTICS_FILES |= dict(points=rules.asymptotics_plan.input.points)
ASYMPTOTICS_FILES |= dict(
    conditional_games=expand(
        rules.asymptotics_conditional_games.output[0], part=ASYMPTOTICS_DENSITY
    )
)

for table, (step, made_from, by_settings) in ASYMPTOTICS_RESULTS.items():

    step_rule(
        f"asymptotics_{table}",
        f"Make the table {table} of large boards",
        made(
            step=f"studies.asymptotics.{step}",
            **dict(settings=ASYMPTOTICS_FILE, depends=str(ASYMPTOTICS_STUDY))
            if by_settings
            else {},
        ),
        input={name: ASYMPTOTICS_FILES[name] for name in made_from},
        output={table: f"{ASYMPTOTICS_DATA}/{table}.csv"},
        log=f"{ASYMPTOTICS_STUDY.name}/table_{table}",
        resources=dict(mem_mb=700, runtime=20),
    )


step_rule(
    "asymptotics_figures",
    "Draw the figures of large boards",
    made(step="studies.asymptotics.figures:FIGURES"),
    input={
        name: ASYMPTOTICS_FILES[name]
        for name in (
            *("win_rates", "low_density", "curves"),
            *("rho50", "fixed", "glm", "strips", "strips_exact"),
        )
    },
    output=dict(
        figures=expand(
            f"{ASYMPTOTICS_FIGURES}/{{name}}.{{ending}}",
            name=ASYMPTOTICS_DRAWINGS,
            ending=("pdf", "png"),
        ),
    ),
    log=f"{ASYMPTOTICS_STUDY.name}/figures",
    resources=dict(mem_mb=1000, runtime=10),
    runs="figure.py",
)

step_rule(
    "asymptotics_page",
    "Write the page that asks whether the critical density converges",
    made(
        step="studies.asymptotics.page:page",
        settings=ASYMPTOTICS_FILE,
        file=ASYMPTOTICS_FILE,
        depends=str(ASYMPTOTICS_STUDY),
    ),
    input=dict(
        **{
            name: ASYMPTOTICS_FILES[name]
            for name in (*ASYMPTOTICS_RESULTS, "safeties", "low_density", "plan")
        },
        figures=[f"{ASYMPTOTICS_FIGURES}/{name}.png" for name in ASYMPTOTICS_DRAWINGS],
    ),
    output=dict(
        finding=f"{ASYMPTOTICS_DATA}/finding.md",
        page=report(
            f"{ASYMPTOTICS_DATA}/asymptotics.html",
            caption="../report/asymptotics.rst",
            category="Large boards",
            labels={"page": "Does the critical density converge?"},
        ),
    ),
    log=f"{ASYMPTOTICS_STUDY.name}/page",
    runs="page.py",
)


rule asymptotics:
    input:
        rules.asymptotics_page.output.page,
