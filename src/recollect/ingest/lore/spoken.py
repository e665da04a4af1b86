"""A dialogue that has a time is an encounter of its speakers."""

from collections.abc import Sequence
from functools import partial

from recollect.ingest.lore.dialogue import Turn, speakers
from recollect.ingest.lore.entity import time_given
from recollect.ingest.lore.meeting import (
    Meeting,
    encounter_entity,
    meeting_properties,
    moment,
    present_at,
    record_meeting,
)
from recollect.ingest.lore.outline import Outline, names_in
from recollect.ingest.lore.tables import Table
from recollect.ingest.lore.writer import Writer
from recollect.model.document import Document
from recollect.when.period import Time
from recollect.when.problems import NoCurrentTime


def meet_in_dialogue(writer: Writer, about: Outline, said: Sequence[Turn], document: Document) -> Document:
    """The document, with the encounter it records if its time is known."""
    front = about.page.front if about.page.front is not None else Table(1)
    participants = dict.fromkeys((*names_in(front.get("participants"), "participants"), *speakers(list(said))))
    at = _moment(writer, front, document) if participants else None
    if at is None:
        return document
    place = str(front["location"]).strip() if front.get("location") else None
    meeting = Meeting(tuple(participants), names_in(front.get("witnesses"), "witnesses"), place)
    change = writer.change
    present = present_at(change, meeting)
    encounter = encounter_entity(change, about.title, document)
    for entity in (*present.all, *([present.location] if present.location else [])):
        writer.touch(entity, any(entity.id == each.id for each in present.made))
    writer.touch(encounter, "encounter" not in document.properties)
    record_meeting(partial(writer.state, extraction="dialogue"), encounter, at, present)
    properties = {**document.properties, **meeting_properties(encounter, at, present)}
    return (
        document if properties == document.properties else change.put_document(document._replace(properties=properties))
    )


def _moment(writer: Writer, front: Table, document: Document) -> Time | None:
    """When it was: as it says, as it was taken before, or now if the world has a now."""
    said = time_given(front.get("at_time"), "at_time") or document.properties.get("at_time")
    if said is not None:
        return moment(writer.change, said)
    try:
        return moment(writer.change, None)
    except NoCurrentTime:
        return None
