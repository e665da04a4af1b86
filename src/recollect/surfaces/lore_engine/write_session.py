"""Write sessions: one transaction per call, exact names, and the findings opened and closed."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.ingest.drafts import NameRef
from recollect.ingest.lore.relation_ends import find_end
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.reason.checks.check_runs import ensure_initial_scan
from recollect.reason.checks.incremental import finding_changes_of
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.sources import VISIBILITIES
from recollect.resolve.suggestions import suggest
from recollect.store.change import Change
from recollect.surfaces.lore_engine.finding_rendering import render_changes
from recollect.surfaces.lore_engine.rendering import render_namesakes, render_suggestions
from recollect.surfaces.lore_engine.results import NAME_LIMIT, REASON_LIMIT, text_validators
from recollect.surfaces.lore_engine.session import ReadSession
from recollect.surfaces.lore_engine.surface import AmbiguousEntityName, EntityNotFound
from recollect.surfaces.parameter_types import fold_case_into
from recollect.write.entity_refs import AmbiguousName as SeveralNamed


class WriteSession(ReadSession):
    """A read session with an open transaction, `change`."""

    __slots__ = ()

    @property
    def change(self) -> Change:
        if not isinstance(self.view, Change):
            raise TypeError("a write needs a change")
        return self.view


def run_write(memory: Memory, act: Callable[[WriteSession], Mapping[str, Any]]) -> Any:
    """Run `act` in one transaction; its result with the transaction number and the findings opened and closed.

    A call that changed nothing returns the last transaction. An ambiguous name fails with its candidates.
    """
    ensure_initial_scan(memory, "follow")
    with memory.write() as change:
        session = WriteSession(memory, change, LoreReader(change))
        try:
            said = session.with_resolution(act(session))
        except SeveralNamed as several:
            shown = render_namesakes(session.lore, several.candidates)
            raise AmbiguousEntityName(several.candidates[0].name, several.field or "name", shown) from several
        last = change.last_tx
    return {**said, "tx": last, **render_changes(finding_changes_of(change))}


MAX_LIST_LENGTH = 50

NameText = Annotated[str, *text_validators(NAME_LIMIT), Field(description="A name")]
KnownTo = Annotated[
    list[NameText], Field(max_length=MAX_LIST_LENGTH, description="Groups or persons who know it, if it is common")
]
Visibility = Annotated[
    Literal["private", "secret", "common", "public"],
    fold_case_into(*VISIBILITIES),
    Field(description="Who may know it"),
]
ConfidenceShare = Annotated[float, Field(ge=0, le=1, description="How sure, 0 to 1")]
ReasonText = Annotated[str, *text_validators(REASON_LIMIT), Field(description="Why")]
Properties = Annotated[dict[str, Any], Field(description="Properties; a time such as born is checked, null removes")]
Attributes = Annotated[dict[str, Any], Field(description="role, joint, posthumous, kind, anything")]


def resolve_exactly_named(session: WriteSession, given: str, field: str) -> Entity:
    """The entity of an id, name or alias, matched exactly."""
    found = find_end(session.change, NameRef(given), (), field)
    if found is None:
        near = suggest(session.memory.names(session.view), given)
        raise EntityNotFound(given, field, render_suggestions(session.lore, near))
    return found
