"""`forget`: hide something on every surface, or erase it for good after a second call."""

from collections.abc import Iterable
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.keep.forgetting.erasure import InvalidErasureToken, check_token, issue_token
from recollect.keep.forgetting.erasure import forget as erase_for_good
from recollect.keep.forgetting.hiding import AlreadyHidden, ForgetCounts, hide_document, hide_entity, hide_fact
from recollect.keep.forgetting.targets import (
    AmbiguousTarget,
    ErasureSet,
    ForgetTarget,
    TargetKind,
    UnknownErasureTarget,
    erasure_set_of,
    find_forget_target,
    find_targets,
)
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import DocumentId, format_document_id, format_entity_id
from recollect.reason.fact_by_text import facts_fitting
from recollect.store.change import Change
from recollect.store.view import View
from recollect.surfaces.declarations import Result
from recollect.surfaces.parameter_types import Flag, limited_text
from recollect.surfaces.recollect.failures import AmbiguousReference, InvalidInput, NotFound
from recollect.surfaces.recollect.parameters import find_entity, near_entities
from recollect.surfaces.recollect.surface import surface
from recollect.surfaces.recollect.views import BriefEntity, BriefFact, FactViews, entity_view
from recollect.text.fold import one_line
from recollect.write.owner import OWNER_WORDS

TARGET_LIMIT = 2_000
MAX_NEAR = 5
ERASED_TEXT = "[erased]"

TargetText = Annotated[
    str,
    *limited_text(TARGET_LIMIT),
    Field(description="Id of a fact, entity, note, document or memory; or an entity's name, or a fact's exact text"),
]
Erase = Annotated[Flag, Field(description="Delete for good; asks first")]
ConfirmToken = Annotated[
    str,
    *limited_text(100),
    Field(description="The token that the first call with `erase` returned, after the user agreed"),
]


class TargetView(TypedDict):
    id: str
    kind: TargetKind
    text: str


class CountsView(TypedDict):
    facts: int
    documents: int
    entities: int


class ForgetResult(TypedDict):
    status: Literal["hidden", "needs_confirmation", "erased"]
    target: TargetView
    counts: CountsView
    still_in: NotRequired[list[str]]
    confirm: NotRequired[str]
    undo: NotRequired[int]


@surface.tool("destroy", example={"target": "Lena"}, destroys_if="erase")
def forget(
    memory: Memory, target: TargetText, erase: Erase = False, confirm: ConfirmToken | None = None
) -> Result[ForgetResult]:
    """Hide something everywhere; `undo` shows it again. Hiding a source withdraws what it says.

    `erase: true` deletes it for good: the first call only returns `confirm`; repeat the call with it once the user
    agrees.
    """
    if erase:
        result = _erase(memory, target, confirm)
    elif confirm is not None:
        raise InvalidInput("confirm is for erase: true only", field="confirm")
    else:
        result = _hide(memory, target)
    return Result(result, _as_text(result))


def _hide(memory: Memory, given: str) -> ForgetResult:
    with memory.write() as change:
        found = _find_target(memory, change, given)
        shown = _target_view(change, found)
        try:
            counts = _hide_thing(change, found)
        except AlreadyHidden as problem:
            raise NotFound(str(problem), field="target") from problem
        return {"status": "hidden", "target": shown, "counts": _counts(counts), "undo": change.tx}


def _hide_thing(change: Change, target: ForgetTarget) -> ForgetCounts:
    match target.thing:
        case Fact() as fact:
            return hide_fact(change, fact)
        case Entity() as entity:
            return hide_entity(change, entity)
        case Document() as document:
            return hide_document(change, document)
        case None:
            raise NotFound("this exists in earlier versions only; it is hidden already", field="target")


def _erase(memory: Memory, given: str, confirm: str | None) -> ForgetResult:
    with memory.read() as view:
        found = _find_target(memory, view, given)
        doomed = erasure_set_of(view, find_targets(view, [found.id]))
        if confirm is None and not memory.is_confirmed:
            return _ask(view, found, doomed)
        if confirm is not None:
            _check(view, found, doomed, confirm)
    erased = erase_for_good(memory, [found.id])
    counts = ForgetCounts(erased.facts, erased.documents, erased.entities)
    shown: TargetView = {"id": found.id, "kind": found.kind, "text": ERASED_TEXT}
    result: ForgetResult = {"status": "erased", "target": shown, "counts": _counts(counts)}
    return _with_remaining(result, erased.remaining_documents)


