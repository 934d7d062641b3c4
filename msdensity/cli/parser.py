"""The parser of the command line: a mistake is one line; numbers are taken as people write them."""

from __future__ import annotations

import argparse
import sys
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from msdensity.errors import shown

MAX_DIGITS = 40
"""Largest number of digits of a number on the command line."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Print the error and stop with status 2."""
        print(f"{self.prog}: {message}; see {self.prog} --help", file=sys.stderr)
        raise SystemExit(2)


class Version(argparse.Action):
    """--version, which looks the version up only if it is asked for."""

    def __init__(self, option_strings: list[str], dest: str, **options: Any) -> None:
        """Take no value."""
        super().__init__(option_strings, dest, nargs=0, help="print the version and stop")

    def __call__(self, parser: argparse.ArgumentParser, *values: Any) -> NoReturn:
        """Print the version and stop."""
        from msdensity import __version__

        print(f"msdensity {__version__}")
        raise SystemExit(0)


def whole_number(text: str) -> int:
    """Return a whole number written as 10000, 10,000, 10_000 or 1e4."""
    try:
        number = Decimal(text.replace(",", "_"))
        if number.adjusted() < MAX_DIGITS and number == int(number):
            return int(number)
    except (InvalidOperation, ValueError, OverflowError):  # not a number; NaN; infinite
        pass
    raise argparse.ArgumentTypeError(
        f"{shown(text)} must be a whole number of at most {MAX_DIGITS} digits, such as 1000 or 1e4"
    )


def number_of_mines(text: str) -> int:
    """Return a number of mines; the error for anything else says that it is no density."""
    try:
        return whole_number(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}; a density is not allowed") from None
