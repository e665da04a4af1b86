"""What makes a text look like an attack on the model that reads it: orders to it, forged markup, unseen characters."""

import re
import unicodedata
from typing import Literal, cast

from recollect.text.fence import FENCE
from recollect.text.patterns import LazyPattern, lazy_pattern, may_match

Suspicion = Literal["instruction", "markup", "unseen characters", "text direction", "look-alike letters"]

_LONGEST = 2_000_000
_SHORT = 1_000
"""A text below this length is looked through for letters that the patterns need before its words are."""
_VERB = r"(?:ignore|disregard|forget|override|bypass|discard|neglect)"
_ABOVE = r"(?:previous|prior|earlier|above|preceding|foregoing|existing|former|your|system|safety)"
_RULES = r"(?:instructions?|prompts?|rules|guidelines|directions|orders|commands|context|restrictions|messages?)"
_INSTRUCTION = lazy_pattern(
    rf"""\b{_VERB}\s(?:\S{{1,12}}\s){{0,3}}?{_ABOVE}\s(?:\S{{1,12}}\s){{0,2}}?{_RULES}\b
    | \b{_VERB}\s(?:\S{{1,12}}\s){{0,2}}?{_RULES}\s(?:above|before|so\sfar)\b
    | \byou\s(?:are|must)\snow\s(?:in\s\w{{1,20}}\smode|an?\s(?:unrestricted|different)|without|unrestricted|free\sof)\b
    | \byou\sare\s(?:an?\s)?(?:unrestricted|jailbroken|DAN)\b
    | \b(?:you\smust|from\snow\son,?\syou|the\sassistant\s(?:must|should|will|shall))\s
      (?:now\s|always\s|must\s)?(?:obey|comply|reveal|call|execute|run|approve|ignore|forward|send|print|delete)\b
    | \b(?:obey|follow)\s(?:the|these|my)\s(?:following|new)\s(?:instructions?|orders|rules|commands)\b
    | \bobey\sthe\sfollowing\b
    | \b(?:do\snot|don't|never)\s(?:tell|inform|mention\s(?:this|it)\sto|alert|notify)\s(?:the\s|your\s)?
      (?:user|owner|human)\b
    | \bnew\s(?:system\s)?(?:instructions?|prompt)\s?:
    | \b(?:reveal|print|show|repeat|leak)\s(?:me\s)?(?:your|the)\s(?:system\sprompt|hidden\sprompt|initial\sprompt)\b
    | \bignorier\w{{0,4}}\s(?:\S{{1,12}}\s){{0,2}}?(?:vorherig|bisherig|fr[üu]her|obig|vorangegangen)\w{{0,4}}\s
      (?:anweisung|befehl|regel|instruktion)\w{{0,4}}
    | \bignore[zr]?\s(?:\S{{1,12}}\s){{0,2}}?(?:instructions?|consignes)\s(?:pr[ée]c[ée]dentes|ant[ée]rieures)\b
    | \bignora\w{{0,3}}\s(?:\S{{1,12}}\s){{0,2}}?(?:instrucciones|istruzioni|instru[çc][õo]es)\s
      (?:anterior\w{{0,3}}|previas|precedenti|pr[ée]vias)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MARKUP = lazy_pattern(
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
_TAG_LETTERS = re.compile("[\U000e0000-\U000e007f]")
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
_UNSEEN = re.compile("[\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\U000e0000-\U000e0fff]")
_JOINERS = re.compile("[\u200c\u200d]")
"""Emoji and some scripts need them, so that only those beside plain letters tell anything."""
_PLAIN_JOINED = re.compile("[A-Za-z0-9 ][\u200c\u200d]|[\u200c\u200d][A-Za-z0-9 ]")
_ANY_UNSEEN = re.compile(f"{_UNSEEN.pattern}|{_JOINERS.pattern}|{_DIRECTION.pattern}")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
"""The flags of England, Scotland and Wales are spelt in unseen letters."""
_FOREIGN = re.compile("[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\uff21-\uff5a]")
_WORD = re.compile(r"[^\W\d_]+")


def find_suspicions(text: str) -> tuple[Suspicion, ...]:
    """Why a text looks like an attack; nothing if it does not."""
    text = text[:_LONGEST]
    found: list[Suspicion] = []
    seen = visible(text)
    small = text.lower() if len(text) < _SHORT and text.isascii() else None
    if _has_pieces(_INSTRUCTION, small) and may_match(_INSTRUCTION, seen):
        found += ["instruction"] if _INSTRUCTION.search(" ".join(seen.split())) else []
    if _has_pieces(_MARKUP, small) and _MARKUP.search(seen):
        found.append("markup")
    if not text.isascii():
        found += _in_characters(text)
    return tuple(found)


def _has_pieces(pattern: re.Pattern[str], small: str | None) -> bool:
    """Whether a short text has letters that a pattern needs: most names have none, and looking costs little."""
    return small is None or any(map(small.__contains__, cast(LazyPattern, pattern).pieces))


def visible(text: str) -> str:
    """The text without characters that nobody sees."""
    return text if text.isascii() else _ANY_UNSEEN.sub("", text)


def _in_characters(text: str) -> list[Suspicion]:
    plain = _FLAG.sub("", text).removeprefix("\ufeff")
    found: list[Suspicion] = []
    if _TAG_LETTERS.search(plain) or len(_UNSEEN.findall(plain)) > 1 or _PLAIN_JOINED.search(plain):
        found.append("unseen characters")
    if _DIRECTION.search(plain):
        found.append("text direction")
    if has_lookalikes(plain):
        found.append("look-alike letters")
    return found


def has_lookalikes(text: str) -> bool:
    """Whether a word mixes Latin letters with those of another script that look like them."""
    if not _FOREIGN.search(text):
        return False
    return any(_mixes_scripts(word) for word in _WORD.findall(text) if _FOREIGN.search(word))


def _mixes_scripts(word: str) -> bool:
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
    return "LATIN" in scripts and bool(scripts & {"CYRILLIC", "GREEK", "ARMENIAN"})
