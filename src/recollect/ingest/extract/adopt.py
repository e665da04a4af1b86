"""What readers of records made of an address or a domain, under the name that somebody gives."""

from recollect.ingest.extract.cast import COMPANY, MADE_BY_READING, PERSON, READ_OFF, reword
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.names import NameKind, fold
from recollect.store.change import Change
from recollect.write.edit import edit_entity
from recollect.write.ends import End
from recollect.write.merge import merge

_KINDS: tuple[tuple[NameKind, str], ...] = (("email", PERSON), ("domain", COMPANY))


def adopt(change: Change, end: End) -> None:
    """Let what was made of the end's address or domain bear its name, so that both are one whichever came first."""
    for kind, type_ in _KINDS:
        value = end.properties.get(kind)
        if not isinstance(value, str) or not value.strip() or end.type not in (None, type_):
            continue
        made = [
            entity
            for known_as, entity in change.entities_named(fold(value))
            if known_as == kind and entity.type == type_ and entity.reason in MADE_BY_READING
        ]
        if len(made) == 1 and made[0].folded != end.folded:
            _rename(change, made[0], end.name, kind)


def adopt_named(change: Change, end: End) -> None:
    """Let a person whom only records named bear the name that somebody gives, if they are known by it already."""
    known = change.entities_named(end.folded)
    for rung in ("name", "alias"):
        people = [entity for kind, entity in known if kind == rung and entity.type == PERSON]
        if people:
            if len(people) == 1 and people[0].reason in MADE_BY_READING:
                _bear(change, people[0], end.name)
            return


def _rename(change: Change, entity: Entity, name: str, kind: NameKind) -> None:
    for known_as, other in change.entities_named(fold(name)):
        if known_as != "name" or other.id == entity.id or other.type not in (entity.type, UNKNOWN_TYPE):
            continue
        if other.properties.get(kind):
            return
        entity = merge(change, other, entity)
    _bear(change, entity, name)
    if entity.reason == READ_OFF and entity.type == COMPANY:
        for row in change.names_of(entity.id):
            if row.kind == "alias" and row.folded == entity.folded:
                change.end_name(row)


def _bear(change: Change, entity: Entity, name: str) -> None:
    reword(change, entity, name)
    edit_entity(change, entity, entity._replace(name=name, provisional=False, reason="given"))
