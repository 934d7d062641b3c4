# How far a board opens without a guess, by each set of rules; target `percolation`.

PERCOLATION_FILE = CONFIG.studies["percolation"]
PERCOLATION_STUDY = settings_of("percolation")
PERCOLATION_FRONTS = PERCOLATION_STUDY.front_parts()
PERCOLATION_GAMES = PERCOLATION_STUDY.game_parts()
PERCOLATION_DATA = f"data/{PERCOLATION_STUDY.name}"
PERCOLATION_FIGURES = f"figures/{PERCOLATION_STUDY.name}"
PERCOLATION_NAMES = ["games", "rules", "fronts", "collapse", "topologies"]


def percolation_front(wildcards):
    """What decides the fronts of a part."""
    parts = PERCOLATION_FRONTS[wildcards.front]
    own = PERCOLATION_STUDY.fronts[parts[0].topology]
    return [
        (part, own.boards(part.rules)[part.side], own.mines(part.rules, part.side))
        for part in parts
    ]


def percolation_game(wildcards):
    """What decides the games of a part."""
    own = PERCOLATION_STUDY.games
    parts = PERCOLATION_GAMES[wildcards.game]
    return [(part, own.games[part.side], own.mines(part.side)) for part in parts]


step_rule(
    "percolation_fronts",
    "Play fronts: {wildcards.front}",
    played(
        step="studies.percolation.play:play_front",
        seed=PERCOLATION_STUDY.seed,
        settings=PERCOLATION_FILE,
        depends=percolation_front,
        part=lambda wildcards: wildcards.front,
    ),
    output=dict(fronts=f"{PERCOLATION_DATA}/fronts/{{front}}.csv"),
    log=f"{PERCOLATION_STUDY.name}/fronts.{{front}}",
    wildcards=dict(front="|".join(map(re.escape, PERCOLATION_FRONTS))),
    resources=dict(mem_mb=2000, runtime=120),
    runs="games.py",
)

step_rule(
    "percolation_zeros",
    "Add mines until the 0s no longer cross",
    played(
        step="studies.percolation.play:play_zeros",
        seed=PERCOLATION_STUDY.seed,
        settings=PERCOLATION_FILE,
        depends=sorted(PERCOLATION_STUDY.zeros.items()),
    ),
    output=dict(zeros=f"{PERCOLATION_DATA}/zeros.csv"),
    log=f"{PERCOLATION_STUDY.name}/zeros",
    resources=dict(mem_mb=1000, runtime=60),
    runs="games.py",
)

step_rule(
    "percolation_sites",
    "Cross boards of ordinary site percolation",
    played(
        step="studies.percolation.play:play_sites",
        seed=PERCOLATION_STUDY.seed,
        settings=PERCOLATION_FILE,
        depends=sorted(PERCOLATION_STUDY.sites.items()),
    ),
    output=dict(sites=f"{PERCOLATION_DATA}/sites.csv"),
    log=f"{PERCOLATION_STUDY.name}/sites",
    resources=dict(mem_mb=1000, runtime=60),
    runs="games.py",
)

step_rule(
    "percolation_games",
    "Play games: {wildcards.game}",
    played(
        step="studies.percolation.play:play_games",
        seed=PERCOLATION_STUDY.seed,
        settings=PERCOLATION_FILE,
        depends=percolation_game,
        part=lambda wildcards: wildcards.game,
    ),
    output=dict(games=f"{PERCOLATION_DATA}/games/{{game}}.csv"),
    log=f"{PERCOLATION_STUDY.name}/games.{{game}}",
    wildcards=dict(game="|".join(map(re.escape, PERCOLATION_GAMES))),
    resources=dict(mem_mb=1000, runtime=60),
    runs="games.py",
)

step_rule(
    "percolation_join",
    "Join the counts of all boards",
    made(step="studies.percolation.results:joined"),
    input=dict(
        fronts=expand(rules.percolation_fronts.output[0], front=PERCOLATION_FRONTS),
        games=expand(rules.percolation_games.output[0], game=PERCOLATION_GAMES),
    ),
    output={name: f"{PERCOLATION_DATA}/{name}.csv" for name in ("fronts", "games", "halves")},
    log=f"{PERCOLATION_STUDY.name}/join",
)

step_rule(
    "percolation_fits",
    "Fit the fronts of all sizes",
    made(step="studies.percolation.results:fits_table"),
    input=dict(fronts=rules.percolation_join.output.fronts),
    output=dict(fits=f"{PERCOLATION_DATA}/fits.csv"),
    log=f"{PERCOLATION_STUDY.name}/fits",
)

step_rule(
    "percolation_losses",
    "Find where the 0s no longer cross",
    made(step="studies.percolation.results:losses_table"),
    input=dict(zeros=rules.percolation_zeros.output[0]),
    output=dict(losses=f"{PERCOLATION_DATA}/losses.csv"),
    log=f"{PERCOLATION_STUDY.name}/losses",
)

step_rule(
    "percolation_thresholds",
    "Find the critical densities",
    made(step="studies.percolation.results:thresholds_table"),
    input=dict(
        fits=rules.percolation_fits.output[0],
        fronts=rules.percolation_join.output.fronts,
        losses=rules.percolation_losses.output[0],
    ),
    output=dict(
        thresholds=result(
            f"{PERCOLATION_DATA}/thresholds.csv", "percolation", table="Critical densities"
        )
    ),
    log=f"{PERCOLATION_STUDY.name}/thresholds",
)

step_rule(
    "percolation_figures",
    "Draw what opens, and the fronts of all sizes",
    made(step="studies.percolation.figures:FIGURES"),
    input=dict(
        fronts=rules.percolation_join.output.fronts,
        games=rules.percolation_join.output.games,
        fits=rules.percolation_fits.output[0],
        thresholds=rules.percolation_thresholds.output[0],
    ),
    output=dict(
        figures=expand(
            f"{PERCOLATION_FIGURES}/{{figure}}.{{ending}}",
            figure=PERCOLATION_NAMES,
            ending=["pdf", "png"],
        ),
    ),
    log=f"{PERCOLATION_STUDY.name}/figures",
    resources=dict(mem_mb=1000, runtime=10),
    runs="figure.py",
)

step_rule(
    "percolation_page",
    "Write the page of percolation",
    made(
        step="studies.percolation.page:page",
        settings=PERCOLATION_FILE,
        file=PERCOLATION_FILE,
        depends=str(PERCOLATION_STUDY),
    ),
    input=dict(
        fits=rules.percolation_fits.output[0],
        thresholds=rules.percolation_thresholds.output[0],
        losses=rules.percolation_losses.output[0],
        sites=rules.percolation_sites.output[0],
        fronts=rules.percolation_join.output.fronts,
        halves=rules.percolation_join.output.halves,
        games=rules.percolation_join.output.games,
        figures=expand(f"{PERCOLATION_FIGURES}/{{figure}}.png", figure=PERCOLATION_NAMES),
    ),
    output=dict(
        finding=f"{PERCOLATION_DATA}/finding.md",
        page=report(
            f"{PERCOLATION_DATA}/percolation.html",
            caption="../report/percolation.rst",
            category="Percolation",
            labels={"page": "Where there is a critical density"},
        ),
    ),
    log=f"{PERCOLATION_STUDY.name}/page",
    runs="page.py",
)


rule percolation:
    input:
        rules.percolation_page.output.page,
