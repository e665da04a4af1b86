"""What an undo changed and kept, in words."""

from collections.abc import Iterator

from recollect.model.document import Document
from recollect.model.fact import Fact, ends_of_facts
from recollect.model.sentence import fact_text
from recollect.reason.change_history import document_label
from recollect.reason.review.ambiguities import claim_text
from recollect.store.change import Change
from recollect.store.history_queries import latest_names
from recollect.store.review_queries import ambiguous_fact
from recollect.store.view import View
from recollect.write.undo import UndoResult


def describe_changes(change: Change, undone: UndoResult) -> list[str]:
    """What is withdrawn, restored or changed back: facts first, also held ones, then documents and entities."""
    before = View(change.connection, change.workspace, undone.tx - 1, change.now)
    return [
        *_fact_changes(before, change, undone),
        *_held_changes(before, change, undone),
        *_document_changes(before, change, undone),
        *_entity_changes(before, change, undone),
    ]


def describe_kept(change: Change, undone: UndoResult) -> list[str]:
    """The entities and aliases that later transactions use."""
    aliases = [(each.entity, each.spelling) for each in undone.kept_aliases]
    names = latest_names(change, {*undone.kept_entities, *(entity for entity, _ in aliases)})
    types = {id_: entity.type for id_, entity in change.entities(undone.kept_entities).items()}
    entities = [f"{names[each]} ({types.get(each, 'unknown')})" for each in undone.kept_entities]
    return [*entities, *(f"alias {spelling} of {names[entity]}" for entity, spelling in aliases)]


def _fact_changes(before: View, now: View, undone: UndoResult) -> Iterator[str]:
    pairs = [(before.fact(each), now.fact(each)) for each in undone.facts]
    names = latest_names(now, ends_of_facts(fact for pair in pairs for fact in pair if fact))
    for old, new in pairs:
        fact = new or old
        if fact is not None:
            word = _word(_is_shown(old), _is_shown(new))
            yield f"{word}: {fact_text(fact, names)}"


def _held_changes(before: View, now: View, undone: UndoResult) -> Iterator[str]:
    for id_ in undone.held_facts:
        old, new = ambiguous_fact(before, id_), ambiguous_fact(now, id_)
        held = new or old
        if held is not None:
            yield f"{_word(old is not None, new is not None)}: {claim_text(held)} (held in review)"


def _is_shown(fact: Fact | None) -> bool:
    return fact is not None and not fact.is_retracted


def _word(was: bool, is_now: bool) -> str:
    if was == is_now:
        return "changed back"
    return "restored" if is_now else "withdrawn"


def _document_changes(before: View, now: View, undone: UndoResult) -> Iterator[str]:
    for id_ in undone.documents:
        old, new = before.document(id_), now.document(id_)
        shown = new or old
        if shown is not None:
            yield f"{_word(_is_live(old), _is_live(new))}: {shown.type} “{document_label(now, shown)}”"


def _is_live(document: Document | None) -> bool:
    return document is not None and not document.deleted


def _entity_changes(before: View, now: View, undone: UndoResult) -> Iterator[str]:
    for id_ in undone.entities:
        old, new = before.entity(id_), now.entity(id_)
        shown = new or old
        if shown is not None:
            was, is_now = (each is not None and each.is_live for each in (old, new))
            yield f"{_word(was, is_now)}: {shown.name} ({shown.type})"
