# From games won to critical densities, tables and figures of paper 001; and what the first click
# and exact inference are worth.

from msdensity.studies.paper.columns import FIRST_CLICK_COLUMNS
from msdensity.studies.paper.workloads import exact_boards

EXACT_BOARDS = [board.name for board in exact_boards(CONFIG)]
JOINED = dict(step="stats.rho50.reduced:checked_win_rates")
JOINED_FROM = dict(raw=rules.sweeps.input)
JOINED_TABLES = dict(win_rates=f"{DATA}/win_rates.csv")

if EXACT_BOARDS:

    # No rule that plays: it counts all layouts, so that no seed decides, and its code does.
    step_rule(
        "exact",
        f"Count the win rates of {len(EXACT_BOARDS)} small boards exactly",
        made(
            step="studies.paper.exact:count_exactly",
            boards=EXACT_BOARDS,
            players=[[name, dict(options)] for name, options in CONFIG.players],
            first_click=CONFIG.first_click,
            start=CONFIG.start,
        ),
        output=dict(exact=result(f"{DATA}/exact.csv", "exact", table="Exact win rates")),
        log=f"{CONFIG.name}/exact",
        resources=dict(mem_mb=1500, runtime=60),
    )

    JOINED = dict(step="stats.exact_rates:exact_win_rates")
    JOINED_FROM["exact"] = rules.exact.output[0]
    JOINED_TABLES["exact_test"] = result(
        f"{DATA}/exact_test.csv", "exact_test", table="Games beside exact win rates"
    )

step_rule(
    "win_rates",
    "Join the win rates of all boards and add the W-correction",
    made(**JOINED),
    input=JOINED_FROM,
    output=JOINED_TABLES,
    log=f"{CONFIG.name}/win_rates",
    resources=TABLE_JOB,
)

step_rule(
    "reduced",
    "Reduce the variance of the win rates and test the safeties",
    made(step="stats.rho50.reduced:reduced_tables"),
    input=dict(win_rates=rules.win_rates.output[0]),
    output=dict(
        reduced=result(f"{DATA}/reduced.csv", "reduced", table="Variance-reduced win rates"),
        safeties=f"{DATA}/safeties.csv",
    ),
    log=f"{CONFIG.name}/reduced",
    resources=TABLE_JOB,
)

step_rule(
    "pilots",
    "Play a pilot for W = 1/2 on every board",
    played(
        step="studies.paper.play:play_pilots",
        seed=CONFIG.seed,
        depends=[list(BOARDS), str(CONFIG.players), str(CONFIG.rules)],
    ),
    output=dict(pilots=f"{DATA}/pilots.csv"),
    log=f"{CONFIG.name}/pilots",
    resources=dict(mem_mb=700 + TABLES_MB, runtime=30 + TABLES_MINUTES),
    runs="games.py",
)

step_rule(
    "rho50",
    "Fit the density at which half the games are won on every board",
    made(step="studies.paper.rho50:rho50_table"),
    input=dict(
        win_rates=rules.win_rates.output[0],
        reduced=rules.reduced.output.reduced,
        pilots=rules.pilots.output[0],
    ),
    output=dict(rho50=result(f"{DATA}/rho50.csv", "rho50", table="Half of the games won")),
    log=f"{CONFIG.name}/rho50",
    resources=TABLE_JOB,
)

# The paper's model alone has a table without the columns that tell models apart.
MODELS = [] if CONFIG.models == ("logistic",) else list(CONFIG.models)
MODEL_FILES = dict(depends=models_hash(MODELS)) if MODELS else {}
FITS = dict(step="stats.logistic:fits_table")
FIT_TABLES = dict(fits=result(f"{DATA}/fits.csv", "fits", table="All fits"))
if MODELS:
    FITS = dict(step="stats.model_tables:model_tables", models=MODELS, **MODEL_FILES)
    FIT_TABLES["models"] = result(f"{DATA}/models.csv", "models", table="Models compared")

step_rule(
    "fits",
    "Fit the critical density of every board",
    made(replicates=CONFIG.bootstrap, **FITS),
    input=dict(win_rates=rules.win_rates.output[0]),
    output=FIT_TABLES,
    log=f"{CONFIG.name}/fits",
    resources=dict(mem_mb=500 + TABLES_MB, runtime=60 + TABLES_MINUTES),
)

