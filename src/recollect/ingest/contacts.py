"""vCard 2.1, 3.0 and 4.0: people and companies with their numbers, addresses, birthdays and employers."""

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from recollect.ingest.content_lines import ContentLine, ContentObject
from recollect.ingest.line import IngestItem, parse_line
from recollect.model.entity import NAME_LIMIT

CARDS = frozenset({"VCARD"})
_COMPACT_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)")
_DAY_OF_YEAR = re.compile(r"--(\d\d)-?(\d\d)")
_UNKNOWN_YEAR = "1604-"
"""Phones of Apple write this year for a birthday without one."""
_DAYS = ("ANNIVERSARY", "X-ANNIVERSARY")
_OTHER_FIELDS = {
    **dict.fromkeys(_DAYS, "anniversary"),
    "IMPP": "chat address",
    "GENDER": "gender",
    "LANG": "language",
    "X-SPOUSE": "spouse",
    "X-MANAGER": "manager",
    "X-ASSISTANT": "assistant",
}
_MEDIA = frozenset({"PHOTO", "LOGO", "SOUND", "KEY"})
_READ = frozenset(
    "FN N NICKNAME ORG TITLE ROLE EMAIL TEL ADR BDAY URL NOTE UID REV KIND CATEGORIES RELATED X-ABSHOWAS "
    "X-ABRELATEDNAMES X-ABLABEL VERSION PRODID MEMBER SORT-STRING CLIENTPIDMAP SOURCE CLASS MAILER LABEL X-ABADR "
    "X-ABUID X-IMAGETYPE X-IMAGEHASH".split()
) | frozenset(_OTHER_FIELDS)
"""Fields that are read, and those that say how a program keeps the card."""
_SERVICE_KINDS = frozenset({"internet", "pref", "voice", "x400", "text"})


def read_card(card: ContentObject, left_out: Counter[str]) -> Iterator[IngestItem]:
    """The line of a card: the person or company, and what the card says of them."""
    name, organization = _name_of(card), _organization(card)
    is_company = (card.text("KIND") or "").lower() == "org" or (card.text("X-ABSHOWAS") or "").upper() == "COMPANY"
    if is_company or not name:
        name, is_company, organization = organization or name, True, None
    if not name:
        left_out["cards without a name"] += 1
        return
    if (card.text("KIND") or "").lower() == "group":
        left_out["groups of contacts"] += 1
        return
    _count_unread(card, left_out)
    facts = [*_attributes(card, name)]
    if organization:
        facts.append(_employment(card, name, organization))
    entity = {"name": name, "type": "organization" if is_company else "person", "properties": _properties(card)}
    nicknames = [each for line in card.all("NICKNAME") for each in line.parts(",") if each and each != name]
    uid = card.text("UID") or _fingerprint(card, name)
    record = {
        "id": f"contact:{uid.removeprefix('urn:uuid:')}"[:500],
        "type": "contact",
        "title": name,
        "source_at": _revision(card),
        "content": _card_text(card, name, organization),
        "metadata": {"categories": _categories(card), "note": card.text("NOTE")},
    }
    kept = {key: value for key, value in record.items() if value is not None}
    yield parse_line({"record": kept, "entities": [{**entity, "aliases": nicknames}], "facts": facts})


def _name_of(card: ContentObject) -> str:
    """The name as it is shown, else put together from its parts."""
    shown = card.text("FN")
    parts = card.first("N")
    if shown is None and parts is not None:
        family, given, further, *_ = [*parts.parts(), "", "", ""]
        shown = " ".join(each for each in (given, further, family) if each)
    return " ".join((shown or "").split())[:NAME_LIMIT]


def _organization(card: ContentObject) -> str | None:
    found = card.first("ORG")
    return found.parts()[0][:NAME_LIMIT] or None if found is not None else None


def _fingerprint(card: ContentObject, name: str) -> str:
    """What identifies a card without an id: its name and its first address or number."""
    reach = next((line.text for key in ("EMAIL", "TEL") for line in card.all(key)), "")
    return sha256(f"{name}\0{reach}".encode("utf-8", "replace")).hexdigest()[:16]


