# What all rules of steps share. A step is a function of the package, named MODULE:FUNCTION:
# `grep step= workflow/rules/*.smk` tells which rule calls which function.

from msdensity.runs.steps import sources_hash


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
