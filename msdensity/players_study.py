"""The published tables of 000, 003 and 004 beside the same players here."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import yaml
from numpy.typing import NDArray

from msdensity.errors import InputError
from msdensity.kernel.measures import MEASURES
from msdensity.tasks import Board, Rules, Task, integer

SET = 100
"""Games in a set: 000 gives the mean and the standard deviation of win % over sets of 100."""

DIFFERS = 3.29
"""|z| from which a cell is said to differ: a false alarm in 1,000 cells."""

STUDY_COLUMNS = (
    "table",
    "player",
    "first_click",
    "start",
    "role",
    "board",
    "mines",
    "games",
    "measure",
    "published",
    "ours",
    "ours_se",
    "published_se",
    "z",
    "verdict",
    "cpu_us",
)
"""Columns of `study_table`; standard errors also hold the rounding of the printed number."""

ROLES = ("text", "test")
"""What a row plays: what the text says, or a reading that may explain a difference."""


@dataclass(frozen=True)
class Variant:
    """One way to play the player of a published table; `role` is one of ROLES."""

    table: str
    player: str
    options: Mapping[str, str]
    rules: Rules
    role: str

    def task(self, board: Board, mines: int, seed: int) -> Task:
        """Return the task of this variant on a board."""
        return Task(board, mines, self.player, dict(self.options), self.rules, seed)


@dataclass(frozen=True)
class Study:
    """What to play: games of each cell (a multiple of SET), the seed and the variants."""

    games: int
    seed: int
    variants: tuple[Variant, ...]


def load_study(path: str | os.PathLike[str]) -> Study:
    """Return the study in a YAML file: games, seed, and for each published table its variants.

    Raises InputError for an unknown key or a value out of range.
    """
    with open(path, encoding="utf-8") as file:
        values = yaml.safe_load(file)
    unknown = set(values) ^ {"games", "seed", "tables"}
    if unknown:
        raise InputError(f"{path}: keys must be games, seed and tables; differs: {sorted(unknown)}")
    games = integer("games", values["games"], SET)
    if games % SET:
        raise InputError(f"games={games} must be a multiple of {SET}")
    variants = []
    for table, entries in values["tables"].items():
        for position, entry in enumerate(entries):
            given = dict(entry)
            role = given.pop("role", ROLES[0])
            if role not in ROLES:
                raise InputError(
                    f"tables: {table}[{position}].role={role!r} must be one of {ROLES}"
                )
            rules = Rules(given.pop("first_click"), given.pop("start", "safe"))
            player = given.pop("player")
            Task(Board((4, 4)), 1, player, given, rules)  # refuses unknown players and options
            variants.append(Variant(table, player, given, rules, role))
    return Study(games, integer("seed", values["seed"], 0), tuple(variants))


def play_sets(task: Task, games: int, threads: int = 1) -> tuple[NDArray[np.int64], float]:
    """Return the measures of each set of SET games, (sets, measures), and CPU seconds a game."""
    from msdensity.players import play_batch

    play_batch(task, 0, 0)  # compiled before it is timed

    def part(first: int) -> tuple[list[int], float]:
        begin = time.thread_time()
        sums = play_batch(task, first, SET)
        return [sums[name] for name in MEASURES], time.thread_time() - begin

    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(part, range(0, games, SET)))
    return np.array([p[0] for p in parts], np.int64), sum(p[1] for p in parts) / games


def estimate(measure: str, sets: NDArray[np.int64], task: Task) -> tuple[float, float]:
    """Return (value, standard error) of a published measure from the sums of each set.

    win_percent; win_percent_set_sd over sets; guesses with the opener, guesses_sd over games;
    area_percent of the safe cells, mines_percent of the mines, means over games. Errors are from
    the spread over sets (that of a standard deviation by its first-order influence).
    """
    each = {name: sets[:, i] / SET for i, name in enumerate(MEASURES)}
    n = len(sets)
    if measure == "win_percent_set_sd":
        sd = float((100 * each["wins"]).std(ddof=1))
        return sd, sd / np.sqrt(2 * (n - 1))
    if measure == "guesses_sd":
        mean, square = each["guesses"].mean(), each["guesses_squared"].mean()
        sd = np.sqrt(square - mean**2)
        values = (each["guesses_squared"] - 2 * mean * each["guesses"]) / (2 * sd) if sd else 0
        return float(sd), float(np.std(values, ddof=1) / np.sqrt(n)) if sd else 0.0
    parts = {
        "win_percent": 100 * each["wins"],
        "guesses": 1 + each["guesses"],
        "guesses_without_opener": each["guesses"],
        "area_percent": 100 * each["opened"] / (task.board.cells - task.mines),
        "mines_percent": 100 * each["mines_marked"] / task.mines,
    }
    values = parts[measure]
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(n))


def study_table(published: pd.DataFrame, study: Study, threads: int = 1) -> pd.DataFrame:
    """Return every published number beside that of each variant of its table (STUDY_COLUMNS).

    published: table, board, mines, games (of the authors; missing if not told), measure, value,
    decimals. z has the errors of both sides; where the authors' games are not told, ours only.
    Guesses are compared with the opener counted and without.
    """
    rows: list[dict[str, Any]] = []
    for variant in study.variants:
        own = published[published["table"] == variant.table]
        if not len(own):
            raise InputError(f"tables: {variant.table!r} must be one of {set(published['table'])}")
        for board_name in own["board"].unique():
            cells = own[own["board"] == board_name]
            mines = int(cells["mines"].iloc[0])
            task = variant.task(Board.parse(board_name), mines, study.seed)
            sets, cpu = play_sets(task, study.games, threads)
            for cell in cells.itertuples():
                for measure in _readings(str(cell.measure)):
                    value, error = estimate(measure, sets, task)
                    row = {
                        "table": variant.table,
                        "player": task.label,
                        "first_click": task.rules.first_click,
                        "start": task.rules.start,
                        "role": variant.role,
                        "board": board_name,
                        "mines": mines,
                        "games": study.games,
                        "measure": measure,
                        "published": cell.value,
                        "ours": value,
                        "ours_se": error,
                        "cpu_us": cpu * 1e6,
                    }
                    rows.append(row | _verdict(cell, value, error, study.games))
    return pd.DataFrame(rows, columns=list(STUDY_COLUMNS))


def _readings(measure: str) -> Sequence[str]:
    return (measure, "guesses_without_opener") if measure == "guesses" else (measure,)


def _verdict(cell: Any, value: float, error: float, games: int) -> dict[str, Any]:
    """Return the published number's error, z and the verdict."""
    rounding = 10.0**-cell.decimals / np.sqrt(12)
    told = np.isfinite(cell.games)
    theirs = np.hypot(error * np.sqrt(games / cell.games), rounding) if told else rounding
    whole = np.hypot(error, theirs)
    z = (value - cell.value) / whole if whole > 0 else np.nan
    return {
        "published_se": theirs,
        "z": z,
        "verdict": "differs" if abs(z) >= DIFFERS else "agrees",
    }


