"""Who may report that an item of a more trusted source is done, and who may only ask for it in review."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from recollect.ingest.parties import parse_party
from recollect.ingest.record_types import CHAT_MESSAGE
from recollect.model.document import Document
from recollect.model.fact import Fact
from recollect.model.ids import EntityId
from recollect.model.trust import Trust, trust_in
from recollect.reason.closures.closure_participants import name_words
from recollect.reason.closures.closure_terms import ACKNOWLEDGED, WEAK_STEMS, thing_terms
from recollect.reason.closures.open_items import REQUEST
from recollect.store.change import Change
from recollect.store.item_queries import mails_known_before
from recollect.text.tokens import bare_terms
from recollect.write.claims import is_vouched_for
from recollect.write.lookup import by_identifier
from recollect.write.owner import find_owner

_EMAILS = by_identifier("email", "person")


class _Sent(NamedTuple):
    """From which address of a person a report came, and how far its mail is trusted."""

    address: str
    trust: Trust


def may_report(change: Change, item: Fact, report: Fact) -> bool:
    """Whether a report is by who promised or was asked it, or by somebody known and on what they must know.

    That is what was to be done for them, and a thing that they name. What the owner says is trusted anyway: a mail in
    their name that is not was forged.
    """
    if _is_of_owner(change, report) or not (
        _is_own(item, report) or (report.trust == "known" and _must_know(change, item, report))
    ):
        return False
    return _is_sent_by(change, report, report.subject)


def may_report_done(change: Change, item: Fact, report: Fact) -> bool:
    """Whether a report may close an item: also one from an address that had written before the item was known."""
    if may_report(change, item, report):
        return True
    if _is_of_owner(change, report) or report.trust == "untrusted":
        return False
    return (_is_own(item, report) or _must_know(change, item, report)) and _is_acquainted(change, item, report)


def _is_of_owner(change: Change, report: Fact) -> bool:
    owner = find_owner(change)
    return owner is not None and report.subject == owner.id


def _is_own(item: Fact, report: Fact) -> bool:
    doer = item.object if item.predicate == REQUEST and item.object is not None else item.subject
    return report.subject == doer and report.trust != "untrusted"


def _must_know(change: Change, item: Fact, report: Fact) -> bool:
    return (
        _is_for(change, item, report.subject)
        or ACKNOWLEDGED.search(report.words or "") is not None
        or _names_thing_of(change, item, report)
    )


def _is_for(change: Change, item: Fact, person: EntityId) -> bool:
    """Whether somebody asked for an item, or it names them: *pay Greta*."""
    if person in (item.subject, item.object):
        return True
    named, doer = change.entity(person), change.entity(item.subject)
    own = name_words(doer.name) if doer is not None else set()
    return named is not None and bool(set(bare_terms(item.words or "")) & (name_words(named.name) - own))


def _names_thing_of(change: Change, item: Fact, report: Fact) -> bool:
    people = (change.entity(each) for each in (item.subject, item.object, report.subject) if each is not None)
    names = {term for each in people if each is not None for term in thing_terms(each.name)}
    return bool(thing_terms(item.words or "") & thing_terms(report.words or "") - names - WEAK_STEMS)


def _is_sent_by(change: Change, report: Fact, person: EntityId) -> bool:
    """Whether a report was sent from an address of this person, or by them in a chat, whose service knows its members.

    A name alone is anybody's: somebody whom only the chat names is not known, nor is an address that only others gave,
    unless its mails are known to come from a colleague, to whom the owner need not have written.
    """
    documents = _documents_of(change, report)
    if any(_is_known_message(each) for each in documents):
        return True
    return any(
        sent.trust == "known" or is_vouched_for(change, person, sent.address)
        for document in documents
        for sent in _sent_from(change, document, person)
    )


def _documents_of(change: Change, report: Fact) -> list[Document | None]:
    return [change.document(each.document) for each in change.assertions(report.id) if each.document is not None]


def _sent_from(change: Change, document: Document | None, person: EntityId) -> Iterator[_Sent]:
    """The address of this person from which a mail came, unless it is disguised or was found to be forged."""
    if document is None or document.properties.get("unauthenticated"):
        return
    sender = parse_party(document.properties.get("sender"))
    if sender is None or not sender.address or sender.is_disguised:
        return
    if any(found.id == person for found in _EMAILS.find_all(change, sender.address)):
        yield _Sent(sender.address, trust_in(document.properties))


def _is_acquainted(change: Change, item: Fact, report: Fact) -> bool:
    """Whether the address of a report had written before the item was known here.

    What counts is when its mail came into the memory: any day can be written into a mail.
    """
    addresses = set(_addresses_of(change, _documents_of(change, report), report.subject))
    if not addresses:
        return False
    earlier = mails_known_before(change, report.subject, _first_tx(change, item))
    return any(each in addresses for each in _addresses_of(change, earlier, report.subject))


def _addresses_of(change: Change, documents: Iterable[Document | None], person: EntityId) -> Iterator[str]:
    """The addresses of this person from which documents came, but for those that are not trusted at all."""
    for document in documents:
        yield from (sent.address for sent in _sent_from(change, document, person) if sent.trust != "untrusted")


def _first_tx(change: Change, item: Fact) -> int:
    """The transaction since which an item is known, also if it was put off since."""
    seen = {item.id}
    while item.supersedes is not None and item.supersedes not in seen:
        before = change.fact(item.supersedes)
        if before is None:
            break
        seen.add(before.id)
        item = before
    return min(each.tx_from for each in change.fact_versions(item.id))


def _is_known_message(document: Document | None) -> bool:
    return document is not None and document.type == CHAT_MESSAGE and trust_in(document.properties) == "known"
