# Larger and larger boards, and what becomes of their critical density; target `asymptotics`.
# Ledgers are the checkpoints: an interrupted run, a board more or a smaller error play what is
# missing. Small boards of a family share a job, for a job takes some seconds to start.

from msdensity.games.boards import Board
from msdensity.studies.asymptotics.settings import CURVE_SEED, DENSITY_SEED, PILOT_SEED
from msdensity.studies.asymptotics.settings import load_settings as load_asymptotics

ASYMPTOTICS_FILE = CONFIG.studies["asymptotics"]
ASYMPTOTICS_STUDY = settings_of(load_asymptotics, ASYMPTOTICS_FILE)
ASYMPTOTICS_PARTS = ASYMPTOTICS_STUDY.parts()
ASYMPTOTICS_DENSITY = ASYMPTOTICS_STUDY.density_parts()
ASYMPTOTICS_CURVES = ASYMPTOTICS_STUDY.curve_parts()
ASYMPTOTICS_DATA = f"data/{ASYMPTOTICS_STUDY.name}"
ASYMPTOTICS_FIGURES = f"figures/{ASYMPTOTICS_STUDY.name}"
ASYMPTOTICS_LOGS = f"logs/{ASYMPTOTICS_STUDY.name}"
ASYMPTOTICS_BENCHMARKS = f"benchmarks/{ASYMPTOTICS_STUDY.name}"
ASYMPTOTICS_MODULES = "msdensity/studies/asymptotics"
# All that decides the numbers: a change of another number in the file plays nothing.
ASYMPTOTICS_PARAMS = dict(
    study=ASYMPTOTICS_FILE,
    data=ASYMPTOTICS_DATA,
    seed=ASYMPTOTICS_STUDY.seed,
    kernel_version=KERNEL_VERSION,
)
ASYMPTOTICS_GAMES = {
    "rho50": ASYMPTOTICS_PARTS,
    "low_density": ASYMPTOTICS_DENSITY,
    "curves": ASYMPTOTICS_CURVES,
}
ASYMPTOTICS_RESULTS = (
    "rho50",
    "critical",
    "glm",
    "fixed",
    "guesses",
    "models",
    "exponents",
    "published",
    "aspect",
    "strips",
)
ASYMPTOTICS_DRAWINGS = (
    "win_rates",
    "rho50",
    "law",
    "fixed_density",
    "coefficients",
    "strips",
)


def asymptotics_memory(parts):
    """Memory of a job, by the largest of its boards."""
    return lambda wildcards, threads: max(
        jobs.memory_mb(getattr(entry, "board", None) or Board((entry, entry)), threads, tasks=1000)
        for entry in parts[wildcards.part]
    )


def asymptotics_names(parts):
    """What a job plays, as a parameter: a change of it runs the job again."""
    return lambda wildcards: [getattr(entry, "name", str(entry)) for entry in parts[wildcards.part]]


rule asymptotics_pilot:
    message:
        "Look for W = 1/2 on {wildcards.part}"
    input:
        modules=[f"{ASYMPTOTICS_MODULES}/play.py", "msdensity/stats/rho50/design.py"],
    output:
        f"{ASYMPTOTICS_DATA}/points/{{part}}.csv",
    wildcard_constraints:
        part="|".join(ASYMPTOTICS_PARTS),
    params:
        **ASYMPTOTICS_PARAMS | dict(seed=ASYMPTOTICS_STUDY.seed + PILOT_SEED),
        boards=asymptotics_names(ASYMPTOTICS_PARTS),
        games=ASYMPTOTICS_STUDY.pilot_games,
    log:
        f"{ASYMPTOTICS_LOGS}/pilot.{{part}}.log",
    benchmark:
        f"{ASYMPTOTICS_BENCHMARKS}/pilot.{{part}}.tsv"
    threads: 1
    # Before the games, so that the cost is known before it is spent.
    priority: 10
    resources:
        mem_mb=asymptotics_memory(ASYMPTOTICS_PARTS),
        runtime=jobs.longer(20, ASYMPTOTICS_STUDY.pilot_games, 400),
    script:
        "../scripts/asymptotics_pilot.py"


