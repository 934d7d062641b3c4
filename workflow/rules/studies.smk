# Section 5 and section 3 of the paper: what the first click and exact inference are worth. Only
# where the configuration has such a study.

FIRST_CLICK = []
INFERENCE = []

if CONFIG.first_click_study:

    rule first_click_games:
        message:
            "Play from every kind of first cell and count first cells that show 0"
        input:
            "msdensity/studies/paper/first_click.py",
        output:
            report(
                f"{DATA}/first_click.csv",
                caption="../report/first_click.rst",
                category="Tables",
                labels={"table": "First click"},
            ),
        params:
            ledgers=f"{DATA}/first_click",
            games=CONFIG.first_click_study.games,
            mines=str(CONFIG.first_click_study.mines),
            dealt=min(2000, CONFIG.first_click_study.games),
            seed=CONFIG.seed,
            kernel_version=KERNEL_VERSION,
        log:
            f"{LOGS}/first_click.log",
        benchmark:
            f"{BENCHMARKS}/first_click.tsv"
        threads: 2
        resources:
            mem_mb=lambda wildcards, threads: max(
                jobs.memory_mb(board, threads, tasks=len(mines))
                for board, mines in CONFIG.first_click_study.mines
            ),
            runtime=jobs.longer(30, CONFIG.first_click_study.games, 20_000),
        script:
            "../scripts/first_click.py"

    rule figure_first_click:
        message:
            "Draw what the first cell is worth (section 5)"
        input:
            table=rules.first_click_games.output[0],
            modules=["msdensity/studies/paper/figures/first_click.py"],
            style=STYLE_FILES,
        output:
            pdf=f"{FIGURES}/first_click.pdf",
            png=report(
                f"{FIGURES}/first_click.png",
                caption="../report/first_click.rst",
                category="Figures",
                labels={"figure": "First click (section 5)"},
            ),
        log:
            f"{LOGS}/figure_first_click.log",
        benchmark:
            f"{BENCHMARKS}/figure_first_click.tsv"
        resources:
            mem_mb=1000,
            runtime=10,
        script:
            "../scripts/figure_first_click.py"

    FIRST_CLICK = [rules.first_click_games.output, rules.figure_first_click.output]


if CONFIG.inference_study:

    rule inference_games:
        message:
            "Count the certain cells that the text's inference misses"
        input:
            modules=["msdensity/studies/paper/text_inference.py", "msdensity/studies/paper/inference.py"],
        output:
            report(
                f"{DATA}/inference.csv",
                caption="../report/inference.rst",
                category="Tables",
                labels={"table": "Certain cells missed"},
            ),
        params:
            games=CONFIG.inference_study.games,
            mines=str(CONFIG.inference_study.mines),
            seed=CONFIG.seed,
            kernel_version=KERNEL_VERSION,
        log:
            f"{LOGS}/inference.log",
        benchmark:
            f"{BENCHMARKS}/inference.tsv"
        resources:
            mem_mb=700,
            runtime=jobs.longer(60, CONFIG.inference_study.games, 100),
        script:
            "../scripts/inference.py"

    rule figure_inference:
        message:
            "Draw the certain cells that the text's inference misses"
        input:
            table=rules.inference_games.output[0],
            modules=["msdensity/studies/paper/figures/inference.py"],
            style=STYLE_FILES,
        output:
            pdf=f"{FIGURES}/inference.pdf",
            png=report(
                f"{FIGURES}/inference.png",
                caption="../report/inference.rst",
                category="Figures",
                labels={"figure": "Certain cells missed (section 3)"},
            ),
        log:
            f"{LOGS}/figure_inference.log",
        benchmark:
            f"{BENCHMARKS}/figure_inference.tsv"
        resources:
            mem_mb=1000,
            runtime=10,
        script:
            "../scripts/figure_inference.py"

    INFERENCE = [rules.inference_games.output, rules.figure_inference.output]


rule first_click:
    input:
        FIRST_CLICK,


rule inference:
    input:
        INFERENCE,
