"""Files from outside are data: they run no code and give plain values or one error."""

import json
import os
import re
from pathlib import Path

import pytest

from msdensity import load_config
from msdensity.errors import InputError, shown
from msdensity.files.text import MAX_VALUES, MAX_YAML_BYTES, check_plain, read_text, read_yaml
from msdensity.games.boards import Board, read_neighbours


def bomb(levels: int, inner: str) -> str:
    """Return YAML in which each level, one more line, has nine times as many values."""
    lines = [f"a0: &a0 {inner}"]
    for level in range(1, levels + 1):
        before = ",".join([f"*a{level - 1}"] * 9)
        value = f"[{before}]" if inner.startswith("[") else f"{{<<: [{before}]}}"
        lines.append(f"a{level}: &a{level} {value}")
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text,message",
    [
        ("!!python/object/apply:os.abort []", "could not determine a constructor"),
        ("!!python/name:os.abort", "could not determine a constructor"),
        ("2024-13-45", "month must be in 1..12"),
        ("!!timestamp x", "must be YAML"),
        ("!!bool x", "must be YAML"),
        ("!!int x", "must be YAML"),
        ("9" * 5000, "must be YAML: Exceeds the limit"),
        ("0x" + "f" * 100, "holds an integer of 400 bits"),
        ("[" * 3000, "nested at most 50 deep"),
        ("- " * 3000, "blocks must be nested at most 50 deep"),
        ("a: &a [*a]", "must hold fewer than 50,000 values"),
        ("a: &a {<<: *a}", "must hold fewer than 50,000 values"),
        (bomb(9, "[1,2]"), "must hold fewer than 50,000 values"),
        (bomb(9, "{x: 1}"), "must hold fewer than 50,000 values"),
        ("a" * (MAX_YAML_BYTES + 1), "must have at most 200,000 bytes"),
        ("a\0b", "must be YAML"),
    ],
)
def test_yaml_that_cannot_be_settings_is_one_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_yaml(path, "config x")
    assert "\n" not in str(caught.value) and str(caught.value).startswith("config x ")


def test_aliases_and_merges_of_a_reasonable_size_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("a: &a {x: 1}\nb: {<<: *a, y: 2}\nc: [*a, *a]\n")
    assert read_yaml(path, "x") == {"a": {"x": 1}, "b": {"x": 1, "y": 2}, "c": [{"x": 1}] * 2}
    path.write_text("")
    assert read_yaml(path, "x") is None


def test_mappings_have_the_same_limits() -> None:
    itself: list = []
    itself.append(itself)
    for value in (itself, [0] * MAX_VALUES, {"a": {5: itself}}, 10**5000, {10**5000: 1}):
        with pytest.raises(InputError, match=r"config (holds|must hold)"):
            check_plain({"name": value}, "config")
        with pytest.raises(InputError, match=r"config (holds|must hold)"):
            load_config({"name": value})


@pytest.mark.parametrize("source", [0, 5, None, b"x", 1.5, ["x"]])
def test_a_configuration_is_a_path_or_a_mapping(source: object) -> None:
    """open(0) would wait for standard input."""
    with pytest.raises(InputError, match="must be a path or keys and values"):
        load_config(source)  # type: ignore[arg-type]


def test_files_that_cannot_be_read_are_one_error(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff")
    for path in (tmp_path, tmp_path / "none", tmp_path / "a\nb", "a\0b", tmp_path / "bytes"):
        with pytest.raises(InputError, match="x must be a readable text file: "):
            read_text(path, "x")
    with pytest.raises(InputError, match="x must have at most 1,000 bytes"):
        read_text("/dev/zero", "x", 1000)


@pytest.mark.parametrize(
    "text,message",
    [
        ("[" * 100_000, "cannot be read"),
        ("[[" + "9" * 5000 + "]]", "cannot be read"),
        ("[[1e400]]", "must be a list of lists"),
        ("[[NaN]]", "must be a list of lists"),
        ("[[true],[false]]", "must be a list of lists"),
        ("[]", "must be a list of lists"),
        ("{}", "must be a list of lists"),
        (f"[[{10**30}],[0]]", "another cell"),
        (f"[[-{10**30}],[0]]", "another cell"),
    ],
)
def test_a_table_of_neighbours_must_be_lists_of_cells(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "own.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        Board.parse(str(path))
    assert "\n" not in str(caught.value)


def test_a_board_opens_only_regular_files(tmp_path: Path) -> None:
    """A pipe would wait for a writer."""
    path = tmp_path / "pipe.json"
    os.mkfifo(path)
    for name in (str(path), str(tmp_path), "/dev/zero", "a\0.json"):
        with pytest.raises(InputError, match="no such file"):
            read_neighbours(name)
    path = tmp_path / "own.json"
    path.write_text(json.dumps([[1], [0]]))
    assert read_neighbours(path) == [[1], [0]]


def test_values_are_shown_in_one_short_line() -> None:
    assert shown("a\nb") == "'a\\nb'"
    assert shown(10**5000) == "(int too long to show)"
    assert len(shown("x" * 10**6)) < 300


def test_a_pipe_without_a_writer_is_refused(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="must be a readable text file: No regular file"):
        read_text(tmp_path / "pipe", "pipe")
    # The path that a shell makes for <(...).
    reading, writing = os.pipe()
    os.write(writing, b"text")
    os.close(writing)
    assert read_text(f"/dev/fd/{reading}", "pipe") == "text"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 3: key 'a' must be given once"),
        ("a: {b: 1, 'b': 2}\n", "line 1: key 'b' must be given once"),
        ("a:\n- x: 1\n  y: 0123\n", "line 3: 0123 must be a decimal number"),
        ("a: 1:30\n", "line 1: 1:30 must be a decimal number"),
        ("a: -1:30.5\n", "line 1: -1:30.5 must be a decimal number"),
    ],
)
def test_yaml_with_two_meanings_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "f.yaml").write_text(text)
    with pytest.raises(InputError, match=re.escape(message)):
        read_yaml(tmp_path / "f.yaml", "settings")


def test_yaml_with_one_meaning_is_read(tmp_path: Path) -> None:
    text = "\ufeffbase: &b {x: 0, y: 0.5}\nc: {<<: *b, x: 10}\nd: '0123'\ne: 0x1F\nf: [a, a]\n"
    (tmp_path / "f.yaml").write_text(text, encoding="utf-8")
    assert read_yaml(tmp_path / "f.yaml", "settings") == {
        "base": {"x": 0, "y": 0.5},
        "c": {"x": 10, "y": 0.5},
        "d": "0123",
        "e": 31,
        "f": ["a", "a"],
    }
