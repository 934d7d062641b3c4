# What games take, and with how many mines a share of them is won; target `difficulty`.

DIFFICULTY_FILE = CONFIG.studies["difficulty"]
DIFFICULTY_STUDY = settings_of("difficulty")
DIFFICULTY_BOARDS = DIFFICULTY_STUDY.boards()
DIFFICULTY_SPOTS = DIFFICULTY_STUDY.boards_of_spots()
DIFFICULTY_DATA = f"data/{DIFFICULTY_STUDY.name}"
DIFFICULTY_FIGURES = f"figures/{DIFFICULTY_STUDY.name}"
DIFFICULTY_NAMES = ["classes", "spots"]

step_rule(
    "difficulty_classes",
    "Count the games of {wildcards.part} by what they take",
    played(
        step="studies.difficulty.play:play_classes",
        seed=DIFFICULTY_STUDY.seed,
        settings=DIFFICULTY_FILE,
        depends=lambda wildcards: [
            DIFFICULTY_STUDY.starts,
            *(
                DIFFICULTY_STUDY.mines(DIFFICULTY_BOARDS[wildcards.part], rules)
                for rules in DIFFICULTY_STUDY.start_rules()
            ),
        ],
        part=lambda wildcards: wildcards.part,
    ),
    output=dict(classes=f"{DIFFICULTY_DATA}/classes/{{part}}.csv"),
    log=f"{DIFFICULTY_STUDY.name}/classes.{{part}}",
    wildcards=dict(part="|".join(map(re.escape, DIFFICULTY_BOARDS))),
    resources=dict(mem_mb=1000, runtime=60),
    runs="games.py",
)

step_rule(
    "difficulty_spots",
    "Find the sweet spots of {wildcards.part}",
    played(
        step="studies.difficulty.play:play_spots",
        seed=DIFFICULTY_STUDY.seed,
        settings=DIFFICULTY_FILE,
        depends=[
            DIFFICULTY_STUDY.starts,
            DIFFICULTY_STUDY.win_rates,
            DIFFICULTY_STUDY.rules,
            DIFFICULTY_STUDY.players,
            DIFFICULTY_STUDY.error,
        ],
        part=lambda wildcards: wildcards.part,
    ),
    output=dict(spots=f"{DIFFICULTY_DATA}/spots/{{part}}.csv"),
    log=f"{DIFFICULTY_STUDY.name}/spots.{{part}}",
    wildcards=dict(part="|".join(map(re.escape, DIFFICULTY_SPOTS))),
    resources=dict(mem_mb=1000, runtime=60),
    runs="games.py",
)

step_rule(
    "difficulty_join",
    "Join the counts and sweet spots of all boards",
    made(step="studies.difficulty.results:joined"),
    input=dict(
        classes=expand(rules.difficulty_classes.output[0], part=DIFFICULTY_BOARDS),
        spots=expand(rules.difficulty_spots.output[0], part=DIFFICULTY_SPOTS),
    ),
    output=dict(
        classes=f"{DIFFICULTY_DATA}/classes.csv",
        shares=f"{DIFFICULTY_DATA}/shares.csv",
        spots=result(f"{DIFFICULTY_DATA}/spots.csv", "difficulty", table="Sweet spots"),
    ),
    log=f"{DIFFICULTY_STUDY.name}/join",
)

step_rule(
    "difficulty_figures",
    "Draw what games take, and the sweet spots",
    made(step="studies.difficulty.figures:FIGURES"),
    input=dict(
        classes=rules.difficulty_join.output.classes,
        spots=rules.difficulty_join.output.spots,
    ),
    output=dict(
        figures=expand(
            f"{DIFFICULTY_FIGURES}/{{figure}}.{{ending}}",
            figure=DIFFICULTY_NAMES,
            ending=["pdf", "png"],
        ),
    ),
    log=f"{DIFFICULTY_STUDY.name}/figures",
    resources=dict(mem_mb=1000, runtime=10),
    runs="figure.py",
)

step_rule(
    "difficulty_page",
    "Write the page of difficulty",
    made(
        step="studies.difficulty.page:page",
        settings=DIFFICULTY_FILE,
        file=DIFFICULTY_FILE,
        depends=str(DIFFICULTY_STUDY),
    ),
    input=dict(
        classes=rules.difficulty_join.output.classes,
        shares=rules.difficulty_join.output.shares,
        spots=rules.difficulty_join.output.spots,
        figures=expand(f"{DIFFICULTY_FIGURES}/{{figure}}.png", figure=DIFFICULTY_NAMES),
    ),
    output=dict(
        finding=f"{DIFFICULTY_DATA}/finding.md",
        page=report(
            f"{DIFFICULTY_DATA}/difficulty.html",
            caption="../report/difficulty.rst",
            category="Difficulty",
            labels={"page": "How hard is a board?"},
        ),
    ),
    log=f"{DIFFICULTY_STUDY.name}/page",
    runs="page.py",
)


rule difficulty:
    input:
        rules.difficulty_page.output.page,
