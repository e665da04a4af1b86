"""Taking in a document of lore: read by its kind, written in one transaction, told apart from its earlier version."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from recollect.ingest.documents import DocumentDraft
from recollect.ingest.lore.definitions import Defined, define_given
from recollect.ingest.lore.document import keep_lore
from recollect.ingest.lore.draft import Unread
from recollect.ingest.lore.hearing import Heard, ground, hear, vocabulary_of
from recollect.ingest.lore.outline import GEDCOM, Outline, SourceWanted, front_of, outline
from recollect.ingest.lore.patterns import sentences
from recollect.ingest.lore.problems import BadItems
from recollect.ingest.lore.reading import Read, read_document
from recollect.ingest.lore.spoken import meet_in_dialogue
from recollect.ingest.lore.tree_person import let_go
from recollect.ingest.lore.writer import Counts, Tell, Writer
from recollect.memory import Memory
from recollect.model.document import Document, content_hash
from recollect.model.relations import relation_kinds, relation_stored_as
from recollect.model.wording import snake
from recollect.store.change import Change
from recollect.store.recent import RecentBatch
from recollect.store.rows import document_of
from recollect.store.view import View
from recollect.when.problems import TimelineFixed
from recollect.write.record import fix_timeline

NOTHING_READ = (
    "it names no entity and states no relation; add front matter with an entity or relations, "
    "or list items: - A RELATION B (T1 .. T2)"
)
MEETING = ("encounter", "at_time", "location", "participants", "witnesses")


class Kept(NamedTuple):
    """What became of a document."""

    document: Document
    created: bool
    updated: bool
    chunks: int
    counts: Counts
    matched: int
    ways: tuple[str, ...]
    skipped: tuple[Unread, ...] = ()
    warnings: tuple[str, ...] = ()
    people: int | None = None
    families: int | None = None
    is_text_only: bool = False


def hear_source(memory: Memory, wanted: SourceWanted) -> Heard | None:
    """What the language model of a call, if there is one, reads in a document that is new or has changed."""
    model = memory.model
    if model is None:
        return None
    with memory.read() as view:
        about, held = _met(view, wanted)
        is_prose = about.type != GEDCOM and about.top is None and about.page.body.strip()
        if not is_prose or (held is not None and _is_same(held, about, wanted)):
            return None
        vocabulary = vocabulary_of(view.world.timeline)
    return hear(model, "sampling" if memory.endpoint is None else "endpoint", about.page, vocabulary)


def _met(view: View, wanted: SourceWanted) -> tuple[Outline, Document | None]:
    """What a document says of itself, and what is held under its title."""
    about = outline(view.world, wanted)
    held = titled(view, about.title)
    return _marked(about, wanted, held), held


def take_source(change: Change, wanted: SourceWanted, tell: Tell | None = None, *, heard: Heard | None = None) -> Kept:
    """Write what a document states; the same title and content again change nothing.

    `heard` is what a model read in its prose; without it, or if it did not answer, patterns are sought.
    """
    defined = _define(change, wanted)
    about, held = _met(change, wanted)
    if defined.problems and not about.lenient:
        raise BadItems(_by_line(defined.problems))
    if about.type == GEDCOM and change.world.timeline.is_fictional:
        raise TimelineFixed("a GEDCOM file", change.world.timeline.kind)
    if held is not None and _is_same(held, about, wanted):
        chunks = len(change.chunks(held.id))
        return Kept(held, False, False, chunks, Counts(), 0, ())
    read = read_document(wanted.content, about, lambda word: _is_relation(change, word))
    with _remembering(change):
        kept = _write(change, wanted, about, read, held, tell, heard)
    return _with_definitions(kept, defined)


def _define(change: Change, wanted: SourceWanted) -> Defined:
    """The definitions of a document come first: its own times may use them."""
    is_tree = wanted.source_type is not None and snake(wanted.source_type) == GEDCOM
    return Defined() if is_tree else define_given(change, front_of(wanted))


def _with_definitions(kept: Kept, defined: Defined) -> Kept:
    skipped = tuple(_by_line((*defined.problems, *kept.skipped)))
    warnings = (*defined.warnings, *kept.warnings)
    is_text_only = kept.is_text_only and not defined.applied
    return kept._replace(skipped=skipped, warnings=warnings, is_text_only=is_text_only)


@contextmanager
def _remembering(change: Change) -> Iterator[None]:
    """What the document writes is not asked for again: of whom it brings in, the store knows nothing else."""
    if change.recent.batch is not None:
        yield
        return
    change.recent.batch = RecentBatch()
    try:
        yield
    finally:
        change.recent.batch = None


def titled(view: View, title: str) -> Document | None:
    """The document of this title, deleted or not; live ones first."""
    found = [document_of(row) for row in view.rows("documents_titled", title=title, kind="lore_source")]
    return min(found, key=lambda each: (each.deleted is not None, each.id), default=None)


def _is_relation(change: Change, word: str) -> bool:
    return relation_stored_as(word).name in relation_kinds() or change.has_used(word)


def _marked(about: Outline, wanted: SourceWanted, held: Document | None) -> Outline:
    """The outline with what makes a family tree known again, since its text is not kept whole."""
    properties = dict(about.properties)
    if about.type == GEDCOM:
        properties["content_hash"] = content_hash(wanted.content)
    if held is not None and held.deleted is None:
        # What the caller does not say again stays as it was said.
        asked = {"reliability", "visibility", "known_to", "world_time"} & held.properties.keys()
        same = held.content == content_hash(wanted.content) or "content_hash" in properties
        properties = {**{key: held.properties[key] for key in asked if same}, **properties}
    return about._replace(properties=properties)


def _is_same(held: Document, about: Outline, wanted: SourceWanted) -> bool:
    if held.deleted is not None or held.type != about.type:
        return False
    if about.type != GEDCOM and held.content != content_hash(wanted.content):
        return False
    own = {key: value for key, value in held.properties.items() if key not in MEETING}
    return own == dict(about.properties) and about.author in (None, held.author) and about.url in (None, held.url)


def _write(
    change: Change,
    wanted: SourceWanted,
    about: Outline,
    read: Read,
    held: Document | None,
    tell: Tell | None,
    heard: Heard | None,
) -> Kept:
    if "world_time" in about.properties:
        fix_timeline(change)
    earlier = change.assertions_from(held.id) if held else []
    properties = {**_meeting(held), **about.properties}
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
    document = keep_lore(change, draft, read.passages, held)
    writer = Writer(change, document, tell=tell)
    for assertion in earlier:
        writer.before.setdefault(assertion.fact, []).append(assertion)
    writer.write(read.reading)
    ways = read.ways + _prose(writer, read, about, heard)
    document = _encounter(writer, about, read, document)
    if writer.problems and not about.lenient:
        raise BadItems(_by_line(writer.problems))
    mentioned = change.mentioned(document.id) if held and about.type == GEDCOM else []
    writer.finish(earlier)
    for entity in mentioned:
        person = change.entity(entity) if entity not in writer.touched else None
        if person is not None and person.is_live and _is_of(person.properties.get("gedcom_id"), about.title):
            let_go(change, person, about.title)
    warnings = list(dict.fromkeys(writer.warnings))
    if wanted.unreadable:
        warnings.append(f"{wanted.unreadable} characters could not be read")
    matched = sum(not is_new for is_new in writer.touched.values())
    return Kept(
        document,
        held is None or held.deleted is not None,
        held is not None and held.deleted is None,
        len(read.passages),
        writer.counts,
        matched,
        tuple(dict.fromkeys(ways)),
        tuple(_by_line((*writer.problems, *writer.dropped))),
        tuple(warnings),
        read.people,
        read.families,
        not writer.touched and not writer.counts.assertions_withdrawn,
    )


def _by_line(unread: Iterable[Unread]) -> list[Unread]:
    return sorted(unread, key=lambda each: each.line)


def _is_of(gedcom_id: object, title: str) -> bool:
    return isinstance(gedcom_id, str) and gedcom_id.startswith(f"{title}#")


def _meeting(held: Document | None) -> dict[str, object]:
    return {key: held.properties[key] for key in MEETING if key in held.properties} if held else {}


def _prose(writer: Writer, read: Read, about: Outline, heard: Heard | None) -> tuple[str, ...]:
    """Take in what a model read in the prose, or else what sentences between known names state."""
    if heard is not None and heard.fault is None:
        said = ground(writer.change, about, heard)
        writer.heard(said.relations)
        writer.dropped += said.dropped
        return (heard.way,) if said.relations else ()
    if heard is not None:
        writer.warnings.append(f"{heard.fault}; its sentences were read by patterns")
    if not read.has_prose:
        return ()
    world_time = about.properties.get("world_time")
    found = sentences(writer.change, about.page, lambda word: _is_relation(writer.change, word), world_time)
    for draft in found.relations:
        writer.relation(draft)
    writer.dropped += found.unread
    return ("heuristic",) if found.relations else ()


def _encounter(writer: Writer, about: Outline, read: Read, document: Document) -> Document:
    return meet_in_dialogue(writer, about, read.turns, document) if about.type == "dialogue" else document
