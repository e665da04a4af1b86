"""Importing a lore source: compared with its stored version and written in one transaction."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from recollect.ingest.documents import DocumentDraft, store_lore_document
from recollect.ingest.drafts import UnreadableItem
from recollect.ingest.lore.definitions import DefinitionReport, apply_definitions
from recollect.ingest.lore.encounters import (
    AttendanceInput,
    attendance_properties,
    encounter_time,
    find_or_make_encounter,
    resolve_attendance,
    write_attendance,
)
from recollect.ingest.lore.entities import parse_time_value
from recollect.ingest.lore.markup import DialogueTurn, YamlTable, list_speakers
from recollect.ingest.lore.problems import UnreadableItems
from recollect.ingest.lore.prose_extractor import (
    ModelReading,
    describe_vocabulary,
    ground_relations,
    match_sentences,
    read_with_model,
)
from recollect.ingest.lore.source_parser import (
    GEDCOM,
    ParsedSource,
    SourceInput,
    SourceOutline,
    front_of,
    outline_source,
    parse_names,
    parse_source,
)
from recollect.ingest.lore.source_writer import SourceCounts, SourceProgress, SourceWriter, delete_tree_person
from recollect.memory import Memory
from recollect.model.document import Document, content_hash
from recollect.model.relations import relation_from_predicate, relation_kinds
from recollect.model.similarity import to_snake_case
from recollect.model.trust import without_marks
from recollect.store.change import Change
from recollect.store.ingest_queries import lore_sources_titled
from recollect.store.view import View
from recollect.store.write_cache import BatchCache
from recollect.text.redaction import apply_policy, secret_policy
from recollect.when.period import Time
from recollect.when.problems import NoCurrentTime, TimelineFixed
from recollect.write.record import decide_timeline


def record_dialogue_encounter(
    writer: SourceWriter, about: SourceOutline, said: Sequence[DialogueTurn], document: Document
) -> Document:
    """The document, with the encounter it records if its time is known."""
    front = about.page.front if about.page.front is not None else YamlTable(1)
    participants = dict.fromkeys((*parse_names(front.get("participants"), "participants"), *list_speakers(list(said))))
    at = _dialogue_time(writer, front, document) if participants else None
    if at is None:
        return document
    place = str(front["location"]).strip() if front.get("location") else None
    meeting = AttendanceInput(tuple(participants), parse_names(front.get("witnesses"), "witnesses"), place)
    change = writer.change
    present = resolve_attendance(change, meeting)
    encounter = find_or_make_encounter(change, about.title, document)
    for entity in (*present.everyone, *([present.location] if present.location else [])):
        writer.mention(entity, any(entity.id == each.id for each in present.created))
    writer.mention(encounter, "encounter" not in document.properties)
    write_attendance(partial(writer.write_statement, extraction="dialogue"), encounter, at, present)
    properties = {**document.properties, **attendance_properties(encounter, at, present)}
    return (
        document if properties == document.properties else change.put_document(document._replace(properties=properties))
    )


def _dialogue_time(writer: SourceWriter, front: YamlTable, document: Document) -> Time | None:
    """The time of an encounter: as stated, as stored before, or the world's now, if it has one."""
    said = parse_time_value(front.get("at_time"), "at_time") or document.properties.get("at_time")
    if said is not None:
        return encounter_time(writer.change, said)
    try:
        return encounter_time(writer.change, None)
    except NoCurrentTime:
        return None


NOTHING_READ = (
    "it names no entity and states no relation; add front matter with an entity or relations, "
    "or list items: - A RELATION B (T1 .. T2)"
)
MEETING_PROPERTIES = ("encounter", "at_time", "location", "participants", "witnesses")


class SourceResult(NamedTuple):
    """The outcome of importing a document."""

    document: Document
    created: bool
    updated: bool
    chunks: int
    counts: SourceCounts
    matched: int
    methods: tuple[str, ...]
    skipped: tuple[UnreadableItem, ...] = ()
    warnings: tuple[str, ...] = ()
    people: int | None = None
    families: int | None = None
    is_text_only: bool = False


