"""Relations from prose: by patterns between known names, or by a language model with quotes."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from recollect.ingest.drafts import NameRef, RelationDraft, UnreadableItem
from recollect.ingest.extract.model_extractor import split_for_model
from recollect.ingest.lore.clauses import (
    KINSHIP,
    LoreClause,
    Prose,
    bounds_in,
    clauses,
    entity_id,
    is_unasserted,
    prose_of,
    sentence_spans,
)
from recollect.ingest.lore.markup import MarkdownPage, is_fact_line
from recollect.ingest.lore.named_times import NamedTimes
from recollect.ingest.lore.prose_dates import ProseDateReader
from recollect.ingest.lore.source_parser import SourceOutline
from recollect.ingest.lore.surroundings import surroundings
from recollect.ingest.lore.time_phrases import has_time_words
from recollect.llm.answers import DATA_RULE, MAYBE, SURE, TEXT, ask_with_schema, delimit_text, lists_of
from recollect.llm.port import Json, LanguageModel, ModelRequest, ModelUnavailable
from recollect.model.fact import PENDING_TIME, TIME_TEXT
from recollect.model.ids import format_entity_id
from recollect.model.labels import KNOWN_LABELS, format_label, read_label
from recollect.model.names import fold
from recollect.model.relations import RelationKind, format_relation, read_relation, relation_kinds
from recollect.resolve.name_finder import NameSpan, find_names
from recollect.store.change import Change
from recollect.store.view import View
from recollect.text.sentences import TextSpan
from recollect.text.wiki_links import links_to_targets
from recollect.when.timeline import Timeline

PATTERN_CONFIDENCE = 0.6
LONGEST_TIME_TEXT = 200
UNREAD_TIME = (
    "its time is not understood, so no relation holds by it; write the time as the calendar has it, "
    "or add the relation as a list item: - A RELATION B (T1 .. T2)"
)
_CUE = re.compile(
    r"\b(?:born|died|rule[sd]?|reign(?:s|ed)?|married|marries|wed|founded|allied|allies|members?|son|daughter|child)\b",
    re.IGNORECASE,
)
_BORN_OR_DIED = re.compile(r"\b(?:born|died)\b", re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:[-*+>]\s+|\d{1,3}[.)]\s+)?")


class ProseReading(NamedTuple):
    """Relations that sentences state, and sentences whose time cannot be read."""

    relations: list[RelationDraft]
    unread: list[UnreadableItem]


def match_sentences(
    change: Change, page: MarkdownPage, is_known: Callable[[str], bool], world_time: str | None = None
) -> ProseReading:
    """The relations that sentences of the body state; fact lines are skipped.

    `world_time` is when the document was written: a year without an era is one of that era.
    """
    lines = ("" if is_fact_line(line, is_known) else line for line in page.body.splitlines())
    text = links_to_targets("\n".join(lines))
    names = [each for each in find_names(change, text) if each.entity is not None]
    if not names:
        return ProseReading([], [])
    known = change.entities([entity_id(each) for each in names])
    written = None if world_time is None else change.world.read(world_time)
    prose = prose_of(text, names, known, ProseDateReader(change.world, NamedTimes(change), written))
    found = [_read_sentence(page, prose, span, own) for span, own in _by_sentence(text, names)]
    relations = sorted(
        (draft for each in found for draft in each.relations), key=lambda draft: (draft.line, draft.item)
    )
    return ProseReading(relations, [unread for each in found for unread in each.unread])


def _by_sentence(text: str, names: Sequence[NameSpan]) -> Iterator[tuple[TextSpan, Sequence[NameSpan]]]:
    """Each sentence that contains known names, with those names."""
    left = 0
    for span in sentence_spans(text, names):
        first = left
        while left < len(names) and names[left].start < span.stop:
            left += 1
        if left > first:
            yield span, names[first:left]


def _read_sentence(page: MarkdownPage, prose: Prose, span: TextSpan, names: Sequence[NameSpan]) -> ProseReading:
    text = prose.text[span.start : span.stop]
    if not _CUE.search(text) or is_unasserted(prose.text, span, names):
        return ProseReading([], [])
    stated = clauses(prose, span, names)
    around = dict(zip(stated, surroundings(prose, span, names, stated), strict=True))
    found = [each for each in stated if around[each] != "denied"]
    if stated and not found:
        return ProseReading([], [])
    timed = _clauses_with_time(prose, span, names, found)
    kept = [each for each in timed if around[each] == "plain" or _is_kin(each) or each.other is None]
    says_relation = len({each.entity for each in names}) > 1 or _BORN_OR_DIED.search(text) is not None
    is_unread = len(kept) < len(found) or (not found and says_relation and _has_time(prose, span, names, []))
    drafts = [_draft_relation(page, prose, span, each) for each in kept]
    drafts += [_draft_pending(page, prose, span, each) for each in found if each not in kept]
    return ProseReading(drafts, [_unread_item(page, prose, span)] if is_unread else [])


def _clauses_with_time(
    prose: Prose, span: TextSpan, names: Sequence[NameSpan], found: Sequence[LoreClause]
) -> list[LoreClause]:
    """The clauses that can be kept: all where no time is said, else those whose own time accounts for all of it."""
    if not any(each.phrase for each in found) and not _has_time(prose, span, names, found):
        return list(found)
    is_clear = not _has_time(prose, span, names, found) and all(each.phrase for each in found if not _is_kin(each))
    return [each for each in found if (is_clear and each.phrase) or _is_kin(each) or (each.phrase and not each.other)]


def _is_kin(clause: LoreClause) -> bool:
    """Whose child somebody is does not change: a time elsewhere in the sentence is about something else."""
    return clause.relation in KINSHIP and clause.phrase is None


def _has_time(prose: Prose, span: TextSpan, names: Sequence[NameSpan], found: Iterable[LoreClause]) -> bool:
    """Whether a sentence has words of time beside its names and the phrases that were read."""
    clauses_found = list(found)
    ends = {end for each in clauses_found for end in (each.one, each.other)}
    phrases = [TextSpan(each.phrase.begin, each.phrase.stop) for each in clauses_found if each.phrase]
    # An event says when, unless the sentence is about it.
    events = [each for each in names if prose.is_event(each) and each not in ends]
    if any(not any(phrase.start <= each.start < phrase.stop for phrase in phrases) for each in events):
        return True
    plain = [TextSpan(each.start, each.stop) for each in names]
    return has_time_words(_remove_spans(prose, span, [*plain, *phrases]), prose.timeline)


def _remove_spans(prose: Prose, span: TextSpan, removed: Iterable[TextSpan]) -> str:
    """The sentence without these spans."""
    parts, at = [], span.start
    for each in sorted(removed):
        parts.append(prose.text[at : max(at, each.start)])
        at = max(at, each.stop)
    return _BULLET.sub("", " ".join([*parts, prose.text[at : span.stop]]), count=1)


def _draft_relation(page: MarkdownPage, prose: Prose, span: TextSpan, clause: LoreClause) -> RelationDraft:
    quote = _quote(prose, span)
    target = NameRef(format_entity_id(entity_id(clause.other))) if clause.other is not None else None
    start, end = bounds_in(prose, clause)
    return RelationDraft(
        NameRef(format_entity_id(entity_id(clause.one))),
        clause.relation,
        target,
        _line(page, prose, clause.one.start),
        quote[:200],
        start,
        end,
        PATTERN_CONFIDENCE,
        quote=quote if quote in " ".join(page.body.split()) else None,
        extraction="pattern",
    )


def _draft_pending(page: MarkdownPage, prose: Prose, span: TextSpan, clause: LoreClause) -> RelationDraft:
    """A relation whose time is said and cannot be read: it keeps the words and holds at no time."""
    draft = _draft_relation(page, prose, span, clause._replace(phrase=None))
    return draft._replace(attributes={TIME_TEXT: _time_text(prose, span, clause), PENDING_TIME: True})


def _time_text(prose: Prose, span: TextSpan, clause: LoreClause) -> str:
    """The words behind a relation, or else ahead of it, that say when; the sentence if it is neither."""
    parts = (prose.text[clause.stop : span.stop], prose.text[span.start : clause.one.start])
    timed = (" ".join(part.split()).strip(" ,.;") for part in parts if has_time_words(part, prose.timeline))
    return next(timed, _quote(prose, span))[:LONGEST_TIME_TEXT]


def _unread_item(page: MarkdownPage, prose: Prose, span: TextSpan) -> UnreadableItem:
    text = prose.text[span.start : span.stop]
    at = span.start + len(text) - len(text.lstrip())
    return UnreadableItem(_line(page, prose, at), _quote(prose, span)[:200], UNREAD_TIME)


def _quote(prose: Prose, span: TextSpan) -> str:
    return " ".join(prose.text[span.start : span.stop].split())


def _line(page: MarkdownPage, prose: Prose, at: int) -> int:
    return page.line + bisect_left(_line_breaks(prose.text), at)


@lru_cache(2)
def _line_breaks(text: str) -> list[int]:
    return [found.start() for found in re.finditer("\n", text)]


ModelRoute = Literal["endpoint", "sampling"]
MAX_CONFIDENCE = 0.95
MAX_ANSWER_TOKENS = 4000
MAX_ITEMS = 100
MAX_ERAS = 50
EXTRACTED_REASON = "extracted"
_LASTING = frozenset({"parent_of", "sibling_of"})
"""Relations that do not change over time."""
SCHEMA = lists_of(
    MAX_ITEMS,
    entities={
        "type": "object",
        "properties": {"name": TEXT, "type": TEXT},
        "required": ["name", "type"],
        "additionalProperties": False,
    },
    relations={
        "type": "object",
        "properties": {
            "from": TEXT,
            "relation": TEXT,
            "to": MAYBE,
            "valid_from": MAYBE,
            "valid_until": MAYBE,
            "confidence": SURE,
            "quote": TEXT,
        },
        "required": ["from", "relation", "to", "confidence", "quote"],
        "additionalProperties": False,
    },
)
SYSTEM_PROMPT = f"""You read a text about a world and note whom and what it names and which relations it states.

