"""What makes a text look like an attack on the model that reads it: orders to it, forged markup, unseen characters."""

import re
from collections.abc import Sequence
from typing import Literal

from recollect.text.fence import FENCE
from recollect.text.patterns import LazyPattern, may_match

Suspicion = Literal[
    "instruction", "markup", "unseen characters", "text direction", "look-alike letters", "id of another document"
]

_LONGEST = 2_000_000
_SHORT = 1_000
"""A text below this length is looked through for letters that the patterns need before its words are."""
_VERB = r"(?:ignore|disregard|forget|override|bypass|discard|neglect)"
_ABOVE = r"(?:previous|prior|earlier|above|preceding|foregoing|existing|former|your|system|safety)"
_RULES = r"(?:instructions?|prompts?|rules|guidelines|directions|orders|commands|context|restrictions|messages?)"
_INSTRUCTIONS = tuple(
    LazyPattern(each, re.IGNORECASE | re.VERBOSE)
    for each in (
        rf"""\b{_VERB}\s(?:\S{{1,12}}\s){{0,3}}?{_ABOVE}\s(?:\S{{1,12}}\s){{0,2}}?{_RULES}\b
        | \b{_VERB}\s(?:\S{{1,12}}\s){{0,2}}?{_RULES}\s(?:above|before|so\sfar)\b""",
        r"""\byou\s(?:are|must)\snow\s(?:in\s\w{1,20}\smode|an?\s(?:unrestricted|different)|without|unrestricted|free\sof)\b
        | \byou\sare\s(?:an?\s)?(?:unrestricted|jailbroken|DAN)\b""",
        r"""\b(?:you\smust|from\snow\son,?\syou|the\sassistant\s(?:must|should|will|shall))\s
        (?:now\s|always\s|must\s)?(?:obey|comply|reveal|call|execute|run|approve|ignore|forward|send|print|delete)\b""",
        r"""\b(?:obey|follow)\s(?:the|these|my)\s(?:following|new)\s(?:instructions?|orders|rules|commands)\b
        | \bobey\sthe\sfollowing\b""",
        r"""\b(?:do\snot|don't|never)\s(?:tell|inform|mention\s(?:this|it)\sto|alert|notify)\s(?:the\s|your\s)?
        (?:user|owner|human)\b""",
        r"""\bnew\s(?:system\s)?(?:instructions?|prompt)\s?:
        | \b(?:reveal|print|show|repeat|leak)\s(?:me\s)?(?:your|the)\s(?:system|hidden|initial)\sprompt\b""",
        r"""\bignorier\w{0,4}\s(?:\S{1,12}\s){0,2}?(?:vorherig|bisherig|fr[üu]her|obig|vorangegangen)\w{0,4}\s
          (?:anweisung|befehl|regel|instruktion)\w{0,4}
        | \bignore[zr]?\s(?:\S{1,12}\s){0,2}?(?:instructions?|consignes)\s(?:pr[ée]c[ée]dentes|ant[ée]rieures)\b
        | \bignora\w{0,3}\s(?:\S{1,12}\s){0,2}?(?:instrucciones|istruzioni|instru[çc][õo]es)\s
          (?:anterior\w{0,3}|previas|precedenti|pr[ée]vias)\b""",
    )
)
"""Each by itself, so that a hook compiles only the one that a word of its text may begin."""
_MARKUP = LazyPattern(
    rf"""<\s?/?\s?{FENCE}\b
    | <\|[\w/-]{{1,30}}\|>
    | \[/?INST\] | <</?SYS>>
    | </?(?:antml:)?(?:system|system-reminder|system_prompt|instructions|tool_calls?|tool_results?|tool_use
      |tool_response|function_calls?|function_results?|invoke|assistant|user_query)\b[^<>]{{0,200}}>
    | (?:^|[\n>"'-]|\A|\]\s)\s{{0,4}}\[(?:SYSTEM|ASSISTANT|ADMIN|DEVELOPER)\]
    | ^\W{{0,4}}(?:SYSTEM|Assistant|System\sprompt|Developer\smessage)\s?:\s(?!\{{\s?\w{{1,40}}:\s)
    | ["'“‘]\s?(?-i:SYSTEM|ASSISTANT)\s?:\s
    | [{{,]\s?"(?:tool|function|tool_name|function_call|tool_calls|name)"\s?:\s?"[\w.-]{{1,60}}"\s?,\s?
      "(?:arguments|parameters|input|args)"\s?:
    | !\[[^\]\n]{{0,100}}\]\(https?://[^)\s]{{1,300}}[?&][^)\s]{{0,300}}=
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_PATTERNS = (*_INSTRUCTIONS, _MARKUP)


def find_suspicions(text: str) -> tuple[Suspicion, ...]:
    """Why a text looks like an attack; nothing if it does not."""
    text = text[:_LONGEST]
    found: list[Suspicion] = []
    seen, of_characters = (text, ()) if text.isascii() else _look_at_characters(text)
    likely = _short_likely(text.lower()) if len(text) < _SHORT and text.isascii() else _likely(seen)
    orders = [each for each in likely if each is not _MARKUP]
    if orders:
        line = " ".join(seen.split())
        found += ["instruction"] if any(each.compiled.search(line) for each in orders) else []
    if len(orders) < len(likely) and _MARKUP.compiled.search(seen):
        found.append("markup")
    return *found, *of_characters


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
