"""Damage to a text that a reader gets: what disks, editors and inventive people do to files."""

import re
from collections.abc import Sequence

from hypothesis import strategies as st

NUMBERS = (
    *("0", "-1", "1.0", "1e400", "1e-400", "nan", "-inf", ".inf", "9" * 30, "-" + "9" * 25),
    *("9" * 5000, "0x" + "f" * 6000, "1_0", " 7", "+7", "007", "1:60", "\u0663", "\uff19"),
    *("\u00b2", "9223372036854775807", "9223372036854775808", "1e18", "1000000000000", "2**9"),
)
WORDS = (
    *("", "~", "null", "[]", "{}", "[[]]", '"', "'", '""', "{", "x" * 3000, "\0", "\x1b[2J"),
    *("\ufeff", "\u2028", "\r", "\r\n", "\n", "\t", ",", ",,", "#", "\\", "\ud7ff", "\U0010ffff"),
    *("[" * 2000, "{" * 2000, '{"a":' * 2000, "- " * 2000, "=", "../../etc/passwd", "/dev/zero"),
    *("x.json", "40000x40000", "1x" * 90 + "1-box", "weighted", "4x5-table-0123456789abcdef"),
    *("__import__('os').abort()", "%s%n", "${HOME}", "`id`"),
)
HUGE = st.sampled_from([1, -1]).map(lambda sign: sign * 10**5000)
"""A number with more digits than Python prints, so that only its expression can be shown."""

YAML = (
    *("&a [*a]", "&a {<<: *a}", "*a", "<<", "&a", "!!python/object/apply:os.abort []"),
    *("!!python/name:os.abort", "!!binary x", "!!bool x", "!!int x", "!!float x", "!!set {a, b}"),
    *("!!timestamp x", "2024-13-45", "!!omap [a: 1]", "!!null x", "? [a]", "%YAML 9.9", "---"),
    "[&a [x,x,x,x,x,x,x,x,x],&b [*a,*a,*a,*a,*a,*a,*a,*a,*a],&c [*b,*b,*b,*b,*b,*b,*b,*b,*b],"
    "&d [*c,*c,*c,*c,*c,*c,*c,*c,*c],&e [*d,*d,*d,*d,*d,*d,*d,*d,*d],[*e,*e,*e,*e,*e,*e,*e,*e,*e]]",
    "{a: &a {x: 1}, b: &b {<<: [*a,*a,*a,*a,*a,*a,*a,*a]}, c: &c {<<: [*b,*b,*b,*b,*b,*b,*b,*b]},"
    " d: &d {<<: [*c,*c,*c,*c,*c,*c,*c,*c]}, e: &e {<<: [*d,*d,*d,*d,*d,*d,*d,*d]},"
    " f: &f {<<: [*e,*e,*e,*e,*e,*e,*e,*e]}, g: {<<: [*f,*f,*f,*f,*f,*f,*f,*f]}}",
)
_TOKEN = re.compile(rb"[^\s,:\[\]{}#&*\"]+")


def odd(extra: Sequence[str] = ()) -> st.SearchStrategy[bytes]:
    """Strings that trip readers, as bytes."""
    pool = [word.encode() for word in (*NUMBERS, *WORDS, *extra)]
    return st.one_of(st.sampled_from(pool), st.sampled_from(pool), st.binary(max_size=8))


@st.composite
def mutated(draw: st.DrawFn, texts: Sequence[bytes], extra: Sequence[str] = ()) -> bytes:
    """One of the texts with a few changes."""
    data = draw(st.sampled_from(list(texts)))
    for _ in range(draw(st.integers(1, 3))):
        data = draw(st.sampled_from(CHANGES))(draw, data, odd(extra))
    return data


def _place(draw: st.DrawFn, size: int) -> int:
    return draw(st.integers(0, max(0, size - 1)))


def _flip(draw: st.DrawFn, data: bytes, words: st.SearchStrategy[bytes]) -> bytes:
    place = _place(draw, len(data))
    changed = bytearray(data)
    if changed:
        changed[place] ^= 1 << draw(st.integers(0, 7))
    return bytes(changed)


def _cut(draw: st.DrawFn, data: bytes, words: st.SearchStrategy[bytes]) -> bytes:
    return data[: _place(draw, len(data))]


def _insert(draw: st.DrawFn, data: bytes, words: st.SearchStrategy[bytes]) -> bytes:
    place = _place(draw, len(data))
    return data[:place] + draw(words) + data[place:]


def _replace(draw: st.DrawFn, data: bytes, words: st.SearchStrategy[bytes]) -> bytes:
    tokens = list(_TOKEN.finditer(data))
    if not tokens:
        return draw(words)
    token = tokens[_place(draw, len(tokens))]
    return data[: token.start()] + draw(words) + data[token.end() :]


def _lines(draw: st.DrawFn, data: bytes, words: st.SearchStrategy[bytes]) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    one, two = _place(draw, len(lines)), _place(draw, len(lines))
    match draw(st.integers(0, 2)):
        case 0:
            lines[one], lines[two] = lines[two], lines[one]
        case 1:
            lines.insert(two, lines[one])
        case _:
            del lines[one]
    return b"".join(lines)


CHANGES = (_flip, _cut, _insert, _replace, _replace, _lines)
