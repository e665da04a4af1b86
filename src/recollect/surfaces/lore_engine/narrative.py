"""`summarize_chain` and `narrate_arc`: chains of events in words, every sentence with citations."""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.reason.lore.narration.rendering import (
    Citation,
    NarrationStyle,
    citations_of,
    render_sentences,
    rewrite_with_model,
)
from recollect.reason.lore.narration.sentences import RelationSentence, build_sentences
from recollect.reason.lore.narration.story import (
    EventNarration,
    StoryArc,
    arc_between,
    event_chain_of,
    events_seen_by,
    narrate_events,
    sort_events,
    sort_sentences,
)
from recollect.surfaces.lore_engine.citations import CitationView, render_citations
from recollect.surfaces.lore_engine.rendering import entity_ref
from recollect.surfaces.lore_engine.results import AsOf, EntityName, EventName, FuzzyResolutionView, LoreEntityRef
from recollect.surfaces.lore_engine.session import ReadSession, read_session
from recollect.surfaces.lore_engine.surface import RejectedInput, surface
from recollect.surfaces.parameter_types import fold_case_into
from recollect.when.instant import MAX
from recollect.when.period import Bounds, time_text

TextOrigin = Literal["template", "sampling", "endpoint"]


class DatedEventRef(LoreEntityRef):
    at: str | None


class TimelineCitationView(TypedDict):
    """A citation by the event it stands with."""

    n: int
    at: str | None
    event: str
    sources: list[str]


class ChainSummaryResult(TypedDict):
    """The chain of events around an entity, in words."""

    entity: LoreEntityRef
    depth: int
    style: NarrationStyle
    text: str
    citations: dict[str, CitationView]
    events: list[LoreEntityRef]
    generated_by: TextOrigin
    dropped_sentences: int
    truncated: bool
    note: str | None
    resolution: NotRequired[list[FuzzyResolutionView]]


class ArcResult(TypedDict):
    """The story from one event to another, in words."""

    start_event: LoreEntityRef
    end_event: LoreEntityRef
    perspective: LoreEntityRef | None
    connected: bool
    text: str
    events: list[DatedEventRef]
    citations: dict[str, CitationView]
    timeline: list[TimelineCitationView]
    generated_by: TextOrigin
    dropped_sentences: int
    note: str | None
    resolution: NotRequired[list[FuzzyResolutionView]]


WITNESS_TYPES = ("person", "creature", "deity", "unknown", "faction", "organization", "culture", "lineage")
NOTHING_RECORDED = "Nothing is recorded of this."
NOTHING_WITNESSED = "Nothing of this was seen from that perspective."

ChainDepth = Annotated[int, Field(ge=1, le=10, description="How many steps of cause and sequence to follow")]
StyleName = Annotated[
    NarrationStyle,
    fold_case_into("bullet", "paragraph", "chronicle", "whispers"),
    Field(description="The shape of the text"),
]
Rewrite = Annotated[bool, Field(description="Let a language model rephrase it, if one is set up")]
SentenceLimit = Annotated[int, Field(ge=1, le=200, description="At most this many sentences")]
PerspectiveName = Annotated[EntityName, Field(description="Only what this person or group took part in or witnessed")]


@surface.tool("read", example={"entity": "Breaking of the Mole", "depth": 1, "style": "chronicle"})
def summarize_chain(
    memory: Memory,
    entity: EntityName,
    depth: ChainDepth = 3,
    style: StyleName = "paragraph",
    rewrite: Rewrite = False,
    limit: SentenceLimit = 60,
    as_of: AsOf = None,
) -> ChainSummaryResult:
    """The chain of events around an entity in a few cited sentences.

    For an event: where, when, who, what led to it and what came of it. For anything else: its own life, and the same
    for the events it was involved in.
    """
    with read_session(memory, as_of) as session:
        who = session.entity(entity, "entity")
        chain = event_chain_of(session.lore, who, depth)
        every = sort_sentences(build_sentences(session.lore, chain.relations), who.id, style)
        sentences = every[:limit]
        told = _word(session, sentences, render_sentences(style, list(enumerate(sentences, 1))), rewrite=rewrite)
        said: ChainSummaryResult = {
            "entity": entity_ref(who),
            "depth": depth,
            "style": style,
            "text": told.text,
            "citations": render_citations(citations_of(session.lore, sentences)),
            "events": [entity_ref(each) for each in sort_events(session.lore, chain.events)],
            "generated_by": told.generated_by,
            "dropped_sentences": told.dropped,
            "truncated": len(every) > limit,
            "note": None if sentences else NOTHING_RECORDED,
        }
        return session.with_resolution(said)


class _Wording(NamedTuple):
    text: str
    generated_by: TextOrigin = "template"
    dropped: int = 0


