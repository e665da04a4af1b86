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
_DAYS = ("ANNIVERSARY", "X-ANNIVERSARY", "DEATHDATE")
_OTHER_FIELDS = {
    **dict.fromkeys(("ANNIVERSARY", "X-ANNIVERSARY"), "anniversary"),
    "IMPP": "chat address",
    "GENDER": "gender",
    "LANG": "language",
    "X-SPOUSE": "spouse",
    "X-MANAGER": "manager",
    "X-ASSISTANT": "assistant",
    "X-SOCIALPROFILE": "profile",
    "SOCIALPROFILE": "profile",
    "X-SKYPE": "Skype name",
    "X-SKYPE-USERNAME": "Skype name",
    "X-JABBER": "Jabber address",
    "X-PHONETIC-FIRST-NAME": "first name by sound",
    "X-PHONETIC-LAST-NAME": "last name by sound",
    "BIRTHPLACE": "place of birth",
    "DEATHDATE": "date of death",
    "DEATHPLACE": "place of death",
    "HOBBY": "hobby",
    "INTEREST": "interest",
    "EXPERTISE": "expertise",
    "TZ": "time zone",
    "GEO": "position",
    "CALURI": "calendar",
    "FBURL": "free or busy times",
    "CALADRURI": "address for invitations",
    "ORG-DIRECTORY": "directory",
}
_MEDIA = frozenset({"PHOTO", "LOGO", "SOUND", "KEY"})
_READ = frozenset(
    "FN N NICKNAME ORG TITLE ROLE EMAIL TEL ADR BDAY URL NOTE UID REV KIND CATEGORIES RELATED X-ABSHOWAS "
    "X-ABRELATEDNAMES X-ABDATE X-ABLABEL VERSION PRODID MEMBER SORT-STRING CLIENTPIDMAP SOURCE CLASS MAILER LABEL "
    "X-ABADR X-ABUID X-IMAGETYPE X-IMAGEHASH".split()
) | frozenset(_OTHER_FIELDS)
"""Fields that are read, and those that say how a program keeps the card."""
_SERVICE_KINDS = frozenset({"internet", "pref", "voice", "x400", "text"})


def read_card(card: ContentObject, left_out: Counter[str]) -> Iterator[IngestItem]:
    """The line of a card: the person or company, and what the card says of them."""
    name, organizations = _name_of(card), _organizations(card)
    is_company = (card.text("KIND") or "").lower() == "org" or (card.text("X-ABSHOWAS") or "").upper() == "COMPANY"
    own: dict[str, str] = {}
    if is_company or not name:
        own["contact person"] = _name_in_parts(card) if is_company else ""
        name, is_company = next(iter(organizations), name), True
        own["department"] = organizations.pop(name, "")
    if not name:
        left_out["cards without a name"] += 1
        return
    if (card.text("KIND") or "").lower() == "group":
        left_out["groups of contacts"] += 1
        return
    _count_unread(card, left_out)
    facts = [_attribute(name, what, value) for what, value in own.items() if value not in ("", name)]
    facts += [*_attributes(card, name), *_posts(card, name, organizations)]
    entity = {"name": name, "type": "organization" if is_company else "person", "properties": _properties(card)}
    nicknames = [each for line in card.all("NICKNAME") for each in line.parts(",") if each and each != name]
    notes = [line.text for line in card.all("NOTE") if line.text]
    uid = card.text("UID") or _fingerprint(card, name)
    metadata = {"categories": _categories(card), "note": "\n".join(notes)}
    record = {
        "id": f"contact:{uid.removeprefix('urn:uuid:')}"[:500],
        "type": "contact",
        "title": name,
        "source_at": _revision(card),
        "content": "\n".join([name, *_also_called(nicknames), *(each["fact"] for each in facts), *notes]),
        "metadata": {key: value for key, value in metadata.items() if value},
    }
    kept = {key: value for key, value in record.items() if value is not None}
    yield parse_line({"record": kept, "entities": [{**entity, "aliases": nicknames}], "facts": facts})


def _name_of(card: ContentObject) -> str:
    """The name as it is shown, else put together from its parts."""
    shown = card.text("FN") or _name_in_parts(card)
    return " ".join(shown.split())[:NAME_LIMIT]


