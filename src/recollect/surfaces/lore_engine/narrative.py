"""Telling: chains of events and stories between two, every sentence with its sources."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pydantic import Field

from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.reason.lore.telling.arc import Arc, arc_between
from recollect.reason.lore.telling.chain import chain_of, events_in_order, in_order
from recollect.reason.lore.telling.perspective import seen_by
from recollect.reason.lore.telling.rewrite import rewritten
from recollect.reason.lore.telling.sentences import Sentence, sentences_of
from recollect.reason.lore.telling.story import Told, told_of_events
from recollect.reason.lore.telling.styles import Style, told_in
from recollect.reason.lore.telling.tell import Citation, cited
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.citations import say_citations
from recollect.surfaces.lore_engine.narrative_results import (
    ArcTold,
    ChainTold,
    EventShown,
    GeneratedBy,
    TimelineEntry,
)
from recollect.surfaces.lore_engine.problems import BadInput
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName
from recollect.surfaces.lore_engine.shown import say_ref, say_time
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.shapes import folded_into
from recollect.when.instant import MAX
from recollect.when.period import Bounds

WHO_SEES = ("person", "creature", "deity", "unknown", "faction", "organization", "culture", "lineage")
NOTHING_RECORDED = "Nothing is recorded of this."
NOTHING_SEEN = "Nothing of this was seen from that perspective."

Depth = Annotated[int, Field(ge=1, le=10, description="How many steps of cause and sequence to follow")]
StyleName = Annotated[
    Style,
    folded_into("bullet", "paragraph", "chronicle", "whispers"),
    Field(description="The shape of the text"),
]
Rewrite = Annotated[bool, Field(description="Let a language model rephrase it, if one is set up")]
SentenceLimit = Annotated[int, Field(ge=1, le=200, description="At most this many sentences")]
EventName = Annotated[EntityName, Field(description="A name, alias or id of an event")]
Perspective = Annotated[EntityName, Field(description="Only what this person or group took part in or witnessed")]


@surface.tool("read", example={"entity": "Breaking of the Mole", "depth": 1, "style": "chronicle"})
def summarize_chain(
    memory: Memory,
    entity: EntityName,
    depth: Depth = 3,
    style: StyleName = "paragraph",
    rewrite: Rewrite = False,
    limit: SentenceLimit = 60,
    as_of: AsOf = None,
) -> ChainTold:
    """The chain of events around an entity in a few cited sentences.

    For an event: where, when, who, what led to it and what came of it. For anything else: its own life, and the same
    for the events it was involved in.
    """
    with asking(memory, as_of) as asked:
        who = asked.entity(entity, "entity")
        chain = chain_of(asked.lore, who, depth)
        every = in_order(sentences_of(asked.lore, chain.relations), who.id, style)
        sentences = every[:limit]
        told = _worded(asked, sentences, told_in(style, list(enumerate(sentences, 1))), rewrite=rewrite)
        said: ChainTold = {
            "entity": say_ref(who),
            "depth": depth,
            "style": style,
            "text": told.text,
            "citations": say_citations(cited(asked.lore, sentences)),
            "events": [say_ref(each) for each in events_in_order(asked.lore, chain.events)],
            "generated_by": told.generated_by,
            "dropped_sentences": told.dropped,
            "truncated": len(every) > limit,
            "note": None if sentences else NOTHING_RECORDED,
        }
        return asked.with_resolution(said)


class _Worded(NamedTuple):
    text: str
    generated_by: GeneratedBy = "template"
    dropped: int = 0


def _worded(asked: Asking, sentences: Sequence[Sentence], template: str, *, rewrite: bool) -> _Worded:
    """The template's words, or as much of a model's as holds."""
    model = asked.memory.model if rewrite and sentences else None
    found = None if model is None else rewritten(asked.view, model, sentences, template)
    way: GeneratedBy = "sampling" if asked.memory.endpoint is None else "endpoint"
    return _Worded(template) if found is None else _Worded(found.text, way, found.dropped)


@surface.tool(
    "read",
    example={"start_event": "Breaking of the Mole", "end_event": "Drowning of Halden", "perspective": "Old Perrin"},
)
def narrate_arc(
    memory: Memory,
    start_event: EventName,
    end_event: EventName,
    perspective: Perspective | None = None,
    style: StyleName = "paragraph",
    rewrite: Rewrite = False,
    as_of: AsOf = None,
) -> ArcTold:
    """The story from one event to another, a paragraph for each event, with its citations.

    A perspective tells only of what it saw.
    """
    with asking(memory, as_of) as asked:
        start, end = (
            asked.entity(start_event, "start_event", "event"),
            asked.entity(end_event, "end_event", "event"),
        )
        viewer = None if perspective is None else asked.entity(perspective, "perspective", *WHO_SEES)
        _check_order(asked, start, end)
        arc = arc_between(asked.lore, start, end)
        events = _seen(asked, arc, viewer)
        story = told_of_events(asked.lore, events, viewer)
        return asked.with_resolution(_Story(asked, arc, story, style, rewrite).said(start, end, viewer))


def _check_order(asked: Asking, start: Entity, end: Entity) -> None:
    times = asked.lore.event_times([start.id, end.id])
    first, last = times[start.id], times[end.id]
    if first is not None and last is not None and last.hi < first.lo:
        when = f"{start.name!r} was in {_say_period(first)}, {end.name!r} in {_say_period(last)}"
        raise BadInput(f"the end lies before the start: {when}", field="end_event")


def _say_period(bounds: Bounds) -> str:
    return str(bounds.valid_from or bounds.valid_until)


def _seen(asked: Asking, arc: Arc, viewer: Entity | None) -> list[Entity]:
    if viewer is None:
        return list(arc.events)
    seen = seen_by(asked.lore, viewer, [each.id for each in arc.events])
    return [each for each in arc.events if each.id in seen]


class _Story:
    """A story in words, with its numbers in one run."""

    def __init__(self, asked: Asking, arc: Arc, story: list[Told], style: Style, rewrite: bool) -> None:
        self._asked = asked
        self._arc = arc
        self._story = story
        self._style: Style = style
        self._rewrite = rewrite
        self._sentences = [each for told in story for each in self._in_order(told)]
        self._citations = cited(asked.lore, self._sentences)

    def _in_order(self, told: Told) -> list[Sentence]:
        by_time = self._style == "chronicle"
        return sorted(told.sentences, key=lambda each: each.order) if by_time else list(told.sentences)

    def said(self, start: Entity, end: Entity, viewer: Entity | None) -> ArcTold:
        told = _worded(self._asked, self._sentences, self._paragraphs(), rewrite=self._rewrite)
        events = [_event(self._asked, each.event) for each in self._story]
        nothing = NOTHING_SEEN if viewer is not None and not events else NOTHING_RECORDED
        return {
            "start_event": say_ref(start),
            "end_event": say_ref(end),
            "perspective": None if viewer is None else say_ref(viewer),
            "connected": self._arc.connected,
            "text": f"{told.text}\n\n{self._sources()}" if told.text else "",
            "events": events,
            "citations": say_citations(self._citations),
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
                paragraphs.append(told_in(self._style, list(enumerate(self._in_order(told), first))))
                first += len(told.sentences)
        return "\n\n".join(paragraphs)

    def _sources(self) -> str:
        return "\n".join(("Citations", *(_source_line(each) for each in self._citations)))

    def _timeline(self) -> list[TimelineEntry]:
        names = [told.event.name for told in self._story for _ in told.sentences]
        entries = zip(self._citations, names, strict=True)
        in_time = sorted(entries, key=lambda entry: (MAX if entry[0].at is None else entry[0].at.lo, entry[0].number))
        return [
            {"n": each.number, "at": say_time(each.at), "event": event, "sources": list(each.sources)}
            for each, event in in_time
        ]


def _source_line(citation: Citation) -> str:
    time = say_time(citation.at) or "undated"
    return f"[{citation.number}] {time} — {citation.statement} — {'; '.join(citation.sources)}"


def _event(asked: Asking, event: Entity) -> EventShown:
    time = asked.lore.event_time(event.id)
    return {**say_ref(event), "at": None if time is None else say_time(time.valid_from or time.valid_until)}
