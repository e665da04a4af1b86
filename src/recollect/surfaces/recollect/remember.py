"""`remember`: keep a text and facts, with where they came from."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, NamedTuple, NotRequired

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.errors import RecollectError
from recollect.ingest.notes.fact_recorder import EntityLink, FactOutcome, OutcomeName
from recollect.ingest.notes.fact_request import (
    BadFact,
    ClaimRequest,
    EndRequest,
    QuoteMissing,
    RefusedClaim,
    UnknownReference,
    parse_end,
    parse_fact,
    refused_claim,
)
from recollect.ingest.notes.remember import Remembered, RememberRequest, remember_all
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.ids import FactId, format_document_id
from recollect.reason.unread import mark_passage_read
from recollect.store.change import Change
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import Flag, trimmed_text
from recollect.surfaces.recollect.documents import FoundPassage, find_document
from recollect.surfaces.recollect.parameters import TIME_FORMS, Name, When, near_entities, read_when
from recollect.surfaces.recollect.problems import (
    NO_EXAMPLE,
    EverydayProblem,
    InvalidInput,
    NotFound,
    QuoteNotFound,
    error_body,
)
from recollect.surfaces.recollect.surface import surface
from recollect.surfaces.recollect.views import BriefEntity, BriefFact, FactViews, entity_view, fact_line
from recollect.when.instant import Instant
from recollect.when.period import Time
from recollect.write.ends import AmbiguousName, End, find_or_create
from recollect.write.tombstones import ErasedContent

TEXT_LIMIT = 100_000
SOURCE_LIMIT = 2_000
MAX_FACTS = 50
SIMILAR_NAMES = 3


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _end(description: str) -> dict[str, Any]:
    parts = {"name": _text("Name"), "type": _text("person, project, …"), "id": _text("Instead of name")}
    typed = {"type": "object", "properties": parts, "additionalProperties": False}
    return {"anyOf": [{"type": "string"}, typed], "description": description}


_FACT_SCHEMA = {
    "type": "object",
    "properties": {
        "subject": _end("Name or {name, type} or {id}; `me` is the owner"),
        "predicate": _text("works_at, uses, rent, commitment, …"),
        "object": _end("An entity, like subject"),
        "value": {"type": ["string", "number", "boolean"], "description": "Anything that is no entity"},
        "valid_from": _text("True since"),
        "valid_until": _text("True until; due, of a promise or request"),
        "replaces": {"type": ["boolean", "string"], "description": "true: the current values; or a fact id"},
        "confidence": {"enum": ["stated", "inferred"], "description": "Default stated"},
        "quote": _text("Words of text or document"),
    },
    "required": ["subject", "predicate"],
    "additionalProperties": False,
}
NoteText = Annotated[
    Any,
    WithJsonSchema({"type": "string", "maxLength": TEXT_LIMIT}),
    Field(description="What was said, verbatim; plain sentences are read as facts"),
]
Facts = Annotated[
    Any,
    WithJsonSchema({"type": "array", "items": _FACT_SCHEMA, "maxItems": MAX_FACTS}),
    Field(description="Claims, one each; with object or value"),
]
Topic = Annotated[Name, Field(description="Subject of sentences that name none")]
SourceText = Annotated[
    str,
    trimmed_text(SOURCE_LIMIT),
    WithJsonSchema({"type": "string", "maxLength": SOURCE_LIMIT}),
    Field(description="Where it was learned: words or URL"),
]
SourceTime = Annotated[When, Field(description="When the source was written; default now")]
DocumentRef = Annotated[
    str,
    trimmed_text(200),
    WithJsonSchema({"type": "string", "maxLength": 200}),
    Field(description="Id from `unread` or `recall` that the facts come from"),
]
DryRun = Annotated[Flag, Field(description="Report only")]


class RememberedFact(TypedDict):
    id: NotRequired[str]
    text: str
    state: NotRequired[str]
    since: NotRequired[str]
    until: NotRequired[str]
    source: NotRequired[str]
    date: NotRequired[str]
    outcome: OutcomeName
    predicate: str
    others: NotRequired[list[BriefFact]]
    sources: NotRequired[int]
    replaced: NotRequired[list[BriefFact]]
    conflicts_with: NotRequired[list[BriefFact]]
    candidates: NotRequired[list[BriefEntity]]
    error: NotRequired[dict[str, Any]]


class LinkedEntity(TypedDict):
    id: NotRequired[str]
    name: str
    type: NotRequired[str]
    link: Literal["linked", "created", "ambiguous"]
    similar: NotRequired[list[BriefEntity]]


class RememberResult(TypedDict):
    note: NotRequired[str]
    facts: list[RememberedFact]
    entities: list[LinkedEntity]
    closed: NotRequired[list[BriefFact]]
    not_understood: list[str]
    dry_run: NotRequired[bool]
    undo: NotRequired[int]


class _RolledBack(Exception):
    """Carries the report of a dry run out of its transaction."""

    def __init__(self, result: RememberResult) -> None:
        super().__init__()
        self.result = result


class _Call(NamedTuple):
    """The arguments, as far as their types are checked."""

    text: str | None
    facts: Sequence[Any] | None
    about: str | None
    source: str | None
    source_at: str | None
    document: str | None


@surface.tool(
    "write",
    example={
        "facts": [{"subject": "acme-web", "predicate": "uses", "value": "pnpm", "replaces": True}],
        "source": "chat",
    },
)
def remember(
    memory: Memory,
    text: NoteText = None,
    facts: Facts = None,
    about: Topic | None = None,
    source: SourceText | None = None,
    source_at: SourceTime | None = None,
    document: DocumentRef | None = None,
    dry_run: DryRun = False,
) -> Result[RememberResult]:
    """Keep what you were told: `text`, `facts` or both.

    The text is kept word for word, and plain sentences are read. Pass as facts what you understand better. `replaces`
    when a value has changed; `completion` or `cancellation` with the id of an item in `replaces` closes it.
    """
    call = _Call(_check_text(text), _check_facts(facts), about, source, source_at, document)
    _check_content(call)
    try:
        with memory.write() as change:
            result = _remember(memory, change, call)
            if dry_run:
                raise _RolledBack(result)
            if change.has_changed:
                result["undo"] = change.tx
    except _RolledBack as rolled_back:
        result = rolled_back.result
        result.pop("note", None)
        result["dry_run"] = True
    return Result(result, _as_text(result))


def _check_text(text: Any) -> str | None:
    if text is None or (isinstance(text, str) and not text.strip()):
        return None
    if not isinstance(text, str):
        raise InvalidInput("text is not a string", field="text", next_step="Send a string.", example=NO_EXAMPLE)
    if len(text) > TEXT_LIMIT:
        message = f"text has {len(text)} characters; at most {TEXT_LIMIT} are allowed"
        raise InvalidInput(message, field="text", next_step="Send it in several calls.", example=NO_EXAMPLE)
    return text


def _check_facts(facts: Any) -> Sequence[Any] | None:
    if facts is None:
        return None
    if not isinstance(facts, list):
        raise InvalidInput("facts is not a list", field="facts", next_step="Send a list.", example=NO_EXAMPLE)
    if len(facts) > MAX_FACTS:
        message = f"facts has {len(facts)} elements; at most {MAX_FACTS} are allowed"
        raise InvalidInput(message, field="facts", next_step="Send them in several calls.", example=NO_EXAMPLE)
    return facts


def _check_content(call: _Call) -> None:
    if call.text is None and not call.facts and not (call.document is not None and call.facts is not None):
        next_step = "Send `text`, `facts` or both; `facts: []` only with `document`."
        raise InvalidInput("there is nothing to remember", field="text", next_step=next_step, example=NO_EXAMPLE)


def _remember(memory: Memory, change: Change, call: _Call) -> RememberResult:
    passage = find_document(change, call.document, "document") if call.document is not None else None
    request = _parse(change, call, passage.document if passage else None)
    try:
        done = remember_all(change, request)
    except ErasedContent:
        message, next_step = "this text was erased on request", "Leave it out; what was erased is not stored again."
        raise InvalidInput(message, field="text", next_step=next_step, example=NO_EXAMPLE) from None
    if call.text is None and done.facts and all(each.outcome == "refused" for each in done.facts):
        raise _as_problem(done.facts[0].error)
    if passage is not None and call.facts is not None:
        _mark_read(change, passage)
    return _Renderer(memory, change).result(done)


def _parse(change: Change, call: _Call, document: Document | None) -> RememberRequest:
    given = [_parse_fact(change, raw, index) for index, raw in enumerate(call.facts or ())]
    return RememberRequest(
        _source_instant(change, call, document),
        call.text,
        given,
        _find_topic(change, call.about) if call.about is not None else None,
        call.source,
        document,
        has_own_time=call.source_at is not None,
    )


def _parse_fact(change: Change, raw: Any, index: int) -> ClaimRequest | RefusedClaim:
    field = f"facts[{index}]"

    def read_time(text: str, place: str) -> Time:
        return read_when(change.world, text, place)

    try:
        return parse_fact(raw, field, read_time)
    except RecollectError as problem:
        return refused_claim(raw, problem)


def _find_topic(change: Change, about: str) -> EndRequest:
    end = parse_end(about, "about")
    if end.is_owner:
        return end
    if end.id is not None:
        found = change.survivor(end.id)
        if found is None:
            raise UnknownReference(f"about {about!r} is not an entity here", "about", "Send a known id, or a name.")
        return EndRequest(found.name, id=found.id)
    try:
        resolved = find_or_create(change, End(end.name))
    except AmbiguousName as problem:
        candidates = [entity_view(each) for each in problem.candidates]
        raise AmbiguousReference(
            f"about {about!r} fits several entities", field="about", candidates=candidates
        ) from None
    return EndRequest(resolved.entity.name, id=resolved.entity.id, is_new=resolved.is_new)


def _source_instant(change: Change, call: _Call, document: Document | None) -> Instant:
    """When the source was written; a period that is not over yet means now."""
    if call.source_at is None:
        return change.now if document is None or call.text is not None else document.source_at
    world = change.world
    if world.timeline.is_fictional:  # a source is written in real time, whatever it tells of
        world = replace(world, timeline=replace(world.timeline, kind="gregorian"))
    period = read_when(world, call.source_at, "source_at")
    if period.lo > change.now:
        message = f"source_at {call.source_at!r} lies in the future"
        raise InvalidInput(message, field="source_at", next_step=f"Send {TIME_FORMS} up to now, or leave it out.")
    return change.now if period.hi >= change.now else Instant(period.lo)


def _mark_read(change: Change, passage: FoundPassage) -> None:
    numbers = [passage.seq] if passage.seq is not None else [each.seq for each in change.chunks(passage.document.id)]
    for seq in numbers:
        mark_passage_read(change, change.document(passage.document.id) or passage.document, seq)


def _as_problem(problem: RecollectError | None) -> RecollectError:
    """The problem of a fact as that of the call; only the caller knows what to send instead."""
    kind: type[EverydayProblem]
    if not isinstance(problem, BadFact | UnknownReference):
        return problem or RecollectError()
    kind = QuoteNotFound if isinstance(problem, QuoteMissing) else InvalidInput
    if isinstance(problem, UnknownReference):
        kind = NotFound
    return kind(str(problem), field=problem.field, next_step=problem.next_step, example=NO_EXAMPLE)


class _Renderer:
    """Prints what became of a call, with the facts as they now stand."""

    def __init__(self, memory: Memory, change: Change) -> None:
        self._memory = memory
        self._change = change

    def result(self, done: Remembered) -> RememberResult:
        views = FactViews(self._memory, self._change).of(list(_fact_ids(done)))
        result: RememberResult = {
            "facts": [self._fact(each, views) for each in done.facts],
            "entities": [self._entity(each) for each in done.entities],
            "not_understood": list(done.not_understood),
        }
        if done.closed:
            result["closed"] = [views[each] for each in done.closed if each in views]
        if done.note is not None:
            result["note"] = format_document_id(done.note)
        return result

    def _fact(self, done: FactOutcome, views: Mapping[FactId, BriefFact]) -> RememberedFact:
        shown = views.get(done.fact) if done.fact is not None else None
        fact: RememberedFact = {
            **(shown or {"text": done.text}),  # type: ignore[typeddict-item]
            "outcome": done.outcome,
            "predicate": done.predicate,
        }
        for key, ids in (("others", done.others), ("replaced", done.replaced), ("conflicts_with", done.conflicts_with)):
            if ids:
                fact[key] = [views[each] for each in ids if each in views]  # type: ignore[literal-required]
        if done.sources:
            fact["sources"] = done.sources
        if done.candidates:
            fact["candidates"] = [entity_view(each) for each in done.candidates]
        if done.error is not None:
            fact["error"] = error_body(surface.tools["remember"], {}, _as_problem(done.error))
        return fact

    def _entity(self, link: EntityLink) -> LinkedEntity:
        if link.entity is None:
            return {"name": link.name, "link": link.link}
        brief = entity_view(link.entity)
        shown: LinkedEntity = {"id": brief["id"], "name": brief["name"], "type": brief["type"], "link": link.link}
        similar = self._similar(link) if link.link == "created" else []
        if similar:
            shown["similar"] = similar
        return shown

    def _similar(self, link: EntityLink) -> list[BriefEntity]:
        """Entities with near names, one of which may have been meant."""
        near = near_entities(self._memory, self._change, link.name, SIMILAR_NAMES + 1)
        own = entity_view(link.entity)["id"] if link.entity is not None else None
        return [each for each in near if each["id"] != own][:SIMILAR_NAMES]


def _fact_ids(done: Remembered) -> list[FactId]:
    ids = [
        id_
        for each in done.facts
        for id_ in (each.fact, *each.others, *each.replaced, *each.conflicts_with)
        if id_ is not None
    ]
    return list(dict.fromkeys((*ids, *done.closed)))


def _as_text(result: RememberResult) -> str:
    """The outcome of each fact, then what was closed and what was not understood."""
    lines = [line for fact in result["facts"] for line in _fact_lines(fact)]
    lines += [f"- closed: {fact_line(item)[2:]}" for item in result.get("closed", [])]
    kept = "The text is kept as a note." if "note" in result else ""
    if result["not_understood"]:
        lines.append("Not read as facts:")
        lines += [f"- {sentence}" for sentence in result["not_understood"]]
    undo = f"Undo with transaction {result['undo']}." if "undo" in result else "Nothing was stored."
    return "\n".join(line for line in (*lines, kept, undo) if line)


def _fact_lines(fact: RememberedFact) -> list[str]:
    if "id" not in fact:
        error = fact.get("error")
        why = f": {error['message']}" if error else " (see `review`)"
        return [f"- {fact['outcome']}: {fact['text']}{why}"]
    shown: Any = fact
    lines = [f"- {fact['outcome']}: {fact_line(shown)[2:]}"]
    beside = (
        ("instead of", fact.get("replaced", [])),
        ("against", fact.get("conflicts_with", [])),
        ("besides", fact.get("others", [])),
    )
    return [*lines, *(f"  {word}: {fact_line(each)[2:]}" for word, facts in beside for each in facts)]
