# Paper 001's published numbers beside the players that could have made them; target `reproduction`.

from msdensity.studies.reproduction.ablation import variants
from msdensity.studies.reproduction.columns import QUOTED_COLUMNS
from msdensity.studies.reproduction.settings import SPOTS

REPRODUCTION = CONFIG.studies["reproduction"]
STUDY = settings_of("reproduction")
REPRODUCTION_DATA = f"data/{STUDY.name}"
REPRODUCTION_FIGURES = f"figures/{STUDY.name}"
PARTS = STUDY.parts()
VARIANTS = list(variants())
DRAWINGS = ("table_b2", "ablation", "degenerate", "squares", "strips", "limits")


def swept(wildcards):
    """What decides the games of a part: the boards and how they are played."""
    config = STUDY.config(wildcards.part)
    return [PARTS[wildcards.part], config.games, str(config.players), str(config.rules)]


step_rule(
    "reproduction_sweep",
    "Sweep {wildcards.part} by {wildcards.label} for the reproduction",
    played(
        step="studies.reproduction.play:play_sweep",
        seed=lambda wildcards: STUDY.config(wildcards.part).seed,
        settings=REPRODUCTION,
        depends=swept,
        ledgers=f"{REPRODUCTION_DATA}/ledger",
    ),
    output=dict(raw=f"{REPRODUCTION_DATA}/win_rates/{{part}}.{{label}}.csv"),
    log=f"{STUDY.name}/sweep.{{part}}.{{label}}",
    wildcards=dict(part="|".join(PARTS), label="|".join(STUDY.sweep.labels)),
    threads=2,
    resources=dict(
        mem_mb=700,
        runtime=lambda wildcards: jobs.longer(60, STUDY.config(wildcards.part).games, 4000),
    ),
    runs="games.py",
)

step_rule(
    "reproduction_win_rates",
    "Join the win rates of the reproduction and add the W-correction",
    made(step="stats.rho50.reduced:checked_win_rates"),
    input=dict(
        raw=expand(rules.reproduction_sweep.output[0], part=PARTS, label=STUDY.sweep.labels)
    ),
    output=dict(win_rates=f"{REPRODUCTION_DATA}/win_rates.csv"),
    log=f"{STUDY.name}/win_rates",
)

step_rule(
    "reproduction_fits",
    "Fit the critical densities of the reproduction",
    made(step="stats.logistic:fits_table", replicates=STUDY.sweep.bootstrap),
    input=dict(win_rates=rules.reproduction_win_rates.output[0]),
    output=dict(fits=f"{REPRODUCTION_DATA}/fits.csv"),
    log=f"{STUDY.name}/fits",
    resources=dict(mem_mb=500, runtime=30),
)

step_rule(
    "reproduction_runs",
    "Compare Table B.2 with runs of the same size by our players",
    made(step="studies.reproduction.results:runs_tables", replicates=STUDY.sweep.bootstrap),
    input=dict(win_rates=rules.reproduction_win_rates.output[0], published=PUBLISHED_B2),
    output=dict(
        runs=f"{REPRODUCTION_DATA}/table_b2.csv",
        agreement=f"{REPRODUCTION_DATA}/agreement.csv",
    ),
    log=f"{STUDY.name}/runs",
    resources=dict(mem_mb=500, runtime=30),
)

step_rule(
    "reproduction_limits",
    "Extrapolate square boards over every range of q",
    made(step="studies.reproduction.results:limits_table"),
    input=dict(fits=rules.reproduction_fits.output[0], published=PUBLISHED_B2),
    output=dict(extrapolation=f"{REPRODUCTION_DATA}/extrapolation.csv"),
    log=f"{STUDY.name}/limits",
)

step_rule(
    "reproduction_series",
    "Fit the series in 1/q to 1 x q boards",
    made(step="studies.reproduction.results:strips_table"),
    input=dict(fits=rules.reproduction_fits.output[0], published=PUBLISHED_B2),
    output=dict(series=f"{REPRODUCTION_DATA}/series.csv"),
    log=f"{STUDY.name}/series",
)

