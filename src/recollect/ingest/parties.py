"""Parser of people as records name them: display names, addresses and mail domains."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from recollect.model.entity import NAME_LIMIT
from recollect.model.names import clean, fold
from recollect.text.mail_addresses import canonical_address, decode_label, is_disguised_address

ROLE_MAILBOXES = frozenset(
    "info support sales hello team contact admin billing accounts office jobs press help security".split()
)
AUTOMATIC_SENDER = re.compile(
    r"(?:no-?reply|do-?not-?reply|mailer-daemon|postmaster|bounce|newsletter|notification)", re.IGNORECASE
)
_ADDRESS = re.compile(r"[^\s<>@,;:\"()\[\]]+@[^\s<>@,;:\"()]+")
_ANGLE = re.compile(r"<\s*+((?:[^<>]*[^<>\s])?)\s*>")
_SEPARATOR = re.compile(r"\"(?:[^\"\\]|\\.){0,500}\"|<[^<>]*>|(?P<between>[,;])")
_GROUP_ALONE = re.compile(r"^[^:<>@\",;]*:[\s;]*$")
_REMARK = re.compile(r"\s*\([^()]*\)$")
_WITH_AT = re.compile(r"[^\s<>()\[\]\"]*@[^\s<>()\[\]\"]+")
_GROUP = re.compile(r"^[^:<>@\",;]*:(?!\w+@)")
_LOCAL_BREAK = re.compile(r"[._\-]+")
_HYPHEN = re.compile(r"[_\-]+")  # a dot may stand before a family name that is a role, too
_NAME_SUFFIXES = frozenset("jr sr ii iii iv phd md esq mba cpa inc llc ltd gmbh".split())
_MAX_CHARS = 1_000
"""Longer values are not names and would slow the patterns down."""
_QUOTES = "\"'“”‘’ \t"
_PARTIES_KEPT = 8_192
"""Parties of a mailbox that are looked at once: most mails are between the same people."""


class Party(NamedTuple):
    """One person as a field gives them; `address` is in its canonical form."""

    name: str | None
    address: str | None
    is_disguised: bool = False
    """Whether the address as it was written has letters that only look like those of another one."""

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
        """Whether this can be a person: neither a bot nor a role mailbox nor an automatic sender."""
        return _is_person(self)


@lru_cache(_PARTIES_KEPT)
def _is_person(party: Party) -> bool:
    local = party.local
    if party.is_bot or AUTOMATIC_SENDER.match(local) or not (party.name or local):
        return False
    return _LOCAL_BREAK.split(local)[0] not in ROLE_MAILBOXES and _HYPHEN.split(local)[-1] not in ROLE_MAILBOXES


class AddressName(NamedTuple):
    """A name read off an address; a single part is not enough to be sure of."""

    name: str
    is_whole: bool


def parse_party(value: Any) -> Party | None:
    """The person a value names: `Name`, `Name <address>`, an address, or an object; None if it names nobody."""
    if isinstance(value, Mapping):
        name, address = value.get("name"), value.get("email")
        found = _parse_party(address) if isinstance(address, str) else Party(None, None)
        display = _display_name(name) if isinstance(name, str) else None
        party = found._replace(name=display or found.name)
        return party if party.name or party.address else None
    return _parse_party_text(value) if isinstance(value, str) else None


@lru_cache(_PARTIES_KEPT)
def _parse_party_text(text: str) -> Party | None:
    party = _parse_party(text)
    return party if party.name or party.address else None


def parse_parties(value: Any) -> list[Party]:
    """The people of a list, or of a string that separates them by commas; each once, in their order."""
    if value is None:
        return []
    items = value if isinstance(value, list) else [value]
    found = (parse_party(person) for item in items for person in _people_in(item, is_alone=items is not value))
    return list(dict.fromkeys(party for party in found if party is not None))


def _people_in(item: Any, *, is_alone: bool) -> Iterator[Any]:
    """An item of a list is one person, unless it has several addresses; a string alone may be a list."""
    if isinstance(item, str) and (is_alone or item.count("@") > 1):
        yield from split_people(item)
    else:
        yield item


def name_from_address(party: Party) -> AddressName | None:
    """The name that the local part spells: two alphabetic parts or more, else the part alone."""
    local = party.local
    parts = [part for part in _LOCAL_BREAK.split(local) if part]
    words = [part for part in parts if part.replace("'", "").isalpha()]
    if len(words) > 1 and len(words) == len(parts):
        return AddressName(" ".join(words).title()[:NAME_LIMIT], True)
    return AddressName(local.title()[:NAME_LIMIT], False) if local else None


MIN_SHARED_LETTERS = 3


@lru_cache(_PARTIES_KEPT)
def short_name_in_address(party: Party) -> str | None:
    """What somebody is called, if the address spells it: `tadek@…` of Tadeusz Wrona.

    The local part must be one word that begins like the first name, and be neither a name of theirs nor both in one.
    """
    first, *others = fold(party.name or "").split() or [""]
    local = party.local
    begins_alike = local[:MIN_SHARED_LETTERS] == first[:MIN_SHARED_LETTERS]
    begins_alike = begins_alike and MIN_SHARED_LETTERS <= len(local) <= len(first) + 1
    if not (local.isalpha() and begins_alike and others) or local.startswith(first):
        return None
    is_joined = any(local.endswith(other[:MIN_SHARED_LETTERS]) or other in local for other in others)
    return None if is_joined else local.title()


def _parse_party(text: str) -> Party:
    text = text[:_MAX_CHARS]
    # The last one counts: a name may itself be spelt like an address.
    angles = [each for each in _ANGLE.finditer(text) if _ADDRESS.fullmatch(each[1])]
    angle = angles[-1] if angles else _ANGLE.search(text)
    inside = _ADDRESS.fullmatch(angle[1]) if angle else None
    address = inside or ("@" in text and _ADDRESS.search(text)) or None
    if address is None:
        return Party(_display_name(_ANGLE.sub(" ", text)), None)
    cleaned, is_disguised = _clean_address(address[0]), is_disguised_address(address[0])
    if inside and angle:
        # What follows the brackets is a comment, save where nothing precedes them.
        name = _display_name(text[: angle.start()]) or _display_name(text[angle.end() :])
        return Party(name, cleaned, is_disguised)
    return Party(_display_name(text), cleaned, is_disguised)


def _clean_address(text: str) -> str | None:
    address = canonical_address(text.strip("'.“”‘’")).removeprefix("mailto:")
    local, _, domain = address.partition("@")
    return address if local and domain and len(address) <= NAME_LIMIT else None


def _display_name(text: str) -> str | None:
    """A display name as people say it; None without a letter."""
    text = text[:_MAX_CHARS]
    name = clean(_GROUP_ALONE.sub("", _WITH_AT.sub(" ", text.replace("\\", "")))).strip(_QUOTES)
    name = clean(re.sub(r"\(\s*\)|<\s*>|\[\s*\]", " ", name)).strip(_QUOTES + ",;:-")
    name = _REMARK.sub("", name).strip(_QUOTES) or name.strip("()")
    last, comma, first = name.partition(",")
    if comma and first.strip() and "," not in first:
        is_honour = first.strip(" .").casefold().replace(".", "") in _NAME_SUFFIXES
        name = last.strip() if is_honour else f"{first.strip()} {last.strip()}"
    return name[:NAME_LIMIT].strip() or None if any(letter.isalpha() for letter in name) else None


def split_address_list(text: str) -> Iterator[str]:
    """A list cut at its commas and semicolons, not inside quotes and brackets; the names of groups are left out."""
    start = 0
    cuts = [found.start() for found in _SEPARATOR.finditer(text) if found["between"]]
    for cut in (*cuts, len(text)):
        piece = _GROUP.sub("", text[start:cut].strip()).strip()
        if piece:
            yield piece
        start = cut + 1


def split_people(text: str) -> Iterator[str]:
    """The people of one string; a single word before an entry with an address is its family name."""
    held = ""
    for piece in split_address_list(text):
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


_PROVIDERS = frozenset(
    "gmail.com googlemail.com outlook.com hotmail.com live.com msn.com icloud.com me.com mac.com aol.com proton.me "
    "protonmail.com pm.me fastmail.com fastmail.fm mail.com qq.com 163.com 126.com web.de ya.ru hey.com tutanota.com "
    "zoho.com mail.ru t-online.de".split()
)
_PROVIDER_LABELS = frozenset({"yahoo", "gmx", "yandex", "ymail", "rocketmail"})
_PROVIDERS_WITH_COUNTRY_DOMAINS = frozenset({"hotmail", "outlook", "live", "msn", "aol"})
"""Providers that have a domain in many countries; elsewhere the name may be anybody's."""
# Under the two letters of a country these stand where elsewhere the registered name stands.
_SECOND_LEVEL = frozenset(
    "ac co com edu gob gouv gov govt go gv id ltd mil me ne net nhs nom or org plc police sch school web".split()
)
# Said by what is no letter: a class that names all of Unicode takes long to compile.
_LETTER = r"[^\x00-/:-^`{-\x7f]"
_LABEL = re.compile(rf"{_LETTER}(?:(?:{_LETTER}|-)*{_LETTER})?")


@lru_cache(_PARTIES_KEPT)
def registrable_domain(domain: str) -> str | None:
    """The domain as it was registered, without the hosts under it; none for an address or a single label."""
    labels = [label for label in domain.casefold().strip(".").split(".") if label]
    if len(labels) < 2 or labels[-1].isdigit() or not all(_LABEL.fullmatch(label) for label in labels):
        return None
    is_country = len(labels[-1]) == 2
    count = 3 if is_country and labels[-2] in _SECOND_LEVEL and len(labels) > 2 else 2
    return ".".join(labels[-count:])


def is_provider(domain: str, further: Iterable[str] = ()) -> bool:
    """Whether a registrable domain belongs to a mail provider, so that it implies no employer."""
    label, _, rest = domain.partition(".")
    is_abroad = label in _PROVIDERS_WITH_COUNTRY_DOMAINS and len(rest.rpartition(".")[2]) == 2
    return domain in _PROVIDERS or rest == "web.de" or label in _PROVIDER_LABELS or is_abroad or domain in further


def company_name(domain: str) -> str:
    """The name a registrable domain spells: its first label, hyphens as spaces."""
    return " ".join(decode_label(domain.partition(".")[0]).replace("-", " ").split()).title()
