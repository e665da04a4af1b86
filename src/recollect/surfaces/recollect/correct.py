"""`correct`: a fact was never true, has ended, or something else is true now."""

from typing import Annotated

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.ingest.line_parts import stored_type
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.history import is_current
from recollect.model.ids import ENTITY_PREFIX, FACT_PREFIX, EntityId, is_id, read_id
from recollect.reason.corrections import (
    AlreadyEnded,
    AlreadyRetracted,
    Correction,
    CorrectionResult,
    MissingTarget,
    Mode,
    NewTarget,
    NoPeriodBefore,
    SameTarget,
    UnneededTarget,
    correct_fact,
)
from recollect.reason.fact_by_text import fact_with_id, facts_fitting
from recollect.search.fact_search import FactQuestion, fact_meaning, find_facts
from recollect.store.change import Change
from recollect.store.fact_rows import FactRow
from recollect.store.view import View
from recollect.surfaces.declarations import Json, Result
from recollect.surfaces.parameter_types import limited_text
from recollect.surfaces.recollect.failures import NO_EXAMPLE, AmbiguousReference, InvalidInput, NotFound
from recollect.surfaces.recollect.parameters import EntityRef, Reason, When, find_entity, read_when
from recollect.surfaces.recollect.surface import surface
from recollect.surfaces.recollect.views import BriefFact, FactViews, fact_line
from recollect.text.content_words import content_tokens
from recollect.when.format import time_of_date
from recollect.when.instant import local_date
from recollect.when.period import Time
from recollect.write.entity_refs import NamedRef, find_or_create
from recollect.write.owner import is_owner_word
from recollect.write.trust_rules import check_may_overrule

VALUE_LIMIT = 2_000
MOST_CANDIDATES = 10
NEAREST = 5

FactReference = Annotated[
    str,
    *limited_text(VALUE_LIMIT),
    Field(description="Its id, or text that fits one current fact: its subject and content words"),
]
CorrectionMode = Annotated[
    Mode, Field(description="wrong: never true; ended: no longer true; changed: something else is true now")
]
NewValue = Annotated[
    str | bool | int | float,
    WithJsonSchema({"type": ["string", "number", "boolean"], "maxLength": VALUE_LIMIT}),
    Field(description="The right or new value; `cancelled` to cancel an open item"),
]
NewObject = Annotated[EntityRef, Field(description="The right or new entity: name, id, or {name, type}")]
Since = Annotated[When, Field(description="When it ended or changed; default today")]


class CorrectResult(TypedDict):
    before: BriefFact
    after: list[BriefFact]
    undo: int


@surface.tool(
    "write",
    example={"fact": "Lena lives in Porto", "mode": "changed", "object": "Lisbon", "when": "2026-05", "reason": "call"},
)
def correct(
    memory: Memory,
    fact: FactReference,
    mode: CorrectionMode,
    value: NewValue | None = None,
    object: NewObject | None = None,  # noqa: A002
    when: Since | None = None,
    reason: Reason | None = None,
) -> Result[CorrectResult]:
    """Correct one fact, whoever recorded it; its history is kept.

    `wrong` with a value or object states the right claim for the same time. `changed` needs one. `ended` on an open
    item means it is done.
    """
    with memory.write() as change:
        check_may_overrule(memory.settings_in(change), memory.actor)
        found = _find_fact(memory, change, fact)
        before = _view(change, found)
        target = _target(memory, change, value, object)
        asked = Correction(mode, _first_day_without(change, when), target, reason, is_when_given=when is not None)
        given = {"fact": fact, "mode": mode, "when": when, "reason": reason}
        corrected = _apply(change, found, asked, {key: each for key, each in given.items() if each is not None})
        views = FactViews(change).of(corrected.after)
        result: CorrectResult = {
            "before": before,
            "after": [views[each] for each in corrected.after if each in views],
            "undo": change.tx,
        }
    return Result(result, _as_text(result))


