"""Prose read by a language model: part by part, in the words of this world, a quote for every relation.

The model is asked before anything is written. What it says stands only as far as the text bears it out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from recollect.ingest.extract.model import parts
from recollect.ingest.lore.draft import Named, RelationDraft, Unread
from recollect.ingest.lore.markdown import Page, unlinked
from recollect.ingest.lore.outline import Outline
from recollect.ingest.lore.time_words import has_time_words
from recollect.llm.answers import answered
from recollect.llm.fence import RULE, fenced
from recollect.llm.port import Ask, Json, Model, ModelUnavailable
from recollect.llm.schema import MAYBE, SURE, TEXT, lists_of
from recollect.model.labels import KNOWN_LABELS, read_label, say_label
from recollect.model.names import fold
from recollect.model.relations import RelationKind, read_relation, relation_kinds, say_relation
from recollect.store.view import View
from recollect.when.timeline import Timeline

Way = Literal["endpoint", "sampling"]
SUREST = 0.95
LONGEST_ANSWER = 4000
MOST_ITEMS = 100
MOST_ERAS = 50
REASON = "extracted"
_LASTING = frozenset({"parent_of", "sibling_of"})
"""What does not change, whenever a sentence says it was."""
SCHEMA = lists_of(
    MOST_ITEMS,
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
SYSTEM = f"""You read a text about a world and note whom and what it names and which relations it states.

- An entity has its name exactly as the text writes it and a type: Person, Creature, Deity, Faction, Lineage, Culture,
  Location, Event, Item, Title, Language, MagicSystem, Spell, Organization.
- A relation joins two entities by name. Use only the relations listed below. `quote` is the sentence that states it,
  copied word for word. `confidence` is how sure the text makes you, 0 to 1.
- valid_from and valid_until only where the text says when, in one of the listed forms of time.
- "He", "she" and "it" are the one meant, by name. Leave out wishes, questions, dreams and what might have been.

{RULE}"""


class Heard(NamedTuple):
    """What a model said of a document and how it was asked; `fault` if it did not answer."""

    way: Way
    relations: tuple[Json, ...] = ()
    types: Mapping[str, str] = MappingProxyType({})
    fault: str | None = None


class Grounded(NamedTuple):
    """As much of that as stands in the text, and the rest."""

    relations: tuple[RelationDraft, ...]
    dropped: tuple[Unread, ...]


def hear(model: Model, way: Way, page: Page, vocabulary: str) -> Heard:
    """What a model finds in the body of a document, part by part."""
    relations: list[Json] = []
    types: dict[str, str] = {}
    try:
        for part in parts(unlinked(page.body)):
            ask = Ask(f"{SYSTEM}\n\n{vocabulary}", fenced(part, "LORE"), SCHEMA, LONGEST_ANSWER)
            answer = answered(model, ask)
            relations += answer["relations"]
            types |= {fold(each["name"]): each["type"] for each in answer["entities"]}
    except ModelUnavailable as problem:
        return Heard(way, fault=str(problem))
    return Heard(way, tuple(relations), types)


def vocabulary_of(timeline: Timeline) -> str:
    """The times and relations that a model may use here, in words."""
    eras = ", ".join(era.path for era in timeline.eras[:MOST_ERAS])
    forms = "era.year_N, era.year_N.month_N.day_N" if timeline.is_fictional else "1848, 1848-03, 1848-03-17"
    relations = "\n".join(map(_said, relation_kinds().values()))
    return f"Times: {forms}.{f' Eras: {eras}.' if eras else ''}\nRelations:\n{relations}"


def _said(kind: RelationKind) -> str:
    target = "a time" if kind.takes == "time" else _types(kind.objects)
    or_none = " or none" if kind.takes == "entity or none" else ""
    return f"{say_relation(kind.name)}: {_types(kind.subjects)} -> {target}{or_none}"


def _types(types: Iterable[str]) -> str:
    return ", ".join(sorted(map(say_label, types))) or "any"


def ground(view: View, about: Outline, heard: Heard) -> Grounded:
    """The relations that a model named and the text bears out."""
    text = _Ground(view, about, heard.types)
    faults = [(item, text.fault(item)) for item in heard.relations]
    return Grounded(
        tuple(text.draft(item) for item, fault in faults if fault is None),
        tuple(Unread(about.page.line, _shown(item), fault) for item, fault in faults if fault is not None),
    )


def _has_bounds(item: Json) -> bool:
    return item.get("valid_from") is not None or item.get("valid_until") is not None


def _shown(item: Json) -> str:
    return " ".join(f"{item['from']} {item['relation']} {item['to'] or ''}".split())[:200]


class _Ground:
    """A text that a model's words must stand on."""

    def __init__(self, view: View, about: Outline, types: Mapping[str, str]) -> None:
        self._view = view
        self._page: Page = about.page
        self._types = types
        self._body = " ".join(about.page.body.split())
        self._plain = " ".join(unlinked(about.page.body).split())
        self._named = fold(f"{about.title} {' '.join(_texts(about.page.front))} {self._plain}")

    def fault(self, item: Json) -> str | None:
        """Why an item cannot be taken; none if it can."""
        relation = read_relation(item["relation"])
        kind = relation_kinds().get(relation.name)
        if not item["quote"].strip() or " ".join(item["quote"].split()) not in self._plain:
            return "its quote is not in the text"
        if kind is None and not self._view.has_used(relation.name):
            return f"{item['relation']!r} is no known relation"
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
            _shown(item),
            item.get("valid_from"),
            item.get("valid_until"),
            min(item["confidence"], SUREST),
            quote=quote if quote in self._body else None,
            extraction="model",
        )

    def _line(self, quote: str) -> int:
        first = quote.split(" ")
        start = self._page.body.find(" ".join(first[:3]))
        return self._page.line + self._page.body.count("\n", 0, max(start, 0))

    def _end(self, name: str) -> Named:
        """The end by its name; a type that the model gave counts only for what nobody knows."""
        type_ = self._types.get(fold(name))
        is_usable = type_ is not None and read_label(type_).type in KNOWN_LABELS
        is_known = bool(self._view.named(fold(name)))
        return Named(name, type_ if is_usable and not is_known else None, reason=REASON)


def _texts(value: Any) -> Iterator[str]:
    """Every text in what stands above a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
