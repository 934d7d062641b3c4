# The rules of steps. A step is a function of the package, named MODULE:FUNCTION:
# `grep step= workflow/rules/*.smk` shows which rule calls which function.

from msdensity.runs.steps import models_hash, sources_hash


def made(*, step, **options):
    """The params of a rule that plays nothing: what its step imports decides when it runs again."""
    return params(step, options, sources=lambda wildcards: sources_hash(step))


def played(*, step, seed, **options):
    """The params of a rule that plays: not its sources, because games are not played twice."""
    return params(step, options, seed=seed, kernel_version=KERNEL_VERSION)


def params(step, options, **own):
    """The params of a step; `depends`, for Snakemake alone, as one text.

    Snakemake compares the set of all values: it would not see that two numbers change places.
    """
    depends = options.pop("depends", None)
    if callable(depends):
        own["depends"] = lambda wildcards: repr(depends(wildcards))
    elif depends is not None:
        own["depends"] = repr(depends)
    return dict(step=step) | own | options


def both(stem, **labels):
    """The two files of a figure."""
    return dict(pdf=f"{stem}.pdf", png=report(f"{stem}.png", **labels))


def result(path, caption, **labels):
    """A table of the report."""
    return report(path, caption=f"../report/{caption}.rst", category="Tables", labels=labels)


# Most rules take a few seconds; those that read all win rates take longer with more boards.
SMALL_JOB = dict(mem_mb=700, runtime=10)
TABLE_JOB = dict(mem_mb=500 + TABLES_MB, runtime=10 + TABLES_MINUTES)
FIGURE_JOB = dict(mem_mb=1000 + TABLES_MB, runtime=10 + TABLES_MINUTES)
PUBLISHED_B2 = "data/published/table_b2.csv"


def step_rule(
    name,
    message,
    params,
    *,
    output,
    log,
    input={},
    wildcards={},
    threads=1,
    priority=0,
    resources=SMALL_JOB,
    runs="step.py",
):
    """Define a rule.

    params: by `made` or `played`; input, output: files by the names that the step gives them; log:
    the path of its log and benchmark below logs/ and benchmarks/, without their endings; wildcards:
    their constraints; runs: step.py, games.py if the step plays, figure.py or page.py if it draws
    or writes a page, or one of its own.
    """
    path = f"../scripts/{runs}"

    rule:
        name:
            name
        message:
            message
        input:
            **input,
        output:
            **output,
        wildcard_constraints:
            **wildcards,
        params:
            **params,
        log:
            f"logs/{log}.log",
        benchmark:
            f"benchmarks/{log}.tsv"
        threads: threads
        priority: priority
        resources:
            **resources,
        script:
            path
