# Other definitions of the critical density, on the same boards; target `definitions`.

DEFINITIONS_FILE = CONFIG.studies["definitions"]
DEFINITIONS_STUDY = settings_of("definitions")
DEFINITIONS_SIDES = sorted(DEFINITIONS_STUDY.games)
DEFINITIONS_DATA = f"data/{DEFINITIONS_STUDY.name}"
DEFINITIONS_FIGURES = f"figures/{DEFINITIONS_STUDY.name}"
DEFINITIONS_NAMES = ["curves", "limits", "peaks", "relations"]
DEFINITIONS_TABLES = ("games", "means", "critical", "steps", "limits", "peaks", "relations")


def definitions_boards(counts):
    """What decides the boards of some sides, and how many there are."""
    return [(side, n, DEFINITIONS_STUDY.mines(side)) for side, n in sorted(counts.items())]


step_rule(
    "definitions_games",
    "Play games on boards of side {wildcards.side}",
    played(
        step="studies.definitions.play:play_games",
        seed=DEFINITIONS_STUDY.seed,
        settings=DEFINITIONS_FILE,
        side=lambda wildcards: wildcards.side,
        depends=lambda wildcards: definitions_boards(
            {int(wildcards.side): DEFINITIONS_STUDY.games[int(wildcards.side)]}
        ),
    ),
    output=dict(games=f"{DEFINITIONS_DATA}/games/{{side}}.csv"),
    log=f"{DEFINITIONS_STUDY.name}/games.{{side}}",
    wildcards=dict(side="|".join(map(str, DEFINITIONS_SIDES))),
    resources=dict(mem_mb=1000, runtime=60),
    runs="games.py",
)

step_rule(
    "definitions_layouts",
    "Count the clicks of boards",
    played(
        step="studies.definitions.play:play_layouts",
        seed=DEFINITIONS_STUDY.seed,
        settings=DEFINITIONS_FILE,
        depends=definitions_boards(DEFINITIONS_STUDY.layouts),
    ),
    output=dict(layouts=f"{DEFINITIONS_DATA}/layouts.csv"),
    log=f"{DEFINITIONS_STUDY.name}/layouts",
    resources=dict(mem_mb=1000, runtime=60),
    runs="games.py",
)

step_rule(
    "definitions_cost",
    "Take the CPU time of games",
    played(
        step="studies.definitions.play:time_games",
        seed=DEFINITIONS_STUDY.seed,
        settings=DEFINITIONS_FILE,
        depends=definitions_boards(DEFINITIONS_STUDY.timed),
    ),
    output=dict(cost=f"{DEFINITIONS_DATA}/cost.csv"),
    log=f"{DEFINITIONS_STUDY.name}/cost",
    resources=dict(mem_mb=1000, runtime=60),
    runs="games.py",
)

step_rule(
    "definitions_tables",
    "Find the density of each definition",
    made(step="studies.definitions.results:measured"),
    input=dict(
        games=expand(rules.definitions_games.output[0], side=DEFINITIONS_SIDES),
        layouts=rules.definitions_layouts.output[0],
    ),
    output={
        **{name: f"{DEFINITIONS_DATA}/{name}.csv" for name in DEFINITIONS_TABLES},
        "first_cells": f"{DEFINITIONS_DATA}/first_cells.csv",
        "critical": result(
            f"{DEFINITIONS_DATA}/critical.csv", "definitions", table="Definitions"
        ),
    },
    log=f"{DEFINITIONS_STUDY.name}/tables",
)

step_rule(
    "definitions_cost_peaks",
    "Find where games take longest",
    made(step="studies.definitions.results:cost_peaks"),
    input=dict(cost=rules.definitions_cost.output[0]),
    output=dict(cost_peaks=f"{DEFINITIONS_DATA}/cost_peaks.csv"),
    log=f"{DEFINITIONS_STUDY.name}/cost_peaks",
)

step_rule(
    "definitions_figures",
    "Draw all definitions, their limits and their peaks",
    made(step="studies.definitions.figures:FIGURES"),
    input=dict(
        means=rules.definitions_tables.output.means,
        critical=rules.definitions_tables.output.critical,
        peaks=rules.definitions_tables.output.peaks,
        relations=rules.definitions_tables.output.relations,
    ),
    output=dict(
        figures=expand(
            f"{DEFINITIONS_FIGURES}/{{figure}}.{{ending}}",
            figure=DEFINITIONS_NAMES,
            ending=["pdf", "png"],
        ),
    ),
    log=f"{DEFINITIONS_STUDY.name}/figures",
    resources=dict(mem_mb=1000, runtime=10),
    runs="figure.py",
)

# By itself, because what it draws differs from run to run.
step_rule(
    "figure_definitions_cost",
    "Draw the CPU time of games",
    made(step="studies.definitions.figures:FIGURES"),
    input=dict(
        cost=rules.definitions_cost.output[0],
        cost_peaks=rules.definitions_cost_peaks.output[0],
    ),
    output=dict(
        figures=expand(f"{DEFINITIONS_FIGURES}/cost.{{ending}}", ending=["pdf", "png"]),
    ),
    log=f"{DEFINITIONS_STUDY.name}/figure_cost",
    resources=dict(mem_mb=1000, runtime=10),
    runs="figure.py",
)

step_rule(
    "definitions_page",
    "Write the page of definitions",
    made(
        step="studies.definitions.page:page",
        settings=DEFINITIONS_FILE,
        file=DEFINITIONS_FILE,
        depends=str(DEFINITIONS_STUDY),
    ),
    input=dict(
        **{
            name: f"{DEFINITIONS_DATA}/{name}.csv"
            for name in (*DEFINITIONS_TABLES, "first_cells", "cost_peaks")
        },
        figures=expand(f"{DEFINITIONS_FIGURES}/{{figure}}.png", figure=[*DEFINITIONS_NAMES, "cost"]),
    ),
    output=dict(
        finding=f"{DEFINITIONS_DATA}/finding.md",
        page=report(
            f"{DEFINITIONS_DATA}/definitions.html",
            caption="../report/definitions.rst",
            category="Definitions",
            labels={"page": "What else could be called critical"},
        ),
    ),
    log=f"{DEFINITIONS_STUDY.name}/page",
    runs="page.py",
)


rule definitions:
    input:
        rules.definitions_page.output.page,