def _find_fact(memory: Memory, change: Change, text: str) -> Fact:
    id_ = fact_with_id(change, text)
    if id_ is not None:
        known = change.fact(id_)
        if known is not None and not known.is_hidden:
            return known
    match = facts_fitting(change, text)
    if match.only is not None:
        return match.only.fact
    is_unknown_id = is_id(text.strip(), FACT_PREFIX)
    near = () if is_unknown_id else match.rows[:MOST_CANDIDATES] or match.near or _nearest(memory, change, text)
    views = FactViews(change).of_rows(near)
    candidates = list(views.values())
    if match.rows:
        raise AmbiguousReference(f"{text[:100]!r} fits several facts", field="fact", candidates=candidates)
    found = "If one of the candidates is meant, pass its id; else find the fact with `recall`."
    next_step = found if candidates else "Find it with `recall`, then pass its id."
    raise NotFound(f"no current fact fits {text[:100]!r}", field="fact", next_step=next_step, candidates=candidates)


def _nearest(memory: Memory, view: View, text: str) -> list[FactRow]:
    """The current facts that come nearest to a text by words and meaning, not by the name of their subject alone."""
    meaning = fact_meaning(view, memory.cache.vectors, memory.embedder, text)
    hits = find_facts(view, FactQuestion(text), meaning)
    rows = [hit.row for hit in hits if hit.words - set(content_tokens(hit.row.subject_name)) or not hit.words]
    return [row for row in rows if is_current(row.fact, view.world.present)][:NEAREST]


def _view(change: Change, fact: Fact) -> BriefFact:
    found = FactViews(change).of([fact.id])
    if fact.id not in found:
        raise NotFound("the subject or object of this fact is hidden", field="fact")
    return found[fact.id]


def _target(memory: Memory, change: Change, value: str | float | None, object_: EntityRef | None) -> NewTarget | None:
    if value is not None and object_ is not None:
        message = "value and object are both given; a claim has one of them"
        raise InvalidInput(message, field="object", next_step="Send value or object.", example=NO_EXAMPLE)
    if object_ is not None:
        return NewTarget(object=_resolve_object(memory, change, object_))
    return None if value is None else NewTarget(literal=_literal(value))


def _literal(value: str | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    text = str(value).strip()
    if not 0 < len(text) <= VALUE_LIMIT:
        message = f"value has {len(text)} characters; it must have 1 to {VALUE_LIMIT}"
        raise InvalidInput(message, field="value", example=NO_EXAMPLE)
    return text


def _resolve_object(memory: Memory, change: Change, given: EntityRef) -> EntityId:
    """The entity that is named exactly or by alias; created if there is none."""
    named = given if isinstance(given, dict) else {"name": given}
    name, type_ = str(named.get("id") or named.get("name") or ""), named.get("type")
    if is_id(name, ENTITY_PREFIX):
        return _known_entity(change, name).id
    if type_ is None and is_owner_word(name):
        return find_entity(memory, change, name, "object").id
    return find_or_create(change, NamedRef(name, stored_type(type_))).entity.id


def _known_entity(change: Change, text: str) -> Entity:
    found = change.survivor(EntityId(read_id(text, ENTITY_PREFIX)))
    if found is None:
        raise NotFound(f"there is no entity {text}", field="object")
    return found


def _first_day_without(change: Change, when: str | None) -> Time:
    world = change.world
    if when is None:
        return (
            world.now if world.timeline.is_fictional else time_of_date(local_date(world.clock, world.zone), world.zone)
        )
    try:
        return read_when(world, when, "when")
    except InvalidInput as problem:
        problem.example = NO_EXAMPLE  # without the time, the correction would say something else
        raise


def _apply(change: Change, fact: Fact, asked: Correction, valid_call: Json) -> CorrectionResult:
    """Apply the correction; a refusal has an example only where it claims nothing new."""
    try:
        return correct_fact(change, fact, asked)
    except UnneededTarget as problem:
        raise InvalidInput(str(problem), field="value", example=valid_call) from problem
    except (MissingTarget, SameTarget) as problem:
        next_step = "Send what is true now."
        raise InvalidInput(str(problem), field="value", next_step=next_step, example=NO_EXAMPLE) from problem
    except (NoPeriodBefore, AlreadyEnded) as problem:
        raise InvalidInput(str(problem), field="when", example=NO_EXAMPLE) from problem
    except AlreadyRetracted as problem:
        next_step = "Call `remember` if it is true after all."
        raise InvalidInput(str(problem), field="fact", next_step=next_step, example=NO_EXAMPLE) from problem


def _as_text(result: CorrectResult) -> str:
    before, after = fact_line(result["before"]), "\n".join(map(fact_line, result["after"]))
    return f"Before:\n{before}\n\nNow:\n{after}\n\nTo take this back: `undo` with transaction {result['undo']}."
