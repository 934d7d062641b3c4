# How much of each critical density is the board's, how much the player's; target `perfect`.

from msdensity.studies.perfect.known import known_values

PERFECT_FILE = CONFIG.studies["perfect"]
PERFECT_STUDY = settings_of("perfect")
PERFECT_PARTS = PERFECT_STUDY.parts()
PERFECT_CLICKS = PERFECT_STUDY.click_parts()
PERFECT_LADDER = PERFECT_STUDY.ladder()
PERFECT_DATA = f"data/{PERFECT_STUDY.name}"
PERFECT_FIGURES = f"figures/{PERFECT_STUDY.name}"
PERFECT_SHIPPED = known_values()
PERFECT_KNOWN = PERFECT_STUDY.known_parts()
PERFECT_NAMES = ["curves", "gaps", "densities", "clicks", "ladder"]

step_rule(
    "perfect_optima",
    "Search perfect play on the boards of {wildcards.part}",
    played(
        step="studies.perfect.play:count_optima",
        seed=PERFECT_STUDY.seed,
        settings=PERFECT_FILE,
        depends=lambda wildcards: [
            [board.name for board in PERFECT_PARTS[wildcards.part]],
            [
                row.tolist()
                for row in PERFECT_SHIPPED.to_numpy()
                if row[0] in {board.name for board in PERFECT_PARTS[wildcards.part]}
            ],
            [PERFECT_STUDY.known.get(board, ()) for board in PERFECT_PARTS[wildcards.part]],
        ],
        part=lambda wildcards: wildcards.part,
    ),
    output=dict(optima=f"{PERFECT_DATA}/optima/{{part}}.csv"),
    log=f"{PERFECT_STUDY.name}/optima.{{part}}",
    wildcards=dict(part="|".join(PERFECT_PARTS)),
    resources=dict(mem_mb=2000, runtime=60),
    runs="games.py",
)

step_rule(
    "perfect_exact",
    "Count the wins of players on the boards of {wildcards.part}",
    played(
        step="studies.perfect.play:count_exact",
        seed=PERFECT_STUDY.seed,
        settings=PERFECT_FILE,
        depends=lambda wildcards: [
            (board.name, list(PERFECT_STUDY.counted()))
            for board in PERFECT_PARTS[wildcards.part]
        ],
        part=lambda wildcards: wildcards.part,
    ),
    output=dict(exact=f"{PERFECT_DATA}/exact/{{part}}.csv"),
    log=f"{PERFECT_STUDY.name}/exact.{{part}}",
    wildcards=dict(part="|".join(PERFECT_PARTS)),
    resources=dict(mem_mb=2000, runtime=60),
    runs="games.py",
)

step_rule(
    "perfect_clicks",
    "Search perfect play from every first click on the boards of {wildcards.part}",
    played(
        step="studies.perfect.play:search_clicks",
        seed=PERFECT_STUDY.seed,
        settings=PERFECT_FILE,
        depends=lambda wildcards: [
            [board.name, PERFECT_STUDY.known.get(board, ())]
            for board in PERFECT_CLICKS[wildcards.part]
        ],
        part=lambda wildcards: wildcards.part,
    ),
    output=dict(clicks=f"{PERFECT_DATA}/clicks/{{part}}.csv"),
    log=f"{PERFECT_STUDY.name}/clicks.{{part}}",
    wildcards=dict(part="|".join(PERFECT_CLICKS)),
    resources=dict(mem_mb=2000, runtime=60),
    runs="games.py",
)

step_rule(
    "perfect_ladder",
    "Count or play the other players on {wildcards.part}",
    played(
        step="studies.perfect.play:play_ladder",
        seed=PERFECT_STUDY.seed,
        settings=PERFECT_FILE,
        depends=lambda wildcards: [
            list(PERFECT_STUDY.others()),
            PERFECT_STUDY.exact_layouts,
            PERFECT_STUDY.games,
        ],
        part=lambda wildcards: wildcards.part,
    ),
    output=dict(
        rest=f"{PERFECT_DATA}/ladder/{{part}}.counted.csv",
        games=f"{PERFECT_DATA}/ladder/{{part}}.played.csv",
    ),
    log=f"{PERFECT_STUDY.name}/ladder.{{part}}",
    wildcards=dict(part="|".join(PERFECT_LADDER)),
    resources=dict(mem_mb=2000, runtime=60),
    runs="games.py",
)

