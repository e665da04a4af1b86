"""A fact: the statement, every source with its quote in context, its versions on two clocks, and corrections."""

from dataclasses import dataclass

from recollect.errors import Conflict
from recollect.memory import Memory
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.fact import Fact
from recollect.model.ids import (
    FACT_PREFIX,
    EntityId,
    FactId,
    format_entity_id,
    format_fact_id,
    is_id,
    parse_fact_id,
    read_id,
)
from recollect.reason.corrections import Mode
from recollect.serve.web.framework.cards import FactCard, compared_with_now, fact_cards_of
from recollect.serve.web.framework.drawings import KnownVersion, TwoClockDiagram, draw_two_clocks
from recollect.serve.web.framework.error_pages import PageNotFound
from recollect.serve.web.framework.pages import (
    Action,
    ActionResult,
    Moment,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    optional_field,
    required_field,
    whole_number,
)
from recollect.serve.web.framework.rendering import human_time
from recollect.serve.web.sections.fact_history import SourceCard, closer_of, facts_instead, sources_of, versions_of_fact
from recollect.store.change import Change
from recollect.store.view import View
from recollect.surfaces.recollect.correct import CorrectResult, correct
from recollect.surfaces.recollect.failures import InvalidInput
from recollect.surfaces.recollect.parameters import find_entity
from recollect.write.entity_refs import NamedRef, create
from recollect.write.fact_edits import restore_fact, set_confidence
from recollect.write.merge import move_ends


@dataclass(frozen=True, slots=True)
class FactPage(PageModel):
    fact: FactCard | None
    is_known: bool
    sources: tuple[SourceCard, ...]
    versions: tuple[KnownVersion, ...]
    diagram: TwoClockDiagram
    disputed_with: tuple[FactCard, ...]
    replaced_by: FactCard | None
    closed_by: FactCard | None
    instead: tuple[FactCard, ...]
    """What holds in its place, if it does not hold."""
    moments: tuple[Moment, ...]
    id: str
    is_now_retracted: bool
    shown_at: str


def show(request: PageRequest) -> FactPage:
    id_ = _fact_id(request.path["id"])
    with request.memory.read() as latest:
        versions = versions_of_fact(latest, id_)
        now_fact = latest.fact(id_)
        if not versions or (now_fact is not None and now_fact.is_hidden):
            raise PageNotFound
    with request.read() as view:
        at = request.at(view)
        fact = view.fact(id_)
        cards = fact_cards_of(view, [id_], at)
        card = next(iter(cards if request.clocks.is_now else compared_with_now(request.memory, cards)), None)
        rivals = [end for pair in view.disputes_of(id_) for end in (pair.one, pair.other) if end != id_]
        later = [] if fact is None or fact.replaced_by is None else [fact.replaced_by]
        known = view.now if view.is_latest else _known_instant(view)
        return FactPage(
            card.text if card else versions[-1].text,
            card,
            card is not None,
            tuple(sources_of(view, fact)),
            tuple(versions),
            draw_two_clocks(versions, at.lo, known, view.now),
            tuple(fact_cards_of(view, rivals, at)),
            next(iter(fact_cards_of(view, later, at)), None),
            None if fact is None or card is None or not card.is_item else closer_of(view, fact, at),
            () if fact is None or card is None else facts_instead(view, fact, card, at),
            tuple(Moment(str(each.transaction), human_time(each.known_from)) for each in versions),
            format_fact_id(id_),
            now_fact is None or now_fact.is_retracted,
            request.clocks.at.text if request.clocks.at else "now",
        )


def _fact_id(text: str) -> FactId:
    if not is_id(text, FACT_PREFIX):
        raise PageNotFound
    return FactId(read_id(text, FACT_PREFIX))


def _known_instant(view: View) -> int:
    tx = view.transaction(view.last_tx)
    return view.now if tx is None else tx.at


def end(request: PageRequest) -> ActionResult:
    """The fact no longer holds from a day on; without a day, from today on."""
    return _correct_fact(request, "ended", when=optional_field(request, "when"))


def change_value(request: PageRequest) -> ActionResult:
    """Something else is true now, from a day on."""
    return _correct_fact(request, "changed", when=optional_field(request, "when"), **_target(request))


def correct_value(request: PageRequest) -> ActionResult:
    """The fact was never true; something else was, at the same time."""
    return _correct_fact(request, "wrong", **_target(request))


def retract(request: PageRequest) -> ActionResult:
    """The fact was never true."""
    return _correct_fact(request, "wrong")


def _target(request: PageRequest) -> dict[str, str]:
    name = "object" if request.text("target_kind") == "entity" else "value"
    return {name: required_field(request, "target")}


def _correct_fact(request: PageRequest, mode: Mode, **arguments: str | None) -> ActionResult:
    _check_unchanged(request)
    given = {name: value for name, value in arguments.items() if value is not None}
    result: CorrectResult = correct(
        request.acting("correct"), request.path["id"], mode, reason=optional_field(request, "reason"), **given
    ).value
    text = result["after"][-1]["text"] if result["after"] else result["before"]["text"]
    message = {"ended": "Ended", "changed": "Changed", "wrong": "Corrected" if given else "Retracted"}[mode]
    is_day_lost = mode == "ended" and result["after"][0]["state"] == "stale" and bool(given)
    note = ". A statement has no end date: the day is not stored" if is_day_lost else ""
    return ActionResult(f"fact/{request.path['id']}", f"{message}: {text}{note}", result["undo"])


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


def move(request: PageRequest) -> ActionResult:
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
        return ActionResult(f"entity/{format_entity_id(other.id)}", f"The fact is now about {other.name}.", change.tx)


def _entity(memory: Memory, change: Change, name: str, like: EntityId, *, is_new: bool) -> Entity:
    """The entity of a name, or a new one of the type of another."""
    if not is_new:
        return find_entity(memory, change, name, "entity")
    known = change.entity(like)
    return create(change, NamedRef(name, UNKNOWN_TYPE if known is None else known.type))


def restore(request: PageRequest) -> ActionResult:
    """State a retracted fact again."""
    _check_unchanged(request)
    with request.acting("restore").write() as change:
        fact = _find(change, request.path["id"])
        if not fact.is_retracted:
            raise InvalidInput("this fact is not retracted", field="fact")
        restore_fact(change, fact, optional_field(request, "reason"))
        return ActionResult(f"fact/{request.path['id']}", "The fact is stated again.", change.tx)


def change_confidence(request: PageRequest) -> ActionResult:
    confidence = _percent(required_field(request, "confidence", 10))
    with request.acting("set_confidence").write() as change:
        fact = _find(change, request.path["id"])
        if fact.is_retracted:
            raise InvalidInput("this fact is retracted; restore it first", field="fact")
        set_confidence(change, fact, confidence / 100)
        return ActionResult(f"fact/{request.path['id']}", f"Confidence is now {confidence} %.", change.tx)


def _percent(text: str) -> int:
    number = whole_number(text)
    if number is None or number > 100:
        raise InvalidInput(f"confidence is {text[:20]!r}; it must be 0 to 100", field="confidence")
    return number


def _find(view: View, text: str) -> Fact:
    fact = view.fact(id_) if (id_ := parse_fact_id(text, strict=True)) else None
    if fact is None or fact.is_hidden:
        raise PageNotFound
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
PAGES = (Page("fact", "fact/{id}", show, has_clock=True),)
SECTION = WebSection("fact", PAGES, ACTIONS)
