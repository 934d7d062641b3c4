# One figure, one rule.

STYLE_FILES = ["msdensity/studies/paper.mplstyle", "msdensity/studies/plot.py"]


rule figure_win_rates:
    message:
        "Draw the win rate against the mine density, one panel a board"
    input:
        table=rules.win_rates.output[0],
        fits=rules.fits.output[0],
        modules=["msdensity/studies/paper/figures/win_rates.py"],
        style=STYLE_FILES,
    output:
        pdf=f"{FIGURES}/win_rates.pdf",
        png=report(
            f"{FIGURES}/win_rates.png",
            caption="../report/win_rates.rst",
            category="Figures",
            labels={"figure": "Win rates of all boards"},
        ),
    log:
        f"{LOGS}/figure_win_rates.log",
    benchmark:
        f"{BENCHMARKS}/figure_win_rates.tsv"
    resources:
        mem_mb=1000 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/figure_win_rates.py"


rule figure_3_1:
    message:
        "Draw the position of Figure 3.1 and what the text's inference finds"
    input:
        modules=["msdensity/studies/paper/figures/board.py", "msdensity/studies/paper/text_inference.py"],
        style=STYLE_FILES,
    output:
        pdf=f"{FIGURES}/figure_3_1.pdf",
        png=report(
            f"{FIGURES}/figure_3_1.png",
            caption="../report/figure_3_1.rst",
            category="Figures",
            labels={"figure": "3.1, 3.2 Inference"},
        ),
    log:
        f"{LOGS}/figure_3_1.log",
    benchmark:
        f"{BENCHMARKS}/figure_3_1.tsv"
    resources:
        mem_mb=1000 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/figure_3_1.py"


rule figure_4_1:
    message:
        "Draw a position like that of Figure 4.1 with its safeties"
    input:
        modules=["msdensity/studies/paper/figures/board.py"],
        style=STYLE_FILES,
    output:
        pdf=f"{FIGURES}/figure_4_1.pdf",
        png=report(
            f"{FIGURES}/figure_4_1.png",
            caption="../report/figure_4_1.rst",
            category="Figures",
            labels={"figure": "4.1, 4.2 Safety"},
        ),
    params:
        kernel_version=KERNEL_VERSION,
    log:
        f"{LOGS}/figure_4_1.log",
    benchmark:
        f"{BENCHMARKS}/figure_4_1.tsv"
    resources:
        mem_mb=1000 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/figure_4_1.py"


rule figure_9_1:
    message:
        "Draw the critical density of every board (Figure 9.1)"
    input:
        fits=rules.fits.output[0],
        modules=["msdensity/studies/paper/figures/map.py"],
        style=STYLE_FILES,
    output:
        pdf=f"{FIGURES}/figure_9_1.pdf",
        png=report(
            f"{FIGURES}/figure_9_1.png",
            caption="../report/figure_9_1.rst",
            category="Figures",
            labels={"figure": "9.1 All boards"},
        ),
    log:
        f"{LOGS}/figure_9_1.log",
    benchmark:
        f"{BENCHMARKS}/figure_9_1.tsv"
    resources:
        mem_mb=1000 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/figure_9_1.py"


rule figure_9_2:
    message:
        "Draw the critical density against the aspect ratio (Figure 9.2)"
    input:
        fits=rules.fits.output[0],
        modules=["msdensity/studies/paper/figures/aspect.py"],
        style=STYLE_FILES,
    output:
        pdf=f"{FIGURES}/figure_9_2.pdf",
        png=report(
            f"{FIGURES}/figure_9_2.png",
            caption="../report/figure_9_2.rst",
            category="Figures",
            labels={"figure": "9.2 Aspect ratio"},
        ),
    log:
        f"{LOGS}/figure_9_2.log",
    benchmark:
        f"{BENCHMARKS}/figure_9_2.tsv"
    resources:
        mem_mb=1000 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/figure_9_2.py"


