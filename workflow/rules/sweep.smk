# Play what is missing: one job for each board and player, but one for all small boards.


def cell_games(board):
    """Cells times games, summed over the mine counts of the board: time goes with it."""
    return BOARDS[board].cells * (BOARDS[board].cells - 1) * CONFIG.games


def cores():
    """The number given with --cores; 1 where none is needed, as for a report."""
    try:
        return workflow.cores or 1
    except WorkflowError:
        return 1


# A job takes some seconds to start. Boards that take less than that to play share one.
SMALL = [board for board in BOARDS if cell_games(board) < 30_000_000]
LARGE = [board for board in BOARDS if board not in SMALL]

# All that decides the numbers, and nothing else: a change of the batch size plays nothing.
# The ledger is the checkpoint. Snakemake deletes declared outputs before it runs a job again
# and after one fails, so the ledger must not be one.
RESULT = dict(
    ledgers=f"{DATA}/ledger",
    games=CONFIG.games,
    seed=CONFIG.seed,
    player=lambda wildcards: PLAYERS[wildcards.label][0],
    options=lambda wildcards: dict(PLAYERS[wildcards.label][1]),
    first_click=CONFIG.rules.first_click,
    start=CONFIG.rules.start,
    kernel_version=KERNEL_VERSION,
)

if SMALL:

    rule sweep_small:
        message:
            f"Sweep {len(SMALL)} small boards by {{wildcards.label}}"
            f" up to {CONFIG.games} games for every m"
        # A module named as input reruns the rule when it is edited; played games stay.
        input:
            "msdensity/tables.py",
        output:
            [f"{DATA}/win_rates/{board}.{{label}}.csv" for board in SMALL],
        params:
            **RESULT,
            boards=SMALL,
        log:
            f"{LOGS}/sweep/small.{{label}}.log",
        benchmark:
            f"{BENCHMARKS}/sweep/small.{{label}}.tsv"
        # The players side by side before the boards of one: much of a small board is not play.
        threads: max(1, min(4, cores() // len(PLAYERS)))
        resources:
            mem_mb=700,
            runtime=10 + sum(map(cell_games, SMALL)) // 50_000_000,
        script:
            "../scripts/sweep.py"


if LARGE:

    rule sweep:
        message:
            "Sweep {wildcards.board} by {wildcards.label} up to {params.games} games for every m"
        input:
            "msdensity/tables.py",
        output:
            f"{DATA}/win_rates/{{board}}.{{label}}.csv",
        wildcard_constraints:
            board="|".join(LARGE),
        params:
            **RESULT,
            boards=lambda wildcards: [wildcards.board],
        log:
            f"{LOGS}/sweep/{{board}}.{{label}}.log",
        benchmark:
            f"{BENCHMARKS}/sweep/{{board}}.{{label}}.tsv"
        # About one thread for every ten seconds of play.
        threads: lambda wildcards: min(16, 1 + cell_games(wildcards.board) // 50_000_000)
        resources:
            mem_mb=lambda wildcards, threads: 500 + 50 * threads,
            runtime=lambda wildcards: 10 + cell_games(wildcards.board) // 50_000_000,
        script:
            "../scripts/sweep.py"


rule sweeps:
    input:
        expand(f"{DATA}/win_rates/{{board}}.{{label}}.csv", board=BOARDS, label=PLAYERS),
