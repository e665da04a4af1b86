"""Documents in lists, the versions of a text, and two of them side by side."""

import difflib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.ingest.parties import parse_parties, parse_party
from recollect.model.document import Document
from recollect.model.ids import DocumentId, EntityId, format_document_id
from recollect.serve.web.framework.cards import source_badges
from recollect.serve.web.framework.rendering import local_instant
from recollect.store.activity_queries import instants_of
from recollect.store.document_queries import versions_of
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.when.instant import format_date, local_day

NOTE = "note"
MOST_READ = 200
MOST_SHOWN = 12
OPENING = 70


@dataclass(frozen=True, slots=True)
class DocumentCard:
    id: str
    title: str
    type: str
    date: str
    author: str | None
    badges: tuple[str, ...]


def document_card(view: View, document: Document) -> DocumentCard:
    day = format_date(local_day(document.source_at, view.world.zone))
    title = document.title or (_first_words(view, document) if document.type == NOTE else document.key)
    badges = source_badges(document.properties, title)
    return DocumentCard(format_document_id(document.id), title, document.type, day, author_of(document), badges)


def author_of(document: Document) -> str | None:
    """Who wrote a document: the author that it names, or the sender of a mail."""
    sender = parse_party(document.properties.get("sender"))
    return document.author or (None if sender is None else sender.name or sender.address)


def address_of(document: Document) -> str | None:
    """The address that a mail came from, which a name alone does not vouch for."""
    sender = parse_party(document.properties.get("sender"))
    return None if sender is None or not sender.name else sender.address


def recipients_of(document: Document) -> tuple[str, ...]:
    parties = [each for name in ("recipients", "cc") for each in parse_parties(document.properties.get(name))]
    return tuple(dict.fromkeys(each.name or each.address or "" for each in parties))


def _first_words(view: View, document: Document) -> str:
    """The first words of a note, which tell it from the others of its day."""
    words = " ".join((view.text_of(document) or "").split())
    return (words if len(words) <= OPENING else f"{words[:OPENING].rpartition(' ')[0]}…") or "Note"


def newest_documents(view: View, ids: Collection[DocumentId], limit: int = MOST_SHOWN) -> list[DocumentCard]:
    found = [each for each in view.documents(ids).values() if each.deleted is None]
    found.sort(key=lambda each: (-each.source_at, each.id))
    return [document_card(view, each) for each in found[:limit]]


def mentioning_documents(view: View, entity: EntityId) -> list[DocumentCard]:
    """The newest of the documents that mention an entity."""
    return newest_documents(view, StoredPassageIndex(view).some_mentioning(entity, MOST_READ))


@dataclass(frozen=True, slots=True)
class VersionCard:
    number: int
    when: str
    characters: int
    is_shown: bool
    transaction: int
    """The one that wrote it: as of that, pages show this text."""


def text_versions(view: View, document: Document) -> list[Document]:
    """The versions with a text of their own, the first one first."""
    versions: list[Document] = []
    for version in versions_of(view, document.id):
        if version.content is not None and (not versions or versions[-1].content != version.content):
            versions.append(version)
    return versions


def version_cards(view: View, versions: Sequence[Document], shown: Document) -> tuple[VersionCard, ...]:
    when = instants_of(view, [version.tx_from for version in versions])
    zone = view.world.zone
    return tuple(
        VersionCard(
            number,
            local_instant(when[version.tx_from], zone),
            len(view.text_of(version) or ""),
            version.content == shown.content,
            version.tx_from,
        )
        for number, version in enumerate(versions, 1)
    )


def versions_to_choose(view: View, document: Document) -> tuple[VersionCard, ...]:
    """The versions of a text that was changed; none if it has one only."""
    versions = text_versions(view, document)
    return version_cards(view, versions, document) if len(versions) > 1 else ()


CONTEXT = 3
MOST_LINES = 4_000
MOST_ROWS = 600


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A line of the older and of the newer version; `skipped` stands for lines that are the same."""

    kind: Literal["same", "changed", "removed", "added", "skipped"]
    left: str = ""
    right: str = ""


def diff_rows(older: str, newer: str) -> list[DiffRow]:
    """The lines that differ, with a few around them."""
    left, right = older.splitlines()[:MOST_LINES], newer.splitlines()[:MOST_LINES]
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    rows = [row for group in matcher.get_grouped_opcodes(CONTEXT) for row in _group_rows(group, left, right)]
    return rows[1:MOST_ROWS] if rows else []


def _group_rows(group: list[tuple[str, int, int, int, int]], left: list[str], right: list[str]) -> Iterator[DiffRow]:
    yield DiffRow("skipped")
    for tag, left_lo, left_hi, right_lo, right_hi in group:
        ours, theirs = left[left_lo:left_hi], right[right_lo:right_hi]
        if tag == "equal":
            yield from (DiffRow("same", line, line) for line in ours)
            continue
        for number in range(max(len(ours), len(theirs))):
            one = ours[number] if number < len(ours) else None
            other = theirs[number] if number < len(theirs) else None
            if one is None:
                yield DiffRow("added", "", other or "")
            else:
                yield DiffRow("removed", one) if other is None else DiffRow("changed", one, other)
