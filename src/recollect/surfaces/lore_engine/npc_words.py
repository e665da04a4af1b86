"""What a character says: made from names, the relation and the bounds that may be shown, and from nothing else."""

from collections.abc import Mapping

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.relations import relation_kinds
from recollect.reason.lore.knowing.knowledge import KnownRelation
from recollect.reason.lore.telling.words import Said, say_relation_in_words

NOTHING_KNOWN = "I know nothing of that."


def said_of(known: KnownRelation, entities: Mapping[EntityId, Entity]) -> Said:
    """The relation in words, with the end that may be shown."""
    relation = known.relation
    target = shown_literal(known) if relation.object is None else entities[relation.object].name
    subject = entities[relation.subject].name
    return say_relation_in_words(relation.name, subject, target, relation.fact.valid_from, known.valid_until)


def shown_literal(known: KnownRelation) -> str | None:
    """The literal; of one that is a time, only as much as has been seen of it."""
    relation = known.relation
    kind = relation_kinds().get(relation.name)
    if relation.literal is None or kind is None or kind.takes != "time":
        return relation.literal
    fact = relation.fact
    if known.valid_until == fact.valid_until:
        return relation.literal
    return None if fact.valid_from is None else fact.valid_from.text


def sentence(known: KnownRelation, npc: Entity, entities: Mapping[EntityId, Entity]) -> str:
    """One sentence of the answer, in first person."""
    said, way = said_of(known, entities), known.way
    match way.how:
        case "self":
            return f"{_of_oneself(known, said, npc, entities)}."
        case "participated":
            return f"I was part of it and know that {said.statement}."
        case "witnessed":
            return f"I saw that {said.statement}."
        case "co_located":
            return f"I was there in {way.via} and noticed that {said.statement}."
        case "told":
            return f"{way.told_by or 'Somebody'} told me that {said.statement}."
        case "common":
            among = f"Among {way.via} we know" if way.via else "I know"
            return f"{among} that {said.statement}."
        case _:
            return f"Everyone knows that {said.statement}."


def _of_oneself(known: KnownRelation, said: Said, npc: Entity, entities: Mapping[EntityId, Entity]) -> str:
    """The same with `I` in the place of one's own name, which then comes first."""
    relation = known.relation
    other = relation.other_end(npc.id)
    target = said.target if relation.subject == npc.id or other is None else entities[other].name
    return said._replace(subject="I", target=target).statement
