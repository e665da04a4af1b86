"""People as records name them: a display name, an address, or both."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from recollect.model.entity import NAME_LIMIT
from recollect.model.names import clean

ROLES = frozenset(
    "info support sales hello team contact admin billing accounts office jobs press help security".split()
)
AUTOMATIC = re.compile(
    r"(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|bounce|newsletter|notification)", re.IGNORECASE
)
_ADDRESS = re.compile(r"[^\s<>@,;:\"()\[\]]+@[^\s<>@,;:\"()]+")
_ANGLE = re.compile(r"<\s*([^<>]*?)\s*>")
_SEPARATOR = re.compile(r"\"(?:[^\"\\]|\\.)*\"|<[^<>]*>|(?P<between>[,;])")
_GROUP_ALONE = re.compile(r"^[^:<>@\",;]*:[\s;]*$")
_REMARK = re.compile(r"\s*\([^()]*\)$")
_WITH_AT = re.compile(r"[^\s<>()\[\]\"]*@[^\s<>()\[\]\"]+")
_GROUP = re.compile(r"^[^:<>@\",;]*:(?!\w+@)")
_LOCAL_BREAK = re.compile(r"[._\-]+")
_HYPHEN = re.compile(r"[_\-]+")  # a dot may stand before a family name that is a role, too
_HONOURS = frozenset("jr sr ii iii iv phd md esq mba cpa inc llc ltd gmbh".split())
_LONGEST = 1_000
"""What goes on for longer names nobody; a pattern would go through it again and again."""
_QUOTES = "\"'“”‘’ \t"


class Party(NamedTuple):
    """One person as a field gives them; `address` is in lower case."""

    name: str | None
    address: str | None

    @property
    def local(self) -> str:
        """The local part of the address without its tag."""
        return self.address.rpartition("@")[0].partition("+")[0] if self.address else ""

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2] if self.address else ""

    @property
    def is_bot(self) -> bool:
        return any((text or "").casefold().endswith("[bot]") for text in (self.name, self.address, self.local))

    @property
    def is_person(self) -> bool:
        """Whether this can be somebody: neither a bot, nor a mailbox of a role, nor one that nobody reads."""
        if self.is_bot or AUTOMATIC.match(self.local) or not (self.name or self.local):
            return False
        return _LOCAL_BREAK.split(self.local)[0] not in ROLES and _HYPHEN.split(self.local)[-1] not in ROLES


class ReadName(NamedTuple):
    """A name read off an address; a single part is not enough to be sure of."""

    name: str
    is_whole: bool


def party_of(value: Any) -> Party | None:
    """The person a value names: `Name`, `Name <address>`, an address, or an object; none if it names nobody."""
    if isinstance(value, Mapping):
        name, address = value.get("name"), value.get("email")
        found = _read(address) if isinstance(address, str) else Party(None, None)
        display = _display(name) if isinstance(name, str) else None
        return _party(display or found.name, found.address)
    return _party_named(value) if isinstance(value, str) else None


@lru_cache(8192)
def _party_named(text: str) -> Party | None:
    return _party(*_read(text))


def parties_of(value: Any) -> list[Party]:
    """The people of a list, or of a string that separates them by commas; each once, in their order."""
    if value is None:
        return []
    items = value if isinstance(value, list) else [value]
    found = (party_of(person) for item in items for person in _people_in(item, is_alone=items is not value))
    return list(dict.fromkeys(party for party in found if party is not None))


def _people_in(item: Any, *, is_alone: bool) -> Iterator[Any]:
    """An item of a list is one person, unless it has several addresses; a string alone may be a list."""
    if isinstance(item, str) and (is_alone or item.count("@") > 1):
        yield from split_people(item)
    else:
        yield item


def name_of_address(party: Party) -> ReadName | None:
    """The name that the local part spells: two alphabetic parts or more, else the part alone."""
    parts = [part for part in _LOCAL_BREAK.split(party.local) if part]
    words = [part for part in parts if part.replace("'", "").isalpha()]
    if len(words) > 1 and len(words) == len(parts):
        return ReadName(" ".join(words).title()[:NAME_LIMIT], True)
    return ReadName(party.local.title()[:NAME_LIMIT], False) if party.local else None


def _party(name: str | None, address: str | None) -> Party | None:
    return Party(name, address) if name or address else None


def _read(text: str) -> Party:
    text = text[:_LONGEST]
    angle = _ANGLE.search(text)
    inside = _ADDRESS.fullmatch(angle[1]) if angle else None
    address = inside or ("@" in text and _ADDRESS.search(text)) or None
    if address is None:
        return Party(_display(_ANGLE.sub(" ", text)), None)
    if inside and angle:
        # What follows the brackets is a comment, save where nothing precedes them.
        return Party(_display(text[: angle.start()]) or _display(text[angle.end() :]), _clean_address(address[0]))
    return Party(_display(text), _clean_address(address[0]))


def _clean_address(text: str) -> str | None:
    address = text.strip("'.“”‘’").casefold().removeprefix("mailto:")
    local, _, domain = address.partition("@")
    return address if local and domain and len(address) <= NAME_LIMIT else None


def _display(text: str) -> str | None:
    """A display name as it is spoken; what holds no letter is none."""
    text = text[:_LONGEST]
    name = clean(_GROUP_ALONE.sub("", _WITH_AT.sub(" ", text.replace("\\", "")))).strip(_QUOTES)
    name = clean(re.sub(r"\(\s*\)|<\s*>|\[\s*\]", " ", name)).strip(_QUOTES + ",;:-")
    name = _REMARK.sub("", name).strip(_QUOTES) or name.strip("()")
    last, comma, first = name.partition(",")
    if comma and first.strip() and "," not in first:
        is_honour = first.strip(" .").casefold().replace(".", "") in _HONOURS
        name = last.strip() if is_honour else f"{first.strip()} {last.strip()}"
    return name[:NAME_LIMIT].strip() or None if any(letter.isalpha() for letter in name) else None


def pieces_of(text: str) -> Iterator[str]:
    """A list cut at its commas and semicolons, not inside quotes and brackets; the names of groups are left out."""
    start = 0
    cuts = [found.start() for found in _SEPARATOR.finditer(text) if found["between"]]
    for cut in (*cuts, len(text)):
        piece = _GROUP.sub("", text[start:cut].strip()).strip()
        if piece:
            yield piece
        start = cut + 1


def split_people(text: str) -> Iterator[str]:
    """The people of one string; a lone word before somebody with an address is that one's family name."""
    held = ""
    for piece in pieces_of(text):
        if held and "<" in piece and "@" in piece:
            yield f"{held}, {piece}"
            held = ""
            continue
        if held:
            yield held
        held = piece if " " not in piece and "@" not in piece else ""
        if not held:
            yield piece
    if held:
        yield held
