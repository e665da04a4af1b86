"""Names in: from a text to the entity it stands for, `I` and `we` by the role that was given."""

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.names import ANY_TYPE, Name, Types, fold, token_key
from recollect.resolve.answer import Candidate, Resolution
from recollect.resolve.cascade import EXACT_SCORE, resolve
from recollect.store.rows import entity_of
from recollect.store.view import View
from recollect.surfaces.carabase.entity import PRIMARY_ORG, SELF, role_of

ROLES = {"i": SELF, "me": SELF, "myself": SELF, "we": PRIMARY_ORG, "us": PRIMARY_ORG}
_FEW = 10


def resolved(memory: Memory, view: View, text: str, types: Types = ANY_TYPE) -> Resolution:
    """What a name resolves to; a pronoun to whoever has its role, if anybody has."""
    role = ROLES.get(fold(text))
    playing = [each for each in with_role(view, role) if types.admits(each.type)] if role else []
    if playing:
        return Resolution("exact", tuple(Candidate(_name(each), EXACT_SCORE) for each in playing))
    return resolve(memory.names(view), text, types)


def with_role(view: View, role: str) -> list[Entity]:
    """The live entities of a role, by id."""
    said = [entity_of(row) for row in view.rows("entities_with_role")]
    typed = view.entities_of_types({"self"}, _FEW) if role == SELF else []
    found = {each.id: each for each in (*said, *typed) if role_of(each) == role}
    return [found[id_] for id_ in sorted(found)]


def _name(entity: Entity) -> Name:
    return Name(entity.id, entity.type, entity.name, "name", entity.folded, token_key(entity.folded))
