"""How something came to be what it is: every version of an entity and of its facts, in order of learning."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from recollect.errors import NotKnown, Refused
from recollect.model.entity import Entity
from recollect.model.fact import Fact, default_text
from recollect.model.ids import EntityId, say_entity, say_fact
from recollect.resolve.cascade import resolve
from recollect.store.names import StoredNames
from recollect.store.view import View
from recollect.when.instant import say_instant


class NameNotKnown(NotKnown):
    def __init__(self, name: str) -> None:
        super().__init__(f"nothing here is called {name!r}")


class NameFitsSeveral(Refused):
    code = "ambiguous"

    def __init__(self, name: str, choices: Sequence[str]) -> None:
        super().__init__(f"{name!r} may be {', '.join(choices)}; pass one of these ids", accepted=choices)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that one transaction changed."""

    tx: int
    id: str
    change: str
    text: str


def history(view: View, name: str) -> list[dict[str, Any]]:
    """What was learned about the entity of this name, oldest first, and by whom."""
    entity = _find(view, name)
    steps = sorted((*_entity_steps(view, entity), *_fact_steps(view, entity)), key=lambda step: (step.tx, step.id))
    return [_row(view, step) for step in steps]


def _find(view: View, name: str) -> EntityId:
    found = resolve(StoredNames(view), name, embeddings=False)
    if found.is_ambiguous:
        raise NameFitsSeveral(name, [say_entity(each.entity) for each in found.candidates])
    if found.entity is None:
        raise NameNotKnown(name)
    return found.entity


def _row(view: View, step: Step) -> dict[str, Any]:
    done = view.transaction(step.tx)
    who = {"at": say_instant(done.at), "by": f"{done.surface}.{done.tool} {done.actor}"} if done else {}
    return {"tx": step.tx, **who, "change": step.change, "what": step.text, "id": step.id}


def _entity_steps(view: View, entity: EntityId) -> Iterator[Step]:
    versions = sorted(view.entity_versions(entity), key=lambda each: each.tx_from)
    for before, now in pairwise((None, *versions)):
        if now is not None:
            yield Step(now.tx_from, say_entity(now.id), _entity_change(before, now), f"{now.type} {now.name}")


def _entity_change(before: Entity | None, now: Entity) -> str:
    if before is None:
        return "entity"
    if now.merged_into and not before.merged_into:
        return "merged"
    if now.deleted and not before.deleted:
        return "deleted"
    return "changed"


def _fact_steps(view: View, entity: EntityId) -> Iterator[Step]:
    for fact in view.facts_touching(entity):
        versions = sorted(view.fact_versions(fact.id), key=lambda each: each.tx_from)
        for before, now in pairwise((None, *versions)):
            if now is not None:
                yield Step(now.tx_from, say_fact(now.id), _fact_change(before, now), _text(view, now))


def _fact_change(before: Fact | None, now: Fact) -> str:
    if before is None:
        return "learned"
    if now.is_retracted and not before.is_retracted:
        return "retracted"
    if now.stale and not before.stale:
        return "superseded"
    if now.disputed and not before.disputed:
        return "disputed"
    return "confirmed"


def _text(view: View, fact: Fact) -> str:
    ends = view.entities({each for each in (fact.subject, fact.object) if each})
    target = ends[fact.object].name if fact.object else fact.literal
    words = fact.words or default_text(ends[fact.subject].name, fact.predicate, target)
    period = [time.text if time else "…" for time in (fact.valid_from, fact.valid_until)]
    return words if period == ["…", "…"] else f"{words} [{period[0]} – {period[1]}]"
