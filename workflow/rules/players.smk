# The players of papers 000, 003 and 004 beside their published results, compared, and what
# critical density they buy; target `players`. Every job keeps its own file, so that a run cut off
# loses one job.

from msdensity.players.registry import PLAYERS as REGISTRY
from msdensity.studies.published_players.questions import QUESTIONS
from msdensity.studies.published_players.settings import load_settings

PLAYERS_FILE = CONFIG.studies["players"]
PLAYERS_STUDY = settings_of(load_settings, PLAYERS_FILE)
PLAYERS_DATA = f"data/{PLAYERS_STUDY.name}"
PLAYERS_FIGURES = f"figures/{PLAYERS_STUDY.name}"
PLAYERS_LOGS = f"logs/{PLAYERS_STUDY.name}"
PLAYERS_BENCHMARKS = f"benchmarks/{PLAYERS_STUDY.name}"
PLAYERS_MODULES = "msdensity/studies/published_players"
# Files have no spaces in their names.
PLAYERS_TABLES = {name.replace(" ", "_"): name for name in PLAYERS_STUDY.tables}
PLAYERS_DRAWINGS = ("single_point", "density", "cost")
# All that decides the numbers: a change of another number in the file plays nothing.
PLAYERS_PARAMS = dict(study=PLAYERS_FILE, seed=PLAYERS_STUDY.seed, kernel_version=KERNEL_VERSION)


wildcard_constraints:
    table="|".join(PLAYERS_TABLES),
    question="|".join(QUESTIONS),
    way="|".join(REGISTRY),
    drawing="|".join(PLAYERS_DRAWINGS),


rule players_table:
    message:
        "Play the published table {wildcards.table}"
    input:
        published="data/published/players.csv",
        modules=[f"{PLAYERS_MODULES}/results.py", f"{PLAYERS_MODULES}/play.py"],
    output:
        f"{PLAYERS_DATA}/tables/{{table}}.csv",
    params:
        **PLAYERS_PARAMS,
        table=lambda wildcards: PLAYERS_TABLES[wildcards.table],
        games=PLAYERS_STUDY.games,
        ways=lambda wildcards: str(PLAYERS_STUDY.tables[PLAYERS_TABLES[wildcards.table]]),
    log:
        f"{PLAYERS_LOGS}/tables/{{table}}.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/tables/{{table}}.tsv"
    resources:
        mem_mb=1000,
        runtime=jobs.longer(20, PLAYERS_STUDY.games, 100_000),
    script:
        "../scripts/players_table.py"


rule players_pairs:
    message:
        "Compare players game by game: {wildcards.question}"
    input:
        modules=["msdensity/runs/compare.py", f"{PLAYERS_MODULES}/questions.py"],
    output:
        f"{PLAYERS_DATA}/pairs/{{question}}.csv",
    params:
        **PLAYERS_PARAMS,
        games=PLAYERS_STUDY.games,
    log:
        f"{PLAYERS_LOGS}/pairs/{{question}}.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/pairs/{{question}}.tsv"
    resources:
        mem_mb=1000,
        runtime=jobs.longer(30, PLAYERS_STUDY.games, 100_000),
    script:
        "../scripts/players_pairs.py"


rule players_measures:
    message:
        "Measure what {wildcards.way} wins, guesses, loses, misses and costs"
    input:
        modules=[
            f"{PLAYERS_MODULES}/measures.py",
            f"{PLAYERS_MODULES}/losses.py",
            f"{PLAYERS_MODULES}/play.py",
        ],
    output:
        measures=f"{PLAYERS_DATA}/measures/{{way}}.csv",
        cost=f"{PLAYERS_DATA}/cost/{{way}}.csv",
    params:
        **PLAYERS_PARAMS,
        games=(
            PLAYERS_STUDY.games,
            PLAYERS_STUDY.traced_games,
            PLAYERS_STUDY.cost_games,
        ),
    log:
        f"{PLAYERS_LOGS}/measures/{{way}}.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/measures/{{way}}.tsv"
    priority: 1  # the longest first, or one would run alone at the end
    resources:
        mem_mb=1000,
        runtime=jobs.longer(30, PLAYERS_STUDY.games, 100_000),
    script:
        "../scripts/players_measures.py"


rule players_curves:
    message:
        "Play the square boards by {wildcards.way} and fit its curves"
    input:
        modules=[
            f"{PLAYERS_MODULES}/density.py",
            "msdensity/stats/logistic.py",
            "msdensity/stats/correction.py",
            "msdensity/files/tables.py",
        ],
    output:
        curves=f"{PLAYERS_DATA}/curves/{{way}}.csv",
        density=f"{PLAYERS_DATA}/density/{{way}}.csv",
    params:
        **PLAYERS_PARAMS,
        # The checkpoints: not declared, for Snakemake deletes declared outputs before it runs again.
        ledgers=f"{PLAYERS_DATA}/ledger",
        games=PLAYERS_STUDY.curve_games,
        sides=PLAYERS_STUDY.sides,
        replicates=PLAYERS_STUDY.replicates,
    log:
        f"{PLAYERS_LOGS}/curves/{{way}}.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/curves/{{way}}.tsv"
    resources:
        mem_mb=1000,
        runtime=jobs.longer(30, PLAYERS_STUDY.curve_games, 2_000),
    script:
        "../scripts/players_curves.py"