rule figure_9_3:
    message:
        "Draw the critical density of 1 x q boards and its series (Figure 9.3)"
    input:
        fits=rules.fits.output[0],
        published="data/published/table_b2.csv",
        modules=["msdensity/studies/paper/figures/strips.py", "msdensity/stats/series.py"],
        style=STYLE_FILES,
    output:
        pdf=f"{FIGURES}/figure_9_3.pdf",
        png=report(
            f"{FIGURES}/figure_9_3.png",
            caption="../report/figure_9_3.rst",
            category="Figures",
            labels={"figure": "9.3 Boards 1 x q"},
        ),
    log:
        f"{LOGS}/figure_9_3.log",
    benchmark:
        f"{BENCHMARKS}/figure_9_3.tsv"
    resources:
        mem_mb=1000 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/figure_9_3.py"


rule figure_9_4:
    message:
        "Draw the limit of 1 x q boards by the number of terms (Figure 9.4)"
    input:
        series=rules.series.output[0],
        modules=["msdensity/studies/paper/figures/strips.py"],
        style=STYLE_FILES,
    output:
        pdf=f"{FIGURES}/figure_9_4.pdf",
        png=report(
            f"{FIGURES}/figure_9_4.png",
            caption="../report/figure_9_4.rst",
            category="Figures",
            labels={"figure": "9.4 Limit of 1 x q"},
        ),
    log:
        f"{LOGS}/figure_9_4.log",
    benchmark:
        f"{BENCHMARKS}/figure_9_4.tsv"
    resources:
        mem_mb=1000 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/figure_9_4.py"


rule figure_9_5:
    message:
        "Draw the win rate of the board {params.board} with its fit (Figure 9.5)"
    input:
        table=rules.win_rates.output[0],
        fits=rules.fits.output[0],
        modules=["msdensity/studies/paper/figures/win_rates.py"],
        style=STYLE_FILES,
    output:
        pdf=f"{FIGURES}/figure_9_5.pdf",
        png=report(
            f"{FIGURES}/figure_9_5.png",
            caption="../report/figure_9_5.rst",
            category="Figures",
            labels={"figure": "9.5 Board 2 x 10"},
        ),
    params:
        board="2x10",
    log:
        f"{LOGS}/figure_9_5.log",
    benchmark:
        f"{BENCHMARKS}/figure_9_5.tsv"
    resources:
        mem_mb=1000 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/figure_9_5.py"


rule figure_9_6:
    message:
        "Draw the critical density of square boards and its extrapolation (Figure 9.6)"
    input:
        fits=rules.fits.output[0],
        extrapolation=rules.extrapolation.output[0],
        published="data/published/table_b2.csv",
        modules=["msdensity/studies/paper/figures/squares.py", "msdensity/stats/hyperbola.py"],
        style=STYLE_FILES,
    output:
        pdf=f"{FIGURES}/figure_9_6.pdf",
        png=report(
            f"{FIGURES}/figure_9_6.png",
            caption="../report/figure_9_6.rst",
            category="Figures",
            labels={"figure": "9.6 Square boards"},
        ),
    log:
        f"{LOGS}/figure_9_6.log",
    benchmark:
        f"{BENCHMARKS}/figure_9_6.tsv"
    resources:
        mem_mb=1000 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/figure_9_6.py"


# What the configured boards do not show is not drawn.
STRIPS = [board for board in CONFIG.boards if board.topology == "square8" and board.p == 1]
SQUARES = [board for board in CONFIG.boards if len(set(board.shape)) == 1 and board.shape[0] > 2]


rule figures:
    input:
        rules.figure_win_rates.output,
        rules.figure_3_1.output,
        rules.figure_4_1.output,
        rules.figure_9_1.output,
        rules.figure_9_2.output,
        rules.figure_9_3.output if STRIPS else [],
        rules.figure_9_4.output if len(STRIPS) > 2 else [],
        rules.figure_9_5.output if "2x10" in BOARDS else [],
        rules.figure_9_6.output if SQUARES else [],


if CONFIG.name == "paper":

    # Committed, for README.md to show; not part of the default run.
    rule readme:
        message:
            "Copy the figures of README.md, with where they come from"
        input:
            rules.figure_9_1.output.png,
            rules.figure_9_6.output.png,
        output:
            "figures/readme/figure_9_1.png",
            "figures/readme/figure_9_6.png",
        log:
            f"{LOGS}/readme.log",
        benchmark:
            f"{BENCHMARKS}/readme.tsv"
        resources:
            mem_mb=500,
            runtime=5,
        script:
            "../scripts/readme.py"