- An entity has its name exactly as the text writes it and a type: Person, Creature, Deity, Faction, Lineage, Culture,
  Location, Event, Item, Title, Language, MagicSystem, Spell, Organization.
- A relation joins two entities by name. Use only the relations listed below. `quote` is the sentence that states it,
  copied word for word. `confidence` is how sure the text makes you, 0 to 1.
- valid_from and valid_until only where the text says when, in one of the listed forms of time.
- "He", "she" and "it" are the one meant, by name. Leave out wishes, questions, dreams and what might have been.

{DATA_RULE}"""


class ModelReading(NamedTuple):
    """A model's reading of a document and the route it took; `error` if it did not answer."""

    route: ModelRoute
    relations: tuple[Json, ...] = ()
    types: Mapping[str, str] = MappingProxyType({})
    error: str | None = None


class GroundedRelations(NamedTuple):
    """The relations that the text supports, and the rest."""

    relations: tuple[RelationDraft, ...]
    dropped: tuple[UnreadableItem, ...]


def read_with_model(model: LanguageModel, way: ModelRoute, page: MarkdownPage, vocabulary: str) -> ModelReading:
    """Read the body of a document with a model, part by part."""
    relations: list[Json] = []
    types: dict[str, str] = {}
    try:
        for part in split_for_model(links_to_targets(page.body)):
            ask = ModelRequest(
                f"{SYSTEM_PROMPT}\n\n{vocabulary}", delimit_text(part, "LORE"), SCHEMA, MAX_ANSWER_TOKENS
            )
            answer = ask_with_schema(model, ask)
            relations += answer["relations"]
            types |= {fold(each["name"]): each["type"] for each in answer["entities"]}
    except ModelUnavailable as problem:
        return ModelReading(way, error=str(problem))
    return ModelReading(way, tuple(relations), types)


