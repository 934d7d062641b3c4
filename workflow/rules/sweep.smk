# Play what is missing, one job for each board and player.


def cell_games(wildcards):
    """Cells times games, summed over the mine counts of the board: time goes with it."""
    cells = BOARDS[wildcards.board].cells
    return cells * (cells - 1) * CONFIG.games


rule sweep:
    message:
        "Sweep {wildcards.board} by {wildcards.label} up to {params.games} games for every m"
    # A module named as input reruns the rule when it is edited; played games stay.
    input:
        "msdensity/tables.py",
    output:
        f"{DATA}/win_rates/{{board}}.{{label}}.csv",
    # All that decides the numbers, and nothing else: a change of the batch size plays nothing.
    # The ledger is the checkpoint. Snakemake deletes declared outputs before it runs a job again
    # and after one fails, so the ledger must not be one.
    params:
        ledger=f"{DATA}/ledger/{{board}}.{{label}}.csv",
        games=CONFIG.games,
        seed=CONFIG.seed,
        player=lambda wildcards: PLAYERS[wildcards.label][0],
        options=lambda wildcards: dict(PLAYERS[wildcards.label][1]),
        first_click=CONFIG.rules.first_click,
        start=CONFIG.rules.start,
        kernel_version=KERNEL_VERSION,
    log:
        f"{LOGS}/sweep/{{board}}.{{label}}.log",
    benchmark:
        f"{BENCHMARKS}/sweep/{{board}}.{{label}}.tsv"
    # About one thread for every ten seconds of play, so that small boards run side by side.
    threads: lambda wildcards: min(16, 1 + cell_games(wildcards) // 50_000_000)
    resources:
        mem_mb=lambda wildcards, threads: 500 + 50 * threads,
        runtime=lambda wildcards: 10 + cell_games(wildcards) // 50_000_000,
    script:
        "../scripts/sweep.py"


rule sweeps:
    input:
        expand(rules.sweep.output, board=BOARDS, label=PLAYERS),
