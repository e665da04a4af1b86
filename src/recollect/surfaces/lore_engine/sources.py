"""`add_lore_source` and `log_encounter`: documents and meetings, and what they state."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired, cast

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from recollect.errors import Refused
from recollect.ingest.lore.encounters import (
    AttendanceInput,
    EncounterInput,
    EncounterResult,
    SharedFactInput,
    record_encounter,
)
from recollect.ingest.lore.relation_ends import TimeInput
from recollect.ingest.lore.source_parser import SourceInput
from recollect.ingest.lore.sources import NOTHING_READ, SourceResult, prepare_source, write_source
from recollect.memory import Memory
from recollect.model.ids import format_entity_id, format_fact_id, format_uuid
from recollect.surfaces.lore_engine.rendering import entity_ref
from recollect.surfaces.lore_engine.results import (
    NAME_LIMIT,
    TEXT_LIMIT,
    EntityName,
    LoreEntityRef,
    RelationText,
    TimeText,
    WriteOutcome,
    text_validators,
)
from recollect.surfaces.lore_engine.surface import RejectedInput, surface
from recollect.surfaces.lore_engine.write_session import (
    MAX_LIST_LENGTH,
    KnownTo,
    NameText,
    Visibility,
    WriteSession,
    run_write,
)
from recollect.surfaces.parameter_types import bad_value

MAX_CONTENT_LENGTH = 2_000_000
MAX_VIOLATIONS = 50
MAX_SKIPPED = 500


class SourceTooLarge(Refused):
    code = "TOO_LARGE"

    def __init__(self) -> None:
        super().__init__(
            f"content may have {MAX_CONTENT_LENGTH} characters here; recollect ingest takes more", field="content"
        )


class SkippedItemView(TypedDict):
    line: int
    item: str
    reason: str


class SourceAddResult(WriteOutcome):
    """A document and what became of its items."""

    document_id: str
    title: str
    source_type: str
    created: bool
    updated: bool
    chunks: int
    entities_created: int
    entities_matched: int
    relations_created: int
    assertions_added: int
    assertions_withdrawn: int
    extraction: str
    skipped: list[SkippedItemView]
    people: NotRequired[int]
    families: NotRequired[int]
    warnings: list[str]


def _check_content(content: str) -> str:
    if not content.strip():
        raise bad_value("should not be blank")
    return content


Reliability = Annotated[
    float | Annotated[str, *text_validators(NAME_LIMIT)],
    Field(description="canonical, factional, rumor, dialogue, fanon, or a number from 0 to 1"),
]


@surface.tool(
    "write",
    example={
        "title": "low-port-letter",
        "source_type": "prose",
        "reliability": "rumor",
        "content": "---\nrelations:\n  - {from: Saltguard, relation: CONTROLS, to: Low Port, valid_from: "
        "second_tide.year_64}\n---\nThe Guard holds the harbour now.",
    },
    idempotent=True,
)
def add_lore_source(
    memory: Memory,
    title: Annotated[str, *text_validators(NAME_LIMIT), Field(description="What identifies the document")],
    source_type: Annotated[
        str,
        *text_validators(NAME_LIMIT),
        Field(description="prose, timeline, family_tree, gazetteer, bestiary, magic_system, dialogue, gedcom, …"),
    ],
    content: Annotated[
        str, AfterValidator(_check_content), Field(min_length=1, description="At most 2,000,000 characters")
    ],
    author: NameText | None = None,
    reliability: Reliability | None = None,
    visibility: Visibility | None = None,
    known_to: KnownTo | None = None,
    world_time: Annotated[TimeText, Field(description="When it was written, in the world")] | None = None,
    url: Annotated[str, *text_validators(TEXT_LIMIT), Field(description="Where it is from; stored, never fetched")]
    | None = None,
    lenient: Annotated[bool, Field(description="Skip bad items and report them, in place of refusing all")]
    | None = None,
) -> SourceAddResult:
    """Take in a document and what it states.

    Markdown with front matter and fact lines, structured YAML, dialogue or GEDCOM. The same title with other content
    is a new version: what it no longer says is withdrawn.
    """
    if len(content) > MAX_CONTENT_LENGTH:
        raise SourceTooLarge
    wanted = SourceInput(
        content,
        title,
        source_type,
        author,
        reliability,
        visibility,
        tuple(known_to) if known_to is not None else None,
        world_time,
        url,
        lenient,
    )

    prepared = prepare_source(memory, wanted)

    def act(session: WriteSession) -> Mapping[str, Any]:
        return render_source_result(write_source(session.change, prepared))

    answer: SourceAddResult = run_write(memory, act)
    return {**answer, "violations": answer["violations"][:MAX_VIOLATIONS]}


def render_source_result(kept: SourceResult) -> dict[str, Any]:
    """The result of adding a document."""
    counts = kept.counts
    said: dict[str, Any] = {
        "document_id": format_uuid(kept.document.id),
        "title": kept.document.title,
        "source_type": kept.document.type,
        "created": kept.created,
        "updated": kept.updated,
        "chunks": kept.chunks,
        "entities_created": counts.entities_created,
        "entities_matched": kept.matched,
        "relations_created": counts.relations_created,
        "assertions_added": counts.assertions_added,
        "assertions_withdrawn": counts.assertions_withdrawn,
        "extraction": "+".join(kept.methods) or "none",
        "skipped": [each._asdict() for each in kept.skipped[:MAX_SKIPPED]],
        "warnings": [*kept.warnings, *([f"kept as text only: {NOTHING_READ}"] if kept.is_text_only else [])],
    }
    if kept.people is not None:
        said |= {"people": kept.people, "families": kept.families}
    return said


MAX_TRANSCRIPT_LENGTH = 100_000

ToldFactInput = TypedDict(
    "ToldFactInput",
    {
        "relation_id": NotRequired[
            Annotated[str, *text_validators(100), Field(description="The relation that was told")]
        ],
        "from": NotRequired[EntityName],
        "relation": NotRequired[RelationText],
        "to": NotRequired[EntityName | None],
        "valid_from": NotRequired[TimeText | None],
        "valid_until": NotRequired[TimeText | None],
        "by": NotRequired[Annotated[NameText, Field(description="The participant who told it")] | None],
        "heard_by": NotRequired[Annotated[list[NameText], Field(max_length=MAX_LIST_LENGTH)] | None],
    },
)


class ToldFactView(TypedDict):
    """A fact that was told."""

    relation_id: str
    created: bool
    by: str | None
    heard_by: list[str]


class EncounterLogResult(WriteOutcome):
    """An encounter as it was written down."""

    encounter_id: str
    document_id: str
    title: str
    at_time: str
    location: LoreEntityRef | None
    participants: list[LoreEntityRef]
    witnesses: list[LoreEntityRef]
    relations: list[str]
    shared: list[ToldFactView]
    created_entities: list[LoreEntityRef]
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
        Field(min_length=1, max_length=MAX_LIST_LENGTH, description="Who met; unknown names become persons"),
    ],
    content: Annotated[
        str, *text_validators(MAX_TRANSCRIPT_LENGTH), Field(description="What everyone present could see or hear")
    ],
    at_time: TimeText | None = None,
    location: Annotated[EntityName, Field(description="Where")] | None = None,
    witnesses: Annotated[list[EntityName], Field(max_length=MAX_LIST_LENGTH, description="Present without taking part")]
    | None = None,
    title: Annotated[str, *text_validators(NAME_LIMIT), Field(description="What to call it")] | None = None,
    shared: Annotated[list[ToldFactInput], Field(max_length=MAX_LIST_LENGTH, description="Facts that were told")]
    | None = None,
    private_notes: Annotated[
        str, *text_validators(MAX_TRANSCRIPT_LENGTH), Field(description="Stored, never shown to a character")
    ]
    | None = None,
) -> EncounterLogResult:
    """Record that characters met, what was said and seen, and which facts they told each other.

    Those present know from then on what was told, and nobody else.
    """
    wanted = EncounterInput(
        AttendanceInput(tuple(participants), tuple(witnesses or ()), location),
        content,
        at_time,
        title,
        tuple(_parse_shared(each) for each in shared or ()),
        private_notes,
    )

    def act(session: WriteSession) -> Mapping[str, Any]:
        return _render_encounter(record_encounter(session.change, wanted))

    return cast(EncounterLogResult, run_write(memory, act))


def _parse_shared(given: Mapping[str, Any]) -> SharedFactInput:
    parts = [key for key in ("from", "relation", "to", "valid_from", "valid_until") if given.get(key) is not None]
    if given.get("relation_id") is not None and parts:
        raise RejectedInput("a shared fact is a relation_id, or from, relation and to; not both", field="shared")
    if given.get("relation_id") is None and not {"from", "relation"} <= set(parts):
        raise RejectedInput("a shared fact needs a relation_id, or from, relation and to", field="shared")
    heard = given.get("heard_by")
    return SharedFactInput(
        given.get("relation_id"),
        given.get("from"),
        given.get("relation"),
        given.get("to"),
        TimeInput(given.get("valid_from"), given.get("valid_until")),
        given.get("by"),
        None if heard is None else tuple(heard),
    )


def _render_encounter(met: EncounterResult) -> Mapping[str, Any]:
    return {
        "encounter_id": format_entity_id(met.encounter),
        "document_id": format_uuid(met.document.id),
        "title": met.document.title,
        "at_time": met.at.text,
        "location": entity_ref(met.present.location) if met.present.location else None,
        "participants": [entity_ref(each) for each in met.present.participants],
        "witnesses": [entity_ref(each) for each in met.present.witnesses],
        "relations": [format_fact_id(each) for each in met.relations],
        "shared": [
            {
                "relation_id": format_fact_id(each.fact),
                "created": each.created,
                "by": each.by.name if each.by else None,
                "heard_by": [who.name for who in each.heard_by],
            }
            for each in met.shared
        ],
        "created_entities": [entity_ref(each) for each in met.made],
        "created": met.created,
    }