step_rule(
    "perfect_join",
    "Join the win rates of all boards, and find their densities",
    made(step="studies.perfect.results:joined"),
    input=dict(
        optima=expand(rules.perfect_optima.output[0], part=PERFECT_PARTS),
        exact=expand(rules.perfect_exact.output[0], part=PERFECT_PARTS),
        rest=expand(rules.perfect_ladder.output.rest, part=PERFECT_LADDER),
        games=expand(rules.perfect_ladder.output.games, part=PERFECT_LADDER),
        clicks=expand(rules.perfect_clicks.output[0], part=PERFECT_CLICKS),
        printed=PUBLISHED_B2,
    ),
    output=dict(
        values=f"{PERFECT_DATA}/values.csv",
        games=f"{PERFECT_DATA}/games.csv",
        clicks=f"{PERFECT_DATA}/clicks.csv",
        densities=result(f"{PERFECT_DATA}/densities.csv", "perfect", table="Perfect play"),
        shares=f"{PERFECT_DATA}/shares.csv",
        against=f"{PERFECT_DATA}/against.csv",
        best=f"{PERFECT_DATA}/best.csv",
        ladder=f"{PERFECT_DATA}/ladder.csv",
        checks=f"{PERFECT_DATA}/checks.csv",
    ),
    log=f"{PERFECT_STUDY.name}/join",
    resources=dict(mem_mb=1000, runtime=20),
)

step_rule(
    "perfect_figures",
    "Draw perfect play beside the players",
    made(step="studies.perfect.figures:FIGURES"),
    input=dict(
        values=rules.perfect_join.output.values,
        clicks=rules.perfect_join.output.clicks,
        densities=rules.perfect_join.output.densities,
        against=rules.perfect_join.output.against,
        ladder=rules.perfect_join.output.ladder,
    ),
    output=dict(
        figures=expand(
            f"{PERFECT_FIGURES}/{{figure}}.{{ending}}",
            figure=PERFECT_NAMES,
            ending=["pdf", "png"],
        ),
    ),
    log=f"{PERFECT_STUDY.name}/figures",
    resources=dict(mem_mb=1000, runtime=10),
    runs="figure.py",
)

step_rule(
    "perfect_page",
    "Write the page of perfect play",
    made(
        step="studies.perfect.page:page",
        settings=PERFECT_FILE,
        file=PERFECT_FILE,
        depends=str(PERFECT_STUDY),
    ),
    input=dict(
        **{
            name: getattr(rules.perfect_join.output, name)
            for name in (
                *("values", "games", "densities", "shares", "against"),
                *("clicks", "best", "ladder", "checks"),
            )
        },
        figures=expand(f"{PERFECT_FIGURES}/{{figure}}.png", figure=PERFECT_NAMES),
    ),
    output=dict(
        finding=f"{PERFECT_DATA}/finding.md",
        page=report(
            f"{PERFECT_DATA}/perfect.html",
            caption="../report/perfect.rst",
            category="Perfect play",
            labels={"page": "What is the player's fault?"},
        ),
    ),
    log=f"{PERFECT_STUDY.name}/page",
    runs="page.py",
)


rule perfect:
    input:
        rules.perfect_page.output.page,


if PERFECT_STUDY.name == "perfect" and PERFECT_KNOWN:

    # Committed, for the package to ship; not part of any other target, because it takes long.
    step_rule(
        "perfect_known",
        "Search perfect play on {wildcards.part}, which takes long",
        played(
            step="studies.perfect.play:search_known",
            seed=PERFECT_STUDY.seed,
            settings=PERFECT_FILE,
            part=lambda wildcards: wildcards.part,
        ),
        output=dict(known=f"{PERFECT_DATA}/known/{{part}}.csv"),
        log=f"{PERFECT_STUDY.name}/known.{{part}}",
        wildcards=dict(part="|".join(map(re.escape, PERFECT_KNOWN))),
        resources=dict(mem_mb=4000, runtime=600),
        runs="games.py",
    )

    step_rule(
        "perfect_known_table",
        "Join the values of perfect play that take long",
        made(step="studies.perfect.results:known_table"),
        input=dict(known=expand(rules.perfect_known.output[0], part=PERFECT_KNOWN)),
        output=dict(known=f"{PERFECT_DATA}/known.csv"),
        log=f"{PERFECT_STUDY.name}/known_table",
    )

    step_rule(
        "known_values",
        "Copy the values of perfect play into the package, with where they come from",
        {},
        input=dict(known=rules.perfect_known_table.output[0]),
        output=dict(known="msdensity/studies/perfect/known.csv"),
        log=f"{PERFECT_STUDY.name}/known_values",
        runs="publish.py",
    )
