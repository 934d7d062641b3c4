# Paper 001's published numbers beside the players that could have made them; target `reproduction`.

from msdensity.studies.reproduction.ablation import variants
from msdensity.studies.reproduction.settings import load_settings

REPRODUCTION = CONFIG.studies["reproduction"]
STUDY = settings_of(load_settings, REPRODUCTION)
REPRODUCTION_DATA = f"data/{STUDY.name}"
REPRODUCTION_FIGURES = f"figures/{STUDY.name}"
REPRODUCTION_LOGS = f"logs/{STUDY.name}"
REPRODUCTION_BENCHMARKS = f"benchmarks/{STUDY.name}"
PARTS = STUDY.parts()
VARIANTS = list(variants())
SPOT = ["10x10", "20"]  # section 10.2


rule reproduction_sweep:
    message:
        "Sweep {wildcards.part} by {wildcards.label} for the reproduction"
    input:
        config=REPRODUCTION,
        module="msdensity/files/tables.py",
    output:
        f"{REPRODUCTION_DATA}/win_rates/{{part}}.{{label}}.csv",
    wildcard_constraints:
        part="|".join(PARTS),
        label="|".join(STUDY.sweep.labels),
    params:
        config=REPRODUCTION,
        seed=lambda wildcards: STUDY.config(wildcards.part).seed,
        ledgers=f"{REPRODUCTION_DATA}/ledger",
        kernel_version=KERNEL_VERSION,
    log:
        f"{REPRODUCTION_LOGS}/sweep.{{part}}.{{label}}.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/sweep.{{part}}.{{label}}.tsv"
    threads: 2
    resources:
        mem_mb=700,
        runtime=lambda wildcards: jobs.longer(60, STUDY.config(wildcards.part).games, 4000),
    script:
        "../scripts/reproduction_sweep.py"


rule reproduction_win_rates:
    message:
        "Join the win rates of the reproduction and add the W-correction"
    input:
        tables=expand(
            rules.reproduction_sweep.output[0], part=PARTS, label=STUDY.sweep.labels
        ),
        module="msdensity/stats/correction.py",
    output:
        f"{REPRODUCTION_DATA}/win_rates.csv",
    log:
        f"{REPRODUCTION_LOGS}/win_rates.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/win_rates.tsv"
    resources:
        mem_mb=500,
        runtime=10,
    script:
        "../scripts/win_rates.py"


rule reproduction_fits:
    message:
        "Fit the critical densities of the reproduction"
    input:
        table=rules.reproduction_win_rates.output[0],
        module="msdensity/stats/logistic.py",
    output:
        f"{REPRODUCTION_DATA}/fits.csv",
    params:
        bootstrap=STUDY.sweep.bootstrap,
    log:
        f"{REPRODUCTION_LOGS}/fits.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/fits.tsv"
    resources:
        mem_mb=500,
        runtime=30,
    script:
        "../scripts/fits.py"


rule reproduction_runs:
    message:
        "Set Table B.2 beside runs of the same size by our players"
    input:
        table=rules.reproduction_win_rates.output[0],
        published="data/published/table_b2.csv",
        modules=["msdensity/studies/reproduction/results.py", "msdensity/stats/logistic.py"],
    output:
        runs=f"{REPRODUCTION_DATA}/table_b2.csv",
        agreement=f"{REPRODUCTION_DATA}/agreement.csv",
    params:
        replicates=STUDY.sweep.bootstrap,
    log:
        f"{REPRODUCTION_LOGS}/runs.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/runs.tsv"
    resources:
        mem_mb=500,
        runtime=30,
    script:
        "../scripts/reproduction_runs.py"


rule reproduction_limits:
    message:
        "Extrapolate square boards over every range of q"
    input:
        fits=rules.reproduction_fits.output[0],
        published="data/published/table_b2.csv",
        module="msdensity/stats/hyperbola.py",
    output:
        f"{REPRODUCTION_DATA}/extrapolation.csv",
    log:
        f"{REPRODUCTION_LOGS}/limits.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/limits.tsv"
    resources:
        mem_mb=500,
        runtime=10,
    script:
        "../scripts/reproduction_limits.py"


