# From games won to critical densities.


rule win_rates:
    message:
        "Join the win rates of all boards and add the W-correction"
    input:
        tables=rules.sweeps.input,
        module="msdensity/stats/correction.py",
    output:
        f"{DATA}/win_rates.csv",
    log:
        f"{LOGS}/win_rates.log",
    benchmark:
        f"{BENCHMARKS}/win_rates.tsv"
    resources:
        mem_mb=500 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/win_rates.py"


rule reduced:
    message:
        "Take variance off the win rates and test the safeties stated"
    input:
        table=rules.win_rates.output[0],
        modules=["msdensity/stats/rho50/reduced.py", "msdensity/stats/rho50/control_variate.py"],
    output:
        reduced=report(
            f"{DATA}/reduced.csv",
            caption="../report/reduced.rst",
            category="Tables",
            labels={"table": "Win rates of less variance"},
        ),
        safeties=f"{DATA}/safeties.csv",
    log:
        f"{LOGS}/reduced.log",
    benchmark:
        f"{BENCHMARKS}/reduced.tsv"
    resources:
        mem_mb=500 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/reduced.py"


rule rho50:
    message:
        "Find the density at which half the games are won on every board"
    input:
        table=rules.win_rates.output[0],
        reduced=rules.reduced.output.reduced,
        modules=["msdensity/studies/paper/rho50.py", "msdensity/runs/measure.py"],
    output:
        report(
            f"{DATA}/rho50.csv",
            caption="../report/rho50.rst",
            category="Tables",
            labels={"table": "Half of the games won"},
        ),
    params:
        kernel_version=KERNEL_VERSION,
    log:
        f"{LOGS}/rho50.log",
    benchmark:
        f"{BENCHMARKS}/rho50.tsv"
    resources:
        mem_mb=700 + TABLES_MB,
        runtime=30 + TABLES_MINUTES,
    script:
        "../scripts/rho50.py"


rule fits:
    message:
        "Fit the critical density of every board"
    input:
        table=rules.win_rates.output[0],
        module="msdensity/stats/logistic.py",
    output:
        report(
            f"{DATA}/fits.csv",
            caption="../report/fits.rst",
            category="Tables",
            labels={"table": "All fits"},
        ),
    params:
        bootstrap=CONFIG.bootstrap,
    log:
        f"{LOGS}/fits.log",
    benchmark:
        f"{BENCHMARKS}/fits.tsv"
    resources:
        mem_mb=500 + TABLES_MB,
        runtime=60 + TABLES_MINUTES,
    script:
        "../scripts/fits.py"


rule extrapolation:
    message:
        "Extrapolate the critical density of square boards"
    input:
        fits=rules.fits.output[0],
        module="msdensity/stats/hyperbola.py",
    output:
        report(
            f"{DATA}/extrapolation.csv",
            caption="../report/extrapolation.rst",
            category="Tables",
            labels={"table": "Limit of square boards"},
        ),
    log:
        f"{LOGS}/extrapolation.log",
    benchmark:
        f"{BENCHMARKS}/extrapolation.tsv"
    resources:
        mem_mb=500 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/extrapolation.py"


rule series:
    message:
        "Fit the series in 1/q to the critical density of 1 x q boards"
    input:
        fits=rules.fits.output[0],
        module="msdensity/stats/series.py",
    output:
        report(
            f"{DATA}/series.csv",
            caption="../report/series.rst",
            category="Tables",
            labels={"table": "Series of 1 x q boards"},
        ),
    log:
        f"{LOGS}/series.log",
    benchmark:
        f"{BENCHMARKS}/series.tsv"
    resources:
        mem_mb=500 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/series.py"


rule table_b1:
    message:
        "Write Table B.1: win rates"
    input:
        table=rules.win_rates.output[0],
        module="msdensity/studies/paper/tables.py",
    output:
        report(
            f"{DATA}/table_b1.csv",
            caption="../report/table_b1.rst",
            category="Tables",
            labels={"table": "B.1 Win rates"},
        ),
    log:
        f"{LOGS}/table_b1.log",
    benchmark:
        f"{BENCHMARKS}/table_b1.tsv"
    resources:
        mem_mb=500 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/table_b1.py"


rule table_b2:
    message:
        "Write Table B.2: critical densities, ours beside the published ones"
    input:
        fits=rules.fits.output[0],
        published="data/published/table_b2.csv",
        module="msdensity/studies/paper/tables.py",
    output:
        report(
            f"{DATA}/table_b2.csv",
            caption="../report/table_b2.rst",
            category="Tables",
            labels={"table": "B.2 Critical densities"},
        ),
    log:
        f"{LOGS}/table_b2.log",
    benchmark:
        f"{BENCHMARKS}/table_b2.tsv"
    resources:
        mem_mb=500 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/table_b2.py"


rule quoted:
    message:
        "Write the numbers that texts quote"
    input:
        tables=[
            rules.win_rates.output[0],
            rules.fits.output[0],
            rules.extrapolation.output[0],
            rules.series.output[0],
            "data/published/table_b2.csv",
        ],
        module="msdensity/studies/paper/tables.py",
    output:
        f"{DATA}/quoted.json",
    log:
        f"{LOGS}/quoted.log",
    benchmark:
        f"{BENCHMARKS}/quoted.tsv"
    resources:
        mem_mb=500 + TABLES_MB,
        runtime=10 + TABLES_MINUTES,
    script:
        "../scripts/quoted.py"


rule tables:
    input:
        rules.table_b1.output,
        rules.table_b2.output,
        rules.series.output,
        rules.extrapolation.output,
        rules.quoted.output,
        rules.reduced.output,
        rules.rho50.output,
