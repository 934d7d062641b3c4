"""The command `msdensity`: one file for each sub-command, loaded only when it is needed."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from msdensity.cli.parser import Parser, Version
from msdensity.errors import InputError, did_you_mean, shown

BAD_INPUT, NO_ROOM, INTERRUPTED = 2, 74, 130

COMMANDS = {
    "play": "Play games and count how they end, or show one game move by move.",
    "density": "Show how dense a board can be, from a table, an estimate or new games.",
    "rho50": "Measure the density at which half the games are won, to a wanted error.",
    "difficulty": "Count the rules or guesses that games take, or find the mines for a win rate.",
    "exact": "Count the wins of all layouts of a small board: exact win rates, as fractions.",
    "analyse": "Show the probability that each unknown cell is safe, and which cells are certain.",
    "view": "Play games, watch players and ask about positions in a browser.",
    "plan": "Estimate what a study costs, from a pilot on this machine.",
    "provenance": "Show where a result comes from, and the command that makes it again.",
    "verify": "Replay a random sample of recorded games and compare.",
    "table": "Print the win rates of recorded games, of this version of the kernel or another.",
    "bench": "Measure what a game costs on this machine.",
    "warmup": "Compile every player once for this machine and version.",
    "players": "List the players with their sources and options.",
}
"""Each sub-command and what it does. Its module has `add_arguments(parser)` and `run(arguments)`,
which returns the exit status."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (None: the process's own); return its exit status.

    0: done; 1: done, but the answer is no (no fit, an impossible position, a difference, a changed
    file); 2: bad input, with one line on standard error; 74: the output or the disk takes no more;
    130: stopped by Ctrl-C.
    """
    command = "msdensity"
    try:
        arguments = _parsed(sys.argv[1:] if argv is None else list(argv))
        command = f"msdensity {arguments.command}"
        status = import_module(f"msdensity.cli.{arguments.command}").run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return int(status)
    except InputError as error:
        print(f"{command}: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print(f"{command}: stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG):
            raise
        print(f"{command}: {error.strerror}", file=sys.stderr)
        if not error.filename:  # the output itself
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NO_ROOM


def _parsed(words: list[str]) -> argparse.Namespace:
    """Return the arguments of a command line; load only the module of its sub-command."""
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    parser = Parser(
        prog="msdensity",
        description="How dense can a Minesweeper board be before it can no longer be won?",
        epilog="A board is rows x columns, such as 16x30, with its topology if it is not square8: "
        "8x9-torus8, 4x4x4-cubic26; or beginner, intermediate, expert. "
        "`msdensity COMMAND --help` explains a command.",
    )
    parser.add_argument("--version", action=Version)
    word = next((word for word in words if not word.startswith("-")), None)
    if word is not None and word not in COMMANDS:
        known = ", ".join(COMMANDS)
        hint = did_you_mean(word, COMMANDS)
        parser.error(f"command {shown(word)} must be one of {known}{hint}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in COMMANDS.items():
        summary = text[0].lower() + text[1:].removesuffix(".")
        command = commands.add_parser(name, help=summary, description=text, allow_abbrev=False)
        if name in words:
            import_module(f"msdensity.cli.{name}").add_arguments(command)
    arguments, rest = parser.parse_known_args(words)
    if len(rest) == 1 and not rest[0].startswith("-") and getattr(arguments, "board", "") is None:
        arguments.board = rest.pop()
    if rest:
        parser.error(f"unknown arguments: {' '.join(rest)}")
    return arguments
