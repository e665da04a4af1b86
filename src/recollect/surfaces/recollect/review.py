"""`review`: questions that only a person or agent can decide, and their decisions."""

from collections.abc import Iterable
from typing import Annotated, Literal, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from recollect.errors import Forbidden
from recollect.ingest.notes import remember
from recollect.ingest.notes.fact_request import parse_fact
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.review_ids import parse_review_id
from recollect.reason.review.questions import PredicateUse, ReviewKind, ReviewPart, ReviewQuestion
from recollect.reason.review.queue import UnknownQuestion, decide, list_questions
from recollect.store.change import Change
from recollect.store.review_queries import HeldFact, drop_held_fact
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import trimmed_text
from recollect.surfaces.recollect.parameters import Limit, Name, find_entity, near_name_note, read_when
from recollect.surfaces.recollect.surface import surface
from recollect.surfaces.recollect.views import BriefEntity, BriefFact, FactViews, entity_view, fact_line
from recollect.text.fold import one_line
from recollect.write.trust_rules import check_may_overrule

BriefPart = BriefFact | BriefEntity
HOW_TO_DECIDE = "Ask the user, then call `review` with `decide: {id, choice}`; `undo` takes it back."


class QuestionView(TypedDict):
    id: str
    kind: ReviewKind
    question: str
    a: NotRequired[BriefPart]
    b: NotRequired[BriefPart]
    candidates: NotRequired[list[BriefPart]]
    choices: list[str]


class DecidedView(TypedDict):
    id: str
    choice: str


class ReviewResult(TypedDict):
    items: NotRequired[list[QuestionView]]
    count: NotRequired[int]
    decided: NotRequired[DecidedView]
    facts: NotRequired[list[BriefFact]]
    undo: NotRequired[int]


class DecisionRequest(TypedDict):
    id: Annotated[str, trimmed_text(300), Field(description="Id of an item")]
    choice: Annotated[str, trimmed_text(100), Field(description="One of its choices")]


Kind = Annotated[
    Literal["conflict", "duplicate", "ambiguous", "finding"], Field(description="Only questions of this kind")
]
Decide = Annotated[DecisionRequest, Field(description="Decide one item; reversible with `undo`")]


@surface.tool("decide", example={"kind": "conflict"})
def review(
    memory: Memory,
    kind: Kind | None = None,
    about: Name | None = None,
    limit: Limit = 20,
    decide: Decide | None = None,
) -> Result[ReviewResult]:
    """Questions to decide: conflicts, duplicates, ambiguous names or reports, rule findings.

    Without `decide`, lists them, the most harmful first. Ask the user before you decide.
    """
    if decide is not None:
        return _decide(memory, decide["id"], decide["choice"])
    with memory.read() as view:
        entity = None if about is None else find_entity(memory, view, about, "about")
        near = near_name_note(memory, view, about, entity)
        queue = list_questions(memory, view, kind, entity, limit)
        facts = FactViews(view).of(_facts_in(queue.questions))
        items = [_render(question, facts) for question in queue.questions]
    result: ReviewResult = {"items": items, "count": queue.count}
    return Result(result, "\n".join([*near, _as_text(items, queue.count)]))


def _decide(memory: Memory, id_: str, choice: str) -> Result[ReviewResult]:
    if not memory.may_write:
        raise Forbidden("this token may read only; deciding a review needs one that may write")
    question = parse_review_id(id_)
    if question is None:
        raise UnknownQuestion(id_)
    with memory.write() as change:
        check_may_overrule(memory.settings_in(change), memory.actor)
        affected = decide(change, question, choice, _record_held_fact)
        tx = change.tx
    with memory.read() as view:
        facts = list(FactViews(view).of(affected).values())
    result: ReviewResult = {"decided": {"id": id_, "choice": choice}, "facts": facts, "undo": tx}
    lines = "\n".join(map(fact_line, facts))
    return Result(result, f"Decided {id_}: {choice}. Undo with transaction {tx}.{lines and chr(10) + lines}")