step_rule(
    "extrapolation",
    "Extrapolate the critical density of square boards",
    made(step="stats.hyperbola:extrapolation_table"),
    input=dict(fits=rules.fits.output[0]),
    output=dict(
        extrapolation=result(
            f"{DATA}/extrapolation.csv", "extrapolation", table="Limit of square boards"
        ),
    ),
    log=f"{CONFIG.name}/extrapolation",
    resources=TABLE_JOB,
)

step_rule(
    "series",
    "Fit the series in 1/q to the critical density of 1 x q boards",
    made(step="stats.series:series_table"),
    input=dict(fits=rules.fits.output[0]),
    output=dict(series=result(f"{DATA}/series.csv", "series", table="Series of 1 x q boards")),
    log=f"{CONFIG.name}/series",
    resources=TABLE_JOB,
)

step_rule(
    "table_b1",
    "Write Table B.1: win rates",
    made(step="studies.paper.tables:table_b1"),
    input=dict(win_rates=rules.win_rates.output[0]),
    output=dict(table_b1=result(f"{DATA}/table_b1.csv", "table_b1", table="B.1 Win rates")),
    log=f"{CONFIG.name}/table_b1",
    resources=TABLE_JOB,
)

step_rule(
    "table_b2",
    "Write Table B.2: critical densities, ours beside the published ones",
    made(step="studies.paper.tables:table_b2"),
    input=dict(fits=rules.fits.output[0], published=PUBLISHED_B2),
    output=dict(
        table_b2=result(f"{DATA}/table_b2.csv", "table_b2", table="B.2 Critical densities")
    ),
    log=f"{CONFIG.name}/table_b2",
    resources=TABLE_JOB,
)

step_rule(
    "quoted",
    "Write the numbers to quote in a text",
    made(step="studies.paper.tables:quoted_numbers"),
    input=dict(
        win_rates=rules.win_rates.output[0],
        fits=rules.fits.output[0],
        extrapolation=rules.extrapolation.output[0],
        series=rules.series.output[0],
        published=PUBLISHED_B2,
    ),
    output=dict(quoted=f"{DATA}/quoted.json"),
    log=f"{CONFIG.name}/quoted",
    resources=TABLE_JOB,
)


rule tables:
    input:
        rules.table_b1.output,
        rules.table_b2.output,
        rules.series.output,
        rules.extrapolation.output,
        rules.quoted.output,
        rules.reduced.output,
        rules.rho50.output,


# Only where the configuration has such a study.
FIRST_CLICK = []
INFERENCE = []

if CONFIG.first_click_study:

    step_rule(
        "first_click_games",
        "Play from each kind of first cell and count first cells that show 0",
        played(
            step="studies.paper.play:play_first_click",
            seed=CONFIG.seed,
            depends=[
                CONFIG.first_click_study.games,
                str(CONFIG.first_click_study.mines),
                *FIRST_CLICK_COLUMNS,
            ],
            dealt=min(2000, CONFIG.first_click_study.games),
        ),
        output=dict(
            first_click=result(f"{DATA}/first_click.csv", "first_click", table="First click")
        ),
        log=f"{CONFIG.name}/first_click",
        threads=2,
        resources=dict(
            mem_mb=lambda wildcards, threads: max(
                jobs.memory_mb(board, threads, tasks=len(mines))
                for board, mines in CONFIG.first_click_study.mines
            ),
            runtime=jobs.longer(30, CONFIG.first_click_study.games, 20_000),
        ),
        runs="games.py",
    )

    FIRST_CLICK = [rules.first_click_games.output]

if CONFIG.inference_study:

    step_rule(
        "inference_games",
        "Count the certain cells that the text's inference misses",
        played(
            step="studies.paper.play:play_inference",
            seed=CONFIG.seed,
            depends=[CONFIG.inference_study.games, str(CONFIG.inference_study.mines)],
        ),
        output=dict(
            inference=result(f"{DATA}/inference.csv", "inference", table="Certain cells missed")
        ),
        log=f"{CONFIG.name}/inference",
        resources=dict(mem_mb=700, runtime=jobs.longer(60, CONFIG.inference_study.games, 100)),
        runs="games.py",
    )

    INFERENCE = [rules.inference_games.output]


