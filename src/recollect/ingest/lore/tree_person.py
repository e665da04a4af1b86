"""Keeping a person of a family tree: known again by the tree's own id, never by name."""

from recollect.ingest.lore.draft import EntityDraft
from recollect.ingest.lore.entity import Described
from recollect.model.entity import Entity
from recollect.model.names import clean, fold
from recollect.store.change import Change
from recollect.write.edit import edit_entity
from recollect.write.ends import End, add_alias, make
from recollect.write.retract import delete_entity


def keep_person(change: Change, draft: EntityDraft) -> Described:
    """The person of a record, as the record now describes them."""
    held = person_of(change, str(draft.properties["gedcom_id"]))
    if held is None:
        end = End(draft.name, draft.label, draft.aliases, draft.properties, confirmed=True, reason="given")
        return Described(make(change, end), True, False)
    known_as = {name.folded for name in change.names_of(held.id)}
    name = held.name if fold(draft.name) in known_as else clean(draft.name)
    properties = {**held.properties, **draft.properties, "gedcom_id": held.properties.get("gedcom_id")}
    wanted = held._replace(name=name, folded=fold(name), properties=properties, provisional=False)
    kept = held if wanted == held else edit_entity(change, held, wanted)
    for alias in draft.aliases:
        add_alias(change, kept, alias)
    return Described(kept, False, held.provisional)


def person_of(change: Change, gedcom_id: str) -> Entity | None:
    """The live person that a record of a tree stands for, also after a merge."""
    named = change.entities_named(fold(gedcom_id))
    return next((entity for kind, entity in named if kind == "gedcom_id"), None)


def let_go(change: Change, person: Entity, title: str) -> bool:
    """Delete a person whose record is gone, unless somebody else still says something of them."""
    facts = change.facts_touching(person.id)
    if any(not fact.is_retracted and not fact.stale for fact in facts):
        return False
    delete_entity(change, person, f"gone from {title}")
    return True
