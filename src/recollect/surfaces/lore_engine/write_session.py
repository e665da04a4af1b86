"""Write sessions: one transaction per call, exact names, and the findings opened and closed."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.ingest.drafts import NameRef
from recollect.ingest.lore.relation_ends import find_end
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.reason.checks.check_runs import ensure_initial_scan
from recollect.reason.checks.findings import format_finding_id
from recollect.reason.checks.incremental import finding_changes_of
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.sources import VISIBILITIES
from recollect.resolve.suggestions import suggest
from recollect.store.change import Change
from recollect.surfaces.lore_engine.finding_rendering import finding_brief
from recollect.surfaces.lore_engine.parameters import NAME_LIMIT, REASON_LIMIT, text_validators
from recollect.surfaces.lore_engine.rendering import disambiguation_hints, entity_ref, render_suggestions
from recollect.surfaces.lore_engine.results import FindingBrief, NamesakeView, WriteOutcome
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

    A call that changed nothing returns the last transaction.
    """
    ensure_initial_scan(memory, "follow")
    with memory.write() as change:
        asked = WriteSession(memory, change, LoreReader(change))
        said = asked.with_resolution(act(asked))
        last = change.tx if change.has_changed else change.last_tx
    return {**said, **_finding_changes(change, last)}


def _finding_changes(change: Change, tx: int) -> WriteOutcome:
    opened, resolved = opened_and_closed_findings(change)
    return {"tx": tx, "violations": opened, "resolved_violations": resolved}


def opened_and_closed_findings(change: Change) -> tuple[list[FindingBrief], list[str]]:
    """The findings that a committed change opened, without orphans, and the ids of those it closed."""
    found = finding_changes_of(change)
    opened = [finding_brief(each) for each in found.opened if each.category != "orphan"]
    return opened, [format_finding_id(each) for each in found.resolved]


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


def run_world_write(memory: Memory, act: Callable[[WriteSession], Mapping[str, Any]]) -> Any:
    """Run a write; an ambiguous name fails with its candidates."""

    def told_apart(asked: WriteSession) -> Mapping[str, Any]:
        try:
            return act(asked)
        except SeveralNamed as several:
            shown = render_candidates(asked, several.candidates)
            raise AmbiguousEntityName(several.candidates[0].name, several.field or "name", shown) from several

    return run_write(memory, told_apart)


def render_candidates(asked: WriteSession, entities: Iterable[Entity]) -> list[NamesakeView]:
    """Candidates for a name, each with a distinguishing hint."""
    given = list(entities)
    hints = disambiguation_hints(asked.lore, given)
    return [{**entity_ref(each), "hint": hints.get(each.id)} for each in given]


def resolve_exactly_named(asked: WriteSession, given: str, field: str) -> Entity:
    """The entity of an id, name or alias, matched exactly."""
    found = find_end(asked.change, NameRef(given), (), field)
    if found is None:
        near = suggest(asked.memory.names(asked.view), given)
        raise EntityNotFound(given, field, render_suggestions(asked.lore, near))
    return found
