# Half the games won, half won without a guess, and P, side by side for many boards; target `densities`.

DENSITIES_FILE = CONFIG.studies["densities"]
DENSITIES_STUDY = settings_of("densities")
DENSITIES_PARTS = DENSITIES_STUDY.parts()
DENSITIES_DATA = f"data/{DENSITIES_STUDY.name}"
DENSITIES_FIGURES = f"figures/{DENSITIES_STUDY.name}"

step_rule(
    "densities_games",
    "Play {wildcards.part} for its densities",
    played(
        step="studies.densities.play:play_boards",
        seed=DENSITIES_STUDY.seed,
        settings=DENSITIES_FILE,
        depends=lambda wildcards: [
            *(board.name for board in DENSITIES_PARTS[wildcards.part]),
            DENSITIES_STUDY.error,
            DENSITIES_STUDY.most_games,
            DENSITIES_STUDY.steps,
        ],
        ledgers=f"{DENSITIES_DATA}/ledger",
    ),
    output=dict(games=f"{DENSITIES_DATA}/games/{{part}}.csv"),
    log=f"{DENSITIES_STUDY.name}/games.{{part}}",
    wildcards=dict(part="|".join(DENSITIES_PARTS)),
    resources=dict(
        mem_mb=lambda wildcards, threads: max(
            jobs.memory_mb(board, threads, tasks=1000)
            for board in DENSITIES_PARTS[wildcards.part]
        ),
        runtime=jobs.longer(60, 1 / DENSITIES_STUDY.error**2, 1 / 3e-4**2),
    ),
    runs="games.py",
)

step_rule(
    "densities_table",
    "Make the table of densities",
    made(
        step="studies.densities.results:density_table",
        replicates=DENSITIES_STUDY.replicates,
    ),
    input=dict(games=expand(rules.densities_games.output[0], part=DENSITIES_PARTS)),
    output=dict(densities=result(f"{DENSITIES_DATA}/densities.csv", "densities", table="Densities")),
    log=f"{DENSITIES_STUDY.name}/table",
    resources=dict(mem_mb=1000, runtime=30),
)

step_rule(
    "densities_figures",
    "Draw the densities of square boards",
    made(step="studies.densities.figures:FIGURES"),
    input=dict(densities=rules.densities_table.output[0]),
    output=dict(
        figures=expand(f"{DENSITIES_FIGURES}/squares.{{ending}}", ending=["pdf", "png"]),
    ),
    log=f"{DENSITIES_STUDY.name}/figures",
    resources=dict(mem_mb=1000, runtime=10),
    runs="figure.py",
)

step_rule(
    "densities_page",
    "Write the page of densities",
    made(
        step="studies.densities.page:page",
        settings=DENSITIES_FILE,
        file=DENSITIES_FILE,
        depends=str(DENSITIES_STUDY),
    ),
    input=dict(
        densities=rules.densities_table.output[0],
        figures=[f"{DENSITIES_FIGURES}/squares.png"],
    ),
    output=dict(
        finding=f"{DENSITIES_DATA}/finding.md",
        page=report(
            f"{DENSITIES_DATA}/densities.html",
            caption="../report/densities.rst",
            category="Densities",
            labels={"page": "Three densities of many boards"},
        ),
    ),
    log=f"{DENSITIES_STUDY.name}/page",
    runs="page.py",
)


rule densities:
    input:
        rules.densities_page.output.page,


if DENSITIES_STUDY.name == "densities":

    # Committed, for the package to ship; not part of any other target.
    step_rule(
        "shipped",
        "Copy the table of densities into the package, with where it comes from",
        {},
        input=dict(densities=rules.densities_table.output[0]),
        output=dict(densities="msdensity/studies/densities/densities.csv"),
        log=f"{DENSITIES_STUDY.name}/shipped",
        runs="publish.py",
    )
