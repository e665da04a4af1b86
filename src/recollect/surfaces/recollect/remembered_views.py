"""What `remember` answers: the outcome of each fact, the entities it linked or created, and what stayed unread."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NotRequired, cast

from typing_extensions import TypedDict

from recollect.errors import RecollectError
from recollect.ingest.notes.fact_outcomes import EntityLink, FactOutcome, OutcomeName
from recollect.ingest.notes.fact_request import BadFact, QuoteMissing, UnknownReference
from recollect.ingest.notes.remember import RememberOutcome
from recollect.memory import Memory
from recollect.model.ids import FactId, format_document_id
from recollect.model.names import fold_words
from recollect.reason.fact_by_text import denied_fact
from recollect.store.change import Change
from recollect.surfaces.recollect.failures import (
    EverydayProblem,
    InvalidInput,
    NotFound,
    QuoteNotFound,
)
from recollect.surfaces.recollect.parameters import near_entities
from recollect.surfaces.recollect.surface import error_body, surface
from recollect.surfaces.recollect.views import BriefEntity, BriefFact, FactViews, entity_view, fact_line
from recollect.surfaces.views import TrustMarks

SIMILAR_NAMES = 3


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
    was_hidden: NotRequired[bool]
    replaced: NotRequired[list[BriefFact]]
    conflicts_with: NotRequired[list[BriefFact]]
    candidates: NotRequired[list[BriefEntity]]
    error: NotRequired[dict[str, Any]]


class LinkedEntity(TrustMarks):
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
    denied: NotRequired[list[BriefFact]]
    hidden: NotRequired[bool]
    dry_run: NotRequired[bool]
    undo: NotRequired[int]


def problem_of_fact(problem: RecollectError | None) -> RecollectError:
    """The problem of a fact as that of the call."""
    kind: type[EverydayProblem]
    if not isinstance(problem, BadFact | UnknownReference):
        return problem or RecollectError()
    kind = QuoteNotFound if isinstance(problem, QuoteMissing) else InvalidInput
    if isinstance(problem, UnknownReference):
        kind = NotFound
    return kind(str(problem), field=problem.field, next_step=problem.next_step)


class RememberRenderer:
    """Prints what became of a call, with the facts as they now stand."""

    def __init__(self, memory: Memory, change: Change) -> None:
        self._memory = memory
        self._change = change

    def result(self, done: RememberOutcome) -> RememberResult:
        views = FactViews(self._change).of(list(_fact_ids(done)))
        result: RememberResult = {
            "facts": [self._fact(each, views) for each in done.facts],
            "entities": [self._entity(each) for each in done.entities],
            "not_understood": list(done.not_understood),
        }
        if done.closed:
            result["closed"] = [views[each] for each in done.closed if each in views]
        denied = [row for each in done.not_understood if (row := denied_fact(self._change, each)) is not None]
        ended = [views[id_] for each in done.facts for id_ in each.denied if id_ in views]
        if denied or ended:
            result["denied"] = [*ended, *FactViews(self._change).of_rows(denied).values()]
        if done.note is not None:
            result["note"] = format_document_id(done.note)
        if done.is_hidden:
            result["hidden"] = True
        return result

    def _fact(self, done: FactOutcome, views: Mapping[FactId, BriefFact]) -> RememberedFact:
        shown = views.get(done.fact) if done.fact is not None else None
        fact: RememberedFact = {
            **(shown or {"text": done.text}),  # type: ignore[typeddict-item]
            "outcome": done.outcome,
            "predicate": done.predicate,
        }
        for key, ids in (("others", done.others), ("replaced", done.replaced), ("conflicts_with", done.conflicts_with)):
            beside = [views[each] for each in ids if each in views and (key != "others" or _holds(views[each]))]
            if beside:
                fact[key] = beside  # type: ignore[literal-required]
        if done.sources:
            fact["sources"] = done.sources
        if done.outcome == "confirmed" and done.fact is not None and self._was_hidden(done.fact):
            fact["was_hidden"] = True
        if done.candidates:
            fact["candidates"] = [entity_view(each) for each in done.candidates]
        if done.error is not None:
            fact["error"] = error_body(surface.tools["remember"], {}, problem_of_fact(done.error))
        return fact

    def _was_hidden(self, fact: FactId) -> bool:
        """Whether somebody had asked to hide the fact that this call brought back."""
        return any(each.is_hidden for each in self._change.fact_versions(fact)[-2:-1])

    def _entity(self, link: EntityLink) -> LinkedEntity:
        if link.entity is None:
            return {"name": link.name, "link": link.link}
        brief = entity_view(link.entity)
        shown = cast(LinkedEntity, {**brief, "link": link.link})
        similar = self._similar(link) if link.link == "created" else []
        if similar:
            shown["similar"] = similar
        return shown

    def _similar(self, link: EntityLink) -> list[BriefEntity]:
        """Entities with near names, one of which may have been meant."""
        near = near_entities(self._memory, self._change, link.name, SIMILAR_NAMES + 1)
        own = entity_view(link.entity)["id"] if link.entity is not None else None
        return [each for each in near if each["id"] != own][:SIMILAR_NAMES]


def _holds(fact: BriefFact) -> bool:
    """Whether another value still holds: what follows in the same text may have ended it."""
    return fact["state"] not in ("ended", "stale", "retracted")


def _fact_ids(done: RememberOutcome) -> list[FactId]:
    ids = [
        id_
        for each in done.facts
        for id_ in (each.fact, *each.others, *each.replaced, *each.conflicts_with)
        if id_ is not None
    ]
    return list(dict.fromkeys((*ids, *done.closed)))


def remembered_text(result: RememberResult, *, is_passage_read: bool = False) -> str:
    """The outcome of each fact, then what was closed, what was not understood and whether a passage is now read."""
    lines = _fact_lines(result["facts"])
    lines += [f"- closed: {fact_line(item)[2:]}" for item in result.get("closed", [])]
    lines += _new_names(result["entities"])
    kept = "The text is kept as a note." if "note" in result else ""
    if "hidden" in result:
        kept = "This text from this source was hidden by `forget` and stays so; `undo` of that shows it again."
    if result["not_understood"]:
        lines.append("Not read as facts:")
        lines += [f"- {sentence}" for sentence in result["not_understood"]]
    doubted = [fact for fact in result.get("denied", []) if fact["state"] == "current"]
    lines += [f"- still current: {fact_line(fact)[2:]}" for fact in doubted]
    if doubted:
        lines.append("If it is not true, `correct` it with mode `wrong` or `ended`.")
    read = "The passage is marked as read." if is_passage_read and "undo" in result else ""
    undo = f"Undo with transaction {result['undo']}." if "undo" in result else "Nothing was stored."
    return "\n".join(filter(None, (*lines, kept, read, undo)))


def _new_names(entities: Sequence[LinkedEntity]) -> Iterator[str]:
    """A line for each entity made for a name of which others have more: `Anna` where there is an Anna Berg."""
    for entity in entities:
        longer = [each for each in entity.get("similar", []) if _is_part_of(entity["name"], each["name"])]
        if longer:
            known = ", ".join(f"{each['name']} [{each['id']}]" for each in longer)
            yield f"- new: {entity['name']} [{entity['id']}]; if {known} is meant, `undo` and pass that id."


def _is_part_of(name: str, other: str) -> bool:
    one, two = set(fold_words(name).split()), set(fold_words(other).split())
    return one < two or two < one


_BESIDE: tuple[tuple[str, Literal["replaced", "conflicts_with", "others"]], ...] = (
    ("instead of", "replaced"),
    ("against", "conflicts_with"),
    ("besides", "others"),
)


def _fact_lines(facts: Sequence[RememberedFact]) -> list[str]:
    """The lines of each fact; one that stands beside several others is put into words once."""
    lines: list[str] = []
    spoken: dict[str, str] = {}

    def line(shown: Any) -> str:
        found = spoken.get(shown["id"])
        if found is None:
            found = spoken[shown["id"]] = fact_line(shown)[2:]
        return found

    for fact in facts:
        if "id" not in fact:
            error = fact.get("error")
            why = f": {error['message']}" if error else " (see `review`)"
            lines.append(f"- {fact['outcome']}: {fact['text']}{why}")
            continue
        lines.append(f"- {fact['outcome']}: {line(fact)}")
        if "was_hidden" in fact:
            lines.append("  It was hidden by `forget`, and is shown again now; `undo` hides it.")
        for word, key in _BESIDE:
            if key in fact:
                lines += [f"  {word}: {line(each)}" for each in fact[key]]
    return lines
