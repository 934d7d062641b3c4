# The smallest sets of mines that force a guess, and what they cost; target `patterns`.

from msdensity.runs.records import sha256
from msdensity.studies.patterns.lines import SHIPPED

PATTERNS_FILE = CONFIG.studies["patterns"]
PATTERNS_STUDY = settings_of("patterns")
PATTERNS_PARTS = PATTERNS_STUDY.parts()
PATTERNS_DATA = f"data/{PATTERNS_STUDY.name}"
PATTERNS_FIGURES = f"figures/{PATTERNS_STUDY.name}"
PATTERNS_DRAWINGS = ["patterns", "lines", "player_slopes", "lattices"]

step_rule(
    "patterns_orders",
    "Count sets of mines: {wildcards.part}",
    made(
        step="studies.patterns.results:orders_table",
        settings=PATTERNS_FILE,
        depends=lambda wildcards: [KERNEL_VERSION, PATTERNS_PARTS[wildcards.part]],
    ),
    output=dict(orders=f"{PATTERNS_DATA}/orders/{{part}}.csv"),
    log=f"{PATTERNS_STUDY.name}/orders.{{part}}",
    wildcards=dict(part="|".join(PATTERNS_PARTS)),
    resources=dict(mem_mb=2000, runtime=60),
)

step_rule(
    "patterns_smallest",
    "Find the smallest sets of mines that force a guess",
    made(step="studies.patterns.results:patterns_table"),
    output=dict(patterns=f"{PATTERNS_DATA}/patterns.csv"),
    log=f"{PATTERNS_STUDY.name}/patterns",
)

step_rule(
    "patterns_join",
    "Join the counts of all boards",
    made(step="studies.patterns.results:joined_orders"),
    input=dict(orders=expand(rules.patterns_orders.output[0], part=PATTERNS_PARTS)),
    output=dict(orders=f"{PATTERNS_DATA}/orders.csv"),
    log=f"{PATTERNS_STUDY.name}/join",
)

step_rule(
    "patterns_coefficients",
    "Find the law's coefficients in the counts",
    made(step="studies.patterns.results:coefficients_table"),
    input=dict(orders=rules.patterns_join.output[0]),
    output=dict(
        coefficients=result(
            f"{PATTERNS_DATA}/coefficients.csv", "patterns", table="Coefficients of the law"
        )
    ),
    log=f"{PATTERNS_STUDY.name}/coefficients",
)

step_rule(
    "patterns_player_orders",
    "Find the lowest orders of {wildcards.player}",
    made(
        step="studies.patterns.players:player_orders_table",
        settings=PATTERNS_FILE,
        depends=[KERNEL_VERSION, PATTERNS_STUDY.players_most, PATTERNS_STUDY.repeats],
    ),
    output=dict(player_orders=f"{PATTERNS_DATA}/player_orders/{{player}}.csv"),
    log=f"{PATTERNS_STUDY.name}/player_orders.{{player}}",
    wildcards=dict(player="|".join(map(re.escape, PATTERNS_STUDY.players))),
    resources=dict(mem_mb=1000, runtime=60),
)

step_rule(
    "patterns_join_players",
    "Join the lowest orders of all players",
    made(step="studies.patterns.players:joined_player_orders"),
    input=dict(
        player_orders=expand(rules.patterns_player_orders.output[0], player=PATTERNS_STUDY.players)
    ),
    output=dict(
        player_orders=result(
            f"{PATTERNS_DATA}/players_orders.csv", "patterns", table="Orders of other players"
        )
    ),
    log=f"{PATTERNS_STUDY.name}/join_players",
)

step_rule(
    "patterns_slopes_games",
    "Play the players at low densities",
    played(
        step="studies.patterns.play:play_slopes",
        seed=PATTERNS_STUDY.seed,
        settings=PATTERNS_FILE,
        depends=[
            *(board.name for board in PATTERNS_STUDY.slope_boards),
            PATTERNS_STUDY.slope_densities,
            sorted(PATTERNS_STUDY.slope_games.items()),
        ],
        ledgers=f"{PATTERNS_DATA}/ledger",
    ),
    output=dict(games=f"{PATTERNS_DATA}/slopes_games.csv"),
    log=f"{PATTERNS_STUDY.name}/slopes_games",
    threads=2,
    resources=dict(mem_mb=1000, runtime=60),
    runs="games.py",
)

step_rule(
    "patterns_lines_games",
    "Play boards with lines across and without",
    played(
        step="studies.patterns.play:play_lines",
        seed=PATTERNS_STUDY.seed,
        settings=PATTERNS_FILE,
        depends=[
            *((board.name, mines) for board, mines in PATTERNS_STUDY.line_boards),
            PATTERNS_STUDY.line_games,
        ],
        ledgers=f"{PATTERNS_DATA}/ledger",
    ),
    output=dict(line_games=f"{PATTERNS_DATA}/lines_games.csv"),
    log=f"{PATTERNS_STUDY.name}/lines_games",
    threads=2,
    resources=dict(mem_mb=1000, runtime=60),
    runs="games.py",
)

