"""The page "Does the critical density converge?": every number in it is read from the tables."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from msdensity.asymptotics.law import COEFFICIENTS, law_exponent, law_terms
from msdensity.asymptotics.report_law import (
    aspect_section,
    fixed_section,
    guesses_section,
    strips_section,
    terms_section,
)
from msdensity.asymptotics.results import LARGE_SIDES, SERIES, SMALL_SIDES, squares_of
from msdensity.asymptotics.study import Study
from msdensity.asymptotics.words import (
    CLAIMED_LIMIT,
    NAMES,
    REJECTED,
    SIGMAS,
    Tables,
    listed,
    rows,
    signed,
    start_words,
    with_error,
    with_errors,
)
from msdensity.page import Page
from msdensity.rho50.control_variate import ALARM

FITTED = {
    "printed": "Table B.2 (another player)",
    "P": "P of our player",
    "rho50": "ρ50 of our player",
}


def asymptotics_page(tables: Tables, figures: Mapping[str, str], study: Study) -> Page:
    """Return the page.

    tables: RESULT_COLUMNS by name, `safeties`, `low_density` (GAMES_COLUMNS) and `plan`; figures:
    PNG files by name, as drawn by the rule asymptotics_figures.
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
    _how(page)
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


def _played(page: Page, tables: Tables, study: Study) -> None:
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


def _how(page: Page) -> None:
    page.heading("How to run it")
    page.code("snakemake --cores 2 asymptotics")
    page.text(
        "What is played stands in `workflow/config/asymptotics.yaml`: one side more in a list "
        "plays that side alone, and a smaller `relative_error` plays what it lacks. An interrupted "
        "run goes on where it stopped. The tables of this page are the CSV files beside it; "
        "`plan.csv` says what a run costs, and is made before it is spent."
    )
