# Every cell as the first click, and layouts played again; target `clicks`.

CLICKS_FILE = CONFIG.studies["clicks"]
CLICKS_STUDY = settings_of("clicks")
CLICKS_PARTS = CLICKS_STUDY.parts()
CLICKS_DATA = f"data/{CLICKS_STUDY.name}"
CLICKS_FIGURES = f"figures/{CLICKS_STUDY.name}"
CLICKS_NAMES = ["safe", "zero", "luck"]

step_rule(
    "clicks_maps",
    "Play every first click of {wildcards.part}",
    played(
        step="studies.clicks.play:play_map",
        seed=CLICKS_STUDY.seed,
        settings=CLICKS_FILE,
        depends=CLICKS_STUDY.maps.games,
    ),
    output=dict(outcomes=f"{CLICKS_DATA}/outcomes/{{part}}.csv"),
    log=f"{CLICKS_STUDY.name}/maps.{{part}}",
    wildcards=dict(part="|".join(map(re.escape, CLICKS_PARTS))),
    resources=dict(mem_mb=1000, runtime=jobs.longer(30, CLICKS_STUDY.maps.games, 10_000)),
    runs="games.py",
)

step_rule(
    "clicks_slopes",
    "Play the corner with fewer and with more mines",
    played(
        step="studies.clicks.play:play_slopes",
        seed=CLICKS_STUDY.seed,
        settings=CLICKS_FILE,
        depends=[CLICKS_STUDY.slope_games, *CLICKS_PARTS],
        ledgers=f"{CLICKS_DATA}/ledger",
    ),
    output=dict(slopes=f"{CLICKS_DATA}/slopes.csv"),
    log=f"{CLICKS_STUDY.name}/slopes",
    resources=dict(mem_mb=1000, runtime=jobs.longer(30, CLICKS_STUDY.slope_games, 100_000)),
    runs="games.py",
)

step_rule(
    "clicks_replays",
    "Play the same layouts several times",
    played(
        step="studies.clicks.play:play_replays",
        seed=CLICKS_STUDY.seed,
        settings=CLICKS_FILE,
        depends=[str(CLICKS_STUDY.layouts), CLICKS_STUDY.replays],
    ),
    output=dict(replays=f"{CLICKS_DATA}/replays.csv"),
    log=f"{CLICKS_STUDY.name}/replays",
    resources=dict(mem_mb=1000, runtime=jobs.longer(30, CLICKS_STUDY.layouts.games, 40_000)),
    runs="games.py",
)

step_rule(
    "clicks_tables",
    "Compare every first click with the corner",
    made(step="studies.clicks.results:click_tables"),
    input=dict(
        outcomes=expand(rules.clicks_maps.output[0], part=CLICKS_PARTS),
        slopes=rules.clicks_slopes.output[0],
    ),
    output={name: f"{CLICKS_DATA}/{name}.csv" for name in ("cells", "orbits", "maps")},
    log=f"{CLICKS_STUDY.name}/tables",
    resources=dict(mem_mb=2000, runtime=10),
)

step_rule(
    "clicks_luck",
    "Divide the variance of a win between layouts and choices",
    made(step="studies.clicks.results:luck_table"),
    input=dict(replays=rules.clicks_replays.output[0]),
    output=dict(luck=f"{CLICKS_DATA}/luck.csv"),
    log=f"{CLICKS_STUDY.name}/luck",
)

step_rule(
    "clicks_figures",
    "Draw the maps of the first click",
    made(step="studies.clicks.figures:FIGURES"),
    input=dict(
        cells=rules.clicks_tables.output.cells,
        orbits=rules.clicks_tables.output.orbits,
        replays=rules.clicks_replays.output[0],
        luck=rules.clicks_luck.output[0],
    ),
    output=dict(
        figures=expand(
            f"{CLICKS_FIGURES}/{{figure}}.{{ending}}", figure=CLICKS_NAMES, ending=["pdf", "png"]
        ),
    ),
    log=f"{CLICKS_STUDY.name}/figures",
    resources=dict(mem_mb=1000, runtime=10),
    runs="figure.py",
)

step_rule(
    "clicks_page",
    "Write the page of first clicks",
    made(
        step="studies.clicks.page:page",
        settings=CLICKS_FILE,
        file=CLICKS_FILE,
        depends=str(CLICKS_STUDY),
    ),
    input=dict(
        orbits=rules.clicks_tables.output.orbits,
        maps=rules.clicks_tables.output.maps,
        luck=rules.clicks_luck.output[0],
        figures=expand(f"{CLICKS_FIGURES}/{{figure}}.png", figure=CLICKS_NAMES),
    ),
    output=dict(
        finding=f"{CLICKS_DATA}/finding.md",
        page=report(
            f"{CLICKS_DATA}/clicks.html",
            caption="../report/clicks.rst",
            category="First clicks",
            labels={"page": "Where to click first"},
        ),
    ),
    log=f"{CLICKS_STUDY.name}/page",
    runs="page.py",
)


rule clicks:
    input:
        rules.clicks_page.output.page,
