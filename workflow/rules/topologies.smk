# Whether winning has a critical density on any lattice; target `topologies`.

TOPOLOGIES_FILE = CONFIG.studies["topologies"]
TOPOLOGIES_STUDY = settings_of("topologies")
TOPOLOGIES_PARTS = TOPOLOGIES_STUDY.parts()
TOPOLOGIES_DATA = f"data/{TOPOLOGIES_STUDY.name}"
TOPOLOGIES_FIGURES = f"figures/{TOPOLOGIES_STUDY.name}"
TOPOLOGIES_NAMES = ["rho50", "exponents", "law", "cubic"]

step_rule(
    "topologies_rho50_games",
    "Play {wildcards.part} around W = 1/2",
    played(
        step="studies.topologies.play:play_halves",
        seed=TOPOLOGIES_STUDY.seed,
        settings=TOPOLOGIES_FILE,
        depends=lambda wildcards: [
            (setup.board.name, TOPOLOGIES_STUDY.error_of(setup))
            for setup in TOPOLOGIES_PARTS[wildcards.part]
        ],
        ledgers=f"{TOPOLOGIES_DATA}/ledger/rho50",
    ),
    output=dict(games=f"{TOPOLOGIES_DATA}/games/{{part}}.csv"),
    log=f"{TOPOLOGIES_STUDY.name}/games.{{part}}",
    wildcards=dict(part="|".join(map(re.escape, TOPOLOGIES_PARTS))),
    resources=dict(
        mem_mb=lambda wildcards, threads: max(
            jobs.memory_mb(setup.board, threads, tasks=1000)
            for setup in TOPOLOGIES_PARTS[wildcards.part]
        ),
        runtime=120,
    ),
    runs="games.py",
)

step_rule(
    "topologies_law_games",
    "Play {wildcards.topology} where few games are lost",
    played(
        step="studies.topologies.play:play_law",
        seed=TOPOLOGIES_STUDY.seed,
        settings=TOPOLOGIES_FILE,
        depends=lambda wildcards: [
            (board.name, [task.mines for task in tasks], games)
            for board, (tasks, games) in TOPOLOGIES_STUDY.law_tasks(wildcards.topology).items()
        ],
        ledgers=f"{TOPOLOGIES_DATA}/ledger/law",
    ),
    output=dict(law_games=f"{TOPOLOGIES_DATA}/law_games/{{topology}}.csv"),
    log=f"{TOPOLOGIES_STUDY.name}/law_games.{{topology}}",
    wildcards=dict(topology="|".join(TOPOLOGIES_STUDY.law)),
    resources=dict(
        mem_mb=lambda wildcards, threads: max(
            jobs.memory_mb(board, threads, tasks=100)
            for board in TOPOLOGIES_STUDY.law_tasks(wildcards.topology)
        ),
        runtime=120,
    ),
    runs="games.py",
)

step_rule(
    "topologies_halves",
    "Find where half of the games are won",
    made(
        step="studies.topologies.halves:half_tables",
        settings=TOPOLOGIES_FILE,
        depends=TOPOLOGIES_STUDY.fits_from,
    ),
    input=dict(games=expand(rules.topologies_rho50_games.output[0], part=TOPOLOGIES_PARTS)),
    output=dict(
        halves=result(
            f"{TOPOLOGIES_DATA}/halves.csv", "topologies", table="Half the games on every lattice"
        ),
        exponents=f"{TOPOLOGIES_DATA}/exponents.csv",
        limits=f"{TOPOLOGIES_DATA}/limits.csv",
    ),
    log=f"{TOPOLOGIES_STUDY.name}/halves",
    resources=dict(mem_mb=1000, runtime=10),
)

step_rule(
    "topologies_law",
    "Compare games at low density with the law",
    made(step="studies.topologies.law:law_tables"),
    input=dict(
        law_games=expand(rules.topologies_law_games.output[0], topology=TOPOLOGIES_STUDY.law)
    ),
    output={
        name: f"{TOPOLOGIES_DATA}/{name}.csv" for name in ("points", "tests", "rises")
    },
    log=f"{TOPOLOGIES_STUDY.name}/law",
    resources=dict(mem_mb=1000, runtime=10),
)

step_rule(
    "topologies_figures",
    "Draw where half of the games are won, and the law",
    made(step="studies.topologies.figures:FIGURES"),
    input=dict(
        halves=rules.topologies_halves.output.halves,
        exponents=rules.topologies_halves.output.exponents,
        points=rules.topologies_law.output.points,
    ),
    output=dict(
        figures=expand(
            f"{TOPOLOGIES_FIGURES}/{{figure}}.{{ending}}",
            figure=TOPOLOGIES_NAMES,
            ending=["pdf", "png"],
        ),
    ),
    log=f"{TOPOLOGIES_STUDY.name}/figures",
    resources=dict(mem_mb=1000, runtime=10),
    runs="figure.py",
)

step_rule(
    "topologies_page",
    "Write the page of topologies",
    made(
        step="studies.topologies.page:page",
        settings=TOPOLOGIES_FILE,
        file=TOPOLOGIES_FILE,
        depends=str(TOPOLOGIES_STUDY),
    ),
    input=dict(
        halves=rules.topologies_halves.output.halves,
        exponents=rules.topologies_halves.output.exponents,
        limits=rules.topologies_halves.output.limits,
        points=rules.topologies_law.output.points,
        tests=rules.topologies_law.output.tests,
        rises=rules.topologies_law.output.rises,
        figures=expand(f"{TOPOLOGIES_FIGURES}/{{figure}}.png", figure=TOPOLOGIES_NAMES),
    ),
    output=dict(
        finding=f"{TOPOLOGIES_DATA}/finding.md",
        page=report(
            f"{TOPOLOGIES_DATA}/topologies.html",
            caption="../report/topologies.rst",
            category="Topologies",
            labels={"page": "Does winning have a critical density on any lattice?"},
        ),
    ),
    log=f"{TOPOLOGIES_STUDY.name}/page",
    runs="page.py",
)


rule topologies:
    input:
        rules.topologies_page.output.page,
