"""`recall`: what is known on a question, facts and passages in one ranking."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Literal, NamedTuple, NotRequired, cast

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.indexing import count_pending_texts, index_before_read
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.entity import Entity, is_live_entity
from recollect.model.fact import Fact
from recollect.model.ids import ENTITY_PREFIX, FACT_PREFIX, FactId, format_document_id, is_id, parse_entity_id
from recollect.reason.fact_by_text import fact_with_id
from recollect.reason.items.fact_state import is_item
from recollect.reason.items.item_lookup import closed_items
from recollect.search.fact_search import MAX_BY_NAME
from recollect.search.hidden_sentences import hidden_documents, hidden_facts
from recollect.search.recall import ALL_KINDS, RecallKind, RecallRequest
from recollect.search.recall import recall as find_answers
from recollect.search.recall_results import Recalled, RecalledFact, RecalledPassage, recall_document, recall_fact
from recollect.store.view import View
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import ANY_INTEGER, IntegralFloat
from recollect.surfaces.personal import personal_memory, personal_title
from recollect.surfaces.recollect.failures import AmbiguousReference
from recollect.surfaces.recollect.parameters import (
    Name,
    Query,
    When,
    knowledge_moment,
    match_entity,
    near_entities,
    near_name_note,
    parse_passage_ref,
    read_bounds,
    read_when,
)
from recollect.surfaces.recollect.surface import surface
from recollect.surfaces.recollect.views import (
    BriefEntity,
    BriefFact,
    FactViews,
    entity_view,
    fact_line,
    with_readable_times,
)
from recollect.surfaces.views import TrustMarks, mark_passage, marks_text, trust_details
from recollect.text.fold import collapse_spaces, one_line, shorten
from recollect.when.instant import MAX, MIN, format_date, local_day
from recollect.when.timeline import Timeline
from recollect.write.owner import find_owner

CHARACTERS_PER_TOKEN = 4
DEFAULT_TOKENS = 1_500
SHORTEST_LINE = 60
LONGEST_CLAIM = 240
SHORTEST_QUOTE = 80
PERSONAL_PART = 3
"""The personal memory takes at most this part of the space beside a project's."""
MORE = "More is known: ask more narrowly, or raise max_tokens."

Kinds = Annotated[list[RecallKind], Field(min_length=1, description="Only these kinds; default all")]
MaxTokens = Annotated[int, Field(ge=100, le=20_000, description="Longest text; a token is 4 characters"), IntegralFloat]
About = Annotated[Name, Field(description="Only what concerns this name or id; `me` is the owner")]
At = Annotated[When, Field(description="States at this time; default now")]
KnownAt = Annotated[
    int | str,
    ANY_INTEGER,
    WithJsonSchema({"type": ["string", "integer"]}),
    Field(description="What was known then: a time or transaction number"),
]
Since = Annotated[When, Field(description="Only sources from this time on")]
Until = Annotated[When, Field(description="Only sources up to this time")]


class FactResult(BriefFact):
    kind: Literal["fact"]
    workspace: NotRequired[str]
    """Where it is the personal one beside a project's."""


class PassageResult(TrustMarks):
    id: str
    kind: Literal["note", "document", "memory"]
    text: str
    document: str
    state: NotRequired[Literal["outdated"]]
    source: NotRequired[str]
    date: str
    workspace: NotRequired[str]


class RecallAnswer(TypedDict):
    results: list[FactResult | PassageResult]
    about: NotRequired[BriefEntity]
    nearest: NotRequired[list[BriefEntity]]
    truncated: bool
    waiting: NotRequired[int]


@surface.tool("read", example={"query": "which package manager does acme-web use"})
def recall(
    memory: Memory,
    query: Query,
    about: About | None = None,
    at: At | None = None,
    as_of: KnownAt | None = None,
    since: Since | None = None,
    until: Until | None = None,
    kinds: Kinds | None = None,
    max_tokens: MaxTokens = DEFAULT_TOKENS,
) -> Result[RecallAnswer]:
    """Find what is known: facts, and passages of notes, documents and memories, best first.

    Call it before you answer from memory. `ended` and `stale` facts no longer hold.
    """
    question = _Question(query, about, at, as_of, since, until, frozenset(kinds) if kinds else ALL_KINDS)
    personal = personal_memory(memory)
    # The number of a transaction is one of this workspace alone.
    if personal is None or isinstance(as_of, int):
        return _recall_in(memory, question, max_tokens)
    return _recall_in_both(memory, personal, question, max_tokens)


@dataclass(frozen=True, slots=True)
class _Question:
    """The arguments of a call."""

    query: str
    about: str | None = None
    at: str | None = None
    as_of: int | str | None = None
    since: str | None = None
    until: str | None = None
    kinds: frozenset[RecallKind] = ALL_KINDS


