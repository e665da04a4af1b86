"""A little world told through the core, and questions put to the people in it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recollect.ingest.documents import DocumentDraft, store_document
from recollect.memory import Memory
from recollect.model.fact import Claim, Source, Statement
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.vocabulary import Target, resolve_predicate
from recollect.store.change import Change
from recollect.store.tables import OPEN, TOLD
from recollect.surfaces.declarations import Answer, Tool
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.names import add_alias
from recollect.write.record_statement import record_statement

NOTHING_KNOWN = "I know nothing of that."
ERAS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("first_tide", {"name": "First Tide", "start": 1, "end": 500}),
    ("second_tide", {"name": "Second Tide", "start": 501, "end": None}),
    (
        "second_tide.grey_years",
        {
            "name": "Grey Years",
            "parent_era": "second_tide",
            "start": "second_tide.year_40",
            "end": "second_tide.year_60",
        },
    ),
)
TYPES = {
    "Mira Orrin": "person",
    "Old Perrin": "person",
    "Sela Orrin": "person",
    "Tobin Orrin": "person",
    "The Grey Mask": "person",
    "House Orrin": "faction",
    "Saltguard": "faction",
    "Harbour Watch": "faction",
    "Halden": "location",
    "Low Quay": "location",
    "Tide-Knife": "item",
    "Breaking of the Mole": "event",
    "Drowning of Halden": "event",
    "Quiet Council": "event",
}


def year(number: int) -> str:
    return f"second_tide.year_{number}"


@dataclass
class Tides:
    """The world of the tides; its present is the year 80 of the second tide."""

    memory: Memory
    types: dict[str, str] = field(default_factory=lambda: dict(TYPES))

    def begin(self) -> "Tides":
        present = {"slug": "current", "label": "Now", "era": "second_tide", "year": 80}
        for kind, slug, value in (*(("era", slug, era) for slug, era in ERAS), ("date", "current", present)):
            with self._writing() as change:
                change.put_setting("timeline", "fictional")
                change.put_definition(kind, slug, value)
        return self

    def _writing(self) -> Any:
        return self.memory.as_actor("lore-engine", "add_relation").write()

    def entity(self, name: str, kind: str | None = None, **properties: Any) -> EntityId:
        with self._writing() as change:
            return self._end(change, name, kind, properties)

    def alias(self, name: str, alias: str) -> None:
        with self._writing() as change:
            add_alias(change, find_or_create(change, NamedRef(name)).entity, alias)

    def _end(
        self, change: Change, name: str, kind: str | None = None, properties: Mapping[str, Any] | None = None
    ) -> EntityId:
        wanted = kind or self.types.get(name)
        return find_or_create(change, NamedRef(name, wanted, properties=properties or {}, confirmed=True)).entity.id

    def fact(
        self,
        subject: str,
        relation: str,
        to: str | None = None,
        *,
        since: str | None = None,
        until: str | None = None,
        at: str | None = None,
        literal: str | None = None,
        visibility: str | None = None,
        known_to: Sequence[str] = (),
        document: DocumentId | None = None,
        quote: str | None = None,
    ) -> FactId:
        """State one relation by hand, or as a document has it."""
        with self._writing() as change:
            start, end = (change.world.read(time) if time else None for time in (since or at, until or at))
            ends = self._end(change, subject), self._end(change, to) if to else None
            target: Target = "entity" if to else "literal" if literal else "none"
            word = resolve_predicate(relation.lower(), None, None, target, change.predicate_usage(relation.lower()))
            claim = Claim(ends[0], word.name, word.label, word.fact_type, ends[1], literal, word.symmetric, word.policy)
            statement = Statement(
                claim,
                change.now,
                "stated",
                "extracted",
                1.0,
                None,
                None,
                start,
                end,
                True,
                Source(document=document, quote=quote),
                _spread(visibility, known_to),
            )
            return record_statement(change, statement).fact.id

    def happened(self, event: str, at: str, place: str | None = None, **more: Any) -> None:
        """Date an event, and put it somewhere."""
        self.fact(event, "OCCURRED_DURING", literal=at, at=at, **more)
        if place:
            self.fact(event, "OCCURRED_AT", place, **more)

    def book(
        self,
        title: str,
        text: str,
        visibility: str | None = None,
        known_to: Sequence[str] = (),
        world_time: str | None = None,
    ) -> DocumentId:
        with self._writing() as change:
            properties = {**_spread(visibility, known_to), **({"world_time": world_time} if world_time else {})}
            draft = DocumentDraft("lore_source", "prose", title, title, None, None, change.now, text, properties)
            return store_document(change, draft).id

    def meeting(
        self,
        title: str,
        at: str,
        present: Sequence[str],
        text: str,
        *,
        told: Sequence[tuple[FactId, str | None, Sequence[str]]] = (),
        place: str | None = None,
        notes: str | None = None,
    ) -> DocumentId:
        """People met: a document, an encounter, and what was told to whom."""
        self.types[title] = "encounter"
        with self._writing() as change:
            meeting = self._end(change, title)
            properties = {"encounter": meeting, "at_time": at, **({"private_notes": notes} if notes else {})}
            draft = DocumentDraft("encounter", "encounter", title, title, None, None, change.now, text, properties)
            document = store_document(change, draft).id
        self.happened(title, at, place, document=document)
        for name in present:
            self.fact(name, "WITNESSED", title, at=at, document=document)
        with self._writing() as change:
            time = change.world.read(at)
            for fact, teller, hearers in told:
                by = self._end(change, teller) if teller else None
                for hearer in hearers:
                    key = (self._end(change, hearer), fact, meeting)
                    learned = (time.text, time.lo, time.hi, time.grain)
                    row = (change.ws, *key, change.tx, OPEN, document, by, *learned)
                    change.connection.insert(TOLD, (row,))
        return document

    def answer(self, tool: str, **arguments: Any) -> Answer:
        def opened(found: Tool) -> Memory:
            return self.memory.as_actor(found.surface.name, found.name)

        return call(find_surface("lore-engine").find(tool), opened, arguments)

    def ask(self, npc: str, query: str = "everything", at_time: str | None = None, **more: Any) -> dict[str, Any]:
        """What a person answers."""
        times = {"at_time": at_time} if at_time else {}
        answer = self.answer("query_as_npc", npc=npc, query=query, **times, **more)
        assert not answer.is_error, answer.structured
        return answer.structured

    def knows(self, npc: str, at_time: str | None = None, **more: Any) -> list[str]:
        """Everything a person knows, in words."""
        said = self.ask(npc, at_time=at_time, all=True, limit=100, **more)
        return sorted(item["statement"] for item in said["known"])

    def whole(self, npc: str, query: str, at_time: str | None = None, **more: Any) -> str:
        """The answer to the last byte."""
        return json.dumps(self.ask(npc, query, at_time, **more), sort_keys=True)


def _spread(visibility: str | None, known_to: Sequence[str]) -> dict[str, Any]:
    if visibility is None:
        return {}
    return {"visibility": visibility, **({"known_to": list(known_to)} if known_to else {})}
