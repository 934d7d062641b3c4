# Paper 001's published numbers beside the players that could have made them; target `reproduction`.

from msdensity.studies.reproduction.ablation import variants
from msdensity.studies.reproduction.settings import SPOT, load_settings

REPRODUCTION = CONFIG.studies["reproduction"]
STUDY = settings_of(load_settings, REPRODUCTION)
REPRODUCTION_DATA = f"data/{STUDY.name}"
REPRODUCTION_FIGURES = f"figures/{STUDY.name}"
REPRODUCTION_LOGS = f"logs/{STUDY.name}"
REPRODUCTION_BENCHMARKS = f"benchmarks/{STUDY.name}"
PARTS = STUDY.parts()
VARIANTS = list(variants())
DRAWINGS = ("table_b2", "ablation", "degenerate", "squares", "strips", "limits")


def swept(wildcards):
    """What decides the games of a part: the boards and how they are played."""
    config = STUDY.config(wildcards.part)
    return [PARTS[wildcards.part], config.games, str(config.players), str(config.rules)]


rule reproduction_sweep:
    message:
        "Sweep {wildcards.part} by {wildcards.label} for the reproduction"
    output:
        raw=f"{REPRODUCTION_DATA}/win_rates/{{part}}.{{label}}.csv",
    wildcard_constraints:
        part="|".join(PARTS),
        label="|".join(STUDY.sweep.labels),
    params:
        **played(
            step="studies.reproduction.play:play_sweep",
            seed=lambda wildcards: STUDY.config(wildcards.part).seed,
            settings=REPRODUCTION,
            depends=swept,
            ledgers=f"{REPRODUCTION_DATA}/ledger",
        ),
    log:
        f"{REPRODUCTION_LOGS}/sweep.{{part}}.{{label}}.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/sweep.{{part}}.{{label}}.tsv"
    threads: 2
    resources:
        mem_mb=700,
        runtime=lambda wildcards: jobs.longer(60, STUDY.config(wildcards.part).games, 4000),
    script:
        "../scripts/games.py"


rule reproduction_win_rates:
    message:
        "Join the win rates of the reproduction and add the W-correction"
    input:
        raw=expand(rules.reproduction_sweep.output[0], part=PARTS, label=STUDY.sweep.labels),
    output:
        win_rates=f"{REPRODUCTION_DATA}/win_rates.csv",
    params:
        **made(step="stats.correction:w_correction"),
    log:
        f"{REPRODUCTION_LOGS}/win_rates.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/win_rates.tsv"
    resources:
        **SMALL_JOB,
    script:
        "../scripts/step.py"


rule reproduction_fits:
    message:
        "Fit the critical densities of the reproduction"
    input:
        win_rates=rules.reproduction_win_rates.output[0],
    output:
        fits=f"{REPRODUCTION_DATA}/fits.csv",
    params:
        **made(step="stats.logistic:fits_table", replicates=STUDY.sweep.bootstrap),
    log:
        f"{REPRODUCTION_LOGS}/fits.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/fits.tsv"
    resources:
        mem_mb=500,
        runtime=30,
    script:
        "../scripts/step.py"


rule reproduction_runs:
    message:
        "Set Table B.2 beside runs of the same size by our players"
    input:
        win_rates=rules.reproduction_win_rates.output[0],
        published=PUBLISHED_B2,
    output:
        runs=f"{REPRODUCTION_DATA}/table_b2.csv",
        agreement=f"{REPRODUCTION_DATA}/agreement.csv",
    params:
        **made(
            step="studies.reproduction.results:runs_tables", replicates=STUDY.sweep.bootstrap
        ),
    log:
        f"{REPRODUCTION_LOGS}/runs.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/runs.tsv"
    resources:
        mem_mb=500,
        runtime=30,
    script:
        "../scripts/step.py"


rule reproduction_limits:
    message:
        "Extrapolate square boards over every range of q"
    input:
        fits=rules.reproduction_fits.output[0],
        published=PUBLISHED_B2,
    output:
        extrapolation=f"{REPRODUCTION_DATA}/extrapolation.csv",
    params:
        **made(step="studies.reproduction.results:limits_table"),
    log:
        f"{REPRODUCTION_LOGS}/limits.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/limits.tsv"
    resources:
        **SMALL_JOB,
    script:
        "../scripts/step.py"


rule reproduction_series:
    message:
        "Fit the series in 1/q to 1 x q boards"
    input:
        fits=rules.reproduction_fits.output[0],
        published=PUBLISHED_B2,
    output:
        series=f"{REPRODUCTION_DATA}/series.csv",
    params:
        **made(step="studies.reproduction.results:strips_table"),
    log:
        f"{REPRODUCTION_LOGS}/series.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/series.tsv"
    resources:
        **SMALL_JOB,
    script:
        "../scripts/step.py"