def _recall_in_both(memory: Memory, personal: Memory, question: _Question, max_tokens: int) -> Result[RecallAnswer]:
    """What a project's memory answers, then what the personal one does in at most a third of the space."""
    theirs = _recall_in(personal, question, max_tokens // PERSONAL_PART)
    if not theirs.value["results"]:
        return _recall_in(memory, question, max_tokens)
    name, shown = personal.workspace.name, theirs.text or ""
    used = len(shown) + len(personal_title(name)) + 2
    own = _recall_in(memory, question, max_tokens - used // CHARACTERS_PER_TOKEN - 1)
    results = [*own.value["results"], *(_with_workspace(each, name) for each in theirs.value["results"])]
    is_cut = own.value["truncated"] or theirs.value["truncated"]
    value: RecallAnswer = {**theirs.value, **own.value, "results": results, "truncated": is_cut}
    value.pop("nearest", None)
    texts = [own.text or ""] if own.value["results"] else []
    return Result(value, "\n".join([*texts, personal_title(name), shown]))


def _with_workspace(each: FactResult | PassageResult, name: str) -> FactResult | PassageResult:
    marked = each.copy()
    marked["workspace"] = name
    return marked


def _recall_in(memory: Memory, question: _Question, max_tokens: int) -> Result[RecallAnswer]:
    index_before_read(memory, newest_facts=True)
    query, about = question.query, question.about
    with memory.read(knowledge_moment(memory, question.as_of)) as view:
        moment = view.world.present if question.at is None else read_when(view.world, question.at, "at").span
        first, last = read_bounds(view.world, question.since, question.until)
        named = _entity_with_id(view, query) if about is None else None
        entity, candidates = (named, []) if about is None else match_entity(memory, view, about)
        if candidates:
            raise AmbiguousReference(f"about {about!r} fits several entities", field="about", candidates=candidates)
        if about is not None and entity is None:
            return _nothing_known(memory, view, about, max_tokens)
        owner = find_owner(view)
        asked = RecallRequest(
            query if named is None else named.name,
            moment,
            None if entity is None else entity.id,
            None if owner is None else owner.id,
            MIN if first is None else first.lo,
            MAX if last is None else last.hi,
            question.kinds,
        )
        found = _shown_now(view, _find(memory, view, query, asked))
        near = near_name_note(memory, view, about, entity)
        if not found:
            known = None if entity is None else entity_view(entity)
            return _nothing_known(memory, view, query, max_tokens, known, near)
        answer = _Answer(memory, view, asked, max_tokens * CHARACTERS_PER_TOKEN, near)
        answer.fill(found)
        result = answer.result() if entity is None else {"about": entity_view(entity), **answer.result()}
        return Result(_with_waiting(memory, view, result), answer.text())


def _find(memory: Memory, view: View, query: str, asked: RecallRequest) -> list[Recalled]:
    """The fact or document whose id the query is; else what answers it."""
    past = partial(closed_among, view)
    bare = _bare_id(query)
    if is_id(bare, FACT_PREFIX) and (fact := fact_with_id(view, bare)) is not None:
        return recall_fact(view, fact, asked.at, past)
    passage = parse_passage_ref(bare)
    if passage is not None and view.document(passage.document) is not None:
        return recall_document(memory, view, passage.document, passage.seq, asked.at, past)
    if asked.about is None and _is_any_id(bare):
        return []
    return find_answers(memory, view, asked, past)


def _bare_id(query: str) -> str:
    """An id as it is copied from a line: perhaps in brackets."""
    return query.strip(" []()`")


def _is_any_id(bare: str) -> bool:
    return any(is_id(bare, prefix) for prefix in (FACT_PREFIX, ENTITY_PREFIX)) or parse_passage_ref(bare) is not None


def _entity_with_id(view: View, query: str) -> Entity | None:
    bare = _bare_id(query)
    found = view.entity(id_) if (id_ := parse_entity_id(bare, strict=True)) else None
    return found if found is not None and is_live_entity(found) else None


def _shown_now(view: View, found: Sequence[Recalled]) -> Sequence[Recalled]:
    """Without what was hidden since the moment that the view shows."""
    if view.is_latest:
        return found
    hidden: set[str] = {*hidden_facts(view, {each.row.fact.id for each in found if isinstance(each, RecalledFact)})}
    documents = {each.chunk.document for each in found if isinstance(each, RecalledPassage)}
    hidden |= hidden_documents(view, documents)
    return [each for each in found if _id_of(each) not in hidden]


def _id_of(each: Recalled) -> str:
    return each.row.fact.id if isinstance(each, RecalledFact) else each.chunk.document


def closed_among(view: View, facts: Sequence[Fact]) -> Collection[FactId]:
    items = {fact.subject for fact in facts if is_item(fact)}
    return closed_items(view, items) if items else ()


def _nothing_known(
    memory: Memory,
    view: View,
    asked: str,
    max_tokens: int,
    about: BriefEntity | None = None,
    notes: Sequence[str] = (),
) -> Result[RecallAnswer]:
    nearest = near_entities(memory, view, asked)
    result: RecallAnswer = {"results": [], "truncated": False}
    if about is not None:
        result["about"] = about
    if nearest:
        result["nearest"] = nearest
    names = ", ".join(f"{each['name']}{marks_text(each)} [{each['id']}]" for each in nearest)
    text = f"Nothing known on {asked[:200]!r}." + (f" Names like it: {names}." if nearest else "")
    text = " ".join([text, *notes])
    return Result(_with_waiting(memory, view, result), shorten(text, max_tokens * CHARACTERS_PER_TOKEN))


def _with_waiting(memory: Memory, view: View, result: RecallAnswer) -> RecallAnswer:
    waiting = count_pending_texts(view, memory.embedder)
    return {**result, "waiting": waiting} if waiting else result


class _Entry(NamedTuple):
    """A result and its line of the text."""

    result: FactResult | PassageResult
    line: str


@dataclass(slots=True)
class _Answer:
    """Results as far as their lines fit into a number of characters."""

    memory: Memory
    view: View
    asked: RecallRequest
    space: int
    notes: Sequence[str] = ()
    """Lines ahead of the results."""
    results: list[FactResult | PassageResult] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    passages: list[str] = field(default_factory=list)
    is_truncated: bool = False

    def fill(self, found: Sequence[Recalled]) -> None:
        left = self.space - len(MORE) - 1 - sum(len(note) + 1 for note in self.notes)
        shown = found[: self.space // SHORTEST_LINE + 1]
        facts = self._fact_views(shown)
        documents = self.view.documents({each.chunk.document for each in shown if isinstance(each, RecalledPassage)})
        for each in shown:
            entry = (
                _render_fact(facts[each.row.fact.id], self.view.world.timeline)
                if isinstance(each, RecalledFact)
                else self._render_passage(each, documents[each.chunk.document], left)
            )
            if len(entry.line) + 1 > left:
                break
            left -= len(entry.line) + 1
            self.results.append(entry.result)
            (self.facts if isinstance(each, RecalledFact) else self.passages).append(entry.line)
        is_busy = sum(isinstance(each, RecalledFact) for each in found) >= MAX_BY_NAME  # more than was searched
        self.is_truncated = self.is_truncated or is_busy or len(self.results) < len(found)

    def _fact_views(self, found: Iterable[Recalled]) -> dict[FactId, BriefFact]:
        rows = [each.row for each in found if isinstance(each, RecalledFact)]
        return FactViews(self.view, self.asked.at).of_rows(rows)

    def _render_passage(self, each: RecalledPassage, document: Document, left: int) -> _Entry:
        """The passage with its line, cut short where it does not fit."""
        passage = self._passage(each, document)
        line = _passage_line(passage)
        shorter = len(passage["text"]) - (len(line) + 1 - left)
        if len(line) < left or shorter < SHORTEST_QUOTE:
            return _Entry(passage, line)
        self.is_truncated = True
        clipped: PassageResult = {**passage, "text": shorten(passage["text"], shorter)}
        return _Entry(clipped, _passage_line(clipped))

    def _passage(self, each: RecalledPassage, document: Document) -> PassageResult:
        ident = format_document_id(document.id)
        shown: PassageResult = {
            "id": f"{ident}#{each.chunk.seq}",
            "kind": each.kind,
            "text": collapse_spaces(each.body),
            "document": ident,
            "date": format_date(local_day(document.source_at, self.view.world.zone)),
        }
        source = document.properties.get("source") or document.title or (None if each.kind == "note" else document.key)
        if isinstance(source, str):
            shown["source"] = source
        if each.is_outdated:
            shown["state"] = "outdated"
        mark_passage(shown, self.view, document, each.body, (each.chunk.start, each.chunk.stop))
        return shown

    def result(self) -> RecallAnswer:
        return {"results": self.results, "truncated": self.is_truncated}

    def text(self) -> str:
        return "\n".join([*self.notes, *self.facts, *self.passages, *([MORE] if self.is_truncated else [])])


def _render_fact(fact: BriefFact, timeline: Timeline) -> _Entry:
    shown = cast("FactResult", {**fact, "kind": "fact"})
    line = with_readable_times(fact, timeline)
    return _Entry(shown, fact_line({**line, "text": shorten(collapse_spaces(line["text"]), LONGEST_CLAIM)}))


def _passage_line(passage: PassageResult) -> str:
    """One line of Markdown: the words in quotation marks, since they are data, and where they stand."""
    details = [passage["kind"], *([passage["state"]] if "state" in passage else []), *trust_details(passage)]
    origin = ", ".join(each for each in (passage.get("source"), passage["date"]) if each)
    quoted = passage["text"].replace('"', "'")
    return one_line(f'- "{quoted}" ({"; ".join([*details, origin])}) [{passage["id"]}]')