def _name_in_parts(card: ContentObject) -> str:
    parts = card.first("N")
    family, given, further, *_ = [*(parts.parts() if parts is not None else []), "", "", ""]
    return " ".join(each for each in (given, further, family) if each)


def _organizations(card: ContentObject) -> dict[str, str]:
    """The organizations of a card with the department in each."""
    found = ([each for each in line.parts() if each] for line in card.all("ORG"))
    return {parts[0][:NAME_LIMIT]: ", ".join(parts[1:]) for parts in found if parts}


def _also_called(nicknames: list[str]) -> list[str]:
    return [f"Also called {', '.join(nicknames)}"] if nicknames else []


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
        yield _attribute(name, f"phone{_kind(card, line)}", line.text.removeprefix("tel:"))
    for line in card.all("EMAIL"):
        yield _attribute(name, f"email address{_kind(card, line)}", line.text.removeprefix("mailto:"))
    for line in card.all("ADR"):
        place = ", ".join(each for each in line.parts() if each)
        if place:
            yield _attribute(name, f"address{_kind(card, line)}", place)
    for line in card.all("BDAY"):
        day = _day(line.text)
        if day:
            yield _attribute(name, "birthday", day)
    for line in card.all("URL"):
        yield _attribute(name, f"web page{_kind(card, line)}", line.text)
    yield from _other_attributes(card, name)


def _other_attributes(card: ContentObject, name: str) -> Iterator[dict[str, Any]]:
    """Dates, chats and people that some cards name."""
    for key, what in _OTHER_FIELDS.items():
        for line in card.all(key):
            value = _day(line.text) if key in _DAYS else line.text
            if value:
                yield _attribute(name, what + ("" if key in _DAYS else _kind(card, line)), value)
    for line in card.all("X-ABDATE"):
        day = _day(line.text)
        if day:
            yield _attribute(name, card.label_of(line) or "other date", day)
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
        elif line.name == "RELATED" and line.text.startswith("urn:"):
            left_out["relations to people whom the card does not name"] += 1
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


def _kind(card: ContentObject, line: ContentLine) -> str:
    kinds = [each for each in line.kinds if each not in _SERVICE_KINDS]
    kinds += [label] if (label := card.label_of(line)) is not None and label not in kinds else []
    return f" ({', '.join(kinds)})" if kinds else ""


def _day(text: str) -> str | None:
    """A birthday or the like as a date; without a year as month and day."""
    text = text.partition("T")[0]
    if text.startswith(_UNKNOWN_YEAR):
        return text.removeprefix(_UNKNOWN_YEAR)
    yearless = _DAY_OF_YEAR.fullmatch(text)
    if yearless is not None:
        return f"{yearless[1]}-{yearless[2]}"
    return _COMPACT_DAY.sub(r"\1-\2-\3", text) or None


def _posts(card: ContentObject, name: str, organizations: dict[str, str]) -> Iterator[dict[str, Any]]:
    """For whom somebody works, as what, and where there; a card does not say which title belongs to which employer."""
    titles = [line.text for key in ("TITLE", "ROLE") for line in card.all(key) if line.text]
    only = titles.pop(0) if len(organizations) == 1 and titles else None
    for organization, department in organizations.items():
        yield {
            "from": name,
            "to": {"name": organization, "type": "organization"},
            "edge_label": "AFFILIATED",
            "fact_type": "employee",
            "fact": f"{name} works at {organization}" + (f" as {only}" if only else ""),
        }
        if department:
            yield _attribute(name, f"department at {organization}", department)
    for title in dict.fromkeys(titles):
        if title != only:
            yield _attribute(name, "title", title)


def _revision(card: ContentObject) -> str | None:
    """When the card was last changed, if it says so in a way that can be read."""
    found = re.fullmatch(r"(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?(\d\d)(?:\.\d+)?Z?", card.text("REV") or "")
    return "{}-{}-{}T{}:{}:{}Z".format(*found.groups()) if found else None


def _categories(card: ContentObject) -> list[str]:
    return [each for line in card.all("CATEGORIES") for each in line.parts(",") if each]
