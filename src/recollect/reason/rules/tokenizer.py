"""Tokenizer of rules, and the token cursor that the parser reads from."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeVar

from recollect.reason.rules.rule_errors import (
    RuleInvalid,
    RuleNotReadOnly,
    RuleParseError,
    RuleUnsupported,
    SourcePosition,
)

TokenKind = Literal["word", "quoted", "integer", "float", "string", "sign", "bad", "end"]

KEYWORDS = frozenset(
    "MATCH WITH DISTINCT WHERE RETURN AS BY ORDER ASC DESC LIMIT OR XOR AND NOT IN STARTS ENDS CONTAINS IS NULL EXISTS "
    "CASE WHEN THEN ELSE END TRUE FALSE".split()
)

MAX_DIGITS = 18
MAX_CODE_POINT = 0x10FFFF

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

    kind: TokenKind
    text: str
    place: SourcePosition
    start: int
    stop: int
    keyword: str | None = None

    def __str__(self) -> str:
        return "the end of the text" if self.kind == "end" else repr(self.text)


def tokenize(text: str) -> tuple[Token, ...]:
    """Every token of the text, without comments and spaces, and one that stands for its end.

    What cannot be read is a bad token that says why, for the parser to refuse when it gets there.
    """
    return tuple(_scan(text))


def _scan(text: str) -> Iterator[Token]:
    at, line, line_start = 0, 1, 0
    while at < len(text):
        place = SourcePosition(line, at - line_start + 1)
        found = _TOKEN.match(text, at)
        if found is None:
            yield Token("bad", _describe_unreadable(text[at]), place, at, len(text))
            at = len(text)
            break
        if found.lastgroup != "space":
            yield _make_token(found, place)
        breaks = found[0].count("\n")
        if breaks:
            line, line_start = line + breaks, at + found[0].rindex("\n") + 1
        at = found.end()
    yield Token("end", "", SourcePosition(line, at - line_start + 1), at, at)


def _describe_unreadable(character: str) -> str:
    if character in "'\"":
        return "this string is not closed"
    if character == "`":
        return "this name is not closed"
    return "this comment is not closed" if character == "/" else f"{character!r} is not part of the language"


def _make_token(found: re.Match[str], place: SourcePosition) -> Token:
    kind, text = found.lastgroup or "", found[0]
    span = found.start(), found.end()
    match kind:
        case "word":
            upper = text.upper()
            return Token("word", text, place, *span, upper if upper in KEYWORDS else None)
        case "quoted":
            return Token("quoted", text[1:-1].replace("``", "`"), place, *span)
        case "string":
            wrong = _describe_bad_escape(text)
            return Token("bad", wrong, place, *span) if wrong else Token("string", _unescape(text), place, *span)
        case "float" | "integer":
            is_float = kind == "float"
            if not math.isfinite(float(text)) if is_float else len(text) > MAX_DIGITS:
                return Token("bad", f"{text[:30]} is too large a number", place, *span)
            return Token("float" if is_float else "integer", text, place, *span)
        case _:
            return Token("sign", text, place, *span)


def _describe_bad_escape(text: str) -> str | None:
    """What is wrong with the escapes of a string, if anything."""
    for found in _ESCAPE.finditer(text[1:-1]):
        body = found[1]
        code = int(body[1:], 16) if len(body) > 1 else None
        if code is None and body not in _ESCAPES:
            return f"\\{body} is no escape; a backslash is written twice"
        if code is not None and (code > MAX_CODE_POINT or 0xD800 <= code <= 0xDFFF or code == 0):
            return f"\\{body} is no character"
    return None


def _unescape(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        body = found[1]
        return _ESCAPES[body] if len(body) == 1 else chr(int(body[1:], 16))

    return _ESCAPE.sub(one, text[1:-1])


WRITE_KEYWORDS = frozenset("CREATE MERGE SET DELETE DETACH REMOVE DROP LOAD CALL FOREACH".split())
UNSUPPORTED_CLAUSES = frozenset("OPTIONAL UNWIND UNION SKIP USE".split())
UNSUPPORTED_SIGNS = frozenset({"$", "=~"})
MAX_NESTING = 20
Parsed = TypeVar("Parsed")


class TokenCursor:
    """Reads tokens one by one; every refusal names the first token that cannot continue."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = tokenize(text)
        self._at = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        return self._tokens[self._at]

    def ahead(self, steps: int) -> Token:
        """The token so many steps on; the end stands for all that lies behind it."""
        return self._tokens[min(self._at + steps, len(self._tokens) - 1)]

    def take(self) -> Token:
        taken = self.token
        self._at += 1
        return taken

    @property
    def last(self) -> Token:
        """The token just taken."""
        return self._tokens[self._at - 1]

    def is_sign(self, sign: str, steps: int = 0) -> bool:
        token = self.ahead(steps)
        return token.kind == "sign" and token.text == sign

    def is_keyword(self, *words: str) -> bool:
        return self.token.keyword in words

    def is_name(self, steps: int = 0) -> bool:
        """Whether a name stands there: a word that is not reserved, or anything in backticks."""
        token = self.ahead(steps)
        return token.kind == "quoted" or (token.kind == "word" and token.keyword is None)

    def skip_sign(self, sign: str) -> bool:
        """Go past the sign if it is here."""
        found = self.is_sign(sign)
        self._at += found
        return found

    def skip_keyword(self, word: str) -> bool:
        found = self.token.keyword == word
        self._at += found
        return found

    def expect_sign(self, sign: str) -> Token:
        return self.take() if self.is_sign(sign) else self.fail(f"{sign!r}")

    def expect_keyword(self, word: str) -> Token:
        return self.take() if self.token.keyword == word else self.fail(word)

    def expect_name(self) -> str:
        return self.take().text if self.is_name() else self.fail("a name")

    def expect_integer(self) -> int:
        return int(self.take().text) if self.token.kind == "integer" else self.fail("a whole number")

    def nested(self, read: Callable[["TokenCursor"], Parsed]) -> Parsed:
        """What is read one level further down; there is a deepest one."""
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise RuleInvalid(f"this is nested more than {MAX_NESTING} deep", self.token.place)
        found = read(self)
        self._depth -= 1
        return found

    def fail(self, wanted: str) -> NoReturn:
        token = self.token
        if token.kind == "bad":
            raise RuleParseError(token.text, token.place)
        if token.kind == "sign" and token.text in UNSUPPORTED_SIGNS:
            raise RuleUnsupported("a $ parameter" if token.text == "$" else token.text, token.place)
        raise RuleParseError(f"{token} cannot stand here; expected {wanted}", token.place)

    def fail_at_clause(self, wanted: str) -> NoReturn:
        """Refuse what stands where a clause may begin: words that write, and clauses we do not have."""
        token = self.token
        word = token.text.upper() if token.kind == "word" else ""
        if word in WRITE_KEYWORDS:
            raise RuleNotReadOnly(word, token.place)
        if word in UNSUPPORTED_CLAUSES:
            raise RuleUnsupported(word, token.place)
        self.fail(wanted)
