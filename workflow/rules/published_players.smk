# The players of papers 000, 003 and 004 beside their published results, compared with each other, and
# the critical density that they reach; target `players`. Every job has its own file, so that an
# interrupted run loses one job.

from msdensity.files.tables import required
from msdensity.players.registry import PLAYERS as REGISTRY
from msdensity.studies.published_players.beliefs.columns import TABLES as BELIEF_TABLES
from msdensity.studies.published_players.columns import (
    FORMULA_COLUMNS,
    MEASURE_COLUMNS,
    STUDY_COLUMNS,
)
from msdensity.studies.published_players.questions import QUESTIONS
from msdensity.studies.published_players.resolution.columns import COVERAGE_COLUMNS
from msdensity.studies.published_players.resolution.methods import PLACES as RESOLUTION_PLACES

PLAYERS_FILE = CONFIG.studies["players"]
PLAYERS_STUDY = settings_of("players")
PLAYERS_DATA = f"data/{PLAYERS_STUDY.name}"
PLAYERS_FIGURES = f"figures/{PLAYERS_STUDY.name}"
PUBLISHED_PLAYERS = "data/published/players.csv"
# Files have no spaces in their names.
PLAYERS_TABLES = {name.replace(" ", "_"): name for name in PLAYERS_STUDY.tables}
PLAYERS_DRAWINGS = ("single_point", "density", "cost", "difficulty")
RESOLUTION_PLACE = [f"{board}_{mines}" for board, mines in RESOLUTION_PLACES]
BELIEF_DRAWINGS = ("decisions", "calibration")


def players_job(least, games, each):
    """Memory of a job, and its minutes from how many games it plays."""
    return dict(mem_mb=1000, runtime=jobs.longer(least, games, each))


wildcard_constraints:
    table="|".join(PLAYERS_TABLES),
    question="|".join(QUESTIONS),
    player="|".join(REGISTRY),
    drawing="|".join(PLAYERS_DRAWINGS),
    belief_drawing="|".join(BELIEF_DRAWINGS),
    place="|".join(RESOLUTION_PLACE),


step_rule(
    "players_table",
    "Play the published table {params.table}",
    played(
        step="studies.published_players.results:study_table",
        seed=PLAYERS_STUDY.seed,
        settings=PLAYERS_FILE,
        depends=lambda wildcards: [
            PLAYERS_STUDY.games,
            str(PLAYERS_STUDY.tables[PLAYERS_TABLES[wildcards.table]]),
            *required(STUDY_COLUMNS),
        ],
        table=lambda wildcards: PLAYERS_TABLES[wildcards.table],
    ),
    input=dict(published=PUBLISHED_PLAYERS),
    output=dict(tables=f"{PLAYERS_DATA}/tables/{{table}}.csv"),
    log=f"{PLAYERS_STUDY.name}/tables/{{table}}",
    resources=players_job(20, PLAYERS_STUDY.games, 100_000),
    runs="games.py",
)

step_rule(
    "players_pairs",
    "Compare players game by game: {wildcards.question}",
    played(
        step="studies.published_players.questions:pairs_table",
        seed=PLAYERS_STUDY.seed,
        depends=lambda wildcards: str(QUESTIONS[wildcards.question]),
        games=PLAYERS_STUDY.games,
    ),
    output=dict(pairs=f"{PLAYERS_DATA}/pairs/{{question}}.csv"),
    log=f"{PLAYERS_STUDY.name}/pairs/{{question}}",
    resources=players_job(30, PLAYERS_STUDY.games, 100_000),
    runs="games.py",
)

# The longest first: else one would run alone at the end.
step_rule(
    "players_measures",
    "Measure what {wildcards.player} wins, guesses, loses, misses and costs",
    played(
        step="studies.published_players.measures:measured_tables",
        seed=PLAYERS_STUDY.seed,
        settings=PLAYERS_FILE,
        depends=[
            PLAYERS_STUDY.games,
            PLAYERS_STUDY.traced_games,
            PLAYERS_STUDY.cost_games,
            *MEASURE_COLUMNS,
        ],
    ),
    output=dict(
        measures=f"{PLAYERS_DATA}/measures/{{player}}.csv",
        cost=f"{PLAYERS_DATA}/cost/{{player}}.csv",
    ),
    log=f"{PLAYERS_STUDY.name}/measures/{{player}}",
    priority=1,
    resources=players_job(30, PLAYERS_STUDY.games, 100_000),
    runs="games.py",
)