def _properties(card: ContentObject) -> dict[str, Any]:
    email = card.text("EMAIL")
    return {"email": email.removeprefix("mailto:").lower()} if email else {}


def _attributes(card: ContentObject, name: str) -> Iterator[dict[str, Any]]:
    """The numbers, addresses and dates of a card, each as a fact."""
    for line in card.all("TEL"):
        yield _attribute(name, f"phone{_kind(line)}", line.text.removeprefix("tel:"))
    for line in card.all("EMAIL"):
        yield _attribute(name, f"email address{_kind(line)}", line.text.removeprefix("mailto:"))
    for line in card.all("ADR"):
        place = ", ".join(each for each in line.parts() if each)
        if place:
            yield _attribute(name, f"address{_kind(line)}", place)
    for line in card.all("BDAY"):
        day = _birthday(line.text)
        if day:
            yield _attribute(name, "birthday", day)
    for line in card.all("URL"):
        yield _attribute(name, "web page", line.text)
    yield from _other_attributes(card, name)
    if card.text("TITLE") and not _organization(card):
        yield _attribute(name, "title", card.text("TITLE") or "")


def _other_attributes(card: ContentObject, name: str) -> Iterator[dict[str, Any]]:
    """Dates, chats and people that some cards name."""
    for key, what in _OTHER_FIELDS.items():
        for line in card.all(key):
            if line.text:
                yield _attribute(name, what, _birthday(line.text) or "" if key in _DAYS else line.text)
    for line in card.all("RELATED"):
        if line.text and not line.text.startswith("urn:"):
            yield _attribute(name, ", ".join(line.kinds) or "relative", line.text)
    for line in card.all("X-ABRELATEDNAMES"):
        yield _attribute(name, card.label_of(line) or "relative", line.text)


def _count_unread(card: ContentObject, left_out: Counter[str]) -> None:
    """Count what is in a card and not read from it."""
    for line in card.lines:
        if line.name in _MEDIA:
            left_out["pictures, sounds and keys"] += 1
        elif line.name not in _READ and line.text:
            left_out[f"fields {line.name}"] += 1


def _attribute(name: str, what: str, value: str) -> dict[str, Any]:
    return {
        "from": name,
        "to": {"literal": value},
        "edge_label": "AFFILIATED",
        "fact_type": "attribute",
        "fact": f"{name}'s {what} is {value}",
    }


def _kind(line: ContentLine) -> str:
    kinds = [each for each in line.kinds if each not in _SERVICE_KINDS]
    return f" ({', '.join(kinds)})" if kinds else ""


def _birthday(text: str) -> str | None:
    """A birthday as a date; without a year as month and day."""
    text = text.partition("T")[0]
    if text.startswith(_UNKNOWN_YEAR):
        return text.removeprefix(_UNKNOWN_YEAR)
    yearless = _DAY_OF_YEAR.fullmatch(text)
    if yearless is not None:
        return f"{yearless[1]}-{yearless[2]}"
    return _COMPACT_DAY.sub(r"\1-\2-\3", text) or None


def _employment(card: ContentObject, name: str, organization: str) -> dict[str, Any]:
    title = card.text("TITLE") or card.text("ROLE")
    role = f" as {title}" if title else ""
    return {
        "from": name,
        "to": {"name": organization, "type": "organization"},
        "edge_label": "AFFILIATED",
        "fact_type": "employee",
        "fact": f"{name} works at {organization}{role}",
    }


def _revision(card: ContentObject) -> str | None:
    """When the card was last changed, if it says so in a way that can be read."""
    found = re.fullmatch(r"(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)(?:\.\d+)?Z?", card.text("REV") or "")
    return "{}-{}-{}T{}:{}:{}Z".format(*found.groups()) if found else None


def _categories(card: ContentObject) -> list[str]:
    return [each for line in card.all("CATEGORIES") for each in line.parts(",") if each]


def _card_text(card: ContentObject, name: str, organization: str | None) -> str:
    """The card as text, to be found by any of its words."""
    rows = [name, *(each["fact"] for each in _attributes(card, name))]
    if organization:
        rows.append(_employment(card, name, organization)["fact"])
    return "\n".join([*rows, *([note] if (note := card.text("NOTE")) else [])])
