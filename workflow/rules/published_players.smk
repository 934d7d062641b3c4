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
PUBLISHED_PLAYERS = "data/published/players.csv"
# Files have no spaces in their names.
PLAYERS_TABLES = {name.replace(" ", "_"): name for name in PLAYERS_STUDY.tables}
PLAYERS_DRAWINGS = ("single_point", "density", "cost")


def players_job(least, games, each):
    """Memory of a job, and its minutes from how many games it plays."""
    return dict(mem_mb=1000, runtime=jobs.longer(least, games, each))


wildcard_constraints:
    table="|".join(PLAYERS_TABLES),
    question="|".join(QUESTIONS),
    player="|".join(REGISTRY),
    drawing="|".join(PLAYERS_DRAWINGS),


rule players_table:
    message:
        "Play the published table {params.table}"
    input:
        published=PUBLISHED_PLAYERS,
    output:
        tables=f"{PLAYERS_DATA}/tables/{{table}}.csv",
    params:
        **played(
            step="studies.published_players.results:study_table",
            seed=PLAYERS_STUDY.seed,
            settings=PLAYERS_FILE,
            depends=lambda wildcards: [
                PLAYERS_STUDY.games,
                str(PLAYERS_STUDY.tables[PLAYERS_TABLES[wildcards.table]]),
            ],
            table=lambda wildcards: PLAYERS_TABLES[wildcards.table],
        ),
    log:
        f"{PLAYERS_LOGS}/tables/{{table}}.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/tables/{{table}}.tsv"
    resources:
        **players_job(20, PLAYERS_STUDY.games, 100_000),
    script:
        "../scripts/games.py"


rule players_pairs:
    message:
        "Compare players game by game: {wildcards.question}"
    output:
        pairs=f"{PLAYERS_DATA}/pairs/{{question}}.csv",
    params:
        **played(
            step="studies.published_players.questions:pairs_table",
            seed=PLAYERS_STUDY.seed,
            depends=lambda wildcards: str(QUESTIONS[wildcards.question]),
            games=PLAYERS_STUDY.games,
        ),
    log:
        f"{PLAYERS_LOGS}/pairs/{{question}}.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/pairs/{{question}}.tsv"
    resources:
        **players_job(30, PLAYERS_STUDY.games, 100_000),
    script:
        "../scripts/games.py"


rule players_measures:
    message:
        "Measure what {wildcards.player} wins, guesses, loses, misses and costs"
    output:
        measures=f"{PLAYERS_DATA}/measures/{{player}}.csv",
        cost=f"{PLAYERS_DATA}/cost/{{player}}.csv",
    params:
        **played(
            step="studies.published_players.measures:measured_tables",
            seed=PLAYERS_STUDY.seed,
            settings=PLAYERS_FILE,
            depends=[
                PLAYERS_STUDY.games,
                PLAYERS_STUDY.traced_games,
                PLAYERS_STUDY.cost_games,
            ],
        ),
    log:
        f"{PLAYERS_LOGS}/measures/{{player}}.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/measures/{{player}}.tsv"
    priority: 1  # the longest first, or one would run alone at the end
    resources:
        **players_job(30, PLAYERS_STUDY.games, 100_000),
    script:
        "../scripts/games.py"


rule players_curves:
    message:
        "Play the square boards by {wildcards.player}"
    output:
        curves=f"{PLAYERS_DATA}/curves/{{player}}.csv",
    params:
        # The ledgers are checkpoints: not declared, because Snakemake deletes declared outputs.
        **played(
            step="studies.published_players.curves:play_curves",
            seed=PLAYERS_STUDY.seed,
            settings=PLAYERS_FILE,
            depends=[PLAYERS_STUDY.curve_games, PLAYERS_STUDY.sides],
            ledgers=f"{PLAYERS_DATA}/ledger",
        ),
    log:
        f"{PLAYERS_LOGS}/curves/{{player}}.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/curves/{{player}}.tsv"
    resources:
        **players_job(30, PLAYERS_STUDY.curve_games, 2_000),
    script:
        "../scripts/games.py"


rule players_density:
    message:
        "Fit the curves of {wildcards.player}"
    input:
        curves=rules.players_curves.output[0],
    output:
        density=f"{PLAYERS_DATA}/density/{{player}}.csv",
    params:
        **made(
            step="studies.published_players.density:density_table",
            replicates=PLAYERS_STUDY.replicates,
        ),
    log:
        f"{PLAYERS_LOGS}/density/{{player}}.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/density/{{player}}.tsv"
    resources:
        mem_mb=1000,
        runtime=30,
    script:
        "../scripts/step.py"


