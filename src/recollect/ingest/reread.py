"""Reading one document again by the present rules, and what that adds to its facts and takes from them."""

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.errors import Refused
from recollect.ingest.extract.rules import ExtractionRules, is_read_by_rules, reread_document
from recollect.ingest.notes.reread import reread_note
from recollect.model.document import REMEMBERED, Document
from recollect.model.fact import Fact
from recollect.model.ids import FactId
from recollect.store.change import Change
from recollect.store.view import View


@dataclass(frozen=True, slots=True)
class Rereading:
    """The facts of a document by what became of them; one that is kept may also have other sources."""

    added: tuple[FactId, ...]
    changed: tuple[FactId, ...]
    kept: tuple[FactId, ...]
    withdrawn: tuple[FactId, ...]


class NotReadByRules(Refused):
    def __init__(self, why: str) -> None:
        super().__init__(f"this document cannot be read again: {why}; add its facts to an entity", field="document")


def can_reread(document: Document, text: str | None) -> bool:
    """Whether rules have read a document and can do so again: a record, or a note with its text."""
    return document.kind == "record" and (bool(text) if is_remembered(document) else is_read_by_rules(document))


def is_remembered(document: Document) -> bool:
    return REMEMBERED in document.properties and not document.deleted


def reread(change: Change, document: Document, rules: ExtractionRules) -> Rereading:
    """Read a document again; what people gave and models found stays."""
    before = _facts_of(change, document)
    if is_remembered(document):
        text = change.text_of(document)
        if not text:
            raise NotReadByRules("its text was not kept")
        reread_note(change, document, text)
    elif not reread_document(change, document, rules):
        raise NotReadByRules("no rules have read it")
    return _compare(before, _facts_of(change, document))


def _facts_of(view: View, document: Document) -> dict[FactId, Fact]:
    claims = [each.fact for each in view.assertions_from(document.id) if each.is_claim]
    return {each: fact for each in claims if (fact := view.fact(each)) is not None}


def _compare(before: Mapping[FactId, Fact], after: Mapping[FactId, Fact]) -> Rereading:
    both = [each for each in after if each in before]
    return Rereading(
        tuple(each for each in after if each not in before),
        tuple(each for each in both if _says(after[each]) != _says(before[each])),
        tuple(each for each in both if _says(after[each]) == _says(before[each])),
        tuple(each for each in before if each not in after),
    )


def _says(fact: Fact) -> tuple[object, ...]:
    return fact.slot, fact.words, fact.valid_from, fact.valid_until
