"""What makes a text look like an attack on the model that reads it: orders, forged markup, unseen characters."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Literal

from recollect.text.pattern_prefilter import are_marks_loaded
from recollect.text.patterns import LazyPattern, PatternGroup

MEMORY_TAG = "recollect-memory"
_TAG = re.compile(rf"<\s{{0,9}}/?\s{{0,9}}{MEMORY_TAG}[^<>]{{0,99}}>?", re.IGNORECASE)


def add_memory_tags(text: str) -> str:
    """Recalled memory between the tags."""
    return f"<{MEMORY_TAG}>\n{_TAG.sub('', text)}\n</{MEMORY_TAG}>"


_VERB = r"(?:ignore|disregard|forget|override|bypass|discard|neglect)"
_ABOVE = r"(?:previous|prior|earlier|above|preceding|foregoing|existing|former|your|system|safety)"
_RULES = r"(?:instructions?|prompts?|rules|guidelines|directions|orders|commands|context|restrictions|messages?)"
_MODEL = r"(?:AI|LLM|language\smodel|chatbot)(?:\s(?:assistant|agent|model|system|bot)s?){0,2}"
_DEED = r"(?:obey|comply|reveal|call|execute|run|approve|ignore|forward|send|print|delete|erase|forget|export|upload)"
_SEND = r"(?:send|forward|e?-?mail|upload|post|export|reveal|print|copy|delete|erase|forget)"
_PRIVATE = r"(?:memories|notes|facts|contacts|passwords|credentials|secrets|conversations|chat\shistory|system\sprompt)"
OVERRIDE_SOURCES = (
    rf"""\b{_VERB}\s(?:\S{{1,12}}\s){{0,3}}?{_ABOVE}\s(?:\S{{1,12}}\s){{0,2}}?{_RULES}\b
    | \b{_VERB}\s(?:\S{{1,12}}\s){{0,2}}?{_RULES}\s(?:above|before|so\sfar)\b
    | \b{_VERB}\s(?:everything|anything|all|what|whatever)\s(?:that\s)?you\s(?:were|have\sbeen|had\sbeen)\s
      (?:told|taught|instructed|given)\b
    | \bforget\s(?:about\s)?(?:everything|all\s(?:of\s)?(?:this|that|it))\sabove\b(?!\s(?:the|a|an|my|our|\d))""",
    r"""\bnew\s(?:system\s)?(?:instructions?|prompt)\s?:
    | \b(?:reveal|print|show|repeat|leak)\s(?:me\s)?(?:your|the)\s(?:system|hidden|initial)\sprompt\b
    | \b(?:obey|follow)\s(?:the|these|my)\s(?:following|new)\s(?:instructions?|orders|rules|commands)\b
    | \bobey\sthe\sfollowing\b""",
    r"""\bignorier\w{0,4}\s(?:\S{1,12}\s){0,2}?(?:vorherig|bisherig|fr[üu]her|obig|vorangegangen)\w{0,4}\s
      (?:anweisung|befehl|regel|instruktion)\w{0,4}
    | \bignore[zr]?\s(?:\S{1,12}\s){0,2}?(?:instructions?|consignes)\s(?:pr[ée]c[ée]dentes|ant[ée]rieures)\b
    | \b(?:ignor(?:a\w{0,3}|e|em|en)|desconsider[ae]|esque[çc]a|olvida)\s(?:\S{1,12}\s){0,2}?
      (?:instrucciones|istruzioni|instru[çc][õo]es|ordens|[óo]rdenes)\s(?:anterior\w{0,3}|previas|precedenti|pr[ée]vias)\b""",
    r"""\b(?:игнориру|проигнориру|забуд)\w{0,6}\s(?:\S{1,12}\s){0,2}?(?:предыдущ|прежн|прошл)\w{1,4}\s
      (?:\S{1,12}\s)?(?:инструкци|указани|команд|правил)\w{0,4}
    | (?:忽略|无视|無視|忘记|忘記)[^。！？]{0,12}(?:之前|以前|先前|上述|以上|前面|所有|全部)
      [^。！？]{0,8}(?:指令|指示|提示|规则|規則|命令)
    | (?:以前|これまで|上記|過去|すべて|全て)[^。！？]{0,8}(?:指示|命令|ルール|プロンプト)
      [^。！？]{0,8}(?:無視し|忘れて)""",
    r"""\b(?:negeer|vergeet)\s(?:\S{1,12}\s){0,2}?(?:vorige|eerdere|voorgaande|bovenstaande)\s
      (?:instructies?|opdrachten|aanwijzingen|regels|bevelen)\b
    | \b(?:ignorera|glöm|bortse\sfrån|strunta\si|ignorer|glem|se\sbort\sfra)\s(?:\S{1,12}\s){0,2}?
      (?:tidigare|föregående|ovanstående|tidligere|foregående|forrige|ovenstående)\s
      (?:instruktion|instruks|anvisning|order|ordre|regl|kommando)\w{0,6}
    | \b(?:zignoruj|ignoruj|pomiń|zapomnij)\w{0,3}\s(?:\S{1,12}\s){0,2}?
      (?:poprzedni|wcześniejsz|powyższ|předchozí|dřívější)\w{0,4}\s
      (?:\S{1,12}\s)?(?:instrukc|polece|reguł|wytyczn|zasad|pokyn|příkaz)\w{0,4}
    | \bönceki\s(?:\S{1,12}\s){0,2}?(?:talimat|komut|yönerge|kural)\w{0,6}\s(?:\S{1,12}\s)?
      (?:yok\ssay|görmezden\sgel|unut|dikkate\salma|göz\sardı\set)
    | \b(?:bỏ\squa|phớt\slờ|quên)\s(?:\S{1,8}\s){0,3}?(?:hướng\sdẫn|chỉ\sdẫn|chỉ\sthị|mệnh\slệnh|quy\stắc)\s
      (?:\S{1,8}\s){0,2}?(?:trước|bên\strên|ở\strên)\b""",
    r"""\b(?:unohda|ohita|sivuuta)\w{0,3}\s(?:\S{1,12}\s){0,2}?(?:aiem|edelli|aikaisem|yllä)\w{0,6}\s
      (?:\S{1,12}\s)?(?:ohje|määräy|käsky|sään)\w{0,6}
    | \b(?:hagyd|hagyja)\s(?:figyelmen\skívül|el)\s(?:\S{1,12}\s){0,3}?(?:korábbi|előző|fenti|eddigi)\w{0,3}\s
      (?:utasítás|szabály|parancs)\w{0,6}
    | \b(?:felejtsd\sel|felejtse\sel)\s(?:\S{1,12}\s){0,3}?(?:korábbi|előző|fenti|eddigi)\w{0,3}\s
      (?:utasítás|szabály|parancs)\w{0,6}
    | \b(?:ignor[ăa]|ignora[țţt]i|uit[ăa])\s(?:\S{1,12}\s){0,2}?(?:instruc[țţt]iun|reguli|comenzi)\w{0,4}\s
      (?:\S{1,12}\s)?(?:anterioar|precedent|de\smai\ssus)\w{0,3}
    | \b(?:abaikan|lupakan)\s(?:\S{1,12}\s){0,2}?(?:instruksi|perintah|arahan|aturan)\s(?:\S{1,12}\s)?
      (?:sebelumnya|terdahulu|di\satas)\b
    | \b(?:αγνό|ξέχ|παράβλεψ)\w{1,5}\s(?:\S{1,12}\s){0,2}?(?:προηγούμεν|παραπάνω|πρότερ)\w{0,4}\s
      (?:οδηγ|εντολ|κανόν)\w{1,4}""",
    # Marks over and under the letters of some scripts are no part of a word for `re`.
    r"""\b(?:ігнору|проігнору|забуд)\w{0,6}\s(?:\S{1,12}\s){0,2}?(?:попередн|минул)\w{1,4}\s
      (?:\S{1,12}\s)?(?:інструкці|вказівк|команд|правил)\w{0,4}
    | تجاهل\S{0,3}\s(?:\S{1,12}\s){0,2}?(?:ال)?(?:تعليمات|أوامر|إرشادات|توجيهات)\s(?:\S{1,12}\s)?(?:السابقة|أعلاه)
    | (?:התעל(?:ם|מ[יו])|שכח[יו]?)\s(?:\S{1,12}\s)?\S{0,2}(?:הוראות|הנחיות|פקודות)\s(?:\S{1,12}\s)?(?:הקודמ|שלעיל)
    | (?:पिछले|पिछली|पहले|पूर्व|उपरोक्त)\s(?:\S{1,12}\s){0,2}?(?:निर्देश|आदेश)\S{0,4}\s(?:\S{1,12}\s){0,2}?
      (?:अनदेखा|नज\S?रअंदा|भूल)
    | (?:이전|앞선|위의|기존|지금까지)\S{0,3}\s(?:\S{1,8}\s){0,2}?(?:지시|명령|지침|프롬프트)\S{0,4}\s
      (?:\S{1,8}\s){0,2}?(?:무시|잊어)""",
)
"""What was said before is to count no longer."""
ADDRESS_SOURCES = (
    r"""\byou\s(?:are|must)\snow\s(?:in\s\w{1,20}\smode|an?\s(?:unrestricted|different)|without|unrestricted|free\sof)\b
    | \byou\sare\s(?:now\s)?(?:an?\s)?(?:unrestricted|jailbroken|DAN)\b
    | \byou\sare\snow\s(?:\S{1,20}\s){1,3}?(?:and|who|with|which)\s(?:\S{1,12}\s){0,2}?
      (?:no|without|any|ignore|obey)\s(?:any\s)?(?:rules|restrictions|limits|limitations|filters|guidelines)\b""",
    rf"""\byou\smust\s(?:now\s|always\s)?(?:obey|comply|reveal|execute|ignore|forget|erase)\b
    | \byou\smust\s(?:now\s|always\s)?{_SEND}\s(?:\S{{1,12}}\s){{0,3}}?{_PRIVATE}\b
    | \byou\smust\s(?:now\s|always\s)?(?:call|run|use)\s(?:\S{{1,20}}\s){{0,3}}?(?:tools?|functions?|forget)\b
    | \b(?:from\snow\son,?\syou|the\sassistant\s(?:must|should|will|shall))\s(?:now\s|always\s|must\s)?{_DEED}\b
    | \bthe\s(?:assistant|{_MODEL})\s(?:must|should|shall|has\sto)\s(?:always|never|only|now)\s\w{{3,}}""",
    rf"""\b(?:dear|hey|hello|hi|attention|note\s(?:to|for)|to)\s(?:the\s|all\s|any\s|every\s)?{_MODEL}
    (?:\s(?:reading|that\sreads|who\sreads)\s\S{{1,12}}(?:\s\S{{1,12}})?)?\s?[,:;!–—-]\s?(?:\S{{1,12}}\s){{0,2}}?{_DEED}\b
    | <!--\s?(?:(?:dear|hey|attention|note|to|for|all|any|the)\s){{0,3}}{_MODEL}\s?[,:;!–—-]\s?(?:\S{{1,12}}\s){{0,2}}?
      {_DEED}\b""",
    rf"""\b(?:when|if|once|after)\syou\s(?:read|see|process|summari[sz]e|receive)\sthis(?:\s\w{{4,8}})?,?\s
    (?:\S{{1,12}}\s){{0,2}}?{_SEND}\s(?:\S{{1,12}}\s){{0,3}}?{_PRIVATE}\b
    | \b{_SEND}\s(?:me\s)?(?:all\s(?:of\s)?(?:the\s|your\s|their\s)?memories|(?:\S{{1,12}}\s){{1,3}}?{_PRIVATE}\s
      (?:of|about|from)\sthe\s(?:user|owner))\b
    | \b(?:when|if|once|after)\syou\s(?:read|see|process|summari[sz]e|receive)\sthis(?:\s\w{{4,8}})?,?\s
      (?:\S{{1,12}}\s){{0,2}}?(?:fetch|download|open|visit|curl|get)\shttps?://\S{{1,300}}\s(?:and|then)\s
      (?:then\s)?(?:run|execute|obey)\b""",
    r"""\bfrom\snow\son,?\s(?:whenever|when|every\stime|each\stime)\syou\s(?:answer|respond|are\sasked|recall)\b
    | \b(?:include|append|add|insert|mention)\s(?:\S{1,60}\s){1,6}?(?:in|to)\s(?:all|every|each)\s(?:of\s)?(?:your\s)?
      (?:answers?|responses?)\b""",
    r"""\b(?:do\snot|don't|never)\s(?:tell|inform|mention\s(?:this|it)\sto|alert|notify)\s(?:the\s|your\s)?
    (?:user|owner|human)\b""",
)
"""A model is addressed, and told what to do or what to be."""
ORDERS = tuple(LazyPattern(each, re.IGNORECASE | re.VERBOSE) for each in (*OVERRIDE_SOURCES, *ADDRESS_SOURCES))
"""Each by itself, so that a hook compiles only the one that a word of its text may begin."""
SPACED_ORDER = LazyPattern(
    r"(?:ignore|disregard|forget|override|bypass)\w{0,15}(?:previous|prior|earlier|above|your|system)\w{0,15}"
    r"(?:instruction|prompt|rules|guideline|order|command)",
    re.IGNORECASE,
)
"""An order whose letters had a space after each, without the spaces."""


Suspicion = Literal[
    "instruction", "markup", "unseen characters", "text direction", "look-alike letters", "id of another document"
]

_LONGEST = 2_000_000
_SHORT = 100
"""A text below this length is looked through for letters that the patterns need before its words are."""
_SHORT_UNLOADED = 1_000
"""As `_SHORT`, while the words of all patterns are not loaded, which takes longer than to look through some lines."""
_SPACERS = " .*-"
_FEWEST_SPACED = 12
_SPACED = re.compile(
    rf"(?<!\w)(?=[^\W\d_][{_SPACERS}])(?:(?<!\w)[^\W\d_][{_SPACERS}]{{1,3}}){{{_FEWEST_SPACED},}}[^\W\d_](?!\w)"
)
_SHORTEST_SPACED = 2 * _FEWEST_SPACED + 1
_SPLIT_WORD = re.compile(r"(?<=[^\W\d_])-\n\s{0,9}(?=[^\W\d_])")
_GAP = re.compile(r"\.{2,}|[…·•*|~]")
_SHORTEST_ENCODED = 36
_ENCODED = re.compile(rf"[A-Za-z0-9+/]{{{_SHORTEST_ENCODED},}}+")
_LONGEST_ENCODED, _MOST_ENCODED = 8_000, 100
_MARKUP_FLAGS = re.IGNORECASE | re.MULTILINE | re.VERBOSE
_TAGS = LazyPattern(
    rf"""<(?:\s?/?\s?{MEMORY_TAG}\b
    | \|[\w/-]{{1,30}}\|> | </?SYS>>
    | /?(?:antml:)?(?:system|system-reminder|system_prompt|instructions|tool_calls?|tool_results?|tool_use
      |tool_response|function_calls?|function_results?|invoke|assistant|user_query)\b[^<>]{{0,200}}>)
    """,
    _MARKUP_FLAGS,
)
_MARKUP = LazyPattern(
    r"""\[/?INST\]
    | (?:^|[\n>"'-]|\A|\]\s)\s{0,4}\[(?:SYSTEM|ASSISTANT|ADMIN|DEVELOPER)\]
    | ^\W{0,4}(?:SYSTEM|Assistant|System\sprompt|Developer\smessage)\s?:\s(?!\{\s?\w{1,40}:\s)
    | ["'“‘]\s?(?-i:SYSTEM|ASSISTANT)\s?:\s
    | (?-i:\b(?:Assistant|ASSISTANT|AI)\s?:\s[^:]{1,600}\b(?:Human|HUMAN)\s?:\s)
    | (?-i:\b(?:Human|HUMAN)\s?:\s[^:]{1,600}\b(?:Assistant|ASSISTANT)\s?:\s)
    | [{,]\s?"(?:tool|function|tool_name|function_call|tool_calls|name)"\s?:\s?"[\w.-]{1,60}"\s?,\s?
      "(?:arguments|parameters|input|args)"\s?:
    | \[(?:owner|known|unknown|untrusted)\ source\]
    | !\[[^\]\n]{0,100}\]\(https?://[^)\s]{1,300}[?&][^)\s]{0,300}=
    """,
    _MARKUP_FLAGS,
)
_MARKUPS = (_TAGS, _MARKUP)
_NUMBERED = re.compile(r"&#(?:[xX](?P<hex>[0-9a-fA-F]{1,6})|(?P<decimal>[0-9]{1,7}));?")
_PATTERNS = (*ORDERS, *_MARKUPS)
_GROUPED = PatternGroup(_PATTERNS, lambda pattern: pattern)


def find_suspicions(text: str) -> tuple[Suspicion, ...]:
    """Why a text looks like an attack; nothing if it does not."""
    text = _NUMBERED.sub(_numbered_character, text[:_LONGEST]) if "&#" in text else text[:_LONGEST]
    found: list[Suspicion] = []
    seen, of_characters = (text, ()) if text.isascii() else _look_at_characters(text)
    seen = _SPLIT_WORD.sub("", seen) if "-\n" in seen else seen
    is_short = text.isascii() and len(text) < (_SHORT if are_marks_loaded() else _SHORT_UNLOADED)
    likely = _short_likely(seen.lower()) if is_short else _likely(seen)
    orders = [each for each in likely if each not in _MARKUPS]
    if (orders and _has_order(orders, seen)) or _has_spaced_order(seen) or _has_encoded_order(seen):
        found.append("instruction")
    if any(each.compiled.search(seen) for each in likely if each in _MARKUPS):
        found.append("markup")
    return *found, *of_characters


def _has_order(orders: Sequence[LazyPattern], seen: str) -> bool:
    """Whether one of the patterns matches, also with dots or marks between the words."""
    line = " ".join(seen.split())
    if any(each.compiled.search(line) for each in orders):
        return True
    if _GAP.search(line) is None:
        return False
    plain = " ".join(_GAP.sub(" ", line).split())
    return any(each.compiled.search(plain) for each in orders)


def _has_encoded_order(seen: str) -> bool:
    """Whether a run of letters is an order in base64."""
    if len(max(seen.split(), key=len, default="")) < _SHORTEST_ENCODED:
        return False
    for found in islice(_ENCODED.finditer(seen), _MOST_ENCODED):
        decoded = _decode(found[0][:_LONGEST_ENCODED])
        if any(each.compiled.search(" ".join(decoded.split())) for each in _likely(decoded)):
            return True
    return False


def _decode(run: str) -> str:
    """The text that a run of letters encodes in base64; empty if it does not encode text."""
    # Loaded with the first such run: hooks check short lines, and few of these have one.
    from base64 import b64decode

    try:
        return b64decode(run[: len(run) // 4 * 4]).decode()
    except ValueError:
        return ""


def _numbered_character(found: re.Match[str]) -> str:
    """The letter of an HTML character reference, as a browser would show it."""
    code = int(found["hex"], 16) if found["hex"] else int(found["decimal"])
    return chr(code) if 0x20 <= code < 0xD800 else found[0]


def _has_spaced_order(text: str) -> bool:
    """Whether letters that stand apart make an order together."""
    if len(text) < _SHORTEST_SPACED or sum(map(text.count, _SPACERS)) < _FEWEST_SPACED:
        return False
    runs = ("".join(filter(str.isalpha, each[0])) for each in _SPACED.finditer(text))
    return any(SPACED_ORDER.compiled.search(each) for each in runs)


def _likely(text: str) -> list[LazyPattern]:
    """The patterns of which a text has a word that every match needs."""
    return list(_GROUPED.possible(text))


def _short_likely(small: str) -> list[LazyPattern]:
    """As `_likely`, by letters in a row: most names have none, and looking costs little."""
    found: set[tuple[int, int]] = set().union(*map(_groups_in, small.split()))
    places = sorted(place for place, group in found if group == 0)
    return [_PATTERNS[place] for place in places if all((place, each) in found for each in _further_groups(place))]


@lru_cache(8_192)
def _groups_in(word: str) -> frozenset[tuple[int, int]]:
    """The groups of letters that a word has some of, each by the place of its pattern and its number there.

    Names and common words come again and again.
    """
    needed = _needed_letters()
    return frozenset(group for first in {"", *word} for piece, group in needed.get(first, ()) if piece in word)


@cache
def _needed_letters() -> dict[str, list[tuple[str, tuple[int, int]]]]:
    """By their first letter, the letters in a row that patterns need, with the group that each stands in."""
    found: dict[str, list[tuple[str, tuple[int, int]]]] = {}
    for place, pattern in enumerate(_PATTERNS):
        for number, group in enumerate(pattern.pieces):
            for piece in group:
                found.setdefault(piece[:1], []).append((piece, (place, number)))
    return found


@cache
def _further_groups(place: int) -> range:
    """The groups of a pattern of which a text needs letters beside those of the first."""
    return range(1, len(_PATTERNS[place].pieces))


def _look_at_characters(text: str) -> tuple[str, Sequence[Suspicion]]:
    """What is seen of a text, and what is suspicious about its characters."""

    return remove_invisible(text), suspicions_of_characters(text)


CharacterSuspicion = Literal["unseen characters", "text direction", "look-alike letters"]

_TAG_LETTERS = re.compile("[\U000e0000-\U000e007f]")
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
_UNSEEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_WITHIN_WORD = re.compile(
    "[A-Za-z][\u034f\u115f\u1160\u180e\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb][A-Za-z]"
)
"""One is enough; soft hyphens and zero-width spaces stand in the words of many pages."""
_JOINERS = re.compile("[\u200c\u200d]")
"""Emoji and some scripts need them, so that only those beside plain letters tell anything."""
_PLAIN_JOINED = re.compile("[A-Za-z0-9 ][\u200c\u200d]|[\u200c\u200d][A-Za-z0-9 ]")
_ANY_UNSEEN = re.compile(f"{_UNSEEN.pattern}|{_JOINERS.pattern}|{_DIRECTION.pattern}")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
"""The flags of England, Scotland and Wales are spelt in unseen letters."""
_FOREIGN = re.compile("[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\uff21-\uff5a]")
_WORD = re.compile(r"[^\W\d_]+")


def remove_invisible(text: str) -> str:
    """The text without invisible characters, with plain letters for wide, bold and other forms of them."""
    return unicodedata.normalize("NFKC", _ANY_UNSEEN.sub("", text))


def suspicions_of_characters(text: str) -> list[CharacterSuspicion]:
    """What is suspicious about single characters of a text, whatever it says."""
    plain = _FLAG.sub("", text).removeprefix("\ufeff")
    found: list[CharacterSuspicion] = []
    is_hidden = _TAG_LETTERS.search(plain) or _WITHIN_WORD.search(plain) or _PLAIN_JOINED.search(plain)
    if is_hidden or len(_UNSEEN.findall(plain)) > 1:
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
