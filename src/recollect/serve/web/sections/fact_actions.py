"""Changes to a fact: correct, end, retract, restore, move to another entity, confidence."""

from recollect.errors import Conflict
from recollect.memory import Memory
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.fact import Fact
from recollect.model.ids import FACT_PREFIX, EntityId, FactId, format_entity_id, is_id, read_id
from recollect.reason.corrections import Mode
from recollect.serve.web.framework.forms import optional_field, required_field, whole_number
from recollect.serve.web.framework.pages import Action, Done, PageRequest
from recollect.serve.web.framework.problems import NoPage
from recollect.store.change import Change
from recollect.store.view import View
from recollect.surfaces.recollect.correct import CorrectResult, correct
from recollect.surfaces.recollect.parameters import find_entity
from recollect.surfaces.recollect.problems import InvalidInput
from recollect.write.entity_refs import NamedRef, create
from recollect.write.fact_edits import restore_fact, set_confidence
from recollect.write.merge import move_ends


def end(request: PageRequest) -> Done:
    """The fact no longer holds from a day on; without a day, from today on."""
    return _correct_fact(request, "ended", when=optional_field(request, "when"))


def change_value(request: PageRequest) -> Done:
    """Something else is true now, from a day on."""
    return _correct_fact(request, "changed", when=optional_field(request, "when"), **_target(request))


def correct_value(request: PageRequest) -> Done:
    """The fact was never true; something else was, at the same time."""
    return _correct_fact(request, "wrong", **_target(request))


def retract(request: PageRequest) -> Done:
    """The fact was never true."""
    return _correct_fact(request, "wrong")


def _target(request: PageRequest) -> dict[str, str]:
    name = "object" if request.text("target_kind") == "entity" else "value"
    return {name: required_field(request, "target")}


def _correct_fact(request: PageRequest, mode: Mode, **arguments: str | None) -> Done:
    _check_unchanged(request)
    given = {name: value for name, value in arguments.items() if value is not None}
    result: CorrectResult = correct(
        request.acting("correct"), request.path["id"], mode, reason=optional_field(request, "reason"), **given
    ).value
    text = result["after"][-1]["text"] if result["after"] else result["before"]["text"]
    message = {"ended": "Ended", "changed": "Changed", "wrong": "Corrected" if given else "Retracted"}[mode]
    is_day_lost = mode == "ended" and result["after"][0]["state"] == "stale" and bool(given)
    note = ". A statement has no end of its own: the day is not kept" if is_day_lost else ""
    return Done(f"fact/{request.path['id']}", f"{message}: {text}{note}", result["undo"])


class ChangedSince(Conflict):
    def __init__(self) -> None:
        super().__init__(
            "this fact was changed since the page was opened; open it again and see whether it still applies"
        )


def _check_unchanged(request: PageRequest) -> None:
    """Refuse a form of a page that shows an earlier version of the fact."""
    seen = whole_number(request.text("seen"))
    with request.memory.read() as view:
        if seen is not None and _find(view, request.path["id"]).tx_from > seen:
            raise ChangedSince


def move(request: PageRequest) -> Done:
    """The fact is about somebody else: another entity takes the place of its subject or object."""
    _check_unchanged(request)
    memory, name = request.acting("move_fact"), required_field(request, "entity", 200)
    with memory.write() as change:
        fact = _find(change, request.path["id"])
        end = fact.object if request.text("end") == "object" and fact.object is not None else fact.subject
        other = _entity(memory, change, name, end, is_new=bool(request.text("is_new")))
        if other.id == end or fact.is_retracted:
            raise InvalidInput(f"this fact is about {other.name} already, or it is retracted", field="entity")
        move_ends(change, fact, end, other.id)
        return Done(f"entity/{format_entity_id(other.id)}", f"The fact is now about {other.name}.", change.tx)


def _entity(memory: Memory, change: Change, name: str, like: EntityId, *, is_new: bool) -> Entity:
    """The entity of a name, or a new one of the type of another."""
    if not is_new:
        return find_entity(memory, change, name, "entity")
    known = change.entity(like)
    return create(change, NamedRef(name, UNKNOWN_TYPE if known is None else known.type))


def restore(request: PageRequest) -> Done:
    """State a retracted fact again."""
    _check_unchanged(request)
    with request.acting("restore").write() as change:
        fact = _find(change, request.path["id"])
        if not fact.is_retracted:
            raise InvalidInput("this fact is not retracted", field="fact")
        restore_fact(change, fact, optional_field(request, "reason"))
        return Done(f"fact/{request.path['id']}", "The fact is stated again.", change.tx)


def change_confidence(request: PageRequest) -> Done:
    confidence = _percent(required_field(request, "confidence", 10))
    with request.acting("set_confidence").write() as change:
        fact = _find(change, request.path["id"])
        if fact.is_retracted:
            raise InvalidInput("this fact is retracted; restore it first", field="fact")
        set_confidence(change, fact, confidence / 100)
        return Done(f"fact/{request.path['id']}", f"Confidence is now {confidence} %.", change.tx)


def _percent(text: str) -> int:
    number = whole_number(text)
    if number is None or number > 100:
        raise InvalidInput(f"confidence is {text[:20]!r}; it must be 0 to 100", field="confidence")
    return number


def _find(view: View, text: str) -> Fact:
    fact = view.fact(FactId(read_id(text, FACT_PREFIX))) if is_id(text, FACT_PREFIX) else None
    if fact is None or fact.is_hidden:
        raise NoPage
    return fact


ACTIONS = (
    Action("fact/{id}/end", end),
    Action("fact/{id}/change", change_value),
    Action("fact/{id}/correct", correct_value),
    Action("fact/{id}/retract", retract),
    Action("fact/{id}/move", move),
    Action("fact/{id}/restore", restore),
    Action("fact/{id}/confidence", change_confidence),
)