rule players_points:
    message:
        "Play the points of Figures 5.3 and 5.4 of 000"
    output:
        points=f"{PLAYERS_DATA}/points.csv",
    params:
        **played(
            step="studies.published_players.figure_5:points_table",
            seed=PLAYERS_STUDY.seed,
            settings=PLAYERS_FILE,
            depends=PLAYERS_STUDY.figure_games,
        ),
    log:
        f"{PLAYERS_LOGS}/points.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/points.tsv"
    resources:
        **players_job(30, PLAYERS_STUDY.figure_games, 100_000),
    script:
        "../scripts/games.py"


rule players_point_fits:
    message:
        "Fit the curves of Figures 5.3 and 5.4 of 000"
    input:
        points=rules.players_points.output[0],
    output:
        point_fits=f"{PLAYERS_DATA}/point_fits.csv",
    params:
        **made(step="studies.published_players.figure_5:curves_table"),
    log:
        f"{PLAYERS_LOGS}/point_fits.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/point_fits.tsv"
    resources:
        **SMALL_JOB,
    script:
        "../scripts/step.py"


rule players_formulas:
    message:
        "Count first cells that show 0, for formulas 4.2 to 4.4 of 000"
    output:
        formulas=f"{PLAYERS_DATA}/formulas.csv",
    params:
        **played(
            step="studies.published_players.formulas:formulas_table",
            seed=PLAYERS_STUDY.seed,
            settings=PLAYERS_FILE,
            depends=PLAYERS_STUDY.zero_games,
        ),
    log:
        f"{PLAYERS_LOGS}/formulas.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/formulas.tsv"
    resources:
        **players_job(30, PLAYERS_STUDY.zero_games, 100_000),
    script:
        "../scripts/games.py"


rule players_join:
    message:
        "Join the tables of the published players"
    input:
        tables=expand(rules.players_table.output[0], table=PLAYERS_TABLES),
        pairs=expand(rules.players_pairs.output[0], question=QUESTIONS),
        measures=expand(rules.players_measures.output.measures, player=REGISTRY),
        cost=expand(rules.players_measures.output.cost, player=REGISTRY),
        curves=expand(rules.players_curves.output[0], player=REGISTRY),
        density=expand(rules.players_density.output[0], player=REGISTRY),
    output:
        **{
            name: f"{PLAYERS_DATA}/{name}.csv"
            for name in ("tables", "pairs", "measures", "cost", "curves", "density")
        },
    params:
        **made(step="studies.published_players.results:joined_tables"),
    log:
        f"{PLAYERS_LOGS}/join.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/join.tsv"
    resources:
        **SMALL_JOB,
    script:
        "../scripts/step.py"


rule figure_players:
    message:
        "Draw the figure {wildcards.drawing} of the published players"
    input:
        published=PUBLISHED_PLAYERS,
        points=rules.players_points.output[0],
        point_fits=rules.players_point_fits.output[0],
        curves=rules.players_join.output.curves,
        density=rules.players_join.output.density,
        cost=rules.players_join.output.cost,
    output:
        **both(
            f"{PLAYERS_FIGURES}/{{drawing}}",
            caption="../report/players_figures.rst",
            category="Figures",
            labels={"figure": "Published players: {drawing}"},
        ),
    params:
        **made(step="studies.published_players.figures:FIGURES"),
    log:
        f"{PLAYERS_LOGS}/figure_{{drawing}}.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/figure_{{drawing}}.tsv"
    resources:
        mem_mb=1000,
        runtime=5,
    script:
        "../scripts/figure.py"


rule players_page:
    message:
        "Write the page of the published players"
    input:
        **{
            name: rules.players_join.output[name]
            for name in ("tables", "pairs", "measures", "cost", "density")
        },
        points=rules.players_points.output[0],
        point_fits=rules.players_point_fits.output[0],
        formulas=rules.players_formulas.output[0],
        figures=expand(f"{PLAYERS_FIGURES}/{{drawing}}.png", drawing=PLAYERS_DRAWINGS),
    output:
        result(f"{PLAYERS_DATA}/players.html", "players", table="Published players"),
    params:
        **made(
            step="studies.published_players.page:page",
            settings=PLAYERS_FILE,
            file=PLAYERS_FILE,
        ),
    log:
        f"{PLAYERS_LOGS}/page.log",
    benchmark:
        f"{PLAYERS_BENCHMARKS}/page.tsv"
    resources:
        **SMALL_JOB,
    script:
        "../scripts/page.py"


rule players:
    input:
        rules.players_page.output,
