"""Tokens of a rule between lexer and parser, with the nesting limit; and what a parser error means."""

import math
import re
from collections.abc import Collection, Iterator, Sequence

from lark import Token, UnexpectedToken
from lark.lark import PostLex

from recollect.reason.rules.rule_errors import (
    RuleError,
    RuleInvalid,
    RuleNotReadOnly,
    RuleParseError,
    RuleUnsupported,
    SourcePosition,
)

MAX_NESTING = 20
MAX_DIGITS = 18
MAX_CODE_POINT = 0x10FFFF

_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\\": "\\", "'": "'", '"': '"', "`": "`"}
_OPENING = frozenset({"LPAR", "_PATH_OPEN", "LSQB", "_CASE", "_EXISTS"})
_NAMES = frozenset({"NAME", "QUOTED"})


class RulePostLex(PostLex):
    """Makes the decisions that need more than one token of lookahead, and rejects what no parser should see."""

    # Terminals that no grammar rule uses: the lexer must know them so that the parser rejects them in order.
    always_accept = ("OPEN_COMMENT", "REGEX_MATCH", "OTHER")

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        tokens = list(stream)
        open_ends: list[str] = []
        for index, token in enumerate(tokens):
            kind = _resolve_type(tokens, index)
            _track_nesting(open_ends, kind, token)
            yield token if kind == token.type else Token.new_borrow_pos(kind, token.value, token)


WRITE_KEYWORDS = frozenset("CREATE MERGE SET DELETE DETACH REMOVE DROP LOAD CALL FOREACH".split())
UNSUPPORTED_CLAUSES = frozenset("OPTIONAL UNWIND UNION SKIP USE".split())
_UNSUPPORTED_SIGNS = {"$": "a $ parameter", "=~": "=~"}
_CLAUSE_STARTS = frozenset({"_MATCH", "_RETURN", "_WHERE"})
_PATTERN_STARTS = frozenset({"LPAR", "_PATH_OPEN", "_MATCH"})
_EXPRESSION_STARTS = frozenset({"INTEGER", "STRING", "_CASE", "_EXISTS"})
_SYNONYMS = frozenset({"QUOTED", "_PATH_OPEN", "ARROW_LEFT", "END_FUNCTION"})
_OPERATORS = frozenset(
    "_AND _OR _XOR _IN _IS _CONTAINS _STARTS _ENDS EQUAL LESSTHAN MORETHAN __ANON_1 __ANON_2 __ANON_3 "
    "PLUS MINUS STAR SLASH PERCENT DOT".split()
)
_DESCRIPTIONS = {
    "NAME": "a name",
    "INTEGER": "a whole number",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "COLON": "':'",
    "COMMA": "','",
    "VBAR": "'|'",
    "SEMICOLON": "';'",
    "STAR": "'*'",
    "MINUS": "'-'",
    "MORETHAN": "'>'",
    "$END": "the end of the rule",
}


def position_of(token: Token) -> SourcePosition:
    return SourcePosition(token.line or 1, token.column or 1)


def _resolve_type(tokens: Sequence[Token], index: int) -> str:
    token = tokens[index]
    match token.type:
        case "LPAR" if _opens_path(tokens, index):
            return "_PATH_OPEN"
        case "LESSTHAN" if _type_at(tokens, index + 1) == "MINUS":
            return "ARROW_LEFT"
        case "END" if _type_at(tokens, index + 1) == "LPAR":
            return "END_FUNCTION"
        case "INTEGER" | "FLOAT" | "STRING" if describe_invalid(token) is not None:
            return "INVALID"
        case _:
            return token.type


def _type_at(tokens: Sequence[Token], index: int) -> str:
    return tokens[index].type if index < len(tokens) else ""


def _opens_path(tokens: Sequence[Token], index: int) -> bool:
    """Whether this `(` opens a node: its content is not an expression, or a relation follows."""
    inside = _type_at(tokens, index + 1)
    if inside not in _NAMES:
        return inside in ("RPAR", "COLON", "LBRACE")
    after = _type_at(tokens, index + 2)
    return after in ("COLON", "LBRACE") or (after == "RPAR" and _starts_edge(tokens, index + 3))


def _starts_edge(tokens: Sequence[Token], index: int) -> bool:
    """Whether a relation begins here rather than a subtraction."""
    first, second, third = (_type_at(tokens, index + step) for step in range(3))
    if first == "LESSTHAN":
        return second == "MINUS" and third in ("MINUS", "LSQB")
    if first != "MINUS":
        return False
    if second == "LSQB":
        inner = _type_at(tokens, index + 2 + (third in _NAMES))
        return inner in ("RSQB", "COLON", "STAR", "LBRACE")
    return second == "MINUS" and third in ("MORETHAN", "LPAR")


