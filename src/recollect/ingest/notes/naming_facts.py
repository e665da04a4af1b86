"""Facts that name their subject: an alias, a nickname, an email address, the name of the owner."""

from dataclasses import replace

from recollect.ingest.notes.fact_request import ClaimRequest
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.trust import OWNER, Trust
from recollect.store.change import Change
from recollect.write.claims import add_email
from recollect.write.lookup import entities_named
from recollect.write.names import ALIAS_PREDICATES, EMAIL, add_alias, name_text
from recollect.write.owner import set_owner_name


def with_name_as_value(request: ClaimRequest) -> ClaimRequest:
    """The fact; a further name that was given as an object is a value, since it is nobody else."""
    end = request.object
    if request.predicate not in ALIAS_PREDICATES or end is None or end.id is not None or request.value is not None:
        return request
    return replace(request, object=None, value=end.name)


def name_subject(change: Change, request: ClaimRequest, subject: Entity, trust: Trust) -> Entity | None:
    """Make the subject known by the name or address that a fact gives it; the owner, if they got their name by it."""
    value = request.value
    if value is None:
        return None
    if request.predicate == EMAIL:
        with change.with_trust(trust):
            add_email(change, subject, value)
    if request.predicate not in ALIAS_PREDICATES or request.confidence != "stated":
        return None
    is_owners = request.predicate == "name" and request.subject.is_owner and trust == OWNER
    named = set_owner_name(change, value) if is_owners else None
    if named is None and not request.has_ended:
        _add_free_alias(change, subject, value, trust)
    return named


def _add_free_alias(change: Change, subject: Entity, alias: str, trust: Trust) -> None:
    """Add an alias unless it names somebody else, who would become ambiguous by it."""
    text = name_text(alias)
    is_free = all(entity.id == subject.id for _, entity in entities_named(change, text.folded))
    if is_free and text.folded and len(text.spelling) <= NAME_LIMIT:
        add_alias(change, subject, alias, trust)
