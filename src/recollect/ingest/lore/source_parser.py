"""Parser of a lore source: its metadata, then its content by kind."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from recollect.ingest.documents import offset_passages
from recollect.ingest.drafts import EntityDraft, RelationDraft, SourceDraft, UnreadableItem
from recollect.ingest.gedcom.tree import parse_tree
from recollect.ingest.lore.entities import parse_time_value, to_json_value
from recollect.ingest.lore.front_matter import DOCUMENT_KEYS, is_definition, parse_front_matter
from recollect.ingest.lore.lore_errors import BadStatement, BadYaml
from recollect.ingest.lore.markup import (
    DialogueTurn,
    MarkdownPage,
    YamlTable,
    failed_fact_lines,
    iter_links,
    load_yaml,
    parse_fact_lines,
    parse_turns,
    split_front_matter,
)
from recollect.ingest.lore.relation_ends import read_world_time
from recollect.ingest.lore.structured import (
    STRUCTURED_KINDS,
    detect_structured_kind,
    parse_structured,
    unknown_key_warnings,
)
from recollect.model.certainty import is_confidence
from recollect.model.document import normalize_url
from recollect.model.entity import NAME_LIMIT
from recollect.model.similarity import to_snake_case
from recollect.reason.lore.sources import RELIABILITY, VISIBILITIES
from recollect.search.chunking import Passage
from recollect.store.world import World

GEDCOM = "gedcom"
DIALOGUE = "dialogue"
PROSE = "prose"
MEETING = ("at_time", "location", "participants", "witnesses")


class SourceInput(NamedTuple):
    """A document as submitted; explicit arguments take precedence over its own metadata."""

    content: str
    title: str | None = None
    source_type: str | None = None
    author: str | None = None
    reliability: str | float | None = None
    visibility: str | None = None
    known_to: tuple[str, ...] | None = None
    world_time: str | None = None
    url: str | None = None
    lenient: bool | None = None
    unreadable: int = 0
    is_yaml: bool = False
    file_name: str | None = None


class SourceOutline(NamedTuple):
    """The metadata of a document and its parsed content."""

    title: str
    type: str
    author: str | None
    url: str | None
    lenient: bool
    properties: Mapping[str, Any]
    page: MarkdownPage
    top: YamlTable | None = None


class SourceParts(NamedTuple):
    """A parsed document: its keys, its kind, its page, and its table if it is structured."""

    front: YamlTable
    type: str | None
    page: MarkdownPage
    top: YamlTable | None


def outline_source(world: World, wanted: SourceInput, parts: SourceParts) -> SourceOutline:
    """The metadata of a document; invalid metadata is rejected."""
    return _make_outline(world, wanted, parts.front, parts.type or PROSE, parts.page, parts.top)


def split_source(wanted: SourceInput) -> SourceParts:
    """The metadata in a document, not yet checked, and its body; a family tree has no metadata."""
    given = None if wanted.source_type is None else to_snake_case(wanted.source_type)
    page = MarkdownPage(None, wanted.content, 0, 1) if given == GEDCOM else split_front_matter(wanted.content)
    front: YamlTable = page.front if page.front is not None else YamlTable(1)
    type_ = given or _front_word(front, "source_type")
    top = _structured_table(page) if type_ in STRUCTURED_KINDS or wanted.is_yaml else None
    if top is not None:
        front = top if page.front is None or top is page.front else _merge_tables(page.front, top)
        type_ = type_ or _front_word(top, "source_type") or detect_structured_kind(top)
    return SourceParts(front, type_, page, top)


def _structured_table(page: MarkdownPage) -> YamlTable | None:
    """The table of a structured document, with or without front matter above it."""
    top: object = page.front
    if page.front is None or page.body.strip():
        top = load_yaml(page.body, page.line)
    if top is not None and not isinstance(top, YamlTable):
        raise BadYaml(page.line, "a structured document must be a table of keys")
    return top if isinstance(top, YamlTable) else YamlTable(page.line)


def _merge_tables(front: YamlTable, top: YamlTable) -> YamlTable:
    both = YamlTable(front.line)
    both.update({**top, **front})
    both.lines = {**top.lines, **front.lines}
    return both


def _make_outline(
    world: World, wanted: SourceInput, front: YamlTable, type_: str, page: MarkdownPage, top: YamlTable | None
) -> SourceOutline:
    title = wanted.title or _front_text(front, "title") or wanted.file_name
    if not title or len(title) > NAME_LIMIT:
        raise BadStatement(f"a document needs a title of 1 to {NAME_LIMIT} characters", field="title")
    if type_ == "encounter":
        raise BadStatement("encounters are recorded with log_encounter", field="source_type")
    lenient = wanted.lenient if wanted.lenient is not None else type_ == GEDCOM
    url = wanted.url or _front_text(front, "url")
    author = wanted.author or _front_text(front, "author")
    properties = _source_properties(world, wanted, front, keep_others=top is None)
    return SourceOutline(" ".join(title.split()), type_, author, _web_address(url), lenient, properties, page, top)


def _source_properties(world: World, wanted: SourceInput, front: YamlTable, *, keep_others: bool) -> dict[str, Any]:
    reliability = _parse_reliability(wanted.reliability if wanted.reliability is not None else front.get("reliability"))
    visibility = parse_visibility(wanted.visibility or front.get("visibility"))
    known_to = wanted.known_to if wanted.known_to is not None else parse_names(front.get("known_to"), "known_to")
    world_time = wanted.world_time or parse_time_value(front.get("world_time"), "world_time")
    own: dict[str, Any] = {
        "reliability": reliability,
        "visibility": visibility,
        "known_to": list(known_to) if known_to else None,
        "world_time": None if world_time is None else read_world_time(world, world_time, "world_time").text,
    }
    others = {
        key: to_json_value(value)
        for key, value in front.items()
        if keep_others and key not in DOCUMENT_KEYS and key not in MEETING and not is_definition(key, value)
    }
    return {**others, **{key: value for key, value in own.items() if value is not None}}


def _parse_reliability(value: Any) -> str | float | None:
    if value is None:
        return None
    if isinstance(value, str) and value.strip().lower() in RELIABILITY:
        return value.strip().lower()
    if is_confidence(value):
        return float(value)
    raise BadStatement(
        "reliability is a number from 0 to 1, or a word", field="reliability", accepted=tuple(RELIABILITY)
    )


def parse_visibility(value: Any) -> str | None:
    """Who may know something; an unknown word is refused."""
    if value is None:
        return None
    if isinstance(value, str) and value.strip().lower() in VISIBILITIES:
        return value.strip().lower()
    raise BadStatement(f"{value!r} is not a visibility", field="visibility", accepted=VISIBILITIES)


def parse_names(value: Any, field: str) -> tuple[str, ...]:
    """A list of names; one name alone counts as a list of it."""
    if value is None:
        return ()
    each = [value] if isinstance(value, str) else value
    if not isinstance(each, list | tuple) or not all(isinstance(one, str) and one.strip() for one in each):
        raise BadStatement(f"{field} should be a list of names", field=field)
    return tuple(" ".join(one.split()) for one in each)


def _front_word(front: YamlTable, key: str) -> str | None:
    text = _front_text(front, key)
    return to_snake_case(text) if text else None


def _front_text(front: YamlTable, key: str) -> str | None:
    value = front.get(key)
    if value is None:
        return None
    if isinstance(value, dict | list):
        raise BadStatement(f"{key} should be a text", field=key)
    return str(value).strip() or None


def _web_address(url: str | None) -> str | None:
    """The source URL; only web addresses are accepted."""
    found = normalize_url(url)
    if url is not None and found is None:
        raise BadStatement("url should be a web address", field="url")
    return found


_NO_KIND = f"in YAML without a source_type ({', '.join(STRUCTURED_KINDS)})"


class ParsedSource(NamedTuple):
    """The result of parsing a document."""

    reading: SourceDraft
    text: str
    passages: tuple[Passage, ...]
    methods: tuple[str, ...] = ()
    turns: tuple[DialogueTurn, ...] = ()
    people: int | None = None
    families: int | None = None

    @property
    def has_prose(self) -> bool:
        """Whether there is prose to match patterns in."""
        return not self.turns and not {"gedcom", "structured"} & set(self.methods)


def parse_source(content: str, about: SourceOutline, is_known: Callable[[str], bool]) -> ParsedSource:
    """Parse a document; `is_known` tells which relations may occur in a fact line."""
    if about.type == GEDCOM:
        return _parse_gedcom(content, about)
    if about.top is not None:
        return _parse_structured_source(content, about)
    if about.type == DIALOGUE:
        return _parse_dialogue(content, about)
    return _parse_page(content, about, is_known)


def _parse_gedcom(content: str, about: SourceOutline) -> ParsedSource:
    tree = parse_tree(about.title, content)
    found = tuple(offset_passages(about.title, tree.text)) if tree.text else ()
    return ParsedSource(tree.reading, tree.text, found, ("gedcom",), (), tree.people, tree.families)


def _parse_structured_source(content: str, about: SourceOutline) -> ParsedSource:
    top = about.top
    if top is None:
        raise TypeError("a structured document needs a table")
    reading = parse_structured(about.type, top) if about.type in STRUCTURED_KINDS else SourceDraft()
    front = parse_front_matter(top)
    both = SourceDraft(
        reading.entities + front.entities,
        reading.relations + front.relations,
        (),
        reading.unread + front.unread,
        reading.warnings if about.type in STRUCTURED_KINDS else unknown_key_warnings(top, MEETING, _NO_KIND),
    )
    ways = ("structured",) if about.type in STRUCTURED_KINDS else ()
    return ParsedSource(
        both,
        content,
        tuple(offset_passages(about.title, content)),
        ways + _front_method(front.entities, front.relations),
    )


def _parse_dialogue(content: str, about: SourceOutline) -> ParsedSource:
    page = about.page
    said = parse_turns(page.body)
    found = tuple(_turn_passages(page.body, page.offset, said)) or tuple(
        offset_passages(about.title, page.body, page.offset)
    )
    entities, relations, unread = _parse_front(about)
    ways = _front_method(entities, relations)
    return ParsedSource(SourceDraft(entities, relations, (), unread), content, found, ways, tuple(said))


def _turn_passages(body: str, offset: int, said: list[DialogueTurn]) -> Iterator[Passage]:
    for turn in said:
        yield from offset_passages(None, body[turn.start : turn.stop], offset + turn.start)


def _parse_page(content: str, about: SourceOutline, is_known: Callable[[str], bool]) -> ParsedSource:
    page = about.page
    entities, relations, unread = _parse_front(about)
    lines = tuple(parse_fact_lines(page, is_known))
    text = " ".join(page.body.split())
    false = tuple(each for each in relations if each.quote and " ".join(each.quote.split()) not in text)
    dropped = tuple(UnreadableItem(each.line, each.item, "its quote is not in the text") for each in false)
    relations = tuple(each for each in relations if each not in false)
    failed = tuple(failed_fact_lines(page, is_known))
    reading = SourceDraft(entities, relations + lines, tuple(iter_links(page)), unread, (), dropped + failed)
    ways = _front_method(entities, relations) + (("heuristic",) if lines else ())
    return ParsedSource(reading, content, tuple(offset_passages(about.title, page.body, page.offset)), ways)


def _parse_front(
    about: SourceOutline,
) -> tuple[tuple[EntityDraft, ...], tuple[RelationDraft, ...], tuple[UnreadableItem, ...]]:
    if about.page.front is None:
        return (), (), ()
    return tuple(parse_front_matter(about.page.front))  # type: ignore[return-value]


def _front_method(entities: tuple[EntityDraft, ...], relations: tuple[RelationDraft, ...]) -> tuple[str, ...]:
    return ("front_matter",) if entities or relations else ()