rule reproduction_series:
    message:
        "Fit the series in 1/q to 1 x q boards"
    input:
        fits=rules.reproduction_fits.output[0],
        published="data/published/table_b2.csv",
        module="msdensity/stats/series.py",
    output:
        f"{REPRODUCTION_DATA}/series.csv",
    log:
        f"{REPRODUCTION_LOGS}/series.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/series.tsv"
    resources:
        mem_mb=500,
        runtime=10,
    script:
        "../scripts/reproduction_series.py"


rule reproduction_quoted:
    message:
        "Play the boards whose win rates the text quotes"
    input:
        quotes="data/published/win_rates.csv",
        config=REPRODUCTION,
        module="msdensity/studies/reproduction/quoted.py",
    output:
        quoted=f"{REPRODUCTION_DATA}/quoted.csv",
        speed=f"{REPRODUCTION_DATA}/speed.csv",
    params:
        config=REPRODUCTION,
        seed=STUDY.sweep.seed,
        kernel_version=KERNEL_VERSION,
    log:
        f"{REPRODUCTION_LOGS}/quoted.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/quoted.tsv"
    threads: 2
    resources:
        mem_mb=700,
        runtime=jobs.longer(30, STUDY.quoted.games, 100_000),
    script:
        "../scripts/reproduction_quoted.py"


rule reproduction_ends:
    message:
        "Play single games of the listing, variant {wildcards.variant}"
    input:
        config=REPRODUCTION,
        module="msdensity/studies/reproduction/play.py",
    output:
        f"{REPRODUCTION_DATA}/ends/{{variant}}.csv",
    wildcard_constraints:
        variant="|".join(VARIANTS),
    params:
        config=REPRODUCTION,
        seed=STUDY.sweep.seed,
        spot=SPOT,
        kernel_version=KERNEL_VERSION,
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
        "../scripts/reproduction_ends.py"


rule reproduction_ablation:
    message:
        "Price every fault of the listing"
    input:
        ends=expand(rules.reproduction_ends.output[0], variant=VARIANTS),
        modules=["msdensity/studies/reproduction/ablation.py", "msdensity/stats/logistic.py"],
    output:
        f"{REPRODUCTION_DATA}/ablation.csv",
    params:
        config=REPRODUCTION,
        variants=VARIANTS,
        spot=SPOT,
        replicates=STUDY.sweep.bootstrap,
    log:
        f"{REPRODUCTION_LOGS}/ablation.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/ablation.tsv"
    resources:
        mem_mb=500,
        runtime=30,
    script:
        "../scripts/reproduction_ablation.py"


FIGURE_NAMES = ("table_b2", "ablation", "degenerate", "squares", "strips", "limits")


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
        published="data/published/table_b2.csv",
        modules=["msdensity/studies/reproduction/figures.py"],
        style=STYLE_FILES,
    output:
        [
            f"{REPRODUCTION_FIGURES}/{name}.{ending}"
            for name in FIGURE_NAMES
            for ending in ("pdf", "png")
        ],
    log:
        f"{REPRODUCTION_LOGS}/figures.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/figures.tsv"
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/reproduction_figures.py"


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
        figures=[f"{REPRODUCTION_FIGURES}/{name}.png" for name in FIGURE_NAMES],
        modules=[
            "msdensity/studies/reproduction/page.py",
            "msdensity/studies/reproduction/page.md.j2",
            "msdensity/studies/page.py",
            "msdensity/studies/page.html.j2",
        ],
    output:
        report(
            f"{REPRODUCTION_DATA}/reproduction.html",
            caption="../report/reproduction.rst",
            category="Reproduction",
            labels={"page": "What holds of the published numbers"},
        ),
    params:
        study="reproduction",
        settings=REPRODUCTION,
    log:
        f"{REPRODUCTION_LOGS}/page.log",
    benchmark:
        f"{REPRODUCTION_BENCHMARKS}/page.tsv"
    resources:
        mem_mb=500,
        runtime=10,
    script:
        "../scripts/page.py"


rule reproduction:
    input:
        rules.reproduction_page.output,