def read_source_with_model(memory: Memory, wanted: SourceInput) -> ModelReading | None:
    """What the language model of a call, if there is one, reads in a document that is new or has changed."""
    model = memory.model
    if model is None:
        return None
    with memory.read() as view:
        about, held = _outline_and_stored(view, wanted)
        is_prose = about.type != GEDCOM and about.top is None and about.page.body.strip()
        if not is_prose or (held is not None and _is_unchanged_source(held, about, wanted)):
            return None
        vocabulary = describe_vocabulary(view.world.timeline)
    return read_with_model(model, "sampling" if memory.endpoint is None else "endpoint", about.page, vocabulary)


def _outline_and_stored(view: View, wanted: SourceInput) -> tuple[SourceOutline, Document | None]:
    """The metadata of a document, and the stored document of the same title."""
    about = outline_source(view.world, wanted)
    held = find_source_by_title(view, about.title)
    return _mark_tree(about, wanted, held), held


def write_source(
    change: Change, wanted: SourceInput, tell: SourceProgress | None = None, *, heard: ModelReading | None = None
) -> SourceResult:
    """Write what a document states; the same title and content again change nothing.

    `heard` is what a model read in its prose; without it, or if it did not answer, patterns are sought.
    """
    policy = secret_policy(change.settings.for_workspace(change.world.settings))
    wanted = wanted._replace(content=apply_policy(wanted.content, policy).text)
    defined = _define(change, wanted)
    about, held = _outline_and_stored(change, wanted)
    if defined.problems and not about.lenient:
        raise UnreadableItems(_sort_by_line(defined.problems))
    if about.type == GEDCOM and change.world.timeline.is_fictional:
        raise TimelineFixed("a GEDCOM file", change.world.timeline.kind)
    if held is not None and _is_unchanged_source(held, about, wanted):
        chunks = len(change.chunks(held.id))
        return SourceResult(held, False, False, chunks, SourceCounts(), 0, ())
    read = parse_source(wanted.content, about, lambda word: _is_known_relation(change, word))
    with _caching_batch(change):
        kept = _write_parsed(change, wanted, about, read, held, tell, heard)
    return _with_definitions(kept, defined)


def _define(change: Change, wanted: SourceInput) -> DefinitionReport:
    """The definitions of a document come first: its own times may use them."""
    is_tree = wanted.source_type is not None and to_snake_case(wanted.source_type) == GEDCOM
    return DefinitionReport() if is_tree else apply_definitions(change, front_of(wanted))


def _with_definitions(kept: SourceResult, defined: DefinitionReport) -> SourceResult:
    skipped = tuple(_sort_by_line((*defined.problems, *kept.skipped)))
    warnings = (*defined.warnings, *kept.warnings)
    is_text_only = kept.is_text_only and not defined.applied
    return kept._replace(skipped=skipped, warnings=warnings, is_text_only=is_text_only)


@contextmanager
def _caching_batch(change: Change) -> Iterator[None]:
    """Cache what the document writes: the store knows nothing else about its new entities."""
    if change.recent.batch is not None:
        yield
        return
    change.recent.batch = BatchCache()
    try:
        yield
    finally:
        change.recent.batch = None


def find_source_by_title(view: View, title: str) -> Document | None:
    """The document of this title, deleted or not; live ones first."""
    found = lore_sources_titled(view, title)
    return min(found, key=lambda each: (each.deleted is not None, each.id), default=None)


def _is_known_relation(change: Change, word: str) -> bool:
    return relation_from_predicate(word).name in relation_kinds() or change.has_used(word)


def _mark_tree(about: SourceOutline, wanted: SourceInput, held: Document | None) -> SourceOutline:
    """Add the content hash that identifies a family tree, since its text is not stored in full."""
    properties = dict(about.properties)
    if about.type == GEDCOM:
        properties["content_hash"] = content_hash(wanted.content)
    if held is not None and held.deleted is None:
        # What the caller does not say again stays as it was said.
        asked = {"reliability", "visibility", "known_to", "world_time"} & held.properties.keys()
        same = held.content == content_hash(wanted.content) or "content_hash" in properties
        properties = {**{key: held.properties[key] for key in asked if same}, **properties}
    return about._replace(properties=properties)