def describe_vocabulary(timeline: Timeline) -> str:
    """The times and relations that a model may use, for its prompt."""
    eras = ", ".join(era.path for era in timeline.eras[:MAX_ERAS])
    forms = "era.year_N, era.year_N.month_N.day_N" if timeline.is_fictional else "1848, 1848-03, 1848-03-17"
    relations = "\n".join(map(_describe_relation, relation_kinds().values()))
    return f"Times: {forms}.{f' Eras: {eras}.' if eras else ''}\nRelations:\n{relations}"


def _describe_relation(kind: RelationKind) -> str:
    target = "a time" if kind.takes == "time" else _describe_types(kind.objects)
    or_none = " or none" if kind.takes == "entity or none" else ""
    return f"{format_relation(kind.name)}: {_describe_types(kind.subjects)} -> {target}{or_none}"


def _describe_types(types: Iterable[str]) -> str:
    return ", ".join(sorted(map(format_label, types))) or "any"


def ground_relations(view: View, about: SourceOutline, heard: ModelReading) -> GroundedRelations:
    """Keep the relations of a model that the text supports."""
    text = _GroundingText(view, about, heard.types)
    faults = [(item, text.find_fault(item)) for item in heard.relations]
    return GroundedRelations(
        tuple(text.draft(item) for item, fault in faults if fault is None),
        tuple(
            UnreadableItem(about.page.line, _format_item(item), fault) for item, fault in faults if fault is not None
        ),
    )


