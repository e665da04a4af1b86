"""Bundle lines that tell of a world: an encounter, or a document of lore, with the inputs of their tools."""

from typing import Any

from recollect.ingest.fields import Fields, Json
from recollect.ingest.lore.bounds import Times
from recollect.ingest.lore.encounter import EncounterWanted, meet
from recollect.ingest.lore.meeting import Meeting
from recollect.ingest.lore.outline import SourceWanted
from recollect.ingest.lore.sharing import SharedWanted
from recollect.ingest.lore.source import take_source
from recollect.ingest.problems import BadLine
from recollect.ingest.taken import LineTaken
from recollect.store.change import Change

_SOURCE_KEYS = frozenset(
    "title source_type content author reliability visibility known_to world_time url lenient".split()
)
_ENCOUNTER_KEYS = frozenset(
    "participants content summary text at_time location witnesses title shared private_notes".split()
)
_SHARED_KEYS = frozenset("relation_id from relation to valid_from valid_until by heard_by".split())


def take_lore_source(change: Change, given: Json) -> LineTaken:
    """Take in the document that a line carries; whether that changed anything, and what of it was not read."""
    fields = Fields(given, "lore_source")
    fields.only(_SOURCE_KEYS)
    lenient = given.get("lenient")
    if lenient is not None and not isinstance(lenient, bool):
        raise BadLine("lore_source.lenient", "should be true or false")
    wanted = SourceWanted(
        fields.verbatim("content") or fields.needed("content"),
        fields.needed("title"),
        fields.needed("source_type"),
        fields.text("author"),
        given.get("reliability"),
        fields.text("visibility"),
        fields.texts("known_to") or None,
        fields.text("world_time"),
        fields.text("url"),
        lenient,
    )
    kept = take_source(change, wanted)
    unread = [f"lore_source {wanted.title}: line {each.line}: {each.item}: {each.reason}" for each in kept.skipped]
    return LineTaken(kept.created or kept.updated, tuple(unread))


def take_encounter(change: Change, given: Json) -> bool:
    """Write down the encounter that a line tells of; whether it was new."""
    fields = Fields(given, "encounter")
    fields.only(_ENCOUNTER_KEYS)
    content = fields.text("content") or fields.text("summary") or fields.text("text")
    if content is None:
        raise BadLine("encounter.content", "is needed")
    wanted = EncounterWanted(
        Meeting(fields.texts("participants"), fields.texts("witnesses"), fields.text("location")),
        content,
        fields.text("at_time"),
        fields.text("title"),
        tuple(_shared(each, f"encounter.shared[{n}]") for n, each in enumerate(fields.items("shared"))),
        fields.text("private_notes"),
    )
    return meet(change, wanted).created


def _shared(value: Any, path: str) -> SharedWanted:
    fields = Fields(value, path)
    fields.only(_SHARED_KEYS)
    heard = fields.texts("heard_by") if fields.values.get("heard_by") is not None else None
    return SharedWanted(
        fields.text("relation_id"),
        fields.text("from"),
        fields.text("relation"),
        fields.text("to"),
        Times(fields.text("valid_from"), fields.text("valid_until")),
        fields.text("by"),
        heard,
    )
