"""`history`: what was true when, or what was learned and changed when."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import format_fact_id
from recollect.model.trust import SOURCE_TRUST
from recollect.reason.change_history import (
    ChangeWord,
    Clock,
    HistoryEntry,
    HistoryScope,
    count_undated,
    history_of,
    scope_of_entity,
)
from recollect.reason.fact_by_text import fact_with_id
from recollect.store.activity_queries import entities_ever_named
from recollect.store.view import View
from recollect.surfaces.declarations import Result
from recollect.surfaces.recollect.failures import NotFound
from recollect.surfaces.recollect.parameters import (
    Limit,
    Name,
    When,
    check_order,
    find_entity,
    near_name_note,
    read_knowledge_time,
    read_when,
)
from recollect.surfaces.recollect.surface import surface
from recollect.surfaces.recollect.views import BriefEntity, entity_view, named_source
from recollect.surfaces.views import TrustMarks, mark_trust, trust_details
from recollect.text.fold import one_line
from recollect.when.format import readable_text
from recollect.when.period import Time
from recollect.write.names import name_text

DEFAULT_LIMIT = 50

Topic = Annotated[Name, Field(description="Only what concerns this name or id; default everything")]
From = Annotated[When, Field(description="Not before this time")]
To = Annotated[When, Field(description="Not after this time")]
ClockName = Annotated[
    Clock, Field(description="world: when it was true; knowledge: when it was learned, corrected or undone")
]


class EntryView(TrustMarks):
    when: str
    change: ChangeWord
    text: str
    fact: NotRequired[str]
    source: NotRequired[str]
    transaction: NotRequired[int]


class HistoryResult(TypedDict):
    about: NotRequired[BriefEntity]
    clock: Clock
    entries: list[EntryView]
    truncated: bool


@surface.tool("read", example={"about": "acme-web", "clock": "knowledge", "limit": 5})
def history(
    memory: Memory,
    about: Topic | None = None,
    since: From | None = None,
    until: To | None = None,
    clock: ClockName = "world",
    limit: Limit = DEFAULT_LIMIT,
) -> Result[HistoryResult]:
    """What began, ended, happened or is due; or what was learned and changed, and when.

    Oldest first; the newest are kept. `transaction` can be passed to `undo`.
    """
    with memory.read() as view:
        first, last = _read_time(view, clock, since, "since"), _read_time(view, clock, until, "until")
        check_order(first, last)
        entity, scope = _scope(memory, view, about, clock)
        found = history_of(view, clock, HistoryScope(scope.entities, scope.facts, first, last, limit))
        undated = count_undated(view, scope) if clock == "world" and scope.facts else 0
        timeline = view.world.timeline
        near = near_name_note(memory, view, about, entity)
    result: HistoryResult = {
        "clock": clock,
        "entries": [entry_view(each) for each in found.entries],
        "truncated": found.is_cut,
    }
    if entity is not None:
        result = {"about": entity_view(entity), **result}
    spoken = result
    if clock == "world" and timeline.is_fictional:
        entries: list[EntryView] = [
            {**each, "when": readable_text(each["when"], timeline)} for each in result["entries"]
        ]
        spoken = {**result, "entries": entries}
    lines = _entry_lines(spoken) or [_nothing_found(clock, is_limited=since is not None or until is not None)]
    return Result(result, "\n".join([*near, *lines, *([_undated_line(undated)] if undated else [])]))


def _scope(memory: Memory, view: View, about: str | None, clock: Clock) -> tuple[Entity | None, HistoryScope]:
    if about is None:
        return None, HistoryScope()
    fact = fact_with_id(view, about)
    if fact is not None:
        return None, HistoryScope(frozenset(), frozenset({fact}))
    entity = _former_entity(memory, view, about) if clock == "knowledge" else find_entity(memory, view, about, "about")
    entities, facts = scope_of_entity(view, entity.id)
    return entity, HistoryScope(entities, facts)


def _former_entity(memory: Memory, view: View, about: str) -> Entity:
    """The entity that has this name, or had it before it was hidden or its creation was undone."""
    try:
        return find_entity(memory, view, about, "about")
    except NotFound:
        former = entities_ever_named(view, name_text(about).folded)
        if len(former) != 1:
            raise
        return view.entity_versions(former[0])[-1]


def _read_time(view: View, clock: Clock, text: str | None, field: str) -> Time | None:
    """A time of the world, or of our own calendar where changes of the memory are dated."""
    if text is None:
        return None
    return read_when(view.world, text, field) if clock == "world" else read_knowledge_time(view.world, text, field)


def entry_view(entry: HistoryEntry) -> EntryView:
    shown: EntryView = {"when": entry.when, "change": entry.change, "text": entry.text}
    if entry.fact is not None:
        shown["fact"] = format_fact_id(entry.fact)
    if entry.source is not None:
        shown["source"] = entry.source
    if entry.transaction is not None:
        shown["transaction"] = entry.transaction
    mark_trust(shown, {SOURCE_TRUST: entry.trust}, entry.text)
    return shown


def _nothing_found(clock: Clock, *, is_limited: bool) -> str:
    if is_limited:
        happened = "happened" if clock == "world" else "was changed"
        return f"Nothing {happened} in this time. Leave out `since` and `until` to see everything."
    return "Nothing is known with a date; `recall` finds the rest." if clock == "world" else "Nothing was ever changed."


def _entry_lines(result: HistoryResult) -> list[str]:
    more = ["(Earlier entries are omitted; raise `limit`, or send `until` to go further back.)"]
    more = more if result["truncated"] else []
    return [*more, *map(_entry_line, result["entries"])]


def _undated_line(count: int) -> str:
    if count == 1:
        return "1 fact is known without a date; `clock: knowledge` shows when it was learned."
    return f"{count} facts are known without a date; `clock: knowledge` shows when they were learned."


def _entry_line(entry: EntryView) -> str:
    source = named_source(entry.get("source"))
    details = [*trust_details(entry), *([source] if source is not None else [])]
    details += [f"transaction {entry['transaction']}"] if "transaction" in entry else []
    known = f" ({'; '.join(details)})" if details else ""
    ident = f" [{entry['fact']}]" if "fact" in entry else ""
    return one_line(f"- {entry['when']} {entry['change']}: {entry['text']}{known}{ident}")
