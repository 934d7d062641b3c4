# What all studies found, on one page; target `findings`.

# Study -> the figure that stands beside what it found.
FINDINGS_FIGURES = {
    "densities": "squares",
    "asymptotics": "fixed_density",
    "patterns": "patterns",
    "percolation": "games",
    "topologies": "rho50",
    "definitions": "curves",
    "players": "density",
    "reproduction": "table_b2",
    "clicks": "safe",
    "difficulty": "classes",
    "perfect": "densities",
}
FINDINGS_PAGES = {study: getattr(rules, f"{study}_page") for study in FINDINGS_FIGURES}

step_rule(
    "findings",
    "Write the page of all findings",
    made(
        step="studies.findings.page:findings_page",
        pages={
            study: os.path.relpath(page.output.page, DATA) for study, page in FINDINGS_PAGES.items()
        },
    ),
    input={
        f"{kind}_{study}": path
        for study, page in FINDINGS_PAGES.items()
        for kind, path in (
            ("finding", page.output.finding),
            ("figure", f"figures/{settings_of(study).name}/{FINDINGS_FIGURES[study]}.png"),
        )
    },
    output=dict(
        page=report(
            f"{DATA}/findings.html",
            caption="../report/findings.rst",
            category="Findings",
            labels={"page": "How dense can a board be?"},
        ),
    ),
    log=f"{CONFIG.name}/findings",
    runs="findings.py",
)

# Those that README.md begins with.
README_FINDINGS = ("percolation", "asymptotics", "densities")

if all(settings_of(study).name == study for study in README_FINDINGS):

    # Committed, for README.md to quote; not part of any other target.
    step_rule(
        "readme_finding",
        "Copy the finding of {wildcards.study}, with where it comes from",
        {},
        input=dict(finding=lambda wildcards: FINDINGS_PAGES[wildcards.study].output.finding),
        output=dict(finding="figures/readme/{study}.md"),
        log=f"{CONFIG.name}/readme_finding.{{study}}",
        wildcards=dict(study="|".join(README_FINDINGS)),
        runs="publish.py",
    )

    rule readme_findings:
        input:
            expand(rules.readme_finding.output.finding, study=README_FINDINGS),
