"""What every sub-command of `msdensity` is asked, and the help that explains it."""

from __future__ import annotations

import argparse

from msdensity.kernel.names import FIRST_CLICKS, STARTS, TOPOLOGIES
from msdensity.players.registry import PLAYERS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the sub-commands; `command` of the result names the one that was chosen."""
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, text: str, epilog: str = "") -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=text[0].lower() + text[1:].removesuffix("."),
            description=text,
            epilog=epilog or None,
            add_help=name != "bench",
            allow_abbrev=False,
        )

    _play(
        command(
            "play",
            "Play games and count how they end, or show one game move by move.",
            "Game g depends on the board, mines, topology and seed only: every player and start "
            "meets the same boards, whatever the number of threads. CPU seconds leave out the "
            "compilation. Ctrl-C prints what was played so far.",
        )
    )
    _rho50(
        command(
            "rho50",
            "Measure the density at which half the games are won, to a wanted error.",
            "A pilot brackets W = 1/2; its games are not counted. Then equal games are played on "
            "up to 7 numbers of mines. The cost is printed before they are and after.",
        )
    )
    _analyse(
        command(
            "analyse",
            "Say of every unknown cell of a position how safe it is, and what is certain.",
            "Example: printf '.2F\\n...\\n' | msdensity analyse --mines 2",
        )
    )
    _plan(
        command(
            "plan",
            "Say what a configuration will cost before it runs, by a pilot on this machine.",
            "Example: msdensity plan workflow/config/paper.yaml",
        )
    )
    _provenance(
        command(
            "provenance",
            "Say where a result comes from, and how to make it again.",
            "Example: msdensity provenance figures/paper/figure_9_6.pdf. A copy under another name "
            "is known by its content. Exit status 1 if the file was changed since it was made.",
        )
    )
    _verify(
        command(
            "verify",
            "Play a random sample of recorded games again and compare.",
            "Every ledger below DATA is read and its checksums tested. Exit status 1 if a row does "
            "not come out the same.",
        )
    )
    command("bench", "Measure the kernel on this machine; see `msdensity bench --help`.")
    _json(command("warmup", "Compile every player once for this machine and version."))
    _json(command("players", "List every player with its source and options."))


def _provenance(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a table, figure or page that Snakemake made")
    parser.add_argument(
        "--records", default="provenance", metavar="FOLDER", help="(default: %(default)s)"
    )
    parser.add_argument(
        "--config", action="store_true", help="print the configuration it was made with, as YAML"
    )
    _json(parser)


def _verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "data", nargs="?", default="data", help="a folder with ledgers, or one (default: data)"
    )
    parser.add_argument("--rows", type=int, default=20, help="how many (default: %(default)s)")
    parser.add_argument(
        "--seed", type=int, help="of the sample (default: another sample every time)"
    )
    parser.add_argument(
        "--board",
        action="append",
        default=[],
        metavar="FILE.json",
        help="neighbours of a board of one's own that the ledgers are of; may be given again",
    )
    _json(parser)


def _plan(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", metavar="CONFIG", help="a YAML file, as for the workflow")
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        default="data",
        help="where games already played are found (data)",
    )


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _topology(parser: argparse.ArgumentParser, default: str | None, note: str) -> None:
    parser.add_argument(
        "--topology",
        metavar="NAME",
        default=default,
        help=f"which cells are neighbours: {', '.join(TOPOLOGIES)} ({note})",
    )


def _play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mines", required=True, type=int, metavar="M", help="mines on the board")
    parser.add_argument("--games", type=int, default=1000, help="how many (default: %(default)s)")
    parser.add_argument(
        "--first-game", type=int, default=0, metavar="G", help="from which on (default: 0)"
    )
    parser.add_argument(
        "--show", type=int, metavar="G", help="show game G move by move instead of counting"
    )
    _way(parser)


def _rho50(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--error", type=float, default=1e-3, help="standard error of rho50 (default: %(default)s)"
    )
    parser.add_argument(
        "--pilot-games", type=int, default=500, metavar="N", help="(default: %(default)s)"
    )
    parser.add_argument("--plan-only", action="store_true", help="print the cost and stop")
    _way(parser)


def _way(parser: argparse.ArgumentParser) -> None:
    """Who plays where: what `play` and `rho50` are asked alike."""
    parser.add_argument(
        "--board",
        required=True,
        metavar="PxQ",
        help="rows x columns, such as 16x30, or a file of neighbours, such as ring.json",
    )
    parser.add_argument(
        "--player",
        default="weighted",
        metavar="NAME",
        help=f"{', '.join(PLAYERS)} (default: %(default)s; see `msdensity players`)",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the player, such as ties=random; may be repeated",
    )
    _topology(parser, None, "default: square8, or as the board says")
    parser.add_argument(
        "--first-click",
        default="corner",
        metavar="WHERE",
        help=f"{', '.join(FIRST_CLICKS)}, cell:INDEX or ROW,COLUMN (default: %(default)s)",
    )
    parser.add_argument(
        "--start",
        default="safe",
        metavar="RULE",
        help=f"what the first click is promised: {', '.join(STARTS)} (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=0, help="(default: 0)")
    parser.add_argument("--threads", type=int, default=1, help="(default: 1)")
    _json(parser)


def _analyse(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        default="-",
        help="a text file, one line a row: . unknown, digits (a, b, ... for 10, 11, ...), "
        "F flag; - (default) reads standard input",
    )
    parser.add_argument(
        "--mines", type=int, metavar="M", help="total, flagged ones included (default: not known)"
    )
    _topology(parser, "square8", "default: square8")
    parser.add_argument(
        "--shape",
        metavar="AxBxC",
        help="sides of a board with layers, whose rows follow each other",
    )
    parser.add_argument(
        "--ignore-flags", action="store_true", help="take flagged cells for unknown ones"
    )
    _json(parser)
