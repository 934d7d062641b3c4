# The smallest sets of mines that force a guess, and what they cost; target `patterns`.

PATTERNS_FILE = CONFIG.studies["patterns"]
PATTERNS_STUDY = settings_of("patterns")
PATTERNS_PARTS = PATTERNS_STUDY.parts()
PATTERNS_DATA = f"data/{PATTERNS_STUDY.name}"
PATTERNS_FIGURES = f"figures/{PATTERNS_STUDY.name}"

step_rule(
    "patterns_orders",
    "Count sets of mines: {wildcards.part}",
    made(
        step="studies.patterns.results:orders_table",
        settings=PATTERNS_FILE,
        depends=lambda wildcards: [KERNEL_VERSION, PATTERNS_PARTS[wildcards.part]],
    ),
    output=dict(orders=f"{PATTERNS_DATA}/orders/{{part}}.csv"),
    log=f"{PATTERNS_STUDY.name}/orders.{{part}}",
    wildcards=dict(part="|".join(PATTERNS_PARTS)),
    resources=dict(mem_mb=2000, runtime=60),
)

step_rule(
    "patterns_smallest",
    "Find the smallest sets of mines that force a guess",
    made(step="studies.patterns.results:patterns_table"),
    output=dict(patterns=f"{PATTERNS_DATA}/patterns.csv"),
    log=f"{PATTERNS_STUDY.name}/patterns",
)

step_rule(
    "patterns_join",
    "Join the counts of all boards",
    made(step="studies.patterns.results:joined_orders"),
    input=dict(orders=expand(rules.patterns_orders.output[0], part=PATTERNS_PARTS)),
    output=dict(orders=f"{PATTERNS_DATA}/orders.csv"),
    log=f"{PATTERNS_STUDY.name}/join",
)

step_rule(
    "patterns_coefficients",
    "Find the law's coefficients in the counts",
    made(step="studies.patterns.results:coefficients_table"),
    input=dict(orders=rules.patterns_join.output[0]),
    output=dict(
        coefficients=result(
            f"{PATTERNS_DATA}/coefficients.csv", "patterns", table="Coefficients of the law"
        )
    ),
    log=f"{PATTERNS_STUDY.name}/coefficients",
)

step_rule(
    "patterns_figures",
    "Draw the smallest sets of mines that force a guess",
    made(step="studies.patterns.figures:FIGURES"),
    input=dict(patterns=rules.patterns_smallest.output[0]),
    output=dict(
        figures=expand(f"{PATTERNS_FIGURES}/patterns.{{ending}}", ending=["pdf", "png"]),
    ),
    log=f"{PATTERNS_STUDY.name}/figures",
    resources=dict(mem_mb=1000, runtime=10),
    runs="figure.py",
)

step_rule(
    "patterns_page",
    "Write the page of forced guesses",
    made(
        step="studies.patterns.page:page",
        settings=PATTERNS_FILE,
        file=PATTERNS_FILE,
        depends=str(PATTERNS_STUDY),
    ),
    input=dict(
        orders=rules.patterns_join.output[0],
        coefficients=rules.patterns_coefficients.output[0],
        patterns=rules.patterns_smallest.output[0],
        figures=[f"{PATTERNS_FIGURES}/patterns.png"],
    ),
    output=dict(
        finding=f"{PATTERNS_DATA}/finding.md",
        page=report(
            f"{PATTERNS_DATA}/patterns.html",
            caption="../report/patterns.rst",
            category="Forced guesses",
            labels={"page": "Which mines force a guess"},
        ),
    ),
    log=f"{PATTERNS_STUDY.name}/page",
    runs="page.py",
)


rule patterns:
    input:
        rules.patterns_page.output.page,