rule asymptotics_plan:
    message:
        "Say what will be played and what it costs"
    input:
        points=expand(rules.asymptotics_pilot.output[0], part=ASYMPTOTICS_PARTS),
        module=f"{ASYMPTOTICS_MODULES}/play.py",
    output:
        f"{ASYMPTOTICS_DATA}/plan.csv",
    params:
        **ASYMPTOTICS_PARAMS,
        precision=str(ASYMPTOTICS_STUDY.precision),
        low_density=str(ASYMPTOTICS_STUDY.low_density),
        curves=str(ASYMPTOTICS_STUDY.curves),
    log:
        f"{ASYMPTOTICS_LOGS}/plan.log",
    benchmark:
        f"{ASYMPTOTICS_BENCHMARKS}/plan.tsv"
    priority: 10
    resources:
        mem_mb=500,
        runtime=10,
    script:
        "../scripts/asymptotics_plan.py"


rule asymptotics_rho50_games:
    message:
        "Play {wildcards.part} about W = 1/2"
    input:
        points=rules.asymptotics_pilot.output[0],
        module="msdensity/files/tables.py",
    output:
        f"{ASYMPTOTICS_DATA}/games/rho50/{{part}}.csv",
    wildcard_constraints:
        part="|".join(ASYMPTOTICS_PARTS),
    params:
        **ASYMPTOTICS_PARAMS,
        kind="rho50",
        boards=asymptotics_names(ASYMPTOTICS_PARTS),
        precision=str(ASYMPTOTICS_STUDY.precision),
    log:
        f"{ASYMPTOTICS_LOGS}/rho50.{{part}}.log",
    benchmark:
        f"{ASYMPTOTICS_BENCHMARKS}/rho50.{{part}}.tsv"
    threads: 2
    resources:
        mem_mb=asymptotics_memory(ASYMPTOTICS_PARTS),
        runtime=jobs.longer(60, ASYMPTOTICS_STUDY.precision.most_cells, 6e9),
    script:
        "../scripts/asymptotics_games.py"


rule asymptotics_low_density_games:
    message:
        "Play {wildcards.part} at low densities"
    input:
        module="msdensity/files/tables.py",
    output:
        f"{ASYMPTOTICS_DATA}/games/low_density/{{part}}.csv",
    wildcard_constraints:
        part="|".join(ASYMPTOTICS_DENSITY),
    params:
        **ASYMPTOTICS_PARAMS | dict(seed=ASYMPTOTICS_STUDY.seed + DENSITY_SEED),
        kind="low_density",
        boards=asymptotics_names(ASYMPTOTICS_DENSITY),
        densities=str(ASYMPTOTICS_STUDY.low_density.densities),
        games=ASYMPTOTICS_STUDY.low_density.games,
        most_cells=ASYMPTOTICS_STUDY.low_density.most_cells,
    log:
        f"{ASYMPTOTICS_LOGS}/low_density.{{part}}.log",
    benchmark:
        f"{ASYMPTOTICS_BENCHMARKS}/low_density.{{part}}.tsv"
    threads: 2
    resources:
        mem_mb=asymptotics_memory(ASYMPTOTICS_DENSITY),
        runtime=jobs.longer(60, ASYMPTOTICS_STUDY.low_density.most_cells, 6e8),
    script:
        "../scripts/asymptotics_games.py"


rule asymptotics_curves_games:
    message:
        "Play whole curves, {wildcards.part}"
    input:
        module="msdensity/files/tables.py",
    output:
        f"{ASYMPTOTICS_DATA}/games/curves/{{part}}.csv",
    wildcard_constraints:
        part="|".join(ASYMPTOTICS_CURVES),
    params:
        **ASYMPTOTICS_PARAMS | dict(seed=ASYMPTOTICS_STUDY.seed + CURVE_SEED),
        kind="curves",
        boards=asymptotics_names(ASYMPTOTICS_CURVES),
        steps=ASYMPTOTICS_STUDY.curves.steps,
        games=ASYMPTOTICS_STUDY.curves.games,
    log:
        f"{ASYMPTOTICS_LOGS}/curves.{{part}}.log",
    benchmark:
        f"{ASYMPTOTICS_BENCHMARKS}/curves.{{part}}.tsv"
    threads: 2
    resources:
        mem_mb=asymptotics_memory(ASYMPTOTICS_CURVES),
        runtime=jobs.longer(60, ASYMPTOTICS_STUDY.curves.games, 1000),
    script:
        "../scripts/asymptotics_games.py"