# The ledgers are checkpoints: not declared, because Snakemake deletes declared outputs.
step_rule(
    "players_curves",
    "Play the square boards by {wildcards.player}",
    played(
        step="studies.published_players.curves:play_curves",
        seed=PLAYERS_STUDY.seed,
        settings=PLAYERS_FILE,
        depends=[PLAYERS_STUDY.curve_games, PLAYERS_STUDY.sides],
        ledgers=f"{PLAYERS_DATA}/ledger",
    ),
    output=dict(curves=f"{PLAYERS_DATA}/curves/{{player}}.csv"),
    log=f"{PLAYERS_STUDY.name}/curves/{{player}}",
    resources=players_job(30, PLAYERS_STUDY.curve_games, 2_000),
    runs="games.py",
)

step_rule(
    "players_density",
    "Fit the curves of {wildcards.player}",
    made(
        step="studies.published_players.density:density_table",
        replicates=PLAYERS_STUDY.replicates,
    ),
    input=dict(curves=rules.players_curves.output[0]),
    output=dict(density=f"{PLAYERS_DATA}/density/{{player}}.csv"),
    log=f"{PLAYERS_STUDY.name}/density/{{player}}",
    resources=dict(mem_mb=1000, runtime=30),
)

step_rule(
    "players_points",
    "Play the points of Figures 5.3 and 5.4 of 000",
    played(
        step="studies.published_players.figure_5:points_table",
        seed=PLAYERS_STUDY.seed,
        settings=PLAYERS_FILE,
        depends=PLAYERS_STUDY.figure_games,
    ),
    output=dict(points=f"{PLAYERS_DATA}/points.csv"),
    log=f"{PLAYERS_STUDY.name}/points",
    resources=players_job(30, PLAYERS_STUDY.figure_games, 100_000),
    runs="games.py",
)

step_rule(
    "players_point_fits",
    "Fit the curves of Figures 5.3 and 5.4 of 000",
    made(step="studies.published_players.figure_5:curves_table"),
    input=dict(points=rules.players_points.output[0]),
    output=dict(point_fits=f"{PLAYERS_DATA}/point_fits.csv"),
    log=f"{PLAYERS_STUDY.name}/point_fits",
)

step_rule(
    "players_formulas",
    "Count first cells that show 0, for formulas 4.2 to 4.4 of 000",
    played(
        step="studies.published_players.formulas:formulas_table",
        seed=PLAYERS_STUDY.seed,
        settings=PLAYERS_FILE,
        depends=[PLAYERS_STUDY.zero_games, *FORMULA_COLUMNS],
    ),
    output=dict(formulas=f"{PLAYERS_DATA}/formulas.csv"),
    log=f"{PLAYERS_STUDY.name}/formulas",
    resources=players_job(30, PLAYERS_STUDY.zero_games, 100_000),
    runs="games.py",
)

step_rule(
    "players_belief_decisions",
    "Count where the players of 004 make their decisions (its Figure 5)",
    played(
        step="studies.published_players.beliefs.decisions:decisions_table",
        seed=PLAYERS_STUDY.seed,
        settings=PLAYERS_FILE,
        depends=[PLAYERS_STUDY.belief_games, *BELIEF_TABLES["belief_decisions"]],
    ),
    output=dict(belief_decisions=f"{PLAYERS_DATA}/beliefs/decisions.csv"),
    log=f"{PLAYERS_STUDY.name}/beliefs/decisions",
    resources=players_job(20, PLAYERS_STUDY.belief_games, 20_000),
    runs="games.py",
)