step_rule(
    "patterns_slopes",
    "Find how steeply each player's losses grow",
    made(step="studies.patterns.players:player_slopes_table"),
    input=dict(games=rules.patterns_slopes_games.output[0]),
    output=dict(players_slopes=f"{PATTERNS_DATA}/players_slopes.csv"),
    log=f"{PATTERNS_STUDY.name}/slopes",
)

step_rule(
    "patterns_lines",
    "Compare boards with lines with the law",
    made(step="studies.patterns.lines:lines_table"),
    input=dict(line_games=rules.patterns_lines_games.output[0]),
    output=dict(lines=f"{PATTERNS_DATA}/lines.csv"),
    log=f"{PATTERNS_STUDY.name}/lines",
)

step_rule(
    "patterns_line_patterns",
    "Write the layouts of lines",
    made(step="studies.patterns.lines:line_patterns"),
    output=dict(line_patterns=f"{PATTERNS_DATA}/line_patterns.csv"),
    log=f"{PATTERNS_STUDY.name}/line_patterns",
)

step_rule(
    "patterns_dips",
    "Compare densities of boards with lines with those of their neighbours",
    made(step="studies.patterns.lines:shipped_dip_table", depends=sha256(SHIPPED)),
    input=dict(printed=PUBLISHED_B2),
    output=dict(
        dips=result(f"{PATTERNS_DATA}/dips.csv", "patterns", table="Boards with lines across")
    ),
    log=f"{PATTERNS_STUDY.name}/dips",
)

step_rule(
    "patterns_lattices",
    "Find the smallest patterns of {wildcards.topology}",
    made(
        step="studies.patterns.lattices:lattice_table",
        settings=PATTERNS_FILE,
        depends=lambda wildcards: [KERNEL_VERSION, PATTERNS_STUDY.lattices[wildcards.topology]],
    ),
    output=dict(lattices=f"{PATTERNS_DATA}/lattices/{{topology}}.csv"),
    log=f"{PATTERNS_STUDY.name}/lattices.{{topology}}",
    wildcards=dict(topology="|".join(PATTERNS_STUDY.lattices)),
    resources=dict(mem_mb=2000, runtime=60),
)

step_rule(
    "patterns_join_lattices",
    "Join the smallest patterns of all lattices",
    made(step="studies.patterns.lattices:joined_lattices"),
    input=dict(
        lattices=expand(rules.patterns_lattices.output[0], topology=PATTERNS_STUDY.lattices)
    ),
    output=dict(
        lattices=result(
            f"{PATTERNS_DATA}/lattices.csv", "patterns", table="Coefficients on every lattice"
        )
    ),
    log=f"{PATTERNS_STUDY.name}/join_lattices",
)

step_rule(
    "patterns_lattice_patterns",
    "Find a pattern of each kind on every lattice",
    made(
        step="studies.patterns.lattices:lattice_patterns",
        settings=PATTERNS_FILE,
        depends=list(PATTERNS_STUDY.lattices),
    ),
    output=dict(lattice_patterns=f"{PATTERNS_DATA}/lattice_patterns.csv"),
    log=f"{PATTERNS_STUDY.name}/lattice_patterns",
)

step_rule(
    "patterns_figures",
    "Draw the smallest sets of mines that force a guess",
    made(step="studies.patterns.figures:FIGURES"),
    input=dict(
        patterns=rules.patterns_smallest.output[0],
        line_patterns=rules.patterns_line_patterns.output[0],
        dips=rules.patterns_dips.output[0],
        players_slopes=rules.patterns_slopes.output[0],
        lattice_patterns=rules.patterns_lattice_patterns.output[0],
    ),
    output=dict(
        figures=expand(
            f"{PATTERNS_FIGURES}/{{name}}.{{ending}}", name=PATTERNS_DRAWINGS, ending=["pdf", "png"]
        ),
    ),
    log=f"{PATTERNS_STUDY.name}/figures",
    resources=dict(mem_mb=1000, runtime=10),
    runs="figure.py",
)

step_rule(
    "patterns_page",
    "Write the page of forced guesses",
    made(
        step="studies.patterns.page:page",
        settings=PATTERNS_FILE,
        file=PATTERNS_FILE,
        depends=str(PATTERNS_STUDY),
    ),
    input=dict(
        orders=rules.patterns_join.output[0],
        coefficients=rules.patterns_coefficients.output[0],
        patterns=rules.patterns_smallest.output[0],
        player_orders=rules.patterns_join_players.output[0],
        players_slopes=rules.patterns_slopes.output[0],
        lines=rules.patterns_lines.output[0],
        dips=rules.patterns_dips.output[0],
        lattices=rules.patterns_join_lattices.output[0],
        figures=[f"{PATTERNS_FIGURES}/{name}.png" for name in PATTERNS_DRAWINGS],
    ),
    output=dict(
        finding=f"{PATTERNS_DATA}/finding.md",
        page=report(
            f"{PATTERNS_DATA}/patterns.html",
            caption="../report/patterns.rst",
            category="Forced guesses",
            labels={"page": "Which mines force a guess"},
        ),
    ),
    log=f"{PATTERNS_STUDY.name}/page",
    runs="page.py",
)


rule patterns:
    input:
        rules.patterns_page.output.page,
