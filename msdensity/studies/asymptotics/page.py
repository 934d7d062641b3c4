"""The page "Does the critical density converge?": every number in it is read from the tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from msdensity.runs.config import STUDY_FILES
from msdensity.stats.rho50.control_variate import ALARM
from msdensity.studies.asymptotics.law import COEFFICIENTS, law_exponent, law_terms
from msdensity.studies.asymptotics.results import LARGE_SIDES, SERIES, SMALL_SIDES, squares_of
from msdensity.studies.asymptotics.settings import Settings
from msdensity.studies.page import Page, run_command

FITTED = {
    "printed": "Table B.2 (another player)",
    "P": "P of our player",
    "rho50": "ρ50 of our player",
}


def asymptotics_page(
    tables: Tables,
    figures: Mapping[str, str],
    study: Settings,
    file: str = STUDY_FILES["asymptotics"],
) -> Page:
    """Return the page.

    tables: RESULT_COLUMNS by name, `safeties`, `low_density` (GAMES_COLUMNS) and `plan`; figures:
    PNG files by name, as drawn by the rule asymptotics_figures; file: of the study's settings.
    """
    page = Page("Does the critical density converge?")
    _answer(page, tables)
    _played(page, tables, study)
    _falls(page, tables, figures)
    _published(page, tables)
    _rivals(page, tables)
    _exponent(page, tables)
    terms_section(page, tables, figures, study)
    fixed_section(page, tables, figures)
    guesses_section(page, tables, study)
    aspect_section(page, tables)
    strips_section(page, tables, figures)
    _caveats(page, tables)
    _how(page, file)
    return page


def _answer(page: Page, tables: Tables) -> None:
    page.text(
        '"On the critical density of Minesweeper boards" (2024, paper 001) fits a/(q - b) + c to '
        f"the critical densities of q x q boards up to q = {SMALL_SIDES} and reads c = "
        f"{CLAIMED_LIMIT:g} as their limit. The claim is about large boards; this page plays them."
    )
    critical = tables["critical"]
    below = [
        (row, (CLAIMED_LIMIT - row.P) / row.P_sd)
        for row in rows(critical[critical["P_sd"] > 0])
        if row.q > SMALL_SIDES
    ]
    past = [(row, sigma) for row, sigma in below if sigma > SIGMAS]
    if past:
        row, sigma = past[0]
        page.text(
            f"It does not hold. P is {with_error(row.P, row.P_sd)} at q = {row.q}, {sigma:.1f} "
            f"standard errors below {CLAIMED_LIMIT:g}"
            + (
                f", and {with_error(past[-1][0].P, past[-1][0].P_sd)} at q = {past[-1][0].q}, "
                f"{past[-1][1]:.1f} below."
                if len(past) > 1
                else "."
            )
        )
    else:
        page.text(
            f"The boards played do not decide it: none with q > {SMALL_SIDES} has P more than "
            f"{SIGMAS:g} standard errors below {CLAIMED_LIMIT:g}."
        )
    for rule, topology in SERIES:
        own = squares_of(tables["rho50"], rule, topology)
        if len(own) < 2:
            continue
        first, last = own.iloc[0], own.iloc[-1]
        ends = with_errors(own.iloc[[0, -1]], "rho50", "error")
        page.text(
            f"With the {start_words(rule, topology)} the density where half the games are won, "
            f"ρ50, falls from {ends[0]} at q = {first['q']} to {ends[1]} at q = {last['q']}, where "
            f"the law without a free parameter says {last['law']:.4f}."
        )
    page.text(
        "Why it falls without end is known: every cell of a large board has a chance, however "
        "small, to become part of a guess that no deduction can avoid, so -ln W has a term n ρ⁶ "
        "and ρ50 falls as n to the power -1/6 in the end, q to the power -1/3. That the threshold "
        "of the best possible player has this order is a theorem (Louf, arXiv 2506.01634)."
    )


def _played(page: Page, tables: Tables, study: Settings) -> None:
    page.heading("What was played")
    plan, safeties = tables["plan"], tables["safeties"]
    total = safeties[safeties["games_of"] == "all"].iloc[0]
    page.text(
        f"{total['games']:,} games by the player `weighted`, which opens a safest cell by exact "
        "safeties. Corner start: the first click is a corner and safe, the rule of the paper. Zero "
        "start: it is in the middle and no mine touches it. Each board first had a pilot of "
        f"{study.pilot_games:,} games for each number of mines tried, which fixed what to play and "
        "the window of the fit and was then left out; the other parts share no game either. Games "
        f"were planned for a standard error of {study.precision.relative_error:.2%} of ρ50."
    )
    shown = pd.DataFrame(
        [
            {
                "part": part,
                "boards": len(own),
                "games": int((own["points"] * own["games"]).sum()),
                "planned CPU s": own["cpu_seconds"].sum(),
            }
            for part, own in plan.groupby("games_of", sort=False)
        ]
    )
    page.table(
        shown,
        "The plan, before anything was played; seconds by a rule of thumb.",
        {"games": ",", "planned CPU s": ",.0f"},
    )
    page.text(
        "At every guess the player states the chance that the cell is safe. Over all guesses the "
        "outcomes less these chances must average 0 a game, which tests every safety: the run "
        f"stops beyond {ALARM:g} standard errors. Here {total['guesses']:,} guesses give z = "
        f"{signed(total['z'], '.2f')}. The same sums take variance off the win rates; all ρ50 "
        "below rest on those, and the plain counts stand beside them."
    )
    page.table(
        safeties,
        "The test of the safeties; largest |z| of a board and number of mines with "
        "at least 1,000 guesses.",
        {"games": ",", "guesses": ",", "mean_z0": ".2g", "z": ".2f", "largest_z": ".2f"},
    )


def _falls(page: Page, tables: Tables, figures: Mapping[str, str]) -> None:
    page.heading("The critical density falls with the board")
    page.figure(
        figures["win_rates"],
        "Win rates of growing squares, corner start; lines: the law; dashed: the claimed limit.",
    )
    page.figure(
        figures["rho50"],
        "ρ50 of squares, 95 % intervals (smaller than most symbols); lines: the law; grey: "
        f"a/(q - b) + c fitted to q ≤ {SMALL_SIDES} and its 95 % band; dashed: the claimed limit.",
    )
    rho50 = tables["rho50"]
    for rule, topology in SERIES:
        own = squares_of(rho50, rule, topology)
        if not len(own):
            continue
        shown = pd.DataFrame(
            {
                "q": own["q"],
                "ρ50": with_errors(own, "rho50", "error"),
                "95 % interval": [
                    f"{a:.5f} to {b:.5f}" for a, b in zip(own["low"], own["high"], strict=True)
                ],
                "plain": with_errors(own, "plain", "plain_error"),
                "games worth": own["gain"],
                "local logit": with_errors(own, "logit", "logit_error"),
                "k": own["k"],
                "deviance": own["deviance"],
                "df": own["df"],
                "p": own["p_value"],
                "law": own["law"],
            }
        )
        page.table(
            shown,
            f"Squares, {start_words(rule, topology)}: W = 2^-((ρ/ρ50)^k) by maximum likelihood. "
            "Games worth: variance ratio of plain to reduced.",
            {"games worth": ".2f", "k": ".2f", "deviance": ".1f", "p": ".2g", "law": ".4f"},
        )
        large = own[own["q"] >= LARGE_SIDES]
        if len(large):
            off = (large["rho50"] / large["law"] - 1).abs().max()
            page.text(
                f"From q = {large['q'].min()} on, the law with the "
                f"{start_words(rule, topology)} is within {off:.1%} of the measurement."
            )
        rejected = own[own["p_value"] < REJECTED]
        if len(rejected):
            page.text(
                f"The curve itself is rejected (p < {REJECTED:g}) for q = {listed(rejected['q'])}: "
                "there two parameters are too few for so many games, and the local logit says how "
                "far that moves ρ50. What to distrust of each board is in the last column of "
                "rho50.csv."
            )
    critical = tables["critical"]
    shown = pd.DataFrame(
        {
            "q": critical["q"],
            "games each": critical["games"],
            "P": with_errors(critical, "P", "P_sd"),
            "below claimed limit": (CLAIMED_LIMIT - critical["P"]) / critical["P_sd"],
            "distrust": critical["note"],
        }
    )
    if not critical["note"].any():
        shown = shown.drop(columns="distrust")
    page.table(
        shown,
        "The published quantity: P, the inflection of a logistic fitted to the whole curve, by our "
        f"player, corner start. Above q = {SMALL_SIDES} on a grid of densities. Below: "
        f"{CLAIMED_LIMIT:g} less P in standard errors.",
        {"games each": ",", "below claimed limit": ".1f"},
    )


def _published(page: Page, tables: Tables) -> None:
    page.heading("The published extrapolation, tested on what it predicts")
    table = tables["published"]
    if not len(table):
        page.text("Too few boards were played to fit and test it.")
        return
    shown = pd.DataFrame(
        {
            "fitted to": table["fitted"].map(FITTED),
            "weights": table["weights"],
            "c": with_errors(table, "c", "c_se", ".4f"),
            "q": table["q"],
            "predicted": with_errors(table, "predicted", "predicted_error", ".4f"),
            "measured": with_errors(table, "measured", "measured_error", ".4f"),
            "z": table["z"],
            "c less measured": table["below_limit"],
        }
    )
    page.table(
        shown,
        "a/(q - b) + c fitted to small boards, and large ones; z: measured less predicted, and c "
        "less measured, in standard errors of the difference (errors of the fit propagated).",
        {"z": ".1f", "c less measured": ".1f"},
    )
    printed = table[table["fitted"] == "printed"]
    if len(printed):
        first = printed.iloc[0]
        low, high = first["c"] - 1.96 * first["c_se"], first["c"] + 1.96 * first["c_se"]
        page.text(
            f"The curve of the paper gives c = {first['c']:.4f} with a standard error of "
            f"{first['c_se']:.3f} from its own scatter: its 95 % interval, {low:.3f} to "
            f"{high:.3f}, excludes no density reached at any q played. The three digits of the "
            "claim are not in the data it rests on."
            if not (printed["below_limit"] > 1.96).any()
            else f"The curve of the paper gives c = {first['c']:.4f} ± {first['c_se']:.3f}, which "
            f"P at q = {listed(printed.loc[printed['below_limit'] > 1.96, 'q'])} contradicts even "
            "with that error."
        )
        page.text(
            "It also comes from another player than ours, the paper's program, so that its "
            "comparison with our P is of players too. The test that counts is of one player's "
            f"small boards against the same player's large ones: our P up to q = {SMALL_SIDES} "
            "against our P, and our ρ50 against our ρ50."
        )
    for fitted in ("P", "rho50"):
        for weights in ("equal", "errors"):
            own = table[(table["fitted"] == fitted) & (table["weights"] == weights)]
            own = own[own["z"].notna()]
            if not len(own):
                continue
            worst = own.iloc[int(own["z"].abs().to_numpy().argmax())]
            verdict = "misses" if abs(worst["z"]) > SIGMAS else "is not contradicted by"
            kind = "weighted equally, as published" if weights == "equal" else "weighted by errors"
            page.text(
                f"{FITTED[fitted]}, {kind}: the prediction {verdict} the large boards; at q = "
                f"{worst['q']} it is {worst['predicted']:.4f} ± {worst['predicted_error']:.2g} and "
                f"the measurement {worst['measured']:.4f} ± {worst['measured_error']:.2g}, z = "
                f"{signed(worst['z'], '.1f')}."
            )
    page.text(
        "Predictions at several q rest on one fit: their z are not independent. Weights by error "
        "take the curve to be exact on small boards, which it is not (they depend on whether q is "
        "odd); equal weights take their error from that scatter."
    )


def _doubling(sides: list[int]) -> list[int]:
    """Return the smallest side, each that is at least twice the one before, and the largest."""
    kept = [min(sides)]
    for side in sorted(sides):
        if side >= 2 * kept[-1]:
            kept.append(side)
    return [*kept, max(sides)]


def _rivals(page: Page, tables: Tables) -> None:
    page.heading("A limit, a power, or the law")
    table = tables["models"]
    if not len(table):
        page.text("Too few squares were played to compare models.")
        return
    page.text(
        "Three rivals for ρ50 against q, and a multiple of the law. AICc weighs the fit against "
        "its parameters (lower is better); left_out_z predicts each size from the others. Shown "
        "are some of the smallest sides; models.csv has all."
    )
    names = {"hyperbola": "a/(q - b) + c", "power": "a q^-s", "law": "law", "scaled_law": "s x law"}
    for (rule, topology), own in table.groupby(["rule", "topology"], sort=False):
        columns = ["q_min", "n", "model", "chi2", "df", "p_value", "delta_aicc", "left_out_z"]
        shown = own.assign(model=own["model"].map(names))[[*columns, "parameters"]]
        page.table(
            shown[shown["q_min"].isin(_doubling(shown["q_min"].unique().tolist()))],
            f"Models of ρ50, {start_words(str(rule), str(topology))}, by smallest q.",
            {"chi2": ".1f", "p_value": ".2g", "delta_aicc": ".1f", "left_out_z": ".1f"},
        )
        limits = own[(own["model"] == "hyperbola") & own["limit"].notna()]
        if len(limits) > 1:
            first, last = limits.iloc[0], limits.iloc[-1]
            ends = [with_error(row["limit"], row["limit_error"], ".4f") for row in (first, last)]
            page.text(
                f"The limit c of the hyperbola goes with the boards it is fitted to: {ends[0]} "
                f"from q ≥ {first['q_min']} and {ends[1]} from q ≥ {last['q_min']}."
            )
        best = own.loc[own.groupby("q_min")["delta_aicc"].idxmin()]
        held = best[best["p_value"] > REJECTED]
        last = best.iloc[-1]
        page.text(
            f"From q ≥ {last['q_min']} the lowest AICc is that of {names[str(last['model'])]} "
            f"(chi2 {last['chi2']:.1f} with {last['df']} degrees of freedom, p = "
            f"{last['p_value']:.2g}). "
            + (
                "No model of these is good at any range of q: the errors are small enough to see "
                "what each leaves out."
                if not len(held)
                else f"A model with p > {REJECTED:g} is found from q ≥ "
                f"{held['q_min'].min()} on ({names[str(held.iloc[0]['model'])]})."
            )
        )


def _exponent(page: Page, tables: Tables) -> None:
    page.heading("How steeply it falls")
    table = tables["exponents"]
    if not len(table):
        page.text("Too few squares were played.")
        return
    page.text(
        "The exponent s of ρ50 ~ q^-s between one size and the next. A limit above 0 would take it "
        f"to 0; the law takes it to 1/3, slowly: {law_exponent(64):.2f} at q = 64, "
        f"{law_exponent(512):.2f} at q = 512 and {law_exponent(10**5):.2f} at q = 100,000 with the "
        "corner start."
    )
    shown = table.assign(
        series=[NAMES[r, t] for r, t in zip(table["rule"], table["topology"], strict=True)],
        sides=[f"{a} to {b}" for a, b in zip(table["q_low"], table["q_high"], strict=True)],
        s=with_errors(table, "exponent", "error", ".3f"),
    )
    page.table(
        shown[["series", "sides", "s", "law", "z"]],
        "z: s less the law's in standard errors.",
        {"law": ".3f", "z": ".1f"},
    )
    for (rule, topology), own in table.groupby(["rule", "topology"], sort=False):
        if len(own) < 2:
            continue
        first, last = own.iloc[0], own.iloc[-1]
        change = last["exponent"] - first["exponent"]
        sigma = change / np.hypot(first["error"], last["error"])
        page.text(
            f"{start_words(str(rule), str(topology)).capitalize()}: s goes from "
            f"{signed(first['exponent'], '.3f')} to {signed(last['exponent'], '.3f')}, a change of "
            f"{signed(sigma, '.1f')} standard errors; a curve that levels off would have it fall."
        )


def _caveats(page: Page, tables: Tables) -> None:
    page.heading("What this does not show")
    squares = squares_of(tables["rho50"], "corner", "square8")
    if len(squares):
        last = squares.iloc[-1]
        side = int(last["q"])
        parts = law_terms((side, side), last["rho50"])
        edge, bulk = (COEFFICIENTS[name] * float(parts[name]) for name in ("edge", "bulk"))
        page.text(
            f"No experiment reaches the limit. Squares with the corner start end at q = {side}, "
            f"where the law gives the edge {edge:.2f} and the bulk {bulk:.2f} of -ln W at ρ50: the "
            "exponent of 1/3 is "
            + ("still far. " if bulk < 2 * edge else "near. ")
            + "Measured are the fall and the terms that cause it; that the limit is 0 is a theorem."
        )
    page.text(
        "The law counts the smallest unavoidable guesses alone. Near ρ50 of small boards larger "
        "ones are not rare, and there the law is off by many of our standard errors: it is tested "
        "at low densities.\n\n"
        "The player opens a safest cell, which is not optimal; a better one would win a little "
        "more at every density. Unavoidable guesses cost every player the same.\n\n"
        "P and ρ50 are not the same number, nor are the players of Table B.2 and of this page the "
        "same player: each comparison above says which it is of."
    )


def _how(page: Page, file: str) -> None:
    page.heading("How to run it")
    page.code(run_command("asymptotics", file))
    page.text(
        f"What is played stands in `{file}`: one side more in a list "
        "plays that side alone, and a smaller `relative_error` plays what it lacks. An interrupted "
        "run goes on where it stopped. The tables of this page are the CSV files beside it; "
        "`plan.csv` says what a run costs, and is made before it is spent."
    )


CLAIMED_LIMIT = 0.159
"""The asymptotic critical density of paper 001 (abstract and section 9.3), as rounded there."""

SIGMAS = 3.0
"""Called agreement up to so many standard errors: beyond, chance gives one in 370."""

REJECTED = 0.01

NAMES = {
    ("corner", "square8"): "corner",
    ("zero", "square8"): "zero",
    ("zero", "torus8"): "torus",
}

Tables = Mapping[str, pd.DataFrame]
"""RESULT_COLUMNS by name, `safeties`, `low_density` (GAMES_COLUMNS) and `plan`."""


def start_words(rule: str, topology: str) -> str:
    """Return the name of a start rule and topology."""
    if topology == "torus8":
        return "zero start on a torus"
    return "corner start" if rule == "corner" else "zero start in the middle"


def rows(table: pd.DataFrame) -> Iterator[Any]:
    """Yield the rows with the columns as attributes."""
    return iter(table.itertuples())


def listed(values: pd.Series) -> str:
    """Return the values joined by commas."""
    return ", ".join(str(value) for value in values)


def signed(value: float, specification: str) -> str:
    """Return a number with a minus sign of the width of a plus."""
    return format(value, specification).replace("-", "\N{MINUS SIGN}")


def with_error(value: float, error: float, specification: str = ".5f") -> str:
    """Return value ± standard error, to the second digit of the error; empty without a value.

    specification: of a value without an error.
    """
    if not np.isfinite(value):
        return ""
    if not (np.isfinite(error) and error > 0):
        return signed(value, specification)
    decimals = max(0, 1 - math.floor(math.log10(error)))
    return f"{signed(value, f'.{decimals}f')} ± {error:.{decimals}f}"


def with_errors(
    table: pd.DataFrame, value: str, error: str, specification: str = ".5f"
) -> list[str]:
    """Return `with_error` of every row."""
    pairs = zip(table[value], table[error], strict=True)
    return [with_error(float(a), float(b), specification) for a, b in pairs]


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


def terms_section(page: Page, tables: Tables, figures: Mapping[str, str], study: Settings) -> None:
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


def guesses_section(page: Page, tables: Tables, study: Settings) -> None:
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