step_rule(
    "players_belief_guesses",
    "Count how guesses of the players of 004 end (its Table 10)",
    played(
        step="studies.published_players.beliefs.guesses:guess_tables",
        seed=PLAYERS_STUDY.seed,
        settings=PLAYERS_FILE,
        depends=[PLAYERS_STUDY.belief_games, *BELIEF_TABLES["belief_guesses"]],
    ),
    output=dict(
        belief_guesses=f"{PLAYERS_DATA}/beliefs/guesses.csv",
        belief_convergence=f"{PLAYERS_DATA}/beliefs/convergence.csv",
    ),
    log=f"{PLAYERS_STUDY.name}/beliefs/guesses",
    resources=players_job(20, PLAYERS_STUDY.belief_games, 20_000),
    runs="games.py",
)

step_rule(
    "players_belief_errors",
    "Compare beliefs of the players of 004 with exact safeties",
    played(
        step="studies.published_players.beliefs.errors:error_tables",
        seed=PLAYERS_STUDY.seed,
        settings=PLAYERS_FILE,
        depends=[PLAYERS_STUDY.belief_error_games, *BELIEF_TABLES["belief_errors"]],
    ),
    output=dict(
        belief_errors=f"{PLAYERS_DATA}/beliefs/errors.csv",
        belief_position=f"{PLAYERS_DATA}/beliefs/position.csv",
    ),
    log=f"{PLAYERS_STUDY.name}/beliefs/errors",
    resources=players_job(20, PLAYERS_STUDY.belief_error_games, 2_000),
    runs="games.py",
)

step_rule(
    "figure_players_beliefs",
    "Draw the figure {wildcards.belief_drawing} of the players of 004",
    made(step="studies.published_players.beliefs.figures:FIGURES"),
    input=dict(
        belief_decisions=rules.players_belief_decisions.output[0],
        belief_guesses=rules.players_belief_guesses.output.belief_guesses,
    ),
    output=both(
        f"{PLAYERS_FIGURES}/{{belief_drawing}}",
        caption="../report/players_figures.rst",
        category="Figures",
        labels={"figure": "Published players: {belief_drawing}"},
    ),
    log=f"{PLAYERS_STUDY.name}/figure_{{belief_drawing}}",
    resources=dict(mem_mb=1000, runtime=5),
    runs="figure.py",
)

step_rule(
    "players_resolution_place",
    "Count what the methods of 002 decide on {wildcards.place}",
    played(
        step="studies.published_players.resolution.results:place_tables",
        seed=PLAYERS_STUDY.seed,
        settings=PLAYERS_FILE,
        depends=[PLAYERS_STUDY.resolution_games, *COVERAGE_COLUMNS],
    ),
    output={
        name: f"{PLAYERS_DATA}/{name}/{{place}}.csv"
        for name in ("resolution_coverage", "resolution_levels")
    },
    log=f"{PLAYERS_STUDY.name}/resolution_place/{{place}}",
    resources=players_job(30, PLAYERS_STUDY.resolution_games, 20),
    runs="games.py",
)

step_rule(
    "players_resolution_guesses",
    "Count the needless guesses of 002",
    played(
        step="studies.published_players.resolution.results:guesses_table",
        seed=PLAYERS_STUDY.seed,
        settings=PLAYERS_FILE,
        depends=PLAYERS_STUDY.resolution_games,
    ),
    output=dict(resolution_guesses=f"{PLAYERS_DATA}/resolution_guesses.csv"),
    log=f"{PLAYERS_STUDY.name}/resolution_guesses",
    resources=players_job(30, PLAYERS_STUDY.resolution_games, 20),
    runs="games.py",
)

step_rule(
    "players_resolution_cost",
    "Time the methods of 002",
    played(
        step="studies.published_players.resolution.results:cost_tables",
        seed=PLAYERS_STUDY.seed,
        settings=PLAYERS_FILE,
        depends=PLAYERS_STUDY.resolution_timed_games,
    ),
    output={
        name: f"{PLAYERS_DATA}/{name}.csv" for name in ("resolution_time", "resolution_sizes")
    },
    log=f"{PLAYERS_STUDY.name}/resolution_cost",
    resources=players_job(30, PLAYERS_STUDY.resolution_timed_games, 20),
    runs="games.py",
)

