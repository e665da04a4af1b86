"""What makes a text look like an attack on the model that reads it: orders to it, forged markup, unseen characters."""

import re
from collections.abc import Sequence
from typing import Literal

from recollect.text.fence import FENCE
from recollect.text.order_patterns import ORDERS, SPACED_ORDER
from recollect.text.patterns import LazyPattern, may_match

Suspicion = Literal[
    "instruction", "markup", "unseen characters", "text direction", "look-alike letters", "id of another document"
]

_LONGEST = 2_000_000
_SHORT = 1_000
"""A text below this length is looked through for letters that the patterns need before its words are."""
_SPACED = re.compile(r"(?:(?<!\w)[^\W\d_][ .*-]{1,3}){12,}[^\W\d_](?!\w)")
_SHORTEST_SPACED = 25
_MARKUP = LazyPattern(
    rf"""<\s?/?\s?{FENCE}\b
    | <\|[\w/-]{{1,30}}\|>
    | \[/?INST\] | <</?SYS>>
    | </?(?:antml:)?(?:system|system-reminder|system_prompt|instructions|tool_calls?|tool_results?|tool_use
      |tool_response|function_calls?|function_results?|invoke|assistant|user_query)\b[^<>]{{0,200}}>
    | (?:^|[\n>"'-]|\A|\]\s)\s{{0,4}}\[(?:SYSTEM|ASSISTANT|ADMIN|DEVELOPER)\]
    | ^\W{{0,4}}(?:SYSTEM|Assistant|System\sprompt|Developer\smessage)\s?:\s(?!\{{\s?\w{{1,40}}:\s)
    | ["'“‘]\s?(?-i:SYSTEM|ASSISTANT)\s?:\s
    | (?-i:\b(?:Assistant|ASSISTANT|AI)\s?:\s[^:]{{1,600}}\b(?:Human|HUMAN)\s?:\s)
    | (?-i:\b(?:Human|HUMAN)\s?:\s[^:]{{1,600}}\b(?:Assistant|ASSISTANT)\s?:\s)
    | [{{,]\s?"(?:tool|function|tool_name|function_call|tool_calls|name)"\s?:\s?"[\w.-]{{1,60}}"\s?,\s?
      "(?:arguments|parameters|input|args)"\s?:
    | !\[[^\]\n]{{0,100}}\]\(https?://[^)\s]{{1,300}}[?&][^)\s]{{0,300}}=
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_NUMBERED = re.compile(r"&#(?:[xX](?P<hex>[0-9a-fA-F]{1,6})|(?P<decimal>[0-9]{1,7}));?")
_PATTERNS = (*ORDERS, _MARKUP)


def find_suspicions(text: str) -> tuple[Suspicion, ...]:
    """Why a text looks like an attack; nothing if it does not."""
    text = _NUMBERED.sub(_numbered_character, text[:_LONGEST]) if "&#" in text else text[:_LONGEST]
    found: list[Suspicion] = []
    seen, of_characters = (text, ()) if text.isascii() else _look_at_characters(text)
    likely = _short_likely(text.lower()) if len(text) < _SHORT and text.isascii() else _likely(seen)
    orders = [each for each in likely if each is not _MARKUP]
    if orders:
        line = " ".join(seen.split())
        found += ["instruction"] if any(each.compiled.search(line) for each in orders) else []
    if not found and len(seen) >= _SHORTEST_SPACED and _has_spaced_order(seen):
        found.append("instruction")
    if len(orders) < len(likely) and _MARKUP.compiled.search(seen):
        found.append("markup")
    return *found, *of_characters


def _numbered_character(found: re.Match[str]) -> str:
    """The letter that an HTML reference spells: whoever shows the text as a page shows the letter."""
    code = int(found["hex"], 16) if found["hex"] else int(found["decimal"])
    return chr(code) if 0x20 <= code < 0xD800 else found[0]


def _has_spaced_order(text: str) -> bool:
    """Whether letters that stand apart make an order together."""
    runs = ("".join(filter(str.isalpha, each[0])) for each in _SPACED.finditer(text))
    return any(SPACED_ORDER.compiled.search(each) for each in runs)


def _likely(text: str) -> list[LazyPattern]:
    """The patterns of which a text has a word that every match needs."""
    return [each for each in _PATTERNS if may_match(each, text)]


def _short_likely(small: str) -> list[LazyPattern]:
    """As `_likely`, by letters in a row: most names have none, and looking costs little."""
    return [each for each in _PATTERNS if any(map(small.__contains__, each.pieces))]


def _look_at_characters(text: str) -> tuple[str, Sequence[Suspicion]]:
    """What is seen of a text, and what is suspicious about its characters."""
    from recollect.text.odd_characters import suspicions_of_characters, visible

    return visible(text), suspicions_of_characters(text)
