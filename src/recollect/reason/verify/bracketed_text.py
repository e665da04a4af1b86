"""What stands in brackets after a name, as clauses of its own: dates of life, other names, pronunciation."""

import re

from recollect.when.english.words import MONTH_PATTERN

_TREEBANK = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
"""Brackets as tokenized corpora write them, such as the Wikipedia sentences of FEVER."""
_TREEBANK_BRACKET = re.compile("|".join(_TREEBANK))
_OPENING, _CLOSING = re.compile(r"\(|-LRB-"), re.compile(r"\)|-RRB-")
_UNOPENED_IN_CLAUSE = re.compile(r"^[^(]*\)|-RRB-")
_PRONUNCIATION = re.compile(r"\s*\[[^\[\]]*\]")
_UNOPENED = re.compile(r"^([^()]*)\)")
_DAY = rf"(?:(?:{MONTH_PATTERN})\s+\d{{1,2}}\s*,\s*\d{{4}}|\d{{1,2}}\s+(?:{MONTH_PATTERN})\s+\d{{4}})"
_YEAR = r"(?:1\d|20)\d\d"
_PLACE = r"(?:\s*,?\s+in\s+(?P<{}>(?-i:[A-ZÀ-Þ])[^;()–—]*?))?"
_BIRTH_NAME = r"(?:[^\d();,]{1,80}[;,]\s*)?"
_LIFE = re.compile(
    rf"\(\s*(?:;\s*)?(?:born\s+)?{_BIRTH_NAME}(?P<birth>{_DAY}|{_YEAR}){_PLACE.format('cradle')}"
    rf"\s*(?:--|[-−–—])\s*(?P<death>{_DAY}|{_YEAR}){_PLACE.format('grave')}\s*\)",
    re.IGNORECASE,
)
_BIRTH = re.compile(
    rf"\(\s*(?:;\s*)?(?:born|b\.)\s+{_BIRTH_NAME}(?:on\s+|in\s+)?(?P<birth>{_DAY}|{_YEAR}){_PLACE.format('cradle')}\s*\)",
    re.IGNORECASE,
)
_OTHER_NAME = re.compile(
    r"\(\s*(?:(?:also|formerly|better|commonly|or simply|or)\s+)?(?:called|known as|simply)\b[^()]*\)", re.IGNORECASE
)
_WORD = r"[A-ZÀ-Þ][\w.'’-]*"
_NAME = rf"{_WORD}(?:\s+(?:{_WORD}|de|da|di|du|van|von|la|le|el|al|bin|ibn|[^\W\d_a-zA-Z]+))*"
_NAME_BEFORE = re.compile(rf"(?P<name>{_NAME})\s*$")
_NAME_AND_TITLE = re.compile(rf"(?P<name>{_NAME})\s*,(?:(?! and ).)*,\s*$")
_SHORTEST_LIFE = 18


def write_out_brackets(sentence: str) -> tuple[str, tuple[str, ...]]:
    """The sentence without dates of life, other names and pronunciation in brackets, and the dates as clauses."""
    plain = _TREEBANK_BRACKET.sub(lambda match: _TREEBANK[match[0]], sentence)
    if "(" not in plain and "[" not in plain:
        return sentence, ()
    plain = _UNOPENED.sub(r"\1", _OTHER_NAME.sub(" ", _PRONUNCIATION.sub(" ", plain)))
    found = _LIFE.search(plain) or _BIRTH.search(plain)
    name = None if found is None else _name_before(plain[: found.start()])
    if found is None or name is None or not _is_life(found, name):
        return " ".join(plain.split()), ()
    added = [_clause(name, "was born", found["birth"], found["cradle"])]
    if found.re is _LIFE:
        added.append(_clause(name, "died", found["death"], found["grave"]))
    return " ".join(f"{plain[: found.start()]} {plain[found.end() :]}".split()), tuple(added)


def has_open_bracket(text: str) -> bool:
    """Whether more brackets are opened than closed."""
    return len(_OPENING.findall(text)) > len(_CLOSING.findall(text))


def ends_bracket(text: str) -> bool:
    """Whether a part of a sentence closes a bracket that an earlier part opened."""
    return _UNOPENED_IN_CLAUSE.search(text) is not None


def _name_before(text: str) -> str | None:
    """The name directly before a bracket, or with a title between: *Ada , Countess of Graz , (1815–1852)*."""
    found = _NAME_AND_TITLE.match(text) or _NAME_BEFORE.search(text)
    return None if found is None else found["name"]


def _is_life(found: re.Match[str], name: str) -> bool:
    """Whether two dates are those of a life: bare years only if many apart, as *(2015–2019)* may be a term."""
    if found.re is _BIRTH:
        return True
    birth, death = found["birth"], found["death"]
    is_long = birth.isdecimal() and death.isdecimal() and int(death) - int(birth) >= _SHORTEST_LIFE
    return not name.startswith("The ") and " " in name and (is_long or not birth.isdecimal())


def _clause(name: str, verb: str, date: str, place: str | None) -> str:
    at = f" in {place.strip()}" if place else ""
    return f"{name} {verb}{at} {'in' if date.isdecimal() else 'on'} {date}"
