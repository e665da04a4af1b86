"""A fact as somebody asks to remember it: parsed, its times read, its ends not yet resolved."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any, Literal, NamedTuple

from recollect.errors import NotKnown, RecollectError, Refused
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.fact import OBSOLETE_SINCE, Assertion, Fact
from recollect.model.ids import (
    ENTITY_PREFIX,
    FACT_PREFIX,
    EntityId,
    FactId,
    format_entity_id,
    format_fact_id,
    is_id,
    read_id,
)
from recollect.model.json_limits import is_storable
from recollect.model.sentence import fact_sentence
from recollect.model.similarity import to_snake_case
from recollect.model.vocabulary import PREDICATE_LIMIT
from recollect.reason.closures.open_items import CLOSING_PREDICATES, DECISION, ITEM_PREDICATES, can_close
from recollect.when.period import Time
from recollect.write.owner import is_group_word, is_owner_word

VALUE_LIMIT = 2_000
TYPE_LIMIT = 100
KEYS = ("subject", "predicate", "object", "value", "valid_from", "valid_until", "replaces", "confidence", "quote")
_KNOWN = frozenset(KEYS)
REPORT_PREDICATES = CLOSING_PREDICATES | {DECISION}
"""Predicates of facts that tell how an item ended."""
FactConfidence = Literal["stated", "inferred"]
CONFIDENCES: tuple[FactConfidence, ...] = ("stated", "inferred")
TimeReader = Callable[[str, str], Time]
"""Reads the time in a text; the field is named where it cannot."""


class BadFact(Refused):
    """A part of a fact that cannot be accepted, and what to send instead."""

    def __init__(self, message: str, field: str, next_step: str) -> None:
        super().__init__(message, field=field)
        self.next_step = next_step


class QuoteMissing(BadFact):
    """The quote does not occur in the text or document."""

    code = "quote_not_found"


class NotClosing(BadFact):
    """The fact names an item in `replaces`, but is of a kind that closes none such."""

    def __init__(self, field: str, item: str, predicate: str) -> None:
        super().__init__(
            f"{field}.replaces names an item ({item}), which a fact with predicate {predicate} does not close",
            f"{field}.replaces",
            "Send predicate `completion`, `resolution` or `cancellation` with this id, or leave `replaces` out.",
        )


class ClosesNoItem(BadFact):
    """A closing fact names something in `replaces` that is no item."""

    def __init__(self, field: str, predicate: str, replaced: str) -> None:
        super().__init__(
            f"{field}.replaces names a fact with predicate {replaced}, which is no item that a {predicate} could close",
            f"{field}.replaces",
            "Send the id of an item from `open_items`, or say in `value` what was done.",
        )


class ReplacesAnother(BadFact):
    """A fact names one in `replaces` that is about something else."""

    def __init__(self, field: str, replaced: str) -> None:
        super().__init__(
            f"{field}.replaces names a fact with another subject or predicate ({replaced})",
            f"{field}.replaces",
            "Send the id of a fact with the same subject and predicate, or true, or leave `replaces` out.",
        )


class UnknownReference(NotKnown):
    """An id of an entity or fact that is not in this workspace."""

    def __init__(self, message: str, field: str, next_step: str) -> None:
        super().__init__(message)
        self.field = field
        self.next_step = next_step


class EndRequest(NamedTuple):
    """The subject or object of a fact: the owner, an id, or a name with or without a type."""

    name: str = ""
    type: str | None = None
    id: EntityId | None = None
    is_owner: bool = False
    is_guess: bool = False
    """Whether the type was only guessed from the role in a sentence."""
    is_new: bool = False
    """Whether the entity of this id was created in this call."""


@dataclass(frozen=True, slots=True)
class ClaimRequest:
    """A fact to remember, either given as one or read from a text."""

    subject: EndRequest
    predicate: str
    object: EndRequest | None = None
    value: str | None = None
    valid_from: Time | None = None
    valid_until: Time | None = None
    replaces: bool | FactId = False
    replaced_value: str | None = None
    """Replace only the current fact with this value, as in `switched from A to B`."""
    denied_values: tuple[str, ...] = ()
    """Values that are told not to hold, as in `uses B, not A`: they end, if they are current."""
    has_ended: bool = False
    """Whether the claim is that this no longer holds."""
    is_denial: bool = False
    """Whether the words only deny what was told."""
    confidence: FactConfidence = "stated"
    quote: str | None = None
    field: str = dataclass_field(default="facts[0]", compare=False)
    is_read: bool = False

    @property
    def target_text(self) -> str | None:
        return self.value if self.value is not None else self.object.name if self.object is not None else None

    @property
    def says_what_it_closes(self) -> bool:
        """Whether it is a report, and of what: by the id of the item, or in the words it was read from."""
        return self.predicate in REPORT_PREDICATES and (self.replaces is not False or self.quote is not None)

    def with_predicate(self, predicate: str) -> "ClaimRequest":
        return self if predicate == self.predicate else replace(self, predicate=predicate)

    def as_text(self) -> str:
        """The claim as a sentence, with names as they were given."""
        return fact_sentence(self.subject.name or "Me", self.predicate, self.target_text)

    def as_given(self) -> dict[str, Any]:
        """The fact in the form in which the tool takes it."""
        given: dict[str, Any] = {"subject": _end_as_given(self.subject), "predicate": self.predicate}
        if self.object is not None:
            given["object"] = _end_as_given(self.object)
        if self.value is not None:
            given["value"] = self.value
        for key, time in (("valid_from", self.valid_from), ("valid_until", self.valid_until)):
            if time is not None:
                given[key] = time.text
        if self.replaces:
            given["replaces"] = format_fact_id(self.replaces) if isinstance(self.replaces, str) else True
        if self.confidence != "stated":
            given["confidence"] = self.confidence
        return given if self.quote is None else given | {"quote": self.quote}

    def repeats(self, assertion: Assertion) -> bool:
        """Whether an assertion quotes the words of this claim and gives its time, or took that from its source.

        That a thing no longer holds leaves a mark without a quote on a fact that had not begun.
        """
        if OBSOLETE_SINCE in assertion.attributes:
            return self.has_ended
        start, end, at = assertion.valid_from, assertion.valid_until, assertion.source_at
        is_from_source = self.valid_from is None and start is not None and start.lo <= at <= start.hi
        return (
            assertion.quote == self.quote
            and (start == self.valid_from or is_from_source)
            and (end == self.valid_until or (self.valid_until is None and end is not None))
        )

    def with_group(self, group: EndRequest) -> "ClaimRequest":
        """The same fact with what `we` means in it."""
        subject, object_ = (
            group if end is not None and end.is_owner and is_group_word(end.name) else end
            for end in (self.subject, self.object)
        )
        return replace(self, subject=subject or self.subject, object=object_)

    def with_end(self, role: str, entity: EntityId | None) -> "ClaimRequest":
        """The same fact with one end decided: an entity, or a new one if none is given."""
        before = self.subject if role == "subject" else self.object
        if before is None:
            return self
        decided = before._replace(id=entity)
        return replace(self, subject=decided) if role == "subject" else replace(self, object=decided)


@dataclass(frozen=True, slots=True)
class RefusedClaim:
    """A fact that could not be parsed, and why."""

    error: RecollectError
    predicate: str = ""
    text: str = ""


def refused_claim(raw: Any, error: RecollectError) -> RefusedClaim:
    """A fact that could not be parsed, with as much of it as can be shown."""
    given = raw if isinstance(raw, Mapping) else {}
    subject, predicate, target = (
        text[:NAME_LIMIT] if isinstance(text := given.get(key), str) else ""
        for key in ("subject", "predicate", "value" if "value" in given else "object")
    )
    text = fact_sentence(subject or "?", predicate, target or "?") if predicate else ""
    return RefusedClaim(error, predicate, text)


def _end_as_given(end: EndRequest) -> Any:
    if end.is_owner:
        return "me"
    if end.id is not None:
        return {"id": format_entity_id(end.id)}
    return end.name if end.type is None else {"name": end.name, "type": end.type}


def parse_fact(raw: Any, field: str, read_time: TimeReader) -> ClaimRequest:
    """Check one element of `facts`; the message of a refusal names the part at fault."""
    if not isinstance(raw, Mapping):
        raise BadFact(f"{field} is {type(raw).__name__}, not an object", field, f"Send keys of {', '.join(KEYS)}.")
    if not raw.keys() <= _KNOWN:
        unknown = [key for key in raw if key not in KEYS]
        raise BadFact(f"{field} has the unknown key {unknown[0]!r}", f"{field}.{unknown[0]}", f"Use {', '.join(KEYS)}.")
    given = {key: value for key, value in raw.items() if value is not None and value != ""}
    for key in ("subject", "predicate"):
        if key not in given:
            raise BadFact(f"{field} has no {key}", f"{field}.{key}", f"Send the {key} of this fact.")
    return ClaimRequest(
        parse_end(given["subject"], f"{field}.subject"),
        _parse_text(given["predicate"], f"{field}.predicate", PREDICATE_LIMIT),
        parse_end(given["object"], f"{field}.object") if "object" in given else None,
        _parse_value(given["value"], f"{field}.value") if "value" in given else None,
        _parse_time(given, "valid_from", field, read_time) if "valid_from" in given else None,
        _parse_time(given, "valid_until", field, read_time) if "valid_until" in given else None,
        _parse_replaces(given["replaces"], f"{field}.replaces") if "replaces" in given else False,
        confidence=_parse_confidence(given["confidence"], f"{field}.confidence") if "confidence" in given else "stated",
        quote=_parse_text(given["quote"], f"{field}.quote", VALUE_LIMIT) if "quote" in given else None,
        field=field,
    )


def parse_end(raw: Any, field: str) -> EndRequest:
    """A name, an id, or an object with `name` and `type` or with `id`."""
    if isinstance(raw, str):
        return _parse_name(raw, None, field)
    if not isinstance(raw, Mapping) or not set(raw) <= {"name", "type", "id"}:
        raise BadFact(f"{field} is not a name", field, 'Send a name, or {"name": …, "type": …}, or {"id": …}.')
    if raw.get("id"):
        return _parse_name(_parse_text(raw["id"], f"{field}.id", NAME_LIMIT), None, f"{field}.id", is_id_only=True)
    if not raw.get("name"):
        raise BadFact(f"{field} has neither name nor id", f"{field}.name", "Send the name or the id.")
    type_ = _parse_text(raw["type"], f"{field}.type", TYPE_LIMIT) if raw.get("type") else None
    return _parse_name(_parse_text(raw["name"], f"{field}.name", NAME_LIMIT), type_, f"{field}.name")


def _parse_name(text: str, type_: str | None, field: str, *, is_id_only: bool = False) -> EndRequest:
    name = _parse_text(text, field, NAME_LIMIT)
    if is_id(name, ENTITY_PREFIX):
        return EndRequest(name, id=EntityId(read_id(name, ENTITY_PREFIX)))
    if is_id_only:
        raise BadFact(f"{field} {name!r} is not the id of an entity", field, "Send an id as it was printed: ent_…")
    stored = None if type_ is None else to_snake_case(type_)
    is_owner = is_owner_word(name) and (type_ is None or not is_group_word(name))
    return EndRequest(name, "organization" if stored == "company" else stored, is_owner=is_owner)


def _parse_text(raw: Any, field: str, limit: int) -> str:
    if not isinstance(raw, str) or not raw.strip():
        raise BadFact(f"{field} is not a text", field, f"Send a text of 1 to {limit} characters.")
    text = raw.strip()
    if len(text) > limit:
        raise BadFact(f"{field} has {len(text)} characters, at most {limit} are allowed", field, "Shorten it.")
    if not is_storable(text):
        raise BadFact(f"{field} holds characters that cannot be stored", field, "Remove control characters.")
    return text


def _parse_value(raw: Any, field: str) -> str:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, int):
        return _parse_text(str(raw), field, VALUE_LIMIT)
    if isinstance(raw, float):
        return str(int(raw)) if raw.is_integer() and abs(raw) < 1e15 else repr(raw)
    if not isinstance(raw, str):
        raise BadFact(f"{field} is {type(raw).__name__}", field, "Send a string, number or boolean.")
    return _parse_text(raw, field, VALUE_LIMIT)


def _parse_time(given: Mapping[str, Any], key: str, field: str, read_time: TimeReader) -> Time:
    return read_time(_parse_text(str(given[key]), f"{field}.{key}", 200), f"{field}.{key}")


def _parse_replaces(raw: Any, field: str) -> bool | FactId:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and is_id(raw, FACT_PREFIX):
        return FactId(read_id(raw, FACT_PREFIX))
    raise BadFact(f"{field} is {raw!r}", field, "Send true, or the id of the fact that is replaced: fact_…")


def _parse_confidence(raw: Any, field: str) -> FactConfidence:
    for known in CONFIDENCES:
        if raw == known:
            return known
    raise BadFact(f"{field} is {raw!r}", field, f"Send {' or '.join(CONFIDENCES)}.")


def check_replaced(request: ClaimRequest, replaced: Fact, subject: Entity | None) -> None:
    """Refuse a fact that replaces an item without closing it, closes what is no item, or is about something else."""
    former, predicate = replaced.predicate, request.predicate
    if former in ITEM_PREDICATES:
        if predicate not in ITEM_PREDICATES and not can_close(former, predicate):
            raise NotClosing(request.field, former, predicate)
    elif predicate in CLOSING_PREDICATES and former not in CLOSING_PREDICATES:
        raise ClosesNoItem(request.field, predicate, former)
    elif predicate not in CLOSING_PREDICATES and (former, replaced.subject) != (predicate, subject and subject.id):
        raise ReplacesAnother(request.field, format_fact_id(replaced.id))


def locate(problem: RecollectError, request: ClaimRequest) -> RecollectError:
    """The same problem with the place of the fault in the call."""
    part = getattr(problem, "field", None)
    if not isinstance(problem, BadFact | UnknownReference):
        located = f"{request.field}.{part}" if part in ("predicate", "valid_until") else request.field
        return BadFact(str(problem), located, "Correct this fact and send it again.")
    return problem