PAIRS: tuple[tuple[str, str, tuple[tuple[str, Mapping[str, str], str], ...]], ...] = (
    (
        "double set against naive",
        "000, section 5.3.1",
        (
            ("double_set", {}, "random"),
            ("naive_single_point", {"drawn": "any"}, "random"),
            ("naive_single_point", {"again": "none"}, "random"),
        ),
    ),
    (
        "improved guessing",
        "000, section 5.3.2",
        (
            ("double_set", {"guessing": "improved"}, "random_corner"),
            ("double_set", {}, "random_corner"),
        ),
    ),
    (
        "openers",
        "000, section 5.3.3",
        (
            ("double_set", {"guessing": "improved"}, "random_corner"),
            ("double_set", {"guessing": "improved"}, "random_edge"),
            ("double_set", {"guessing": "improved"}, "random_interior"),
        ),
    ),
    (
        "coupled subsets, connected components, equations, limited search",
        "000, section 6.3.1; 004, section 5.2",
        (
            ("coupled_subsets", {}, "corner"),
            ("connected_components", {}, "corner"),
            ("equation", {}, "corner"),
            ("limited_search", {}, "corner"),
            ("weighted", {}, "corner"),
        ),
    ),
)
"""Questions of 000 and 004: what is asked, where, and the players with their first clicks.

Where the question allows, all start in the same corner: a random one would differ between players.
"""

BOARDS = (("9x9", 10), ("16x16", 40), ("16x30", 99))


def pairs_table(games: int, seed: int) -> pd.DataFrame:
    """Return the 2 x 2 tables of PAIRS on the boards of 000, with a column `question` before."""
    from msdensity.compare import compare

    tables = []
    for question, source, players in PAIRS:
        for board, mines in BOARDS:
            table = compare(
                [(name, options) for name, options, _ in players],
                Board.parse(board),
                mines,
                games,
                seed,
                [Rules(first_click) for _, _, first_click in players],
            )
            table.insert(0, "question", f"{question} ({source})")
            tables.append(table)
    return pd.concat(tables, ignore_index=True)


def page(table: pd.DataFrame, pairs: pd.DataFrame) -> str:
    """Return the page of the target `players`, in Markdown: every cell and every comparison."""
    differing = [
        (name, role, float((rows["verdict"] == "differs").mean()))
        for name in table["table"].unique()
        for role in ROLES
        if len(rows := table[(table["table"] == name) & (table["role"] == role)])
    ]
    lines = [
        "# Published players beside the same players here",
        "",
        f"Games of each cell: {int(table['games'].iloc[0]):,}. A cell differs where |z| >="
        f" {DIFFERS} (one false alarm in 1,000). Percent; guesses a game. A row of role `test` is"
        " another reading of the start, the guess or the count of guesses.",
        "",
        "Share of cells that differ: "
        + "; ".join(f"{name} ({role}) {share:.0%}" for name, role, share in differing)
        + ".",
        "",
        "| table | player | start | role | board | measure | published | ours | z | verdict | us |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    row: Any
    for row in table.itertuples():
        lines.append(
            f"| {row.table} | {row.player} | {row.first_click}, {row.start} | {row.role} "
            f"| {row.board}/{row.mines} | {row.measure} | {row.published:g} "
            f"| {row.ours:.3f} +- {1.96 * row.ours_se:.3f} | {row.z:.1f} | {row.verdict} "
            f"| {row.cpu_us:.0f} |"
        )
    lines += [
        "",
        "## The same boards, game by game",
        "",
        "| question | board | first | second | both | first only | second only | neither | z |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in pairs.itertuples():
        lines.append(
            f"| {row.question} | {row.board}/{row.mines} | {row.first} | {row.second} | {row.both} "
            f"| {row.first_only} | {row.second_only} | {row.neither} | {row.z:.1f} |"
        )
    return "\n".join(lines) + "\n"