step_rule(
    "reproduction_quoted",
    "Play the boards whose win rates the text quotes",
    played(
        step="studies.reproduction.quoted:play_quoted",
        seed=STUDY.sweep.seed,
        settings=REPRODUCTION,
        depends=[
            STUDY.quoted.games,
            str(STUDY.sweep.players),
            str(STUDY.sweep.rules),
            *QUOTED_COLUMNS,
        ],
    ),
    input=dict(quotes="data/published/win_rates.csv"),
    output=dict(
        quoted=f"{REPRODUCTION_DATA}/quoted.csv",
        speed=f"{REPRODUCTION_DATA}/speed.csv",
    ),
    log=f"{STUDY.name}/quoted",
    threads=2,
    resources=dict(mem_mb=700, runtime=jobs.longer(30, STUDY.quoted.games, 100_000)),
    runs="games.py",
)

step_rule(
    "reproduction_ends",
    "Play single games of the listing, variant {wildcards.variant}",
    played(
        step="studies.reproduction.play:play_variant",
        seed=STUDY.sweep.seed,
        settings=REPRODUCTION,
        depends=[
            [board.name for board in STUDY.ablation.boards],
            STUDY.ablation.games,
            STUDY.ablation.spot_games,
            SPOTS,
            str(STUDY.sweep.rules),
        ],
    ),
    output=dict(ends=f"{REPRODUCTION_DATA}/ends/{{variant}}.csv"),
    log=f"{STUDY.name}/ends.{{variant}}",
    wildcards=dict(variant="|".join(VARIANTS)),
    resources=dict(
        mem_mb=700,
        runtime=max(
            jobs.longer(30, STUDY.ablation.games, 1000),
            jobs.longer(30, STUDY.ablation.spot_games, 20_000),
        ),
    ),
    runs="games.py",
)

step_rule(
    "reproduction_ablation",
    "Measure what every fault of the listing costs",
    made(
        step="studies.reproduction.ablation:ablation_of",
        settings=REPRODUCTION,
        depends=STUDY.sweep.bootstrap,
    ),
    input=dict(ends=expand(rules.reproduction_ends.output[0], variant=VARIANTS)),
    output=dict(ablation=f"{REPRODUCTION_DATA}/ablation.csv"),
    log=f"{STUDY.name}/ablation",
    resources=dict(mem_mb=500, runtime=30),
)

step_rule(
    "reproduction_figures",
    "Draw the figures of the reproduction",
    made(step="studies.reproduction.figures:FIGURES"),
    input=dict(
        win_rates=rules.reproduction_win_rates.output[0],
        fits=rules.reproduction_fits.output[0],
        runs=rules.reproduction_runs.output.runs,
        ablation=rules.reproduction_ablation.output[0],
        extrapolation=rules.reproduction_limits.output[0],
        series=rules.reproduction_series.output[0],
        published=PUBLISHED_B2,
    ),
    output=dict(
        figures=expand(
            f"{REPRODUCTION_FIGURES}/{{name}}.{{ending}}", name=DRAWINGS, ending=("pdf", "png")
        )
    ),
    log=f"{STUDY.name}/figures",
    resources=dict(mem_mb=1000, runtime=10),
    runs="figure.py",
)

step_rule(
    "reproduction_page",
    "Write the page that says which of the published numbers hold",
    made(
        step="studies.reproduction.page:page",
        settings=REPRODUCTION,
        file=REPRODUCTION,
        depends=str(STUDY),
    ),
    input=dict(
        runs=rules.reproduction_runs.output.runs,
        agreement=rules.reproduction_runs.output.agreement,
        fits=rules.reproduction_fits.output[0],
        extrapolation=rules.reproduction_limits.output[0],
        series=rules.reproduction_series.output[0],
        quoted=rules.reproduction_quoted.output.quoted,
        speed=rules.reproduction_quoted.output.speed,
        ablation=rules.reproduction_ablation.output[0],
        figures=[f"{REPRODUCTION_FIGURES}/{name}.png" for name in DRAWINGS],
    ),
    output=dict(
        finding=f"{REPRODUCTION_DATA}/finding.md",
        page=report(
            f"{REPRODUCTION_DATA}/reproduction.html",
            caption="../report/reproduction.rst",
            category="Reproduction",
            labels={"page": "Which of the published numbers hold"},
        ),
    ),
    log=f"{STUDY.name}/page",
    runs="page.py",
)


rule reproduction:
    input:
        rules.reproduction_page.output.page,