rule players_points:
    message:
        "Play the points of Figures 5.3 and 5.4 of 000 and fit their curves"
    input:
        modules=[f"{PLAYERS_MODULES}/figure_5.py", f"{PLAYERS_MODULES}/play.py"],
    output:
        points=f"{PLAYERS_DATA}/points.csv",
        fits=f"{PLAYERS_DATA}/point_fits.csv",
    params:
        **PLAYERS_PARAMS,
        games=PLAYERS_STUDY.figure_games,
    log:
        f"{PLAYERS_LOGS}/points.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/points.tsv"
    resources:
        mem_mb=1000,
        runtime=jobs.longer(30, PLAYERS_STUDY.figure_games, 100_000),
    script:
        "../scripts/players_points.py"


rule players_formulas:
    message:
        "Count first cells that show 0, for formulas 4.2 to 4.4 of 000"
    input:
        modules=[f"{PLAYERS_MODULES}/formulas.py", "msdensity/studies/paper/first_click.py"],
    output:
        f"{PLAYERS_DATA}/formulas.csv",
    params:
        **PLAYERS_PARAMS,
        games=PLAYERS_STUDY.zero_games,
    log:
        f"{PLAYERS_LOGS}/formulas.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/formulas.tsv"
    resources:
        mem_mb=1000,
        runtime=jobs.longer(30, PLAYERS_STUDY.zero_games, 100_000),
    script:
        "../scripts/players_formulas.py"


rule players_join:
    message:
        "Join the tables of the published players"
    input:
        tables=expand(f"{PLAYERS_DATA}/tables/{{table}}.csv", table=PLAYERS_TABLES),
        pairs=expand(f"{PLAYERS_DATA}/pairs/{{question}}.csv", question=QUESTIONS),
        measures=expand(f"{PLAYERS_DATA}/measures/{{way}}.csv", way=REGISTRY),
        cost=expand(f"{PLAYERS_DATA}/cost/{{way}}.csv", way=REGISTRY),
        curves=expand(f"{PLAYERS_DATA}/curves/{{way}}.csv", way=REGISTRY),
        density=expand(f"{PLAYERS_DATA}/density/{{way}}.csv", way=REGISTRY),
    output:
        tables=f"{PLAYERS_DATA}/tables.csv",
        pairs=f"{PLAYERS_DATA}/pairs.csv",
        measures=f"{PLAYERS_DATA}/measures.csv",
        cost=f"{PLAYERS_DATA}/cost.csv",
        curves=f"{PLAYERS_DATA}/curves.csv",
        density=f"{PLAYERS_DATA}/density.csv",
    log:
        f"{PLAYERS_LOGS}/join.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/join.tsv"
    resources:
        mem_mb=1000,
        runtime=5,
    script:
        "../scripts/players_join.py"


rule figure_players:
    message:
        "Draw the figure {wildcards.drawing} of the published players"
    input:
        published="data/published/players.csv",
        points=rules.players_points.output.points,
        fits=rules.players_points.output.fits,
        curves=rules.players_join.output.curves,
        density=rules.players_join.output.density,
        cost=rules.players_join.output.cost,
        modules=["msdensity/studies/published_players/figures.py"],
        style=STYLE_FILES,
    output:
        pdf=f"{PLAYERS_FIGURES}/{{drawing}}.pdf",
        png=report(
            f"{PLAYERS_FIGURES}/{{drawing}}.png",
            caption="../report/players_figures.rst",
            category="Figures",
            labels={"figure": "Published players: {drawing}"},
        ),
    log:
        f"{PLAYERS_LOGS}/figure_{{drawing}}.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/figure_{{drawing}}.tsv"
    resources:
        mem_mb=1000,
        runtime=5,
    script:
        "../scripts/players_figure.py"


rule players_page:
    message:
        "Write the page of the published players"
    input:
        tables=rules.players_join.output.tables,
        pairs=rules.players_join.output.pairs,
        measures=rules.players_join.output.measures,
        cost=rules.players_join.output.cost,
        density=rules.players_join.output.density,
        points=rules.players_points.output.points,
        point_fits=rules.players_points.output.fits,
        formulas=rules.players_formulas.output,
        figures=expand(f"{PLAYERS_FIGURES}/{{drawing}}.png", drawing=PLAYERS_DRAWINGS),
        modules=[
            f"{PLAYERS_MODULES}/page.py",
            f"{PLAYERS_MODULES}/page.md.j2",
            "msdensity/studies/page.py",
            "msdensity/studies/page.html.j2",
        ],
    output:
        report(
            f"{PLAYERS_DATA}/players.html",
            caption="../report/players.rst",
            category="Tables",
            labels={"table": "Published players"},
        ),
    params:
        study="published_players",
        settings=PLAYERS_FILE,
    log:
        f"{PLAYERS_LOGS}/page.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/page.tsv"
    resources:
        mem_mb=1000,
        runtime=5,
    script:
        "../scripts/page.py"


rule players:
    input:
        rules.players_page.output,