step_rule(
    "players_resolution_join",
    "Join the tables on 002",
    made(step="studies.published_players.resolution.results:joined_tables"),
    input={
        name: expand(rules.players_resolution_place.output[name], place=RESOLUTION_PLACE)
        for name in ("resolution_coverage", "resolution_levels")
    },
    output={
        name: f"{PLAYERS_DATA}/{name}.csv"
        for name in ("resolution_coverage", "resolution_levels")
    },
    log=f"{PLAYERS_STUDY.name}/resolution_join",
)

step_rule(
    "players_join",
    "Join the tables of the published players",
    made(step="studies.published_players.results:joined_tables"),
    input=dict(
        tables=expand(rules.players_table.output[0], table=PLAYERS_TABLES),
        pairs=expand(rules.players_pairs.output[0], question=QUESTIONS),
        measures=expand(rules.players_measures.output.measures, player=REGISTRY),
        cost=expand(rules.players_measures.output.cost, player=REGISTRY),
        curves=expand(rules.players_curves.output[0], player=REGISTRY),
        density=expand(rules.players_density.output[0], player=REGISTRY),
    ),
    output={
        name: f"{PLAYERS_DATA}/{name}.csv"
        for name in ("tables", "pairs", "measures", "cost", "curves", "density")
    },
    log=f"{PLAYERS_STUDY.name}/join",
)

step_rule(
    "figure_players",
    "Draw the figure {wildcards.drawing} of the published players",
    made(step="studies.published_players.figures:FIGURES"),
    input=dict(
        published=PUBLISHED_PLAYERS,
        points=rules.players_points.output[0],
        point_fits=rules.players_point_fits.output[0],
        curves=rules.players_join.output.curves,
        density=rules.players_join.output.density,
        cost=rules.players_join.output.cost,
        resolution_levels=rules.players_resolution_join.output.resolution_levels,
    ),
    output=both(
        f"{PLAYERS_FIGURES}/{{drawing}}",
        caption="../report/players_figures.rst",
        category="Figures",
        labels={"figure": "Published players: {drawing}"},
    ),
    log=f"{PLAYERS_STUDY.name}/figure_{{drawing}}",
    resources=dict(mem_mb=1000, runtime=5),
    runs="figure.py",
)

step_rule(
    "players_page",
    "Write the page of the published players",
    made(
        step="studies.published_players.page:page",
        settings=PLAYERS_FILE,
        file=PLAYERS_FILE,
    ),
    input=dict(
        **{
            name: rules.players_join.output[name]
            for name in ("tables", "pairs", "measures", "cost", "density")
        },
        points=rules.players_points.output[0],
        point_fits=rules.players_point_fits.output[0],
        formulas=rules.players_formulas.output[0],
        belief_decisions=rules.players_belief_decisions.output[0],
        **dict(rules.players_belief_guesses.output.items()),
        **dict(rules.players_belief_errors.output.items()),
        resolution_coverage=rules.players_resolution_join.output.resolution_coverage,
        resolution_levels=rules.players_resolution_join.output.resolution_levels,
        resolution_guesses=rules.players_resolution_guesses.output[0],
        resolution_time=rules.players_resolution_cost.output.resolution_time,
        resolution_sizes=rules.players_resolution_cost.output.resolution_sizes,
        figures=expand(
            f"{PLAYERS_FIGURES}/{{drawing}}.png", drawing=PLAYERS_DRAWINGS + BELIEF_DRAWINGS
        ),
    ),
    output=dict(
        finding=f"{PLAYERS_DATA}/finding.md",
        page=result(f"{PLAYERS_DATA}/players.html", "players", table="Published players"),
    ),
    log=f"{PLAYERS_STUDY.name}/page",
    runs="page.py",
)


rule players:
    input:
        rules.players_page.output.page,