def _facts_in(questions: Iterable[ReviewQuestion]) -> list[FactId]:
    parts = [part for each in questions for part in (each.a, each.b, each.about, *each.candidates)]
    return list({FactId(part): None for part in parts if isinstance(part, str)})


def _render(question: ReviewQuestion, facts: dict[FactId, BriefFact]) -> QuestionView:
    shown: QuestionView = {
        "id": str(question.id),
        "kind": question.kind,
        "question": question_text(question, facts),
        "choices": list(question.choices),
    }
    a, b = _part_view(question.a, facts), _part_view(question.b, facts)
    if a is not None:
        shown["a"] = a
    if b is not None:
        shown["b"] = b
    candidates = [view for part in question.candidates if (view := _part_view(part, facts)) is not None]
    if candidates:
        shown["candidates"] = candidates
    return shown


def _part_view(part: ReviewPart | None, facts: dict[FactId, BriefFact]) -> BriefPart | None:
    match part:
        case None:
            return None
        case Entity():
            return entity_view(part)
        case PredicateUse(name=name):
            return {"id": name, "name": name, "type": "predicate"}
        case _:
            return facts.get(part)


def question_text(question: ReviewQuestion, facts: dict[FactId, BriefFact]) -> str:
    """The question as a sentence."""
    match question.id.type:
        case "conflict":
            return "These two facts disagree. Which one is true?"
        case "duplicate":
            return f"Are {_name_of(question.a)} and {_name_of(question.b)} the same {_type_of(question.a)}?"
        case "predicates":
            return f"Do the predicates {_name_of(question.a)} and {_name_of(question.b)} mean the same?"
        case "held":
            return f"Who or what is meant in: {question.text.rstrip('.')}?"
        case "closing":
            closer = facts.get(question.about) if question.about is not None else None
            return f"Which item does this close: {(closer['text'] if closer else question.id.parts[0]).rstrip('.')}?"
        case "finding":
            return f"A rule found: {question.text}"
        case "suspect":
            return f"The {question.text}."


def _name_of(part: ReviewPart | None) -> str:
    if isinstance(part, Entity):
        email = part.properties.get("email")
        return f"{part.name} ({email})" if email else part.name
    return part.name if isinstance(part, PredicateUse) else ""


def _type_of(part: ReviewPart | None) -> str:
    return part.type if isinstance(part, Entity) and part.type != "unknown" else "thing"


def _as_text(items: list[QuestionView], count: int) -> str:
    if not items:
        return "Nothing to review: no conflict, duplicate, ambiguous name or finding is open."
    more = [f"{count - len(items)} more; raise `limit` to see them."] if count > len(items) else []
    return "\n\n".join(["\n".join(_lines_of(each)) for each in items] + more + [HOW_TO_DECIDE])


def _lines_of(item: QuestionView) -> list[str]:
    lines = [one_line(f"{item['question']} [{item['id']}]")]
    lines += [f"{key}: {_part_line(item[key])}" for key in ("a", "b") if key in item]
    lines += [f"- {_part_line(each)}" for each in item.get("candidates", ())]
    return [*lines, f"choices: {', '.join(item['choices'])}"]


def _part_line(part: BriefPart) -> str:
    if "state" in part:
        return fact_line(cast(BriefFact, part))[2:]
    return f"{part['name']} ({part['type']}) [{part['id']}]"


def _record_held_fact(change: Change, held: HeldFact, entity: EntityId | None) -> tuple[FactId, ...]:
    """Record a held fact with the entity chosen, or a new one; if its other end is ambiguous too, it is held again."""
    request = parse_fact(held.claim, "fact", lambda text, field: read_when(change.world, text, field))
    outcome = remember.record_held_fact(change, held, request, entity)
    if outcome.error is not None:
        raise outcome.error
    if outcome.fact is None:
        drop_held_fact(change, held.id)
    return (*(() if outcome.fact is None else (outcome.fact,)), *outcome.replaced, *outcome.conflicts_with)