# What the configured boards do not show is not drawn.
STRIPS = [board for board in CONFIG.boards if board.topology == "square8" and board.p == 1]
SQUARES = [board for board in CONFIG.boards if len(set(board.shape)) == 1 and board.shape[0] > 2]
DRAWN_FROM = dict(
    win_rates=rules.win_rates.output[0],
    fits=rules.fits.output[0],
    models=f"{DATA}/models.csv",
    extrapolation=rules.extrapolation.output[0],
    series=rules.series.output[0],
    published=PUBLISHED_B2,
    first_click=f"{DATA}/first_click.csv",
    inference=f"{DATA}/inference.csv",
)
PAPER_FIGURES = {
    "win_rates": (
        "win_rates",
        ("win_rates", "fits", *(["models"] if MODELS else [])),
        "Win rates of all boards",
        "Draw the win rate against the mine density, one panel for each board",
    ),
    "figure_3_1": (
        "board",
        (),
        "3.1, 3.2 Inference",
        "Draw the position of Figure 3.1 and what the text's inference finds",
    ),
    "figure_4_1": (
        "board",
        (),
        "4.1, 4.2 Safety",
        "Draw a position like that of Figure 4.1 with its safeties",
    ),
    "figure_9_1": ("map", ("fits",), "9.1 All boards", "Draw the critical density of every board"),
    "figure_9_2": (
        "aspect",
        ("fits",),
        "9.2 Aspect ratio",
        "Draw the critical density against the aspect ratio",
    ),
    "figure_9_3": (
        "strips",
        ("fits", "published") if STRIPS else None,
        "9.3 Boards 1 x q",
        "Draw the critical density of 1 x q boards and its series",
    ),
    "figure_9_4": (
        "strips",
        ("series",) if len(STRIPS) > 2 else None,
        "9.4 Limit of 1 x q",
        "Draw the limit of 1 x q boards by the number of terms",
    ),
    "figure_9_5": (
        "win_rates",
        ("win_rates", "fits") if "2x10" in BOARDS else None,
        "9.5 Board 2 x 10",
        "Draw the win rate of the board 2 x 10 with its fit",
    ),
    "figure_9_6": (
        "squares",
        ("fits", "extrapolation", "published") if SQUARES else None,
        "9.6 Square boards",
        "Draw the critical density of square boards and its extrapolation",
    ),
    "first_click": (
        "first_click",
        ("first_click",) if FIRST_CLICK else None,
        "First click (section 5)",
        "Draw the win rate by first cell",
    ),
    "inference": (
        "inference",
        ("inference",) if INFERENCE else None,
        "Certain cells missed (section 3)",
        "Draw the certain cells that the text's inference misses",
    ),
}
"""Figure -> module of its function, tables that it is drawn from (None: not drawn), label, message."""

for figure, (module, tables, label, message) in PAPER_FIGURES.items():
    if tables is None:
        continue

    step_rule(
        figure if figure.startswith("figure_") else f"figure_{figure}",
        message,
        made(
            step=f"studies.paper.figures.{module}:FIGURES",
            **(MODEL_FILES if module == "win_rates" else {}),
        ),
        input={name: DRAWN_FROM[name] for name in tables},
        output=both(
            f"{FIGURES}/{figure}",
            caption=f"../report/{figure}.rst",
            category="Figures",
            labels={"figure": label},
        ),
        log=f"{CONFIG.name}/figure_{figure}",
        resources=FIGURE_JOB,
        runs="figure.py",
    )


def drawn(*figures):
    """The files of those figures that are drawn."""
    return [
        f"{FIGURES}/{figure}.{ending}"
        for figure in figures
        if PAPER_FIGURES[figure][1] is not None
        for ending in ("pdf", "png")
    ]


rule figures:
    input:
        drawn("win_rates", "figure_3_1", "figure_4_1", *(f"figure_9_{i}" for i in range(1, 7))),


rule first_click:
    input:
        FIRST_CLICK,
        drawn("first_click"),


rule inference:
    input:
        INFERENCE,
        drawn("inference"),


if CONFIG.name == "paper":

    # Committed, for README.md to show; not part of the default run.
    step_rule(
        "readme",
        "Copy the figures of README.md, with where they come from",
        {},
        input=dict(figures=[f"{FIGURES}/figure_9_{i}.png" for i in (1, 6)]),
        output=dict(figures=[f"figures/readme/figure_9_{i}.png" for i in (1, 6)]),
        log=f"{CONFIG.name}/readme",
        runs="publish.py",
    )
