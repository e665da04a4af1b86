"""`remember`: keep a text and facts, with where they came from."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from pydantic import Field, WithJsonSchema

from recollect.errors import RecollectError
from recollect.ingest.notes.fact_request import (
    ClaimRequest,
    EndRequest,
    NotClosing,
    RefusedClaim,
    ReplacesAnother,
    UnknownReference,
    parse_end,
    parse_fact,
    refused_claim,
)
from recollect.ingest.notes.remember import RememberRequest, remember_all
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.reason.unread import mark_passage_read
from recollect.store.change import Change
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import Flag, limited_text
from recollect.surfaces.recollect.failures import (
    NO_EXAMPLE,
    AmbiguousReference,
    InvalidInput,
)
from recollect.surfaces.recollect.parameters import TIME_FORMS, FoundPassage, Name, When, find_document, read_when
from recollect.surfaces.recollect.remembered_views import (
    RememberRenderer,
    RememberResult,
    problem_of_fact,
    remembered_text,
)
from recollect.surfaces.recollect.surface import surface
from recollect.surfaces.recollect.views import entity_view
from recollect.when.instant import Instant
from recollect.when.period import Time
from recollect.write.entity_refs import AmbiguousName, NamedRef, find_or_create
from recollect.write.tombstones import ErasedContent, ErasedName

TEXT_LIMIT = 100_000
SOURCE_LIMIT = 2_000
MAX_FACTS = 50


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
        "object": {"type": ["string", "object"], "description": "An entity, like subject"},
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
    *limited_text(SOURCE_LIMIT),
    Field(description="Where it was learned: words or URL"),
]
SourceTime = Annotated[When, Field(description="When the source was written; default now")]
DocumentRef = Annotated[
    str,
    *limited_text(200),
    Field(description="Id from `unread` or `recall` that the facts come from"),
]
DryRun = Annotated[Flag, Field(description="Report only")]


class _Call(NamedTuple):
    """The arguments, as far as their types are checked."""

    text: str | None
    facts: Sequence[Any] | None
    about: str | None
    source: str | None
    source_at: str | None
    document: str | None
    dry_run: bool


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
    call = _Call(_check_text(text), _check_facts(facts), about, source, source_at, document, dry_run)
    _check_content(call)
    with memory.write(dry_run=dry_run) as change:
        result = _remember(memory, change, call)
        if change.has_changed and not dry_run:
            result["undo"] = change.tx
    if dry_run:
        result.pop("note", None)
        result["dry_run"] = True
    is_passage_read = call.document is not None and call.facts is not None
    return Result(result, remembered_text(result, is_passage_read=is_passage_read))


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
        done = remember_all(change, request, memory.closure_matcher if call.text is not None else None)
    except ErasedContent as problem:
        message = "this text, or something that it says, was erased on request"
        next_step = "Leave that out; what was erased is not stored again."
        if isinstance(problem, ErasedName):
            message = "this text tells of a name that was erased on request"
            next_step = "Leave that out; somebody else of that name needs a fuller one, with a surname for example."
        raise InvalidInput(message, field="text", next_step=next_step, example=NO_EXAMPLE) from None
    if call.text is None and done.facts and all(each.outcome == "refused" for each in done.facts):
        raise _all_refused(call, done.facts[0].error)
    if passage is not None and call.facts is not None:
        _mark_read(change, passage)
    return RememberRenderer(memory, change).result(done)


def _all_refused(call: _Call, error: RecollectError | None) -> RecollectError:
    """The problem of the first fact; a fact that closes or replaces nothing may be sent without `replaces`."""
    problem = problem_of_fact(error)
    if (
        isinstance(error, NotClosing | ReplacesAnother)
        and isinstance(problem, InvalidInput)
        and call.facts
        and len(call.facts) == 1
    ):
        given = {key: value for key, value in call._asdict().items() if value not in (None, False)}
        claim = {key: value for key, value in call.facts[0].items() if key != "replaces"}
        problem.example = {**given, "facts": [claim]}
    return problem


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
        resolved = find_or_create(change, NamedRef(end.name))
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
