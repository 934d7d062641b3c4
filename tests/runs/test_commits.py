"""The commit on record is that of our own checkout, with what was changed since."""

import os
import subprocess

import pytest

from msdensity.runs import records


def git(folder, *arguments):
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
    )


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    package = tmp_path / "msdensity"
    package.mkdir()
    (package / "__init__.py").write_text("")
    git(tmp_path, "init", "-q")
    monkeypatch.setattr(records, "PACKAGE", package)
    records.code_version.cache_clear()
    yield tmp_path
    records.code_version.cache_clear()


def test_the_commit_and_what_was_changed_since(checkout):
    git(checkout, "add", "msdensity")
    git(checkout, "commit", "-qm", "one")
    clean = records.code_version()
    assert len(clean["commit"]) == 40
    assert clean["dirty"] == []
    (checkout / "msdensity/__init__.py").write_text("# changed\n")
    (checkout / "msdensity/new.py").write_text("")
    (checkout / "README.md").write_text("no code")
    records.code_version.cache_clear()
    changed = records.code_version()
    assert changed["commit"] == clean["commit"]
    assert changed["dirty"] == ["msdensity/__init__.py", "msdensity/new.py"]
    assert changed["sources"] != clean["sources"]


def test_the_checkout_of_another_project_is_not_taken_for_ours(checkout):
    (checkout / "paper.tex").write_text("")
    git(checkout, "add", "paper.tex")
    git(checkout, "commit", "-qm", "a paper")
    found = records.code_version()
    assert found["commit"] is None
    assert found["dirty"] == []
    assert len(found["sources"]) == 16


def test_the_commit_is_that_of_our_checkout_whoever_owns_it_and_whatever_git_dir_says(
    checkout, tmp_path_factory, monkeypatch
):
    git(checkout, "add", "msdensity")
    git(checkout, "commit", "-qm", "one")
    commit = records.code_version()["commit"]
    other = tmp_path_factory.mktemp("other")
    git(other, "init", "-q")
    git(other, "commit", "--allow-empty", "-qm", "another")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    if os.geteuid() == 0:  # who else may give a folder away
        os.chown(checkout, 65534, 65534)
        os.chown(checkout / ".git", 65534, 65534)
    records.code_version.cache_clear()
    assert commit is not None and records.code_version()["commit"] == commit
