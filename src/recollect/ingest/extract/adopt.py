"""What readers of records made of an address or a domain, under the name that somebody gives."""

from recollect.ingest.extract.cast import COMPANY, EXTRACTED, PERSON, READ_OFF, reword
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
            if known_as == kind and entity.type == type_ and entity.reason in (READ_OFF, EXTRACTED)
        ]
        if len(made) == 1 and made[0].folded != fold(end.name):
            _rename(change, made[0], end.name, kind)


def _rename(change: Change, entity: Entity, name: str, kind: NameKind) -> None:
    for known_as, other in change.entities_named(fold(name)):
        if known_as != "name" or other.id == entity.id or other.type not in (entity.type, UNKNOWN_TYPE):
            continue
        if other.properties.get(kind):
            return
        entity = merge(change, other, entity)
    was_read_off = entity.reason == READ_OFF and entity.type == COMPANY
    reword(change, entity, name)
    old = entity.folded
    edit_entity(change, entity, entity._replace(name=name, provisional=False, reason="given"))
    for row in change.names_of(entity.id) if was_read_off else ():
        if row.kind == "alias" and row.folded == old:
            change.end_name(row)
