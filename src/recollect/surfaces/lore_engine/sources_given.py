"""`add_lore_source`: a document, and what it states."""

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from recollect.errors import Refused
from recollect.ingest.lore.outline import SourceWanted
from recollect.ingest.lore.source import NOTHING_READ, Kept, hear_source, take_source
from recollect.memory import Memory
from recollect.model.ids import say_uuid
from recollect.surfaces.lore_engine.building import KnownTo, Name, Visibility, built
from recollect.surfaces.lore_engine.results import Written
from recollect.surfaces.lore_engine.shapes import NAME_LIMIT, TEXT_LIMIT, TimeText, text
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.writing import Writing
from recollect.surfaces.shapes import refuse

MOST_CONTENT = 2_000_000
MOST_VIOLATIONS = 50
MOST_SKIPPED = 500


class TooLarge(Refused):
    code = "TOO_LARGE"

    def __init__(self) -> None:
        super().__init__(
            f"content may have {MOST_CONTENT} characters here; recollect ingest takes more", field="content"
        )


class SkippedShown(TypedDict):
    line: int
    item: str
    reason: str


class SourceAdded(Written):
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
    skipped: list[SkippedShown]
    people: NotRequired[int]
    families: NotRequired[int]
    warnings: list[str]


def _text(content: str) -> str:
    if not content.strip():
        raise refuse("should not be blank")
    return content


Reliability = Annotated[
    float | Annotated[str, *text(NAME_LIMIT)],
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
    title: Annotated[str, *text(NAME_LIMIT), Field(description="What identifies the document")],
    source_type: Annotated[
        str,
        *text(NAME_LIMIT),
        Field(description="prose, timeline, family_tree, gazetteer, bestiary, magic_system, dialogue, gedcom, …"),
    ],
    content: Annotated[str, AfterValidator(_text), Field(min_length=1, description="At most 2,000,000 characters")],
    author: Name | None = None,
    reliability: Reliability | None = None,
    visibility: Visibility | None = None,
    known_to: KnownTo | None = None,
    world_time: Annotated[TimeText, Field(description="When it was written, in the world")] | None = None,
    url: Annotated[str, *text(TEXT_LIMIT), Field(description="Where it is from; stored, never fetched")] | None = None,
    lenient: Annotated[bool, Field(description="Skip bad items and report them, in place of refusing all")]
    | None = None,
) -> SourceAdded:
    """Take in a document and what it states.

    Markdown with front matter and fact lines, structured YAML, dialogue or GEDCOM. The same title with other content
    is a new version: what it no longer says is withdrawn.
    """
    if len(content) > MOST_CONTENT:
        raise TooLarge
    wanted = SourceWanted(
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

    heard = hear_source(memory, wanted)

    def act(asked: Writing) -> Mapping[str, Any]:
        return said_of(take_source(asked.change, wanted, heard=heard))

    answer: SourceAdded = built(memory, act)
    return {**answer, "violations": answer["violations"][:MOST_VIOLATIONS]}


def said_of(kept: Kept) -> dict[str, Any]:
    """What became of a document, as the tool says it."""
    counts = kept.counts
    said: dict[str, Any] = {
        "document_id": say_uuid(kept.document.id),
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
        "extraction": "+".join(kept.ways) or "none",
        "skipped": [each._asdict() for each in kept.skipped[:MOST_SKIPPED]],
        "warnings": [*kept.warnings, *([f"kept as text only: {NOTHING_READ}"] if kept.is_text_only else [])],
    }
    if kept.people is not None:
        said |= {"people": kept.people, "families": kept.families}
    return said
