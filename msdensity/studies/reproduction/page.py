"""The page of the reproduction: every number in it is read from the tables given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from msdensity.games.boards import Board
from msdensity.players.registry import player_name
from msdensity.runs.config import STUDY_FILES
from msdensity.studies.page import Page, run_command
from msdensity.studies.reproduction.ablation import ALONE, MENDED
from msdensity.studies.reproduction.results import POSSIBLE
from msdensity.studies.reproduction.settings import Settings

LIMIT = 3.29
"""|z| and chi-square are called a difference where chance would give as much once in 1,000."""

CLAIMED_LIMIT = (0.366581, 0.0305678, 0.158938)
"""a, b, c of section 9.3."""


@dataclass(frozen=True)
class Tables:
    """The tables of the reproduction, by the rule that makes each."""

    runs: pd.DataFrame
    agreement: pd.DataFrame
    fits: pd.DataFrame
    extrapolation: pd.DataFrame
    series: pd.DataFrame
    quoted: pd.DataFrame
    speed: pd.DataFrame
    ablation: pd.DataFrame


def reproduction_page(
    tables: Tables,
    figures: Mapping[str, str],
    study: Settings,
    file: str = STUDY_FILES["reproduction"],
) -> Page:
    """Return the page.

    figures: PNG files by name, as drawn by the rule reproduction_figures; file: of the
    study's settings.
    """
    page = Page(
        "On the critical density of Minesweeper boards: what holds of the published numbers"
    )
    _summary(page, tables)
    _played(page, study)
    _critical_densities(page, tables, figures)
    _quoted(page, tables)
    _ablation(page, tables, figures)
    _squares(page, tables, figures)
    _strips(page, tables, figures)
    _degenerate(page, tables, figures)
    _speed(page, tables)
    _how(page, file)
    return page


def _summary(page: Page, tables: Tables) -> None:
    page.text(
        '"On the critical density of Minesweeper boards" (3 May 2024; paper 001 in the code) '
        "defines the critical density P of a board as the inflection of a logistic curve fitted to "
        "the win rate of a solver, and prints P for all p x q boards up to 10 x 10 (Table B.2), "
        "from 1,000 games for every number of mines. It describes the solver twice: as algorithms "
        "in its text, and as a program in Annex A.1. They are different players. `listing` plays "
        "as the program does, `weighted` as the text says."
    )
    page.heading("In short")
    for row in _rows(tables.agreement):
        holds = "agree" if row.p_value > 1e-3 else "do not agree"
        page.text(
            f"The published P {holds} with those of `{row.player}`: chi-square "
            f"{row.chi_square:.1f} on {row.boards} boards (probability of more by chance "
            f"{_probability(row.p_value)}), mean z {row.mean_z:+.2f}; worst board "
            f"{row.worst_board}, z {row.worst_z:+.1f}. On {row.degenerate_possible} of the "
            f"{row.degenerate} boards with P = 0 or 1 at least {POSSIBLE:.0%} of its runs give the "
            "same."
        )


def _played(page: Page, study: Settings) -> None:
    sweep, strips = study.sweep, study.strips
    page.heading("What was played")
    boards = " and ".join(board.name for board in study.ablation.boards)
    page.text(
        f"All {len(sweep.boards)} boards of Table B.2 with {sweep.games:,} games for every "
        f"0 < m < pq by each player, {len(strips.boards)} longer 1 x q boards with "
        f"{strips.games:,} games, the boards of quoted win rates with {study.quoted.games:,}, and "
        f"for the price of each fault {study.ablation.games:,} games for every m on {boards} and "
        f"{study.ablation.spot_games:,} on the board of the quoted win rate. First click in a "
        "corner, always safe. Game g of a board is the same for every player."
    )
    page.text(
        "P of a player is the mean over simulated runs of the paper's size drawn from its games; "
        "sd is the spread of such a run; z = (published - mean) / sqrt(sd^2 + error of the mean^2)."
        " A game that the listed program would never end is given up and another board is dealt, "
        "as its authors do after 3 s; such games are left out of paired comparisons."
    )


def _critical_densities(page: Page, tables: Tables, figures: Mapping[str, str]) -> None:
    page.heading("Table B.2: critical densities")
    page.figure(
        figures["table_b2"],
        "Published P less the mean of each player, in standard deviations of one run. Grey: 99.9 % "
        "of what chance would give. Above 5 the scale is logarithmic.",
    )
    wide = tables.runs[["board", "P_published"]].drop_duplicates(ignore_index=True)
    wide = wide.rename(columns={"P_published": "published"})
    for player, own in tables.runs.groupby("player", sort=False):
        here = own.set_index("board").loc[wide["board"]]
        name = player_name(str(player))
        wide[f"{name}: P"] = [
            f"{P:.4f} ± {sd:.4f}" for P, sd in zip(here["P"], here["P_sd"], strict=True)
        ]
        wide[f"{name}: z"] = [
            _signed(f"{row.z:+.1f}") if row.inner else f"{row.same:.0%} same" for row in _rows(here)
        ]
    page.table(
        wide,
        "P ± sd of one run of 1,000 games for every m. Boards that are not in chi-square have no "
        "one spread; for them: how many runs give the published P to four decimals.",
        {"published": ".4f"},
    )


def _quoted(page: Page, tables: Tables) -> None:
    page.heading("Win rates quoted in the text")
    shown = tables.quoted[["board", "mines", "published", "player", "games", "redrawn"]].assign(
        ours=[
            f"{row.win_rate:.4f} ({row.win_rate_low:.4f} to {row.win_rate_high:.4f})"
            for row in _rows(tables.quoted)
        ],
        z=tables.quoted["z"],
    )
    page.table(shown, "Win rate, 95 % interval; z of the published one.", {"z": "+.1f"})
    seen: set[tuple[str, int]] = set()
    for row in _rows(tables.quoted):
        key = (str(row.board), int(row.mines))
        if row.luck < 0.01 or key in seen:
            continue
        seen.add(key)
        page.text(
            f"Section 8.1 explains the win rate of {row.board}/{row.mines} by luck, with a product "
            f"that as printed is {row.luck_as_printed:g}; random guessing after a safe first click "
            f"wins 1 / C(pq - 1, m) = {row.luck:.4f} of the games. The text's player does better "
            "because it counts the mines."
        )


def _ablation(page: Page, tables: Tables, figures: Mapping[str, str]) -> None:
    page.heading("What each fault of the program costs")
    page.text(
        "Each departure of the program from the text is a switch. A fault is priced twice, always "
        "on the same boards: mended in the listing with all others left in, and made alone by the "
        "player of the text. Faults meet: mending one alone can cost what mending all would gain."
    )
    page.figure(figures["ablation"], "Cost of each fault with its 95 % interval.")
    own = tables.ablation
    spot = own[own["mines"].notna()]
    board, mines = spot[["board", "mines"]].iloc[0]
    for where, words in ((MENDED, "Mended in the listing"), (ALONE, "Made alone by the text")):
        rows = spot[spot["where"] == where]
        sure = rows[rows["cost"].abs() > LIMIT * rows["cost_se"]]
        ranked = sure.reindex(sure["cost"].abs().sort_values(ascending=False).index)
        listed = "; ".join(
            f"{row.fault.replace('_', ' ')} {100 * row.cost:+.2f} ± {196 * row.cost_se:.2f}"
            for row in _rows(ranked)
        )
        page.text(f"{words}, costs beyond chance on {board}/{mines}, percent of games: {listed}.")
    shown = own.assign(
        where=own["where"].map({MENDED: "mended", ALONE: "alone"}),
        what=[
            f"P, {row.board}" if pd.isna(row.mines) else f"W, {row.board}/{row.mines}"
            for row in _rows(own)
        ],
        cost=[_signed(f"{row.cost:+.4f} ± {1.96 * row.cost_se:.4f}") for row in _rows(own)],
    )
    columns = ["fault", "where", "what", "games", "left_out", "with_fault", "without", "cost"]
    shown["p_value"] = ["" if pd.isna(p) else _probability(p) for p in own["p_value"]]
    page.table(
        shown[[*columns, "p_value"]],
        "Mended in the listing, or made alone by the player of the text. Cost = without - with the "
        "fault, 95 % interval; games of each m where P is given.",
        {"with_fault": ".4f", "without": ".4f"},
    )


def _squares(page: Page, tables: Tables, figures: Mapping[str, str]) -> None:
    page.heading("The limit of square boards")
    a, b, c = CLAIMED_LIMIT
    own = tables.extrapolation
    printed = own[own["player"] == "published"]
    whole: Any = printed.iloc[0]
    ends = printed["c"].dropna()
    page.text(
        f"Claimed: P = a/(q - b) + c with a = {a}, b = {b}, c = {c}, without errors. The published "
        f"diagonal gives a = {whole.a:.6f} ± {whole.a_se:.2f}, b = {whole.b:.4f} ± "
        f"{whole.b_se:.2f}, c = {whole.c:.6f} ± {whole.c_se:.3f} (one standard error). Over the "
        f"{len(printed)} ranges of at least four sides c goes from {ends.min():.3f} to "
        f"{ends.max():.3f}, and {len(printed) - len(ends)} of the fits run away: eight boards do "
        "not determine the limit."
    )
    page.figure(figures["squares"], "P of q x q boards and the fits over all q.")
    shown = pd.DataFrame(
        {
            "q": [f"{row.q_min}..{row.q_max}" for row in _rows(own)],
            "P of": [player_name(str(player)) for player in own["player"]],
            **{
                name: [
                    _with_error(getattr(row, name), getattr(row, f"{name}_se"))
                    for row in _rows(own)
                ]
                for name in "abc"
            },
        }
    )
    order = own.assign(i=range(len(own))).sort_values(["q_min", "q_max", "i"])["i"]
    page.table(shown.iloc[order], "Every range of q, one standard error; empty: runs away.")


def _strips(page: Page, tables: Tables, figures: Mapping[str, str]) -> None:
    page.heading("Boards 1 x q")
    page.text(
        "Claimed: fitted by a sum of a_n q^-n, the limit a_0 tends to 0 with the number of terms, "
        "so P of 1 x q tends to 0."
    )
    page.figure(figures["strips"], "P of 1 x q boards with fits of 2, 5 and 10 terms.")
    page.figure(figures["limits"], "a_0 by the number of terms, one standard error.")
    first = tables.series[tables.series["n"] == 0]
    shown = pd.DataFrame({"terms": sorted(first["terms"].unique())})
    for (player, low, high), own in first.groupby(["player", "q_min", "q_max"], sort=False):
        limits = own.set_index("terms").reindex(shown["terms"])
        shown[f"{player_name(str(player))}, q = {low}..{high}"] = [
            _with_error(a, se) for a, se in zip(limits["a"], limits["a_se"], strict=True)
        ]
    page.table(shown, "a_0 by the number of terms, one standard error.")
    for player, power, error, low, high in powers(tables.fits):
        page.text(
            f"`{player}`: P falls like q^-s over q = {low}..{high} with s = {power:.3f} ± "
            f"{error:.3f} (one standard error): it is this, not a_0, that speaks for a limit of 0."
        )


SMALLEST_POWER_SIDE = 15


def powers(fits: pd.DataFrame) -> list[tuple[str, float, float, int, int]]:
    """Return (player, s, its standard error, q_min, q_max) of P ~ q^-s over 1 x q, q >= 15."""
    result = []
    for player, own in fits.groupby("player", sort=False):
        board = [Board.parse(name) for name in own["board"]]
        long = [b.shape[0] == 1 and b.q >= SMALLEST_POWER_SIDE for b in board]
        rows = own[np.array(long, bool)]
        if len(rows) < 4:
            continue
        q, P = rows["q"].to_numpy(float), rows["P"].to_numpy(float)
        line, covariance = np.polyfit(np.log(q), np.log(P), 1, cov=True)
        error = float(np.sqrt(covariance[0, 0]))
        result.append((str(player), -float(line[0]), error, int(q.min()), int(q.max())))
    return result


def _degenerate(page: Page, tables: Tables, figures: Mapping[str, str]) -> None:
    page.heading("Boards where P is 0 or 1")
    page.text(
        "No fit finds an inflection there; P is the end of [0, 1] to which Q was clipped. Crosses "
        "are the points (0, 1) and (1, 0) that the method adds to every curve; hollow points were "
        "set to 0 by the W-correction."
    )
    page.figure(figures["degenerate"], "Win rates of `listing` and the fits on four such boards.")
    edge = tables.runs[tables.runs["inner"] == 0]["board"].unique()
    own = tables.fits[(tables.fits["player"] == "listing") & tables.fits["board"].isin(edge)]
    page.table(
        own[["board", "L", "k", "Q", "P", "note"]],
        "The fits of `listing` in words.",
        {"L": ".3f", "k": ".3g", "Q": ".3f", "P": ".3f"},
    )


def _speed(page: Page, tables: Tables) -> None:
    page.heading("Speed")
    told = tables.speed[tables.speed["times_as_fast"].notna()]
    for row in _rows(told):
        page.text(
            f"Section 10.2: a thousand {row.board}/{row.mines} boards in "
            f"{row.published_us * 1e-3 / 60:.0f} minutes. Here `{row.player}` plays a thousand in "
            f"{row.cpu_us * 1e-3:.3f} s of one core, {_round(row.times_as_fast)} times as fast "
            "(their machine is not told)."
        )


def _how(page: Page, file: str) -> None:
    page.heading("How to run it")
    page.code(run_command("reproduction", file))
    page.text(
        f"What is played stands in `{file}`; the tables of this page are "
        "the CSV files beside it, its rules are in `workflow/rules/reproduction.smk`, and what "
        "each number means in `msdensity/reproduction`. An interrupted run goes on where it "
        "stopped; a second run does nothing. All but the speed is the same to the last byte on "
        "any machine with the same versions of its libraries."
    )


def _rows(table: pd.DataFrame) -> Iterator[Any]:
    return iter(table.itertuples())


def _signed(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def _with_error(value: Any, error: Any) -> str:
    if not np.isfinite(value):
        return ""
    return _signed(f"{value:.4g}") + (f" ± {error:.2g}" if np.isfinite(error) else "")


def _probability(p: float) -> str:
    return f"{p:.2g}" if p >= 1e-300 else "less than 1e-300"


def _round(value: float) -> str:
    return f"{float(f'{value:.2g}'):,.0f}"
