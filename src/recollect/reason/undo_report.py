"""What an undo changed and kept, in words."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from recollect.model.document import Document
from recollect.model.entity import is_live_entity
from recollect.model.fact import ends_of_facts
from recollect.model.sentence import fact_text
from recollect.reason.change_history import document_label
from recollect.reason.review.questions import claim_text
from recollect.store.change import Change
from recollect.store.history_queries import latest_names
from recollect.store.review_queries import ambiguous_fact
from recollect.store.view import View
from recollect.write.undo import UndoResult

Id = TypeVar("Id")
Version = TypeVar("Version")


def describe_changes(change: Change, undone: UndoResult) -> list[str]:
    """What is withdrawn, restored or changed back: facts first, also held ones, then documents and entities."""
    before = change.at(undone.tx - 1)
    facts = _versions(before, change, undone.facts, View.fact)
    held = _versions(before, change, undone.held_facts, ambiguous_fact)
    documents = _versions(before, change, undone.documents, View.document)
    entities = _versions(before, change, undone.entities, View.entity)
    names = latest_names(change, ends_of_facts(fact for pair in facts for fact in pair if fact))
    return [
        *_describe(facts, lambda fact: not fact.is_retracted, lambda fact: fact_text(fact, names)),
        *_describe(held, lambda _: True, lambda fact: f"{claim_text(fact)} (held in review)"),
        *_describe(documents, lambda each: not each.deleted, lambda each: _document_text(change, each)),
        *_describe(entities, is_live_entity, lambda each: f"{each.name} ({each.type})"),
    ]


def describe_kept(change: Change, undone: UndoResult) -> list[str]:
    """The entities and aliases that later transactions use, and what was told since of an entity that was merged."""
    aliases = [(each.entity, each.spelling) for each in undone.kept_aliases]
    names = latest_names(change, {*undone.kept_entities, *(entity for entity, _ in aliases)})
    types = {id_: entity.type for id_, entity in change.entities(undone.kept_entities).items()}
    entities = [f"{names[each]} ({types.get(each, 'unknown')})" for each in undone.kept_entities]
    told = [fact for each in undone.kept_facts if (fact := change.fact(each)) is not None]
    ends = latest_names(change, ends_of_facts(told))
    facts = [f"fact “{fact_text(fact, ends)}” of {ends[fact.subject]}, recorded after the merge" for fact in told]
    return [*entities, *(f"alias {spelling} of {names[entity]}" for entity, spelling in aliases), *facts]


def _versions(
    before: View, now: View, ids: Iterable[Id], find: Callable[[View, Id], Version | None]
) -> list[tuple[Version | None, Version | None]]:
    return [(find(before, each), find(now, each)) for each in ids]


def _describe(
    versions: Iterable[tuple[Version | None, Version | None]],
    is_live: Callable[[Version], bool],
    text: Callable[[Version], str],
) -> Iterator[str]:
    for old, new in versions:
        shown = new or old
        if shown is not None:
            was, is_now = (each is not None and is_live(each) for each in (old, new))
            word = "changed back" if was == is_now else "restored" if is_now else "withdrawn"
            yield f"{word}: {text(shown)}"


def _document_text(view: View, document: Document) -> str:
    return f"{document.type} “{document_label(view, document)}”"