rule reproduction_quoted:
    message:
        "Play the boards whose win rates the text quotes"
    input:
        quotes="data/published/win_rates.csv",
    output:
        quoted=f"{REPRODUCTION_DATA}/quoted.csv",
        speed=f"{REPRODUCTION_DATA}/speed.csv",
    params:
        **played(
            step="studies.reproduction.quoted:play_quoted",
            seed=STUDY.sweep.seed,
            settings=REPRODUCTION,
            depends=[STUDY.quoted.games, str(STUDY.sweep.players), str(STUDY.sweep.rules)],
        ),
    log:
        f"{REPRODUCTION_LOGS}/quoted.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/quoted.tsv"
    threads: 2
    resources:
        mem_mb=700,
        runtime=jobs.longer(30, STUDY.quoted.games, 100_000),
    script:
        "../scripts/games.py"


rule reproduction_ends:
    message:
        "Play single games of the listing, variant {wildcards.variant}"
    output:
        ends=f"{REPRODUCTION_DATA}/ends/{{variant}}.csv",
    wildcard_constraints:
        variant="|".join(VARIANTS),
    params:
        **played(
            step="studies.reproduction.play:play_variant",
            seed=STUDY.sweep.seed,
            settings=REPRODUCTION,
            depends=[
                [board.name for board in STUDY.ablation.boards],
                STUDY.ablation.games,
                STUDY.ablation.spot_games,
                SPOT,
                str(STUDY.sweep.rules),
            ],
        ),
    log:
        f"{REPRODUCTION_LOGS}/ends.{{variant}}.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/ends.{{variant}}.tsv"
    threads: 1
    resources:
        mem_mb=700,
        runtime=max(
            jobs.longer(30, STUDY.ablation.games, 1000),
            jobs.longer(30, STUDY.ablation.spot_games, 20_000),
        ),
    script:
        "../scripts/games.py"


rule reproduction_ablation:
    message:
        "Price every fault of the listing"
    input:
        ends=expand(rules.reproduction_ends.output[0], variant=VARIANTS),
    output:
        ablation=f"{REPRODUCTION_DATA}/ablation.csv",
    params:
        **made(
            step="studies.reproduction.ablation:ablation_of",
            settings=REPRODUCTION,
            depends=STUDY.sweep.bootstrap,
        ),
    log:
        f"{REPRODUCTION_LOGS}/ablation.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/ablation.tsv"
    resources:
        mem_mb=500,
        runtime=30,
    script:
        "../scripts/step.py"


rule reproduction_figures:
    message:
        "Draw the figures of the reproduction"
    input:
        win_rates=rules.reproduction_win_rates.output[0],
        fits=rules.reproduction_fits.output[0],
        runs=rules.reproduction_runs.output.runs,
        ablation=rules.reproduction_ablation.output[0],
        extrapolation=rules.reproduction_limits.output[0],
        series=rules.reproduction_series.output[0],
        published=PUBLISHED_B2,
    output:
        expand(f"{REPRODUCTION_FIGURES}/{{name}}.{{ending}}", name=DRAWINGS, ending=("pdf", "png")),
    params:
        **made(step="studies.reproduction.figures:FIGURES"),
    log:
        f"{REPRODUCTION_LOGS}/figures.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/figures.tsv"
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/figure.py"


rule reproduction_page:
    message:
        "Write the page that says what holds of the published numbers"
    input:
        runs=rules.reproduction_runs.output.runs,
        agreement=rules.reproduction_runs.output.agreement,
        fits=rules.reproduction_fits.output[0],
        extrapolation=rules.reproduction_limits.output[0],
        series=rules.reproduction_series.output[0],
        quoted=rules.reproduction_quoted.output.quoted,
        speed=rules.reproduction_quoted.output.speed,
        ablation=rules.reproduction_ablation.output[0],
        figures=[f"{REPRODUCTION_FIGURES}/{name}.png" for name in DRAWINGS],
    output:
        report(
            f"{REPRODUCTION_DATA}/reproduction.html",
            caption="../report/reproduction.rst",
            category="Reproduction",
            labels={"page": "What holds of the published numbers"},
        ),
    params:
        **made(
            step="studies.reproduction.page:page",
            settings=REPRODUCTION,
            file=REPRODUCTION,
            depends=str(STUDY),
        ),
    log:
        f"{REPRODUCTION_LOGS}/page.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/page.tsv"
    resources:
        **SMALL_JOB,
    script:
        "../scripts/page.py"


rule reproduction:
    input:
        rules.reproduction_page.output,
