# The players of papers 000, 003 and 004 beside their published tables; target `players`.

PLAYERS_STUDY = "workflow/config/players.yaml"


rule players_tables:
    message:
        "Play the published players and compare them with their tables"
    input:
        published="data/published/players.csv",
        config=PLAYERS_STUDY,
        modules=["msdensity/players_study.py", "msdensity/compare.py"],
    output:
        tables="data/players/tables.csv",
        pairs="data/players/pairs.csv",
        page=report(
            "data/players/players.md",
            caption="../report/players.rst",
            category="Tables",
            labels={"table": "Published players"},
        ),
    params:
        kernel_version=KERNEL_VERSION,
    log:
        "logs/players/tables.log",
    benchmark:
        "benchmarks/players/tables.tsv"
    threads: 2
    resources:
        mem_mb=1000,
        runtime=60,
    script:
        "../scripts/players.py"


rule players:
    input:
        rules.players_tables.output,
