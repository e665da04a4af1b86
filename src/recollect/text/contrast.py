"""Parts of a sentence that it names only to rule them out or to leave them behind."""

import re
from typing import NamedTuple

from recollect.text.lexicon import ARTICLE_PATTERN
from recollect.text.patterns import lazy_pattern

_END_OF_PHRASE = r"(?:for|in|on|at|to|by|with|from|as|and|but|because|when|was|were|is|are|will|has|had|did)\b"
_PHRASE = (
    rf"(?:{ARTICLE_PATTERN}\s+)?[\w'’%.-]+"
    rf"(?:\s+(?!{_END_OF_PHRASE})[\w'’%-]+){{0,4}}"
)
_PREPOSITION = r"(?:(?:for|in|on|at|to|by|with|from|as)\s+)?"
_EXCEPT = (
    "instead of|rather than|as opposed to|except(?: for)?|apart from|aside from|excluding|with the exception of|"
    "leaving aside|not (?:counting|including)|(?<!none )other than"
)
_NAME = r"[A-ZÀ-Þ][\w'’-]*(?:\s+[A-ZÀ-Þ][\w'’-]*)*"
_NAMED = rf"(?:{_NAME}|{ARTICLE_PATTERN}\s+(?:{_NAME}|[\w'’-]+)|[a-z]+ \d+)"
# Who is left out of a whole; outside of it *but*, *bar*, *save* and *minus* mean something else.
_WHOLE = (
    r"(?:every|any|no)(?:one|body|thing)|no one|"
    r"all(?: of)?(?: (?:the|these|those|my|our|his|her|their) [\w'’-]+| \w+s| (?:wo)?men| people| children)?|"
    r"(?:every|each|any|(?:the|our|their) (?:whole|entire)|the rest of the) [\w'’-]+"
    r"(?: (?:of|in|on|at|from) (?:the |our |their )?[\w'’-]+)?"
)
_LEFT_OUT = lazy_pattern(
    rf"(?P<whole>\b(?i:{_WHOLE})),?\s+(?:but|bar|barring|save(?: for)?|minus|{_EXCEPT})\s+(?P<one>{_NAMED})"
)
_RULED_OUT = lazy_pattern(
    rf"\b(?i:{_EXCEPT})\s+(?P<one>{_PREPOSITION}{_PHRASE})"
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
    """The sentence without "instead of X", "all but X", ", not X", "not X but" and the first value of "from X to Y"."""
    left_out = tuple(match["one"] for match in _LEFT_OUT.finditer(sentence))
    kept = _LEFT_OUT.sub(r"\g<whole>", sentence) if left_out else sentence
    ruled_out = (*left_out, *(_phrase(match) for match in _RULED_OUT.finditer(kept)))
    kept = _RULED_OUT.sub(" ", kept)
    changed = _CHANGE.search(kept)
    if changed is not None:
        kept = kept[: changed.end()] + _FROM_TO.sub("", kept[changed.end() :], count=1)
    return Contrast(" ".join(kept.split()) if kept != sentence else sentence, ruled_out)


def names_change(text: str) -> bool:
    """Whether a text says that something moved, changed, rose or fell."""
    return _CHANGE.search(text) is not None


def has_contrast(sentence: str) -> bool:
    """Whether a sentence itself rules something out or names where a change began."""
    return bool(contrast(sentence).ruled_out) or re.search(r"\bfrom\b.+\bto\b", sentence) is not None


def _phrase(match: re.Match[str]) -> str:
    return next(each for each in match.groups() if each is not None).rstrip(".,")
