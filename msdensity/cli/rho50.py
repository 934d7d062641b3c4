"""`msdensity rho50`: the density at which half the games are won, to a wanted error."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from msdensity.cli.output import print_json, terminal
from msdensity.cli.parser import whole_number
from msdensity.cli.setup import add_setup, read_setup
from msdensity.errors import InputError
from msdensity.kernel.limits import check_threads

if TYPE_CHECKING:
    from msdensity.runs.measure import Measurement, Pilot
    from msdensity.stats.rho50.design import Design

NO_FIT, INTERRUPTED = 1, 130

LONG = 60.0
"""CPU seconds above which the command says beforehand how long it takes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = (
        "A pilot brackets W = 1/2, for a small error with a twelfth of the games; these are not "
        "counted. Then up to 9 numbers of mines are "
        "played, most games at the two around rho50. The cost is printed before and after that. "
        "k, bend: steepness of the curve W = 2^-(r^(k + bend ln r)), r = density / rho50, and its "
        "change. Window: the densities fitted. Effective games: plain ones that give the same "
        "error. Falling sequence: rho50 without a curve. Deviance, p: a small p rejects the curve. "
        "Other win rates: `msdensity difficulty --win-rate`."
    )
    parser.add_argument(
        "--error",
        type=float,
        default=1e-3,
        help="wanted standard error of rho50 (default: %(default)s)",
    )
    parser.add_argument(
        "--pilot-games",
        type=whole_number,
        default=500,
        metavar="N",
        help="games of the pilot (default: %(default)s)",
    )
    parser.add_argument("--plan-only", action="store_true", help="print the cost and stop")
    add_setup(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command; return its exit status."""
    from msdensity.runs.measure import Stopped, measure, pilot, plan_rho50, refine
    from msdensity.runs.progress import duration

    if not 0 < arguments.error < 1:
        raise InputError(f"error={arguments.error} must be in (0, 1)")
    setup = read_setup(arguments)
    setup.task(1)  # refuses what no board can be
    check_threads(arguments.threads, setup.board.shape, setup.board.topology)
    found = pilot(setup, arguments.pilot_games)
    planned = plan_rho50(setup, found, arguments.error)
    if not arguments.json or arguments.plan_only:
        _print_plan(found, planned, arguments.json)
    if arguments.plan_only:
        return 0
    if planned.cpu_seconds > LONG:
        print(
            f"msdensity rho50: this takes about {duration(planned.cpu_seconds)} of one core;"
            " --plan-only prints the plan alone, and Ctrl-C a fit to the games played until then",
            file=sys.stderr,
        )
    refined = refine(setup, found, arguments.error, arguments.threads, log=terminal())
    if refined is not found:
        found, planned = refined, plan_rho50(setup, refined, arguments.error)
        if not arguments.json:
            _print_plan(found, planned, False)
    try:
        result = measure(setup, planned, arguments.threads, terminal())
    except Stopped as stopped:
        result = stopped.measurement
        games = sum(count["games"] for count in result.counts.values())
        print(
            f"msdensity rho50: stopped early, after {games:,} of {planned.total:,} games",
            file=sys.stderr,
        )
        _print_result(found, planned, result, arguments.error, arguments.json)
        return INTERRUPTED
    _print_result(found, planned, result, arguments.error, arguments.json)
    return NO_FIT if result.best.no_fit else 0


def _plan_facts(found: Pilot, planned: Design) -> dict[str, object]:
    return {
        "pilot_games": found.games,
        "pilot_rho50": found.rho50,
        "pilot_k": found.k,
        "mines": planned.mines.tolist(),
        "games_each": planned.games.tolist(),
        "expected_error": planned.error,
        "expected_cpu_seconds": planned.cpu_seconds,
    }


def _print_plan(found: Pilot, planned: Design, as_json: bool) -> None:
    if as_json:
        print_json(_plan_facts(found, planned))
        return
    print(f"pilot: {found.games:,} games, rho50 about {found.rho50:.4f}, k about {found.k:.2f}")
    print(f"plan: {planned.report()}")
    sys.stdout.flush()


def _print_result(
    found: Pilot, planned: Design, result: Measurement, wanted: float, as_json: bool
) -> None:
    from msdensity.runs.measure import missed

    best = result.best
    if as_json:
        facts = _plan_facts(found, planned) | {
            "rho50": best.rho50,
            "rho50_low": best.interval.low,
            "rho50_high": best.interval.high,
            "error": best.error,
            "k": best.k,
            "bend": best.bend,
            "plain_rho50": result.plain.rho50,
            "plain_error": result.plain.error,
            "deviance": best.deviance,
            "df": best.df,
            "p_value": best.p_value,
            "error_scale": best.scale,
            "window": best.window,
            "no_fit": best.no_fit,
            "warnings": best.warnings(),
            "wanted_error": wanted,
            "games": sum(count["games"] for count in result.counts.values()),
            "safety_z": {
                str(m): rate.z if rate.tested else None for m, rate in result.rates.items()
            },
            "approximate_games": result.approximate,
            "cpu_seconds": result.cpu_seconds,
        }
        print_json(facts)
        return
    print(f"spent: {result.cpu_seconds:.3g} CPU seconds")
    if result.approximate:
        games = sum(count["games"] for count in result.counts.values())
        print(
            f"too large for exact counting: a position in {result.approximate:,} of {games:,} games"
        )
    if result.reduced is not None:
        print("variance-reduced by the outcomes of guesses:")
        print(result.reduced.report())
        print("from wins and losses alone:")
    print(result.plain.report())
    if result.rates:
        tested = [abs(rate.z) for rate in result.rates.values() if rate.tested]
        worst = f"{max(tested):.2f}" if tested else "not tested, too few guesses"
        print(f"safeties: largest |z| of the mean of Z_0 for a number of mines: {worst}")
    if text := missed(best.error, wanted):
        print(f"warning: {text}")
