"""Importing a lore source: compared with its stored version and written in one transaction."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from recollect.errors import Refused
from recollect.ingest.documents import DocumentDraft, store_lore_document
from recollect.ingest.drafts import UnreadableItem
from recollect.ingest.lore.encounters import (
    AttendanceInput,
    attendance_properties,
    encounter_time,
    find_or_make_encounter,
    resolve_attendance,
    write_attendance,
)
from recollect.ingest.lore.entities import parse_time_value
from recollect.ingest.lore.front_matter import DefinitionReport, apply_definitions
from recollect.ingest.lore.lore_errors import UnreadableItems
from recollect.ingest.lore.markup import DialogueTurn, YamlTable, list_speakers
from recollect.ingest.lore.model_prose import (
    ModelReading,
    ModelRoute,
    describe_vocabulary,
    ground_relations,
    read_with_model,
)
from recollect.ingest.lore.prose_extractor import match_sentences
from recollect.ingest.lore.source_parser import (
    GEDCOM,
    ParsedSource,
    SourceInput,
    SourceOutline,
    SourceParts,
    outline_source,
    parse_names,
    parse_source,
    split_source,
)
from recollect.ingest.lore.source_writer import SourceCounts, SourceProgress, SourceWriter, delete_tree_person
from recollect.memory import Memory
from recollect.model.document import Document, content_hash
from recollect.model.fact import PENDING_TIME
from recollect.model.relations import relation_from_predicate, relation_kinds
from recollect.model.similarity import to_snake_case
from recollect.model.trust import trust_in, without_marks
from recollect.settings import Settings
from recollect.store.change import Change
from recollect.store.ingest_queries import lore_sources_titled
from recollect.store.view import View
from recollect.text.redaction import apply_policy, secret_policy
from recollect.when.period import Time
from recollect.when.time_errors import NoCurrentTime, TimelineFixed
from recollect.write.record_statement import decide_timeline


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


class PreparedSource(NamedTuple):
    """A document that was parsed before the write lock was taken.

    `relations` are the words that were looked up meanwhile and whether each was a known relation; `heard` is what
    a model read in its prose: without it, or if it did not answer, patterns are sought.
    """

    wanted: SourceInput
    parts: SourceParts
    read: ParsedSource | None = None
    relations: Mapping[str, bool] = MappingProxyType({})
    heard: ModelReading | None = None


def prepare_source(memory: Memory, wanted: SourceInput) -> PreparedSource:
    """Parse a document, and read it with the language model of the call if there is one and it is new."""
    with memory.read() as view:
        prepared = _prepare(wanted, memory.settings_in(view))
        try:
            about, stored = _outline_and_stored(view, prepared)
        except Refused:
            # It may use times that it defines itself; whoever writes it knows them.
            return prepared
        if stored is not None and _is_unchanged_source(stored, about, prepared.wanted):
            return prepared
        prepared = _parse(view, prepared, about)
        vocabulary = describe_vocabulary(view.world.timeline) if memory.model is not None else ""
    is_prose = about.type != GEDCOM and about.top is None and about.page.body.strip()
    if memory.model is None or not is_prose:
        return prepared
    way: ModelRoute = "sampling" if memory.endpoint is None else "endpoint"
    return prepared._replace(heard=read_with_model(memory.model, way, about.page, vocabulary))


def prepare_within(change: Change, wanted: SourceInput) -> PreparedSource:
    """A document that is parsed while it is written: a small one, or one of many in a transaction."""
    return _prepare(wanted, change.settings.for_workspace(change.world.settings))


def _prepare(wanted: SourceInput, settings: Settings) -> PreparedSource:
    """The parts of a document, its secrets treated as the workspace wants."""
    wanted = wanted._replace(content=apply_policy(wanted.content, secret_policy(settings)).text)
    return PreparedSource(wanted, split_source(wanted))


def _parse(view: View, prepared: PreparedSource, about: SourceOutline) -> PreparedSource:
    relations: dict[str, bool] = {}

    def is_known(word: str) -> bool:
        if word not in relations:
            relations[word] = _is_known_relation(view, word)
        return relations[word]

    return prepared._replace(read=parse_source(prepared.wanted.content, about, is_known), relations=relations)


def _current_parse(change: Change, prepared: PreparedSource, about: SourceOutline) -> ParsedSource:
    """The document as parsed before, unless a relation that it asked about has been used or forgotten meanwhile."""
    is_current = all(_is_known_relation(change, word) == known for word, known in prepared.relations.items())
    if prepared.read is not None and is_current:
        return prepared.read
    read = _parse(change, prepared, about).read
    assert read is not None
    return read


def _outline_and_stored(view: View, prepared: PreparedSource) -> tuple[SourceOutline, Document | None]:
    """The metadata of a document, and the stored document of the same title."""
    wanted = prepared.wanted
    about = outline_source(view.world, wanted, prepared.parts)
    stored = find_source_by_title(view, about.title)
    return _mark_tree(about, wanted, stored), stored


def write_source(change: Change, prepared: PreparedSource, tell: SourceProgress | None = None) -> SourceResult:
    """Write what a document states; the same title and content again change nothing."""
    wanted = prepared.wanted
    defined = _define(change, prepared)
    about, stored = _outline_and_stored(change, prepared)
    if defined.problems and not about.lenient:
        raise UnreadableItems(_sort_by_line(defined.problems))
    if about.type == GEDCOM and change.world.timeline.is_fictional:
        raise TimelineFixed("a GEDCOM file", change.world.timeline.kind)
    if stored is not None and _is_unchanged_source(stored, about, wanted) and not _has_unread_time(change, stored):
        chunks = len(change.chunks(stored.id))
        return SourceResult(stored, False, False, chunks, SourceCounts(), 0, ())
    read = _current_parse(change, prepared, about)
    with _caching_batch(change):
        kept = _write_parsed(change, wanted, about, read, stored, tell, prepared.heard)
    return _with_definitions(kept, defined)


def _define(change: Change, prepared: PreparedSource) -> DefinitionReport:
    """The definitions of a document come first: its own times may use them."""
    given = prepared.wanted.source_type
    is_tree = given is not None and to_snake_case(given) == GEDCOM
    return DefinitionReport() if is_tree else apply_definitions(change, prepared.parts.front)


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
    change.recent.begin_batch()
    try:
        yield
    finally:
        change.recent.batch = None


def find_source_by_title(view: View, title: str) -> Document | None:
    """The document of this title, deleted or not; live ones first."""
    found = lore_sources_titled(view, title)
    return min(found, key=lambda each: (each.deleted is not None, each.id), default=None)


def _is_known_relation(view: View, word: str) -> bool:
    return relation_from_predicate(word).name in relation_kinds() or view.has_used(word)


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


def _has_unread_time(change: Change, document: Document) -> bool:
    """Whether a document has a time that could not be read; it may be understood by now."""
    return any(each.attributes.get(PENDING_TIME) for each in change.assertions_from(document.id))


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
    with change.with_trust(trust_in(document.properties)):
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
    reported = {each.line for each in writer.dropped}
    writer.dropped += [each for each in found.unread if each.line not in reported]
    return ("heuristic",) if found.relations else ()


def _write_dialogue_encounter(
    writer: SourceWriter, about: SourceOutline, read: ParsedSource, document: Document
) -> Document:
    return record_dialogue_encounter(writer, about, read.turns, document) if about.type == "dialogue" else document