def _word(session: ReadSession, sentences: Sequence[RelationSentence], template: str, *, rewrite: bool) -> _Wording:
    """The text of the template, or that of a model if it passes the checks."""
    model = session.memory.model if rewrite and sentences else None
    found = None if model is None else rewrite_with_model(session.view, model, sentences, template)
    way: TextOrigin = "sampling" if session.memory.endpoint is None else "endpoint"
    return _Wording(template) if found is None else _Wording(found.text, way, found.dropped)


@surface.tool(
    "read",
    example={"start_event": "Breaking of the Mole", "end_event": "Drowning of Halden", "perspective": "Old Perrin"},
)
def narrate_arc(
    memory: Memory,
    start_event: EventName,
    end_event: EventName,
    perspective: PerspectiveName | None = None,
    style: StyleName = "paragraph",
    rewrite: Rewrite = False,
    as_of: AsOf = None,
) -> ArcResult:
    """The story from one event to another, a paragraph for each event, with its citations.

    A perspective tells only of what it saw.
    """
    with read_session(memory, as_of) as session:
        start, end = (
            session.entity(start_event, "start_event", "event"),
            session.entity(end_event, "end_event", "event"),
        )
        viewer = None if perspective is None else session.entity(perspective, "perspective", *WITNESS_TYPES)
        _check_order(session, start, end)
        arc = arc_between(session.lore, start, end)
        events = _witnessed_events(session, arc, viewer)
        story = narrate_events(session.lore, events, viewer)
        return session.with_resolution(_StoryRenderer(session, arc, story, style, rewrite).render(start, end, viewer))


def _check_order(session: ReadSession, start: Entity, end: Entity) -> None:
    times = session.lore.event_times([start.id, end.id])
    first, last = times[start.id], times[end.id]
    if first is not None and last is not None and last.hi < first.lo:
        when = f"{start.name!r} was in {_format_period(first)}, {end.name!r} in {_format_period(last)}"
        raise RejectedInput(f"the end lies before the start: {when}", field="end_event")


def _format_period(bounds: Bounds) -> str:
    return str(bounds.valid_from or bounds.valid_until)


def _witnessed_events(session: ReadSession, arc: StoryArc, viewer: Entity | None) -> list[Entity]:
    if viewer is None:
        return list(arc.events)
    seen = events_seen_by(session.lore, viewer, [each.id for each in arc.events])
    return [each for each in arc.events if each.id in seen]


class _StoryRenderer:
    """A story as text, with its citations numbered throughout."""

    def __init__(
        self, session: ReadSession, arc: StoryArc, story: list[EventNarration], style: NarrationStyle, rewrite: bool
    ) -> None:
        self._session = session
        self._arc = arc
        self._story = story
        self._style: NarrationStyle = style
        self._rewrite = rewrite
        self._sentences = [each for told in story for each in self._in_order(told)]
        self._citations = citations_of(session.lore, self._sentences)

    def _in_order(self, told: EventNarration) -> list[RelationSentence]:
        by_time = self._style == "chronicle"
        return sorted(told.sentences, key=lambda each: each.order) if by_time else list(told.sentences)

    def render(self, start: Entity, end: Entity, viewer: Entity | None) -> ArcResult:
        told = _word(self._session, self._sentences, self._paragraphs(), rewrite=self._rewrite)
        events = [_render_event(self._session, each.event) for each in self._story]
        nothing = NOTHING_WITNESSED if viewer is not None and not events else NOTHING_RECORDED
        return {
            "start_event": entity_ref(start),
            "end_event": entity_ref(end),
            "perspective": None if viewer is None else entity_ref(viewer),
            "connected": self._arc.connected,
            "text": f"{told.text}\n\n{self._sources()}" if told.text else "",
            "events": events,
            "citations": render_citations(self._citations),
            "timeline": self._timeline(),
            "generated_by": told.generated_by,
            "dropped_sentences": told.dropped,
            "note": None if told.text else nothing,
        }

    def _paragraphs(self) -> str:
        first = 1
        paragraphs = []
        for told in self._story:
            if told.sentences:
                paragraphs.append(render_sentences(self._style, list(enumerate(self._in_order(told), first))))
                first += len(told.sentences)
        return "\n\n".join(paragraphs)

    def _sources(self) -> str:
        return "\n".join(("Citations", *(_format_citation(each) for each in self._citations)))

    def _timeline(self) -> list[TimelineCitationView]:
        names = [told.event.name for told in self._story for _ in told.sentences]
        entries = zip(self._citations, names, strict=True)
        in_time = sorted(entries, key=lambda entry: (MAX if entry[0].at is None else entry[0].at.lo, entry[0].number))
        return [
            {"n": each.number, "at": time_text(each.at), "event": event, "sources": list(each.sources)}
            for each, event in in_time
        ]


def _format_citation(citation: Citation) -> str:
    time = time_text(citation.at) or "undated"
    return f"[{citation.number}] {time} — {citation.statement} — {'; '.join(citation.sources)}"


def _render_event(session: ReadSession, event: Entity) -> DatedEventRef:
    time = session.lore.event_time(event.id)
    return {**entity_ref(event), "at": None if time is None else time_text(time.valid_from or time.valid_until)}