def _track_nesting(open_ends: list[str], kind: str, token: Token) -> None:
    """Refuse nesting that the recursive walks over the syntax tree could not follow.

    The braces of a map are not counted: it always stands inside a node or a relation.
    """
    if open_ends and kind == open_ends[-1]:
        open_ends.pop()
    elif kind in _OPENING:
        open_ends.append({"LSQB": "RSQB", "_CASE": "END", "_EXISTS": "RBRACE"}.get(kind, "RPAR"))
        if len(open_ends) > MAX_NESTING:
            raise RuleInvalid(f"this is nested more than {MAX_NESTING} deep", position_of(token))


def describe_invalid(token: Token) -> str | None:
    """What is wrong with a token in itself, if anything."""
    match token.type:
        case "OPEN_COMMENT":
            return "this comment is not closed"
        case "OTHER":
            closed = {"'": "string", '"': "string", "`": "name"}.get(token.value)
            return f"this {closed} is not closed" if closed else f"{token.value!r} is not part of the language"
        case "STRING" | "INTEGER" | "FLOAT" | "INVALID":
            is_string = token.value[0] in "'\""
            return _describe_bad_escape(token.value) if is_string else _describe_bad_number(token.value)
        case _:
            return None


def _describe_bad_number(text: str) -> str | None:
    is_valid = len(text) <= MAX_DIGITS if text.isdigit() else math.isfinite(float(text))
    return None if is_valid else f"{text[:30]} is too large a number"


def _describe_bad_escape(text: str) -> str | None:
    for found in _ESCAPE.finditer(text[1:-1]):
        body = found[1]
        code = int(body[1:], 16) if len(body) > 1 else None
        if code is None and body not in _ESCAPES:
            return f"\\{body} is not a valid escape; write a backslash twice"
        if code is not None and (code > MAX_CODE_POINT or 0xD800 <= code <= 0xDFFF or code == 0):
            return f"\\{body} is not a character"
    return None


def unquote(text: str) -> str:
    """The value of a string literal."""

    def unescape(found: re.Match[str]) -> str:
        body = found[1]
        return _ESCAPES[body] if len(body) == 1 else chr(int(body[1:], 16))

    return _ESCAPE.sub(unescape, text[1:-1])


def explain_error(error: UnexpectedToken, text: str) -> RuleError:
    """The error to raise for a token that cannot continue the rule."""
    token, accepted = error.token, error.accepts
    position = _position(token, text)
    invalid = describe_invalid(token)
    word = token.upper() if token.type == "NAME" and _is_at_clause(accepted) else ""
    if token.value in _UNSUPPORTED_SIGNS:
        return RuleUnsupported(_UNSUPPORTED_SIGNS[token.value], position)
    if invalid is not None:
        return RuleParseError(invalid, position)
    if word in WRITE_KEYWORDS:
        return RuleNotReadOnly(word, position)
    if word in UNSUPPORTED_CLAUSES:
        return RuleUnsupported(word, position)
    if _is_path_variable(token, accepted, text):
        return RuleUnsupported("a path variable", position)
    found = "the end of the text" if token.type == "$END" else repr(token.value)
    return RuleParseError(f"unexpected {found}; expected {_describe_expected(accepted)}", position)


def _position(token: Token, text: str) -> SourcePosition:
    if token.type == "$END":
        return SourcePosition(text.count("\n") + 1, len(text) - text.rfind("\n"))
    return SourcePosition(token.line or 1, token.column or 1)


def _is_at_clause(accepted: Collection[str]) -> bool:
    """Whether a clause could begin or end here, at the end of an EXISTS too; a map never ends without a comma."""
    if any(each in accepted for each in _CLAUSE_STARTS):
        return True
    return ("$END" in accepted and len(accepted) > 1) or ("RBRACE" in accepted and "COMMA" not in accepted)


def _is_path_variable(token: Token, accepted: Collection[str], text: str) -> bool:
    is_pattern_expected = "LPAR" in accepted and set(accepted) <= _PATTERN_STARTS
    return is_pattern_expected and token.type in ("NAME", "QUOTED") and text[token.end_pos or 0 :].lstrip()[:1] == "="


def _describe_expected(accepted: Collection[str]) -> str:
    names = set(accepted) - _SYNONYMS
    if names >= _EXPRESSION_STARTS:
        return "an expression"
    names = names - _OPERATORS or names
    *most, last = sorted(_DESCRIPTIONS.get(name, name.strip("_")) for name in names)
    return f"{', '.join(most)} or {last}" if most else last
