"""Invisible characters, those that change the direction of a text, and look-alikes; ASCII text has none of them."""

import re
import unicodedata
from typing import Literal

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