def _has_bounds(item: Json) -> bool:
    return item.get("valid_from") is not None or item.get("valid_until") is not None


def _format_item(item: Json) -> str:
    return " ".join(f"{item['from']} {item['relation']} {item['to'] or ''}".split())[:200]


class _GroundingText:
    """The text that a model's relations are checked against."""

    def __init__(self, view: View, about: SourceOutline, types: Mapping[str, str]) -> None:
        self._view = view
        self._page: MarkdownPage = about.page
        self._types = types
        self._body = " ".join(about.page.body.split())
        self._plain = " ".join(links_to_targets(about.page.body).split())
        self._named = fold(f"{about.title} {' '.join(_iter_texts(about.page.front))} {self._plain}")

    def find_fault(self, item: Json) -> str | None:
        """Why an item is rejected; none if it is accepted."""
        relation = read_relation(item["relation"])
        kind = relation_kinds().get(relation.name)
        if not item["quote"].strip() or " ".join(item["quote"].split()) not in self._plain:
            return "its quote is not in the text"
        if kind is None and not self._view.has_used(relation.name):
            return f"{item['relation']!r} is not a known relation"
        ends = [item["from"]]
        if item["to"] is not None and (kind is None or kind.takes != "time"):
            ends.append(item["to"])
        missing = [name for name in ends if not fold(name) or fold(name) not in self._named]
        if missing:
            return f"{missing[0]!r} is not in the text"
        is_timed = relation.name in _LASTING or (kind is not None and kind.takes == "time") or _has_bounds(item)
        return (
            None if is_timed or not self._says_when(item["quote"], ends) else "its quote says when, but it has no time"
        )

    def _says_when(self, quote: str, ends: Iterable[str]) -> bool:
        names = "|".join(re.escape(" ".join(name.split())) for name in ends)
        rest = re.sub(names, " ", " ".join(quote.split()), flags=re.IGNORECASE)
        return has_time_words(rest, self._view.world.timeline)

    def draft(self, item: Json) -> RelationDraft:
        quote = " ".join(item["quote"].split())
        return RelationDraft(
            self._end(item["from"]),
            item["relation"],
            None if item["to"] is None else self._end(item["to"]),
            self._line(quote),
            _format_item(item),
            item.get("valid_from"),
            item.get("valid_until"),
            min(item["confidence"], MAX_CONFIDENCE),
            quote=quote if quote in self._body else None,
            extraction="model",
        )

    def _line(self, quote: str) -> int:
        first = quote.split(" ")
        start = self._page.body.find(" ".join(first[:3]))
        return self._page.line + self._page.body.count("\n", 0, max(start, 0))

    def _end(self, name: str) -> NameRef:
        """The end by its name; a type that the model gave counts only for what nobody knows."""
        type_ = self._types.get(fold(name))
        is_usable = type_ is not None and read_label(type_).type in KNOWN_LABELS
        is_known = bool(self._view.names_matching(fold(name)))
        return NameRef(name, type_ if is_usable and not is_known else None, reason=EXTRACTED_REASON)


def _iter_texts(value: Any) -> Iterator[str]:
    """Every text in what stands above a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _iter_texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _iter_texts(inner)
