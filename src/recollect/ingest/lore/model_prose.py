"""Relations from prose by a language model: each needs a quote of the text, and a time where the quote says when."""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from recollect.ingest.drafts import NameRef, RelationDraft, UnreadableItem
from recollect.ingest.extract.model_extractor import split_for_model
from recollect.ingest.lore.markup import MarkdownPage
from recollect.ingest.lore.source_parser import SourceOutline
from recollect.ingest.lore.words_of_time import has_time_words
from recollect.llm.answers import DATA_RULE, MAYBE, SURE, TEXT, ask_with_schema, delimit_text, lists_of
from recollect.llm.port import Json, LanguageModel, ModelRequest, ModelUnavailable
from recollect.model.labels import KNOWN_LABELS, format_label, read_label
from recollect.model.names import fold
from recollect.model.relations import RelationKind, format_relation, read_relation, relation_kinds
from recollect.store.view import View
from recollect.text.wiki_links import links_to_targets
from recollect.when.timeline import Timeline

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