def _ask(view: View, target: ForgetTarget, doomed: ErasureSet) -> ForgetResult:
    counts = ForgetCounts(len(doomed.facts), len(doomed.documents), len(doomed.entities))
    token = issue_token(view, target.id, doomed)
    shown, affected = _target_view(view, target), _counts(counts)
    result: ForgetResult = {"status": "needs_confirmation", "target": shown, "counts": affected, "confirm": token}
    return _with_remaining(result, doomed.remaining_documents)


def _with_remaining(result: ForgetResult, documents: Iterable[DocumentId]) -> ForgetResult:
    """Name the documents that stay although they may contain the erased words."""
    ids = [format_document_id(each) for each in sorted(documents)]
    return {**result, "still_in": ids} if ids else result


def _check(view: View, target: ForgetTarget, doomed: ErasureSet, token: str) -> None:
    try:
        check_token(view, target.id, doomed, token)
    except InvalidErasureToken as problem:
        next_step = "Call again without confirm, and ask the user."
        raise InvalidInput(str(problem), field="confirm", next_step=next_step) from problem


def _find_target(memory: Memory, view: View, given: str) -> ForgetTarget:
    if given.casefold() in OWNER_WORDS:
        raise _owner_refused(find_entity(memory, view, given, "target"))
    try:
        return find_forget_target(view, given)
    except UnknownErasureTarget as problem:
        message = f"nothing here has the id, name or exact text {given[:100]!r}"
        near: list[BriefFact | BriefEntity] = [*_near_facts(view, given), *near_entities(memory, view, given)]
        next_step = "If one of the candidates is meant, pass its id; else find it with `recall`." if near else None
        raise NotFound(message, field="target", next_step=next_step, candidates=near) from problem
    except AmbiguousTarget as problem:
        candidates = _candidates(view, problem)
        raise AmbiguousReference(str(problem), field="target", candidates=candidates) from problem


def _owner_refused(owner: Entity) -> InvalidInput:
    """The owner is hidden or erased with everything about them only where that is certainly meant."""
    ident = format_entity_id(owner.id)
    message = f"this is the owner, {owner.name} [{ident}], with everything known about them"
    next_step = f"Name one fact, or pass the id {ident} if the user wants all of it forgotten."
    return InvalidInput(message, field="target", next_step=next_step)


def _near_facts(view: View, given: str) -> list[BriefFact]:
    """The facts that a text may mean although it is none's exact text; *the alarm code* may be the owner's."""
    found = facts_fitting(view, given).rows or facts_fitting(view, f"my {given}").rows
    return list(FactViews(view).of_rows(found[:MAX_NEAR]).values())


def _candidates(view: View, problem: AmbiguousTarget) -> list[BriefEntity | BriefFact]:
    entities = view.entities(problem.entities)
    facts = FactViews(view).of(problem.facts)
    return [*(entity_view(entities[each]) for each in problem.entities), *facts.values()]


def _target_view(view: View, target: ForgetTarget) -> TargetView:
    """What a call names; a fact by the sentence that every other tool shows for it."""
    fact = FactViews(view).of([target.thing.id]) if isinstance(target.thing, Fact) else {}
    texts = [each["text"] for each in fact.values()] or [target.text]
    return {"id": target.id, "kind": target.kind, "text": texts[0]}


def _counts(counts: ForgetCounts) -> CountsView:
    return {"facts": counts.facts, "documents": counts.documents, "entities": counts.entities}


def _as_text(result: ForgetResult) -> str:
    target, counts = result["target"], result["counts"]
    what = one_line(f"{target['kind']} {target['id']}: “{target['text']}”")
    affected = ", ".join(f"{counts[each]} {each}" for each in ("facts", "documents", "entities"))
    match result["status"]:
        case "hidden":
            return f"Hidden: {what} ({affected} affected). To show it again: `undo` with transaction {result['undo']}."
        case "needs_confirmation":
            return (
                f"Nothing is erased yet. This would erase for good: {what} ({affected}). Ask the user; if they agree, "
                f"repeat the call with confirm {result['confirm']} within 10 minutes.{_remaining_text(result)}"
            )
        case "erased":
            return f"Erased for good: {target['kind']} {target['id']} ({affected}).{_remaining_text(result)}"


def _remaining_text(result: ForgetResult) -> str:
    documents = result.get("still_in", [])
    if not documents:
        return ""
    verb = "remain" if result["status"] == "needs_confirmation" else "still be"
    return (
        f" The words may {verb} in these documents: {', '.join(documents)}. To erase one of "
        "them too, call `forget` with its id and `erase: true`."
    )
