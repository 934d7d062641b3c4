# From games won to critical densities.


rule win_rates:
    message:
        "Join the win rates of all boards and add the W-correction"
    input:
        tables=rules.sweeps.input,
        module="msdensity/correction.py",
    output:
        f"{DATA}/win_rates.csv",
    log:
        f"{LOGS}/win_rates.log",
    benchmark:
        f"{BENCHMARKS}/win_rates.tsv"
    resources:
        mem_mb=500,
        runtime=10,
    script:
        "../scripts/win_rates.py"


rule fits:
    message:
        "Fit the critical density of every board"
    input:
        table=rules.win_rates.output[0],
        module="msdensity/fits.py",
    output:
        f"{DATA}/fits.csv",
    params:
        bootstrap=CONFIG.bootstrap,
    log:
        f"{LOGS}/fits.log",
    benchmark:
        f"{BENCHMARKS}/fits.tsv"
    resources:
        mem_mb=500,
        runtime=60,
    script:
        "../scripts/fits.py"


rule extrapolation:
    message:
        "Extrapolate the critical density of square boards"
    input:
        fits=rules.fits.output[0],
        module="msdensity/scaling.py",
    output:
        f"{DATA}/extrapolation.csv",
    log:
        f"{LOGS}/extrapolation.log",
    benchmark:
        f"{BENCHMARKS}/extrapolation.tsv"
    resources:
        mem_mb=500,
        runtime=10,
    script:
        "../scripts/extrapolation.py"
