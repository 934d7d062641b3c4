# One figure, one rule.


rule figure_win_rates:
    message:
        "Draw the win rate against the mine density, one panel a board"
    input:
        table=rules.win_rates.output[0],
        fits=rules.fits.output[0],
        module="msdensity/figures.py",
        style="msdensity/paper.mplstyle",
    output:
        multiext(f"{FIGURES}/win_rates", ".pdf", ".png"),
    log:
        f"{LOGS}/figure_win_rates.log",
    benchmark:
        f"{BENCHMARKS}/figure_win_rates.tsv"
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/figure_win_rates.py"


rule figure_squares:
    message:
        "Draw the critical density of square boards and its extrapolation"
    input:
        fits=rules.fits.output[0],
        extrapolation=rules.extrapolation.output[0],
        modules=["msdensity/figures.py", "msdensity/scaling.py"],
        style="msdensity/paper.mplstyle",
    output:
        multiext(f"{FIGURES}/squares", ".pdf", ".png"),
    log:
        f"{LOGS}/figure_squares.log",
    benchmark:
        f"{BENCHMARKS}/figure_squares.tsv"
    resources:
        mem_mb=1000,
        runtime=10,
    script:
        "../scripts/figure_squares.py"


rule figures:
    input:
        rules.figure_win_rates.output,
        rules.figure_squares.output,
