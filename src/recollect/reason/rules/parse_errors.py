"""Explains a parser error: which of the rule errors it is, where, and what was expected there."""

from collections.abc import Collection

from lark import Token, UnexpectedToken

from recollect.reason.rules.rule_errors import (
    RuleError,
    RuleNotReadOnly,
    RuleParseError,
    RuleUnsupported,
    SourcePosition,
)
from recollect.reason.rules.tokens import describe_invalid

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
    return is_pattern_expected and token.type in ("NAME", "QUOTED") and _next_sign(token, text) == "="


def _next_sign(token: Token, text: str) -> str:
    return text[token.end_pos or 0 :].lstrip()[:1]


def _describe_expected(accepted: Collection[str]) -> str:
    names = set(accepted) - _SYNONYMS
    if names >= _EXPRESSION_STARTS:
        return "an expression"
    names = names - _OPERATORS or names
    *most, last = sorted(_DESCRIPTIONS.get(name, name.strip("_")) for name in names)
    return f"{', '.join(most)} or {last}" if most else last