rule asymptotics_tables:
    message:
        "Join the games and test every safety that was stated"
    input:
        **{
            kind: expand(f"{ASYMPTOTICS_DATA}/games/{kind}/{{part}}.csv", part=parts)
            for kind, parts in ASYMPTOTICS_GAMES.items()
        },
        module=f"{ASYMPTOTICS_MODULES}/play.py",
    output:
        rho50=f"{ASYMPTOTICS_DATA}/win_rates.csv",
        low_density=f"{ASYMPTOTICS_DATA}/low_density.csv",
        curves=f"{ASYMPTOTICS_DATA}/curves.csv",
        safeties=f"{ASYMPTOTICS_DATA}/safeties.csv",
    log:
        f"{ASYMPTOTICS_LOGS}/tables.log",
    benchmark:
        f"{ASYMPTOTICS_BENCHMARKS}/tables.tsv"
    resources:
        mem_mb=700,
        runtime=10,
    script:
        "../scripts/asymptotics_tables.py"


rule asymptotics_results:
    message:
        "Fit rho50, the terms of the law, and its rivals"
    input:
        points=rules.asymptotics_plan.input.points,
        games=rules.asymptotics_tables.output.rho50,
        low_density=rules.asymptotics_tables.output.low_density,
        curves=rules.asymptotics_tables.output.curves,
        published="data/published/table_b2.csv",
        modules=[
            f"{ASYMPTOTICS_MODULES}/{name}.py"
            for name in (
                "results",
                "law_tests",
                "rivals",
                "fixed_density",
                "terms",
                "law",
                "models",
                "prediction",
            )
        ]
        + [f"msdensity/stats/rho50/{name}.py" for name in ("fit", "weibull", "crossing", "fit_object")]
        + ["msdensity/stats/logistic.py", "msdensity/stats/hyperbola.py", "msdensity/stats/loglink.py"],
    output:
        **{name: f"{ASYMPTOTICS_DATA}/{name}.csv" for name in ASYMPTOTICS_RESULTS},
    params:
        study=ASYMPTOTICS_FILE,
        low_density=str(ASYMPTOTICS_STUDY.low_density),
        replicates=ASYMPTOTICS_STUDY.replicates,
    log:
        f"{ASYMPTOTICS_LOGS}/results.log",
    benchmark:
        f"{ASYMPTOTICS_BENCHMARKS}/results.tsv"
    resources:
        mem_mb=700,
        runtime=20,
    script:
        "../scripts/asymptotics_results.py"


rule asymptotics_figures:
    message:
        "Draw the figures of large boards"
    input:
        win_rates=rules.asymptotics_tables.output.rho50,
        low_density=rules.asymptotics_tables.output.low_density,
        curves=rules.asymptotics_tables.output.curves,
        rho50=rules.asymptotics_results.output.rho50,
        fixed=rules.asymptotics_results.output.fixed,
        glm=rules.asymptotics_results.output.glm,
        strips=rules.asymptotics_results.output.strips,
        modules=["msdensity/studies/asymptotics/figures.py"],
        style=STYLE_FILES,
    output:
        [
            f"{ASYMPTOTICS_FIGURES}/{name}.{ending}"
            for name in ASYMPTOTICS_DRAWINGS
            for ending in ("pdf", "png")
        ],
    log:
        f"{ASYMPTOTICS_LOGS}/figures.log",
    benchmark:
        f"{ASYMPTOTICS_BENCHMARKS}/figures.tsv"
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/asymptotics_figures.py"


rule asymptotics_page:
    message:
        "Write the page that asks whether the critical density converges"
    input:
        **{name: rules.asymptotics_results.output[name] for name in ASYMPTOTICS_RESULTS},
        safeties=rules.asymptotics_tables.output.safeties,
        low_density=rules.asymptotics_tables.output.low_density,
        plan=rules.asymptotics_plan.output[0],
        figures=[f"{ASYMPTOTICS_FIGURES}/{name}.png" for name in ASYMPTOTICS_DRAWINGS],
        modules=[
            f"{ASYMPTOTICS_MODULES}/page.py",
            f"{ASYMPTOTICS_MODULES}/page.md.j2",
            "msdensity/studies/page.py",
            "msdensity/studies/page.html.j2",
        ],
    output:
        report(
            f"{ASYMPTOTICS_DATA}/asymptotics.html",
            caption="../report/asymptotics.rst",
            category="Large boards",
            labels={"page": "Does the critical density converge?"},
        ),
    params:
        study="asymptotics",
        settings=ASYMPTOTICS_FILE,
    log:
        f"{ASYMPTOTICS_LOGS}/page.log",
    benchmark:
        f"{ASYMPTOTICS_BENCHMARKS}/page.tsv"
    resources:
        mem_mb=500,
        runtime=10,
    script:
        "../scripts/page.py"


rule asymptotics:
    input:
        rules.asymptotics_page.output,
