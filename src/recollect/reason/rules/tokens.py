"""A rule's text as tokens, each with its place."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from recollect.reason.rules.problems import Place

Kind = Literal["word", "quoted", "integer", "float", "string", "sign", "bad", "end"]

KEYWORDS = frozenset(
    "MATCH WITH DISTINCT WHERE RETURN AS BY ORDER ASC DESC LIMIT OR XOR AND NOT IN STARTS ENDS CONTAINS IS NULL EXISTS "
    "CASE WHEN THEN ELSE END TRUE FALSE".split()
)

MOST_DIGITS = 18
LAST_CHARACTER = 0x10FFFF

_TOKEN = re.compile(
    r"""
    (?P<space>\s+ | //[^\n]* | /\*.*?\*/)
  | (?P<float>\d+\.\d+(?:[eE][+-]?\d+)? | \d+[eE][+-]?\d+ | \.\d+(?:[eE][+-]?\d+)?)
  | (?P<integer>\d+)
  | (?P<word>[^\W\d]\w*)
  | (?P<quoted>`(?:[^`]|``)+`)
  | (?P<string>'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*")
  | (?P<sign><> | <= | >= | =~ | \.\. | [-+*/%=<>()\[\]{},.:;|$])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\\": "\\", "'": "'", '"': '"', "`": "`"}


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind, what it says, its keyword if it is one, and where it stands."""

    kind: Kind
    text: str
    place: Place
    start: int
    stop: int
    keyword: str | None = None

    def __str__(self) -> str:
        return "the end of the text" if self.kind == "end" else repr(self.text)


def tokens_of(text: str) -> tuple[Token, ...]:
    """Every token of the text, without comments and spaces, and one that stands for its end.

    What cannot be read is a bad token that says why, for the parser to refuse when it gets there.
    """
    return tuple(_scan(text))


def _scan(text: str) -> Iterator[Token]:
    at, line, line_start = 0, 1, 0
    while at < len(text):
        place = Place(line, at - line_start + 1)
        found = _TOKEN.match(text, at)
        if found is None:
            yield Token("bad", _unreadable(text[at]), place, at, len(text))
            at = len(text)
            break
        if found.lastgroup != "space":
            yield _token(found, place)
        breaks = found[0].count("\n")
        if breaks:
            line, line_start = line + breaks, at + found[0].rindex("\n") + 1
        at = found.end()
    yield Token("end", "", Place(line, at - line_start + 1), at, at)


def _unreadable(character: str) -> str:
    if character in "'\"":
        return "this string is not closed"
    if character == "`":
        return "this name is not closed"
    return "this comment is not closed" if character == "/" else f"{character!r} is not part of the language"


def _token(found: re.Match[str], place: Place) -> Token:
    kind, text = found.lastgroup or "", found[0]
    span = found.start(), found.end()
    match kind:
        case "word":
            upper = text.upper()
            return Token("word", text, place, *span, upper if upper in KEYWORDS else None)
        case "quoted":
            return Token("quoted", text[1:-1].replace("``", "`"), place, *span)
        case "string":
            wrong = _wrong_escape(text)
            return Token("bad", wrong, place, *span) if wrong else Token("string", _unescaped(text), place, *span)
        case "float" | "integer":
            is_float = kind == "float"
            if not math.isfinite(float(text)) if is_float else len(text) > MOST_DIGITS:
                return Token("bad", f"{text[:30]} is too large a number", place, *span)
            return Token("float" if is_float else "integer", text, place, *span)
        case _:
            return Token("sign", text, place, *span)


def _wrong_escape(text: str) -> str | None:
    """What is wrong with the escapes of a string, if anything."""
    for found in _ESCAPE.finditer(text[1:-1]):
        body = found[1]
        code = int(body[1:], 16) if len(body) > 1 else None
        if code is None and body not in _ESCAPES:
            return f"\\{body} is no escape; a backslash is written twice"
        if code is not None and (code > LAST_CHARACTER or 0xD800 <= code <= 0xDFFF or code == 0):
            return f"\\{body} is no character"
    return None


def _unescaped(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        body = found[1]
        return _ESCAPES[body] if len(body) == 1 else chr(int(body[1:], 16))

    return _ESCAPE.sub(one, text[1:-1])
