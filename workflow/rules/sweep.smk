# Play what is missing: one job for each board and player. All small boards of a player share one job; a
# board that would keep one core busy for more than an hour has several, each with a range of games.


def play_seconds(board, label, games=None):
    """Seconds that one core plays `games` games (None: all) for every number of mines."""
    return jobs.cpu_seconds(BOARDS[board], games or CONFIG.games, PLAYERS[label][0])


def last_game(wildcards):
    """The end of the range of games of a job."""
    first_games = CONFIG.first_games(wildcards.board, wildcards.label)
    return min(int(wildcards.first) + first_games.step, CONFIG.games)


def cores():
    """The number given with --cores; 1 where none is needed, as for a report."""
    try:
        return workflow.cores or 1
    except WorkflowError:
        return 1


def threads_for(seconds):
    """About one thread for every ten seconds of play."""
    return min(16, 1 + int(seconds // 10))


def is_split(board, label):
    return len(CONFIG.first_games(board, label)) > 1


# A job takes some seconds to start. Boards that take less than that to play share one.
SMALL = [
    board
    for board in BOARDS
    if max(play_seconds(board, label) for label in PLAYERS) < 6
    and not any(is_split(board, label) for label in PLAYERS)
]
LARGE = [board for board in BOARDS if board not in SMALL]


def parts(wildcards):
    """The jobs that must be done before a board can be tabulated; none where one job does all."""
    board, label = wildcards.board, wildcards.label
    return [
        f"{DATA}/parts/{board}.{label}.from{first}.json"
        for first in CONFIG.first_games(board, label)
        if is_split(board, label)
    ]


def own_seconds(wildcards):
    """Seconds of play of the job that tabulates a board."""
    return 0 if parts(wildcards) else play_seconds(wildcards.board, wildcards.label)


def job_memory(wildcards, threads):
    return jobs.memory_mb(BOARDS[wildcards.board], threads)


# All that decides the numbers, and nothing else: a change of the batch size plays nothing.
# The ledger is the checkpoint. Snakemake deletes declared outputs before it runs a job again
# and after one fails, so the ledger must not be one.
RESULT = dict(
    ledgers=f"{DATA}/ledger",
    seed=CONFIG.seed,
    player=lambda wildcards: PLAYERS[wildcards.label][0],
    options=lambda wildcards: dict(PLAYERS[wildcards.label][1]),
    first_click=CONFIG.rules.first_click,
    start=CONFIG.rules.start,
    kernel_version=KERNEL_VERSION,
    **({} if CONFIG.mines == "all" else {"mines": CONFIG.mines}),
)

if SMALL:

    step_rule(
        "sweep_small",
        f"Sweep {len(SMALL)} small boards by {{wildcards.label}} up to {CONFIG.games} games"
        " for every m",
        dict(**RESULT, games=CONFIG.games, boards=SMALL),
        output=dict(win_rates=[f"{DATA}/win_rates/{board}.{{label}}.csv" for board in SMALL]),
        log=f"{CONFIG.name}/sweep/small.{{label}}",
        # Players in parallel rather than the boards of one: much of a small board's time is not play.
        threads=max(1, min(4, cores() // len(PLAYERS))),
        resources=dict(
            mem_mb=lambda wildcards, threads: max(
                jobs.memory_mb(BOARDS[board], threads) for board in SMALL
            ),
            runtime=lambda wildcards: jobs.runtime_minutes(
                sum(play_seconds(board, wildcards.label) for board in SMALL), 1
            ),
        ),
        runs="sweep.py",
    )

if any(is_split(board, label) for board in LARGE for label in PLAYERS):

    step_rule(
        "sweep_part",
        "Sweep {wildcards.board} by {wildcards.label}, from game {wildcards.first} on",
        dict(**RESULT, games=last_game),
        output=dict(part=f"{DATA}/parts/{{board}}.{{label}}.from{{first}}.json"),
        log=f"{CONFIG.name}/sweep/{{board}}.{{label}}.from{{first}}",
        wildcards=dict(board="|".join(LARGE), first="[0-9]+"),
        resources=dict(
            mem_mb=job_memory,
            runtime=lambda wildcards, threads: jobs.runtime_minutes(
                play_seconds(
                    wildcards.board, wildcards.label, last_game(wildcards) - int(wildcards.first)
                ),
                threads,
            ),
        ),
        runs="sweep_part.py",
    )

if LARGE:

    step_rule(
        "sweep",
        "Sweep {wildcards.board} by {wildcards.label} up to {params.games} games for every m",
        dict(**RESULT, games=CONFIG.games, boards=lambda wildcards: [wildcards.board]),
        input=dict(parts=parts),
        output=dict(win_rates=f"{DATA}/win_rates/{{board}}.{{label}}.csv"),
        log=f"{CONFIG.name}/sweep/{{board}}.{{label}}",
        wildcards=dict(board="|".join(LARGE)),
        threads=lambda wildcards: threads_for(own_seconds(wildcards)),
        resources=dict(
            mem_mb=job_memory,
            runtime=lambda wildcards, threads: jobs.runtime_minutes(
                own_seconds(wildcards), threads
            ),
        ),
        runs="sweep.py",
    )


rule sweeps:
    input:
        expand(f"{DATA}/win_rates/{{board}}.{{label}}.csv", board=BOARDS, label=PLAYERS),
