"""`log_encounter`: who met, what was said, and what they told each other."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.ingest.lore.bounds import Times
from recollect.ingest.lore.encounter import EncounterWanted, Met, meet
from recollect.ingest.lore.meeting import Meeting
from recollect.ingest.lore.sharing import SharedWanted
from recollect.memory import Memory
from recollect.model.ids import say_entity, say_fact, say_uuid
from recollect.surfaces.lore_engine.building import MOST_LISTED, Name, built
from recollect.surfaces.lore_engine.problems import BadInput
from recollect.surfaces.lore_engine.results import Ref, Written
from recollect.surfaces.lore_engine.shapes import NAME_LIMIT, EntityName, RelationText, TimeText, text
from recollect.surfaces.lore_engine.shown import say_ref
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.writing import Writing

MOST_TOLD = 100_000

SharedGiven = TypedDict(
    "SharedGiven",
    {
        "relation_id": NotRequired[Annotated[str, *text(100), Field(description="The relation that was told")]],
        "from": NotRequired[EntityName],
        "relation": NotRequired[RelationText],
        "to": NotRequired[EntityName | None],
        "valid_from": NotRequired[TimeText | None],
        "valid_until": NotRequired[TimeText | None],
        "by": NotRequired[Annotated[Name, Field(description="The participant who told it")] | None],
        "heard_by": NotRequired[Annotated[list[Name], Field(max_length=MOST_LISTED)] | None],
    },
)


class SharedShown(TypedDict):
    """A fact that was told."""

    relation_id: str
    created: bool
    by: str | None
    heard_by: list[str]


class EncounterLogged(Written):
    """An encounter as it was written down."""

    encounter_id: str
    document_id: str
    title: str
    at_time: str
    location: Ref | None
    participants: list[Ref]
    witnesses: list[Ref]
    relations: list[str]
    shared: list[SharedShown]
    created_entities: list[Ref]
    created: bool


@surface.tool(
    "write",
    example={
        "participants": ["Old Perrin", "Sela Orrin"],
        "content": "Perrin told Sela about the mole over supper.",
        "at_time": "second_tide.year_58",
        "shared": [
            {"from": "Mira Orrin", "relation": "PARTICIPATED_IN", "to": "Breaking of the Mole", "by": "Old Perrin"}
        ],
    },
    older={"content": ("summary", "text")},
    idempotent=True,
)
def log_encounter(
    memory: Memory,
    participants: Annotated[
        list[EntityName],
        Field(min_length=1, max_length=MOST_LISTED, description="Who met; unknown names become persons"),
    ],
    content: Annotated[str, *text(MOST_TOLD), Field(description="What everyone present could see or hear")],
    at_time: TimeText | None = None,
    location: Annotated[EntityName, Field(description="Where")] | None = None,
    witnesses: Annotated[list[EntityName], Field(max_length=MOST_LISTED, description="Present without taking part")]
    | None = None,
    title: Annotated[str, *text(NAME_LIMIT), Field(description="What to call it")] | None = None,
    shared: Annotated[list[SharedGiven], Field(max_length=MOST_LISTED, description="Facts that were told")]
    | None = None,
    private_notes: Annotated[str, *text(MOST_TOLD), Field(description="Stored, never shown to a character")]
    | None = None,
) -> EncounterLogged:
    """Record that characters met, what was said and seen, and which facts they told each other.

    Those present know from then on what was told, and nobody else.
    """
    wanted = EncounterWanted(
        Meeting(tuple(participants), tuple(witnesses or ()), location),
        content,
        at_time,
        title,
        tuple(_shared(each) for each in shared or ()),
        private_notes,
    )

    def act(asked: Writing) -> Mapping[str, Any]:
        return _logged(meet(asked.change, wanted))

    answer: EncounterLogged = built(memory, act)
    return answer


def _shared(given: Mapping[str, Any]) -> SharedWanted:
    parts = [key for key in ("from", "relation", "to", "valid_from", "valid_until") if given.get(key) is not None]
    if given.get("relation_id") is not None and parts:
        raise BadInput("a shared fact is a relation_id, or from, relation and to; not both", field="shared")
    if given.get("relation_id") is None and not {"from", "relation"} <= set(parts):
        raise BadInput("a shared fact needs a relation_id, or from, relation and to", field="shared")
    heard = given.get("heard_by")
    return SharedWanted(
        given.get("relation_id"),
        given.get("from"),
        given.get("relation"),
        given.get("to"),
        Times(given.get("valid_from"), given.get("valid_until")),
        given.get("by"),
        None if heard is None else tuple(heard),
    )


def _logged(met: Met) -> Mapping[str, Any]:
    return {
        "encounter_id": say_entity(met.encounter),
        "document_id": say_uuid(met.document.id),
        "title": met.document.title,
        "at_time": met.at.text,
        "location": say_ref(met.present.location) if met.present.location else None,
        "participants": [say_ref(each) for each in met.present.participants],
        "witnesses": [say_ref(each) for each in met.present.witnesses],
        "relations": [say_fact(each) for each in met.relations],
        "shared": [
            {
                "relation_id": say_fact(each.fact),
                "created": each.created,
                "by": each.by.name if each.by else None,
                "heard_by": [who.name for who in each.heard_by],
            }
            for each in met.shared
        ],
        "created_entities": [say_ref(each) for each in met.made],
        "created": met.created,
    }
