"""Clauses that a sentence states in fewer words: an apposition, the year of a film, who stars in it."""

import re
from collections.abc import Iterator

from recollect.reason.verify.bracketed_text import write_out_brackets
from recollect.text.contrast import has_contrast
from recollect.text.negation import negator_pattern
from recollect.text.verbs import is_finite_verb, is_past_form

_NAME = r"(?P<name>[^\W\d_a-z][\w.'’-]*(?:\s+(?!(?:is|was|are|were)\b)[\w.'’-]+){0,6}?)"
_WORK = "film|movie|documentary|album|song|single|EP|game|series|novel|book|play|musical"
_YEAR_OF_WORK = re.compile(
    rf"^{_NAME} (?:is|was) (?:an?|the) (?P<year>(?:19|20)\d\d)"
    rf"\s(?:(?!(?:of|in|about|by|from|for|based|re-release)\b)[\w-]+\s){{0,7}}?(?P<work>{_WORK})"
    rf"(?=\s*(?:$|[.,;]|\b(?:directed|written|produced|recorded|released|starring|featuring|by|and|that|which|from)\b))"
)
_STARRING = re.compile(rf"^{_NAME} (?:is|was) an? [^;]*?\b(?:starring|stars|starred) (?P<cast>[^;.]+)")
_END_OF_CAST = re.compile(
    r"\s+(?:as|in|and (?:directed|written|produced|released)|released|directed|written|with|who)\b"
)
_APPOSED = r"(?P<what>(?:an?|the) (?:(?!\b(?:until|till|in (?:his|her|their))\b)[^,;()])+?)"
_APPOSITION = re.compile(rf"^{_NAME}\s*, {_APPOSED}\s*, (?!(?:and|or|but)\b)(?P<rest>.+)")
_PUBLISHED = frozenset(("novel", "book"))
_NEGATOR = re.compile(negator_pattern(), re.IGNORECASE)


def implied_clauses(sentence: str) -> tuple[str, tuple[str, ...]]:
    """The sentence without brackets that are read, and all clauses that it states besides."""
    plain, lives = write_out_brackets(sentence)
    is_plain = _NEGATOR.search(plain) is None and not has_contrast(plain)
    return plain, (*lives, *(_clauses(plain) if is_plain else ()))


def _clauses(plain: str) -> Iterator[str]:
    if found := _YEAR_OF_WORK.match(plain):
        verb = "published" if found["work"] in _PUBLISHED else "released"
        yield f"{found['name']} was {verb} in {found['year']}"
    if found := _STARRING.match(plain):
        cast = _END_OF_CAST.split(found["cast"])[0].rstrip(" ,")
        yield f"{found['name']} stars {cast}"
        yield f"{cast} starred in {found['name']}"
    found = _APPOSITION.match(plain)
    if found and not any(map(is_finite_verb, found["what"].split())):
        first = found["rest"].split()[0].lower()
        yield f"{found['name']} {'was' if first == 'was' or is_past_form(first) else 'is'} {found['what']}"