def _is_unchanged_source(held: Document, about: SourceOutline, wanted: SourceInput) -> bool:
    if held.deleted is not None or held.type != about.type:
        return False
    if about.type != GEDCOM and held.content != content_hash(wanted.content):
        return False
    own = {key: value for key, value in without_marks(held.properties).items() if key not in MEETING_PROPERTIES}
    return own == dict(about.properties) and about.author in (None, held.author) and about.url in (None, held.url)


def _write_parsed(
    change: Change,
    wanted: SourceInput,
    about: SourceOutline,
    read: ParsedSource,
    held: Document | None,
    tell: SourceProgress | None,
    heard: ModelReading | None,
) -> SourceResult:
    if "world_time" in about.properties:
        decide_timeline(change)
    earlier = change.assertions_from(held.id) if held else []
    properties = {**_meeting_properties(held), **about.properties}
    draft = DocumentDraft(
        "lore_source",
        about.type,
        "",
        about.title,
        about.author or (held.author if held else None),
        about.url or (held.url if held else None),
        change.now,
        read.text,
        properties,
    )
    document = store_lore_document(change, draft, read.passages, held)
    writer = SourceWriter(change, document, tell=tell)
    for assertion in earlier:
        writer.earlier_assertions.setdefault(assertion.fact, []).append(assertion)
    writer.write(read.reading)
    ways = read.methods + _write_prose(writer, read, about, heard)
    document = _write_dialogue_encounter(writer, about, read, document)
    if writer.problems and not about.lenient:
        raise UnreadableItems(_sort_by_line(writer.problems))
    mentioned = change.mentioned(document.id) if held and about.type == GEDCOM else []
    writer.finish(earlier)
    for entity in mentioned:
        person = change.entity(entity) if entity not in writer.mentioned_entities else None
        if person is not None and person.is_live and _is_of_tree(person.properties.get("gedcom_id"), about.title):
            delete_tree_person(change, person, about.title)
    warnings = list(dict.fromkeys(writer.warnings))
    if wanted.unreadable:
        warnings.append(f"{wanted.unreadable} characters could not be read")
    matched = sum(not is_new for is_new in writer.mentioned_entities.values())
    return SourceResult(
        document,
        held is None or held.deleted is not None,
        held is not None and held.deleted is None,
        len(read.passages),
        writer.counts,
        matched,
        tuple(dict.fromkeys(ways)),
        tuple(_sort_by_line((*writer.problems, *writer.dropped))),
        tuple(warnings),
        read.people,
        read.families,
        not writer.mentioned_entities and not writer.counts.assertions_withdrawn,
    )


def _sort_by_line(unread: Iterable[UnreadableItem]) -> list[UnreadableItem]:
    return sorted(unread, key=lambda each: each.line)


def _is_of_tree(gedcom_id: object, title: str) -> bool:
    return isinstance(gedcom_id, str) and gedcom_id.startswith(f"{title}#")


def _meeting_properties(held: Document | None) -> dict[str, object]:
    return {key: held.properties[key] for key in MEETING_PROPERTIES if key in held.properties} if held else {}


def _write_prose(
    writer: SourceWriter, read: ParsedSource, about: SourceOutline, heard: ModelReading | None
) -> tuple[str, ...]:
    """Write the relations that a model read, or else those found by sentence patterns."""
    if heard is not None and heard.error is None:
        said = ground_relations(writer.change, about, heard)
        writer.write_model_relations(said.relations)
        writer.dropped += said.dropped
        return (heard.route,) if said.relations else ()
    if heard is not None:
        writer.warnings.append(f"{heard.error}; its sentences were read by patterns")
    if not read.has_prose:
        return ()
    world_time = about.properties.get("world_time")
    found = match_sentences(writer.change, about.page, lambda word: _is_known_relation(writer.change, word), world_time)
    for draft in found.relations:
        writer.write_relation(draft)
    writer.dropped += found.unread
    return ("heuristic",) if found.relations else ()


def _write_dialogue_encounter(
    writer: SourceWriter, about: SourceOutline, read: ParsedSource, document: Document
) -> Document:
    return record_dialogue_encounter(writer, about, read.turns, document) if about.type == "dialogue" else document
