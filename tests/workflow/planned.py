"""Dry runs of the real Snakefile in one process: which jobs would run, and why.

Run in a copy of the repository as `planned.py ANSWERS`, with the package of that copy. A line of
stdin is a list of changes of files, made for one dry run, and whether Snakemake's notes are there;
a line of ANSWERS says which rules it plans. At the start all jobs count as done: their outputs are
stubs, with records.
"""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from snakemake.api import SnakemakeApi
from snakemake.settings.types import (
    ConfigSettings,
    DAGSettings,
    ExecutionSettings,
    OutputSettings,
    Quietness,
    RemoteExecutionSettings,
    ResourceSettings,
)

from msdensity.runs import steps
from msdensity.runs.records import begin_record, write_records

TARGETS = frozenset(("all", "inference", "studies"))
CONFIG = Path("workflow/config/smoke.yaml")
NOTES = Path(".snakemake/metadata")


@contextmanager
def graph() -> Iterator:
    """Yield the workflow with its jobs, as a dry run sees them."""
    for cached in (steps.sources, steps.sources_hash, steps._imported):
        cached.cache_clear()
    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        loaded = api.workflow(
            resource_settings=ResourceSettings(cores=2),
            config_settings=ConfigSettings(configfiles=[CONFIG]),
            snakefile=Path("Snakefile"),
        )
        loaded.dag(DAGSettings(targets=TARGETS))
        workflow = loaded._workflow
        workflow.execution_settings = ExecutionSettings()
        workflow.remote_execution_settings = RemoteExecutionSettings()
        workflow._prepare_dag(forceall=False, ignore_incomplete=True, lock_warn_only=True)
        workflow._build_dag()
        yield workflow


def finish() -> dict[str, dict]:
    """Note every job as done; return the step of each rule, its params, and the rules before it."""
    rules: dict[str, dict] = {}
    with graph() as workflow:
        for level in workflow.dag.toposorted():
            for job in level:
                for path in job.output:
                    Path(path).parent.mkdir(parents=True, exist_ok=True)
                    Path(path).touch()
                if job.output:
                    asyncio.run(workflow.persistence.finished(job))
                    begun = begin_record(
                        rule=job.rule.name,
                        inputs=job.input,
                        params=dict(job.params.items()),
                        config={},
                        configfile=None,
                    )
                    write_records(map(str, job.output), begun)
                    found = rules.setdefault(job.rule.name, {"after": []})
                    found["params"] = sorted(name for name, _ in job.params.items())
                    found["step"] = job.params.get("step")
                    found["after"] += [each.rule.name for each in workflow.dag._dependencies[job]]
    return rules


def planned() -> list[str]:
    """Return the rules that a dry run would run a job of."""
    with graph() as workflow:
        return sorted({job.rule.name for job in workflow.dag.needrun_jobs() if job.output})


def main(answers: str) -> None:
    """Answer every line of stdin."""
    with open(answers, "w", encoding="utf-8") as file:
        print(json.dumps(finish()), file=file, flush=True)
        for line in sys.stdin:
            before = {}
            changes, notes = json.loads(line)
            if not notes:
                NOTES.rename("notes")
            for name, old, new in changes:
                path = Path(name)
                before.setdefault(path, (path.read_bytes(), path.stat().st_mtime_ns))
                text = path.read_text(encoding="utf-8")
                assert old in text, f"{old!r} is not in {name}"
                path.write_text(text.replace(old, new) if old else text + new, encoding="utf-8")
                os.utime(path)
            print(json.dumps(planned()), file=file, flush=True)
            for path, (data, time) in before.items():
                path.write_bytes(data)
                os.utime(path, ns=(time, time))
            if not notes:
                shutil.rmtree(NOTES)
                Path("notes").rename(NOTES)


if __name__ == "__main__":
    main(sys.argv[1])
