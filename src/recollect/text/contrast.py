"""Parts of a sentence that it names only to rule them out or to leave them behind."""

import re
from typing import NamedTuple

from recollect.text.patterns import lazy_pattern

_END_OF_PHRASE = r"(?:for|in|on|at|to|by|with|from|as|and|but|because|when|was|were|is|are|will|has|had|did)\b"
_PHRASE = (
    r"(?:(?:the|a|an|his|her|its|their|our|my)\s+)?[\w'’%.-]+"
    rf"(?:\s+(?!{_END_OF_PHRASE})[\w'’%-]+){{0,4}}"
)
_PREPOSITION = r"(?:(?:for|in|on|at|to|by|with|from|as)\s+)?"
_RULED_OUT = lazy_pattern(
    rf"\b(?:instead of|rather than|as opposed to|except(?: for)?|apart from)\s+(?P<one>{_PREPOSITION}{_PHRASE})"
    rf"|,\s*(?:and\s+)?not\s+(?P<two>{_PREPOSITION}{_PHRASE})(?=\s*[,.;!]|\s*$)"
    rf"|\bnot\s+(?!only\b)(?P<three>{_PREPOSITION}{_PHRASE}),?\s+but\s+(?!also\b)",
)
_CHANGE = lazy_pattern(
    r"\b(?:mov|brought|bring|shift|postpon|push|reschedul|chang|went|go|gone|goes|rose|rise|fell|fall|drop|increas|decreas|rais|cut|"
    r"lower|grew|grow|shrank|shrunk|renam|switch|transfer|relocat|convert|upgrad|downgrad|reduc|climb|slid|jump|"
    r"promot|put|delay|advanc|migrat)\w*\b",
    re.IGNORECASE,
)
_FROM_TO = lazy_pattern(r"\bfrom\s++(?P<former>(?:[^,;]|(?<=\d),(?=\d)){1,60}?)\s++(?=(?:in)?to\s+\S)", re.IGNORECASE)


class Contrast(NamedTuple):
    """A sentence without what it rules out or leaves behind, and the phrases it rules out."""

    kept: str
    ruled_out: tuple[str, ...] = ()


def contrast(sentence: str) -> Contrast:
    """The sentence with "instead of X", ", not X", "not X but" and the former value of "from X to Y" removed."""
    ruled_out = tuple(_phrase(match) for match in _RULED_OUT.finditer(sentence))
    kept = _RULED_OUT.sub(" ", sentence)
    changed = _CHANGE.search(kept)
    if changed is not None:
        kept = kept[: changed.end()] + _FROM_TO.sub("", kept[changed.end() :], count=1)
    return Contrast(" ".join(kept.split()) if kept != sentence else sentence, ruled_out)


def names_change(text: str) -> bool:
    """Whether a text says that something moved, changed, rose or fell."""
    return _CHANGE.search(text) is not None


def has_contrast(sentence: str) -> bool:
    """Whether a sentence itself rules something out or names where a change began."""
    return _RULED_OUT.search(sentence) is not None or re.search(r"\bfrom\b", sentence) is not None


def _phrase(match: re.Match[str]) -> str:
    return next(each for each in match.groups() if each is not None).rstrip(".,")
