"""History of an entity or fact: every version, in the order of transactions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from recollect.errors import NotKnown, Refused
from recollect.model.entity import Entity
from recollect.model.fact import Fact, default_text
from recollect.model.ids import EntityId, FactId, format_entity_id, format_fact_id, parse_entity_id, parse_fact_id
from recollect.reason.fact_links import source_text_of
from recollect.resolve.resolver import resolve
from recollect.resolve.suggestions import suggest
from recollect.store.activity_queries import (
    all_facts_of_entity,
    all_sources_of_facts,
    entities_ever_named,
)
from recollect.store.name_index import StoredNameIndex
from recollect.store.view import Tx, View
from recollect.store.write_queries import undoing_transactions
from recollect.when.format import readable_time
from recollect.when.instant import format_instant
from recollect.write.names import name_text
from recollect.write.owner import find_owner, is_owner_word


class NameNotKnown(NotKnown):
    def __init__(self, name: str, near: Sequence[str]) -> None:
        hint = f"; did you mean {' or '.join(near)}?" if near else "; recollect search looks into texts as well"
        super().__init__(f"nothing here is called {name!r}{hint}")


class AmbiguousHistoryName(Refused):
    code = "ambiguous"

    def __init__(self, name: str, choices: Sequence[str]) -> None:
        super().__init__(f"{name!r} may be {', '.join(choices)}; pass one of these ids", accepted=choices)


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One change that a transaction made."""

    tx: int
    id: str
    change: str
    text: str
    source: str | None = None


def history(view: View, name: str) -> list[dict[str, Any]]:
    """Changes of the entity of this name, or of the entity or fact of this id, oldest first, with their authors."""
    last = view.last_tx
    steps = {(step.tx, step.id): step for step in _history_steps(view, name) if step.tx <= last}
    return [_row(view, steps[place]) for place in sorted(steps)]


def _history_steps(view: View, name: str) -> Iterator[HistoryStep]:
    fact = _fact_of_id(view, name)
    if fact is not None:
        yield from _steps_of_facts(view, [fact])
        return
    entity = _find(view, name)
    yield from _entity_steps(view, entity)
    yield from _steps_of_facts(view, all_facts_of_entity(view, entity))


def _steps_of_facts(view: View, facts: Sequence[FactId]) -> Iterator[HistoryStep]:
    sources = _sources(view, facts)
    for fact in facts:
        for step in _fact_steps(view, fact):
            yield replace(step, source=sources.get((fact, step.tx)))


def _sources(view: View, facts: Sequence[FactId]) -> dict[tuple[FactId, int], str]:
    """By fact and transaction, the source that was added: as given, else the URL or key of its document."""
    found: dict[tuple[FactId, int], str] = {}
    for row in all_sources_of_facts(view, facts):
        source = source_text_of(row.given, row.document, row.url, row.key)
        if source is not None:
            found.setdefault((row.fact, row.tx), source)
    return found


def _fact_of_id(view: View, text: str) -> FactId | None:
    fact = parse_fact_id(text, strict=True)
    return fact if fact is not None and view.fact_versions(fact) else None


def _entity_of_id(view: View, text: str) -> EntityId | None:
    """The entity of this id, even if deleted or merged."""
    entity = parse_entity_id(text, strict=True)
    return entity if entity is not None and view.entity_versions(entity) else None


def _find(view: View, name: str) -> EntityId:
    by_id = _entity_of_id(view, name)
    if by_id is not None:
        return by_id
    owner = find_owner(view) if is_owner_word(name) else None
    if owner is not None:
        return owner.id
    names = StoredNameIndex(view)
    found = resolve(names, name, embeddings=False)
    if found.is_ambiguous:
        raise AmbiguousHistoryName(name, [format_entity_id(each.entity) for each in found.candidates])
    if found.entity is not None:
        return found.entity
    undone = [each for each in entities_ever_named(view, name_text(name).folded) if view.entity(each) is None]
    if not undone:
        raise NameNotKnown(name, [each.name.spelling for each in suggest(names, name, limit=3)])
    if len(undone) > 1:
        raise AmbiguousHistoryName(name, [format_entity_id(each) for each in undone])
    return undone[0]


def _row(view: View, step: HistoryStep) -> dict[str, Any]:
    done = view.transaction(step.tx)
    who = {"at": format_instant(done.at), "by": f"{done.surface}.{done.tool} {done.actor}"} if done else {}
    change = _undo_text(view, done) or step.change
    return {"tx": step.tx, **who, "change": change, "what": step.text, "source": step.source, "id": step.id}


def _undo_text(view: View, done: Tx | None) -> str | None:
    """ "undone" or "redone" for a transaction that undoes another; none for others."""
    if done is None or done.undoes is None:
        return None
    undone = view.transaction(done.undoes)
    return "undone" if undone is None or undone.undoes is None else "redone"


def _entity_steps(view: View, entity: EntityId) -> Iterator[HistoryStep]:
    versions = view.entity_versions(entity)
    for before, now in pairwise((None, *versions)):
        if now is not None:
            step = HistoryStep(
                now.tx_from, format_entity_id(now.id), _entity_change(before, now), f"{now.type} {now.name}"
            )
            yield from (step, *_undo_of_step(view, step))


def _undo_of_step(view: View, step: HistoryStep) -> Iterator[HistoryStep]:
    """The undo of a step; it leaves no version where it removed the first one."""
    for tx in undoing_transactions(view, step.tx):
        yield HistoryStep(tx, step.id, "undone", step.text)


def _entity_change(before: Entity | None, now: Entity) -> str:
    if before is None:
        return "entity"
    if now.merged_into and not before.merged_into:
        return "merged"
    if now.deleted and not before.deleted:
        return "deleted"
    return "changed"


def _fact_steps(view: View, fact: FactId) -> Iterator[HistoryStep]:
    for before, now in pairwise((None, *view.fact_versions(fact))):
        if now is not None:
            step = HistoryStep(now.tx_from, format_fact_id(now.id), _fact_change(before, now), _text(view, now))
            yield from (step, *_undo_of_step(view, step))


def _fact_change(before: Fact | None, now: Fact) -> str:
    if before is None:
        return "learned"
    if now.is_retracted and not before.is_retracted:
        return "retracted"
    if now.stale and not before.stale:
        return "superseded"
    if now.disputed and not before.disputed:
        return "disputed"
    return "confirmed" if now.source_count > before.source_count else "changed"


def _text(view: View, fact: Fact) -> str:
    target = _name_of(view, fact.object) if fact.object else fact.literal
    words = fact.words or fact.evidence or default_text(_name_of(view, fact.subject), fact.predicate, target)
    timeline = view.world.timeline
    period = [readable_time(time, timeline) if time else "…" for time in (fact.valid_from, fact.valid_until)]
    return words if period == ["…", "…"] else f"{words} [{period[0]} – {period[1]}]"


def _name_of(view: View, entity: EntityId) -> str:
    """The name of an entity, the last it had if its creation was undone."""
    return (view.entity(entity) or view.entity_versions(entity)[-1]).name
