"""The sections of the page of large boards on the law: its terms, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from msdensity.asymptotics.study import Study
from msdensity.asymptotics.words import (
    CLAIMED_LIMIT,
    NAMES,
    REJECTED,
    SIGMAS,
    Tables,
    rows,
    signed,
    with_errors,
)
from msdensity.page import Page

TERMS = {
    "start": "start, S(ρ)",
    "corner": "corner, ρ³ each",
    "edge": "edge, L ρ⁴",
    "bulk": "bulk, n ρ⁶",
    "start_next": "start, ρ³",
    "wall": "walled-in 0, ρ⁵",
    "corner_next": "corner, ρ⁴ each",
    "edge_next": "edge, L ρ⁵",
    "bulk_next": "bulk, n ρ⁷",
}


SETTLED_SEED = 20250608
"""Of the games that were looked at while the terms of the regression were chosen."""


def terms_section(page: Page, tables: Tables, figures: Mapping[str, str], study: Study) -> None:
    page.heading("The law, term by term")
    page.text(
        "-ln W = S(ρ) + 3 ρ³ a corner not yet opened + 2 L ρ⁴ + n ρ⁶, with L = 2 (p + q) and "
        "n = p q; S, of the corner start alone, is the guess after a first click that is safe but "
        "no 0. No number in it is fitted. Here the numbers are: a binomial regression with a log "
        "link on boards of all sizes together tells the terms apart by how they grow. As the "
        "number of mines is fixed, powers of ρ are those of drawing without replacement from the "
        "cells that the start does not protect. Enough games reject the leading terms alone; the "
        "regression that counts has the next order of each, which is fitted too. Among them is a "
        "first 0 that is walled in: in 45 ways 4 mines border the 3 x 3 cells opened and leave "
        "none certain, and the next cell is a mine with probability ρ. The model was settled on "
        f"games with seed {SETTLED_SEED}: the walled-in 0, the next order of S and of the bulk, "
        "and how mines are drawn in S came in because the regression was rejected without them."
        + (
            " The games here have another seed."
            if study.seed != SETTLED_SEED
            else " These are the same games, so that they are no test of it."
        )
    )
    page.figure(
        figures["law"], "-ln W over the law, one standard error; reduced win rates; 1 is the law."
    )
    glm = tables["glm"]
    main = glm[glm["main"] == 1]
    low = study.low_density
    for (counts, orders), own in main.groupby(["counts", "orders"], sort=False):
        first = own.iloc[0]
        shown = pd.DataFrame(
            {
                "term": own["term"].map(TERMS),
                "coefficient": with_errors(own, "value", "error", ".3f"),
                "law": own["law"],
                "z": own["z"],
            }
        )
        which = "leading terms" if orders == "leading" else "with the next orders"
        page.table(
            shown,
            f"{which.capitalize()}, {counts} counts: {first['rows']} win rates, sides from "
            f"{low.smallest}, densities up to {low.highest:g}; deviance {first['deviance']:.1f} "
            f"with {first['df']} degrees of freedom, p = {first['p_value']:.2g}.",
            {"law": "g", "z": ".1f"},
        )
    for orders, counts in (("next", "plain"), ("next", "reduced"), ("leading", "plain")):
        own = main[(main["counts"] == counts) & (main["orders"] == orders)].set_index("term")
        if not {"edge", "bulk"} <= set(own.index):
            continue
        words = [
            f"{row.Index} {row.value:.3f} ± {row.error:.2g} for {row.law:g} "
            f"(z = {signed(row.z, '.1f')})"
            for row in rows(own.loc[["edge", "bulk"]])
        ]
        p = float(own["p_value"].iloc[0])
        page.text(
            f"{'Leading terms alone' if orders == 'leading' else 'With the next orders'}, "
            f"{counts} counts: {words[0]}, {words[1]}; the regression as a whole is "
            + ("not rejected" if p > REJECTED else "rejected")
            + f" (p = {p:.2g})"
            + (
                ". Both coefficients agree with the law."
                if (own.loc[["edge", "bulk"], "z"].abs() < SIGMAS).all()
                else ". Where a coefficient differs by more than its error, orders left out are "
                "the first suspect: the scan shows whether it moves to the law as ρ falls."
            )
        )
    page.text(
        "Plain counts are binomial, as the test by deviance supposes. Reduced win rates stand for "
        "two to three times as many games, with errors that are estimated themselves: theirs is "
        "the harder test, and the rougher one."
    )
    page.figure(
        figures["coefficients"],
        "Each coefficient by the highest density used, 95 % intervals; grey: the law. Points of "
        "one colour share games.",
    )
    scan = glm[(glm["counts"] == "plain") & glm["term"].isin(["edge", "bulk"])]
    scan = scan.assign(c=with_errors(scan, "value", "error", ".3f"))
    wide = scan.pivot_table(
        index=["orders", "smallest_side", "highest_density", "p_value"],
        columns="term",
        values="c",
        aggfunc="first",
    ).reset_index()
    wide.columns.name = None
    page.table(
        wide,
        "Edge (law: 2) and bulk (law: 1) by smallest side and highest density, plain counts.",
        {"p_value": ".2g"},
    )


def fixed_section(page: Page, tables: Tables, figures: Mapping[str, str]) -> None:
    page.heading("One density below the claimed limit, larger and larger boards")
    page.text(
        f"If {CLAIMED_LIMIT:g} were a threshold, boards of a lower density would be won ever more "
        "surely, or at least no less, as they grow. Set -ln W = A + B q + C q²: corners, edges and "
        "bulk. With C > 0 every density, however low, is lost in the end."
    )
    page.figure(
        figures["fixed_density"],
        "-ln W against q, 95 % intervals; lines: fits; grey: W = 1/2.",
    )
    table = tables["fixed"]
    shown = table.assign(
        series=[NAMES[r, t] for r, t in zip(table["rule"], table["topology"], strict=True)],
        fitted=with_errors(table, "value", "error", ".4g"),
    )
    page.table(
        shown[
            [
                "density",
                "series",
                "boards",
                "q_max",
                "term",
                "fitted",
                "law",
                "above_0",
                "z",
                "p_value",
            ]
        ],
        "above_0: in standard errors; z: distance from the law; p: of the deviance.",
        {"law": ".4g", "above_0": ".1f", "z": ".1f", "p_value": ".2g"},
    )
    bulk = table[table["term"] == "C"]
    if len(bulk):
        best = bulk.iloc[int(bulk["above_0"].to_numpy().argmax())]
        sure = int((bulk["above_0"] > SIGMAS).sum())
        page.text(
            f"C is above 0 by more than {SIGMAS:g} standard errors in {sure} of {len(bulk)} fits, "
            f"by {best['above_0']:.1f} at ρ = {best['density']:g} "
            f"({NAMES[str(best['rule']), str(best['topology'])]})."
        )
    low = tables["low_density"]
    squares = low[(low["rule"] == "corner") & (low["p"] == low["q"])]
    below = squares[squares["density"] < CLAIMED_LIMIT]
    if len(below):
        top = below["density"].round(2).max()
        own = below[(below["density"] - top).abs() < 0.005].sort_values("q")
        words = ", ".join(
            f"{row.reduced:.3f} ± {row.reduced_se:.2g} ({row.q})" for row in rows(own)
        )
        page.text(f"W at ρ = {top:g} with the corner start, by q: {words}.")


def guesses_section(page: Page, tables: Tables, study: Study) -> None:
    page.heading("The losses are forced guesses")
    table = tables["guesses"]
    if not len(table):
        page.text("No board with a zero start was played at low density.")
        return
    page.text(
        "If all that is lost is lost at unavoidable evens, a game meets twice -ln W of them on "
        "average, and the chance to meet none is W². Both hold to leading order in ρ."
    )
    shown = table.rename(columns={"twice_log": "-2 ln W", "law_guesses": "law"})
    shown["ratio"] = table["no_guess"] / table["win_squared"]
    shown["guesses a game"] = with_errors(table, "guesses", "guesses_se", ".4f")
    near = np.zeros(len(shown), bool)
    for density in study.low_density.fixed:
        near |= np.abs(table["density"].to_numpy() - density) < 0.003
    columns = ["board", "density", "no_guess", "win_squared", "no_guess_z", "ratio"]
    columns += ["guesses a game", "-2 ln W", "law"]
    page.table(
        shown.loc[near, columns],
        "Zero start, some densities: games won without a guess, W², their difference in standard "
        "errors and ratio; guesses a game, -2 ln W, and what the law expects.",
        {"density": ".4f", "no_guess": ".4f", "win_squared": ".4f", "no_guess_z": ".1f"}
        | {"ratio": ".4f", "-2 ln W": ".4f", "law": ".4f"},
    )
    lowest = table[table["density"] <= table["density"].min() + 0.005]
    for name, own in (("lowest", lowest), ("highest", table.nlargest(len(lowest), "density"))):
        ratio = (own["no_guess"] / own["win_squared"]).to_numpy()
        page.text(
            f"At the {name} densities (up to {own['density'].max():.3f}) the ratio is "
            f"{ratio.min():.3f} to {ratio.max():.3f}."
        )


def aspect_section(page: Page, tables: Tables) -> None:
    page.heading("The shape of the board")
    table = tables["aspect"]
    if not len(table):
        page.text("No q x 2q board was played beside its square.")
        return
    page.text(
        "Section 9.3 takes the critical density of large boards not to depend on the aspect ratio "
        "p/q. Here q x 2q boards stand beside q x q ones: by the law their ratio is below 1 "
        "and tends to 2 to the power -1/6 = 0.891, for it is the number of cells that counts in "
        "the end."
    )
    shown = table.assign(ratio=with_errors(table, "ratio", "ratio_error", ".4f"))
    page.table(
        shown[["rule", "q", "square", "double", "ratio", "law_ratio", "z_equal", "z_law"]],
        "ρ50 of q x q and q x 2q and their ratio; z of a ratio of 1, and of the law's.",
        {"square": ".4f", "double": ".4f", "law_ratio": ".4f", "z_equal": ".1f", "z_law": ".1f"},
    )
    apart = table[table["z_equal"].abs() > SIGMAS]
    agree = table[table["z_law"].abs() <= SIGMAS]
    page.text(
        f"The two differ by more than {SIGMAS:g} standard errors in {len(apart)} of {len(table)} "
        f"pairs; the ratio agrees with the law's in {len(agree)}."
    )


def strips_section(page: Page, tables: Tables, figures: Mapping[str, str]) -> None:
    page.heading("Strips")
    page.text(
        "Boards of one or two rows have laws of their own. 1 x q: -ln W = (m - 1) ρ to leading "
        "order, so ρ50 = (1 + sqrt(1 + 4 q ln 2)) / (2q). 2 x q: each mine shares its column with "
        "a cell that nothing tells from it, so one mine is survived with W(1) = q/(2q - 1), "
        "exactly, and ρ50 falls as 1/(2q)."
    )
    page.figure(
        figures["strips"],
        "Left: ρ50 of strips with the laws of 1 x q and 2 x q; right: W of one mine on 2 x q.",
    )
    table = tables["strips"]
    shown = table.assign(
        board=[f"{p}x{q}" for p, q in zip(table["p"], table["q"], strict=True)],
        value=with_errors(table, "measured", "error", ".4f"),
        over=table["measured"] / table["theory"],
    )
    page.table(
        shown[["board", "quantity", "value", "theory", "over", "z"]],
        "Measured, theory, measured over theory, and the difference in standard errors.",
        {"theory": ".4f", "over": ".4f", "z": ".1f"},
    )
    single = table[(table["quantity"] == "W(1)") & table["z"].notna()]
    if len(single):
        worst = single.iloc[int(single["z"].abs().to_numpy().argmax())]
        page.text(
            f"W(1): the largest of {len(single)} differences is {signed(worst['z'], '.1f')} "
            f"standard errors, at 2 x {worst['q']}; "
            + ("all agree." if abs(worst["z"]) < SIGMAS else "not all agree.")
        )
    line = table[(table["p"] == 1) & (table["quantity"] == "rho50") & table["theory"].notna()]
    line = line[line["measured"].notna()].sort_values("q")
    if len(line):
        first, last = line.iloc[0], line.iloc[-1]
        page.text(
            f"1 x q: ρ50 over its law is {first['measured'] / first['theory']:.4f} at "
            f"q = {first['q']} and {last['measured'] / last['theory']:.4f} at q = "
            f"{last['q']} (z = {signed(last['z'], '.1f')})."
        )
